"""Compiled trial of seams: two clips joined as they would be in a walk, and what is wrong with the result."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from understudy.kinematics._kernels import forward_frames
from understudy.library._unroll_kernels import unrolled
from understudy.library.tables import BodyTable, FootageTable, LegTable, Seams, WayTable
from understudy.rotations._kernels import qconj_rot, qlog, qmul, qnormalize, qrot
from understudy.typing import FloatArray

#: Faults of a seam.
FINE, LEGS_TOUCH, SHAKES, JUMPS, SINKS = 0, 1, 2, 3, 4
#: [m] legs nearer than this are looked at so many times a frame.
NEAR_M, BETWEEN = 0.06, 4
#: [m] postures of two capsules are alike when their four ends are within this, taken together.
ALIKE_M = 0.058


@njit(cache=True)
def capsule_ends(body: BodyTable, positions: FloatArray, turns: FloatArray, out: FloatArray) -> None:
    """Both ends ``(capsules, 2, 3)`` of the legs' capsules, from joints' world transforms."""
    for k in range(len(body.joints)):
        j = body.joints[k]
        for end in range(2):
            p, q = body.ends[k, end], turns[j]
            x, y, z = qrot(q[0], q[1], q[2], q[3], p[0], p[1], p[2])
            out[k, end, 0], out[k, end, 1], out[k, end, 2] = x, y, z
            for i in range(3):
                out[k, end, i] += positions[j, i]


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
def leg_gaps(body: BodyTable, ends: FloatArray) -> FloatArray:
    """``(n, pairs)`` signed distances [m] of the pairs of leg capsules ``(n, capsules, 2, 3)``."""
    out = np.empty((len(ends), len(body.pairs)))
    for f in range(len(ends)):
        for k in range(len(body.pairs)):
            a, b = body.pairs[k, 0], body.pairs[k, 1]
            out[f, k] = axis_gap(ends[f, a], ends[f, b]) - body.radii[a] - body.radii[b]
    return out


@njit(cache=True)
def all_ends(body: BodyTable, places: FloatArray, turns: FloatArray) -> FloatArray:
    """``(n, capsules, 2, 3)`` both ends of the legs' capsules, from joints' world transforms."""
    out = np.empty((len(places), len(body.joints), 2, 3))
    for f in range(len(places)):
        capsule_ends(body, places[f], turns[f], out[f])
    return out


@njit(cache=True)
def recorded_depth(body: BodyTable, pair: int, posture: FloatArray, enough: float) -> float:
    """The deepest overlap [m] of a pair where the recordings have it in about the same posture ``(12,)``.

    Ends as soon as it is at least ``enough``.
    """
    best = 0.0
    for k in range(body.alike_starts[pair], body.alike_starts[pair + 1]):
        if body.alike_depths[k] <= best:
            continue
        away = 0.0
        for i in range(12):
            away += (posture[i] - body.alike[k, i]) ** 2
        if away <= ALIKE_M * ALIKE_M:
            best = body.alike_depths[k]
            if best >= enough:
                break
    return best


@njit(cache=True)
def _seen(both: FloatArray, root: FloatArray, after: FloatArray, share: float, out: FloatArray) -> None:
    """Ends of two capsules ``(2, 2, 3)`` as ``(12,)`` seen from the root between two frames."""
    same = root[0] * after[0] + root[1] * after[1] + root[2] * after[2] + root[3] * after[3] > 0.0
    mean = root + share * (after - root)
    for i in range(4):
        mean[i] = (1.0 - share) * root[i] + (share if same else -share) * after[i]
    w, x, y, z = qnormalize(mean[0], mean[1], mean[2], mean[3])
    for k in range(4):
        at = both[k // 2, k % 2]
        out[3 * k], out[3 * k + 1], out[3 * k + 2] = qconj_rot(
            w, x, y, z, at[0] - mean[4], at[1] - mean[5], at[2] - mean[6]
        )


@njit(cache=True)
def deepest(body: BodyTable, ends: FloatArray, following: FloatArray, root: FloatArray, after: FloatArray) -> float:
    """How much deeper than recorded any pair of leg capsules overlaps from one frame to the next [m].

    A swinging foot passes the standing leg by centimetres a frame, so pairs that are near are looked at in between.

    Args:
        body: The legs.
        ends: ``(capsules, 2, 3)`` at the frame.
        following: The same at the next.
        root: ``(7,)`` rotation and place of the root.
        after: The same at the next frame.
    """
    both, posture, worst = np.empty((2, 2, 3)), np.empty(12), 0.0
    for pair in range(len(body.pairs)):
        parts = body.pairs[pair]
        radii = body.radii[parts[0]] + body.radii[parts[1]]
        for step in range(BETWEEN):
            share = step / BETWEEN
            for part in range(2):
                for end in range(2):
                    for i in range(3):
                        a, b = ends[parts[part], end, i], following[parts[part], end, i]
                        both[part, end, i] = a + share * (b - a)
            gap = axis_gap(both[0], both[1]) - radii
            if step == 0 and gap > NEAR_M:
                break
            if -gap <= worst:
                continue
            _seen(both, root, after, share, posture)
            worst = max(worst, -gap - recorded_depth(body, pair, posture, -gap))
    return worst


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
    ends, root = all_ends(body, places, world), np.empty((count, 7))
    root[:, :4], root[:, 4:] = turns[:, 0], roots
    for clip in range(clips):
        last = way.begins[clip + 1] + (1 if clip == clips - 1 else 0)
        for frame in range(max(begin, way.begins[clip]), last):
            own = way.first[clip] + frame - way.begins[clip]
            other, after = own, min(frame + 1, count - 1)
            if clip + 1 < clips and frame >= way.begins[clip + 1] - way.before[clip]:
                other = way.first[clip + 1] + frame - way.begins[clip + 1]
            elif clip > 0 and frame <= way.begins[clip] + way.after[clip - 1]:
                other = way.last[clip - 1] + frame - way.begins[clip]
            if deepest(body, ends[frame], ends[after], root[frame], root[after]) > body.slack_m:
                return LEGS_TOUCH, frame
            fault = _frame_fault(body, ends, frame, own, other, fps)
            if fault != FINE:
                return fault, frame
    return FINE, -1


@njit(cache=True)
def _frame_fault(body: BodyTable, ends: FloatArray, frame: int, own: int, other: int, fps: float) -> int:
    """What is wrong with soles and velocities at a frame that is made of two footage frames."""
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


@njit(cache=True, nogil=True)
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
