"""Arms that hang beside the hips and swing past the thighs, whoever's hips and thighs these are.

The gait's arms are angles of recorded people. On other proportions, and where the hips turn below the shoulders in
a sharp bend, a forearm would swing into the hip or the thigh. The upper arm is then held a little further away from
the body, all through the swing.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.reference_pose import t_pose_world
from understudy.core.segments import segments_apart
from understudy.core.skeleton import Skeleton
from understudy.kinematics.forward import forward
from understudy.performer.smoothing import raised
from understudy.typing import FloatArray, IntArray

#: [m] between an arm and what it swings past.
_ROOM_M = 0.004
#: [s] an arm is held away this long before and after it would touch: as long as a swing.
_SWING_S = 0.4
#: [rad] an arm is held away by no more than this; the step by which it is tried how much that helps.
_MOST_RAD, _STEP_RAD = 0.4, 0.02
#: [m/rad] least gain that is counted on.
_LEAST_GAIN = 0.1
_PASSES = 3
_ARM, _TRUNK = ("upper_arm", "forearm", "hand"), ("pelvis", "abdomen")


def arms_clear(skeleton: Skeleton, root: FloatArray, local: FloatArray, *, fps: float) -> FloatArray:
    """Local rotations ``(frames, joints, 4)`` with both upper arms as far from the body as arms need to be clear of it.

    Args:
        skeleton: Who moves.
        root: ``(frames, 3)`` root places [m].
        local: ``(frames, joints, 4)`` local rotations.
        fps: Frames per second.
    """
    body, half = body_of(skeleton), max(1, round(_SWING_S * fps))
    for side, sign in (("left", 1.0), ("right", -1.0)):
        pairs = _pairs(skeleton, side)
        away = np.zeros(len(root))
        for _ in range(_PASSES):
            gap = gaps_m(body, root, _held(skeleton, side, root, local, sign * away), pairs)
            missing = np.maximum(_ROOM_M - gap, 0.0)
            if not missing.any():
                break
            further = _held(skeleton, side, root, local, sign * (away + _STEP_RAD))
            gain = np.maximum((gaps_m(body, root, further, pairs) - gap) / _STEP_RAD, _LEAST_GAIN)
            away = np.minimum(raised(away + missing / gain, half), _MOST_RAD)
        local = _held(skeleton, side, root, local, sign * away)
    return local


def _held(skeleton: Skeleton, side: str, root: FloatArray, local: FloatArray, away_rad: FloatArray) -> FloatArray:
    """Rotations with one upper arm turned outwards by ``away_rad`` ``(frames,)`` about where the chest faces."""
    if not away_rad.any():
        return local
    joint = skeleton.humanoid[f"{side}UpperArm"]
    above = int(skeleton.parents[joint])
    world = forward(skeleton, root, local).rotations
    chest = skeleton.humanoid.get("chest", skeleton.humanoid["spine"])
    ahead = rot.rotate(
        rot.multiply(world[:, chest], rot.conjugate(t_pose_world(skeleton)[1][chest])), np.array([0.0, 0.0, 1.0])
    )
    turn = rot.exp(ahead * away_rad[:, None])
    out = local.copy()
    out[:, joint] = rot.multiply(rot.conjugate(world[:, above]), rot.multiply(turn, world[:, joint]))
    return out


def gaps_m(body: Body, root: FloatArray, local: FloatArray, pairs: IntArray) -> FloatArray:
    """``(frames,)`` the smallest distance of the pairs ``(n, 2)`` of capsules [m]; below zero where they overlap."""
    world = forward(body.skeleton, root, local)
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    one, two = pairs.T
    apart = segments_apart(starts[:, one], ends[:, one], starts[:, two], ends[:, two])
    return np.asarray((apart - body.capsule_radii[one] - body.capsule_radii[two]).min(axis=1))


@lru_cache(maxsize=16)
def _pairs(skeleton: Skeleton, side: str) -> IntArray:
    """``(n, 2)`` capsules of an arm and of what it swings past, of those that must not overlap."""
    body = body_of(skeleton)
    arm = {body.capsule(f"{side}_{part}") for part in _ARM}
    past = {body.capsule(part) for part in _TRUNK} | {body.capsule(f"{side}_thigh")}
    return np.array([pair for pair in body.self_pairs.tolist() if len(arm & set(pair)) == 1 and past & set(pair)])


@lru_cache(maxsize=8)
def body_of(skeleton: Skeleton) -> Body:
    """The body of a skeleton, fitted once."""
    return fit_body(skeleton)
