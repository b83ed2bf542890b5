"""The free point nearest to one that is not free, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from understudy.floor import _query_kernels as queries
from understudy.typing import FloatArray

if TYPE_CHECKING:
    from understudy.floor.floor import Floor

#: Candidates lie this much (relative to the radius) outside of grown obstacles, so that rounding leaves them free.
_OUT = 1e-7


def nearest_free(floor: Floor, point: FloatArray, radius: float) -> FloatArray | None:
    """The nearest centre ``(2,)`` of a free disc; ``None`` when the floor has no room for one.

    It lies on the outline of the obstacles grown by the radius: straight beside an edge, round a corner, or where two
    such outlines cross.
    """
    segments = floor.grid.segments
    away = _distances(segments, point)
    reach = max(2.0 * radius, 0.5)
    farthest = float(away.max()) + radius
    while True:
        near = segments[away <= reach + radius]
        found = _best(floor, near, point, radius, reach)
        if found is not None or reach > farthest:
            return found
        reach *= 2.0


def _best(floor: Floor, near: FloatArray, point: FloatArray, radius: float, reach: float) -> FloatArray | None:
    built = floor.triangulation
    candidates = np.concatenate([_beside(near, point, radius), _crossings(near, point, radius, reach)])
    distance = np.linalg.norm(candidates - point, axis=1)
    close = distance <= reach
    candidates, distance = np.ascontiguousarray(candidates[close]), distance[close]
    free = queries.free_points(built.mesh, floor.grid, candidates, radius)
    if not free.any():
        return None
    return np.asarray(candidates[free][np.argmin(distance[free])])


def _distances(segments: FloatArray, point: FloatArray) -> FloatArray:
    a, d = segments[:, :2], segments[:, 2:] - segments[:, :2]
    t = np.clip(((point - a) * d).sum(axis=1) / (d * d).sum(axis=1), 0.0, 1.0)
    return np.linalg.norm(a + t[:, None] * d - point, axis=1)


def _frames(near: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    a, d = near[:, :2], near[:, 2:] - near[:, :2]
    length = np.linalg.norm(d, axis=1)
    along = d / length[:, None]
    return a, along, np.stack([-along[:, 1], along[:, 0]], axis=1), length


def _beside(near: FloatArray, point: FloatArray, radius: float) -> FloatArray:
    """Points straight beside edges and straight out from their ends."""
    out = radius * (1.0 + _OUT)
    a, along, normal, length = _frames(near)
    t = np.clip(((point - a) * along).sum(axis=1), 0.0, length)
    foot = a + t[:, None] * along
    ends = near.reshape(-1, 2)
    ray = point - ends
    size = np.linalg.norm(ray, axis=1, keepdims=True)
    ray = np.where(size > 1e-12, ray / np.where(size > 1e-12, size, 1.0), np.array([1.0, 0.0]))
    return np.concatenate([foot + out * normal, foot - out * normal, ends + out * ray])


def _crossings(near: FloatArray, point: FloatArray, radius: float, reach: float) -> FloatArray:
    """Points at the radius from two edges or corners at once."""
    out = radius * (1.0 + _OUT)
    a, along, normal, _ = _frames(near)
    starts = np.concatenate([a + out * normal, a - out * normal])
    ways = np.concatenate([along, along])
    i, j = np.triu_indices(len(starts), 1)
    cross = ways[i, 0] * ways[j, 1] - ways[i, 1] * ways[j, 0]
    i, j, cross = i[np.abs(cross) > 1e-9], j[np.abs(cross) > 1e-9], cross[np.abs(cross) > 1e-9]
    gap = starts[j] - starts[i]
    t = (gap[:, 0] * ways[j, 1] - gap[:, 1] * ways[j, 0]) / cross
    meet = starts[i] + t[:, None] * ways[i]
    centres = np.unique(near.reshape(-1, 2), axis=0)
    centres = centres[np.linalg.norm(centres - point, axis=1) <= reach + 2.0 * radius]
    # Lines with circles.
    offset = centres[None] - starts[:, None]
    middle = (offset * ways[:, None]).sum(axis=2)
    height2 = out * out - ((offset**2).sum(axis=2) - middle**2)
    row, column = np.nonzero(height2 >= 0.0)
    half = np.sqrt(height2[row, column])
    on_line = [starts[row] + (middle[row, column] + sign * half)[:, None] * ways[row] for sign in (-1.0, 1.0)]
    # Circles with circles.
    i, j = np.triu_indices(len(centres), 1)
    gap = centres[j] - centres[i]
    size2 = (gap**2).sum(axis=1)
    ok = (size2 > 1e-18) & (size2 <= 4.0 * out * out)
    i, j, gap, size2 = i[ok], j[ok], gap[ok], size2[ok]
    height = np.sqrt(out * out / size2 - 0.25)
    side = np.stack([-gap[:, 1], gap[:, 0]], axis=1) * height[:, None]
    middles = 0.5 * (centres[i] + centres[j])
    return np.concatenate([meet, *on_line, middles + side, middles - side])
