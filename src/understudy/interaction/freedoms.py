"""Which joints an edit may bend, about which axes, and how unwillingly each of them moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.human_limits import default_limit
from understudy.core.reference_pose import t_pose_world
from understudy.core.skeleton import Skeleton
from understudy.errors import OptionError, nearest_name
from understudy.typing import FloatArray, IntArray

#: Unwillingness of each role's turns (1 is an upper arm's) and of the root's translation [1/m^2 against 1/rad^2].
_UNWILLING = {
    "hips": 1500.0,
    "spine": 14.0,
    "chest": 14.0,
    "upperChest": 14.0,
    "neck": 20.0,
    "head": 20.0,
    "Shoulder": 10.0,
    "UpperArm": 1.0,
    "LowerArm": 0.7,
    "Hand": 4.0,
    "UpperLeg": 2.0,
    "LowerLeg": 1.0,
    "Foot": 3.0,
}
#: The root moves last: legs have to make up for it. Up and down most of all, because standing legs are nearly straight.
_TRANSLATION = (4000.0, 20000.0, 4000.0)
#: Elbows and knees turn about their hinge; a forearm also twists.
_TWIST = 2.0

#: Groups of freedoms by name; ``root`` is the root's translation and turn.
GROUPS: Mapping[str, tuple[str, ...]] = {
    "arms": tuple(
        f"{side}{bone}" for side in ("left", "right") for bone in ("Shoulder", "UpperArm", "LowerArm", "Hand")
    ),
    "left_arm": ("leftShoulder", "leftUpperArm", "leftLowerArm", "leftHand"),
    "right_arm": ("rightShoulder", "rightUpperArm", "rightLowerArm", "rightHand"),
    "legs": tuple(f"{side}{bone}" for side in ("left", "right") for bone in ("UpperLeg", "LowerLeg", "Foot")),
    "left_leg": ("leftUpperLeg", "leftLowerLeg", "leftFoot"),
    "right_leg": ("rightUpperLeg", "rightLowerLeg", "rightFoot"),
    "trunk": ("spine", "chest", "upperChest"),
    "head": ("neck", "head"),
    "root": ("hips",),
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Freedoms:
    """The freedoms of one character, ordered by joint, the root's translation last.

    Attributes:
        starts: ``(joints + 2,)`` first freedom of every joint; the last interval is the root's translation.
        axes: ``(freedoms, 3)`` in the joint's frame, of the world for the translation.
        weights: ``(freedoms,)`` unwillingness.
    """

    starts: IntArray
    axes: FloatArray
    weights: FloatArray

    def __len__(self) -> int:
        """How many freedoms."""
        return len(self.axes)


def freedoms(
    skeleton: Skeleton, groups: tuple[str, ...] = ("arms", "trunk", "root"), *, scale: Mapping[str, float] | None = None
) -> Freedoms:
    """Freedoms of groups of joints or of single roles.

    Args:
        skeleton: A humanoid.
        groups: Names in :data:`GROUPS`, roles, or ``"translation"``; ``"root"`` includes the translation.
        scale: Factors of the unwillingness by role, group or ``"translation"``.

    Raises:
        OptionError: An unknown name.
    """
    known = (*GROUPS, *skeleton.humanoid, "translation")
    for name in (*groups, *(scale or {})):
        if name not in known:
            raise OptionError(f'no joints are called "{name}"; {nearest_name(name, known)}')
    roles = [role for name in groups for role in GROUPS.get(name, (name,)) if role in skeleton.humanoid]
    factors = {role: 1.0 for role in (*skeleton.humanoid, "translation")}
    for name, factor in (scale or {}).items():
        for role in GROUPS.get(name, (name,)):
            factors[role] = factor
    by_joint = {skeleton.humanoid[role]: role for role in roles}
    starts, axes, weights = [0], [], []
    for joint in range(len(skeleton)):
        if joint in by_joint:
            role = by_joint[joint]
            for axis, unwilling in _axes(skeleton, role):
                axes.append(axis)
                weights.append(unwilling * factors[role])
        starts.append(len(axes))
    if "root" in groups or "translation" in groups:
        axes += list(np.eye(3))
        weights += [unwilling * factors["translation"] for unwilling in _TRANSLATION]
    starts.append(len(axes))
    return Freedoms(starts=np.array(starts), axes=np.array(axes).reshape(-1, 3), weights=np.array(weights))


def _axes(skeleton: Skeleton, role: str) -> list[tuple[FloatArray, float]]:
    """Axes of a role's turns in its joint's frame, each with its unwillingness."""
    bone = role.removeprefix("left").removeprefix("right")
    unwilling = _UNWILLING.get(bone, 5.0)
    limit = default_limit(role)
    if bone not in ("LowerArm", "LowerLeg") or limit is None:
        return [(axis, unwilling) for axis in np.eye(3)]
    into = rot.conjugate(t_pose_world(skeleton)[1][skeleton.humanoid[role]])
    hinge, twist = rot.rotate(into, np.array(limit.swing_axis)), rot.rotate(into, np.array(limit.twist_axis))
    return [(hinge, unwilling), (twist, _TWIST)] if bone == "LowerArm" else [(hinge, unwilling)]
