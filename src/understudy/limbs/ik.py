"""Goal postures: a limb's end on its target, within limits and touching nothing (methods.md M1, paper §5).

The analytic solution (Tolani and Badler) leaves the swivel free: the turn of elbow or knee about the line from shoulder
to wrist. Postures at many swivels, and where the end's orientation is free at several turns of it, are brought into the
limb's own parameters, met exactly there, and kept when valid; the nearest to the clip's own pose comes first.

Deviation from the paper: swivels are not tried one after the other until one is valid; all are, because the first valid
one is often out of the search's reach.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.kinematics import Limb, limb_direction, solve_limbs
from understudy.kinematics.limb import folded
from understudy.limbs.space import LimbSpace
from understudy.limbs.stage import Stage
from understudy.limbs.window import Window
from understudy.typing import FloatArray

#: Swivels tried, as turns from the clip's own [rad], nearest first.
_SWIVELS = np.array(sorted(np.linspace(-np.pi, np.pi, 32, endpoint=False), key=abs))
#: Turns of the forearm from the clip's own, tried when the hand's orientation is free [rad].
_TWISTS = (0.0, 0.5, -0.5, 1.0, -1.0)
#: Rounds in which a wrist roughly finds its place when the palm, not the wrist, has to be on the target.
_ROUNDS = 2
#: [m] room a posture should have, and what a metre less of it costs [m].
_ROOMY_M, _TIGHT = 0.015, 10.0
#: [m] how much farther than the arm alone it reaches together with the trunk, at most.
_TRUNK_M = 0.45
#: Postures that are looked for.
_ENOUGH = 24


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


@dataclass(frozen=True, eq=False, kw_only=True)
class Posture:
    """A valid posture of a limb.

    Attributes:
        offset: ``(parameters,)`` [rad] from the clip.
        slack_m: Room before something touches [m], at most 0.05.
        cost_m: How far it is from the clip's own posture, by how far the limb's parts move [m].
    """

    offset: FloatArray
    slack_m: float
    cost_m: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Postures:
    """What the search for postures came to.

    Attributes:
        found: Valid ones, nearest to the clip first.
        missing_m: Least distance left to the target [m].
        missed: How many beginnings did not meet the target.
        outside: How many met it outside the limits.
        touching: How many met it touching something.
    """

    found: tuple[Posture, ...]
    missing_m: float
    missed: int
    outside: int
    touching: int


def reach_m(window: Window, point: FloatArray, time_s: float) -> tuple[float, FloatArray]:
    """How far from shoulder or hip the end can be [m], and where that is in the world ``(3,)`` at a time."""
    return reach_on(window.stage, window.space, point, time_s)


def reach_on(stage: Stage, space: LimbSpace, point: FloatArray, time_s: float) -> tuple[float, FloatArray]:
    """The same without a window."""
    pose = _posed(stage, time_s)
    limb = _limb(space, pose.local)
    parent = int(space.body.skeleton.parents[_triple(space)[0]])
    at = pose.places[parent] + rot.rotate(pose.turns[parent], limb.base_offset)
    return float(limb.reach_m[1]) + float(np.linalg.norm(point)), at


def goal_postures(window: Window, time_s: float, target: EndTarget, *, clear_m: float = 0.001) -> Postures:
    """Valid postures of a limb with its end on a target at a time.

    Args:
        window: The limb in its window; ``time_s`` must lie within.
        time_s: When [s].
        target: Where.
        clear_m: Room every posture must have [m].
    """
    from understudy.limbs._ik_kernels import valid_postures

    space, pose = window.space, _posed(window.stage, time_s)
    seeds, turns = _seeds(space, pose, target)
    base_at, base_turn = pose.places[space.parent], pose.turns[space.parent]
    targets = np.zeros((len(seeds), 10))
    targets[:, :3] = rot.rotate(rot.conjugate(base_turn), target.position - base_at)
    targets[:, 3:7] = rot.multiply(rot.conjugate(base_turn), turns)
    targets[:, 7:] = target.point
    weights = np.abs(window.setting.window.reach).max(axis=1) @ space.spread
    order = np.argsort(np.linalg.norm(seeds * weights, axis=1), kind="stable")
    out = np.zeros((len(seeds), len(space) + 1))
    count, why = valid_postures(
        window.setting,
        window.scratch,
        np.ascontiguousarray(seeds[order]),
        np.ascontiguousarray(targets[order]),
        target.rotations is not None,
        float(time_s),
        space.ends_at,
        float(clear_m),
        _ENOUGH,
        out,
    )
    costs = np.linalg.norm(out[:count, :-1] * weights, axis=1)
    # A posture that all but touches something is a poor place to end a search.
    tight = np.maximum(_ROOMY_M - out[:count, -1], 0.0) * _TIGHT
    found = tuple(
        Posture(offset=out[k, :-1].copy(), slack_m=float(out[k, -1]), cost_m=float(costs[k]))
        for k in np.argsort(costs + tight, kind="stable").tolist()
    )
    return Postures(found=found, missing_m=float(why[3]), missed=int(why[0]), outside=int(why[1]), touching=int(why[2]))


def reachable_postures(window: Window, time_s: float, target: EndTarget, *, clear_m: float = 0.001) -> Postures:
    """The same; nothing is looked for where the target is plainly too far away."""
    length, base = reach_m(window, target.point, time_s)
    beyond = float(np.linalg.norm(target.position - base)) - length
    if beyond > (_TRUNK_M if window.space.name.endswith("_spine") else 0.0):
        return Postures(found=(), missing_m=beyond, missed=0, outside=0, touching=0)
    return goal_postures(window, time_s, target, clear_m=clear_m)


@dataclass(frozen=True)
class _Pose:
    local: FloatArray
    places: FloatArray
    turns: FloatArray


def _posed(stage: Stage, time_s: float) -> _Pose:
    motion = stage.motion
    pose = motion.pose_at(float(np.clip(time_s - stage.start_s, 0.0, motion.duration_s)))
    places, turns = motion.skeleton.placed_joints(pose.root_position, pose.rotations)
    return _Pose(np.array(pose.rotations), places, turns)


def _triple(space: LimbSpace) -> tuple[int, int, int]:
    """Shoulder, elbow and hand (hip, knee and foot) of a limb."""
    roles = space.body.skeleton.roles
    end = space.joints[space.ends_at]
    upper, lower = ("UpperArm", "LowerArm") if roles[end].endswith("Hand") else ("UpperLeg", "LowerLeg")
    base = next(joint for joint in space.joints if roles.get(joint, "").endswith(upper))
    mid = next(joint for joint in space.joints if roles.get(joint, "").endswith(lower))
    return base, mid, end


def _limb(space: LimbSpace, local: FloatArray) -> Limb:
    """The two-bone limb as it is in a pose: carrying angle and twists are the pose's own, swivel 0 is its own."""
    skeleton, limits = space.body.skeleton, space.body.limits
    base, mid, end = _triple(space)
    upper_offset, upper_rotation = folded(skeleton, local, base, mid)
    lower_offset, lower_rotation = folded(skeleton, local, mid, end)
    k = space.joints.index(mid)
    angles = space.coordinates(local)[3 * k : 3 * k + 3]
    before, after = space.frames[0][k], space.frames[1][k]
    straight = rot.multiply(rot.from_euler([0.0, angles[1], angles[2]], "XYZ"), after)
    # mid = before X(flexion) rest = (before rest) exp(hinge flexion) with the flexion axis seen through the rest.
    hinge = rot.rotate(rot.conjugate(straight), np.array([1.0, 0.0, 0.0]))
    flat = Limb(
        base_offset=skeleton.offsets[base],
        upper_offset=upper_offset,
        upper_rotation=upper_rotation,
        mid_zero=rot.multiply(before, straight),
        hinge=hinge,
        lower_offset=lower_offset,
        lower_rotation=lower_rotation,
        reference_axis=-limits.twist_axes[base],
        reference_bend=limits.swing_axes[base],
    )
    axis, bend = limb_direction(flat, local[base], local[mid])
    return Limb(**{**flat.__dict__, "reference_axis": axis, "reference_bend": bend})


def _seeds(space: LimbSpace, pose: _Pose, target: EndTarget) -> tuple[FloatArray, FloatArray]:
    """Offsets ``(n, parameters)`` that nearly reach the target, and the orientation ``(n, 4)`` meant for each."""
    base, mid, end = _triple(space)
    skeleton, limb = space.body.skeleton, _limb(space, pose.local)
    parent = int(skeleton.parents[base])
    at, turn = pose.places[parent], pose.turns[parent]
    above = rot.multiply(rot.conjugate(pose.turns[skeleton.parents[end]]), pose.turns[end])
    if target.rotations is not None:
        turns = np.repeat(np.atleast_2d(target.rotations), len(_SWIVELS), axis=0)
        swivels = np.tile(_SWIVELS, len(turns) // len(_SWIVELS))
        wrist = target.position - rot.rotate(turns, target.point)
        solved = solve_limbs(limb, at, turn, wrist, turns, swivel_rad=swivels)
    else:
        along = rot.rotate(rot.conjugate(pose.turns[skeleton.parents[end]]), _forearm(pose, mid, end))
        twists = np.repeat(_TWISTS, len(_SWIVELS))
        swivels = np.tile(_SWIVELS, len(_TWISTS))
        hand = rot.multiply(rot.from_axis_angle(along, twists), above)
        turns = np.repeat(pose.turns[end][None], len(twists), axis=0)
        solved = solve_limbs(limb, at, turn, target.position, turns, swivel_rad=swivels)
        for _ in range(_ROUNDS):
            bent = rot.multiply(rot.multiply(solved.base, limb.upper_rotation), solved.mid)
            turns = rot.multiply(rot.multiply(rot.multiply(turn, bent), limb.lower_rotation), hand)
            wrist = target.position - rot.rotate(turns, target.point)
            solved = solve_limbs(limb, at, turn, wrist, turns, swivel_rad=swivels)
    local = np.repeat(pose.local[None], len(turns), axis=0)
    local[:, base], local[:, mid] = solved.base, solved.mid
    bent = rot.multiply(rot.multiply(solved.base, limb.upper_rotation), solved.mid)
    forearm = rot.multiply(rot.multiply(turn, bent), limb.lower_rotation)
    local[:, end] = rot.multiply(rot.conjugate(forearm), turns)
    offsets = space.parameters(local) - space.parameters(pose.local)
    return _wrapped(space, offsets), turns


def _forearm(pose: _Pose, mid: int, end: int) -> FloatArray:
    along = pose.places[end] - pose.places[mid]
    return np.asarray(along / np.linalg.norm(along))


def _wrapped(space: LimbSpace, offsets: FloatArray) -> FloatArray:
    """Twists and turns by the shorter way round."""
    turning = [name.endswith(("twist", "flexion", "tilt", "turn")) for name in space.names]
    offsets = offsets.copy()
    offsets[:, turning] = (offsets[:, turning] + np.pi) % (2.0 * np.pi) - np.pi
    return offsets
