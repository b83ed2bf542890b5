"""Fixed problems with the papers' tables and the peers beside them.

A suite is a module here with ``bench(motion, *, quick)``, which returns rows: dictionaries with at least ``case`` and
``method``, and ``solved``, ``verified``, ``total``, ``median_s``, ``p95_s`` where they make sense. ``motion`` is a
folder of recorded clips (CMU, as BVH) or ``None``; ``quick`` asks for a look instead of the whole table. A suite that
can be asked for more, such as the papers' own time limits, takes ``full`` too; one that takes long takes ``store``, a
path where it keeps what it has measured, so that a run that was stopped goes on with the next row.
"""

from __future__ import annotations

import importlib
import inspect
import os
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.machine import machine, versions

Row = dict[str, Any]
#: What can be asked for, and what each suite shows.
SUITES = {
    "batch_kills": "batches killed at random moments: what is lost, what is made twice; Ray beside them",
    "cold": "every job from an empty cache and from a full one, in new processes: compiling, loading, the rest",
    "floor": "shortest paths with clearance, against the visibility graph",
    "gpu_image": "the distance image on the processor and on a graphics card",
    "kernels": "kinematics, collision, rotations, reading files: beside Pinocchio, Coal, SciPy and pybvh",
    "interaction": "edit steps by variables and contacts, against central differences; drags, drift, acquiring",
    "library": "table 3.1: building motion graphs, against a per-pair implementation",
    "library_growth": "building libraries of 10,000 to 300,000 frames: time and memory, extrapolated to a million",
    "limbs": "correct and reach: scenes and random problems to a verified motion, searches beside OMPL's",
    "locomotion": "tables 3.2-3.4 and 4.1-4.6: walking through clutter by every method",
    "maps": "tables 4.2-4.5: motion maps by depth, and paths followed with them",
    "posture_pairs": "all 231 pairs of built-in postures under the one verdict, with side views",
    "posture_peers": "from posture to posture, beside six of OMPL's planners with the same checks",
    "planted_faults": "accepted claims of every engine, each spoilt in one way: found of planted",
    "performer": "the built-in performer against recorded walks",
    "rooms": "furnished rooms and flats at random, anybody's clips: from standing to standing, headings, doorways",
    "sampling": "tables 1 and 2 of environment-aware sampling, narrow gaps, growth",
    "skill_examples": "every scene of programs in the examples by the command line, in fresh processes, judged",
    "skill_programs": "random programs: a book carried to a table, a cup poured into, judged",
    "skills": "random doors, pushed and pulled, to a verified motion",
    "studio": "the page in a browser: ready, walks planned again, drags followed",
    "streaming": "play while searching: first chunks, judged streams, crowds at 30 pictures a second",
    "verdicts": "every job on random problems: solved, judged again from files, tampered files refused",
    "quality": "the judge's figures over some two thousand outputs of all engines",
    "postures": "table 1 of posture energy: untying postures with every fall-off, with and without safe zone",
}


def recorded_clips() -> Path | None:
    """The folder of recorded clips beside the checkout, or where ``UNDERSTUDY_SHARED`` points; ``None`` without one."""
    root = Path(os.environ.get("UNDERSTUDY_SHARED") or Path(__file__).resolve().parents[2].parent / "shared")
    folder = root / "motion" / "cmu_bvh"
    return folder if folder.is_dir() else None


def document(
    name: str, motion: Path | None, *, quick: bool, full: bool = False, store: Path | None = None
) -> dict[str, Any]:
    """Run a suite; ``seconds`` are those by the clock and of processors, of this run alone."""
    run = importlib.import_module(f"benchmarks.suites.{name}").bench
    known = inspect.signature(run).parameters
    more: dict[str, Any] = {"full": full} if full and "full" in known else {}
    if store is not None and "store" in known:
        more["store"] = store
    began, worked = perf_counter(), _processor_s()
    rows: list[Row] = run(motion, quick=quick, **more)
    seconds = {"wall": perf_counter() - began, "cpu": _processor_s() - worked}
    about = {"machine": machine(), "versions": versions(), "seconds": seconds}
    return {"suite": name, "quick": quick, "full": full, **about, "rows": rows}


def _processor_s() -> float:
    """[s] of this process and of those it started that have ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system
