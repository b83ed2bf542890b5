"""Where a body's centre of mass is: shares of segments between joints, by role.

Shares of mass and centres along the segments are those of de Leva, "Adjustments to Zatsiorsky-Seluyanov's segment
inertia parameters" (Journal of Biomechanics 29, 1996), the mean of women and men. They ask for nothing but where
joints are, and share nothing with the masses planners use.
"""

from __future__ import annotations

import numpy as np

from understudy.core import Skeleton
from understudy.typing import FloatArray

#: Part of a side -> share of the body's mass, the roles it lies between, and where its centre lies between them.
#: A hand goes on beyond the wrist by a quarter of the forearm.
_SIDED: dict[str, tuple[float, str, str, float]] = {
    "upper arm": (0.0263, "UpperArm", "LowerArm", 0.576),
    "forearm": (0.0150, "LowerArm", "Hand", 0.457),
    "hand": (0.0058, "LowerArm", "Hand", 1.25),
    "thigh": (0.1447, "UpperLeg", "LowerLeg", 0.385),
    "shank": (0.0457, "LowerLeg", "Foot", 0.437),
    "foot": (0.0133, "Foot", "Toes", 0.5),
}
#: The trunk lies between both shoulders' middle and both hips', its centre this far from the shoulders.
_TRUNK_SHARE, _TRUNK_CENTRE = 0.4301, 0.405
#: The head's centre lies above its joint, away from the shoulders, by this share of the trunk's length.
_HEAD_SHARE, _HEAD_RISE = 0.0681, 0.17


def centres_of_mass(skeleton: Skeleton, positions: FloatArray) -> FloatArray:
    """``(frames, 3)`` [m] centre of mass of a humanoid whose joints are at ``positions (frames, joints, 3)`` [m].

    Raises:
        SkeletonError: The skeleton is not a humanoid.
    """
    skeleton.require_humanoid()
    shares = _joint_shares(skeleton)
    shoulders, hips = (_middle(skeleton, positions, role) for role in ("UpperArm", "UpperLeg"))
    head = positions[:, skeleton.humanoid["head"]]
    neck = head - shoulders
    rise = _HEAD_RISE * np.linalg.norm(shoulders - hips, axis=-1) / np.maximum(np.linalg.norm(neck, axis=-1), 1e-6)
    limbs = np.einsum("j,fji->fi", shares, positions)
    return np.asarray(limbs + _HEAD_SHARE * rise[:, None] * neck)


def _middle(skeleton: Skeleton, positions: FloatArray, role: str) -> FloatArray:
    left, right = (positions[:, skeleton.humanoid[f"{side}{role}"]] for side in ("left", "right"))
    return np.asarray(0.5 * (left + right))


def _joint_shares(skeleton: Skeleton) -> FloatArray:
    """``(joints,)`` what each joint's place counts for in the centre of mass; adds up to one."""
    roles, shares = skeleton.humanoid, np.zeros(len(skeleton))
    shares[roles["head"]] += _HEAD_SHARE
    for side in ("left", "right"):
        shares[roles[f"{side}UpperArm"]] += 0.5 * _TRUNK_SHARE * (1.0 - _TRUNK_CENTRE)
        shares[roles[f"{side}UpperLeg"]] += 0.5 * _TRUNK_SHARE * _TRUNK_CENTRE
        for mass, start, end, centre in _SIDED.values():
            first = roles[f"{side}{start}"]
            last = roles.get(f"{side}{end}", first)
            shares[first] += mass * (1.0 - centre)
            shares[last] += mass * centre
    return shares / shares.sum()
