"""The judge's own compiled forward kinematics: slerp between frames, rotation matrices down the chain of joints.

Planners turn with quaternions, the judge with matrices, so that a fault in one cannot hide in the other.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted
from understudy.typing import FloatArray, IntArray


@uncounted
def arc_between(first: FloatArray, last: FloatArray) -> tuple[float, float, float]:
    """Angle between two quaternions wxyz, its sine (0 where they are all but the same) and the sign of the nearer."""
    cosine = first[0] * last[0] + first[1] * last[1] + first[2] * last[2] + first[3] * last[3]
    angle = math.acos(min(abs(cosine), 1.0))
    sine = math.sin(angle)
    return angle, 0.0 if sine < 1e-7 else sine, -1.0 if cosine < 0.0 else 1.0


@uncounted
def write_turn(first: FloatArray, last: FloatArray, share: float, arc: FloatArray, out: FloatArray) -> None:
    """Write the matrix ``(3, 3)`` of the rotation at a share of the way along the arc between two quaternions."""
    if share == 0.0:
        one, two = 1.0, 0.0
    elif arc[1] == 0.0:
        one, two = 1.0 - share, arc[2] * share
    else:
        one, two = math.sin((1.0 - share) * arc[0]) / arc[1], arc[2] * math.sin(share * arc[0]) / arc[1]
    w, x = one * first[0] + two * last[0], one * first[1] + two * last[1]
    y, z = one * first[2] + two * last[2], one * first[3] + two * last[3]
    scale = 2.0 / (w * w + x * x + y * y + z * z)
    out[0, 0], out[0, 1], out[0, 2] = 1.0 - scale * (y * y + z * z), scale * (x * y - w * z), scale * (x * z + w * y)
    out[1, 0], out[1, 1], out[1, 2] = scale * (x * y + w * z), 1.0 - scale * (x * x + z * z), scale * (y * z - w * x)
    out[2, 0], out[2, 1], out[2, 2] = scale * (x * z - w * y), scale * (y * z + w * x), 1.0 - scale * (x * x + y * y)


@njit(cache=True)
def placed_joints(
    motion: tuple[FloatArray, FloatArray],
    parents: IntArray,
    offsets: FloatArray,
    wanted: IntArray,
    places: FloatArray,
    positions: FloatArray,
    world: FloatArray,
) -> None:
    """World positions ``(n, joints, 3)`` [m] and matrices ``(n, joints, 3, 3)`` at ``places (n,)``, in frames.

    Between frames the root moves straight and each joint turns at constant speed about one axis.

    Args:
        motion: Root positions ``(frames, 3)`` [m] and rotations ``(frames, joints, 4)``.
        parents: ``(joints,)``.
        offsets: ``(joints, 3)`` [m].
        wanted: Joints to place in rising order, each with all above it; others are left as they are.
        places: Frames, and shares of the way to the next.
        positions: Written.
        world: Written.
    """
    roots, rotations = motion
    frames, own = roots.shape[0], np.empty((3, 3))
    arcs, known = np.zeros((len(parents), 3)), -1
    for n in range(places.shape[0]):
        before = min(math.floor(places[n]), max(frames - 2, 0))
        after = min(before + 1, frames - 1)
        share = places[n] - before
        if share != 0.0 and known != before:
            # Places follow each other: arcs hold for several of them.
            known = before
            for j in wanted:
                arcs[j, 0], arcs[j, 1], arcs[j, 2] = arc_between(rotations[before, j], rotations[after, j])
        for i in range(3):
            positions[n, 0, i] = (1.0 - share) * roots[before, i] + share * roots[after, i]
        write_turn(rotations[before, 0], rotations[after, 0], share, arcs[0], world[n, 0])
        for j in wanted[1:]:
            above = world[n, parents[j]]
            write_turn(rotations[before, j], rotations[after, j], share, arcs[j], own)
            for i in range(3):
                x, y, z = above[i, 0], above[i, 1], above[i, 2]
                moved = x * offsets[j, 0] + y * offsets[j, 1] + z * offsets[j, 2]
                positions[n, j, i] = positions[n, parents[j], i] + moved
                for k in range(3):
                    world[n, j, i, k] = x * own[0, k] + y * own[1, k] + z * own[2, k]


@njit(cache=True)
def placed_ends(
    positions: FloatArray, world: FloatArray, joints: IntArray, starts: FloatArray, ends: FloatArray, out: FloatArray
) -> None:
    """Both ends of every capsule's axis: ``out (n, capsules, 2, 3)`` [m]."""
    for n in range(positions.shape[0]):
        for c in range(joints.shape[0]):
            at, turn = positions[n, joints[c]], world[n, joints[c]]
            for i in range(3):
                x, y, z = turn[i, 0], turn[i, 1], turn[i, 2]
                out[n, c, 0, i] = at[i] + x * starts[c, 0] + y * starts[c, 1] + z * starts[c, 2]
                out[n, c, 1, i] = at[i] + x * ends[c, 0] + y * ends[c, 1] + z * ends[c, 2]


@njit(cache=True)
def in_frames(ends: FloatArray, roots: FloatArray, turns: FloatArray, out: FloatArray) -> None:
    """Write ends ``(n, capsules, 2, 3)`` of capsules in frames at ``roots`` with the matrices ``turns``."""
    for n in range(len(ends)):
        for c in range(ends.shape[1]):
            for e in range(2):
                x, y = ends[n, c, e, 0] - roots[n, 0], ends[n, c, e, 1] - roots[n, 1]
                z = ends[n, c, e, 2] - roots[n, 2]
                for i in range(3):
                    out[n, c, e, i] = x * turns[n, 0, i] + y * turns[n, 1, i] + z * turns[n, 2, i]


@njit(cache=True)
def turns_between(
    rotations: FloatArray, before: IntArray, after: IntArray, shares: FloatArray, out: FloatArray
) -> None:
    """Write matrices ``(n, 3, 3)`` at shares of the ways between rotations ``(keys, 4)``."""
    arc = np.empty(3)
    for n in range(len(shares)):
        one, two = rotations[before[n]], rotations[after[n]]
        arc[0], arc[1], arc[2] = arc_between(one, two)
        write_turn(one, two, shares[n], arc, out[n])
