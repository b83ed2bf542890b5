"""Bones that a conversion has lost: the common BVH of the CMU database has no thorax and no wrists.

Its converter gave all joints that follow a fork the offset zero, so neck and shoulders hang where the upper back ends,
and hands where the forearm turns. The Acclaim files that it read say what was there. A wrist is half as long as its
forearm, by construction. A thorax is as long as the bone below it, and turns from it half as far as that one turns from
the one below: within 5 mm in four people, where the bone below alone would be up to 12 mm off.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy.core.motion import Motion
from understudy.core.recognition.wrists import BEYOND
from understudy.core.skeleton import Skeleton
from understudy.typing import FloatArray

#: What hangs on the thorax.
_ON_THORAX = ("neck", "leftShoulder", "rightShoulder")
#: [m] shorter bones are none.
_NONE_M = 1e-6


def with_lost_bones(motion: Motion) -> Motion:
    """The motion with thorax and wrists; the motion itself where its skeleton has not lost them."""
    skeleton = motion.skeleton
    if not has_lost_bones(skeleton):
        return motion
    offsets, thorax = skeleton.offsets.copy(), _thorax(skeleton)
    offsets[[skeleton.humanoid[role] for role in _ON_THORAX]] = thorax
    for turning in _turning(skeleton):
        offsets[list(skeleton.children[turning])] = BEYOND * offsets[turning]
    wrist_m = float(np.linalg.norm(offsets[skeleton.humanoid["leftHand"]]))
    note = (
        f"the conversion had lost bones: {100 * float(np.linalg.norm(thorax)):.1f} cm of thorax and "
        f"{100 * wrist_m:.1f} cm of wrists were put back"
    )
    return replace(motion, skeleton=replace(skeleton, offsets=offsets), origin=motion.origin.noting(note))


def has_lost_bones(skeleton: Skeleton) -> bool:
    """Whether all that follows the forks of trunk and forearms lies in the point of the fork."""
    roles = skeleton.humanoid
    if not skeleton.is_humanoid or not set(_ON_THORAX) <= set(roles):
        return False
    forks = {*_turning(skeleton), *(int(skeleton.parents[roles[role]]) for role in _ON_THORAX)}
    after = [child for fork in forks for child in skeleton.children[fork]]
    return (
        # One of the trunk and one of each forearm.
        len(forks) == 3
        and bool((np.linalg.norm(skeleton.offsets[after], axis=1) < _NONE_M).all())
        and bool((np.linalg.norm(skeleton.offsets[list(forks)], axis=1) > _NONE_M).all())
    )


def _turning(skeleton: Skeleton) -> list[int]:
    """Joints that turn the forearms."""
    twists = (skeleton.forearm_twist(side) for side in ("left", "right"))
    return [joint for joint in twists if joint is not None]


def _thorax(skeleton: Skeleton) -> FloatArray:
    """The lost bone ``(3,)`` [m] in the frame of the joint it starts from."""
    upper = int(skeleton.parents[skeleton.humanoid["neck"]])
    lower = int(skeleton.parents[upper])
    below, above = (_unit(skeleton.offsets[joint]) for joint in (lower, upper))
    return float(np.linalg.norm(skeleton.offsets[upper])) * _unit(above + 0.5 * (above - below))


def _unit(vector: FloatArray) -> FloatArray:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12))
