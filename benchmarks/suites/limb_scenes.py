"""The paper's scenes as files: whole task lists of ``examples/scenes/limbs``, performed and judged.

By the built-in performer, and by recorded people.

``python -m benchmarks.suites.limb_scenes [SEEDS [NAME ...]]`` prints the rows.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

import understudy as us
from benchmarks.case_ledger import Ledger, Record
from benchmarks.suites import Row, recorded_clips
from benchmarks.suites.limb_recorded_scenes import RECORDED
from understudy.limbs.handling import HandlingOptions
from understudy.scene import Scene
from understudy.scene.scene_file import load_scene

#: Where the scene files are.
FOLDER = Path(__file__).parents[2] / "examples" / "scenes" / "limbs"


def scene_files(names: Sequence[str] = ()) -> list[Path]:
    """The scene files, all of them or those named."""
    return [path for path in sorted(FOLDER.glob("*.toml")) if not names or path.stem in names]


def performed(scene: Scene, seed: int) -> Record:
    """One scene with one seed."""
    began, clock = process_time(), perf_counter()
    result = us.perform(scene, options=HandlingOptions(seed=seed))
    return {
        "solved": bool(result.status),
        "cpu_s": process_time() - began,
        "wall_s": perf_counter() - clock,
        "tried": sum(done.tried for done in result.tasks),
        "reason": result.reason,
    }


def scene_file_rows(ledger: Ledger, *, seeds: int, names: Sequence[str] = ()) -> list[Row]:
    """A row for every scene file: how many seeds were solved, and how long that took."""
    return [
        _scene_row(f"scene file: {path.stem}", partial(load_scene, path), ledger, seeds=seeds)
        for path in scene_files(names)
    ]


def recorded_scene_rows(folder: Path | None, ledger: Ledger, *, seeds: int, names: Sequence[str] = ()) -> list[Row]:
    """The same with recorded people; nothing without recordings or seeds."""
    if folder is None or not seeds:
        return []
    return [
        _scene_row(f"scene file, recorded: {name}", partial(made, folder), ledger, seeds=seeds)
        for name, made in RECORDED.items()
        if not names or name in names
    ]


def _scene_row(case: str, made: Callable[[], Scene], ledger: Ledger, *, seeds: int) -> Row:
    """One scene; run once before, untimed: what is compiled and remembered of clips is not part of it."""
    keys = [f"{case} {seed}" for seed in range(seeds)]
    if any(key not in ledger.records for key in keys):
        scene = made()
        performed(scene, 0)
        for seed, key in enumerate(keys):
            ledger.measured(key, lambda seed=seed: performed(scene, seed))  # type: ignore[misc]
    return _row(case, [ledger.records[key] for key in keys])


def _row(case: str, records: Sequence[Record]) -> Row:
    solved = [one for one in records if one["solved"]]
    spent = [1000.0 * one["cpu_s"] for one in solved]
    return {
        "case": case,
        "method": "ours, verified",
        "solved": len(solved),
        "total": len(records),
        "median_ms": float(np.median(spent)) if spent else None,
        "p95_ms": float(np.percentile(spent, 95)) if spent else None,
        "wall_ms": float(np.median([1000.0 * one["wall_s"] for one in solved])) if solved else None,
        "not_solved": "; ".join(sorted({one["reason"] for one in records if not one["solved"]})),
    }


if __name__ == "__main__":
    wanted, asked = int([*sys.argv[1:], "3"][0]), sys.argv[2:]
    found = scene_file_rows(Ledger(), seeds=wanted, names=asked)
    found += recorded_scene_rows(recorded_clips(), Ledger(), seeds=wanted, names=asked)
    for row in found:
        print(f"{row['case']:44s} {row['solved']}/{row['total']} {row['median_ms']} ms {row['p95_ms']} ms", flush=True)
