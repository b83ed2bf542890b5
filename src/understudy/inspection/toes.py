"""Toes that point into the floor: few markers carry them, and solvers bend them down where a shoe bends up."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from understudy import rotations as rot
from understudy.core.body_fit import fit_body
from understudy.core.editing import raised
from understudy.core.motion import Motion
from understudy.core.reference_pose import t_pose_world
from understudy.inspection.contacts import SIDES, foot_contacts
from understudy.inspection.flips import find_flips
from understudy.inspection.floor import BELOW_M
from understudy.inspection.grounding import sole_heights_m
from understudy.inspection.intervals import held, runs
from understudy.kinematics.forward import motion_world
from understudy.typing import FloatArray

_RIGHT = np.array([-1.0, 0.0, 0.0])
#: [m] toes this deep in the floor belong to a stretch in which they go deeper than soles are thick.
_TOUCHING_M = 0.002
#: [s] toes bend up and back again over this time around such a stretch.
_EASED_S = 0.05
#: [rad] smaller turns are not worth a repair.
_LEAST_RAD = np.radians(0.1)


@dataclass(frozen=True, eq=False, kw_only=True)
class Lift:
    """One stretch of frames in which toes are bent up.

    Attributes:
        joint: Index of the toe joint.
        first: First frame concerned.
        last: Last frame, included.
    """

    joint: int
    first: int
    last: int


def lifted_toes(motion: Motion) -> tuple[Motion, list[Lift]]:
    """The motion with toes bent up to the floor wherever their tips go deeper into it than soles are thick.

    The floor is where standing feet rest, without their toes; a clip without a stance is left alone,
    and so are the toes of a foot that is turned over.
    """
    if not motion.skeleton.is_humanoid or motion.skeleton.leg_length_m() < 1e-6:
        return motion, []
    contacts = foot_contacts(motion)
    soles = sole_heights_m(motion, {side: contacts.planted(side) for side in SIDES}, of=("foot",))
    if not len(soles):
        return motion, []
    flipped = {flip.joint for flip in find_flips(motion)}
    rotations, lifts = motion.rotations.copy(), list[Lift]()
    floor_m = float(np.median(soles))
    for side in SIDES:
        joint = motion.skeleton.humanoid.get(f"{side}Toes")
        if joint is None or motion.skeleton.humanoid[f"{side}Foot"] in flipped:
            continue
        angles, axes = _lift(motion, side, floor_m)
        # No farther than toes bend, and eased from what they do bend.
        reached = rot.angle_between(motion.rotations[:, joint], _bent(motion, joint, angles, axes))
        angles = raised(np.where(angles > 0.0, reached, 0.0), round(_EASED_S * motion.fps))
        trial = rotations.copy()
        trial[:, joint] = _bent(motion, joint, angles, axes)
        left, _ = _lift(replace(motion, rotations=trial), side, floor_m)
        for first, stop in runs(angles > _LEAST_RAD):
            # Toes that do not come up by bending are not mended by it.
            if left[first:stop].max() <= _LEAST_RAD:
                rotations[first:stop, joint] = trial[first:stop, joint]
                lifts.append(Lift(joint=joint, first=first, last=stop - 1))
    if not lifts:
        return motion, []
    return replace(motion, rotations=rot.continuous(rotations)), lifts


def _bent(motion: Motion, joint: int, angles: FloatArray, axes: FloatArray) -> FloatArray:
    """Local rotations ``(frames, 4)`` of toes after turning them in the world, within their limits."""
    world = motion_world(motion).rotations
    turned = rot.multiply(rot.from_axis_angle(axes, angles), world[:, joint])
    rotations = motion.rotations.copy()
    rotations[:, joint] = rot.multiply(rot.conjugate(world[:, motion.skeleton.parents[joint]]), turned)
    return np.asarray(fit_body(motion.skeleton).limits.clamped(rotations)[:, joint])


def _lift(motion: Motion, side: str, floor_m: float) -> tuple[FloatArray, FloatArray]:
    """By which angles ``(frames,)`` [rad] and about which axes ``(frames, 3)`` the toes of a foot have to bend up."""
    body, world = fit_body(motion.skeleton), motion_world(motion)
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    part = body.capsule(f"{side}_toes")
    base, tip, radius = starts[:, part], ends[:, part], float(body.capsule_radii[part])
    along = tip - base
    length = np.maximum(np.linalg.norm(along, axis=1), 1e-9)
    along = along / length[:, None]
    deep = held(floor_m + radius - tip[:, 1] > BELOW_M, floor_m + radius - tip[:, 1] > _TOUCHING_M, at_least=1)
    # Toes bend about the axis that points sideways in the T-pose.
    joint = motion.skeleton.humanoid[f"{side}Toes"]
    away = rot.multiply(world.rotations[:, joint], rot.conjugate(t_pose_world(motion.skeleton)[1][joint]))
    axes = rot.rotate(away, _RIGHT)
    # Their height is then a sine of the angle. Toes whose base is in the floor itself lie level at most.
    across = np.cross(axes, along)[:, 1]
    highest = np.maximum(np.hypot(along[:, 1], across), 1e-9)
    wanted = np.clip((floor_m + radius - base[:, 1]) / length, -1.0, 0.0)
    turned = np.arcsin(np.clip(wanted / highest, -1.0, 1.0)) - np.arctan2(along[:, 1], across)
    angles = np.where(deep, np.clip(turned, 0.0, 0.5 * np.pi), 0.0)
    return angles, axes
