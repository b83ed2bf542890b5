"""Compiled trial of seams: two clips joined as they would be in a walk, and what is wrong with the result."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.kinematics._kernels import forward_frames
from understudy.library._closeness_kernels import capsule_ends, deepest
from understudy.library._unroll_kernels import unrolled
from understudy.library.tables import BodyTable, FootageTable, LegTable, Seams, Troupe, WayTable
from understudy.rotations._kernels import qlog, qmul
from understudy.typing import FloatArray

#: Faults of a seam.
FINE, LEGS_TOUCH, SHAKES, JUMPS, SINKS = 0, 1, 2, 3, 4


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
def tried(who: Troupe, seams: Seams, index: int, turn: float, fps: float) -> int:
    """What is wrong with a seam at a turn, or ``FINE``."""
    footage, legs, body = who.footage, who.legs, who.body
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
    # A frame before the first one is needed for its velocity.
    early = max(begin - 1, 0)
    forward_frames(legs.parents, legs.offsets, roots[early:], turns[early:], places[early:], world[early:])
    ends, root = np.empty((count, len(body.joints), 2, 3)), np.empty((count, 7))
    for frame in range(early, count):
        capsule_ends(body, places[frame], world[frame], ends[frame])
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


@njit(cache=True, forceinline=True)
def _frame_fault(body: BodyTable, ends: FloatArray, frame: int, own: int, other: int, fps: float) -> int:
    """What is wrong with soles and velocities at a frame that is made of two footage frames."""
    now = ends[frame]
    inner = 1 <= frame <= len(ends) - 2
    past, next_one = ends[frame - 1 if inner else frame], ends[frame + 1 if inner else frame]
    usual, others = body.jumps[own], body.jumps[other]
    for part in range(len(body.joints)):
        if body.soles[part] and min(now[part, 0, 1], now[part, 1, 1]) - body.radii[part] < -body.sinks_m:
            return SINKS
        if not inner:
            continue
        for end in range(2):
            x = past[part, end, 0] - 2.0 * now[part, end, 0] + next_one[part, end, 0]
            y = past[part, end, 1] - 2.0 * now[part, end, 1] + next_one[part, end, 1]
            z = past[part, end, 2] - 2.0 * now[part, end, 2] + next_one[part, end, 2]
            most = (1.5 * max(usual[part, end], others[part, end]) + body.jump_mps) / fps
            if x * x + y * y + z * z > most * most:
                return JUMPS
    return FINE


@njit(cache=True, nogil=True)
def turns_that_pass(
    whole: Troupe, lower: Troupe, seams: Seams, ranges: FloatArray, fps: float
) -> tuple[FloatArray, FloatArray]:
    """Ranges ``(n, 2)`` narrowed to turns that pass, and ``(n,)`` the fault without a turn (an edge to leave out).

    Both ends are tried, then half and a quarter of them; between turns that pass everything is taken to pass. Above the
    hips a turn changes nothing, so that turns are tried with root and legs alone (``lower``).
    """
    kept, faults = np.zeros((len(ranges), 2)), np.zeros(len(ranges))
    for index in range(len(ranges)):
        faults[index] = tried(whole, seams, index, 0.0, fps)
        if faults[index] != FINE:
            continue
        for end in range(2):
            for share in (1.0, 0.5, 0.25):
                if tried(lower, seams, index, share * ranges[index, end], fps) == FINE:
                    kept[index, end] = share * ranges[index, end]
                    break
    return kept, faults
