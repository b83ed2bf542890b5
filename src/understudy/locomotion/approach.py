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
#: [m] how far before the goal such a detour comes in, nearest to a natural turn first.
_RUN_UPS_M = (1.0, 1.5, 0.6)
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
        back = np.array([math.sin(goal.heading_rad), math.cos(goal.heading_rad)])
        for run_up in _RUN_UPS_M:
            found = floor.path(start.point, goal.point, clearance_m, via=(*via, goal.point - run_up * back))
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
    smooth = sum(
        path.tangent(np.clip(arcs + shift, 0.0, path.length_m)) for shift in np.linspace(-SMOOTH_M, SMOOTH_M, 7)
    )
    toward = np.asarray(smooth)
    toward[-1] = path.tangent(path.length_m)
    heading = 0.0 if goal.heading_rad is None else goal.heading_rad
    return PathTable(
        points=np.ascontiguousarray(path.position(arcs)),
        headings=np.arctan2(toward[:, 0], toward[:, 1]),
        step_m=max(path.length_m / count, 1e-6),
        goal=np.array([*goal.position, heading, float(goal.heading_rad is not None)]),
    )
