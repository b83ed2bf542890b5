"""Who takes something low bends hips, knees and trunk for it: the least bending from which it is reached in balance.

The body goes down once it stands and comes up after the hands' moment; the feet stay where they are. Arms hang, or
are held as before, seen from the shoulders.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from understudy import rotations as rot
from understudy.collision import shape_distance
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.kinematics import forward, motion_world
from understudy.kinematics.hold import hold_end
from understudy.limbs.handling.neighbours import capsules_of, solids_of
from understudy.locomotion.footsteps.footing import SIDES, footing_of
from understudy.locomotion.footsteps.joining import leg_of
from understudy.performer.actions.balance import bent, exertion, pelvis_part, reaches, settle
from understudy.performer.actions.figure import Figure
from understudy.performer.actions.paths import there_and_back
from understudy.performer.actions.take import GRIP
from understudy.performer.legs import KNEE_RADPS, lowered
from understudy.scene.scene import Scene
from understudy.skills.program.spots import Spot, shoulder_of
from understudy.skills.upper_body import bend_trunk, move_collar, turn_pelvis
from understudy.typing import FloatArray

#: [s] to bend a little, and how much longer as far as one can.
_SOON_S, _LONGER_S = 0.8, 0.7
#: [m] room around a body that bends: it sways.
_ROOM_M = 0.01
#: Share of an arm that is used: the hand may have to be turned.
_ARM = 0.88
#: What one unit of each number costs who bends, knees in turn: those who stand before furniture have no room for them.
_KNEES = (2.0, 10.0)
_COST = np.array([1.0, 0.5, 2.5, 1.5, 0.0, 0.5, 0.45, 0.35, 0.45, 0.35])
#: [s] somebody stays down for the hands' moment.
_STAYS_S = 0.4


@dataclass(frozen=True, eq=False, kw_only=True)
class Stoop:
    """A body that bends.

    Attributes:
        numbers: ``(10,)`` how, as ``performer.actions.balance`` counts.
    """

    numbers: FloatArray

    @property
    def takes_s(self) -> float:
        """How long it takes to get down [s], and up again."""
        return _SOON_S + _LONGER_S * exertion(self.numbers)

    @property
    def lasts_s(self) -> float:
        """How long it takes in all [s]."""
        return 2.0 * self.takes_s + _STAYS_S

    def lower_m(self, skeleton: Skeleton) -> float:
        """By how much it lowers the shoulders [m]."""
        figure = Figure(skeleton)
        bends = np.stack([np.zeros_like(self.numbers), self.numbers])
        _, _, world = figure.trunk_world(bent(figure, figure.standing(2), bends))
        shoulders = world.positions[:, [skeleton.humanoid[f"{side}UpperArm"] for side in SIDES], 1]
        return float((shoulders[0] - shoulders[1]).max())

    def during(self, walk: Motion, stands_s: float) -> Motion:
        """A walk that bends where it ends."""
        first = int(np.clip(round(stands_s * walk.fps), 0, len(walk) - 1))
        times = np.arange(first, len(walk)) / walk.fps
        down = stands_s + self.takes_s
        share = there_and_back(times, stands_s, down, down + _STAYS_S, stands_s + self.lasts_s)
        made = self.applied(walk.frames(first, len(walk)), share)
        return replace(
            walk,
            root_positions=np.concatenate([walk.root_positions[:first], made.root_positions]),
            rotations=rot.continuous(np.concatenate([walk.rotations[:first], made.rotations])),
        )

    def applied(self, stand: Motion, share: FloatArray) -> Motion:
        """Somebody who stands, bent by a share ``(frames,)``."""
        skeleton, numbers = stand.skeleton, share[:, None] * self.numbers
        before = motion_world(stand)
        root, local = stand.root_positions.copy(), stand.rotations.copy()
        turn = numbers[:, [1, 0, 2]]
        heading = rot.from_yaw(footing_of(stand, 0).heading_rad)
        pelvis = rot.exp(rot.rotate(heading, pelvis_part(turn)))
        turn_pelvis(root, local, skeleton, pelvis)
        bend_trunk(local, skeleton, turn - pelvis_part(turn))
        for n, side in enumerate(SIDES):
            move_collar(local, skeleton, side, numbers[:, 7 + 2 * n], numbers[:, 6 + 2 * n])
        root += rot.rotate(heading, numbers[:, [3, 4, 5]] * np.array([1.0, -1.0, 1.0]))
        _hang_arms(skeleton, root, local, numbers[:, 1])
        hips = [skeleton.humanoid[f"{side}UpperLeg"] for side in SIDES]
        centre = forward(skeleton, root, local).positions[:, hips].mean(axis=1)
        left, right = (before.positions[:, skeleton.humanoid[f"{side}Foot"]] for side in SIDES)
        fastest = np.full(len(stand), KNEE_RADPS)
        facing = rot.multiply(pelvis, heading)
        root += lowered(skeleton, centre, facing, (left, right), fps=stand.fps, fastest_radps=fastest) - centre
        made = replace(stand, root_positions=root, rotations=rot.continuous(rot.normalize(local)))
        for side in SIDES:
            chain = leg_of(skeleton, side)
            made = hold_end(made, chain, before.positions[:, chain[2]], before.rotations[:, chain[2]]).motion
        return made


def stoops_for(skeleton: Skeleton, spot: Spot, wrist_m: tuple[float, float] | None = None) -> Iterator[Stoop]:
    """How somebody at a place may bend for what is there, in turn; nothing where that is out of reach.

    Args:
        skeleton: Whose.
        spot: Where they stand, and what is there.
        wrist_m: How far beside and above it the wrist will be; a hand comes from its shoulder unless given.
    """
    place = np.array([spot.place[0], 0.0, spot.place[1]])
    seen = rot.rotate(rot.from_yaw(-spot.heading_rad), spot.point - place)
    for knees in _KNEES:
        found = _settled(skeleton, spot.hand, round(spot.apart_m, 3), wrist_m, knees, *np.round(seen, 3).tolist())
        if found is not None:
            yield found


@lru_cache(maxsize=256)
def _settled(
    skeleton: Skeleton, hand: str, apart_m: float, wrist_m: tuple[float, float] | None, knees: float, *seen: float
) -> Stoop | None:
    """How somebody bends for what they see ``(3,)`` from where they stand [m]."""
    figure, (shoulder, _) = Figure(skeleton), shoulder_of(skeleton)
    # The performer's figure stands with its ankles on the origin.
    ankles = np.array([0.0, 0.0, 0.05 * skeleton.leg_length_m()])
    palm, wrists = GRIP[0] * figure.stature_m, {}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        if hand in (side, "both"):
            own = np.array(seen) + np.array([0.5 * sign * apart_m, 0.0, 0.0])
            # A hand comes from its shoulder; both lie along the sides of a thing.
            back = np.array([0.0, 0.0, -1.0]) if hand == "both" else shoulder * [sign, 1.0, 1.0] - own
            away = palm * back / np.linalg.norm(back)
            if wrist_m is not None:
                away = wrist_m[0] * back / np.hypot(back[0], back[2]) * [1.0, 0.0, 1.0] + [0.0, wrist_m[1], 0.0]
            wrists[side] = own + ankles + away
    numbers = settle(figure, wrists, steps=60, cost=np.where(np.arange(len(_COST)) == 4, knees, _COST), most=_ARM)
    return Stoop(numbers=numbers) if reaches(figure, numbers, wrists) else None


def runs_into(scene: Scene, name: str, stand: Motion, stoop: Stoop) -> str:
    """What trunk and legs of somebody who stands are in once they have bent; empty where they are free."""
    person = scene.with_motion(name, stoop.applied(stand, np.ones(len(stand)))).character(name)
    arms = {f"{name}.{side}_{part}" for side in SIDES for part in ("upper_arm", "forearm", "hand")}
    for part, capsule, at in capsules_of(person, person.start_s):
        for other, solid, there in solids_of(replace(scene, floor=False), 0.0):
            if part not in arms and shape_distance(capsule, at, solid, there).distance_m < _ROOM_M:
                return f"whoever bends for it has {part.removeprefix(f'{name}.')} in {other}"
    return ""


def _hang_arms(skeleton: Skeleton, root: FloatArray, local: FloatArray, lean: FloatArray) -> None:
    """Upper arms turned back by as much as the trunk leans ``(frames,)`` [rad], in place: they hang as before."""
    world = forward(skeleton, root, local)
    arms = [skeleton.humanoid[f"{side}UpperArm"] for side in SIDES]
    across = world.positions[:, arms[0]] - world.positions[:, arms[1]]
    back = rot.from_axis_angle(across / np.linalg.norm(across, axis=1, keepdims=True), -lean)
    for arm in arms:
        above = world.rotations[:, skeleton.parents[arm]]
        local[:, arm] = rot.multiply(rot.conjugate(above), rot.multiply(back, world.rotations[:, arm]))
