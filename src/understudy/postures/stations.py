"""Postures on the way down to the floor, over feet that stay where they stand.

People who let themselves down to the floor squat, reach back with their hands, and lower their seat between hands and
feet. Each station is a seed in the coordinates of joint limits, brought to its places by inverse kinematics, so every
humanoid can use it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.pose import Pose
from understudy.core.reference_pose import t_pose_world
from understudy.kinematics import pose_world
from understudy.postures.bearing import SIDES, Foot, Side
from understudy.postures.reaching import Held, reached
from understudy.postures.stepping import leg_length
from understudy.typing import FloatArray

#: Role without side -> turns about its swing, third and twist axis [deg]; the pelvis leans ahead by ``lean``.
_Seed = Mapping[str, tuple[float, float, float]]
_STAND: _Seed = {
    "UpperArm": (-77, 5, 42),
    "LowerArm": (17, 0, 12),
    "UpperLeg": (3, -3.5, -9),
    "LowerLeg": (5, 0, 0),
}
_SQUAT: _Seed = {
    "UpperLeg": (122, -24, -10),
    "LowerLeg": (133, 0, 0),
    "Foot": (-36, 0, 0),
    "UpperArm": (-20, 70, 20),
    "LowerArm": (20, 0, 0),
    "spine": (8, 0, 0),
    "chest": (6, 0, 0),
    "neck": (-14, 0, 0),
}
_CROUCH: _Seed = {
    "UpperLeg": (128, -24, -10),
    "LowerLeg": (150, 0, 0),
    "Foot": (-36, 0, 0),
    "UpperArm": (-62, -20, 10),
    "LowerArm": (10, 0, 0),
    "Hand": (55, 0, 0),
    "spine": (12, 0, 0),
    "chest": (8, 0, 0),
}
_SEATED: _Seed = {
    "UpperLeg": (104, -14, -6),
    "LowerLeg": (118, 0, 0),
    "Foot": (-8, 0, 0),
    "UpperArm": (-62, -20, 10),
    "LowerArm": (14, 0, 0),
    "Hand": (55, 0, 0),
    "spine": (10, 0, 0),
    "chest": (8, 0, 0),
    "neck": (6, 0, 0),
}
_SIT: _Seed = {
    "UpperLeg": (84, -10, -4),
    "LowerLeg": (88, 0, 0),
    "UpperArm": (-66, 26, 45),
    "LowerArm": (50, 0, 30),
    "spine": (5, 0, 0),
    "chest": (4, 0, 0),
}
_RISE: _Seed = {
    "UpperLeg": (122, -14, -6),
    "LowerLeg": (95, 0, 0),
    "Foot": (-8, 0, 0),
    "UpperArm": (-20, 70, 20),
    "LowerArm": (20, 0, 0),
    "spine": (14, 0, 0),
    "chest": (12, 0, 0),
    "neck": (-14, 0, 0),
}
#: Over the length of a leg: how far behind the ankles the seat and the hands come down, and how far apart hands are.
_SEAT_BEHIND, _HANDS_BEHIND, _HANDS_APART = 0.65, 0.75, 0.44
#: Over the same: how far ahead of the ankles hands come down that help somebody up.
_HANDS_AHEAD = 0.5
#: Over the length of a leg: how far behind the ankles the centre of mass is when the hands, and then the seat, reach
#: the floor.
_CENTRE_BEHIND, _CENTRE_SEATED = 0.14, 0.6
_LEVEL = np.array([1.0, 0.0, 1.0])


def standing(body: Body, feet: Mapping[Side, Foot]) -> Pose | None:
    """Standing at ease over given feet, the centre of mass between them."""
    seed = _seed(body, _STAND, 0.0, feet)
    return reached(body, with_toes(seed, feet), held_feet(body, feet), centre=_between(feet))


def standing_ahead(body: Body, way: Sequence[Mapping[Side, Foot]]) -> Pose | None:
    """Standing at ease over the first of some feet that are two, turned so that these point ahead."""
    feet = next((feet for feet in (*way[1:-1], way[0], way[-1]) if len(feet) == len(SIDES)), None)
    pose = None if feet is None else standing(body, feet)
    if feet is None or pose is None:
        return None
    ahead = _ahead(feet)
    back = rot.from_yaw(-float(np.arctan2(ahead[0], ahead[2])))
    return replace(pose, rotations=np.concatenate([rot.multiply(back, pose.rotations[0])[None], pose.rotations[1:]]))


def squatting(body: Body, feet: Mapping[Side, Foot]) -> Pose | None:
    """A deep squat over given feet."""
    seed = _seed(body, _SQUAT, 30.0, feet)
    return reached(body, with_toes(seed, feet), held_feet(body, feet), centre=_between(feet))


def reaching_back(body: Body, feet: Mapping[Side, Foot]) -> Pose | None:
    """Squatting low, both hands on the floor behind the heels."""
    seed = with_toes(_seed(body, _CROUCH, 20.0, feet), feet)
    held = [*held_feet(body, feet), *_held_hands(body, feet)]
    return reached(body, seed, held, centre=_behind(body, feet, _CENTRE_BEHIND))


def sitting_back(body: Body, feet: Mapping[Side, Foot]) -> Pose | None:
    """Sitting on the floor, feet planted, both hands on the floor beside the seat."""
    at = _behind(body, feet, _SEAT_BEHIND)
    at[1] = float(body.capsule_radii[body.capsule("pelvis")])
    seed = _seed(body, _SEATED, -12.0, feet)
    centre = _behind(body, feet, _CENTRE_SEATED)
    return _sitting(body, seed, feet, at, held=_held_hands(body, feet), centre=centre)


def seated(body: Body, feet: Mapping[Side, Foot], at: FloatArray) -> Pose | None:
    """Sitting upright on a seat, the middle of the pelvis at ``(3,)`` [m], feet planted."""
    return _sitting(body, _seed(body, _SIT, -4.0, feet), feet, at)


def ready_to_rise(body: Body, feet: Mapping[Side, Foot], at: FloatArray) -> Pose | None:
    """Sitting on a seat like this, hands off the thighs."""
    return _sitting(body, _seed(body, _RISE, 8.0, feet), feet, at)


def leaning(body: Body, feet: Mapping[Side, Foot], at: FloatArray) -> Pose | None:
    """Sitting on a seat like this, bent ahead until the centre of mass is as much above the ankles as it can be."""
    ankles = np.asarray(np.mean([foot.place for foot in feet.values()], axis=0))
    return _sitting(body, _seed(body, _RISE, 42.0, feet), feet, at, centre=ankles)


def seat_place(body: Body, pose: Pose) -> FloatArray:
    """``(3,)`` [m] the middle of a posture's pelvis."""
    world, part = pose_world(pose), body.capsule("pelvis")
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    return np.asarray(0.5 * (starts[part] + ends[part]))


def pelvis_point(body: Body) -> FloatArray:
    """``(3,)`` [m] the middle of the pelvis in its joint's frame."""
    part = body.capsule("pelvis")
    return np.asarray(0.5 * (body.capsule_starts[part] + body.capsule_ends[part]))


def _sitting(
    body: Body,
    seed: Pose,
    feet: Mapping[Side, Foot],
    at: FloatArray,
    *,
    held: Sequence[Held] = (),
    centre: FloatArray | None = None,
) -> Pose | None:
    """A posture like a seed with the middle of its pelvis at a place, feet planted."""
    joint = int(body.capsule_joints[body.capsule("pelvis")])
    seat = Held(joint=joint, place=at, point=pelvis_point(body))
    hips = pose_world(seed).positions[body.skeleton.humanoid["hips"]]
    seed = replace(seed, root_position=seed.root_position + at - hips)
    return reached(body, with_toes(seed, feet), [*held_feet(body, feet), *held, seat], centre=centre)


def _held_hands(body: Body, feet: Mapping[Side, Foot]) -> list[Held]:
    """Hands on the floor behind the heels, as parts to hold."""
    roles, ends = body.skeleton.humanoid, body.capsule_ends
    return [
        Held(joint=roles[f"{side}Hand"], place=place, point=ends[body.capsule(f"{side}_hand")])
        for side, place in _hand_places(body, feet, _HANDS_BEHIND).items()
    ]


def hands_ahead(body: Body, feet: Mapping[Side, Foot]) -> dict[Side, FloatArray]:
    """Where hands come down ahead of some feet ``(3,)`` [m]."""
    return _hand_places(body, feet, -_HANDS_AHEAD)


def _hand_places(body: Body, feet: Mapping[Side, Foot], behind: float) -> dict[Side, FloatArray]:
    across = np.cross(np.array([0.0, 1.0, 0.0]), _ahead(feet))
    places: dict[Side, FloatArray] = {}
    for side, way in zip(SIDES, (1.0, -1.0), strict=True):
        places[side] = _behind(body, feet, behind) + way * _HANDS_APART * leg_length(body) * across
        places[side][1] = float(body.capsule_radii[body.capsule(f"{side}_hand")])
    return places


def held_feet(body: Body, feet: Mapping[Side, Foot]) -> list[Held]:
    """Feet as parts to hold."""
    roles = body.skeleton.humanoid
    return [Held(joint=roles[f"{side}Foot"], place=foot.place, turn=foot.turn) for side, foot in feet.items()]


def with_toes(pose: Pose, feet: Mapping[Side, Foot]) -> Pose:
    """The pose with toes bent as given feet have them."""
    rotations = pose.rotations.copy()
    for side, foot in feet.items():
        if foot.toes is not None:
            rotations[pose.skeleton.humanoid[f"{side}Toes"]] = foot.toes
    return replace(pose, rotations=rotations)


def _seed(body: Body, angles: _Seed, lean_deg: float, feet: Mapping[Side, Foot]) -> Pose:
    """A seed posture headed as the feet are, its own feet about where they are."""
    skeleton = body.skeleton
    at = np.zeros((len(skeleton), 3))
    for role, turns in angles.items():
        names = (role,) if role[0].islower() else (f"left{role}", f"right{role}")
        for name in names:
            if name in skeleton.humanoid:
                at[skeleton.humanoid[name]] = np.radians(turns)
    rotations = body.limits.rotations(at)
    ahead = _ahead(feet)
    turn = rot.multiply(
        rot.from_yaw(float(np.arctan2(ahead[0], ahead[2]))),
        rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), np.radians(lean_deg)),
    )
    rotations[0] = rot.multiply(turn, t_pose_world(skeleton)[1][0])
    pose = Pose(skeleton=skeleton, root_position=np.zeros(3), rotations=rotations)
    own = pose_world(pose).positions
    roles = skeleton.humanoid
    shift = np.mean([foot.place - own[roles[f"{side}Foot"]] for side, foot in feet.items()], axis=0)
    return replace(pose, root_position=shift)


def _ahead(feet: Mapping[Side, Foot]) -> FloatArray:
    """Level direction that the feet point in."""
    total = np.sum([(foot.middle - foot.place) * _LEVEL for foot in feet.values()], axis=0)
    return np.asarray(total / max(float(np.linalg.norm(total)), 1e-9))


def _between(feet: Mapping[Side, Foot]) -> FloatArray:
    return np.asarray(np.mean([foot.middle for foot in feet.values()], axis=0))


def _behind(body: Body, feet: Mapping[Side, Foot], share: float) -> FloatArray:
    """A point on the floor behind the ankles, ``share`` of a leg's length away [m]."""
    ankles = np.mean([foot.place for foot in feet.values()], axis=0) * _LEVEL
    return np.asarray(ankles - share * leg_length(body) * _ahead(feet))
