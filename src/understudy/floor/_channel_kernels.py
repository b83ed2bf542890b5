"""Compiled search for a channel: a sequence of triangles joined by edges wide enough to pass."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.floor._heap_kernels import heap_pop, heap_push
from understudy.floor._triangle_kernels import edge_length2
from understudy.floor.tables import Corners, Triangles
from understudy.typing import BoolArray, FloatArray, IntArray


@njit(cache=True)
def _crossing(
    mesh: Triangles, t: int, i: int, x: float, z: float, gx: float, gz: float, radius: float
) -> tuple[float, float]:
    """Where the way from (x, z) straight to the goal would best cross an edge, a radius away from both its ends."""
    a, b = mesh.corners[t, i], mesh.corners[t, (i + 1) % 3]
    ax, az = mesh.points[a, 0], mesh.points[a, 1]
    ex, ez = mesh.points[b, 0] - ax, mesh.points[b, 1] - az
    length = math.sqrt(ex * ex + ez * ez)
    dx, dz = gx - x, gz - z
    across = dx * ez - dz * ex
    share = 0.5
    if abs(across) > 1e-12:
        share = (dz * (ax - x) - dx * (az - z)) / across
        ahead = (ez * (ax - x) - ex * (az - z)) / across
        if ahead < 0.0:
            # The goal lies the other way: the nearest point of the edge will do.
            share = ((x - ax) * ex + (z - az) * ez) / (length * length)
    margin = min(radius / length, 0.5)
    share = min(max(share, margin), 1.0 - margin)
    return ax + share * ex, az + share * ez


@njit(cache=True)
def find_channel(
    mesh: Triangles, first: int, last: int, start: FloatArray, goal: FloatArray, radius: float
) -> IntArray:
    """Triangles from ``first`` to ``last``, by A* over the points where edges are crossed; none without a way."""
    count = mesh.corners.shape[0]
    cost, parents = np.full(count, np.inf), np.full(count, -1, dtype=np.int64)
    closed, places = np.zeros(count, dtype=np.bool_), np.empty((count, 2))
    keys, items, size = np.empty(3 * count), np.empty(3 * count, dtype=np.int64), 0
    narrow2 = 4.0 * radius * radius
    gx, gz = goal[0], goal[1]
    cost[first], places[first, 0], places[first, 1] = 0.0, start[0], start[1]
    size = heap_push(keys, items, size, 0.0, first)
    while size > 0:
        _, t, size = heap_pop(keys, items, size)
        if t == last:
            break
        if closed[t]:
            continue
        closed[t] = True
        x, z = places[t, 0], places[t, 1]
        for i in range(3):
            n = mesh.neighbours[t, i]
            if n < 0 or mesh.walls[t, i] or closed[n] or edge_length2(mesh.points, mesh.corners, t, i) < narrow2:
                continue
            px, pz = _crossing(mesh, t, i, x, z, gx, gz, radius)
            g = cost[t] + math.sqrt((px - x) ** 2 + (pz - z) ** 2)
            if g < cost[n]:
                cost[n], parents[n] = g, t
                places[n, 0], places[n, 1] = px, pz
                size = heap_push(keys, items, size, g + math.sqrt((px - gx) ** 2 + (pz - gz) ** 2), n)
    if cost[last] == np.inf:
        return np.empty(0, dtype=np.int64)
    length, t = 1, last
    while t != first:
        length, t = length + 1, parents[t]
    channel, t = np.empty(length, dtype=np.int64), last
    for k in range(length - 1, -1, -1):
        channel[k] = t
        t = parents[t]
    return channel


@njit(cache=True)
def corners_near(mesh: Triangles, corners: Corners, channel: IntArray, rings: int) -> BoolArray:
    """Turning corners of a channel's triangles and of those around them."""
    near = np.zeros(mesh.points.shape[0], dtype=np.bool_)
    marked, size = np.empty(mesh.points.shape[0], dtype=np.int64), 0
    for k in range(channel.shape[0]):
        for i in range(3):
            v = mesh.corners[channel[k], i]
            if not near[v]:
                near[v] = True
                marked[size] = v
                size += 1
    begin = 0
    for _ in range(rings):
        end = size
        for k in range(begin, end):
            v = marked[k]
            for e in range(corners.first[v], corners.first[v + 1]):
                w = mesh.corners[corners.leaving[e] // 3, (corners.leaving[e] + 1 - 3 * (corners.leaving[e] // 3)) % 3]
                if not near[w]:
                    near[w] = True
                    marked[size] = w
                    size += 1
        begin = end
    for k in range(size):
        near[marked[k]] = corners.turns[marked[k]]
    return near


@njit(cache=True)
def triangles_along(mesh: Triangles, start: int, points: FloatArray) -> IntArray:
    """Triangles passed on the way through points ``(n, 2)``, each next to the one before; ``start`` holds the first."""
    out, size = np.empty(64, dtype=np.int64), 1
    out[0] = start
    t = start
    for k in range(points.shape[0]):
        x, z = points[k, 0], points[k, 1]
        for step in range(mesh.corners.shape[0]):
            moved = False
            for j in range(3):
                i = (j + step) % 3
                a, b = mesh.corners[t, i], mesh.corners[t, (i + 1) % 3]
                ax, az = mesh.points[a, 0], mesh.points[a, 1]
                outside = (mesh.points[b, 0] - ax) * (z - az) - (mesh.points[b, 1] - az) * (x - ax) < -1e-12
                if outside and mesh.neighbours[t, i] >= 0 and not mesh.walls[t, i]:
                    t = mesh.neighbours[t, i]
                    moved = True
                    break
            if not moved:
                break
            if size == out.shape[0]:
                out = np.concatenate((out, out))
            out[size] = t
            size += 1
    return out[:size].copy()
