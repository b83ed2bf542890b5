"""Compiled trial of seams: two clips joined as they would be in a walk, and what is wrong with the result."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from understudy.kinematics._kernels import forward_frames
from understudy.library._unroll_kernels import unrolled
from understudy.library.tables import BodyTable, FootageTable, LegTable, Seams, WayTable
from understudy.rotations._kernels import qlog, qmul, qrot
from understudy.typing import FloatArray

#: Faults of a seam.
FINE, LEGS_TOUCH, SHAKES, JUMPS, SINKS = 0, 1, 2, 3, 4
#: [m] legs nearer than this are looked at so many times a frame.
NEAR_M, BETWEEN = 0.06, 4


@njit(cache=True)
def capsule_ends(body: BodyTable, positions: FloatArray, turns: FloatArray, out: FloatArray) -> None:
    """Both ends ``(capsules, 2, 3)`` of the legs' capsules, from joints' world transforms."""
    for k in range(len(body.joints)):
        j = body.joints[k]
        for end in range(2):
            p, q = body.ends[k, end], turns[j]
            x, y, z = qrot(q[0], q[1], q[2], q[3], p[0], p[1], p[2])
            out[k, end, 0], out[k, end, 1], out[k, end, 2] = (
                positions[j, 0] + x,
                positions[j, 1] + y,
                positions[j, 2] + z,
            )


@njit(cache=True)
def _point_gap2(p: FloatArray, a: FloatArray, b: FloatArray) -> float:
    """Squared distance of a point from a segment."""
    ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    x, y, z = p[0] - a[0], p[1] - a[1], p[2] - a[2]
    size = ux * ux + uy * uy + uz * uz
    t = min(max((x * ux + y * uy + z * uz) / max(size, 1e-300), 0.0), 1.0)
    x, y, z = x - t * ux, y - t * uy, z - t * uz
    return x * x + y * y + z * z


@njit(cache=True)
def axis_gap(a: FloatArray, b: FloatArray) -> float:
    """Distance of two segments ``(2, 3)`` [m]."""
    best = min(
        min(_point_gap2(a[0], b[0], b[1]), _point_gap2(a[1], b[0], b[1])),
        min(_point_gap2(b[0], a[0], a[1]), _point_gap2(b[1], a[0], a[1])),
    )
    ux, uy, uz = a[1, 0] - a[0, 0], a[1, 1] - a[0, 1], a[1, 2] - a[0, 2]
    vx, vy, vz = b[1, 0] - b[0, 0], b[1, 1] - b[0, 1], b[1, 2] - b[0, 2]
    wx, wy, wz = a[0, 0] - b[0, 0], a[0, 1] - b[0, 1], a[0, 2] - b[0, 2]
    uu, vv, uv = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, ux * vx + uy * vy + uz * vz
    uw, vw = ux * wx + uy * wy + uz * wz, vx * wx + vy * wy + vz * wz
    spread = uu * vv - uv * uv
    if spread > 1e-12 * uu * vv:
        s, t = (uv * vw - vv * uw) / spread, (uu * vw - uv * uw) / spread
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            x, y, z = wx + s * ux - t * vx, wy + s * uy - t * vy, wz + s * uz - t * vz
            best = min(best, x * x + y * y + z * z)
    return math.sqrt(best)


@njit(cache=True)
def leg_gaps(body: BodyTable, ends: FloatArray, following: FloatArray, out: FloatArray) -> None:
    """``(pairs,)`` least signed distances [m] of pairs of leg capsules ``(capsules, 2, 3)`` from a frame to the next.

    A swinging foot passes the standing leg by centimetres a frame, so pairs that are near are looked at in between.
    """
    one, two = np.empty((2, 3)), np.empty((2, 3))
    for k in range(len(body.pairs)):
        a, b = body.pairs[k, 0], body.pairs[k, 1]
        gap = axis_gap(ends[a], ends[b])
        radii = body.radii[a] + body.radii[b]
        if gap - radii < NEAR_M:
            for step in range(1, BETWEEN):
                share = step / BETWEEN
                for end in range(2):
                    for i in range(3):
                        one[end, i] = ends[a, end, i] + share * (following[a, end, i] - ends[a, end, i])
                        two[end, i] = ends[b, end, i] + share * (following[b, end, i] - ends[b, end, i])
                gap = min(gap, axis_gap(one, two))
        out[k] = gap - radii


@njit(cache=True)
def footage_legs(body: BodyTable, places: FloatArray, turns: FloatArray, ends: FloatArray, gaps: FloatArray) -> None:
    """Capsule ends and distances of the legs in every frame of footage, from joints' world transforms."""
    for f in range(len(places)):
        capsule_ends(body, places[f], turns[f], ends[f])
    for f in range(len(places)):
        leg_gaps(body, ends[f], ends[min(f + 1, len(places) - 1)], gaps[f])


@njit(cache=True)
def spins(turns: FloatArray, fps: float) -> FloatArray:
    """``(frames - 1, joints, 3)`` angular velocities [rad/s] between frames, in the parents' axes."""
    out = np.empty((len(turns) - 1, turns.shape[1], 3))
    for f in range(len(turns) - 1):
        for j in range(turns.shape[1]):
            a, b = turns[f, j], turns[f + 1, j]
            w, x, y, z = qmul(b[0], b[1], b[2], b[3], a[0], -a[1], -a[2], -a[3])
            vx, vy, vz = qlog(w, x, y, z)
            out[f, j, 0], out[f, j, 1], out[f, j, 2] = fps * vx, fps * vy, fps * vz
    return out


@njit(cache=True)
def smoothed_changes(speeds: FloatArray, taps: FloatArray, fps: float) -> FloatArray:
    """``(frames, joints)`` size of the change of low-passed angular velocities [rad/s2]; 0 near the ends."""
    count, joints, reach = speeds.shape[0], speeds.shape[1], len(taps) // 2
    out = np.zeros((count, joints))
    for j in range(joints):
        px, py, pz = 0.0, 0.0, 0.0
        for f in range(reach, count - reach):
            x, y, z = 0.0, 0.0, 0.0
            for k in range(len(taps)):
                v = speeds[f - reach + k, j]
                x, y, z = x + taps[k] * v[0], y + taps[k] * v[1], z + taps[k] * v[2]
            if f > reach:
                out[f, j] = fps * math.sqrt((x - px) ** 2 + (y - py) ** 2 + (z - pz) ** 2)
            px, py, pz = x, y, z
    return out


@njit(cache=True)
def _seam_way(footage: FootageTable, seams: Seams, index: int, turn: float, rim: int) -> WayTable:
    """Two clips joined at a seam, no more of either than the trial needs."""
    out, into, at = seams.out[index], seams.into[index], np.zeros((2, 3))
    c, s = math.cos(turn), math.sin(turn)
    px, pz = seams.pivots[index, 0], seams.pivots[index, 1]
    x, z = seams.at[index, 0] - px, seams.at[index, 1] - pz
    at[1, 0], at[1, 1], at[1, 2] = px + c * x + s * z, pz - s * x + c * z, seams.at[index, 2] + turn
    first = max(out - seams.before[index] - rim, seams.first[index])
    last = min(into + seams.after[index] + rim, seams.last[index])
    one = np.ones(1, dtype=np.int64)
    return WayTable(
        np.array([first, into]),
        np.array([out, last]),
        at,
        np.array([0, out - first, out - first + last - into]),
        seams.before[index] * one,
        seams.after[index] * one,
        seams.carriers[index] * one,
    )


@njit(cache=True)
def tried(
    footage: FootageTable, legs: LegTable, body: BodyTable, seams: Seams, index: int, turn: float, fps: float
) -> int:
    """What is wrong with a seam at a turn, or ``FINE``."""
    rim = len(body.taps) // 2 + 2
    way = _seam_way(footage, seams, index, turn, rim)
    count, joints = way.begins[2] + 1, footage.rotations.shape[1]
    roots, turns = np.empty((count, 3)), np.empty((count, joints, 4))
    unrolled(footage, legs, way, fps, True, roots, turns)
    changes = smoothed_changes(spins(turns, fps), body.taps, fps)
    for f in range(len(changes)):
        for j in range(joints):
            if changes[f, j] > body.limits[j]:
                return SHAKES
    return legs_fault(legs, body, way, roots, turns, way.begins[1] - way.before[0], fps)[0]


@njit(cache=True)
def legs_fault(
    legs: LegTable, body: BodyTable, way: WayTable, roots: FloatArray, turns: FloatArray, begin: int, fps: float
) -> tuple[int, int]:
    """What is wrong with the legs of an unrolled way from a frame on, or ``FINE``, and at which frame."""
    count, joints, clips = len(roots), turns.shape[1], len(way.first)
    places, world = np.empty((count, joints, 3)), np.empty((count, joints, 4))
    forward_frames(legs.parents, legs.offsets, roots, turns, places, world)
    ends, gaps = np.empty((count, len(body.joints), 2, 3)), np.empty(len(body.pairs))
    for f in range(count):
        capsule_ends(body, places[f], world[f], ends[f])
    for clip in range(clips):
        last = way.begins[clip + 1] + (1 if clip == clips - 1 else 0)
        for frame in range(max(begin, way.begins[clip]), last):
            own = way.first[clip] + frame - way.begins[clip]
            other = own
            if clip + 1 < clips and frame >= way.begins[clip + 1] - way.before[clip]:
                other = way.first[clip + 1] + frame - way.begins[clip + 1]
            elif clip > 0 and frame <= way.begins[clip] + way.after[clip - 1]:
                other = way.last[clip - 1] + frame - way.begins[clip]
            fault = _frame_fault(body, ends, frame, own, other, gaps, fps)
            if fault != FINE:
                return fault, frame
    return FINE, -1


@njit(cache=True)
def _frame_fault(
    body: BodyTable, ends: FloatArray, frame: int, own: int, other: int, gaps: FloatArray, fps: float
) -> int:
    """What is wrong at a frame that is made of two footage frames."""
    leg_gaps(body, ends[frame], ends[min(frame + 1, len(ends) - 1)], gaps)
    for pair in range(len(gaps)):
        # What either recording shows itself at that moment is its own.
        recorded = min(min(body.gaps[own, pair], body.gaps[other, pair]), 0.0)
        if gaps[pair] < recorded - (body.slack_m if recorded >= 0.0 else body.deeper_m):
            return LEGS_TOUCH
    for part in range(len(body.joints)):
        lowest = min(ends[frame, part, 0, 1], ends[frame, part, 1, 1]) - body.radii[part]
        if body.soles[part] and lowest < -body.sinks_m:
            return SINKS
        for end in range(2):
            usual = max(body.jumps[own, part, end], body.jumps[other, part, end])
            if _jump(ends, frame, part, end, fps) > 1.5 * usual + body.jump_mps:
                return JUMPS
    return FINE


@njit(cache=True)
def _jump(ends: FloatArray, frame: int, part: int, end: int, fps: float) -> float:
    """Change of a capsule end's velocity at a frame [m/s]."""
    if frame < 1 or frame > len(ends) - 2:
        return 0.0
    total = 0.0
    for i in range(3):
        total += (ends[frame - 1, part, end, i] - 2.0 * ends[frame, part, end, i] + ends[frame + 1, part, end, i]) ** 2
    return fps * math.sqrt(total)


@njit(cache=True)
def turns_that_pass(
    footage: FootageTable, legs: LegTable, body: BodyTable, seams: Seams, ranges: FloatArray, fps: float
) -> tuple[FloatArray, FloatArray]:
    """Ranges ``(n, 2)`` narrowed to turns that pass, and ``(n,)`` the fault without a turn (an edge to leave out).

    Both ends are tried, then half and a quarter of them; between turns that pass everything is taken to pass.
    """
    kept, faults = np.zeros((len(ranges), 2)), np.zeros(len(ranges))
    for index in range(len(ranges)):
        faults[index] = tried(footage, legs, body, seams, index, 0.0, fps)
        if faults[index] != FINE:
            continue
        for end in range(2):
            for share in (1.0, 0.5, 0.25):
                if tried(footage, legs, body, seams, index, share * ranges[index, end], fps) == FINE:
                    kept[index, end] = share * ranges[index, end]
                    break
    return kept, faults
