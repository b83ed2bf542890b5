"""Compiled two-bone solutions of a limb at many swivels, in the limb's own coordinates."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy.compiling.kernel import njit
from understudy.kinematics._limb_kernels import Bones, solve_limb_row
from understudy.limbs._pose_kernels import joint_coordinates
from understudy.limbs.tables import SpaceArrays
from understudy.rotations._kernels import qconj_rot, qmul, qrot
from understudy.typing import FloatArray, IntArray


class LimbArrays(NamedTuple):
    """A two-bone limb hanging in the world; see ``kinematics.Limb`` for all but the last four.

    Attributes:
        base_offset: ``(3,)`` [m].
        bones: Upper and lower arm.
        place: ``(3,)`` [m] where the joint is that it hangs from.
        turn: ``(4,)`` how that joint is turned.
        bone: ``(3,)`` direction of the forearm in the middle joint's frame where the forearm does the turning that a
            wrist without a twist of its own cannot do; zero where it does not.
        joints: Shoulder, elbow and hand as indices into the chain.
    """

    base_offset: FloatArray
    bones: Bones
    place: FloatArray
    turn: FloatArray
    bone: FloatArray
    joints: IntArray


@njit(cache=True, error_model="numpy")
def _multiplied(a: FloatArray, b: FloatArray, out: FloatArray) -> None:
    out[0], out[1], out[2], out[3] = qmul(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3])


@njit(cache=True, error_model="numpy")
def _solved(
    limb: LimbArrays,
    wrist: tuple[float, float, float],
    facing: FloatArray,
    swivel: float,
    base: FloatArray,
    mid: FloatArray,
    end: FloatArray,
) -> None:
    """Turns of the three joints that put the wrist there, facing as the world sees it."""
    place, turn, off = limb.place, limb.turn, limb.base_offset
    x, y, z = qconj_rot(
        turn[0], turn[1], turn[2], turn[3], wrist[0] - place[0], wrist[1] - place[1], wrist[2] - place[2]
    )
    goal, faced = np.empty(3), np.empty(4)
    goal[0], goal[1], goal[2] = x - off[0], y - off[1], z - off[2]
    faced[0], faced[1], faced[2], faced[3] = qmul(
        turn[0], -turn[1], -turn[2], -turn[3], facing[0], facing[1], facing[2], facing[3]
    )
    solve_limb_row(goal, faced, swivel, limb.bones, base, mid, end)


@njit(cache=True, error_model="numpy")
def _twist_to_forearm(
    space: SpaceArrays, limb: LimbArrays, kept: float, mid: FloatArray, end: FloatArray, room: FloatArray
) -> None:
    """Let the forearm do the turning ``room (4, 4)`` by which the hand's twist differs from ``kept`` [rad]."""
    bone, wrist = limb.bone, limb.joints[2]
    missing = (joint_coordinates(space, wrist, end[0], end[1], end[2], end[3])[2] - kept + math.pi) % (
        2.0 * math.pi
    ) - math.pi
    least, best = abs(missing), 0.0
    for angle in (missing, -missing):
        cosine, sine = math.cos(0.5 * angle), math.sin(0.5 * angle)
        room[0, 0], room[0, 1], room[0, 2], room[0, 3] = cosine, -sine * bone[0], -sine * bone[1], -sine * bone[2]
        _multiplied(room[0], end, room[1])
        twist = joint_coordinates(space, wrist, room[1, 0], room[1, 1], room[1, 2], room[1, 3])[2]
        left = abs((twist - kept + math.pi) % (2.0 * math.pi) - math.pi)
        if left < least:
            least, best = left, angle
    if best == 0.0:
        return
    cosine, sine = math.cos(0.5 * best), math.sin(0.5 * best)
    room[0, 0], room[0, 1], room[0, 2], room[0, 3] = cosine, -sine * bone[0], -sine * bone[1], -sine * bone[2]
    _multiplied(room[0], end, room[1])
    room[0, 1:] *= -1.0
    _multiplied(mid, room[0], room[2])
    end[:], mid[:] = room[1], room[2]


@njit(cache=True, error_model="numpy")
def swivelled_rows(
    space: SpaceArrays,
    limb: LimbArrays,
    target: FloatArray,
    point: FloatArray,
    hands: FloatArray,
    swivels: FloatArray,
    kept: float,
    rounds: int,
    turns: FloatArray,
    out: FloatArray,
) -> None:
    """Coordinates ``out (n, 9)`` [rad] of shoulder, elbow and hand with a point of the hand on a target.

    Args:
        space: The limb's joints.
        limb: The limb.
        target: ``(3,)`` [m] where.
        point: ``(3,)`` [m] what of the hand, in its frame.
        hands: ``(n, 4)`` the hand's rotation on the forearm, where its orientation is free.
        swivels: ``(n,)`` [rad].
        kept: The clip's twist of the hand [rad].
        rounds: Rounds in which a free hand finds its orientation; none where it is given.
        turns: ``(n, 4)`` orientations of the hand in the world: given ones, or such to begin with.
        out: What is found.
    """
    base, mid, end, room = np.empty(4), np.empty(4), np.empty(4), np.empty((4, 4))
    twists = limb.bone[0] != 0.0 or limb.bone[1] != 0.0 or limb.bone[2] != 0.0
    for i in range(swivels.shape[0]):
        q = turns[i]
        wrist = (target[0], target[1], target[2])
        for k in range(rounds + 1):
            if k > 0 or rounds == 0:
                x, y, z = qrot(q[0], q[1], q[2], q[3], point[0], point[1], point[2])
                wrist = (target[0] - x, target[1] - y, target[2] - z)
            _solved(limb, wrist, q, swivels[i], base, mid, end)
            if k < rounds:
                _multiplied(limb.turn, base, room[0])
                _multiplied(room[0], limb.bones.upper_rotation, room[1])
                _multiplied(room[1], mid, room[2])
                _multiplied(room[2], limb.bones.lower_rotation, room[3])
                _multiplied(room[3], hands[i], q)
        if twists:
            _twist_to_forearm(space, limb, kept, mid, end, room)
        for k, q in enumerate((base, mid, end)):
            a, b, c = joint_coordinates(space, limb.joints[k], q[0], q[1], q[2], q[3])
            out[i, 3 * k], out[i, 3 * k + 1], out[i, 3 * k + 2] = a, b, c
