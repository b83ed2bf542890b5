"""Compiled unrolling: clips cross-faded at their seams, then both feet brought to their places by leg IK.

Every frame is either one clip's own, placed, or a mixture of two around a seam. Where a leg is too short for its
foot's place, the root is lowered smoothly first.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.library._foot_kernels import foot_plan, foot_target, left_of, on_floor, smooth
from understudy.library._leg_kernels import lacking, leg_world, placed_leg
from understudy.library.tables import FootageTable, LegTable, WayTable
from understudy.rotations._kernels import qmul, qslerp
from understudy.typing import FloatArray

#: Share of the full leg the hold may use beyond what was recorded; a locked knee pops.
REACH_SHARE = 0.998
#: Cosine of half the angle below which rotations are mixed along the chord.
NEAR_COSINE = 0.95


@njit(cache=True, forceinline=True)
def place_frame(
    footage: FootageTable, frame: int, at: FloatArray, root: FloatArray, turns: FloatArray, whole: bool
) -> None:
    """One footage frame, put where its take lies: root ``(3,)`` and rotations ``(joints, 4)`` are written.

    Without ``whole`` only the root's rotation is.
    """
    x, z = on_floor(at, footage.roots[frame, 0], footage.roots[frame, 2])
    root[0], root[1], root[2] = x, footage.roots[frame, 1], z
    q = footage.rotations[frame, 0]
    turns[0, 0], turns[0, 1], turns[0, 2], turns[0, 3] = qmul(
        math.cos(0.5 * at[2]), 0.0, math.sin(0.5 * at[2]), 0.0, q[0], q[1], q[2], q[3]
    )
    if whole:
        turns[1:] = footage.rotations[frame, 1:]


@njit(cache=True)
def mixed(footage: FootageTable, way: WayTable, roots: FloatArray, turns: FloatArray) -> None:
    """Every frame before its feet are held: roots ``(frames, 3)`` and rotations ``(frames, joints, 4)`` are written."""
    other, turned = np.empty(3), np.empty((1, 4))
    for clip in range(len(way.first)):
        last = way.begins[clip + 1] + (1 if clip == len(way.first) - 1 else 0)
        for frame in range(way.begins[clip], last):
            own = way.first[clip] + frame - way.begins[clip]
            place_frame(footage, own, way.at[clip], roots[frame], turns[frame], True)
    for seam in range(len(way.first) - 1):
        middle, before, after = way.begins[seam + 1], way.before[seam], way.after[seam]
        for k in range(-before, after + 1):
            # What plays is there already; the other clip of the seam is mixed in.
            if k < 0:
                clip, own, share = seam + 1, way.first[seam + 1] + k, smooth((k + before) / max(before + after, 1))
            else:
                clip, own, share = seam, way.last[seam] + k, 1.0 - smooth((k + before) / max(before + after, 1))
            place_frame(footage, own, way.at[clip], other, turned, False)
            _mix(roots[middle + k], turns[middle + k], other, turned[0], footage.rotations[own], share)


@njit(cache=True, forceinline=True)
def _mix(
    root: FloatArray, turns: FloatArray, other: FloatArray, facing: FloatArray, rotations: FloatArray, share: float
) -> None:
    for i in range(3):
        root[i] += share * (other[i] - root[i])
    for j in range(len(turns)):
        b = facing if j == 0 else rotations[j]
        a = turns[j]
        turn_towards(a, b, share)


@njit(cache=True, forceinline=True)
def turn_towards(a: FloatArray, b: FloatArray, share: float) -> None:
    """Turn a rotation ``a`` ``(4,)`` by a share of the way to ``b``, in place.

    Rotations nearer than 36 degrees go along the chord, which is off the arc by at most 0.03 degrees.
    """
    cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    if abs(cosine) < NEAR_COSINE:
        a[0], a[1], a[2], a[3] = qslerp(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], share)
        return
    u, v = 1.0 - share, share if cosine >= 0.0 else -share
    w, x, y, z = u * a[0] + v * b[0], u * a[1] + v * b[1], u * a[2] + v * b[2], u * a[3] + v * b[3]
    size = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    a[0], a[1], a[2], a[3] = size * w, size * x, size * y, size * z


@njit(cache=True)
def reparent(footage: FootageTable, legs: LegTable, way: WayTable, roots: FloatArray, turns: FloatArray) -> None:
    """Move the root around seams so that the carrying ankle goes straight from the one clip's place to the other's.

    Mixed legs are a little shorter than either; without this the knees would have to make up for it.
    """
    work, gap = np.empty((5, 7)), np.empty(3)
    for seam in range(len(way.first) - 1):
        feet = (way.carriers[seam] & 1) + (way.carriers[seam] >> 1)
        before, after = way.before[seam], way.after[seam]
        for k in range(-before, after + 1 if feet > 0 else -before):
            frame, share = way.begins[seam + 1] + k, smooth((k + before) / max(before + after, 1))
            out, into = way.last[seam] + k, way.first[seam + 1] + k
            gap[:] = 0.0
            for side in range(2):
                if not (way.carriers[seam] >> side) & 1:
                    continue
                leg_world(legs, side, roots[frame], turns[frame], work)
                a, b = footage.ankles[out, side], footage.ankles[into, side]
                ax, az = on_floor(way.at[seam], a[0], a[2])
                bx, bz = on_floor(way.at[seam + 1], b[0], b[2])
                gap[0] += ax + share * (bx - ax) - work[4, 4]
                gap[1] += a[1] + share * (b[1] - a[1]) - work[4, 5]
                gap[2] += az + share * (bz - az) - work[4, 6]
            for i in range(3):
                roots[frame, i] += gap[i] / feet


@njit(cache=True)
def foot_targets(footage: FootageTable, way: WayTable, fps: float) -> FloatArray:
    """``(frames, 2, 7)`` where both ankles belong, place and turn."""
    offsets, shares = foot_plan(footage, way, fps)
    targets, other = np.empty((way.begins[-1] + 1, 2, 7)), np.empty(7)
    for clip in range(len(way.first)):
        last = way.begins[clip + 1] + (1 if clip == len(way.first) - 1 else 0)
        for frame in range(way.begins[clip], last):
            own = way.first[clip] + frame - way.begins[clip]
            for side in range(2):
                left = left_of(offsets[clip, side], frame)
                foot_target(footage, way.at[clip], own, side, offsets[clip, side], left, targets[frame, side])
    for seam in range(len(way.first) - 1):
        middle = way.begins[seam + 1]
        for k in range(-way.before[seam], way.after[seam] + 1):
            clip = seam + 1 if k < 0 else seam
            own = way.first[seam + 1] + k if k < 0 else way.last[seam] + k
            for side in range(2):
                share = shares[middle + k, side] if k < 0 else 1.0 - shares[middle + k, side]
                if share == 0.0:
                    continue
                left = left_of(offsets[clip, side], middle + k)
                foot_target(footage, way.at[clip], own, side, offsets[clip, side], left, other)
                a, b = targets[middle + k, side], other
                for i in range(3):
                    a[i] += share * (b[i] - a[i])
                turn_towards(a[3:], b[3:], share)
    return targets


@njit(cache=True)
def lowered(need: FloatArray, half: int) -> FloatArray:
    """A smooth curve nowhere below ``need`` ``(n,)`` [m]: its running maximum over ``half``, then averaged over it."""
    count, out = len(need), np.zeros(len(need))
    cover = np.zeros(count + 2 * half)
    for k in range(len(cover)):
        for i in range(max(k - 2 * half, 0), min(k + 1, count)):
            cover[k] = max(cover[k], need[i])
    weights = 0.5 - 0.5 * np.cos(2.0 * math.pi * np.arange(1, 2 * half + 2) / (2 * half + 2))
    weights /= weights.sum()
    for k in range(count):
        for i in range(2 * half + 1):
            out[k] += weights[i] * cover[k + i]
    return out


@njit(cache=True)
def hold_feet(legs: LegTable, targets: FloatArray, lowering: int, roots: FloatArray, turns: FloatArray) -> float:
    """Bring both feet of every frame to their places.

    Args:
        legs: Both legs.
        targets: ``(frames, 2, 7)`` ankles' places and turns.
        lowering: Half of the time over which the root is lowered and raised again [frames].
        roots: ``(frames, 3)``, changed in place.
        turns: ``(frames, joints, 4)``, changed in place.

    Returns:
        The largest distance at which an ankle misses its place [m].
    """
    count, worst, lacks = len(roots), 0.0, False
    work, need = np.empty((5, 7)), np.zeros(len(roots))
    for frame in range(count):
        for side in range(2):
            leg_world(legs, side, roots[frame], turns[frame], work)
            need[frame] = max(need[frame], lacking(work, targets[frame, side], REACH_SHARE))
        lacks |= need[frame] > 0.0
    if lacks:
        roots[:, 1] -= lowered(need, lowering)
    for frame in range(count):
        for side in range(2):
            leg_world(legs, side, roots[frame], turns[frame], work)
            target = targets[frame, side]
            worst = max(worst, placed_leg(legs, side, turns[frame], target[:3], target[3:], work))
    return worst


@njit(cache=True)
def unrolled(
    footage: FootageTable, legs: LegTable, way: WayTable, fps: float, hold: bool, roots: FloatArray, turns: FloatArray
) -> float:
    """The whole motion of a way; the largest distance at which a held ankle misses its place [m]."""
    mixed(footage, way, roots, turns)
    reparent(footage, legs, way, roots, turns)
    if not hold:
        return 0.0
    return hold_feet(legs, foot_targets(footage, way, fps), max(1, round(0.2 * fps)), roots, turns)
