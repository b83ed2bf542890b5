"""Paths to a goal with a heading: the last stretch has to point where the goal faces."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from understudy.floor import Floor, FloorPath, PathResult
from understudy.locomotion.query import Spot
from understudy.locomotion.tables import PathTable
from understudy.typing import FloatArray

#: [rad] a path that ends farther off than this from the goal's heading is led to it by a detour.
_WELL_AIMED_RAD = math.radians(40.0)
#: [m] where such a detour comes in: how far before the goal, and how far to its side; the most natural first.
_RUN_UPS_M = ((1.0, 0.0), (1.5, 0.0), (0.6, 0.0), (0.9, 0.6), (0.9, -0.6), (0.5, 0.6), (0.5, -0.6))
#: The last detours are tried with less clearance, too; the search itself keeps the body clear.
_LESS = 0.6
#: [m] distance of samples, and half of the stretch headings are smoothed over, so that kinks become turns.
STEP_M, SMOOTH_M = 0.05, 0.3


def paths_to(
    floor: Floor, start: Spot, goal: Spot, via: Sequence[FloatArray], clearance_m: float
) -> tuple[PathResult, Iterator[FloorPath]]:
    """The shortest path, and the paths worth following, best first."""
    shortest = floor.path(start.point, goal.point, clearance_m, via=via)
    if shortest.path is None:
        return shortest, iter(())
    return shortest, _worth_following(floor, start, goal, via, clearance_m, shortest.path)


def _worth_following(
    floor: Floor, start: Spot, goal: Spot, via: Sequence[FloatArray], clearance_m: float, shortest: FloorPath
) -> Iterator[FloorPath]:
    if goal.heading_rad is None or _aim(shortest, goal.heading_rad) <= _WELL_AIMED_RAD:
        yield shortest
    if goal.heading_rad is not None and _aim(shortest, goal.heading_rad) > math.radians(10.0):
        ahead = np.array([math.sin(goal.heading_rad), math.cos(goal.heading_rad)])
        side = np.array([ahead[1], -ahead[0]])
        for room in (clearance_m, _LESS * clearance_m):
            for back, aside in _RUN_UPS_M:
                corner = goal.point - back * ahead + aside * side
                found = floor.path(start.point, goal.point, room, via=(*via, corner))
                if found.path is not None:
                    yield found.path
    if goal.heading_rad is not None and _aim(shortest, goal.heading_rad) > _WELL_AIMED_RAD:
        yield shortest


def _aim(path: FloorPath, heading_rad: float) -> float:
    """How far the end of a path is off a heading [rad]."""
    x, z = path.tangent(path.length_m)
    return abs(math.remainder(math.atan2(x, z) - heading_rad, math.tau))


def path_table(path: FloorPath, goal: Spot) -> PathTable:
    """A path, sampled for kernels."""
    count = max(int(np.ceil(path.length_m / STEP_M)), 1)
    arcs = np.linspace(0.0, path.length_m, count + 1)
    toward = _smoothed(path.tangent(arcs), max(round(SMOOTH_M * count / max(path.length_m, STEP_M)), 1))
    toward[-1] = path.tangent(path.length_m)
    heading = 0.0 if goal.heading_rad is None else goal.heading_rad
    return PathTable(
        points=np.ascontiguousarray(path.position(arcs)),
        headings=np.arctan2(toward[:, 0], toward[:, 1]),
        step_m=max(path.length_m / count, 1e-6),
        goal=np.array([*goal.position, heading, float(goal.heading_rad is not None)]),
    )


def _smoothed(directions: FloatArray, half: int) -> FloatArray:
    """Directions ``(n, 2)`` averaged over ``half`` neighbours either way; the ends count as often as needed."""
    padded = np.concatenate(
        [np.repeat(directions[:1], half, axis=0), directions, np.repeat(directions[-1:], half, axis=0)]
    )
    sums = np.concatenate([np.zeros((1, 2)), np.cumsum(padded, axis=0)])
    return np.asarray(sums[2 * half + 1 :] - sums[: -2 * half - 1])
