"""Filling a window's tables: poses between frames, parts in their frames, and how fast everything can change."""

from __future__ import annotations

import math

import numpy as np

from understudy.collision._segment_kernels import segments_nearest
from understudy.compiling.kernel import njit
from understudy.core.limits import LimitKind
from understudy.limbs._pose_kernels import joint_excess
from understudy.limbs.tables import SpaceArrays
from understudy.rotations._kernels import qconj_rot, qmul, qrot, qslerp, qswing_twist_coords
from understudy.typing import FloatArray, IntArray

_AXES = int(LimitKind.AXES)


@njit(cache=True, error_model="numpy")
def place_between(
    parents: IntArray,
    offsets: FloatArray,
    roots: FloatArray,
    local: FloatArray,
    steps: int,
    places: FloatArray,
    turns: FloatArray,
) -> None:
    """World positions ``(grid, joints, 3)`` and rotations of frames and ``steps - 1`` moments after each.

    Positions of the root are interpolated linearly, rotations by slerp; ``turns`` first holds the local ones.
    """
    for g in range(places.shape[0]):
        f = min(g // steps, max(roots.shape[0] - 2, 0))
        share = (g - f * steps) / steps
        for j in range(parents.shape[0]):
            if share == 0.0:
                w, x, y, z = local[f, j, 0], local[f, j, 1], local[f, j, 2], local[f, j, 3]
            else:
                a, b = local[f, j], local[f + 1, j]
                w, x, y, z = qslerp(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], share)
            p = parents[j]
            if p < 0:
                for i in range(3):
                    end = roots[min(f + 1, roots.shape[0] - 1), i]
                    places[g, j, i] = roots[f, i] + share * (end - roots[f, i])
            else:
                pw, px, py, pz = turns[g, p, 0], turns[g, p, 1], turns[g, p, 2], turns[g, p, 3]
                dx, dy, dz = qrot(pw, px, py, pz, offsets[j, 0], offsets[j, 1], offsets[j, 2])
                places[g, j, 0] = places[g, p, 0] + dx
                places[g, j, 1] = places[g, p, 1] + dy
                places[g, j, 2] = places[g, p, 2] + dz
                w, x, y, z = qmul(pw, px, py, pz, w, x, y, z)
            turns[g, j, 0], turns[g, j, 1], turns[g, j, 2], turns[g, j, 3] = w, x, y, z


@njit(cache=True, error_model="numpy")
def own_coordinates(kind: int, w: float, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Coordinates of a joint's own turn, as ``JointLimits.coordinates`` has them."""
    if kind != _AXES:
        return qswing_twist_coords(w, x, y, z, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0)
    sine = min(max(2.0 * (x * z + w * y), -1.0), 1.0)
    first = math.atan2(-2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y))
    last = math.atan2(-2.0 * (x * y - w * z), 1.0 - 2.0 * (y * y + z * z))
    return first, math.asin(sine), last


@njit(cache=True, error_model="numpy")
def chain_coordinates(
    turns: FloatArray,
    parents: IntArray,
    joints: IntArray,
    kinds: IntArray,
    before: FloatArray,
    after: FloatArray,
    out: FloatArray,
) -> None:
    """Coordinates ``(grid, 3 joints)`` of a chain from world rotations, without jumps by whole turns."""
    for g in range(turns.shape[0]):
        for k in range(joints.shape[0]):
            j, p = joints[k], parents[joints[k]]
            w, x, y, z = qmul(
                turns[g, p, 0],
                -turns[g, p, 1],
                -turns[g, p, 2],
                -turns[g, p, 3],
                turns[g, j, 0],
                turns[g, j, 1],
                turns[g, j, 2],
                turns[g, j, 3],
            )
            w, x, y, z = qmul(before[k, 0], -before[k, 1], -before[k, 2], -before[k, 3], w, x, y, z)
            w, x, y, z = qmul(w, x, y, z, after[k, 0], -after[k, 1], -after[k, 2], -after[k, 3])
            a, b, c = own_coordinates(kinds[k], w, x, y, z)
            out[g, 3 * k], out[g, 3 * k + 1], out[g, 3 * k + 2] = a, b, c
            if g == 0:
                continue
            for i in range(3):
                # A swing vector does not wrap around; angles do.
                if kinds[k] == _AXES or i == 2:
                    turned = out[g, 3 * k + i] - out[g - 1, 3 * k + i]
                    out[g, 3 * k + i] -= 2.0 * math.pi * math.floor(turned / (2.0 * math.pi) + 0.5)


@njit(cache=True, error_model="numpy")
def seen_segments(
    places: FloatArray,
    turns: FloatArray,
    joints: IntArray,
    ends: FloatArray,
    frames: IntArray,
    out: FloatArray,
) -> None:
    """Segments ``(grid, parts, 6)`` of ``ends (parts, 6)`` on ``joints``, seen from the joints ``frames``.

    A frame of -1 is the world.
    """
    for g in range(out.shape[0]):
        for c in range(joints.shape[0]):
            j, b = joints[c], frames[c]
            for e in (0, 3):
                x, y, z = ends[c, e], ends[c, e + 1], ends[c, e + 2]
                if j != b:
                    x, y, z = qrot(turns[g, j, 0], turns[g, j, 1], turns[g, j, 2], turns[g, j, 3], x, y, z)
                    x, y, z = x + places[g, j, 0], y + places[g, j, 1], z + places[g, j, 2]
                    if b >= 0:
                        x, y, z = x - places[g, b, 0], y - places[g, b, 1], z - places[g, b, 2]
                        x, y, z = qconj_rot(turns[g, b, 0], turns[g, b, 1], turns[g, b, 2], turns[g, b, 3], x, y, z)
                out[g, c, e], out[g, c, e + 1], out[g, c, e + 2] = x, y, z


@njit(cache=True, error_model="numpy")
def pairs_near(segments: FloatArray, pairs: IntArray, gaps: FloatArray) -> IntArray:
    """``(n,)`` pairs whose segments ``(grid, parts, 6)`` may ever be nearer than ``gaps`` [m], by balls around them."""
    near, count = np.empty(pairs.shape[0], dtype=np.int64), 0
    for k in range(pairs.shape[0]):
        a, b = pairs[k, 0], pairs[k, 1]
        length = 0.0
        for c in (a, b):
            square = 0.0
            for i in range(3):
                square += (segments[0, c, 3 + i] - segments[0, c, i]) ** 2
            length += 0.5 * math.sqrt(square)
        most = (gaps[k] + length + 1e-6) ** 2
        for g in range(segments.shape[0]):
            away = 0.0
            for i in range(3):
                one, two = segments[g, a, i] + segments[g, a, 3 + i], segments[g, b, i] + segments[g, b, 3 + i]
                away += 0.25 * (one - two) ** 2
            if away < most:
                near[count], count = k, count + 1
                break
    return near[:count].copy()


@njit(cache=True, error_model="numpy")
def pair_distances(segments: FloatArray, pairs: IntArray) -> FloatArray:
    """``(grid, pairs)`` distances of segments ``(grid, parts, 6)`` [m]."""
    out = np.empty((segments.shape[0], pairs.shape[0]))
    for t in range(segments.shape[0]):
        for k in range(pairs.shape[0]):
            a, b = segments[t, pairs[k, 0]], segments[t, pairs[k, 1]]
            d2, _, _ = segments_nearest(a[0], a[1], a[2], a[3], a[4], a[5], b[0], b[1], b[2], b[3], b[4], b[5])
            out[t, k] = math.sqrt(d2)
    return out


@njit(cache=True, error_model="numpy")
def _across(x: float, y: float, z: float, axis: FloatArray) -> float:
    """Distance of a point from a line through the origin."""
    a, b, c = y * axis[2] - z * axis[1], z * axis[0] - x * axis[2], x * axis[1] - y * axis[0]
    return math.sqrt(a * a + b * b + c * c)


@njit(cache=True, error_model="numpy")
def part_reaches(
    offsets: FloatArray, axes: FloatArray, carriers: IntArray, own: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """How far a radian of every coordinate moves every part ``(3 joints, own)`` [m], and how far off each can be.

    ``offsets (joints, 3)`` and twist ``axes (joints, 3)`` of a chain; ``own (grid, parts, 6)`` in their carriers'
    frames. A twist does not move what lies on its axis.
    """
    joints, parts = offsets.shape[0], carriers.shape[0]
    reach, far = np.zeros((3 * joints, parts)), np.zeros(parts)
    for c in range(parts):
        whole, across = 0.0, 0.0
        for g in range(own.shape[0]):
            for e in (0, 3):
                x, y, z = own[g, c, e], own[g, c, e + 1], own[g, c, e + 2]
                whole = max(whole, math.sqrt(x * x + y * y + z * z))
                across = max(across, _across(x, y, z, axes[carriers[c]]))
        for j in range(carriers[c], -1, -1):
            reach[3 * j, c], reach[3 * j + 1, c], reach[3 * j + 2, c] = whole, whole, across
            x, y, z = offsets[j, 0], offsets[j, 1], offsets[j, 2]
            if j > 0:
                across = _across(x, y, z, axes[j - 1]) + whole
            whole += math.sqrt(x * x + y * y + z * z)
        far[c] = whole
    return reach, far


@njit(cache=True, error_model="numpy")
def clip_excess(space: SpaceArrays, coordinates: FloatArray, out: FloatArray) -> None:
    """How far the clip's own joints are outside their limits: ``out (grid, joints)`` [rad]."""
    for g in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[g, j] = joint_excess(space, coordinates[g], j)


@njit(cache=True, error_model="numpy")
def local_coordinates(
    local: FloatArray, joints: IntArray, kinds: IntArray, before: FloatArray, after: FloatArray, out: FloatArray
) -> None:
    """Coordinates ``(frames, 3 joints)`` of a chain from local rotations ``(frames, all joints, 4)``."""
    for f in range(local.shape[0]):
        for k in range(joints.shape[0]):
            q = local[f, joints[k]]
            w, x, y, z = qmul(before[k, 0], -before[k, 1], -before[k, 2], -before[k, 3], q[0], q[1], q[2], q[3])
            w, x, y, z = qmul(w, x, y, z, after[k, 0], -after[k, 1], -after[k, 2], -after[k, 3])
            a, b, c = own_coordinates(kinds[k], w, x, y, z)
            out[f, 3 * k], out[f, 3 * k + 1], out[f, 3 * k + 2] = a, b, c
