"""Which frames of a clip bring a limb near anything at all: a cheap look before the exact one."""

from __future__ import annotations

import math

import numpy as np

from understudy.collision._hit_kernels import near_solids
from understudy.collision._placing_kernels import place_moving
from understudy.collision._shape_kernels import solid_signed, solid_touches
from understudy.collision.tables import BroadArrays, SolidArrays, TrackArrays
from understudy.compiling.kernel import njit
from understudy.limbs._gap_kernels import axes_apart
from understudy.limbs.tables import PAIR_KIND, PAIR_OTHER, PAIR_OWN, WITH_REST
from understudy.typing import BoolArray, FloatArray, IntArray

#: Between frames a part swings out of the straight line by less than this share of its way, and this much more [m].
_SWING, _SLACK_M = 1.25, 0.002


@njit(cache=True, forceinline=True, error_model="numpy")
def _moved(segments: FloatArray, f: int, c: int) -> float:
    """How far an end of a segment ``(frames, parts, 6)`` is at most from where it is a frame before or after [m]."""
    most = 0.0
    for other in (max(f - 1, 0), min(f + 1, segments.shape[0] - 1)):
        for e in (0, 3):
            way = 0.0
            for i in range(3):
                way += (segments[other, c, e + i] - segments[f, c, e + i]) ** 2
            most = max(most, way)
    return math.sqrt(most)


@njit(cache=True, error_model="numpy")
def pairs_meet(own: FloatArray, rest: FloatArray, pairs: IntArray, gaps: FloatArray, out: BoolArray) -> None:
    """Mark the frames at which a pair, as ``WindowArrays.pairs`` has them, may touch before the next or after the last.

    Parts of the limb ``own (frames, own, 6)`` and others ``rest (frames, rest, 6)`` [m] in one frame of reference;
    ``gaps (pairs,)`` [m] sums of radii.
    """
    for f in range(out.shape[0]):
        for k in range(pairs.shape[0]):
            m, b = pairs[k, PAIR_OWN], pairs[k, PAIR_OTHER]
            with_rest = pairs[k, PAIR_KIND] == WITH_REST
            moved = _moved(rest, f, b) if with_rest else _moved(own, f, b)
            near = gaps[k] + _SWING * (_moved(own, f, m) + moved) + _SLACK_M
            if (axes_apart(own[f], m, rest[f], b) if with_rest else axes_apart(own[f], m, own[f], b)) < near:
                out[f] = True
                break


@njit(cache=True, error_model="numpy")
def frames_near(
    solids: SolidArrays,
    broad: BroadArrays,
    tracks: TrackArrays,
    times: FloatArray,
    segments: FloatArray,
    radii: FloatArray,
    depths: FloatArray,
    solid_speed: float,
    out: BoolArray,
) -> None:
    """Mark the frames at which a part may touch a solid before the next frame or after the last one.

    ``segments (frames, parts, 6)`` in the world; ``solid_speed`` bounds how fast any solid moves [m/s].
    """
    parts = segments.shape[1]
    rows, found = solids.rows.copy(), np.empty(solids.rows.shape[0] + 1, dtype=np.int64)
    placed, bounds, every = np.empty((parts, 9)), np.empty(parts), np.arange(parts)
    frames = segments.shape[0]
    for f in range(frames):
        place_moving(tracks, times[f], rows)
        step = (times[min(f + 1, frames - 1)] - times[max(f - 1, 0)]) * solid_speed
        for c in range(parts):
            moved, half = _moved(segments, f, c), 0.0
            for i in range(3):
                placed[c, i], placed[c, 3 + i] = segments[f, c, i], segments[f, c, 3 + i]
                placed[c, 6 + i] = 0.5 * (segments[f, c, i] + segments[f, c, 3 + i])
                half += (0.5 * (segments[f, c, 3 + i] - segments[f, c, i])) ** 2
            bounds[c] = math.sqrt(half) + radii[c] + _SWING * moved + _SLACK_M + step
        near = near_solids(broad.boxes, broad.links, broad.items, broad.always, rows, placed, bounds, every, 0.0, found)
        out[f] = False
        for n in range(near):
            i = found[n]
            for c in range(parts):
                if out[f] or depths[c, i] == math.inf:
                    continue
                half = 0.0
                for k in range(3):
                    half += (0.5 * (placed[c, 3 + k] - placed[c, k])) ** 2
                reach = bounds[c] - math.sqrt(half) - depths[c, i]
                a = placed[c]
                if reach > 0.0:
                    out[f] = solid_touches(solids, rows, i, a[0], a[1], a[2], a[3], a[4], a[5], reach)
                else:
                    # A part that may be deep in a solid: how deep its axis is.
                    d, _, _, _, _ = solid_signed(solids, rows, i, a[0], a[1], a[2], a[3], a[4], a[5])
                    out[f] = d < reach
