"""Compiled insertion of points on walls into a constrained Delaunay triangulation, by splitting and flipping."""

from __future__ import annotations

import numpy as np

from understudy.compiling.kernel import njit
from understudy.floor.tables import Triangles
from understudy.typing import FloatArray, IntArray


@njit(cache=True)
def _edge_between(corners: IntArray, neighbours: IntArray, start: int, a: int, b: int) -> int:
    """The edge ``3 * triangle + i`` from point a to b, turning about a from a triangle at it; -1 for none."""
    t = start
    for _ in range(corners.shape[0]):
        i = 0
        while corners[t, i] != a:
            i += 1
        if corners[t, (i + 1) % 3] == b:
            return 3 * t + i
        t = neighbours[t, (i + 2) % 3]
        if t < 0 or t == start:
            break
    return -1


@njit(cache=True)
def _relink(neighbours: IntArray, t: int, old: int, new: int) -> None:
    """Tell triangle ``t`` that its neighbour ``old`` is now called ``new``."""
    if t >= 0:
        for i in range(3):
            if neighbours[t, i] == old:
                neighbours[t, i] = new
                return


@njit(cache=True)
def _set(table: IntArray, t: int, a: int, b: int, c: int) -> None:
    table[t, 0], table[t, 1], table[t, 2] = a, b, c


@njit(cache=True)
def _split(mesh: Triangles, anchors: IntArray, edge: int, q: int, new: int) -> None:
    """Put point ``q`` on an edge: its two triangles become four, the added ones being ``new`` and ``new + 1``."""
    corners, neighbours, walls = mesh.corners, mesh.neighbours, mesh.walls
    t, i = edge // 3, edge % 3
    i1, i2 = (i + 1) % 3, (i + 2) % 3
    n = neighbours[t, i]
    a, b, c = corners[t, i], corners[t, i1], corners[t, i2]
    j = 0
    while corners[n, j] != b:
        j += 1
    j1, j2 = (j + 1) % 3, (j + 2) % 3
    d = corners[n, j2]
    across_bc, across_ca, across_ad, across_db = (
        neighbours[t, i1],
        neighbours[t, i2],
        neighbours[n, j1],
        neighbours[n, j2],
    )
    wall, wall_bc, wall_ca, wall_ad, wall_db = walls[t, i], walls[t, i1], walls[t, i2], walls[n, j1], walls[n, j2]
    _set(corners, t, a, q, c)
    _set(neighbours, t, new + 1, new, across_ca)
    walls[t, 0], walls[t, 1], walls[t, 2] = wall, False, wall_ca
    _set(corners, new, q, b, c)
    _set(neighbours, new, n, across_bc, t)
    walls[new, 0], walls[new, 1], walls[new, 2] = wall, wall_bc, False
    _set(corners, n, b, q, d)
    _set(neighbours, n, new, new + 1, across_db)
    walls[n, 0], walls[n, 1], walls[n, 2] = wall, False, wall_db
    _set(corners, new + 1, q, a, d)
    _set(neighbours, new + 1, t, across_ad, n)
    walls[new + 1, 0], walls[new + 1, 1], walls[new + 1, 2] = wall, wall_ad, False
    mesh.free[new], mesh.free[new + 1] = mesh.free[t], mesh.free[n]
    _relink(neighbours, across_bc, t, new)
    _relink(neighbours, across_ad, n, new + 1)
    anchors[a], anchors[b], anchors[c], anchors[d], anchors[q] = t, n, t, n, t


@njit(cache=True)
def _in_circle(points: FloatArray, a: int, b: int, c: int, d: int) -> bool:
    """Whether d is clearly inside the circle through a, b, c (counter-clockwise)."""
    ax, az = points[a, 0] - points[d, 0], points[a, 1] - points[d, 1]
    bx, bz = points[b, 0] - points[d, 0], points[b, 1] - points[d, 1]
    cx, cz = points[c, 0] - points[d, 0], points[c, 1] - points[d, 1]
    a2, b2, c2 = ax * ax + az * az, bx * bx + bz * bz, cx * cx + cz * cz
    determinant = a2 * (bx * cz - bz * cx) - b2 * (ax * cz - az * cx) + c2 * (ax * bz - az * bx)
    # Rounding grows with the largest term; flipping on noise might never end.
    return determinant > 1e-13 * (a2 + b2 + c2) ** 2


@njit(cache=True)
def _legalise(mesh: Triangles, anchors: IntArray, stack: IntArray, size: int) -> None:
    """Flip edges on the stack, all facing one new point that is the last corner after them, until Delaunay again."""
    corners, neighbours, walls = mesh.corners, mesh.neighbours, mesh.walls
    while size > 0:
        size -= 1
        t, i = stack[size] // 3, stack[size] % 3
        m = neighbours[t, i]
        if walls[t, i] or m < 0:
            continue
        i1, i2 = (i + 1) % 3, (i + 2) % 3
        u, w, q = corners[t, i], corners[t, i1], corners[t, i2]
        j = 0
        while corners[m, j] != w:
            j += 1
        j1, j2 = (j + 1) % 3, (j + 2) % 3
        d = corners[m, j2]
        if not _in_circle(mesh.points, u, w, q, d):
            continue
        across_wq, across_qu, across_ud, across_dw = (
            neighbours[t, i1],
            neighbours[t, i2],
            neighbours[m, j1],
            neighbours[m, j2],
        )
        wall_wq, wall_qu, wall_ud, wall_dw = walls[t, i1], walls[t, i2], walls[m, j1], walls[m, j2]
        _set(corners, t, u, d, q)
        _set(neighbours, t, across_ud, m, across_qu)
        walls[t, 0], walls[t, 1], walls[t, 2] = wall_ud, False, wall_qu
        _set(corners, m, d, w, q)
        _set(neighbours, m, across_dw, across_wq, t)
        walls[m, 0], walls[m, 1], walls[m, 2] = wall_dw, wall_wq, False
        _relink(neighbours, across_ud, m, t)
        _relink(neighbours, across_wq, t, m)
        anchors[u], anchors[d], anchors[q], anchors[w] = t, t, t, m
        stack[size], stack[size + 1] = 3 * t, 3 * m
        size += 2


@njit(cache=True)
def insert_on_walls(mesh: Triangles, low: IntArray, high: IntArray, first_new: int) -> int:
    """Insert points on walls in place and return how many triangles there are then.

    Args:
        mesh: Arrays with room for two more triangles per new point, whose coordinates are there already; the unused
            triangles at the end hold -1.
        low: ``(n,)`` one end of the wall each new point lies on.
        high: ``(n,)`` the other end; new points are ordered wall by wall, from low to high.
        first_new: Index of the first new point.
    """
    count = mesh.corners.shape[0] - 2 * low.shape[0]
    anchors = np.zeros(mesh.points.shape[0], dtype=np.int64)
    for t in range(count):
        for i in range(3):
            anchors[mesh.corners[t, i]] = t
    stack = np.empty(mesh.corners.shape[0] + 16, dtype=np.int64)
    for k in range(low.shape[0]):
        behind = low[k]
        if k > 0 and low[k] == low[k - 1] and high[k] == high[k - 1]:
            behind = first_new + k - 1
        edge = _edge_between(mesh.corners, mesh.neighbours, anchors[behind], behind, high[k])
        t, n = edge // 3, mesh.neighbours[edge // 3, edge % 3]
        _split(mesh, anchors, edge, first_new + k, count)
        # The edges facing the new point in the four triangles, in the order _split writes their corners.
        stack[0], stack[1], stack[2], stack[3] = 3 * t + 2, 3 * count + 1, 3 * n + 2, 3 * count + 4
        count += 2
        _legalise(mesh, anchors, stack, 4)
    return count
