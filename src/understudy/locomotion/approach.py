"""Paths to a goal with a heading: the last stretch has to point where the goal faces."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from understudy.core.editing import smoothstep
from understudy.floor import Floor, FloorPath, PathResult
from understudy.floor.tables import DistanceGrid
from understudy.locomotion.query import Spot
from understudy.locomotion.tables import PathTable
from understudy.typing import FloatArray

#: [rad] a path that ends farther off than this from the goal's heading needs a detour; one as near as that, none.
_WELL_AIMED_RAD, _NO_DETOUR_RAD = math.radians(40.0), math.radians(10.0)
#: [m] where such a detour comes in: how far before the goal, and how far to its side; the most natural first.
_RUN_UPS_M = ((1.0, 0.0), (1.5, 0.0), (0.6, 0.0), (0.9, 0.6), (0.9, -0.6), (0.5, 0.6), (0.5, -0.6))
#: The last detours are tried with less clearance, too; the search itself keeps the body clear.
_LESS = 0.6
#: [m] distance of samples, and half of the stretch headings are smoothed over, so that kinks become turns.
STEP_M, SMOOTH_M = 0.05, 0.3
#: [m] over which one comes to the right of the path and back to it.
_MERGE_M = 1.0


def paths_to(
    floor: Floor,
    start: Spot,
    goal: Spot,
    via: Sequence[FloatArray],
    clearance_m: float,
    *,
    aimed_rad: float = _WELL_AIMED_RAD,
) -> tuple[PathResult, Iterator[FloorPath]]:
    """The shortest path, and the paths worth following, best first.

    Detours to a goal's heading come before a shortest path that ends farther off it than ``aimed_rad``.
    """
    shortest = floor.path(start.point, goal.point, clearance_m, via=via)
    if shortest.path is None:
        return shortest, iter(())
    if goal.heading_rad is None:
        return shortest, iter((shortest.path,))
    off, detours = _aim(shortest.path, goal.heading_rad), _detours(floor, start, goal, via, clearance_m)
    if off <= _NO_DETOUR_RAD:
        return shortest, iter((shortest.path,))
    if off <= aimed_rad:
        return shortest, chain((shortest.path,), detours)
    return shortest, chain(detours, (shortest.path,))


def _detours(
    floor: Floor, start: Spot, goal: Spot, via: Sequence[FloatArray], clearance_m: float
) -> Iterator[FloorPath]:
    """Paths that come to the goal from behind it."""
    if goal.heading_rad is not None:
        ahead = np.array([math.sin(goal.heading_rad), math.cos(goal.heading_rad)])
        side = np.array([ahead[1], -ahead[0]])
        for room in (clearance_m, _LESS * clearance_m):
            for back, aside in _RUN_UPS_M:
                corner = goal.point - back * ahead + aside * side
                found = floor.path(start.point, goal.point, room, via=(*via, corner))
                if found.path is not None:
                    yield found.path


def _aim(path: FloorPath, heading_rad: float) -> float:
    """How far the end of a path is off a heading [rad]."""
    x, z = path.tangent(path.length_m)
    return abs(math.remainder(math.atan2(x, z) - heading_rad, math.tau))


def path_table(path: FloorPath, goal: Spot) -> PathTable:
    """A path, sampled for kernels."""
    from understudy.locomotion._path_table_kernels import sampled

    length = path.length_m
    count = max(math.ceil(length / STEP_M), 1)
    points, headings = sampled(path.pieces, count, max(round(SMOOTH_M * count / max(length, STEP_M)), 1))
    heading = 0.0 if goal.heading_rad is None else goal.heading_rad
    return PathTable(
        points=points,
        headings=headings,
        step_m=max(length / count, 1e-6),
        goal=np.array([*goal.position, heading, float(goal.heading_rad is not None)]),
    )


def moved_aside(path: PathTable, near: DistanceGrid, aside_m: float, clearance_m: float) -> PathTable:
    """A path moved to its right, or its left, where there is room; not where it begins and ends."""
    if len(path.points) < 2:
        return path
    side = np.sign(aside_m) * np.stack([-np.cos(path.headings), np.sin(path.headings)], axis=1)
    arcs = np.arange(len(path.points)) * path.step_m
    wanted = abs(aside_m) * smoothstep(np.minimum(arcs, arcs[-1] - arcs) / _MERGE_M)
    cells = (path.points + wanted[:, None] * side - near.frame[:2]) / near.frame[2]
    column, line = (np.clip(cells[:, k].astype(np.int64), 0, near.values.shape[1 - k] - 1) for k in range(2))
    room = near.values[line, column] - clearance_m
    # Where a wall is too near on that side, one keeps less to it; evenly, not in jumps.
    less = np.clip(wanted + np.minimum(room, 0.0), 0.0, None)
    half = max(round(0.5 * _MERGE_M / path.step_m), 1)
    low = np.lib.stride_tricks.sliding_window_view(np.pad(less, half, mode="edge"), 2 * half + 1).min(axis=1)
    shift = np.convolve(np.pad(low, half, mode="edge"), np.full(2 * half + 1, 1.0 / (2 * half + 1)), mode="valid")
    return path._replace(points=np.ascontiguousarray(path.points + shift[:, None] * side))
