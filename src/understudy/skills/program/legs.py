"""Legs of a program: a walk or a stand from where somebody is, carrying what they hold, judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.limbs.handling import Play
from understudy.performer.style import Style
from understudy.skills.program.carrying import BEARINGS, Bearing, borne, upright_turn
from understudy.skills.program.here import Here
from understudy.skills.program.joining import FADE_S, continued
from understudy.skills.program.moving import Going, Mover
from understudy.skills.program.shuffling import standing
from understudy.typing import FloatArray

#: Says why a leg will not do: the snapshot with the motion in it, whose, and the performer's walk it was made from.
LegJudge = Callable[[Play, str, Motion], str]
#: Takes with other steps that are tried, and most motions made for one leg.
_TAKES, _MOST = 3, 5
#: [rad/s] how fast an arm goes over into another posture; [s] at most.
_FADE_RADPS, _LONGEST_FADE_S = 1.3, 1.6


@dataclass(frozen=True, eq=False, kw_only=True)
class Leg:
    """A leg that was made.

    Attributes:
        motion: What the character does, from time zero on.
        arrive_s: When it stands [s].
        play: The snapshot with the motion in it; its source is the motion itself.
    """

    motion: Motion
    arrive_s: float
    play: Play


@dataclass(frozen=True, eq=False, kw_only=True)
class Legs:
    """Makes legs.

    Attributes:
        judge: Says why one will not do.
        style: The manner of walking.
        fps: Frames per second.
        seed: Of the differences from step to step.
    """

    judge: LegJudge
    style: Style = field(default_factory=Style)
    fps: float = 60.0
    seed: int = 0

    def along(
        self,
        here: Here,
        route: FloatArray,
        *,
        end_rad: float | None = None,
        wait_s: float = 0.0,
        stand_s: float = 0.5,
    ) -> Leg | str:
        """Walk along a route ``(n, 2)`` and stand there; or why none of the takes will do."""
        going = Going(route=route, end_rad=end_rad, wait_s=wait_s, stand_s=stand_s)
        fault = ""
        for _, (take, bearing) in zip(range(_MOST), self._takes(here), strict=False):
            leg = self._made(here, going, take, bearing)
            why = self.judge(leg.play, here.name, leg.play.sources[here.name])
            if not why:
                motion = leg.motion
                return replace(leg, play=replace(leg.play, sources={here.name: motion}))
            fault = fault or why
        return fault

    def standing(self, here: Here, stand_s: float) -> Leg | str:
        """Stand where one is."""
        return self.along(here, np.stack([here.footing.place] * 2), stand_s=stand_s)

    def _takes(self, here: Here) -> Iterator[tuple[int, Bearing | None]]:
        bearings: tuple[Bearing | None, ...] = BEARINGS if here.held() else (None,)
        for take in range(_TAKES):
            for bearing in bearings:
                yield take, bearing

    def _made(self, here: Here, going: Going, take: int, bearing: Bearing | None) -> Leg:
        footing = here.footing
        if here.before is None:
            heading = _first_heading(going.route) if _free_heading(here) else footing.heading_rad
            footing = standing(here.skeleton, footing.place, heading, self.style)
        mover = Mover(skeleton=here.skeleton, style=self.style, fps=self.fps, seed=self.seed + 101 * take)
        walk, arrive = mover.go(footing, going)
        motion = walk
        if bearing is not None:
            for held in here.held():
                upright = here.scene.object(held.object).placement.poses(np.array([-1e3]))[1][0]
                turn = upright_turn(walk, held.hand, held.grip, upright)
                motion = borne(motion, held.hand, turn, bearing)
        if here.before is not None:
            motion = continued(here.before, motion, fade_s=_fade_s(here.before, motion))
        motion = motion.renamed(here.name)
        scene = here.scene.with_motion(here.name, motion)
        return Leg(motion=motion, arrive_s=arrive, play=replace(here.play, scene=scene, sources={here.name: walk}))


def _fade_s(before: Motion, after: Motion) -> float:
    """How long a body takes from one posture to another [s]."""
    away = float(rot.angle_between(before.rotations[-1, 1:], after.rotations[0, 1:]).max())
    return float(np.clip(away / _FADE_RADPS * 1.9, FADE_S, _LONGEST_FADE_S))


def _free_heading(here: Here) -> bool:
    return here.scene.character(here.name).heading_rad is None


def _first_heading(route: FloatArray) -> float:
    """Where a route sets off to [rad]: who has not said where to face faces there."""
    away = np.linalg.norm(route - route[0], axis=1)
    far = np.flatnonzero(away > 0.3)
    step = route[far[0] if len(far) else -1] - route[0]
    return float(np.arctan2(step[0], step[1])) if np.any(step) else 0.0
