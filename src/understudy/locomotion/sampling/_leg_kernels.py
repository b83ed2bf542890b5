"""Compiled foresight: how deep will the legs pass through each other about a jump?

Around a jump capsules go straight from the earlier clip's place to the later one's; from the jump on a foot that stands
there keeps its place and heading until it lifts, so the later clip's foot is moved by a constant offset
(:mod:`understudy.library.seam_feet`). What the clips do themselves in those frames is allowed.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from understudy.collision._segment_kernels import segments_nearest
from understudy.typing import BoolArray, FloatArray, IntArray

#: Parts of a leg, in this order, with the toes last; what hangs below the knee follows the foot.
THIGH, SHANK, FOOT, TOES = range(4)


@njit(cache=True)
def _apart(legs: FloatArray, i: int, j: int) -> float:
    """Distance of a part of the left leg from one of the right [m], of ``legs (2, 4, 6)``."""
    a, b = legs[0, i], legs[1, j]
    d2, _, _ = segments_nearest(a[0], a[1], a[2], a[3], a[4], a[5], b[0], b[1], b[2], b[3], b[4], b[5])
    return math.sqrt(d2)


@njit(cache=True)
def _moved(points: FloatArray, at: FloatArray, out: FloatArray) -> None:
    """Write capsules ``(2, 4, 6)`` placed by (x, z, yaw)."""
    c, s = math.cos(at[2]), math.sin(at[2])
    for side in range(2):
        for part in range(4):
            for k in (0, 3):
                x, z = points[side, part, k], points[side, part, k + 2]
                out[side, part, k] = at[0] + c * x + s * z
                out[side, part, k + 1] = points[side, part, k + 1]
                out[side, part, k + 2] = at[1] - s * x + c * z


@njit(cache=True)
def _foot(legs: FloatArray, side: int) -> tuple[float, float, float]:
    """Middle of a foot (x, z), between ankle and ball, and where it points."""
    foot = legs[side, FOOT]
    dx, dz = foot[3] - foot[0], foot[5] - foot[2]
    return 0.5 * (foot[0] + foot[3]), 0.5 * (foot[2] + foot[5]), math.atan2(dx, dz)


@njit(cache=True)
def _hold(legs: FloatArray, side: int, offset: FloatArray) -> None:
    """Shift and turn a foot and what follows it by an offset (x, z, yaw) about its middle."""
    mx, mz, _ = _foot(legs, side)
    c, s = math.cos(offset[2]), math.sin(offset[2])
    for part, k in ((SHANK, 3), (FOOT, 0), (FOOT, 3), (TOES, 0), (TOES, 3)):
        x, z = legs[side, part, k] - mx, legs[side, part, k + 2] - mz
        legs[side, part, k] = mx + offset[0] + c * x + s * z
        legs[side, part, k + 2] = mz + offset[1] - s * x + c * z


@njit(cache=True)
def leg_overlaps(
    legs: FloatArray,
    gaps: FloatArray,
    planted: BoolArray,
    out: IntArray,
    into: IntArray,
    carriers: IntArray,
    transforms: FloatArray,
    stops: IntArray,
    half: int,
    after: int,
) -> FloatArray:
    """``(edges,)`` deepest overlap of the legs beyond what the clips show themselves [m].

    Args:
        legs: ``(frames, 2, 4, 6)`` both ends of the legs' capsules in the takes' axes [m].
        gaps: ``(4, 4)`` distance at which a part of the left leg touches one of the right [m]; negative never counts.
        planted: ``(frames, 2)`` whether the feet stand.
        out: ``(edges,)`` frame a jump leaves.
        into: ``(edges,)`` frame it enters.
        carriers: ``(edges,)`` carrying feet, as bits.
        transforms: ``(edges, 3)`` where the entered take lies in the left one's axes.
        stops: ``(frames,)`` last frame of a take.
        half: Frames blended either way.
        after: Frames looked at after the jump.
    """
    found = np.zeros(len(out))
    now, later = np.empty((2, 4, 6)), np.empty((2, 4, 6))
    offsets, held = np.zeros((2, 3)), np.zeros(2, dtype=np.bool_)
    for e in range(len(out)):
        _moved(legs[into[e]], transforms[e], later)
        for side in range(2):
            stands = (carriers[e] >> side) & 1 == 1 or (planted[out[e], side] and planted[into[e], side])
            held[side] = stands
            if stands:
                ex, ez, eh = _foot(legs[out[e]], side)
                lx, lz, lh = _foot(later, side)
                offsets[side, 0], offsets[side, 1] = ex - lx, ez - lz
                offsets[side, 2] = (eh - lh + math.pi) % (2.0 * math.pi) - math.pi
        lifted = np.zeros(2, dtype=np.bool_)
        for d in range(-half, min(after, stops[into[e]] - into[e]) + 1):
            new = into[e] + d
            old = out[e] + min(d, half)
            share = min(max((d + half) / (2.0 * half), 0.0), 1.0)
            share = share * share * (3.0 - 2.0 * share)
            _moved(legs[new], transforms[e], later)
            for side in range(2):
                lifted[side] = lifted[side] or (d > 0 and not planted[new, side])
                if held[side] and not lifted[side]:
                    _hold(later, side, offsets[side])
            for side in range(2):
                for part in range(4):
                    for k in range(6):
                        now[side, part, k] = (1.0 - share) * legs[old, side, part, k] + share * later[side, part, k]
            for i in range(4):
                for j in range(4):
                    if gaps[i, j] <= 0.0:
                        continue
                    depth = gaps[i, j] - _apart(now, i, j)
                    if depth <= found[e]:
                        continue
                    own = gaps[i, j] - _apart(legs[new], i, j)
                    if d <= half:
                        own = max(own, gaps[i, j] - _apart(legs[old], i, j))
                    found[e] = max(found[e], depth - max(own, 0.0))
    return found
