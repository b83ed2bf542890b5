"""Legs of a program: a walk or a stand from where somebody is, carrying what they hold, judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.limbs.handling import Play
from understudy.performer.style import Style
from understudy.skills.program.carrying import BEARINGS, Bearing, borne, raised, upright_turn
from understudy.skills.program.here import Here
from understudy.skills.program.joining import FADE_S, continued
from understudy.skills.program.moving import Going, Mover
from understudy.skills.program.shuffling import standing
from understudy.typing import FloatArray

#: Says why a motion will not do: the snapshot with it, whose it is, and what the performer made it from.
LegJudge = Callable[[Play, str, Sequence[Motion]], str]
#: Takes with other steps that are tried.
_TAKES = 2
#: [s] an empty hand that is up stays so.
_LATE_S = 0.9
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
        ready: str = "",
    ) -> Leg | str:
        """Walk along a route ``(n, 2)`` and stand there; or why none of the takes will do.

        Args:
            here: Who, and where.
            route: (x, z) [m].
            end_rad: Where to face in the end.
            wait_s: Standing first [s].
            stand_s: Standing in the end [s].
            ready: A hand that is raised on arrival, ready to take something.
        """
        going = Going(route=route, end_rad=end_rad, wait_s=wait_s, stand_s=stand_s)
        fault = ""
        for take in range(_TAKES):
            walk, arrive = self._walked(here, going, take)
            for bearing in BEARINGS if here.held() else (BEARINGS[0], None) if ready else (None,):
                leg = self._made(here, walk, arrive, bearing, ready)
                why = self.judge(leg.play, here.name, [walk])
                if not why:
                    return replace(leg, play=replace(leg.play, sources={here.name: leg.motion}))
                fault = fault or why
        return fault

    def standing(self, here: Here, stand_s: float) -> Leg | str:
        """Stand where one is."""
        return self.along(here, np.stack([here.footing.place] * 2), stand_s=stand_s)

    def _walked(self, here: Here, going: Going, take: int) -> tuple[Motion, float]:
        """What the performer does, and when it has arrived [s]."""
        footing = here.footing
        if here.before is None:
            heading = _first_heading(going.route) if _free_heading(here) else footing.heading_rad
            footing = standing(here.skeleton, footing.place, heading, self.style)
        mover = Mover(skeleton=here.skeleton, style=self.style, fps=self.fps, seed=self.seed + 101 * take)
        return mover.go(footing, going)

    def _made(self, here: Here, walk: Motion, arrive: float, bearing: Bearing | None, ready: str) -> Leg:
        motion = walk
        held = here.held() if bearing is not None else ()
        for one in held:
            upright = here.scene.object(one.object).placement.poses(np.array([-1e3]))[1][0]
            turn = upright_turn(walk, one.hand, one.grip, upright)
            motion = borne(motion, one.hand, turn, bearing or BEARINGS[0])
        if bearing is not None and ready and ready not in [one.hand for one in held]:
            motion = raised(motion, borne(motion, ready, None, bearing), arrive)
        if here.before is not None:
            fade = _fade_s(here.before, motion)
            # An empty hand that is still over what it put down stays up until the body has left.
            late = _LATE_S if fade > FADE_S and not held else 0.0
            motion = continued(here.before, motion, fade_s=fade, late_s=late)
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
