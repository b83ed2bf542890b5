"""What bears a posture: feet, hands, trunk or knees on the floor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.pose import Pose
from understudy.kinematics import pose_world
from understudy.postures.pins import KEY_M, KEY_RAD
from understudy.typing import BoolArray, FloatArray

Side = Literal["left", "right"]
#: What bears a body: feet alone, its trunk on the floor, its hands alone, parts such as knees, a seat, or nothing.
Kind = Literal["feet", "floor", "hands", "knees", "seat", "air"]
SIDES: tuple[Side, Side] = ("left", "right")
#: [m] parts that are no higher above the floor bear: recordings know heights no better than within 3 cm.
NEAR_M = 0.026
#: [m] bodies that are no higher above the floor are on it, by the judge's measure.
HOVERING_M = 0.03
#: What a posture is borne by, for people.
BORNE_BY = {
    "feet": "its feet",
    "floor": "the floor",
    "hands": "its hands",
    "knees": "its knees",
    "seat": "a seat",
    "air": "nothing",
}
_TRUNK = ("pelvis", "abdomen", "ribs", "chest", "neck", "head", "shoulder")
#: They belong to the trunk where their nearer ends are on the floor; the farther ones are knees and elbows.
_NEAR_ENDS = ("thigh", "upper_arm")


@dataclass(frozen=True, eq=False, kw_only=True)
class Foot:
    """Where a planted foot is.

    Attributes:
        side: Left or right.
        place: ``(3,)`` of the ankle [m].
        turn: ``(4,)`` world rotation of the ankle.
        toes: ``(4,)`` local rotation of the toes; ``None`` where the skeleton has none.
        middle: ``(3,)`` middle of the sole [m].
    """

    side: Side
    place: FloatArray
    turn: FloatArray
    toes: FloatArray | None
    middle: FloatArray

    @property
    def ball(self) -> FloatArray:
        """``(3,)`` ball of the foot [m]; the ankle where the skeleton has no toes."""
        return np.asarray(2.0 * self.middle - self.place)

    def same(self, other: Foot) -> bool:
        """Whether a foot need not be lifted to stand as another one does."""
        near = float(np.linalg.norm(self.place - other.place)) < KEY_M
        near = near and float(rot.angle_between(self.turn, other.turn)) < KEY_RAD
        if self.toes is None or other.toes is None:
            return near
        return near and float(rot.angle_between(self.toes, other.toes)) < KEY_RAD


@dataclass(frozen=True, eq=False, kw_only=True)
class Bearing:
    """What bears one posture.

    Attributes:
        kind: Feet, floor (the trunk lies or sits on it), hands, knees, seat or air.
        feet: Planted feet by side.
        hands: Sides of hands on the floor.
    """

    kind: Kind
    feet: dict[Side, Foot]
    hands: tuple[Side, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Placement:
    """A move over the floor: a turn about the vertical through the origin, then a shift.

    Attributes:
        yaw: [rad].
        shift: ``(3,)`` level [m].
    """

    yaw: float
    shift: FloatArray

    def pose(self, pose: Pose) -> Pose:
        """A pose moved over the floor."""
        turn = rot.from_yaw(self.yaw)
        rotations = pose.rotations.copy()
        rotations[0] = rot.multiply(turn, rotations[0])
        return replace(pose, root_position=rot.rotate(turn, pose.root_position) + self.shift, rotations=rotations)


def placement(own: tuple[FloatArray, FloatArray], goal: tuple[FloatArray, FloatArray]) -> Placement:
    """The move over the floor that brings one frame (place, turn) above or below another, headed alike."""
    yaw = float(rot.yaw(rot.multiply(goal[1], rot.conjugate(own[1]))))
    shift = (goal[0] - rot.rotate(rot.from_yaw(yaw), own[0])) * np.array([1.0, 0.0, 1.0])
    return Placement(yaw=yaw, shift=shift)


def bearing_of(body: Body, pose: Pose) -> Bearing:
    """What bears a posture of a humanoid."""
    world = pose_world(pose)
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    low = np.minimum(starts[:, 1], ends[:, 1]) - body.capsule_radii
    # Somebody who is a little above a floor that no recording knows exactly stands on what is lowest.
    high_m = max(NEAR_M, float(low.min()) + KEY_M) if low.min() < HOVERING_M else NEAR_M
    bears = [name for name, height in zip(body.capsule_names, low, strict=True) if height < high_m]
    feet = {side: foot_of(pose, side) for side in SIDES if {f"{side}_foot", f"{side}_toes"} & set(bears)}
    hands = tuple(side for side in SIDES if {f"{side}_hand", f"{side}_forearm"} & set(bears))
    kind: Kind = "knees"
    if not bears:
        kind = "air"
    elif _on_trunk(body, bears, starts[:, 1] - body.capsule_radii < high_m):
        kind = "floor"
    elif feet:
        kind = "feet"
    elif hands:
        kind = "hands"
    return Bearing(kind=kind, feet=feet, hands=hands)


def _on_trunk(body: Body, bears: Sequence[str], starts: BoolArray) -> bool:
    """Whether the trunk is among the parts that bear; ``starts`` says which capsules bear with their nearer ends."""
    near = {name for name, low in zip(body.capsule_names, starts.tolist(), strict=True) if low}
    parts = [(name.removeprefix("left_").removeprefix("right_"), name in near) for name in bears]
    return any(part in _TRUNK or (part in _NEAR_ENDS and low) for part, low in parts)


def foot_of(pose: Pose, side: Side) -> Foot:
    """Where a pose has its foot."""
    world, roles = pose_world(pose), pose.skeleton.humanoid
    ankle, toes = roles[f"{side}Foot"], roles.get(f"{side}Toes")
    ball = ankle if toes is None else toes
    return Foot(
        side=side,
        place=world.positions[ankle].copy(),
        turn=world.rotations[ankle].copy(),
        toes=None if toes is None else pose.rotations[toes].copy(),
        middle=0.5 * (world.positions[ankle] + world.positions[ball]),
    )
