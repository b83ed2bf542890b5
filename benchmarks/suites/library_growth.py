"""How building a library grows: 10,000, 100,000 and 300,000 frames measured, a million extrapolated.

    python -m benchmarks.suites.library_growth FOLDER [--sizes 10000,100000] [-o growth.json] [--plot growth.png]

Frames are CMU's walks of subjects 69 and 16 at 60 fps, again and again, each time at another pace, every other time
mirrored, with joints that sway by a degree: no two alike, all of them walks. Every size runs in a process of its own,
so that its peak of memory is its own, and what was measured is kept in the output file: a run that was stopped goes on.
Clips are made one at a time, and frames lie in mapped files (``LibraryOptions.scratch``).
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.machine import machine, versions
from benchmarks.suites.library import FPS, WALK_16, WALK_69, clips
from understudy import rotations as rot
from understudy.core import Motion
from understudy.core.mirror import mirrored
from understudy.errors import UnderstudyError
from understudy.library import LibraryOptions, build_library

SIZES = (10_000, 30_000, 100_000, 300_000)
MILLION = 1_000_000
#: Successors of a clip that are kept; searches use no more.
SUCCESSORS = 32


def varied(motion: Motion, number: int) -> Motion:
    """The motion at another pace, swaying a little, every other one mirrored."""
    rng = np.random.default_rng(number)
    if number % 2:
        motion = mirrored(motion)
    frames = int(motion.duration_s * rng.uniform(0.92, 1.08) * FPS)
    motion = replace(
        motion.sampled(np.linspace(0.0, motion.duration_s, frames), fps=FPS), name=f"{motion.name}-{number}"
    )
    waves = (
        rng.uniform(0.1, 0.6, (1, len(motion.skeleton), 3)),
        rng.uniform(0.0, 2.0 * np.pi, (1, len(motion.skeleton), 3)),
    )
    sway = np.radians(1.0) * np.sin(2.0 * np.pi * waves[0] * motion.times_s[:, None, None] + waves[1])
    sway[:, 0] = 0.0
    return replace(motion, rotations=rot.multiply(motion.rotations, rot.exp(sway)))


def footage(folder: Path, frames: int) -> Iterator[Motion]:
    """Clips of so many frames together, one after another."""
    recorded = clips(folder, (*WALK_69, *WALK_16))
    number, left = 0, frames
    while left >= 120:
        motion = varied(recorded[number % len(recorded)], number)
        yield motion.frames(0, min(left, len(motion)))
        number, left = number + 1, left - min(left, len(motion))


def one(folder: Path, frames: int) -> dict[str, object]:
    """A library of so many frames, in this process."""
    build_library(footage(folder, 1000))  # compiles
    start = process_time()
    for _ in footage(folder, frames):
        pass
    made = process_time() - start
    with tempfile.TemporaryDirectory() as place:
        start = process_time()
        options = LibraryOptions(fps=FPS, successors=SUCCESSORS, scratch=place)
        library = build_library(footage(folder, frames), options=options)
        # Clips are made while the library takes them in.
        seconds = process_time() - start - made
    # Linux counts in kilobytes, macOS in bytes.
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)
    return {
        "case": f"{frames} frames",
        "method": "feature, frames in mapped files",
        "frames": frames,
        "cpu_s": seconds,
        "stages_wall_s": {name: round(value, 2) for name, value in library.seconds.items()},
        "peak_mb": peak_mb,
        "clips": library.segments,
        "nodes": library.graph.nodes,
        "edges": library.graph.edges,
    }


def measured(folder: Path, sizes: list[int], kept: Path | None) -> list[dict[str, object]]:
    """Every size in a process of its own; sizes that were measured before are not measured again."""
    rows = json.loads(kept.read_text())["rows"] if kept is not None and kept.exists() else []
    for frames in sizes:
        if any(row.get("frames") == frames for row in rows):
            continue
        command = [
            sys.executable,
            "-m",
            "benchmarks.suites.library_growth",
            str(folder.resolve()),
            "--one",
            str(frames),
        ]
        # From wherever the suite was started, its own process has to find the checkout.
        answer = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2])
        if answer.returncode:
            raise UnderstudyError(f"{frames} frames: {answer.stderr.strip().splitlines()[-1:]}")
        rows.append(json.loads(answer.stdout))
        print(rows[-1], file=sys.stderr, flush=True)
        if kept is not None:
            document = {"suite": "library_growth", "machine": machine(), "versions": versions(), "rows": rows}
            kept.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return sorted(rows, key=lambda row: row["frames"])


def extrapolated(rows: list[dict[str, object]], frames: int = MILLION) -> dict[str, object]:
    """A larger size by the quadratic through the last three sizes: steps of their number, comparisons of its square."""
    sizes = np.array([float(row["frames"]) for row in rows])  # type: ignore[arg-type]
    found: dict[str, object] = {"case": f"{frames} frames", "method": "extrapolated", "frames": frames}
    for name, powers in (("cpu_s", (1, 2)), ("peak_mb", (0, 1)), ("nodes", (0, 1))):
        values = np.array([float(row[name]) for row in rows])  # type: ignore[arg-type]
        system = np.stack([sizes**power / values for power in powers], axis=1)
        weights = np.linalg.lstsq(system, np.ones(len(values)), rcond=None)[0]
        found[name] = float(sum(weight * float(frames) ** power for weight, power in zip(weights, powers, strict=True)))
    return found


def plot(rows: list[dict[str, object]], path: Path) -> None:
    """Processor time and memory over frames; the last point is extrapolated."""
    from benchmarks.line_plot import line_plot

    every = [*rows, extrapolated(rows)]
    sizes = np.array([float(row["frames"]) for row in every]) / 1000.0  # type: ignore[arg-type]
    seconds, memory = (np.array([float(row[name]) for row in every]) for name in ("cpu_s", "peak_mb"))  # type: ignore[arg-type]
    curves = {"processor time [min]": (sizes, seconds / 60.0), "peak memory [GB]": (sizes, memory / 1024.0)}
    line_plot(curves, path, title="Building a library", across="thousand frames (1,000 extrapolated)", up="min, GB")


def bench(motion: Path | None, *, quick: bool, store: Path | None = None) -> list[dict[str, object]]:
    """Every row."""
    if motion is None:
        raise UnderstudyError("the growth suite varies CMU's walks and needs them: --motion FOLDER")
    rows = measured(motion, [2_000, 5_000] if quick else list(SIZES), store)
    return [*rows, extrapolated(rows)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suites.library_growth", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", default=",".join(str(size) for size in SIZES))
    parser.add_argument("--one", type=int, help="measure one size and print it")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--plot", type=Path)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(one(arguments.folder, arguments.one)))
        return
    rows = measured(arguments.folder, [int(size) for size in arguments.sizes.split(",")], arguments.output)
    print(json.dumps([*rows, extrapolated(rows)], indent=2))
    if arguments.plot:
        plot(rows, arguments.plot)


if __name__ == "__main__":
    main()
