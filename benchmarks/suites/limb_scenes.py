"""The paper's scenes as files: whole task lists of ``examples/scenes/limbs``, performed and judged.

``python -m benchmarks.suites.limb_scenes [SEEDS [NAME ...]]`` prints the rows.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

import understudy as us
from benchmarks.case_ledger import Ledger, Record
from benchmarks.suites import Row
from understudy.limbs.handling import HandlingOptions
from understudy.scene.scene_file import load_scene

#: Where the scene files are.
FOLDER = Path(__file__).parents[2] / "examples" / "scenes" / "limbs"


def scene_files(names: Sequence[str] = ()) -> list[Path]:
    """The scene files, all of them or those named."""
    return [path for path in sorted(FOLDER.glob("*.toml")) if not names or path.stem in names]


def performed(path: Path, seed: int) -> Record:
    """One scene with one seed."""
    scene = load_scene(path)
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
    """A row for every scene file: how many seeds were solved, and how long that took.

    The first seed is run once before, untimed: what is compiled and remembered of clips is not part of it.
    """
    rows = []
    for path in scene_files(names):
        records = []
        warm = False
        for seed in range(seeds):
            key = f"scene file {path.stem} {seed}"
            if not warm and key not in ledger.records:
                performed(path, 0)
                warm = True
            records.append(ledger.measured(key, lambda path=path, seed=seed: performed(path, seed)))  # type: ignore[misc]
        rows.append(_row(path.stem, records))
    return rows


def _row(name: str, records: Sequence[Record]) -> Row:
    solved = [one for one in records if one["solved"]]
    spent = [1000.0 * one["cpu_s"] for one in solved]
    return {
        "case": f"scene file: {name}",
        "method": "ours, verified",
        "solved": len(solved),
        "total": len(records),
        "median_ms": float(np.median(spent)) if spent else None,
        "p95_ms": float(np.percentile(spent, 95)) if spent else None,
        "wall_ms": float(np.median([1000.0 * one["wall_s"] for one in solved])) if solved else None,
        "not_solved": "; ".join(sorted({one["reason"] for one in records if not one["solved"]})),
    }


if __name__ == "__main__":
    for row in scene_file_rows(Ledger(), seeds=int([*sys.argv[1:], "3"][0]), names=sys.argv[2:]):
        print(f"{row['case']:32s} {row['solved']}/{row['total']} {row['median_ms']} ms {row['p95_ms']} ms", flush=True)
