"""One compiled call per path query: find both ends, ask whether a way exists, then search."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.floor._channel_kernels import corners_near, find_channel
from understudy.floor._segment_kernels import capsule_hit, cell_of, nearest_edge
from understudy.floor._sight_kernels import look_from_point
from understudy.floor._tangent_kernels import PIECE_COLUMNS, TOUCH_M, shortest
from understudy.floor._triangle_kernels import walk, widest_passage
from understudy.floor.tables import Bottlenecks, Corners, SegmentGrid, Triangles
from understudy.typing import BoolArray, FloatArray

FOUND, START_BLOCKED, GOAL_BLOCKED, NOT_CONNECTED, NO_ROOM = 0, 1, 2, 3, 4
#: Above this many turning corners the search keeps to the corners around a channel.
LARGE = 1000
#: How many rings of points around the channel count.
RINGS = 1


@njit(cache=True)
def locate(mesh: Triangles, grid: SegmentGrid, x: float, z: float) -> int:
    """The triangle that holds a point; -1 far outside."""
    ix = cell_of(x, grid.frame[0], grid.frame[2], grid.shape[0])
    iz = cell_of(z, grid.frame[1], grid.frame[2], grid.shape[1])
    return walk(mesh.points, mesh.corners, mesh.neighbours, mesh.seeds[iz * grid.shape[0] + ix], x, z)


@njit(cache=True)
def is_free(mesh: Triangles, grid: SegmentGrid, t: int, x: float, z: float, radius: float) -> bool:
    """Whether a disc about a point of triangle ``t`` is free."""
    return t >= 0 and mesh.free[t] and nearest_edge(grid, x, z)[1] >= radius


@njit(cache=True)
def free_points(mesh: Triangles, grid: SegmentGrid, points: FloatArray, radius: float) -> BoolArray:
    """Which of the points ``(n, 2)`` are centres of free discs, exactly."""
    out = np.empty(points.shape[0], dtype=np.bool_)
    for k in range(points.shape[0]):
        x, z = points[k, 0], points[k, 1]
        out[k] = is_free(mesh, grid, locate(mesh, grid, x, z), x, z, radius)
    return out


@njit(cache=True)
def find_path(
    mesh: Triangles,
    corners: Corners,
    forest: Bottlenecks,
    grid: SegmentGrid,
    start: FloatArray,
    goal: FloatArray,
    radius: float,
) -> tuple[int, FloatArray, int]:
    """How it ended, the path's pieces, and how many lines were looked at."""
    nothing = np.empty((0, PIECE_COLUMNS))
    t_start, t_goal = locate(mesh, grid, start[0], start[1]), locate(mesh, grid, goal[0], goal[1])
    if not is_free(mesh, grid, t_start, start[0], start[1], radius):
        return START_BLOCKED, nothing, 0
    if not is_free(mesh, grid, t_goal, goal[0], goal[1], radius):
        return GOAL_BLOCKED, nothing, 0
    if widest_passage(forest, t_start, t_goal) < 2.0 * radius:
        return NOT_CONNECTED, nothing, 0
    if capsule_hit(grid, start[0], start[1], goal[0], goal[1], radius - TOUCH_M) < 0:
        straight = np.zeros((1, PIECE_COLUMNS))
        straight[0, 1], straight[0, 2], straight[0, 3], straight[0, 4] = start[0], start[1], goal[0], goal[1]
        straight[0, 9] = math.sqrt((start[0] - goal[0]) ** 2 + (start[1] - goal[1]) ** 2)
        return FOUND, straight, 1
    from_start = look_from_point(mesh, t_start, start[0], start[1], corners.turns)
    from_goal = look_from_point(mesh, t_goal, goal[0], goal[1], corners.turns)
    pieces, looked, full = nothing, 0, True
    if mesh.points.shape[0] > LARGE and corners.turns.sum() > LARGE:
        channel = find_channel(mesh, t_start, t_goal, start, goal, radius)
        full = channel.shape[0] == 0
        if not full:
            near = corners_near(mesh, corners, channel, RINGS)
            pieces, looked = shortest(mesh, corners, grid, near, from_start, from_goal, start, goal, radius)
            full = looked >= 0 and pieces.shape[0] == 0
    if full:
        pieces, looked = shortest(mesh, corners, grid, corners.turns, from_start, from_goal, start, goal, radius)
    if looked < 0:
        return NO_ROOM, nothing, 0
    return FOUND if pieces.shape[0] else NOT_CONNECTED, pieces, looked
