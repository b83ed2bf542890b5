"""The judge's compiled search of triangles: a tree of boxes, nearest triangles of segments, crossings of rays.

It is the judge's own: planners search other trees elsewhere.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.typing import FloatArray, IntArray
from understudy.verify._kernels import _point_to_segment, segment_gap

#: Triangles in a leaf.
_LEAF = 6
#: Rays that pass an edge or a plane nearer than this share are not trusted.
_CLEAR = 1e-9


@njit(cache=True, error_model="numpy")
def box_tree(corners: FloatArray) -> tuple[FloatArray, IntArray, IntArray]:
    """Boxes ``(nodes, 6)`` around triangles ``(faces, 3, 3)``, ``(nodes, 4)`` links, and the order of the faces.

    A node's links: both children, or -1; first and stop of its faces in the order.
    """
    count = corners.shape[0]
    order, most = np.arange(count), 2 * count + 1
    boxes, links = np.empty((most, 6)), np.full((most, 4), -1)
    links[0, 2], links[0, 3] = 0, count
    nodes, node = 1, 0
    while node < nodes:
        first, stop = links[node, 2], links[node, 3]
        for i in range(3):
            low, high = math.inf, -math.inf
            for n in range(first, stop):
                for c in range(3):
                    low, high = min(low, corners[order[n], c, i]), max(high, corners[order[n], c, i])
            boxes[node, i], boxes[node, 3 + i] = low, high
        if stop - first > _LEAF:
            axis, longest = 0, -1.0
            for i in range(3):
                if boxes[node, 3 + i] - boxes[node, i] > longest:
                    axis, longest = i, boxes[node, 3 + i] - boxes[node, i]
            keys = np.empty(stop - first)
            for n in range(first, stop):
                f = order[n]
                keys[n - first] = corners[f, 0, axis] + corners[f, 1, axis] + corners[f, 2, axis]
            order[first:stop] = order[first:stop][np.argsort(keys)]
            middle = (first + stop) // 2
            links[node, 0], links[node, 1] = nodes, nodes + 1
            links[nodes, 2], links[nodes, 3] = first, middle
            links[nodes + 1, 2], links[nodes + 1, 3] = middle, stop
            nodes += 2
        node += 1
    return boxes[:nodes].copy(), links[:nodes].copy(), order


@njit(cache=True, error_model="numpy")
def _height(point: FloatArray, triangle: FloatArray) -> tuple[bool, float]:
    """Whether a point lies straight above or below a triangle, and its height over the plane [m]."""
    a, b, c = triangle[0], triangle[1], triangle[2]
    ux, uy, uz, vx, vy, vz = b[0] - a[0], b[1] - a[1], b[2] - a[2], c[0] - a[0], c[1] - a[1], c[2] - a[2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    area = math.sqrt(nx * nx + ny * ny + nz * nz)
    size = max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz)
    if not area > 1e-14 * size:
        return False, 0.0
    inside = True
    for k in range(3):
        p, q = triangle[k], triangle[(k + 1) % 3]
        ex, ey, ez = q[0] - p[0], q[1] - p[1], q[2] - p[2]
        wx, wy, wz = point[0] - p[0], point[1] - p[1], point[2] - p[2]
        turn = (ey * wz - ez * wy) * nx + (ez * wx - ex * wz) * ny + (ex * wy - ey * wx) * nz
        inside = inside and turn >= 0.0
    return inside, ((point[0] - a[0]) * nx + (point[1] - a[1]) * ny + (point[2] - a[2]) * nz) / area


@njit(cache=True, error_model="numpy")
def segment_to_triangle(segment: FloatArray, triangle: FloatArray) -> float:
    """Distance [m] of a segment ``(2, 3)`` from a triangle ``(3, 3)``; zero where they cross."""
    best = math.inf
    edge = np.empty((2, 3))
    for k in range(3):
        edge[0], edge[1] = triangle[k], triangle[(k + 1) % 3]
        best = min(best, segment_gap(segment, edge))
    over, one = _height(segment[0], triangle)
    if over:
        best = min(best, abs(one))
    over, two = _height(segment[1], triangle)
    if over:
        best = min(best, abs(two))
    if one * two <= 0.0 and one != two:
        share = one / (one - two)
        crossed, _ = _height(segment[0] + share * (segment[1] - segment[0]), triangle)
        if crossed:
            return 0.0
    return best


@njit(cache=True, error_model="numpy")
def _apart_squared(box: FloatArray, low: FloatArray, high: FloatArray) -> float:
    """Squared distance of two boxes along the axes."""
    total = 0.0
    for i in range(3):
        gap = max(box[i] - high[i], low[i] - box[3 + i])
        if gap > 0.0:
            total += gap * gap
    return total


@njit(cache=True, error_model="numpy")
def _ball_apart(box: FloatArray, segment: FloatArray) -> float:
    """A lower bound of the distance of a segment from a box: that from the ball around it [m]."""
    x, y, z = 0.5 * (box[0] + box[3]), 0.5 * (box[1] + box[4]), 0.5 * (box[2] + box[5])
    radius = math.sqrt((box[3] - x) ** 2 + (box[4] - y) ** 2 + (box[5] - z) ** 2)
    a, b = segment[0], segment[1]
    away = _point_to_segment(x, y, z, a[0], a[1], a[2], b[0] - a[0], b[1] - a[1], b[2] - a[2])
    return math.sqrt(away) - radius


@njit(cache=True, error_model="numpy")
def nearest_triangles(
    boxes: FloatArray,
    links: IntArray,
    order: IntArray,
    corners: FloatArray,
    segments: FloatArray,
    caps: FloatArray,
) -> FloatArray:
    """``(n,)`` distance [m] of segments ``(n, 2, 3)`` from the nearest triangle, no more than ``caps`` ``(n,)``."""
    out = np.empty(segments.shape[0])
    stack, low, high = np.empty(128, dtype=np.int64), np.empty(3), np.empty(3)
    for s in range(segments.shape[0]):
        segment, best = segments[s], caps[s]
        for i in range(3):
            low[i], high[i] = min(segment[0, i], segment[1, i]), max(segment[0, i], segment[1, i])
        stack[0], depth = 0, 1
        while depth > 0:
            depth -= 1
            node = stack[depth]
            if _apart_squared(boxes[node], low, high) >= best * best or _ball_apart(boxes[node], segment) >= best:
                continue
            left, right = links[node, 0], links[node, 1]
            if left < 0:
                for n in range(links[node, 2], links[node, 3]):
                    best = min(best, segment_to_triangle(segment, corners[order[n]]))
                continue
            # The nearer child last, so that it is looked at first.
            if _apart_squared(boxes[left], low, high) < _apart_squared(boxes[right], low, high):
                left, right = right, left
            stack[depth], stack[depth + 1] = left, right
            depth += 2
        out[s] = best
    return out


@njit(cache=True, error_model="numpy")
def crossings(
    boxes: FloatArray, links: IntArray, order: IntArray, corners: FloatArray, point: FloatArray, way: FloatArray
) -> int:
    """How many triangles a ray from a point along ``way`` crosses; -1 where it grazes one too closely to tell."""
    stack, count = np.empty(128, dtype=np.int64), 0
    stack[0], depth = 0, 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        near, far = 0.0, math.inf
        for i in range(3):
            one, two = (boxes[node, i] - point[i]) / way[i], (boxes[node, 3 + i] - point[i]) / way[i]
            near, far = max(near, min(one, two) - 1e-9), min(far, max(one, two) + 1e-9)
        if near > far:
            continue
        if links[node, 0] >= 0:
            stack[depth], stack[depth + 1] = links[node, 0], links[node, 1]
            depth += 2
            continue
        for n in range(links[node, 2], links[node, 3]):
            hit = _crosses(corners[order[n]], point, way)
            if hit < 0:
                return -1
            count += hit
    return count


@njit(cache=True, error_model="numpy")
def _crosses(triangle: FloatArray, point: FloatArray, way: FloatArray) -> int:
    """1 where a ray crosses a triangle, 0 where it does not, -1 where it is too close to tell."""
    u, v, to = triangle[1] - triangle[0], triangle[2] - triangle[0], point - triangle[0]
    px, py, pz = way[1] * v[2] - way[2] * v[1], way[2] * v[0] - way[0] * v[2], way[0] * v[1] - way[1] * v[0]
    volume = u[0] * px + u[1] * py + u[2] * pz
    qx, qy, qz = to[1] * u[2] - to[2] * u[1], to[2] * u[0] - to[0] * u[2], to[0] * u[1] - to[1] * u[0]
    size = math.sqrt((u * u).sum() * (v * v).sum()) + 1e-300
    if abs(volume) < _CLEAR * size:
        # Seen edge on; it matters only where the ray passes through its ball.
        radius2 = max((u * u).sum(), (v * v).sum())
        end = point + 1e6 * way
        away = _point_to_segment(
            triangle[0, 0],
            triangle[0, 1],
            triangle[0, 2],
            point[0],
            point[1],
            point[2],
            end[0] - point[0],
            end[1] - point[1],
            end[2] - point[2],
        )
        return -1 if away < radius2 else 0
    a = (to[0] * px + to[1] * py + to[2] * pz) / volume
    b = (way[0] * qx + way[1] * qy + way[2] * qz) / volume
    t = (v[0] * qx + v[1] * qy + v[2] * qz) / volume
    if t < -_CLEAR or a < -_CLEAR or b < -_CLEAR or a + b > 1.0 + _CLEAR:
        return 0
    if t > _CLEAR and a > _CLEAR and b > _CLEAR and a + b < 1.0 - _CLEAR:
        return 1
    return -1
