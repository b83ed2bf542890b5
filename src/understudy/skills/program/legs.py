"""Legs of a program: a walk or a stand from where somebody is, carrying what they hold, judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.planning import Watch
from understudy.limbs.handling import Play
from understudy.limbs.options import LimbOptions
from understudy.performer.style import Style
from understudy.skills.program.bringing import brought, meets
from understudy.skills.program.carrying import BEARINGS, Bearing, aside, borne, raised, upright_turn
from understudy.skills.program.footing import SIDES, Footing
from understudy.skills.program.here import Here
from understudy.skills.program.joining import FADE_S, continued
from understudy.skills.program.moving import Going, Mover
from understudy.skills.program.shuffling import standing
from understudy.typing import FloatArray

#: Says why a motion will not do: the snapshot with it, whose it is, and what the performer made it from.
LegJudge = Callable[[Play, str, Sequence[Motion]], str]
#: A walk of recorded clips from rest to rest where somebody is to go, if there is one.
RecordedWalk = Callable[[Here, Footing, Going], Motion | None]
#: [m] shorter ways are stepped or walked by the performer's gait.
_RECORDED_M = 1.4
#: Takes with other steps that are tried.
_TAKES = 2
#: [rad] an arm that is farther than this from where it has to be is looked after.
_PLANNED_RAD = 0.45
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


@dataclass(frozen=True, kw_only=True)
class Ready:
    """A hand that is raised on arrival, and how."""

    hand: str
    bearing: Bearing = BEARINGS[0]


@dataclass(frozen=True, eq=False, kw_only=True)
class Legs:
    """Makes legs.

    Attributes:
        judge: Says why one will not do.
        style: The manner of walking.
        fps: Frames per second.
        seed: Of the differences from step to step.
        options: How ways for arms are searched.
        recorded: Name -> walks by recorded clips, for who has a library.
    """

    judge: LegJudge
    style: Style = field(default_factory=Style)
    fps: float = 60.0
    seed: int = 0
    options: LimbOptions = field(default_factory=LimbOptions)
    recorded: Mapping[str, RecordedWalk] = field(default_factory=dict)

    def along(
        self,
        here: Here,
        route: FloatArray,
        *,
        end_rad: float | None = None,
        wait_s: float = 0.0,
        stand_s: float = 0.5,
        ready: Ready | None = None,
    ) -> Leg | str:
        """Walk along a route ``(n, 2)`` and stand there; or why none of the takes will do.

        Args:
            here: Who, and where.
            route: (x, z) [m].
            end_rad: Where to face in the end.
            wait_s: Standing first [s].
            stand_s: Standing in the end [s].
            ready: A hand that is raised on arrival, ready to take something or to put it down.
        """
        going = Going(route=route, end_rad=end_rad, wait_s=wait_s, stand_s=stand_s)
        fault = ""
        for take in range(_TAKES):
            walk, arrive = self._walked(here, going, take)
            for arms in _ways(bool(here.held()), ready):
                leg = self._made(here, walk, arrive, *arms)
                why = leg if isinstance(leg, str) else self.judge(leg.play, here.name, [walk])
                if isinstance(leg, Leg) and not why:
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
        walks = self.recorded.get(here.name)
        if walks is not None and take == 0 and _length(going.route) > _RECORDED_M:
            going = replace(going, recorded=walks(here, footing, going))
        return mover.go(footing, going)

    def _made(self, here: Here, walk: Motion, arrive: float, bearing: Bearing | None, ready: Ready | None) -> Leg | str:
        """A leg with one way of carrying; or what the arms would meet."""
        motion = walk
        held = here.held() if bearing is not None else ()
        for one in held:
            upright = here.scene.object(one.object).placement.poses(np.array([-1e3]))[1][0]
            ways = [bearing] if ready is None or ready.hand != one.hand else [bearing, ready.bearing]
            turns = [upright_turn(walk, one.hand, one.grip, upright, way or BEARINGS[0]) for way in ways]
            carries = [borne(motion, one.hand, turn, way or BEARINGS[0]) for turn, way in zip(turns, ways, strict=True)]
            motion = carries[0] if len(carries) == 1 else raised(carries[0], carries[1], arrive)
        if ready is not None and ready.hand not in [one.hand for one in held]:
            motion = raised(motion, borne(motion, ready.hand, None, ready.bearing), arrive)
        idle = [hand for hand in SIDES if ready is not None and hand not in (ready.hand, *(one.hand for one in held))]
        for hand in idle:
            motion = raised(motion, aside(motion, hand), arrive)
        play = replace(here.play, sources={here.name: walk})
        hands = [one.hand for one in held]
        if here.before is None:
            made: Motion | str = motion
        else:
            away = _away_rad(here.before, motion)
            # What is only swinging a little needs no planning; legs and trunk are judged anyhow.
            hands += [hand for hand in SIDES if hand not in hands and away[hand] > _PLANNED_RAD]
            made = self._continued(replace(play, scene=here.scene), here, motion, hands)
        if isinstance(made, str):
            return made
        made = made.renamed(here.name)
        play = replace(play, scene=here.scene.with_motion(here.name, made))
        for hand in hands:
            met = meets(play, here.name, hand)
            if met:
                return met
        return Leg(motion=made, arrive_s=arrive, play=play)

    def _continued(self, play: Play, here: Here, motion: Motion, hands: Sequence[str]) -> Motion | str:
        """A motion that continues what was before: arms fade over where they are free to, or are planned."""
        assert here.before is not None
        name, faded = here.name, continued(here.before, motion, fade_s=_fade_s(here.before, motion))
        until = _LONGEST_FADE_S + 0.5
        scene = here.scene.with_motion(name, faded)
        stuck = [hand for hand in hands if meets(replace(play, scene=scene), name, hand, until)]
        if not stuck:
            return faded
        made = continued(here.before, motion, with_arms=False)
        for hand in stuck:
            planned = brought(
                replace(play, scene=here.scene.with_motion(name, made)), name, here.before, hand, self.options, Watch()
            )
            if isinstance(planned, str):
                return f"the {hand} hand on its way: {planned}"
            made = planned
        # The arm is where it was already; only its pace is left to fade, soon.
        return continued(here.before, made, fade_s=0.0)


def _ways(holds: bool, ready: Ready | None) -> Iterator[tuple[Bearing | None, Ready | None]]:
    """Ways to carry and to be ready, the most natural first."""
    for now in (ready, None) if ready is not None else (None,):
        for bearing in BEARINGS if holds else (None,):
            yield bearing, now


def _away_rad(before: Motion, after: Motion) -> dict[str, float]:
    """How far each arm is from where it has to be [rad]."""
    turned = rot.angle_between(before.rotations[-1], after.rotations[0])
    return {side: float(turned[list(after.skeleton.limb(f"{side}_arm"))].max()) for side in SIDES}


def _fade_s(before: Motion, after: Motion) -> float:
    """How long a body takes from one posture to another [s]."""
    away = float(rot.angle_between(before.rotations[-1, 1:], after.rotations[0, 1:]).max())
    return float(np.clip(away / _FADE_RADPS * 1.9, FADE_S, _LONGEST_FADE_S))


def _free_heading(here: Here) -> bool:
    return here.scene.character(here.name).heading_rad is None


def _length(route: FloatArray) -> float:
    return float(np.linalg.norm(np.diff(route, axis=0), axis=1).sum())


def _first_heading(route: FloatArray) -> float:
    """Where a route sets off to [rad]: who has not said where to face faces there."""
    away = np.linalg.norm(route - route[0], axis=1)
    far = np.flatnonzero(away > 0.3)
    step = route[far[0] if len(far) else -1] - route[0]
    return float(np.arctan2(step[0], step[1])) if np.any(step) else 0.0
