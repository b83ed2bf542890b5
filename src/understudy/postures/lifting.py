"""Feet and hands that leave the floor go straight up from it, and straight down where they come to it.

Ways between postures move all joints together. A foot on the floor that has to be elsewhere would be dragged along it,
so the way goes over two stations more: the first posture with its feet and hands lifted, and the last one likewise.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from understudy.core.body import Body
from understudy.core.pose import Pose
from understudy.kinematics import pose_world
from understudy.postures.bearing import NEAR_M, SIDES, Foot
from understudy.postures.pins import KEY_M
from understudy.postures.reaching import Held, reached
from understudy.typing import FloatArray

#: Over the stature, in a step over the other foot, and over the way it goes: how high a foot or hand is lifted.
LIFT, _STEP, _SWING = 0.025, 0.04, 0.2


@dataclass(frozen=True, eq=False, kw_only=True)
class End:
    """A foot or hand.

    Attributes:
        joint: The ankle or wrist.
        place: ``(3,)`` where the point that touches the floor is [m]: the ankle itself, or the end of the hand.
        turn: ``(4,)`` world rotation of a foot; ``None`` for hands, which may turn where they are.
        point: ``(3,)`` that point in the joint's frame [m].
        low: Whether it is on the floor.
    """

    joint: int
    place: FloatArray
    turn: FloatArray | None
    point: FloatArray
    low: bool

    def held(self, up_m: float, *, turned: bool) -> Held:
        """The end where it is, or higher; a foot keeps its turn if it is ``turned``."""
        turn = self.turn if turned else None
        return Held(joint=self.joint, place=self.place + np.array([0.0, up_m, 0.0]), turn=turn, point=self.point)


def ends_of(body: Body, pose: Pose) -> dict[str, End]:
    """Feet and hands of a posture by their names."""
    world, roles, names = pose_world(pose), body.skeleton.humanoid, body.capsule_names
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    low = np.minimum(starts[:, 1], ends[:, 1]) - body.capsule_radii
    found = {}
    for side in SIDES:
        for limb, role, parts in (("foot", "Foot", ("foot", "toes")), ("hand", "Hand", ("hand", "forearm"))):
            joint, own = roles[f"{side}{role}"], [names.index(f"{side}_{p}") for p in parts if f"{side}_{p}" in names]
            point = np.zeros(3) if limb == "foot" else body.capsule_ends[body.capsule(f"{side}_hand")]
            found[f"{side} {limb}"] = End(
                joint=joint,
                place=world.positions[joint] if limb == "foot" else ends[body.capsule(f"{side}_hand")],
                turn=world.rotations[joint] if limb == "foot" else None,
                point=point,
                low=bool(low[own].min() < NEAR_M),
            )
    return found


def moving_ends(body: Body, a: Pose, b: Pose) -> tuple[list[str], list[str]]:
    """Feet and hands that must leave the floor in one posture, and that come down to it in the other."""
    first, last = ends_of(body, a), ends_of(body, b)
    moved = [name for name in first if float(np.linalg.norm(first[name].place - last[name].place)) > KEY_M]
    return [name for name in moved if first[name].low], [name for name in moved if last[name].low]


def lifted(
    body: Body,
    pose: Pose,
    names: Iterable[str],
    *,
    over: Foot | None = None,
    centre: FloatArray | None = None,
    far_m: float = 0.0,
) -> Pose | None:
    """The posture with some feet and hands lifted, all others on the floor where they are; ``None`` if that cannot be.

    Args:
        body: Whose.
        pose: The posture.
        names: Which feet and hands.
        over: The foot that bears the body.
        centre: ``(3,)`` what the centre of mass stays above [m], by default that foot; without both the hips stay where
            they are.
        far_m: How far away they go [m].
    """
    up, planted = set(names), "" if over is None else f"{over.side} foot"
    if not up:
        return pose
    high_m = (LIFT if over is None else _STEP) * body.stature_m + _SWING * far_m
    centre = over.middle if over is not None else centre
    held = [Held(joint=0, place=pose_world(pose).positions[0])] if centre is None else []
    for name, end in ends_of(body, pose).items():
        if end.low or name in up or name == planted:
            # Over the other foot there is room to lift one as it stands; hips on the floor leave less.
            turned = centre is not None or name not in up
            held.append(end.held(high_m if name in up else 0.0, turned=turned))
    return reached(body, pose, held, centre=centre, upright=over is not None)
