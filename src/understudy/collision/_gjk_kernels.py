"""Distance of two convex solids by their support points (Gilbert, Johnson, Keerthi).

A solid is the convex hull of ``points (n, 3)`` grown by a disc: ``disc = (radius, axis)``, radius 0 for none. Box, hull
and triangle are points; a cylinder is its axis and a disc. Balls around solids (spheres, capsules) are left to callers,
who subtract their radii.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.typing import FloatArray

#: [m] how much the distance may still shrink when the search stops.
_TOLERANCE = 1e-9


@njit(cache=True, error_model="numpy")
def _support(points: FloatArray, disc: FloatArray, x: float, y: float, z: float, out: FloatArray) -> None:
    """Write the point of a solid farthest along a direction."""
    best, at = -math.inf, 0
    for i in range(points.shape[0]):
        along = points[i, 0] * x + points[i, 1] * y + points[i, 2] * z
        if along > best:
            best, at = along, i
    out[0], out[1], out[2] = points[at, 0], points[at, 1], points[at, 2]
    if disc[0] > 0.0:
        lift = disc[1] * x + disc[2] * y + disc[3] * z
        px, py, pz = x - lift * disc[1], y - lift * disc[2], z - lift * disc[3]
        length = math.sqrt(px * px + py * py + pz * pz)
        if length > 1e-14:
            scale = disc[0] / length
            out[0], out[1], out[2] = out[0] + scale * px, out[1] + scale * py, out[2] + scale * pz


@njit(cache=True, error_model="numpy")
def _solve(corners: FloatArray, chosen: FloatArray, count: int, weights: FloatArray) -> bool:
    """Weights of the point nearest the origin in the plane of ``count`` corners; whether all are positive."""
    if count == 1:
        weights[0] = 1.0
        return True
    gram, right = np.empty((count - 1, count - 1)), np.empty(count - 1)
    base = int(chosen[0])
    for i in range(1, count):
        a = corners[int(chosen[i])] - corners[base]
        right[i - 1] = -(a @ corners[base])
        for j in range(1, count):
            gram[i - 1, j - 1] = a @ (corners[int(chosen[j])] - corners[base])
    size = count - 1
    # Elimination by hand: three unknowns at most.
    for i in range(size):
        if gram[i, i] <= 1e-14 * (1e-6 + abs(gram[0, 0])):
            return False
        for j in range(i + 1, size):
            factor = gram[j, i] / gram[i, i]
            for k in range(i, size):
                gram[j, k] -= factor * gram[i, k]
            right[j] -= factor * right[i]
    weights[0] = 1.0
    for i in range(size - 1, -1, -1):
        value = right[i]
        for k in range(i + 1, size):
            value -= gram[i, k] * weights[k + 1]
        weights[i + 1] = value / gram[i, i]
        weights[0] -= weights[i + 1]
    return weights[:count].min() >= -1e-12


@njit(cache=True, error_model="numpy")
def _nearest_feature(corners: FloatArray, count: int, best_set: FloatArray, best_weights: FloatArray) -> int:
    """Corners and weights of the point of a simplex nearest the origin; returns how many corners carry it."""
    chosen, weights = np.empty(4), np.empty(4)
    best, size = math.inf, 0
    for subset in range(1, 1 << count):
        members = 0
        for i in range(count):
            if subset >> i & 1:
                chosen[members] = i
                members += 1
        if not _solve(corners, chosen, members, weights):
            continue
        length = 0.0
        for k in range(3):
            part = 0.0
            for i in range(members):
                part += weights[i] * corners[int(chosen[i]), k]
            length += part * part
        if length < best:
            best, size = length, members
            best_set[:members], best_weights[:members] = chosen[:members], weights[:members]
    return size


@njit(cache=True, error_model="numpy")
def convex_distance(
    first: FloatArray, first_disc: FloatArray, second: FloatArray, second_disc: FloatArray, out: FloatArray
) -> float:
    """Distance of two convex solids [m], 0 when they meet; ``out (6,)`` gets the nearest point of each."""
    on_first, on_second, corners = np.empty((5, 3)), np.empty((5, 3)), np.empty((5, 3))
    chosen, weights = np.empty(4), np.empty(4)
    _support(first, first_disc, 1.0, 0.0, 0.0, on_first[0])
    _support(second, second_disc, -1.0, 0.0, 0.0, on_second[0])
    corners[0] = on_first[0] - on_second[0]
    count, weights[0], chosen[0] = 1, 1.0, 0.0
    v = corners[0].copy()
    distance = math.sqrt(v @ v)
    for _ in range(200):
        if distance < 1e-12:
            break
        x, y, z = v[0] / distance, v[1] / distance, v[2] / distance
        _support(first, first_disc, -x, -y, -z, on_first[count])
        _support(second, second_disc, x, y, z, on_second[count])
        corners[count] = on_first[count] - on_second[count]
        reached = corners[count, 0] * x + corners[count, 1] * y + corners[count, 2] * z
        if distance - reached < _TOLERANCE:
            break
        size = _nearest_feature(corners, count + 1, chosen, weights)
        for i in range(size):
            k = int(chosen[i])
            on_first[i], on_second[i], corners[i] = on_first[k].copy(), on_second[k].copy(), corners[k].copy()
        v[:] = 0.0
        for i in range(size):
            v += weights[i] * corners[i]
        shorter = math.sqrt(v @ v)
        count = size
        if size == 4 or shorter < 1e-12:
            distance = 0.0
            break
        if shorter >= distance - 1e-15:
            distance = min(distance, shorter)
            break
        distance = shorter
    out[:] = 0.0
    for i in range(count):
        for k in range(3):
            out[k] += weights[i] * on_first[i, k]
            out[3 + k] += weights[i] * on_second[i, k]
    return distance


@njit(cache=True, error_model="numpy")
def soup_distance(
    triangles: FloatArray, points: FloatArray, disc: FloatArray, stop_below: float, out: FloatArray
) -> float:
    """Distance of triangles ``(n, 9)`` from a convex solid; stops early once it is below ``stop_below``."""
    none, here, best = np.zeros(4), np.empty(6), math.inf
    low, high = np.empty(3), np.empty(3)
    for k in range(3):
        low[k], high[k] = points[:, k].min() - disc[0], points[:, k].max() + disc[0]
    for i in range(triangles.shape[0]):
        gap = 0.0
        for k in range(3):
            least = min(triangles[i, k], triangles[i, 3 + k], triangles[i, 6 + k])
            most = max(triangles[i, k], triangles[i, 3 + k], triangles[i, 6 + k])
            side = max(low[k] - most, least - high[k], 0.0)
            gap += side * side
        if gap >= best * best:
            continue
        d = convex_distance(triangles[i].reshape(3, 3), none, points, disc, here)
        if d < best:
            best = d
            out[:] = here
            if best <= stop_below:
                return best
    return best
