"""Hold a limb's end at targets over a whole motion (foot planting, a hand that stays on a handle).

Each frame keeps its own bend direction: it is carried from the frame's own limb direction to the target's by
the shortest arc, so a target equal to where the end already is changes nothing, and a small change of the target
makes a small change of the limb, whichever way the limb points.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.errors import OptionError, SkeletonError
from understudy.kinematics._inputs import checked
from understudy.kinematics.forward import motion_world
from understudy.kinematics.limb import Limb, folded, is_humanoid_hinge, limb_joints, limb_of
from understudy.kinematics.limb_ik import limb_direction, solve_limbs
from understudy.typing import BoolArray, FloatArray

# Mean sine of the bend below which a clip does not tell its hinge (about 2 degrees).
_TELLING_SINE = 0.03
# Sine of the bend at which a frame's own plane and the clip's hinge count the same (about 3 degrees).
_OWN_PLANE_SINE = 0.05


@dataclass(frozen=True, eq=False, kw_only=True)
class HeldEnd:
    """A motion whose limb was brought to its targets.

    Attributes:
        motion: The changed motion.
        reached: ``(frames,)`` whether the end joint is on its target.
        error_m: ``(frames,)`` distance left [m].
    """

    motion: Motion
    reached: BoolArray
    error_m: FloatArray


def hold_end(
    motion: Motion,
    joints: tuple[int | str, int | str, int | str],
    target_positions: npt.ArrayLike,
    target_rotations: npt.ArrayLike | None = None,
    *,
    hinge_in_base: npt.ArrayLike | None = None,
) -> HeldEnd:
    """Bring the end joint of a limb to a target in every frame, with the least change of the limb.

    Only the three joints change. The middle joint turns about its hinge only, on top of its recorded rotation.
    A middle joint recorded bent backwards (a hyperextended knee) comes out bent forwards by as much.

    Args:
        motion: The motion.
        joints: Base, middle and end joint, by index, role or name.
        target_positions: World positions ``(frames, 3)`` for the end joint [m].
        target_rotations: World rotations ``(frames, 4)`` for the end joint; ``None`` keeps its own.
        hinge_in_base: Hinge axis ``(3,)`` in the base joint's frame, positive turns flex; ``None`` takes the one
            :func:`estimated_hinge` finds.

    Raises:
        SkeletonError: The joints do not form a limb.
        OptionError: Targets that do not fit the motion.
    """
    chain = limb_joints(motion.skeleton, *joints)
    targets = checked(target_positions, (len(motion), 3), "target_positions")
    world = motion_world(motion)
    turns = world.rotations[:, chain[2]]
    if target_rotations is not None:
        turns = checked(target_rotations, (len(motion), 4), "target_rotations")
    hinge = estimated_hinge(motion, joints) if hinge_in_base is None else _direction(hinge_in_base)
    limb = _recorded_limb(motion, chain, hinge)
    parent = motion.skeleton.parents[chain[0]]
    solution = solve_limbs(limb, world.positions[:, parent], world.rotations[:, parent], targets, turns)
    rotations = motion.rotations.copy()
    for joint, solved in zip(chain, (solution.base, solution.mid, solution.end), strict=True):
        # The recording's signs, so that a motion continuous in its quaternions stays so.
        rotations[:, joint] = rot.aligned(solved, motion.rotations[:, joint])
    return HeldEnd(motion=replace(motion, rotations=rotations), reached=solution.reached, error_m=solution.error_m)


def estimated_hinge(motion: Motion, joints: tuple[int | str, int | str, int | str]) -> FloatArray:
    """Hinge axis ``(3,)`` of a limb in its base joint's frame, from how a motion bends it.

    The mean over all frames of upper bone x lower bone: bent frames count most, and a twist of the lower bone
    about itself does not matter. A limb that is straight throughout, or a knee or elbow that is overstretched
    throughout, has the hinge of its rest pose, or failing that some axis across the upper bone.
    """
    chain = limb_joints(motion.skeleton, *joints)
    upper, _, lower = _bones_in_base(motion, chain)
    scale = np.linalg.norm(upper, axis=-1) * np.linalg.norm(lower, axis=-1)
    if scale.min() < 1e-12:
        raise SkeletonError(f'a bone of the limb at "{motion.skeleton.names[chain[1]]}" has no length')
    normal = np.mean(np.cross(upper, lower) / scale[:, None], axis=0)
    resting = _resting_hinge(motion.skeleton, chain)
    told = float(np.linalg.norm(normal))
    # Knees and elbows of people bend one way, also where a clip shows them overstretched all along.
    if told > _TELLING_SINE and (
        resting is None or not is_humanoid_hinge(motion.skeleton, chain[1]) or normal @ resting > 0
    ):
        return np.asarray(normal / told)
    if resting is not None:
        return resting
    bone = upper[0] / np.linalg.norm(upper[0])
    normal = np.cross(bone, np.eye(3)[np.argmin(np.abs(bone))])
    return np.asarray(normal / np.linalg.norm(normal))


def _resting_hinge(skeleton: Skeleton, chain: tuple[int, int, int]) -> FloatArray | None:
    """Hinge axis ``(3,)`` in the base joint's frame, as the rest pose or the role tells; ``None`` if neither does."""
    try:
        limb = limb_of(skeleton, *chain)
    except SkeletonError:
        return None
    return rot.rotate(rot.multiply(limb.upper_rotation, limb.mid_zero), limb.hinge)


def _recorded_limb(motion: Motion, chain: tuple[int, int, int], hinge: FloatArray) -> Limb:
    """The limb of every frame, with that frame's own pose as hinge angle 0 and as swivel reference."""
    upper, turn, lower = _bones_in_base(motion, chain)
    mid = motion.rotations[:, chain[1]]
    lower_offset, lower_rotation = folded(motion.skeleton, motion.rotations, chain[1], chain[2])
    to_base = rot.multiply(turn, mid)
    limb = Limb(
        base_offset=motion.skeleton.offsets[chain[0]],
        upper_offset=upper,
        upper_rotation=turn,
        mid_zero=mid,
        hinge=rot.rotate(rot.conjugate(to_base), _own_hinges(upper, lower, hinge)),
        lower_offset=lower_offset,
        lower_rotation=lower_rotation,
        # Any perpendicular pair will do until limb_direction has read the frame's own.
        reference_axis=np.array([0.0, 0.0, 1.0]),
        reference_bend=np.array([1.0, 0.0, 0.0]),
    )
    axis, bend = limb_direction(limb, motion.rotations[:, chain[0]], mid)
    return replace(limb, reference_axis=axis, reference_bend=bend)


def _own_hinges(upper: FloatArray, lower: FloatArray, hinge: FloatArray) -> FloatArray:
    """Hinge axes ``(frames, 3)`` in the base joint's frame.

    The normal of the frame's own plane where the limb is bent, the clip's hinge where it is straight or bent
    backwards, and a continuous mix in between that is never zero.
    """
    bone = upper / np.linalg.norm(upper, axis=-1, keepdims=True)
    across = hinge - np.sum(bone * hinge, axis=-1, keepdims=True) * bone
    size = np.linalg.norm(across, axis=-1, keepdims=True)
    if size.min() < 1e-3:
        raise OptionError("a limb's hinge is parallel to its upper bone; it must point across it")
    across = across / size
    normal = np.cross(bone, lower / np.linalg.norm(lower, axis=-1, keepdims=True))
    forwards = np.maximum(np.sum(normal * across, axis=-1, keepdims=True), 0.0)
    mixed = _OWN_PLANE_SINE**2 * across + forwards * normal
    return np.asarray(mixed / np.linalg.norm(mixed, axis=-1, keepdims=True))


def _bones_in_base(motion: Motion, chain: tuple[int, int, int]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Upper bone, rotation of the middle joint's parent, and lower bone, in the base joint's frame."""
    upper, turn = folded(motion.skeleton, motion.rotations, chain[0], chain[1])
    lower, _ = folded(motion.skeleton, motion.rotations, chain[1], chain[2])
    return upper, turn, rot.rotate(rot.multiply(turn, motion.rotations[:, chain[1]]), lower)


def _direction(axis: npt.ArrayLike) -> FloatArray:
    direction = checked(axis, (3,), "hinge_in_base")
    if np.linalg.norm(direction) < 1e-9:
        raise OptionError("hinge_in_base is zero; it must be a direction")
    return np.asarray(direction / np.linalg.norm(direction))
