"""Floor paths against an oracle, and how fast they are.

    python -m benchmarks.suites.floor [--cases 1020] [--only agreement|speed|large|kernels]

Agreement: random floors of six kinds, each answer held against the visibility graph of grown obstacles. Speed: queries
and moved obstacles on floors of about 450 and 10,000 vertices. Large: length against the exact search on
the same floor.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter, thread_time

import numpy as np
from numba import njit
from rich.console import Console
from rich.table import Table

from benchmarks.machine import machine, versions
from benchmarks.suites.floor_oracle import bracket, least_clearance
from benchmarks.suites.floor_peer import peer_rows
from benchmarks.suites.floor_scenes import KINDS, FloorCase, box, random_case
from understudy.core.planar import PlanarTransform
from understudy.floor import Floor, floor_from_polygons
from understudy.floor import _sight_kernels as sight
from understudy.floor._distance_kernels import disc_is_free, step_is_free
from understudy.floor._path_kernels import is_within
from understudy.floor._query_kernels import LARGE, walk
from understudy.floor._tangent_kernels import shortest
from understudy.floor.questions import planned_radius
from understudy.floor.tables import DistanceGrid, SegmentGrid, Triangles

Row = dict[str, object]
#: What a path may fall short of its clearance: the share planned without, the touching tolerance, and sampling.
SHARE, TOUCH_M = 2e-6, 2e-7


def verdict(case: FloorCase) -> tuple[str, float]:
    """One word on an answer, and the length above the oracle's lower bound (relative)."""
    floor = floor_from_polygons(case.rings, bounds=case.bounds)
    answer, bounds = floor.path(case.start, case.goal, case.clearance_m), bracket(case)
    if answer.path is None:
        if np.isfinite(bounds.high_m):
            return "missed", 0.0
        return ("none", 0.0) if np.isinf(bounds.low_m) else ("undecided", 0.0)
    if least_clearance(case, answer.path.sample(0.01)) < case.clearance_m * (1.0 - SHARE) - TOUCH_M:
        return "violating", 0.0
    if np.isinf(bounds.low_m):
        return "invented", 0.0
    if np.isinf(bounds.high_m):
        return "undecided", 0.0
    length = answer.path.length_m
    if length > bounds.high_m * (1.0 + 1e-6):
        return "too long", length / bounds.low_m - 1.0
    return ("found" if length >= bounds.low_m * (1.0 - 1e-6) else "too short"), length / bounds.low_m - 1.0


def agreement(cases: int) -> list[Row]:
    rows: list[Row] = []
    words = ("found", "none", "undecided", "missed", "invented", "violating", "too long", "too short")
    each = -(-cases // len(KINDS))
    for kind in KINDS:
        # Few floors of up to about 1,000 vertices: the oracle takes seconds there.
        crowd = (70, 90) if kind == "circles" else (150, 230)
        for (fewest, most), count in (((10, 60), each), (crowd, max(each // 14, 1))):
            asked = [random_case(kind, seed, fewest=fewest, most=most) for seed in range(count)]
            answers = [verdict(case) for case in asked]
            counts = {word: sum(answer[0] == word for answer in answers) for word in words}
            vertices = max(sum(len(ring) for ring in case.rings) for case in asked)
            above = max(answer[1] for answer in answers)
            rows.append({"kind": kind, "vertices <=": vertices, "cases": count, **counts, "above lower bound": above})
    return rows


def crowded(count: int, *, seed: int = 1) -> tuple[Floor, float]:
    """A floor of boxes at the density of a furnished hall, and the length of its side [m]."""
    rng = np.random.default_rng(seed)
    side = float(np.sqrt(5.0 * count))
    at, size = rng.uniform(0.0, side, (count, 2)), rng.uniform(0.3, 1.5, (count, 2))
    rings = [box(*at[k], *size[k], rng.uniform(0.0, np.pi)) for k in range(count)]
    return floor_from_polygons(rings, bounds=(-1.0, -1.0, side + 1.0, side + 1.0)), side


def questions(floor: Floor, side: float, count: int, clearance_m: float) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(2)
    points = rng.uniform(0.0, side, (8 * count, 2))
    free = points[floor.free(points, clearance_m)]
    return [(free[2 * k], free[2 * k + 1]) for k in range(min(count, len(free) // 2))]


class Clock:
    """Wall-clock and processor time of many calls: on a busy machine the two differ."""

    def __init__(self) -> None:
        self.wall: list[float] = []
        self.cpu: list[float] = []

    def time(self, call: Callable[[], object]) -> None:
        wall, cpu = perf_counter(), thread_time()
        call()
        self.cpu.append(thread_time() - cpu)
        self.wall.append(perf_counter() - wall)

    def row(self, case: str) -> Row:
        wall, cpu = 1e6 * np.array(self.wall), 1e6 * np.array(self.cpu)
        return {
            "case": case,
            "median_us": float(np.median(wall)),
            "p95_us": float(np.percentile(wall, 95)),
            "max_us": float(wall.max()),
            "n": len(wall),
            "cpu_median_us": float(np.median(cpu)),
            "cpu_p95_us": float(np.percentile(cpu, 95)),
            "cpu_max_us": float(cpu.max()),
        }


def rebuilt(floor: Floor, name: str, move: PlanarTransform) -> Floor:
    return floor.moved(name, move).build()


def speed() -> list[Row]:
    rows: list[Row] = []
    for boxes in (111, 2500):
        floor, side = crowded(boxes)
        size = f"{4 * boxes + 4} vertices"
        first = Clock()
        first.time(floor.build)
        asked = questions(floor, side, 1000, 0.25)
        first.time(partial(floor.path, *asked[0], 0.25))
        for lap in ("first lap", "second lap"):
            clock = Clock()
            for start, goal in asked:
                clock.time(partial(floor.path, start, goal, 0.25))
            rows.append({**clock.row(f"path, {size}, {lap}"), "first_s": first.wall[1]})
        clock = Clock()
        move = PlanarTransform(x_m=0.3, z_m=0.2)
        for k in range(100):
            clock.time(partial(rebuilt, floor, str(k), move))
        rows.append({**clock.row(f"obstacle moved, {size}"), "first_s": first.wall[0]})
        _ = floor.distances
        clock = Clock()
        for k in range(20):
            changed = floor.moved(str(k), move)
            _ = changed.outline
            clock.time(partial(getattr, changed, "distances"))
        rows.append(clock.row(f"distance grid after it, {size}"))
    return rows


def large() -> list[Row]:
    """The search near a channel against the exact one, on the same large floors."""
    rows: list[Row] = []
    for boxes in (400, 1000, 2500):
        floor, side = crowded(boxes, seed=3)
        built = floor.triangulation
        ratios, lost = [], 0
        for clearance in (0.12, 0.25, 0.4):
            for start, goal in questions(floor, side, 150, clearance):
                answer = floor.path(start, goal, clearance)
                a, b = floor.triangles_at(np.stack([start, goal]))
                looks = [
                    sight.look_from_point(built.mesh, t, p[0], p[1], built.corners.turns)
                    for t, p in ((a, start), (b, goal))
                ]
                looked = -1
                while looked < 0:
                    pieces, looked = shortest(
                        built.mesh, built.corners, floor.grid, built.corners.turns, *looks, start, goal,
                        planned_radius(clearance),
                    )  # fmt: skip
                    if looked < 0:
                        built.make_room()
                lost += bool(answer) != bool(len(pieces))
                if answer.path is not None and len(pieces):
                    ratios.append(answer.path.length_m / pieces[:, 9].sum())
        rows.append(
            {
                "vertices": 4 * boxes + 4,
                "corners": int(built.corners.turns.sum()),
                "restricted": int(built.corners.turns.sum()) > LARGE,
                "paths": len(ratios),
                "missed": lost,
                "median": float(np.median(ratios)),
                "p95": float(np.percentile(ratios, 95)),
                "worst": float(np.max(ratios)),
            }
        )
    return rows


@njit
def _discs(near: DistanceGrid, edges: SegmentGrid, points: np.ndarray) -> int:
    free = 0
    for k in range(points.shape[0]):
        free += disc_is_free(near, edges, points[k, 0], points[k, 1], 0.25)
    return free


@njit
def _steps(near: DistanceGrid, edges: SegmentGrid, points: np.ndarray) -> int:
    free = 0
    for k in range(points.shape[0]):
        x, z = points[k, 0], points[k, 1]
        free += step_is_free(near, edges, x, z, x + 0.2, z, 0.25)
    return free


@njit
def _held(pieces: np.ndarray, frame: np.ndarray, values: np.ndarray, points: np.ndarray) -> int:
    held = 0
    for k in range(points.shape[0]):
        held += is_within(pieces, frame, values, points[k, 0], points[k, 1], 0.25)
    return held


@njit
def _walks(mesh: Triangles, points: np.ndarray) -> int:
    t = 0
    for k in range(points.shape[0]):
        t = max(walk(mesh.points, mesh.corners, mesh.neighbours, t, points[k, 0], points[k, 1]), 0)
    return t


def kernels() -> list[Row]:
    """What a motion search asks millions of times, in nanoseconds, in compiled loops."""
    floor, side = crowded(111)
    rng = np.random.default_rng(4)
    points = rng.uniform(0.0, side, (200_000, 2))
    near, edges, mesh = floor.distances.grid, floor.grid, floor.triangulation.mesh
    start, goal = questions(floor, side, 1, 0.25)[0]
    path = floor.path(start, goal, 0.25).path
    assert path is not None
    channel = floor.channel(path)
    frame, values = channel.band.frame, channel.band.values
    walked = np.cumsum(rng.normal(scale=0.05, size=points.shape), axis=0) % side

    calls: dict[str, Callable[[], object]] = {
        "disc free, anywhere": partial(_discs, near, edges, points),
        "disc free, along a walk": partial(_discs, near, edges, walked),
        "step of 0.2 m free, along a walk": partial(_steps, near, edges, walked),
        "within the channel, along a walk": partial(_held, path.pieces, frame, values, walked),
        "point location, along a walk": partial(_walks, mesh, walked),
    }
    rows: list[Row] = []
    for name, call in calls.items():
        call()
        times = []
        for _ in range(9):
            began = thread_time()
            call()
            times.append(thread_time() - began)
        rows.append({"case": name, "cpu_median_ns": 1e9 * float(np.median(times)) / len(points), "n": len(points)})
    return rows


def bench(motion: Path | None, *, quick: bool) -> list[Row]:
    """All tables; recorded clips play no part."""
    parts = {"speed": speed, "large": large, "kernels": kernels}
    chosen = {"speed": speed} if quick else parts
    rows = peer_rows((20, 60), 5) if quick else peer_rows((20, 60, 150), 30)
    rows += [{"case": "", "method": name, **row} for name, part in chosen.items() for row in part()]
    held = agreement(30 if quick else 1020)
    return rows + [{"case": row.pop("kind"), "method": "held against the visibility graph", **row} for row in held]


def _table(title: str, rows: list[Row]) -> Table:
    table = Table(title=title, title_justify="left")
    columns = list(dict.fromkeys(key for row in rows for key in row))
    for column in columns:
        table.add_column(column, justify="left" if column in ("kind", "case") else "right")
    for row in rows:
        cells = [row.get(column, "") for column in columns]
        table.add_row(*(f"{cell:.4g}" if isinstance(cell, float) else str(cell) for cell in cells))
    return table


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suites.floor", description=__doc__)
    parser.add_argument("--cases", type=int, default=1020, help="floors to hold against the oracle")
    parser.add_argument("--only", choices=("agreement", "speed", "large", "kernels"))
    parser.add_argument("-o", "--output", type=Path, default=Path(__file__).parents[1] / "results" / "floor.json")
    chosen = parser.parse_args()
    console = Console(width=160)
    console.print(f"{machine()}\n{versions()}\nload average {os.getloadavg()[0]:.1f}", highlight=False)
    parts: dict[str, Callable[[], list[Row]]] = {
        "speed": speed,
        "large": large,
        "kernels": kernels,
        "agreement": lambda: agreement(chosen.cases),
    }
    results: dict[str, list[Row]] = {}
    for name, part in parts.items():
        if chosen.only in (None, name):
            results[name] = part()
            console.print(_table(name, results[name]))
    document = {"machine": machine(), "versions": versions(), "results": results}
    chosen.output.parent.mkdir(parents=True, exist_ok=True)
    chosen.output.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
