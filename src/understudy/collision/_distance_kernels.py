"""Signed distances of a body's capsules, with witnesses and normals.

A row of a report is ``d, capsule, other, s, t, normal (3), point on the capsule (3), point on the other (3)``.
``d`` [m]; ``other`` a solid, or a capsule in a self pair; ``s`` and ``t`` where on the segments of the capsule and,
in a self pair, of the other; the normal points from the other to the capsule. ``d``'s gradient: ``(1 - s) n`` and
``s n`` for the capsule's ends, ``-(1 - t) n`` and ``-t n`` for the other capsule's.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.collision._placing_kernels import place_capsules, place_joints, place_moving
from understudy.collision._segment_kernels import segments_nearest, segments_signed
from understudy.collision._shape_kernels import solid_signed
from understudy.collision.tables import BOUND, CENTRE, SELF, BodyArrays, PartArrays, Placed, SolidArrays, TrackArrays
from understudy.compiling.kernel import njit
from understudy.typing import BoolArray, FloatArray


@njit(cache=True, error_model="numpy")
def _apart(segments: FloatArray, c: int, x: float, y: float, z: float) -> float:
    """Distance of a capsule's middle from a point."""
    x, y, z = segments[c, 6] - x, segments[c, 7] - y, segments[c, 8] - z
    return math.sqrt(x * x + y * y + z * z)


@njit(cache=True, error_model="numpy")
def _write(
    out: FloatArray,
    row: int,
    segments: FloatArray,
    c: int,
    other: int,
    d: float,
    s: float,
    t: float,
    nx: float,
    ny: float,
    nz: float,
    radius: float,
) -> None:
    """Write one row of a report; ``d`` is the distance of the surfaces."""
    out[row, 0], out[row, 1], out[row, 2], out[row, 3], out[row, 4] = d, c, other, s, t
    out[row, 5], out[row, 6], out[row, 7] = nx, ny, nz
    for k in range(3):
        on = segments[c, k] + s * (segments[c, 3 + k] - segments[c, k]) - radius * out[row, 5 + k]
        out[row, 8 + k] = on
        out[row, 11 + k] = on - d * out[row, 5 + k]


@njit(cache=True, error_model="numpy")
def pair_row(segments: FloatArray, i: int, j: int, gap: float, radius: float, out: FloatArray, row: int) -> None:
    """Report capsules ``i`` and ``j``, which touch when their segments are ``gap`` apart."""
    ax, ay, az = segments[i, 0], segments[i, 1], segments[i, 2]
    bx, by, bz = segments[i, 3], segments[i, 4], segments[i, 5]
    cx, cy, cz = segments[j, 0], segments[j, 1], segments[j, 2]
    dx, dy, dz = segments[j, 3], segments[j, 4], segments[j, 5]
    d, s, nx, ny, nz = segments_signed(ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz)
    _, _, t = segments_nearest(ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz)
    _write(out, row, segments, i, j, d - gap, s, t, nx, ny, nz, radius)


@njit(cache=True, error_model="numpy")
def nearest_rows(
    body: BodyArrays,
    part: PartArrays,
    solids: SolidArrays,
    rows: FloatArray,
    segments: FloatArray,
    touchable: BoolArray,
    out: FloatArray,
) -> None:
    """Write the nearest pair with the scene, with others and with itself into the three rows of ``out``."""
    for category in range(3):
        out[category, 0], out[category, 1], out[category, 2] = math.inf, -1.0, -1.0
    for k in range(part.pairs.shape[0]):
        i, j = part.pairs[k, 0], part.pairs[k, 1]
        # Slack makes a pair farther apart than its radii say.
        slack = body.radii[i] + body.radii[j] - part.gaps[k]
        bound = _apart(segments, i, segments[j, 6], segments[j, 7], segments[j, 8]) - body.bounds[i] - body.bounds[j]
        if bound + slack >= out[SELF, 0]:
            continue
        best = out[SELF].copy()
        pair_row(segments, i, j, part.gaps[k], body.radii[i], out, SELF)
        if best[0] <= out[SELF, 0]:
            out[SELF] = best
    for i in range(rows.shape[0]):
        category = solids.kinds[i, 2]
        for k in range(part.capsules.shape[0]):
            c = part.capsules[k]
            apart = _apart(segments, c, rows[i, CENTRE], rows[i, CENTRE + 1], rows[i, CENTRE + 2])
            if apart - body.bounds[c] - rows[i, BOUND] >= out[category, 0] or not touchable[c, i]:
                continue
            ax, ay, az = segments[c, 0], segments[c, 1], segments[c, 2]
            bx, by, bz = segments[c, 3], segments[c, 4], segments[c, 5]
            d, s, nx, ny, nz = solid_signed(solids, rows, i, ax, ay, az, bx, by, bz)
            d -= body.radii[c]
            if d < out[category, 0]:
                _write(out, category, segments, c, i, d, s, 0.0, nx, ny, nz, body.radii[c])


@njit(cache=True, error_model="numpy")
def near_rows(
    body: BodyArrays,
    part: PartArrays,
    solids: SolidArrays,
    rows: FloatArray,
    segments: FloatArray,
    touchable: BoolArray,
    within: float,
    out: FloatArray,
) -> tuple[int, int]:
    """Write every pair nearer than ``within``: self pairs first; returns how many of those and how many in all."""
    count = 0
    for k in range(part.pairs.shape[0]):
        i, j = part.pairs[k, 0], part.pairs[k, 1]
        slack = body.radii[i] + body.radii[j] - part.gaps[k]
        bound = _apart(segments, i, segments[j, 6], segments[j, 7], segments[j, 8]) - body.bounds[i] - body.bounds[j]
        if bound + slack < within:
            pair_row(segments, i, j, part.gaps[k], body.radii[i], out, count)
            if out[count, 0] < within:
                count += 1
    own = count
    for i in range(rows.shape[0]):
        for k in range(part.capsules.shape[0]):
            c = part.capsules[k]
            apart = _apart(segments, c, rows[i, CENTRE], rows[i, CENTRE + 1], rows[i, CENTRE + 2])
            if apart - body.bounds[c] - rows[i, BOUND] >= within or not touchable[c, i]:
                continue
            ax, ay, az = segments[c, 0], segments[c, 1], segments[c, 2]
            bx, by, bz = segments[c, 3], segments[c, 4], segments[c, 5]
            d, s, nx, ny, nz = solid_signed(solids, rows, i, ax, ay, az, bx, by, bz)
            d -= body.radii[c]
            if d < within:
                _write(out, count, segments, c, i, d, s, 0.0, nx, ny, nz, body.radii[c])
                count += 1
    return own, count


@njit(cache=True, error_model="numpy")
def poses_nearest(
    body: BodyArrays,
    part: PartArrays,
    solids: SolidArrays,
    tracks: TrackArrays,
    placed: Placed,
    roots: FloatArray,
    local: FloatArray,
    times: FloatArray,
    touchable: BoolArray,
    out: FloatArray,
) -> None:
    """Nearest pairs ``(F, 3, 14)`` of each of ``F`` poses; arguments as in ``_hit_kernels.poses_hit``."""
    at, turned, segments = placed.at, placed.turned, placed.segments
    rows = solids.rows.copy() if tracks.spans.shape[0] > 0 else solids.rows
    known_s = math.nan
    for f in range(local.shape[0]):
        t = times[min(f, times.shape[0] - 1)]
        if t != known_s:
            place_moving(tracks, t, rows)
            known_s = t
        place_joints(body.parents, body.offsets, part.joints, roots, local, f, at, turned)
        place_capsules(body.joints, body.ends, part.capsules, at, turned, segments)
        nearest_rows(body, part, solids, rows, segments, touchable, out[f])


@njit(cache=True, error_model="numpy")
def pose_near(
    body: BodyArrays,
    part: PartArrays,
    solids: SolidArrays,
    tracks: TrackArrays,
    placed: Placed,
    roots: FloatArray,
    local: FloatArray,
    times: FloatArray,
    touchable: BoolArray,
    within: float,
) -> tuple[int, FloatArray]:
    """How many self pairs, and the rows of all pairs, nearer than ``within`` in one pose."""
    at, turned, segments = placed.at, placed.turned, placed.segments
    rows = solids.rows.copy()
    place_moving(tracks, times[0], rows)
    place_joints(body.parents, body.offsets, part.joints, roots, local, 0, at, turned)
    place_capsules(body.joints, body.ends, part.capsules, at, turned, segments)
    out = np.zeros((part.pairs.shape[0] + part.capsules.shape[0] * rows.shape[0] + 1, 14))
    own, count = near_rows(body, part, solids, rows, segments, touchable, within, out)
    return own, out[:count].copy()
