"""Compiled A* over common tangents of the discs about obstacle corners (floor path of any clearance).

A path that keeps a distance ``r`` from obstacles and cannot be shortened is made of arcs of radius ``r`` about corners
and of straight lines that touch two such discs. With ``R(x, z) = (z, -x)``, signed radii ``s = side * r`` and
``D = w - v``, ``k = s_w - s_v``, ``l = sqrt(|D|^2 - k^2)`` the line leaving disc ``v`` for disc ``w`` has direction
``d = (l D + k R(D)) / |D|^2`` and touches them at ``v + s_v R(d)`` and ``w + s_w R(d)``. Start and goal have radius 0.

Lines are put on the heap untested; whether a line, and the arc before it, are clear is asked only when it comes up.
A disc is left at or after the place of arrival, so a disc may be expanded once for each arrival that no earlier and
cheaper one covers.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from understudy.compiling.kernel import njit
from understudy.floor._heap_kernels import heap_pop, heap_push
from understudy.floor._segment_kernels import arc_is_free, capsule_hit
from understudy.floor._sight_kernels import look_from_corner
from understudy.floor.tables import Corners, SegmentGrid, Triangles
from understudy.typing import BoolArray, FloatArray, IntArray

#: [m] lines may come this much closer than the radius planned with: they touch discs exactly.
TOUCH_M = 1e-7
#: A wall at a corner may stick out of the corner's side by this sine.
TAUT = 1e-9
#: Columns of a path's pieces: kind (0 line, 1 arc), start x z, end x z, centre x z, first angle, sweep, length.
PIECE_COLUMNS = 10
GOAL = -1


class Lines(NamedTuple):
    """Lines on the heap, or taken from it.

    Attributes:
        ends: ``(n, 2)`` arrival they leave, disc they go to.
        data: ``(n, 4)`` direction x z, length, cost at their end.
        keys: The heap's keys.
        items: The heap's lines.
    """

    ends: IntArray
    data: FloatArray
    keys: FloatArray
    items: IntArray


@njit(cache=True)
def tangent(dx: float, dz: float, s_v: float, s_w: float) -> tuple[float, float, float]:
    """Direction and length of the common tangent of two signed discs ``D`` apart; length -1 when there is none."""
    length2 = dx * dx + dz * dz
    k = s_w - s_v
    l2 = length2 - k * k
    if l2 <= 0.0 or length2 < 1e-18:
        return 0.0, 0.0, -1.0
    length = math.sqrt(l2)
    return (length * dx + k * dz) / length2, (length * dz - k * dx) / length2, length


@njit(cache=True)
def is_taut(cones: FloatArray, v: int, side: float, dx: float, dz: float) -> bool:
    """Whether both outermost walls at corner ``v`` lie on its own side of a line along d that touches its disc."""
    a = side * (cones[v, 0] * dz - cones[v, 1] * dx)
    b = side * (cones[v, 2] * dz - cones[v, 3] * dx)
    return a <= TAUT and b <= TAUT


@njit(cache=True)
def turned(side: float, inx: float, inz: float, outx: float, outz: float) -> float:
    """Angle [rad] from one direction to another towards ``side``, in (-pi, pi]; tiny backward turns count as none."""
    angle = math.atan2(side * (inx * outz - inz * outx), inx * outx + inz * outz)
    if -1e-9 < angle < 0.0:
        return 0.0
    if angle < -math.pi + 1e-7:
        return math.pi
    return angle


@njit(cache=True)
def _open(
    points: FloatArray,
    cones: FloatArray,
    targets: IntArray,
    allowed: BoolArray,
    goal: FloatArray,
    goal_in_sight: bool,
    at: int,
    disc: int,
    x: float,
    z: float,
    arrival: FloatArray,
    radius: float,
    lines: Lines,
    count: int,
    size: int,
) -> tuple[int, int]:
    """Put the lines that leave an arrival on the heap, untested; returns how many lines and heap items there are."""
    v, side = -1, 0.0
    if disc >= 0:
        v, side = disc >> 1, 1.0 if disc & 1 else -1.0
    for k in range(0 if goal_in_sight else 1, targets.shape[0] + 1):
        w = GOAL if k == 0 else targets[k - 1]
        if k > 0 and not allowed[w]:
            continue
        wx, wz = (goal[0], goal[1]) if k == 0 else (points[w, 0], points[w, 1])
        for choice in range(1 if k == 0 else 2):
            side_w = 0.0 if k == 0 else 2.0 * choice - 1.0
            dx, dz, length = tangent(wx - x, wz - z, side * radius, side_w * radius)
            if length < 0.0 or (k > 0 and not is_taut(cones, w, side_w, dx, dz)):
                continue
            angle = 0.0
            if v >= 0:
                if not is_taut(cones, v, side, dx, dz):
                    continue
                angle = turned(side, arrival[1], arrival[2], dx, dz)
                if angle < 0.0:
                    continue
            g = arrival[0] + radius * angle + length
            lines.ends[count, 0] = at
            lines.ends[count, 1] = GOAL if k == 0 else 2 * w + choice
            data = lines.data[count]
            data[0], data[1], data[2], data[3] = dx, dz, length, g
            s_w = side_w * radius
            rest = math.sqrt((wx + s_w * dz - goal[0]) ** 2 + (wz - s_w * dx - goal[1]) ** 2)
            size = heap_push(lines.keys, lines.items, size, g + rest, count)
            count += 1
    return count, size


@njit(cache=True)
def _is_covered(
    grid: SegmentGrid,
    points: FloatArray,
    disc: int,
    radius: float,
    newest: int,
    arrived: IntArray,
    arrivals: FloatArray,
    line: FloatArray,
) -> bool:
    """Whether the end of a line can be reached at no more cost from an earlier arrival on its disc, along the arc."""
    v, side = disc >> 1, 1.0 if disc & 1 else -1.0
    k = newest
    while k >= 0:
        angle = turned(side, arrivals[k, 1], arrivals[k, 2], line[0], line[1])
        if (
            angle >= 0.0
            and arrivals[k, 0] + radius * angle <= line[3] + 1e-12
            and (
                angle == 0.0
                or arc_is_free(
                    grid, points[v, 0], points[v, 1], radius, side, arrivals[k, 1], arrivals[k, 2], line[0], line[1]
                )
            )
        ):
            return True
        k = arrived[k, 2]
    return False


@njit(cache=True)
def _is_clear(
    grid: SegmentGrid,
    points: FloatArray,
    disc: int,
    x: float,
    z: float,
    arrival: FloatArray,
    radius: float,
    line: FloatArray,
) -> bool:
    """Whether a line and the arc that leads to it keep their distance."""
    dx, dz, length = line[0], line[1], line[2]
    if disc >= 0:
        v, side = disc >> 1, 1.0 if disc & 1 else -1.0
        if turned(side, arrival[1], arrival[2], dx, dz) > 0.0 and not arc_is_free(
            grid, points[v, 0], points[v, 1], radius, side, arrival[1], arrival[2], dx, dz
        ):
            return False
        x, z = points[v, 0] + side * radius * dz, points[v, 1] - side * radius * dx
    return capsule_hit(grid, x, z, x + length * dx, z + length * dz, radius - TOUCH_M) < 0


@njit(cache=True)
def _doubled(table: Any, need: int) -> Any:
    """The table with room for at least ``need`` rows."""
    while table.shape[0] < need:
        table = np.concatenate((table, table))
    return table


@njit(cache=True)
def shortest(
    mesh: Triangles,
    corners: Corners,
    grid: SegmentGrid,
    allowed: BoolArray,
    from_start: IntArray,
    from_goal: IntArray,
    start: FloatArray,
    goal: FloatArray,
    radius: float,
) -> tuple[FloatArray, int]:
    """Pieces ``(n, PIECE_COLUMNS)`` of the shortest path, none when there is no path, and the lines looked at.

    Args:
        mesh: The triangulation.
        corners: Turning corners and what they see, which is looked up when first needed.
        grid: Obstacle edges.
        allowed: ``(v,)`` corners the path may turn at.
        from_start: Corners the start sees.
        from_goal: Corners the goal sees.
        start: (x, z), free at ``radius``.
        goal: (x, z), free at ``radius``.
        radius: Clearance [m], positive.

    Returns:
        The lines looked at are -1 when ``corners.seen`` has to be larger.
    """
    points = mesh.points
    sees_goal = np.zeros(points.shape[0], dtype=np.bool_)
    for k in range(from_goal.shape[0]):
        sees_goal[from_goal[k]] = True
    newest = np.full(2 * points.shape[0], -1, dtype=np.int64)
    stack = np.empty((mesh.corners.shape[0] + 8, 5))
    # Arrivals: cost, direction x z | disc as 2 * corner + (side > 0), line that led there, next older on the disc.
    arrivals, arrived = np.zeros((64, 3)), np.full((64, 3), -1, dtype=np.int64)
    lines = Lines(
        np.empty((1024, 2), dtype=np.int64), np.empty((1024, 4)), np.empty(1024), np.empty(1024, dtype=np.int64)
    )
    count, line_count, size, looked, at = 1, 0, 0, 0, 0
    while at >= 0:
        disc, x, z, targets, goal_in_sight = arrived[at, 0], start[0], start[1], from_start, True
        if disc >= 0:
            v = disc >> 1
            x, z, goal_in_sight = points[v, 0], points[v, 1], sees_goal[v]
            if not look_from_corner(mesh, corners, v, stack):
                return np.empty((0, PIECE_COLUMNS)), -1
            targets = corners.seen[corners.spans[v, 0] : corners.spans[v, 1]]
        need = line_count + 2 * targets.shape[0] + 1
        if need > lines.ends.shape[0]:
            ends, data = _doubled(lines.ends, need), _doubled(lines.data, need)
            lines = Lines(ends, data, _doubled(lines.keys, need), _doubled(lines.items, need))
        line_count, size = _open(
            points, corners.cones, targets, allowed, goal, goal_in_sight, at, disc, x, z, arrivals[at], radius,
            lines, line_count, size,
        )  # fmt: skip
        at = -1
        while size > 0 and at < 0:
            _, line, size = heap_pop(lines.keys, lines.items, size)
            looked += 1
            parent, target, led = lines.ends[line, 0], lines.ends[line, 1], lines.data[line]
            if target != GOAL and _is_covered(grid, points, target, radius, newest[target], arrived, arrivals, led):
                continue
            if not _is_clear(grid, points, arrived[parent, 0], start[0], start[1], arrivals[parent], radius, led):
                continue
            if target == GOAL:
                return _traced(points, lines.ends, lines.data, arrived, line, start, goal, radius), looked
            if count == arrivals.shape[0]:
                arrivals, arrived = _doubled(arrivals, count + 1), _doubled(arrived, count + 1)
            arrivals[count, 0], arrivals[count, 1], arrivals[count, 2] = led[3], led[0], led[1]
            arrived[count, 0], arrived[count, 1], arrived[count, 2] = target, line, newest[target]
            newest[target], at = count, count
            count += 1
    return np.empty((0, PIECE_COLUMNS)), looked


@njit(cache=True)
def _traced(
    points: FloatArray,
    lines: IntArray,
    data: FloatArray,
    arrived: IntArray,
    line: int,
    start: FloatArray,
    goal: FloatArray,
    radius: float,
) -> FloatArray:
    """Lines and arcs from the start to the goal along the lines that led there."""
    size, step = 0, line
    while step >= 0:
        size += 1
        step = arrived[lines[step, 0], 1]
    chain = np.empty(size, dtype=np.int64)
    for k in range(size):
        chain[k] = line
        line = arrived[lines[line, 0], 1]
    pieces = np.zeros((2 * size, PIECE_COLUMNS))
    n = 0
    x, z = start[0], start[1]
    for k in range(size - 1, -1, -1):
        dx, dz, length = data[chain[k], 0], data[chain[k], 1], data[chain[k], 2]
        disc = arrived[lines[chain[k], 0], 0]
        if disc >= 0:
            v, side = disc >> 1, 1.0 if disc & 1 else -1.0
            angle = turned(side, data[chain[k + 1], 0], data[chain[k + 1], 1], dx, dz)
            if angle > 0.0:
                ex, ez = points[v, 0] + side * radius * dz, points[v, 1] - side * radius * dx
                pieces[n, 0], pieces[n, 1], pieces[n, 2], pieces[n, 3], pieces[n, 4] = 1.0, x, z, ex, ez
                pieces[n, 5], pieces[n, 6] = points[v, 0], points[v, 1]
                pieces[n, 7] = math.atan2(z - points[v, 1], x - points[v, 0])
                pieces[n, 8], pieces[n, 9] = side * angle, radius * angle
                x, z = ex, ez
                n += 1
        ex, ez = x + length * dx, z + length * dz
        if k == 0:
            ex, ez = goal[0], goal[1]
        pieces[n, 1], pieces[n, 2], pieces[n, 3], pieces[n, 4], pieces[n, 9] = x, z, ex, ez, length
        x, z = ex, ez
        n += 1
    return pieces[:n]
