"""Random doors, pushed and pulled, from a start to a goal and past the judge.

    python -m benchmarks.suites.skills [--quick] [-o skills.json]

Widths 0.75 to 1.0 m, handles 0.8 to 1.2 m high, either hinge, starts and goals anywhere before and behind. Times are
processor seconds of whole queries, judging included; the first door, which compiles, is opened before. ``solved`` and
``verified`` are the same here: nothing is called solved that the judge has not passed. Doors that nobody could open are
not told apart.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from benchmarks.machine import machine, versions
from understudy.api.skills import open_door
from understudy.performer.person import Person
from understudy.skills.door.room import door_room

Row = dict[str, Any]
#: [m] handles below this are low: they are bent down to.
_LOW_M = 0.94


def bench(motion: Path | None, *, quick: bool) -> list[Row]:
    """Rows of both kinds of doors, and of those with a handle that is not low."""
    del motion
    count, skeleton = (4 if quick else 100), Person().skeleton()
    open_door(door_room(), "door", start=(0.0, -2.5), goal=(0.0, 2.2), person=skeleton)
    rows = []
    for pushed in (True, False):
        heights, seconds, solved = [], [], []
        for seed in range(count):
            rng = np.random.default_rng(seed)
            width, height = rng.uniform(0.75, 1.0), rng.uniform(0.8, 1.2)
            side = "left" if rng.uniform() < 0.5 else "right"
            start = (float(rng.uniform(-0.9, 0.9)), float(rng.uniform(-3.2, -2.0)))
            goal = (float(rng.uniform(-0.6, 0.6)), float(rng.uniform(2.0, 3.0)))
            scene = door_room(pushed=pushed, hinge_side=side, width_m=width, handle_m=height)  # type: ignore[arg-type]
            began = process_time()
            result = open_door(scene, "door", start=start, goal=goal, person=skeleton)
            seconds.append(process_time() - began)
            heights.append(height)
            solved.append(bool(result.status))
        case = "pushed door" if pushed else "pulled door"
        everything, high = np.ones(count, dtype=bool), np.array(heights) >= _LOW_M
        rows += [_row(case, "all", everything, solved, seconds), _row(case, "handle not low", high, solved, seconds)]
    return rows


def _row(case: str, method: str, which: np.ndarray, solved: list[bool], seconds: list[float]) -> Row:
    times = np.array(seconds)[which]
    passed = int(np.array(solved)[which].sum())
    return {
        "case": case,
        "method": method,
        "solved": passed,
        "verified": passed,
        "total": int(which.sum()),
        "median_s": float(np.median(times)) if len(times) else None,
        "p95_s": float(np.percentile(times, 95)) if len(times) else None,
    }


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("-o", type=Path)
    given = parser.parse_args()
    document = {"suite": "skills", "machine": machine(), "versions": versions(), "rows": bench(None, quick=given.quick)}
    text = json.dumps(document, indent=2)
    print(text) if given.o is None else given.o.write_text(text)


if __name__ == "__main__":
    main()
