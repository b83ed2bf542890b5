"""Knees that pass beside the other leg, whoever's legs these are.

The gait's knees follow recorded people. On other proportions, and where the pelvis turns over the standing foot, the
knee of the swinging leg would pass through the other one. Both knees are then turned a little outwards about the lines
from hips to ankles, all through the swing; feet stay where they are.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from understudy import rotations as rot
from understudy.core.skeleton import Skeleton
from understudy.kinematics.forward import forward
from understudy.performer.arms_clear import body_of, gaps_m
from understudy.performer.smoothing import raised
from understudy.typing import FloatArray, IntArray

#: [m] between legs that pass each other.
_ROOM_M = 0.001
#: [s] knees are turned this long before and after they would touch: as long as a swing.
_SWING_S = 0.35
#: [rad] knees are turned by no more than this; the step by which it is tried how much that helps.
_MOST_RAD, _STEP_RAD = 0.3, 0.02
#: [m/rad] least gain that is counted on.
_LEAST_GAIN = 0.05
_PASSES = 3
_LEG = ("thigh", "shank", "foot", "toes")


def legs_clear(skeleton: Skeleton, root: FloatArray, local: FloatArray, *, fps: float) -> FloatArray:
    """Local rotations ``(frames, joints, 4)`` with knees as far apart as legs need to pass each other.

    Args:
        skeleton: Who moves.
        root: ``(frames, 3)`` root places [m].
        local: ``(frames, joints, 4)`` local rotations.
        fps: Frames per second.
    """
    body, pairs = body_of(skeleton), _pairs(skeleton)
    half = max(1, round(_SWING_S * fps))
    out = np.zeros(len(root))
    for _ in range(_PASSES):
        gap = gaps_m(body, root, _spread(skeleton, root, local, out), pairs)
        missing = np.maximum(_ROOM_M - gap, 0.0)
        if not missing.any():
            break
        wider = _spread(skeleton, root, local, out + _STEP_RAD)
        gain = np.maximum((gaps_m(body, root, wider, pairs) - gap) / _STEP_RAD, _LEAST_GAIN)
        out = np.minimum(raised(out + missing / gain, half), _MOST_RAD)
    return _spread(skeleton, root, local, out)


def _spread(skeleton: Skeleton, root: FloatArray, local: FloatArray, out_rad: FloatArray) -> FloatArray:
    """Rotations with both knees turned outwards by ``out_rad`` ``(frames,)``, hips and feet as they were."""
    if not out_rad.any():
        return local
    world, found = forward(skeleton, root, local), local.copy()
    for side, sign in (("left", -1.0), ("right", 1.0)):
        thigh, foot = (skeleton.humanoid[f"{side}{bone}"] for bone in ("UpperLeg", "Foot"))
        line = world.positions[:, foot] - world.positions[:, thigh]
        line /= np.maximum(np.linalg.norm(line, axis=1, keepdims=True), 1e-9)
        turn = rot.exp(line * (sign * out_rad)[:, None])
        above = world.rotations[:, int(skeleton.parents[thigh])]
        found[:, thigh] = rot.multiply(rot.conjugate(above), rot.multiply(turn, world.rotations[:, thigh]))
        before = rot.multiply(turn, world.rotations[:, int(skeleton.parents[foot])])
        found[:, foot] = rot.multiply(rot.conjugate(before), world.rotations[:, foot])
    return found


@lru_cache(maxsize=16)
def _pairs(skeleton: Skeleton) -> IntArray:
    """``(n, 2)`` capsules of one leg and the other, of those that must not overlap."""
    body = body_of(skeleton)
    left, right = ({body.capsule(f"{side}_{part}") for part in _LEG} for side in ("left", "right"))
    return np.array([pair for pair in body.self_pairs.tolist() if left & set(pair) and right & set(pair)])
