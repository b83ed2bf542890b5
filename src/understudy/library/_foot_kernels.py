"""Compiled foot plans: where feet belong around the seams of an unrolled motion.

A foot that stands at a seam in both clips stays where the earlier clip had put it. The later clip's foot gets a
constant offset from there on; the offset fades while that foot swings, so the next foothold is the clip's own again.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.library.tables import FootageTable, WayTable
from understudy.typing import FloatArray

#: A foot that lands less than so many frames before a seam lands at the seam.
LANDING_FRAMES = 3
#: Columns of an offset: move over the floor x, z [m], turn [rad], rise [m], frame it holds until, frame it is gone at.
X, Z, YAW, RISE, LIFT, LAND = 0, 1, 2, 3, 4, 5


@njit(cache=True, forceinline=True)
def smooth(t: float) -> float:
    """Quintic ease from 0 to 1, clamped."""
    t = min(max(t, 0.0), 1.0)
    return t * t * t * (10.0 - 15.0 * t + 6.0 * t * t)


@njit(cache=True, forceinline=True)
def left_of(offset: FloatArray, frame: int) -> float:
    """Share of an offset that is left at a frame."""
    return 1.0 - smooth((frame - offset[LIFT]) / max(offset[LAND] - offset[LIFT], 1.0))


@njit(cache=True, forceinline=True)
def on_floor(at: FloatArray, x: float, z: float) -> tuple[float, float]:
    """A floor point of a take, in the world."""
    c, s = math.cos(at[2]), math.sin(at[2])
    return at[0] + c * x + s * z, at[1] - s * x + c * z


@njit(cache=True)
def _stands(footage: FootageTable, way: WayTable, frame: int, side: int, clip: int) -> bool:
    """Whether a foot stands at a frame of the motion, by the clip that plays."""
    while clip + 1 < len(way.first) and frame >= way.begins[clip + 1]:
        clip += 1
    return bool(footage.planted[way.first[clip] + frame - way.begins[clip], side])


@njit(cache=True)
def _swing_after(footage: FootageTable, way: WayTable, clip: int, side: int, fps: float) -> tuple[int, int]:
    """When a foot that stands where a clip begins lifts off and lands again; past the end when it does not.

    Gaps too short for a step (0.15 s) are no swing: the foot only stirs. An offset whose foot never lands again fades
    within 0.4 s.
    """
    least, usual = round(0.15 * fps), round(0.4 * fps)
    end, frame = way.begins[-1] + 1, way.begins[clip]
    while frame < end:
        if _stands(footage, way, frame, side, clip):
            frame += 1
            continue
        lift = frame
        while frame < end and not _stands(footage, way, frame, side, clip):
            frame += 1
        if frame == end:
            return lift, max(lift + usual, end)
        if frame - lift >= least:
            return lift, frame
    return end, end + usual


@njit(cache=True)
def _ramp(shares: FloatArray, side: int, begin: int, first: int, last: int, stop: int) -> None:
    for frame in range(begin, stop):
        shares[frame, side] = smooth((frame - first) / max(last - first, 1))


@njit(cache=True)
def _share_of_standing(
    footage: FootageTable, out: int, into: int, side: int, before: int, after: int
) -> tuple[int, int]:
    """First and last frame, from the seam, of the change of a foot that stands there: while both clips' feet stand.

    Both feet are in one place at the seam, so even a quick change there moves little.
    """
    if not (footage.planted[out, side] or footage.planted[into, side]):
        return -before, after
    first, last = -before, after
    for k in range(0, -before - 1, -1):
        if not (footage.planted[out + k, side] and footage.planted[into + k, side]):
            first = k
            break
    for k in range(after + 1):
        if not (footage.planted[out + k, side] and footage.planted[into + k, side]):
            last = k
            break
    # A few frames either way soften what is left of a moving foot.
    return min(first, -2), max(last, 2)


@njit(cache=True)
def _swing_at(footage: FootageTable, out: int, into: int, side: int, before: int, after: int) -> tuple[int, int]:
    """When, from the seam, the earlier clip's foot lifts off, and when the later clip's lands.

    A foot that swings up to the seam has to be the later clip's when it first touches the ground.
    """
    near = max(-LANDING_FRAMES, -before)
    if not footage.planted[out + near, side]:
        lifted = -before
        for k in range(near - 1, -before - 1, -1):
            if footage.planted[out + k, side]:
                lifted = k
                break
        for k in range(max(lifted, near) + 1, after + 1):
            if footage.planted[out + k, side] or footage.planted[into + k, side]:
                return lifted, max(k, lifted + 4)
        return lifted, after
    lifted, landed = 0, after
    for k in range(0, -before - 1, -1):
        if footage.planted[out + k, side]:
            lifted = k
            break
    for k in range(after + 1):
        if footage.planted[into + k, side]:
            landed = k
            break
    return lifted, landed


@njit(cache=True)
def foot_plan(footage: FootageTable, way: WayTable, fps: float) -> tuple[FloatArray, FloatArray]:
    """The offset ``(clips, 2, 6)`` of every clip's feet, and ``(frames, 2)`` the later clip's share in their places."""
    clips = len(way.first)
    offsets, shares = np.zeros((clips, 2, 6)), np.zeros((way.begins[-1] + 1, 2))
    offsets[0, :, LAND] = 1.0
    for seam in range(clips - 1):
        out, into = way.last[seam], way.first[seam + 1]
        frame, before, after = way.begins[seam + 1], way.before[seam], way.after[seam]
        for side in range(2):
            carries = (way.carriers[seam] >> side) & 1
            lifted, landed = _swing_at(footage, out, into, side, before, after)
            # A foot that would have to change places within a few frames had better stay.
            stands = carries or (lifted >= -LANDING_FRAMES and landed - lifted < 0.13 * fps)
            if stands:
                first, last = _share_of_standing(footage, out, into, side, before, after)
                _carry_over(footage, way, offsets, seam, side)
                lift, land = _swing_after(footage, way, seam + 1, side, fps)
                offsets[seam + 1, side, LIFT], offsets[seam + 1, side, LAND] = lift, land
            else:
                first, last = lifted, landed
                offsets[seam + 1, side] = offsets[seam, side]
            _ramp(shares, side, frame - before, frame + first, frame + last, frame + after + 1)
    return offsets, shares


@njit(cache=True)
def _carry_over(footage: FootageTable, way: WayTable, offsets: FloatArray, seam: int, side: int) -> None:
    """The offset that puts the later clip's foot where the earlier clip's is at the seam."""
    out, into = way.last[seam], way.first[seam + 1]
    current, new = offsets[seam, side], offsets[seam + 1, side]
    left = left_of(current, way.begins[seam + 1])
    ax, az = on_floor(way.at[seam], footage.middles[out, side, 0], footage.middles[out, side, 2])
    bx, bz = on_floor(way.at[seam + 1], footage.middles[into, side, 0], footage.middles[into, side, 2])
    new[X], new[Z] = ax + left * current[X] - bx, az + left * current[Z] - bz
    turn = footage.headings[out, side] + way.at[seam, 2] + left * current[YAW]
    turn -= footage.headings[into, side] + way.at[seam + 1, 2]
    new[YAW] = (turn + math.pi) % (2.0 * math.pi) - math.pi
    new[RISE] = footage.middles[out, side, 1] + left * current[RISE] - footage.middles[into, side, 1]


@njit(cache=True, forceinline=True)
def foot_target(
    footage: FootageTable, at: FloatArray, frame: int, side: int, offset: FloatArray, left: float, out: FloatArray
) -> None:
    """Where a clip's ankle belongs: place and turn ``(7,)``, moved by what is left of an offset."""
    yaw, turned = at[2], left * offset[YAW]
    mx, mz = on_floor(at, footage.middles[frame, side, 0], footage.middles[frame, side, 2])
    ax, az = on_floor(at, footage.ankles[frame, side, 0], footage.ankles[frame, side, 2])
    c, s = math.cos(turned), math.sin(turned)
    dx, dz = ax - mx, az - mz
    out[0] = mx + left * offset[X] + c * dx + s * dz
    out[1] = footage.ankles[frame, side, 1] + left * offset[RISE]
    out[2] = mz + left * offset[Z] - s * dx + c * dz
    c, s = math.cos(0.5 * (yaw + turned)), math.sin(0.5 * (yaw + turned))
    q = footage.ankle_turns[frame, side]
    w, x, y, z = q[0], q[1], q[2], q[3]
    out[3], out[4], out[5], out[6] = c * w - s * y, c * x + s * z, c * y + s * w, c * z - s * x
