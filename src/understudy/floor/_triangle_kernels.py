"""Compiled work on a triangulation: walls, free regions, turning corners, finding points, bottlenecks."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.floor.tables import Bottlenecks, Triangles
from understudy.typing import BoolArray, FloatArray, IntArray

#: [rad] walls that are straighter than this make no corner.
STRAIGHT_RAD = 1e-9


@njit(cache=True)
def mark_walls(corners: IntArray, edges: IntArray, point_count: int) -> tuple[BoolArray, int]:
    """Which triangle edges are among ``edges`` ``(m, 2)``, and how many of those were found."""
    first = np.zeros(point_count + 1, dtype=np.int64)
    for e in range(edges.shape[0]):
        first[min(edges[e, 0], edges[e, 1])] += 1
    for v in range(1, point_count + 1):
        first[v] += first[v - 1]
    ends = np.empty(edges.shape[0], dtype=np.int64)
    for e in range(edges.shape[0]):
        a, b = min(edges[e, 0], edges[e, 1]), max(edges[e, 0], edges[e, 1])
        first[a] -= 1
        ends[first[a]] = b
    walls = np.zeros(corners.shape, dtype=np.bool_)
    found = 0
    for t in range(corners.shape[0]):
        for i in range(3):
            v, w = corners[t, i], corners[t, (i + 1) % 3]
            a, b = min(v, w), max(v, w)
            for k in range(first[a], first[a + 1]):
                if ends[k] == b:
                    walls[t, i] = True
                    found += v < w
                    break
    return walls, found


@njit(cache=True)
def is_inside(segments: FloatArray, begin: int, end: int, x: float, z: float) -> bool:
    """Whether a point is inside the rings made of ``segments[begin:end]`` (even-odd rule)."""
    inside = False
    for s in range(begin, end):
        az, bz = segments[s, 1], segments[s, 3]
        if (az > z) != (bz > z):
            ax, bx = segments[s, 0], segments[s, 2]
            if x < ax + (z - az) * (bx - ax) / (bz - az):
                inside = not inside
    return inside


@njit(cache=True)
def obstacle_at(segments: FloatArray, first: IntArray, boxes: FloatArray, x: float, z: float) -> int:
    """Index of an obstacle the point is inside, -1 for none; the last ring is the floor: outside gives its index."""
    count = first.shape[0] - 2
    for k in range(count):
        near = boxes[k, 0] <= x <= boxes[k, 2] and boxes[k, 1] <= z <= boxes[k, 3]
        if near and is_inside(segments, first[k], first[k + 1], x, z):
            return k
    if not is_inside(segments, first[count], first[count + 1], x, z):
        return count
    return -1


@njit(cache=True)
def mark_free(
    points: FloatArray,
    corners: IntArray,
    neighbours: IntArray,
    walls: BoolArray,
    segments: FloatArray,
    first: IntArray,
    boxes: FloatArray,
) -> BoolArray:
    """Which triangles are on the floor and in no obstacle: one test per region between walls."""
    count = corners.shape[0]
    free = np.zeros(count, dtype=np.bool_)
    seen = np.zeros(count, dtype=np.bool_)
    region = np.empty(count, dtype=np.int64)
    for root in range(count):
        if seen[root]:
            continue
        seen[root] = True
        region[0] = root
        size, done = 1, 0
        widest, widest_area = root, -1.0
        while done < size:
            t = region[done]
            done += 1
            a, b, c = points[corners[t, 0]], points[corners[t, 1]], points[corners[t, 2]]
            area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
            if area > widest_area:
                widest, widest_area = t, area
            for i in range(3):
                n = neighbours[t, i]
                if n >= 0 and not walls[t, i] and not seen[n]:
                    seen[n] = True
                    region[size] = n
                    size += 1
        a, b, c = points[corners[widest, 0]], points[corners[widest, 1]], points[corners[widest, 2]]
        x, z = (a[0] + b[0] + c[0]) / 3.0, (a[1] + b[1] + c[1]) / 3.0
        if obstacle_at(segments, first, boxes, x, z) < 0:
            for k in range(size):
                free[region[k]] = True
    return free


@njit(cache=True)
def edges_around(corners: IntArray, point_count: int) -> tuple[IntArray, IntArray]:
    """Per point the edges that leave it, as ``3 * triangle + i``: ``(first, edges)``."""
    first = np.zeros(point_count + 1, dtype=np.int64)
    for t in range(corners.shape[0]):
        for i in range(3):
            first[corners[t, i]] += 1
    for v in range(1, point_count + 1):
        first[v] += first[v - 1]
    edges = np.empty(3 * corners.shape[0], dtype=np.int64)
    for t in range(corners.shape[0]):
        for i in range(3):
            v = corners[t, i]
            first[v] -= 1
            edges[first[v]] = 3 * t + i
    return first, edges


@njit(cache=True)
def find_turns(
    points: FloatArray, corners: IntArray, walls: BoolArray, free: BoolArray, first: IntArray, edges: IntArray
) -> tuple[BoolArray, FloatArray]:
    """Points that stick out into the free floor, and the directions of the two outermost walls at each.

    All walls at such a point lie within less than half a turn, and the rest of the turn is free.
    """
    count = points.shape[0]
    turns = np.zeros(count, dtype=np.bool_)
    cones = np.zeros((count, 4))
    angles, leaving = np.empty(16), np.empty(16, dtype=np.int64)
    for v in range(3, count):
        degree = first[v + 1] - first[v]
        if angles.shape[0] < degree:
            angles, leaving = np.empty(2 * degree), np.empty(2 * degree, dtype=np.int64)
        size = 0
        for k in range(first[v], first[v + 1]):
            t, i = edges[k] // 3, edges[k] % 3
            if walls[t, i]:
                w = corners[t, (i + 1) % 3]
                angles[size] = math.atan2(points[w, 1] - points[v, 1], points[w, 0] - points[v, 0])
                leaving[size] = edges[k]
                size += 1
        if size == 0:
            continue
        for k in range(1, size):
            angle, edge, j = angles[k], leaving[k], k
            while j > 0 and angles[j - 1] > angle:
                angles[j], leaving[j] = angles[j - 1], leaving[j - 1]
                j -= 1
            angles[j], leaving[j] = angle, edge
        for k in range(size):
            after = (k + 1) % size
            gap = angles[after] - angles[k] + (2.0 * math.pi if after == 0 else 0.0)
            if gap > math.pi + STRAIGHT_RAD and free[leaving[k] // 3]:
                turns[v] = True
                cones[v, 0], cones[v, 1] = math.cos(angles[k]), math.sin(angles[k])
                cones[v, 2], cones[v, 3] = math.cos(angles[after]), math.sin(angles[after])
    return turns, cones


@njit(cache=True)
def walk(points: FloatArray, corners: IntArray, neighbours: IntArray, start: int, x: float, z: float) -> int:
    """The triangle that holds a point, walking from a triangle near it; -1 when none does."""
    t = start
    for step in range(corners.shape[0] + 64):
        moved = False
        # Beginning with another edge each time keeps the walk from going round in circles.
        for j in range(3):
            i = (j + step) % 3
            a, b = corners[t, i], corners[t, (i + 1) % 3]
            ax, az = points[a, 0], points[a, 1]
            if (points[b, 0] - ax) * (z - az) - (points[b, 1] - az) * (x - ax) < 0.0:
                n = neighbours[t, i]
                if n < 0:
                    return -1
                t = n
                moved = True
                break
        if not moved:
            return t
    for t in range(corners.shape[0]):
        outside = False
        for i in range(3):
            a, b = corners[t, i], corners[t, (i + 1) % 3]
            ax, az = points[a, 0], points[a, 1]
            outside |= (points[b, 0] - ax) * (z - az) - (points[b, 1] - az) * (x - ax) < 0.0
        if not outside:
            return t
    return -1


@njit(cache=True)
def seed_cells(
    points: FloatArray, corners: IntArray, neighbours: IntArray, frame: FloatArray, shape: IntArray
) -> IntArray:
    """The triangle at the centre of every cell of a grid."""
    seeds = np.zeros(shape[0] * shape[1], dtype=np.int64)
    t = 0
    for iz in range(shape[1]):
        for k in range(shape[0]):
            # Back and forth, so that each walk is short.
            ix = k if iz % 2 == 0 else shape[0] - 1 - k
            x, z = frame[0] + (ix + 0.5) * frame[2], frame[1] + (iz + 0.5) * frame[2]
            t = max(walk(points, corners, neighbours, t, x, z), 0)
            seeds[iz * shape[0] + ix] = t
    return seeds


@njit(cache=True)
def edge_length2(points: FloatArray, corners: IntArray, t: int, i: int) -> float:
    """Squared length of the edge from corner ``i`` to the next [m2]."""
    a, b = corners[t, i], corners[t, (i + 1) % 3]
    return (points[a, 0] - points[b, 0]) ** 2 + (points[a, 1] - points[b, 1]) ** 2


@njit(cache=True)
def find_passages(mesh: Triangles) -> tuple[IntArray, FloatArray]:
    """Edges ``3 * triangle + i`` between free triangles, each once, and their squared lengths [m2]."""
    count = mesh.corners.shape[0]
    passages, widths = np.empty(3 * count // 2 + 3, dtype=np.int64), np.empty(3 * count // 2 + 3)
    size = 0
    for t in range(count):
        for i in range(3):
            if mesh.neighbours[t, i] > t and mesh.free[t] and not mesh.walls[t, i]:
                passages[size] = 3 * t + i
                widths[size] = edge_length2(mesh.points, mesh.corners, t, i)
                size += 1
    return passages[:size], widths[:size]


@njit(cache=True)
def grow_forest(mesh: Triangles, passages: IntArray, widths: FloatArray) -> tuple[IntArray, FloatArray]:
    """Parents and widths of :class:`Bottlenecks` from passages, widest first: Kruskal, joined by rank."""
    count = mesh.corners.shape[0]
    parents, up = np.arange(count), np.zeros(count)
    rank = np.zeros(count, dtype=np.int64)
    for k in range(passages.shape[0]):
        a, b = passages[k] // 3, mesh.neighbours[passages[k] // 3, passages[k] % 3]
        while parents[a] != a:
            a = parents[a]
        while parents[b] != b:
            b = parents[b]
        if a == b:
            continue
        if rank[a] > rank[b]:
            a, b = b, a
        rank[b] += rank[a] == rank[b]
        parents[a], up[a] = b, widths[k]
    return parents, up


@njit(cache=True)
def widest_passage(forest: Bottlenecks, a: int, b: int) -> float:
    """Width [m] of the narrowest edge on the widest way between two triangles; 0 when there is no way."""
    narrowest = np.inf
    while a != b:
        # Joins made early are wide; whoever has the wider link joined first and has to climb first.
        if forest.widths[a] < forest.widths[b]:
            a, b = b, a
        if forest.widths[a] == 0.0:
            return 0.0
        narrowest = min(narrowest, forest.widths[a])
        a = forest.parents[a]
    return math.sqrt(narrowest)
