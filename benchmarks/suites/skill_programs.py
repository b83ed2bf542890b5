"""Random programs: a book carried from a shelf to a table, and a cup poured into; every one judged.

Whether a variation can be done at all is asked of a test that shares nothing with the planners: boxes on a grid of
floor cells, a flood from the start, and an arm's reach from some cell that is flooded.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import deque
from pathlib import Path

import numpy as np

import understudy as us
from benchmarks.machine import machine, versions
from benchmarks.suites import Row
from understudy.limbs.handling import HandlingOptions
from understudy.scene import Scene, Task
from understudy.scene.characters import Character
from understudy.scene.objects import Handle
from understudy.scene.placements import Static
from understudy.scene.shapes import Box, Cylinder
from understudy.typing import BoolArray, FloatArray

#: [s] given to one program by the clock: enough for one that is slow on a busy machine.
_DEADLINE_S = 400.0
#: [m] size of a floor cell, half the room, room a walker needs, and how far from the ankles a hand may be led.
_CELL_M, _HALF_M, _ROOM_M, _REACH_M = 0.1, 5.0, 0.2, 0.85
#: [m] heights at which a standing person puts a hand without kneeling.
_HEIGHTS_M = (0.5, 1.75)


def book(rng: np.random.Generator) -> Scene:
    """A book on a shelf, a table somewhere, a crate in between."""
    shelf_m, table_m = rng.uniform(0.75, 1.15), rng.uniform(0.75, 1.0)
    turn = rng.uniform(-1.2, 1.2)
    table = np.array([2.4 * np.sin(turn), 2.0 - 2.4 * np.cos(turn)])
    scene = Scene().with_object("shelf", Box(size_m=(1.4, shelf_m, 0.35)), position=(0.0, 0.5 * shelf_m, 3.2))
    at = (float(rng.uniform(-0.5, 0.5)), shelf_m + 0.111, 3.1)
    scene = scene.with_object("book", Box(size_m=(0.04, 0.22, 0.15)), position=at)
    where = (float(table[0]), 0.5 * table_m, float(table[1]))
    scene = scene.with_object("table", Box(size_m=(0.7, table_m, 0.7)), position=where)
    crate = (float(rng.uniform(-1.5, 1.5)), 0.3, float(rng.uniform(1.2, 2.0)))
    scene = scene.with_object("crate", Box(size_m=(0.4, 0.6, 0.4)), position=crate)
    start = (float(rng.uniform(-1.0, 1.0)), float(rng.uniform(-1.0, 0.4)))
    person = Character(name="anna", start=start, heading_rad=float(rng.uniform(-3.1, 3.1)))
    scene = scene.with_character(person).with_task(Task(character="anna", do="grab", object="book"))
    return scene.with_task(Task(character="anna", do="place", object="book", target="table"))


def pour(rng: np.random.Generator) -> Scene:
    """A bottle, a cup and clutter on a counter."""
    top = float(rng.uniform(0.88, 0.95))
    scene = Scene().with_object("counter", Box(size_m=(1.8, top, 0.6)), position=(0.0, 0.5 * top, 1.0))
    grip = Handle(name="body", at=(0.0, -0.03, 0.0), approach=(0.0, 0.0, -1.0))
    side = float(rng.choice([-1.0, 1.0]))
    bottle = (side * float(rng.uniform(0.2, 0.5)), top + 0.1405, 0.85)
    placed = Static(position=bottle)
    scene = scene.with_object("bottle", Cylinder(radius_m=0.035, height_m=0.28), placement=placed, handles=(grip,))
    cup = (-side * float(rng.uniform(0.0, 0.3)), top + 0.0555, float(rng.uniform(0.8, 0.92)))
    scene = scene.with_object("cup", Cylinder(radius_m=0.04, height_m=0.11), position=cup)
    vase = (float(rng.uniform(-0.7, 0.7)), top + 0.1505, 1.15)
    scene = scene.with_object("vase", Cylinder(radius_m=0.05, height_m=0.3), position=vase)
    start = (float(rng.uniform(-1.0, 1.0)), float(rng.uniform(-1.5, -0.3)))
    scene = scene.with_character(Character(name="anna", start=start, heading_rad=0.0))
    scene = scene.with_task(Task(character="anna", do="grab", object="bottle"))
    return scene.with_task(Task(character="anna", do="pour", object="bottle", target="cup"))


KINDS = {"book": book, "pour": pour}


def feasible(scene: Scene) -> str:
    """Why a program cannot be done, by cells and arm's lengths alone; empty when it may be."""
    flooded = _flood(scene)
    for task in scene.tasks:
        name = task.target if task.do in ("place", "pour") else task.object
        point = np.array(scene.object_track(str(name), [0.0])[0][0])
        shape = scene.object(str(name)).shape
        high = float(point[1]) + (0.5 * shape.size_m[1] if isinstance(shape, Box) else 0.0)
        if not _HEIGHTS_M[0] <= high <= _HEIGHTS_M[1]:
            return f"{name} is {high:.2f} m high"
        if not flooded[_near(point[[0, 2]])].any():
            return f"nobody can stand near {name}"
    return ""


def _cells() -> FloatArray:
    line = np.arange(-_HALF_M, _HALF_M, _CELL_M) + 0.5 * _CELL_M
    return np.stack(np.meshgrid(line, line, indexing="ij"), axis=-1)


def _near(point: FloatArray) -> BoolArray:
    return np.asarray(np.hypot(*(np.moveaxis(_cells(), -1, 0) - point[:, None, None])) < _REACH_M)


def _flood(scene: Scene) -> BoolArray:
    """Cells somebody can walk to."""
    cells = _cells()
    blocked = np.zeros(cells.shape[:2], dtype=bool)
    for thing in scene.objects:
        if isinstance(thing.shape, Box) and thing.name != "book":
            at = np.array(scene.object_track(thing.name, [0.0])[0][0])[[0, 2]]
            half = 0.5 * np.array(thing.shape.size_m)[[0, 2]]
            away = np.maximum(np.abs(cells - at) - half, 0.0)
            blocked |= np.hypot(away[..., 0], away[..., 1]) < _ROOM_M
    begin = np.floor((np.array(scene.characters[0].start) + _HALF_M) / _CELL_M).astype(int)
    seen = np.zeros_like(blocked)
    queue = deque([tuple(begin.tolist())])
    while queue:
        i, j = queue.popleft()
        if 0 <= i < len(seen) and 0 <= j < len(seen) and not seen[i, j] and not blocked[i, j]:
            seen[i, j] = True
            queue += [(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)]
    return seen


def bench(motion: Path | None, *, quick: bool, count: int | None = None, store: Path | None = None) -> list[Row]:
    """One row per kind of program."""
    return rows_of(measured(count or (1 if quick else 100), store))


def measured(count: int, cases: Path | None = None) -> list[Row]:
    """Every program tried once; those a file of cases (one JSON object a line) knows are not tried again."""
    known = [] if cases is None or not cases.exists() else cases.read_text(encoding="utf-8").splitlines()
    done: list[Row] = [json.loads(line) for line in known]
    seen = {(one["kind"], one["case"]) for one in done}
    for case in range(count):
        for kind in KINDS:
            if (kind, case) in seen:
                continue
            done.append(_tried(kind, case))
            if cases is not None:
                with cases.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(done[-1]) + "\n")
    return [one for one in done if one["case"] < count]


def _tried(kind: str, case: int) -> Row:
    scene = KINDS[kind](np.random.default_rng([case, len(kind)]))
    impossible = feasible(scene)
    if impossible:
        none = {"solved": False, "cpu_s": 0.0, "wall_s": 0.0}
        return {"kind": kind, "case": case, "feasible": False, **none, "reason": impossible}
    began, clock = time.process_time(), time.perf_counter()
    result = us.perform(scene, options=HandlingOptions(deadline_s=_DEADLINE_S))
    return {
        "kind": kind,
        "case": case,
        "feasible": True,
        "solved": bool(result.status),
        "cpu_s": time.process_time() - began,
        "wall_s": time.perf_counter() - clock,
        "reason": result.reason,
    }


def rows_of(done: list[Row]) -> list[Row]:
    """One row per kind."""
    rows: list[Row] = []
    for kind in KINDS:
        mine = [one for one in done if one["kind"] == kind and one["feasible"]]
        spent = np.array([one["cpu_s"] for one in mine] or [np.nan], dtype=np.float64)
        clock = np.array([one.get("wall_s", np.nan) for one in mine] or [np.nan], dtype=np.float64)
        solved = sum(bool(one["solved"]) for one in mine)
        rows.append(
            {
                "case": kind,
                "method": "program",
                "total": len(mine),
                "infeasible": sum(one["kind"] == kind and not one["feasible"] for one in done),
                "solved": solved,
                "verified": solved,
                "median_s": float(np.median(spent)),
                "p95_s": float(np.percentile(spent, 95)),
                "median_wall_s": float(np.median(clock)),
                "p95_wall_s": float(np.percentile(clock, 95)),
                "failed": [f"{one['case']}: {one['reason']}" for one in mine if not one["solved"]],
            }
        )
    return rows


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--count", type=int)
    parser.add_argument("--cases", type=Path, help="a file in which every program is written down as it is done")
    parser.add_argument("-o", type=Path)
    given = parser.parse_args()
    rows = bench(None, quick=given.quick, count=given.count, store=given.cases)
    document = {"suite": "skill_programs", "machine": machine(), "versions": versions(), "rows": rows}
    text = json.dumps(document, indent=2)
    if given.o is None:
        print(text)
    else:
        given.o.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
