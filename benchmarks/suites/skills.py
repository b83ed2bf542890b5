"""Random doors, pushed and pulled, from a start to a goal and past the judge.

    python -m benchmarks.suites.skills [--quick] [--doors N] [--cases cases.json] [-o skills.json]

Widths 0.75 to 1.0 m, handles 0.8 to 1.2 m high, either hinge, starts and goals anywhere before and behind; every
third door has a crate on each side. Doors that nobody could open are told apart by tests of their own
(``door_variations``, and with crates ``door_feasibility``) and counted as infeasible. Times are processor seconds of
whole queries, judging included; the
first doors, which compile, are opened before. ``solved`` and ``verified`` are the same here: nothing is called solved
that the judge has not passed. The baseline is the thesis's skill, which stands and turns (``door_baseline``):
``solved`` counts doors it opens by 60 degrees. With ``--cases`` every door is written down as it is done, and a later
run goes on from there.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from benchmarks.machine import machine, versions
from benchmarks.suites.door_baseline import opened_deg
from benchmarks.suites.door_feasibility import openable
from benchmarks.suites.door_variations import feasible, variation
from understudy.api.skills import open_door
from understudy.performer.person import Person
from understudy.skills.door.room import door_room

Row = dict[str, Any]
#: [deg] opening from which a door can be passed without touching it.
_PASSABLE_DEG = 60.0


def bench(motion: Path | None, *, quick: bool, store: Path | None = None) -> list[Row]:
    """Rows of both kinds of doors."""
    del motion
    return rows_of(measured(3 if quick else 100, store))


def measured(count: int, store: Path | None) -> list[Row]:
    """One record per door; those in ``store`` already are not measured again."""
    done: list[Row] = json.loads(store.read_text()) if store is not None and store.exists() else []
    known = {(one["pushed"], one["seed"]) for one in done}
    skeleton = Person().skeleton()
    for pushed in (True, False):
        open_door(door_room(pushed=pushed), "door", start=(0.0, -2.5), goal=(0.0, 2.2), person=skeleton)
    for seed in range(count):
        for pushed in (True, False):
            if (pushed, seed) in known:
                continue
            done.append(_door(seed, pushed, skeleton))
            if store is not None:
                store.write_text(json.dumps(done, indent=1))
    return done


def _door(seed: int, pushed: bool, skeleton: Any) -> Row:
    one = variation(seed, pushed=pushed)
    began = process_time()
    result = open_door(one.scene(), "door", start=one.start, goal=one.goal, person=skeleton)
    seconds = process_time() - began
    trace = result.trace
    return {
        "seed": seed,
        "pushed": pushed,
        "width_m": one.width_m,
        "handle_m": one.handle_m,
        "crates": len(one.boxes),
        "feasible": feasible(one) and (len(one.boxes) == 0 or openable(one)),
        "solved": bool(result.status),
        "seconds": seconds,
        "tries": len(trace.refused) + 1 if trace is not None else 0,
        "reason": result.reason,
        "refused": list(trace.refused) if trace is not None else [],
        "baseline_deg": opened_deg(one, skeleton),
    }


def rows_of(done: list[Row]) -> list[Row]:
    """The table: by kind, of all doors, and of those with crates; and the baseline."""
    rows = []
    for pushed in (True, False):
        case = "pushed door" if pushed else "pulled door"
        mine = [one for one in done if one["pushed"] is pushed]
        rows.append(_row(case, "all", mine))
        rows.append(_row(case, "with crates", [one for one in mine if one["crates"]]))
        can = [one for one in mine if one["feasible"]]
        wide = sum(one["baseline_deg"] >= _PASSABLE_DEG for one in can)
        rows.append(
            {
                "case": case,
                "method": "baseline: stand and turn (thesis)",
                "solved": wide,
                "total": len(can),
                "median_deg": float(np.median([one["baseline_deg"] for one in can])) if can else None,
            }
        )
    return rows


def _row(case: str, method: str, mine: list[Row]) -> Row:
    can = [one for one in mine if one["feasible"]]
    passed = sum(one["solved"] for one in can)
    times = [one["seconds"] for one in can]
    return {
        "case": case,
        "method": method,
        "solved": passed,
        "verified": passed,
        "total": len(can),
        "infeasible": len(mine) - len(can),
        "median_s": float(np.median(times)) if times else None,
        "p95_s": float(np.percentile(times, 95)) if times else None,
    }


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--doors", type=int)
    parser.add_argument("--cases", type=Path)
    parser.add_argument("-o", type=Path)
    given = parser.parse_args()
    done = measured(given.doors or (4 if given.quick else 100), given.cases)
    document = {"suite": "skills", "machine": machine(), "versions": versions(), "rows": rows_of(done), "cases": done}
    text = json.dumps(document, indent=2)
    print(text) if given.o is None else given.o.write_text(text)


if __name__ == "__main__":
    main()
