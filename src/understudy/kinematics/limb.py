"""A two-bone limb for analytic IK: base (shoulder, hip), middle (elbow, knee) and end (wrist, ankle) joint.

Bones may point anywhere and joints may rest at any rotation. Joints in between the three (twist bones) keep
their rotation: they are folded into the fixed turn from one of the three to the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.core.human_limits import default_limit
from understudy.core.limits import JointLimits
from understudy.core.reference_pose import t_pose
from understudy.core.skeleton import Skeleton
from understudy.errors import OptionError, SkeletonError
from understudy.kinematics._inputs import joint_index
from understudy.typing import FloatArray

# A rest limb bent by less than this [sine] does not say which way it flexes.
_BENT_SINE = 0.1


@dataclass(frozen=True, eq=False, kw_only=True)
class Limb:
    """Geometry of one limb, or of one limb in many frames (arrays with a leading axis).

    The middle joint turns about a hinge: ``q_mid = mid_zero * exp(hinge * angle)``, and a positive turn flexes.
    The *bend direction* is the side of the line base - end to which the middle joint goes when the limb
    flexes, ``unit(end - base) x hinge``; taken from the hinge it is defined for a straight limb too.

    Attributes:
        base_offset: ``(3,)`` [m] base joint in its parent's frame.
        upper_offset: ``(3,)`` [m] middle joint in the base joint's frame.
        upper_rotation: ``(4,)`` frame of the middle joint's parent in the base joint's frame.
        mid_zero: ``(4,)`` local rotation of the middle joint at hinge angle 0.
        hinge: ``(3,)`` unit hinge axis in the middle joint's frame.
        lower_offset: ``(3,)`` [m] end joint in the middle joint's frame.
        lower_rotation: ``(4,)`` frame of the end joint's parent in the middle joint's frame.
        reference_axis: ``(3,)`` unit direction base - end in the parent's frame, where swivel is measured from.
        reference_bend: ``(3,)`` unit bend direction there, perpendicular to the axis: swivel 0.
    """

    base_offset: FloatArray
    upper_offset: FloatArray
    upper_rotation: FloatArray
    mid_zero: FloatArray
    hinge: FloatArray
    lower_offset: FloatArray
    lower_rotation: FloatArray
    reference_axis: FloatArray
    reference_bend: FloatArray

    @property
    def reach_m(self) -> tuple[FloatArray, FloatArray]:
        """Nearest and farthest distance of the end joint from the base joint [m]."""
        to_base = rot.multiply(self.upper_rotation, self.mid_zero)
        upper = rot.rotate(rot.conjugate(to_base), self.upper_offset)
        along = np.sum((upper + self.lower_offset) * self.hinge, axis=-1)
        across = [
            np.linalg.norm(bone - np.sum(bone * self.hinge, axis=-1, keepdims=True) * self.hinge, axis=-1)
            for bone in (upper, self.lower_offset)
        ]
        return np.hypot(across[0] - across[1], along), np.hypot(across[0] + across[1], along)


def limb_of(
    skeleton: Skeleton,
    base: int | str,
    mid: int | str,
    end: int | str,
    *,
    hinge: npt.ArrayLike | None = None,
    flexes_toward: npt.ArrayLike | None = None,
    limits: JointLimits | None = None,
) -> Limb:
    """The limb between three joints of a skeleton, in its reference pose.

    The reference pose is the canonical T-pose where the middle joint is a humanoid's knee or elbow, so that
    hinge angles and swivels mean the same on every rig; for other skeletons it is the rest pose. The hinge is,
    in this order: ``hinge``; the axis that moves the lower bone toward ``flexes_toward``; the flexion axis of
    a humanoid's knee or elbow; the normal of the limb's plane where it rests bent.

    Args:
        skeleton: The skeleton.
        base: Joint of the shoulder or hip, by index, role or name; not the root.
        mid: Joint of the elbow or knee, below ``base``.
        end: Joint of the wrist or ankle, below ``mid``.
        hinge: Hinge axis ``(3,)`` in the middle joint's frame; positive turns flex.
        flexes_toward: World direction ``(3,)`` in the reference pose to which the end moves when the limb
            flexes.
        limits: Where to take a humanoid's flexion axis from (``Body.limits``); by default a human's.

    Raises:
        SkeletonError: The joints are not one chain, a bone has no length, or nothing tells the hinge.
        OptionError: The hinge is zero or parallel to a bone.
    """
    if hinge is None and flexes_toward is None and limits is None:
        return _usual_limb(skeleton, base, mid, end)
    return _limb_of(skeleton, limb_joints(skeleton, base, mid, end), hinge, flexes_toward, limits)


@lru_cache(maxsize=256)
def _usual_limb(skeleton: Skeleton, base: int | str, mid: int | str, end: int | str) -> Limb:
    """A limb without wishes; gaits ask for the same one for every step."""
    return _limb_of(skeleton, limb_joints(skeleton, base, mid, end), None, None, None)


def _limb_of(
    skeleton: Skeleton,
    joints: tuple[int, int, int],
    hinge: npt.ArrayLike | None,
    flexes_toward: npt.ArrayLike | None,
    limits: JointLimits | None,
) -> Limb:
    reference = t_pose(skeleton) if is_humanoid_hinge(skeleton, joints[1]) else skeleton.rest_rotations
    upper_offset, upper_rotation = folded(skeleton, reference, joints[0], joints[1])
    lower_offset, lower_rotation = folded(skeleton, reference, joints[1], joints[2])
    for bone, ends in ((upper_offset, joints[:2]), (lower_offset, joints[1:])):
        if np.linalg.norm(bone) < 1e-9:
            raise SkeletonError(
                f'the bone from "{skeleton.names[ends[0]]}" to "{skeleton.names[ends[1]]}" has no length'
            )
    to_base = rot.multiply(upper_rotation, reference[joints[1]])
    upper = rot.rotate(rot.conjugate(to_base), upper_offset)
    if hinge is None:
        hinge = _hinge(skeleton, joints, reference, (upper, lower_offset), flexes_toward, limits)
    axis = _checked_hinge(np.asarray(hinge, dtype=np.float64), upper, lower_offset)
    reach = upper_offset + rot.rotate(to_base, lower_offset)
    if np.linalg.norm(reach) < 1e-9:
        raise SkeletonError(f'"{skeleton.names[joints[2]]}" rests on "{skeleton.names[joints[0]]}"')
    base_turn = reference[joints[0]]
    reference_axis = _unit(rot.rotate(base_turn, reach))
    bend = np.cross(reference_axis, rot.rotate(rot.multiply(base_turn, to_base), axis))
    return Limb(
        base_offset=skeleton.offsets[joints[0]],
        upper_offset=upper_offset,
        upper_rotation=upper_rotation,
        mid_zero=reference[joints[1]],
        hinge=axis,
        lower_offset=lower_offset,
        lower_rotation=lower_rotation,
        reference_axis=reference_axis,
        reference_bend=_unit(bend),
    )


def limb_joints(skeleton: Skeleton, base: int | str, mid: int | str, end: int | str) -> tuple[int, int, int]:
    """Indices of a limb's three joints, checked to lie below one another and below the root.

    Raises:
        SkeletonError: They do not.
    """
    joints = (joint_index(skeleton, base), joint_index(skeleton, mid), joint_index(skeleton, end))
    if joints[0] == 0 or len(set(joints)) < 3:
        raise SkeletonError("a limb needs three different joints, none of them the root")
    skeleton.chain(joints[0], joints[1])
    skeleton.chain(joints[1], joints[2])
    return joints


def folded(skeleton: Skeleton, rotations: FloatArray, start: int, end: int) -> tuple[FloatArray, FloatArray]:
    """Position of ``end`` and rotation of its parent, both in the frame of its ancestor ``start``.

    Args:
        skeleton: The skeleton.
        rotations: Local rotations ``(..., joints, 4)``.
        start: The ancestor.
        end: The descendant; its own rotation does not matter.

    Returns:
        Offsets ``(..., 3)`` [m] and rotations ``(..., 4)``.
    """
    lead = rotations.shape[:-2]
    offset, turn = np.zeros((*lead, 3)), rot.identity(lead)
    for joint in skeleton.chain(start, end)[1:]:
        offset = offset + rot.rotate(turn, skeleton.offsets[joint])
        if joint != end:
            turn = rot.multiply(turn, rotations[..., joint, :])
    return offset, turn


def _hinge(
    skeleton: Skeleton,
    joints: tuple[int, int, int],
    reference: FloatArray,
    bones: tuple[FloatArray, FloatArray],
    flexes_toward: npt.ArrayLike | None,
    limits: JointLimits | None,
) -> FloatArray:
    """Hinge axis in the middle joint's frame; ``bones`` are the upper and lower bone there."""
    mid = joints[1]
    to_mid = rot.conjugate(skeleton.placed_joints(np.zeros(3), reference)[1][mid])
    if flexes_toward is not None:
        return np.cross(bones[1], rot.rotate(to_mid, np.asarray(flexes_toward, dtype=np.float64)))
    if is_humanoid_hinge(skeleton, mid):
        human = default_limit(skeleton.roles[mid])
        if limits is not None:
            return rot.rotate(to_mid, limits.swing_axes[mid])
        if human is not None:
            return rot.rotate(to_mid, human.swing_axis)
    normal = np.cross(_unit(bones[0]), _unit(bones[1]))
    if np.linalg.norm(normal) < _BENT_SINE:
        raise SkeletonError(
            f'the limb at "{skeleton.names[mid]}" rests straight and is not a humanoid knee or elbow; '
            "give hinge or flexes_toward"
        )
    return normal


def is_humanoid_hinge(skeleton: Skeleton, joint: int) -> bool:
    """Whether a joint is a person's knee or elbow."""
    return skeleton.is_humanoid and skeleton.roles.get(joint, "").endswith(("LowerLeg", "LowerArm"))


def _checked_hinge(axis: FloatArray, upper: FloatArray, lower: FloatArray) -> FloatArray:
    if axis.shape != (3,) or not np.isfinite(axis).all() or np.linalg.norm(axis) < 1e-9:
        raise OptionError(f"a limb's hinge must be a direction (3,) off the limb's bones; got {axis.tolist()}")
    axis = _unit(axis)
    if min(np.linalg.norm(np.cross(axis, _unit(bone))) for bone in (upper, lower)) < 1e-3:
        raise OptionError("a limb's hinge is parallel to one of its bones; it must point across them")
    return axis


def _unit(vector: FloatArray) -> FloatArray:
    return np.asarray(vector / np.linalg.norm(vector))
