"""Postures that nearly put a limb's end on a target: the analytic two-bone solution at many swivels (paper §5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from understudy import rotations as rot
from understudy.kinematics import Limb, limb_direction
from understudy.kinematics._inputs import frozen, frozen_indices
from understudy.kinematics.limb import folded
from understudy.limbs.space import LimbSpace
from understudy.limbs.stage import Stage
from understudy.limbs.tabulate import placed
from understudy.typing import FloatArray

if TYPE_CHECKING:
    from understudy.limbs._seed_kernels import LimbArrays

#: Swivels tried, as turns from the clip's own [rad], nearest first.
_SWIVELS = np.array(sorted(np.linspace(-np.pi, np.pi, 32, endpoint=False), key=abs))
#: Turns of the forearm from the clip's own, tried when the hand's orientation is free [rad].
_TWISTS = np.array([0.0, 0.5, -0.5, 1.0, -1.0])
#: Rounds in which a wrist roughly finds its place when the palm, not the wrist, has to be on the target.
_ROUNDS = 2
#: Leanings of the trunk per parameter that are looked at, and how many are tried.
_LEANS, _MOST_LEANS = 7, 4
#: [rad] leanings this near to each other are one; share of its length at which an arm reaches easily.
_LEAN_RAD, _EASILY = 0.15, 0.97


@dataclass(frozen=True, eq=False, kw_only=True)
class EndTarget:
    """Where the end of a limb has to be.

    Attributes:
        position: ``(3,)`` [m] in the world.
        rotations: ``(n, 4)`` world orientations of the end joint of which any will do; ``None`` leaves it free.
        point: ``(3,)`` [m] what has to be there, in the end joint's frame: the palm, or the joint itself.
    """

    position: FloatArray
    rotations: FloatArray | None = None
    point: FloatArray


@dataclass(frozen=True)
class Pose:
    """A pose: local rotations ``(joints, 4)``, world positions ``(joints, 3)`` [m] and rotations ``(joints, 4)``."""

    local: FloatArray
    places: FloatArray
    turns: FloatArray


def posed(stage: Stage, time_s: float) -> Pose:
    """All joints of the motion at a time, found once."""
    return stage.remembered(("pose", time_s), lambda: _posed_anew(stage, time_s))


def limb_at(stage: Stage, space: LimbSpace, time_s: float) -> Limb:
    """The two-bone limb as it is at a time."""
    return stage.remembered(("limb", space.name, time_s), lambda: _limb(space, posed(stage, time_s).local))


def _posed_anew(stage: Stage, time_s: float) -> Pose:
    motion = stage.motion
    pose = motion.pose_at(float(np.clip(time_s - stage.start_s, 0.0, motion.duration_s)))
    places, turns = placed(motion.skeleton, np.asarray(pose.root_position), np.asarray(pose.rotations))
    return Pose(np.array(pose.rotations), places, turns)


def triple(space: LimbSpace) -> tuple[int, int, int]:
    """Shoulder, elbow and hand (hip, knee and foot) of a limb."""
    roles = space.body.skeleton.roles
    end = space.joints[-1]
    upper, lower = ("UpperArm", "LowerArm") if roles[end].endswith("Hand") else ("UpperLeg", "LowerLeg")
    base = next(joint for joint in space.joints if roles.get(joint, "").endswith(upper))
    mid = next(joint for joint in space.joints if roles.get(joint, "").endswith(lower))
    return base, mid, end


def _limb(space: LimbSpace, local: FloatArray) -> Limb:
    """The two-bone limb as it is in a pose: carrying angle and twists are the pose's own, swivel 0 is its own."""
    skeleton, limits = space.body.skeleton, space.body.limits
    base, mid, end = triple(space)
    k, straight = space.joints.index(mid), space.coordinates(local)
    straight[3 * k] = 0.0
    zero = space.with_coordinates(local, straight)[mid]
    upper, lower = folded(skeleton, local, base, mid), folded(skeleton, local, mid, end)
    flat = Limb(
        base_offset=skeleton.offsets[base],
        upper_offset=upper[0],
        upper_rotation=upper[1],
        mid_zero=zero,
        hinge=rot.rotate(rot.conjugate(zero), rot.rotate(space.frames[0][k], np.array([1.0, 0.0, 0.0]))),
        lower_offset=lower[0],
        lower_rotation=lower[1],
        reference_axis=-limits.twist_axes[base],
        reference_bend=limits.swing_axes[base],
    )
    axis, bend = limb_direction(flat, local[base], local[mid])
    return Limb(**{**flat.__dict__, "reference_axis": axis, "reference_bend": bend})


def leanings(stage: Stage, space: LimbSpace, time_s: float) -> tuple[FloatArray, FloatArray]:
    """Where the shoulder is ``(n, 3)`` [m] with the trunk leaning every which way, and these offsets."""
    return stage.remembered(("leanings", space.name, time_s), lambda: _leanings(stage, space, time_s))


def _leanings(stage: Stage, space: LimbSpace, time_s: float) -> tuple[FloatArray, FloatArray]:
    pose = posed(stage, time_s)
    clip = space.parameters(pose.local)
    trunk = [k for k, name in enumerate(space.names) if name.startswith("spine")]
    steps = [np.linspace(space.low[k] - clip[k], space.high[k] - clip[k], _LEANS) for k in trunk]
    offsets = np.zeros((_LEANS ** len(trunk), len(space)))
    offsets[:, trunk] = np.stack(np.meshgrid(*steps, indexing="ij"), axis=-1).reshape(-1, len(trunk))
    local = space.with_offsets(np.repeat(pose.local[None], len(offsets), axis=0), offsets)
    places = np.repeat(pose.places[space.parent][None], len(offsets), axis=0)
    turns = np.repeat(pose.turns[space.parent][None], len(offsets), axis=0)
    for joint in space.joints[: space.joints.index(triple(space)[0]) + 1]:
        places = places + rot.rotate(turns, stage.motion.skeleton.offsets[joint])
        turns = rot.multiply(turns, local[:, joint])
    return places, offsets


def _useful(stage: Stage, space: LimbSpace, time_s: float, target: EndTarget, limb: Limb) -> list[FloatArray]:
    """A few leanings, the smallest first, that are unlike each other and have the target within easy reach."""
    places, offsets = leanings(stage, space, time_s)
    length = float(limb.reach_m[1]) + float(np.linalg.norm(target.point))
    away = np.linalg.norm(target.position - places, axis=1)
    size, kept = np.linalg.norm(offsets, axis=1), list[FloatArray]()
    for k in np.argsort(size, kind="stable").tolist():
        near = away[k] < _EASILY * length and size[k] > _LEAN_RAD
        if near and all(np.abs(offsets[k] - one).max() > _LEAN_RAD for one in kept):
            kept.append(offsets[k])
        if len(kept) == _MOST_LEANS:
            break
    return kept


def _leaning(stage: Stage, space: LimbSpace, time_s: float, lean: FloatArray) -> Pose:
    """The pose at a time with the trunk leaning."""
    pose = posed(stage, time_s)
    local = space.with_offsets(pose.local, lean)
    return Pose(local, *placed(stage.motion.skeleton, pose.places[0], local))


def seeds_on(stage: Stage, space: LimbSpace, time_s: float, target: EndTarget) -> tuple[FloatArray, FloatArray]:
    """Offsets ``(n, parameters)`` that nearly reach the target, and the orientation ``(n, 4)`` meant for each.

    An arm with its trunk is also tried with the trunk leaning this way and that, where that brings it into reach.
    """
    pose, limb = posed(stage, time_s), limb_at(stage, space, time_s)
    found = [_swivelled(space, pose, limb, target, _SWIVELS)]
    if space.name.endswith("_spine"):
        for lean in _useful(stage, space, time_s, target, limb):
            leaning = _leaning(stage, space, time_s, lean)
            offsets, turns = _swivelled(space, leaning, limb, target, _SWIVELS[::2])
            found.append((offsets + lean, turns))
    return np.concatenate([one[0] for one in found]), np.concatenate([one[1] for one in found])


def _swivelled(
    space: LimbSpace, pose: Pose, limb: Limb, target: EndTarget, every: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The same from one pose of the body, at some swivels."""
    from understudy.limbs._seed_kernels import swivelled_rows

    mid, end = triple(space)[1:]
    above = space.body.skeleton.parents[end]
    if target.rotations is not None:
        turns = np.repeat(np.atleast_2d(target.rotations), len(every), axis=0).astype(np.float64)
        hands, rounds = turns, 0
    else:
        back, along = rot.conjugate(pose.turns[above]), pose.places[end] - pose.places[mid]
        twists = rot.from_axis_angle(rot.rotate(back, along / np.linalg.norm(along)), _TWISTS)
        hands = np.repeat(rot.multiply(twists, rot.multiply(back, pose.turns[end])), len(every), axis=0)
        rounds = _ROUNDS
        turns = np.repeat(pose.turns[end][None], len(hands), axis=0)
    clip, rows = space.coordinates(pose.local), _coordinate_rows(space)
    found = np.empty((len(turns), 9))
    swivelled_rows(
        space.arrays,
        _kernel_arrays(space, pose, limb),
        frozen(target.position),
        frozen(target.point),
        frozen(hands),
        frozen(np.tile(every, len(turns) // len(every))),
        float(clip[-1]),
        rounds,
        turns,
        found,
    )
    own = np.repeat(clip[None], len(turns), axis=0)
    own[:, rows] = found
    return _wrapped(space, (own - clip) @ space.driven.T), turns


def _coordinate_rows(space: LimbSpace) -> list[int]:
    """Which of a chain's coordinates are those of shoulder, elbow and hand."""
    return [3 * space.joints.index(joint) + axis for joint in triple(space) for axis in range(3)]


def _kernel_arrays(space: LimbSpace, pose: Pose, limb: Limb) -> LimbArrays:
    """The limb in a pose of the body."""
    from understudy.kinematics._limb_kernels import Bones
    from understudy.limbs._seed_kernels import LimbArrays

    skeleton, (base, mid, end) = space.body.skeleton, triple(space)
    parent, column = int(skeleton.parents[base]), -1
    bone = np.zeros(3)
    # A wrist without a twist of its own leaves the turning to the forearm.
    if int(skeleton.parents[end]) == mid and not np.any(space.spread[column]) and "forearm_twist" in space.names:
        bone = skeleton.offsets[end] / np.linalg.norm(skeleton.offsets[end])
    bones = Bones(*(frozen(getattr(limb, name)) for name in Bones._fields))
    chosen = frozen_indices([space.joints.index(joint) for joint in (base, mid, end)])
    place, turn = frozen(pose.places[parent]), frozen(pose.turns[parent])
    return LimbArrays(frozen(limb.base_offset), bones, place, turn, frozen(bone), chosen)


def _wrapped(space: LimbSpace, offsets: FloatArray) -> FloatArray:
    """Twists and turns by the shorter way round."""
    turning = [name.endswith(("twist", "flexion", "tilt", "turn")) for name in space.names]
    offsets = offsets.copy()
    offsets[:, turning] = (offsets[:, turning] + np.pi) % (2.0 * np.pi) - np.pi
    return offsets
