"""Whether a body touches itself or the world; stops at the first hit."""

from __future__ import annotations

import math

import numpy as np
from numba import prange

from understudy.collision._box_kernels import box_nearest
from understudy.collision._placing_kernels import place_capsules, place_joints, place_moving
from understudy.collision._segment_kernels import pair_nearest, segments_nearest
from understudy.collision._shape_kernels import into_solid, solid_touches
from understudy.collision._tree_kernels import apart
from understudy.collision.tables import (
    BOUND,
    BOX,
    CAPSULE,
    CENTRE,
    SIZE,
    SPHERE,
    TURN,
    BodyArrays,
    BroadArrays,
    PartArrays,
    Placed,
    SolidArrays,
    TrackArrays,
)
from understudy.compiling.kernel import njit
from understudy.typing import BoolArray, FloatArray, IntArray


@njit(cache=True, error_model="numpy")
def pairs_touch(segments: FloatArray, bounds: FloatArray, pairs: IntArray, gaps: FloatArray, clearance: float) -> int:
    """First of the pairs of capsules nearer than ``clearance`` to each other, or -1."""
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        x, y, z = (
            segments[i, 6] - segments[j, 6],
            segments[i, 7] - segments[j, 7],
            segments[i, 8] - segments[j, 8],
        )
        reach = bounds[i] + bounds[j] + clearance
        if x * x + y * y + z * z >= reach * reach:
            continue
        d2, _, _ = pair_nearest(segments, i, j)
        gap = gaps[k] + clearance
        if gap > 0.0 and d2 < gap * gap:
            return k
    return -1


@njit(cache=True, error_model="numpy")
def _ball_meets_box(rows: FloatArray, i: int, lx: float, ly: float, lz: float, hx: float, hy: float, hz: float) -> bool:
    """Whether the bounding sphere of solid ``i`` meets the box ``l .. h``."""
    x = max(lx - rows[i, CENTRE], rows[i, CENTRE] - hx, 0.0)
    y = max(ly - rows[i, CENTRE + 1], rows[i, CENTRE + 1] - hy, 0.0)
    z = max(lz - rows[i, CENTRE + 2], rows[i, CENTRE + 2] - hz, 0.0)
    return x * x + y * y + z * z < rows[i, BOUND] * rows[i, BOUND]


@njit(cache=True, error_model="numpy")
def near_solids(
    boxes: FloatArray,
    links: IntArray,
    items: IntArray,
    always: IntArray,
    rows: FloatArray,
    segments: FloatArray,
    bounds: FloatArray,
    capsules: IntArray,
    margin: float,
    found: IntArray,
) -> int:
    """Write the solids whose boxes come within ``margin`` of the capsules' common box; returns how many."""
    lx, ly, lz, hx, hy, hz = math.inf, math.inf, math.inf, -math.inf, -math.inf, -math.inf
    for k in range(capsules.shape[0]):
        c = capsules[k]
        x, y, z, r = segments[c, 6], segments[c, 7], segments[c, 8], bounds[c] + margin
        lx, ly, lz = min(lx, x - r), min(ly, y - r), min(lz, z - r)
        hx, hy, hz = max(hx, x + r), max(hy, y + r), max(hz, z + r)
    count = 0
    node, last = 0, boxes.shape[0]
    while node < last:
        if apart(boxes, node, lx, ly, lz, hx, hy, hz):
            node = links[node, 0]
            continue
        for i in range(links[node, 1], links[node, 1] + links[node, 2]):
            item = items[i]
            found[count] = item
            count += _ball_meets_box(rows, item, lx, ly, lz, hx, hy, hz)
        node += 1
    for i in range(always.shape[0]):
        item = always[i]
        found[count] = item
        count += _ball_meets_box(rows, item, lx, ly, lz, hx, hy, hz)
    return count


@njit(cache=True, error_model="numpy")
def _box_hit(
    rows: FloatArray,
    i: int,
    segments: FloatArray,
    bounds: FloatArray,
    radii: FloatArray,
    capsules: IntArray,
    touchable: BoolArray,
    clearance: float,
) -> int:
    """First of the capsules nearer than ``clearance`` to box ``i``, or -1."""
    cx, cy, cz, bound = rows[i, CENTRE], rows[i, CENTRE + 1], rows[i, CENTRE + 2], rows[i, BOUND] + clearance
    hx, hy, hz = rows[i, SIZE], rows[i, SIZE + 1], rows[i, SIZE + 2]
    for k in range(capsules.shape[0]):
        c = capsules[k]
        x, y, z = segments[c, 6] - cx, segments[c, 7] - cy, segments[c, 8] - cz
        reach = bounds[c] + bound
        if x * x + y * y + z * z >= reach * reach or not touchable[c, i]:
            continue
        # Long thin boxes have large bounding spheres, so the capsule's own sphere is tried against the box itself.
        x, y, z = into_solid(rows, i, segments[c, 6], segments[c, 7], segments[c, 8])
        x, y, z = max(abs(x) - hx, 0.0), max(abs(y) - hy, 0.0), max(abs(z) - hz, 0.0)
        reach = bounds[c] + clearance
        if x * x + y * y + z * z >= reach * reach:
            continue
        ax, ay, az = into_solid(rows, i, segments[c, 0], segments[c, 1], segments[c, 2])
        bx, by, bz = into_solid(rows, i, segments[c, 3], segments[c, 4], segments[c, 5])
        reach = radii[c] + clearance
        d2, _ = box_nearest(ax, ay, az, bx, by, bz, hx, hy, hz)
        if reach > 0.0 and d2 < reach * reach:
            return c
    return -1


@njit(cache=True, error_model="numpy")
def _capsule_hit(
    rows: FloatArray,
    i: int,
    segments: FloatArray,
    bounds: FloatArray,
    radii: FloatArray,
    capsules: IntArray,
    touchable: BoolArray,
    clearance: float,
) -> int:
    """First of the capsules nearer than ``clearance`` to capsule or sphere ``i`` of the world, or -1."""
    cx, cy, cz, bound = rows[i, CENTRE], rows[i, CENTRE + 1], rows[i, CENTRE + 2], rows[i, BOUND] + clearance
    thick, half = rows[i, SIZE] + clearance, rows[i, SIZE + 1]
    ux, uy, uz = half * rows[i, TURN + 1], half * rows[i, TURN + 4], half * rows[i, TURN + 7]
    for k in range(capsules.shape[0]):
        c = capsules[k]
        x, y, z = segments[c, 6] - cx, segments[c, 7] - cy, segments[c, 8] - cz
        reach = bounds[c] + bound
        if x * x + y * y + z * z >= reach * reach or not touchable[c, i]:
            continue
        d2, _, _ = segments_nearest(
            segments[c, 0],
            segments[c, 1],
            segments[c, 2],
            segments[c, 3],
            segments[c, 4],
            segments[c, 5],
            cx - ux,
            cy - uy,
            cz - uz,
            cx + ux,
            cy + uy,
            cz + uz,
        )
        reach = radii[c] + thick
        if reach > 0.0 and d2 < reach * reach:
            return c
    return -1


@njit(cache=True, error_model="numpy")
def _solid_hit(
    solids: SolidArrays,
    rows: FloatArray,
    i: int,
    segments: FloatArray,
    bounds: FloatArray,
    radii: FloatArray,
    capsules: IntArray,
    touchable: BoolArray,
    clearance: float,
) -> int:
    """First of the capsules nearer than ``clearance`` to solid ``i`` of any kind, or -1."""
    cx, cy, cz, bound = rows[i, CENTRE], rows[i, CENTRE + 1], rows[i, CENTRE + 2], rows[i, BOUND] + clearance
    for k in range(capsules.shape[0]):
        c = capsules[k]
        x, y, z = segments[c, 6] - cx, segments[c, 7] - cy, segments[c, 8] - cz
        reach = bounds[c] + bound
        if x * x + y * y + z * z >= reach * reach or not touchable[c, i]:
            continue
        ax, ay, az = segments[c, 0], segments[c, 1], segments[c, 2]
        bx, by, bz = segments[c, 3], segments[c, 4], segments[c, 5]
        if solid_touches(solids, rows, i, ax, ay, az, bx, by, bz, radii[c] + clearance):
            return c
    return -1


@njit(cache=True, error_model="numpy")
def poses_hit(
    body: BodyArrays,
    part: PartArrays,
    solids: SolidArrays,
    broad: BroadArrays,
    tracks: TrackArrays,
    placed: Placed,
    roots: FloatArray,
    local: FloatArray,
    times: FloatArray,
    touchable: BoolArray,
    clearance: float,
    out: BoolArray,
) -> None:
    """Whether a part touches anything in each of ``F`` poses.

    ``local (F, part's joints, 4)``; ``roots`` and ``times`` have ``F`` rows or one. ``placed`` holds the
    rest of the body in place and is written to, as are the rows of moving solids.
    """
    at, turned, segments = placed.at, placed.turned, placed.segments
    rows = solids.rows.copy() if tracks.spans.shape[0] > 0 else solids.rows
    kinds, capsules, pairs, gaps = solids.kinds, part.capsules, part.pairs, part.gaps
    bounds, radii = body.bounds, body.radii
    boxes, links, items, always = broad.boxes, broad.links, broad.items, broad.always
    found = np.empty(kinds.shape[0], dtype=np.int64)
    known_s = math.nan
    for f in range(local.shape[0]):
        t = times[min(f, times.shape[0] - 1)]
        if t != known_s:
            place_moving(tracks, t, rows)
            known_s = t
        place_joints(body.parents, body.offsets, part.joints, roots, local, f, at, turned)
        place_capsules(body.joints, body.ends, capsules, at, turned, segments)
        hit = pairs_touch(segments, bounds, pairs, gaps, clearance)
        count = 0
        if hit < 0:
            count = near_solids(boxes, links, items, always, rows, segments, bounds, capsules, clearance, found)
        for k in range(count):
            i = found[k]
            # Boxes and capsules make up most scenes; their loops see plain arrays, which keeps calls cheap.
            if kinds[i, 0] == BOX:
                hit = _box_hit(rows, i, segments, bounds, radii, capsules, touchable, clearance)
            elif kinds[i, 0] == CAPSULE or kinds[i, 0] == SPHERE:
                hit = _capsule_hit(rows, i, segments, bounds, radii, capsules, touchable, clearance)
            else:
                hit = _solid_hit(solids, rows, i, segments, bounds, radii, capsules, touchable, clearance)
            if hit >= 0:
                break
        out[f] = hit >= 0


@njit(cache=True, parallel=True)
def poses_hit_parallel(
    body: BodyArrays,
    part: PartArrays,
    solids: SolidArrays,
    broad: BroadArrays,
    tracks: TrackArrays,
    placed: Placed,
    roots: FloatArray,
    local: FloatArray,
    times: FloatArray,
    touchable: BoolArray,
    clearance: float,
    out: BoolArray,
    chunks: int,
) -> None:
    """As :func:`poses_hit`, in ``chunks`` threads."""
    frames = local.shape[0]
    for k in prange(chunks):
        start, end = frames * k // chunks, frames * (k + 1) // chunks
        poses_hit(
            body,
            part,
            solids,
            broad,
            tracks,
            Placed(placed.at.copy(), placed.turned.copy(), placed.segments.copy()),
            roots[start:end] if roots.shape[0] > 1 else roots,
            local[start:end],
            times[start:end] if times.shape[0] > 1 else times,
            touchable,
            clearance,
            out[start:end],
        )
