"""Somebody about to do something: the world around them now, how they stand and what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.errors import PlanningInputError
from understudy.floor import Floor, build_floor
from understudy.limbs.handling import Notes, Play
from understudy.locomotion import WalkOptions
from understudy.locomotion.footsteps.footing import Footing, footing_of
from understudy.locomotion.footsteps.narrowest import no_way
from understudy.locomotion.footsteps.ways import Ways, body_room_m
from understudy.scene.scene import Scene
from understudy.scene.transforms import Transform
from understudy.skills.program.snapshot import shifted_rule, snapshot
from understudy.typing import FloatArray

#: [m] floor around everything named, room over the head, and what is lower is walked on.
_AROUND_M, _OVERHEAD_M, _STEP_M = 3.0, 0.05, 0.02


@dataclass(frozen=True, eq=False, kw_only=True)
class Held:
    """A thing in a hand: which, in which, its place ``(3,)`` [m] and rotation ``(4,)`` in the hand joint's frame."""

    object: str
    hand: str
    at: FloatArray
    grip: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Here:
    """Somebody at a moment, which is time zero.

    Attributes:
        name: Who.
        play: The snapshot; nobody else is in it.
        before: What was done so far; ``None`` at the beginning.
        footing: How they stand.
        skeleton: Their skeleton.
        notes: What went wrong.
    """

    name: str
    play: Play
    before: Motion | None
    footing: Footing
    skeleton: Skeleton
    notes: Notes = field(default_factory=Notes)

    @property
    def scene(self) -> Scene:
        """The snapshot's scene."""
        return self.play.scene

    @property
    def body(self) -> Body:
        """Capsules and limits."""
        return fit_body(self.skeleton)

    @property
    def faces(self) -> bool:
        """Whether it is given where they face: who begins without a heading faces where they go."""
        return self.before is not None or self.scene.character(self.name).heading_rad is not None

    def around(self) -> Scene:
        """The snapshot's scene without themselves and what they hold."""
        scene = self.scene.without(self.name)
        for held in self.held():
            scene = scene.without(held.object)
        return scene

    def floor(self, *points: FloatArray) -> Floor:
        """The floor of the snapshot as it is now, wide enough for all points; what is held is not in the way."""
        ends = np.stack([self.footing.place, *points])
        held = [hold.object for hold in self.scene.holds if "." in hold.to]
        return build_floor(
            self.scene,
            bounds=[*(ends.min(axis=0) - _AROUND_M), *(ends.max(axis=0) + _AROUND_M)],
            ignore=tuple(dict.fromkeys(held)),
            head_height_m=self.body.stature_m + _OVERHEAD_M,
            step_height_m=_STEP_M,
        )

    def ways(self, floor: Floor, goal: FloatArray, heading_rad: float | None, via: Sequence[FloatArray] = ()) -> Ways:
        """Ways over that floor to a place, past some points."""
        return Ways(
            floor=floor,
            stops=[self.footing.place, *via, goal],
            heading_rad=heading_rad,
            facing_rad=self.footing.heading_rad if self.faces else None,
            preferred_m=WalkOptions().clearance_m,
            least_m=body_room_m(self.skeleton),
        )

    def why_not(self, floor: Floor, goal: FloatArray) -> str:
        """Why no way leads to a place, in one sentence."""
        found = no_way(floor, [self.footing.place, goal], body_room_m(self.skeleton))
        return found.reason or "there is no room to turn on the way"

    def upright(self, name: str) -> FloatArray:
        """``(4,)`` how something stood at first."""
        return self.scene.object(name).placement.poses(np.array([-1e3]))[1][0]

    def held(self) -> tuple[Held, ...]:
        """What is held now."""
        found = []
        for hold in self.scene.holds:
            owner, _, part = hold.to.partition(".")
            if owner != self.name or not hold.start_s <= 0.0 < hold.end_s or not isinstance(hold.grip, Transform):
                continue
            hand = "left" if part.startswith("left") else "right"
            at, grip = np.array(hold.grip.position), np.array(hold.grip.rotation)
            found.append(Held(object=hold.object, hand=hand, at=at, grip=grip))
        return tuple(found)


def here_of(play: Play, name: str, time_s: float, skeleton: Skeleton) -> Here:
    """Somebody at a time of a play.

    Raises:
        PlanningInputError: They have no place to start from.
    """
    scene = snapshot(play.scene, time_s, people=(name,))
    person = play.scene.character(name)
    allow = tuple(shifted_rule(rule, -time_s) for rule in play.allow if rule.end_s >= time_s)
    if person.motion is not None:
        before = person.world_motion
        spans = [span for span in play.spans if span.character == name and span.start_s <= time_s < span.end_s]
        now = tuple(replace(one, start_s=one.start_s - time_s, end_s=one.end_s - time_s) for one in spans)
        local = Play(scene=scene, sources={name: before}, allow=allow, spans=now)
        return Here(name=name, play=local, before=before, footing=footing_of(before), skeleton=before.skeleton)
    if person.start is None:
        raise PlanningInputError(f'character "{name}" has no "start" (x, z) to begin from')
    heading = person.heading_rad
    footing = Footing(place=np.array(person.start), heading_rad=0.0 if heading is None else heading, feet={})
    return Here(
        name=name,
        play=Play(scene=scene, sources={}, allow=allow),
        before=None,
        footing=footing,
        skeleton=skeleton,
    )
