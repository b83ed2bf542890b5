"""Legs of a program: a walk or a stand from where somebody is, carrying what they hold, judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.planning import Watch
from understudy.core.skeleton import Skeleton
from understudy.limbs.handling import Play, Span
from understudy.limbs.options import LimbOptions
from understudy.locomotion.footsteps.arm_room import ArmRoom
from understudy.locomotion.footsteps.bearing import Bearing, borne
from understudy.locomotion.footsteps.footing import SIDES, Footing
from understudy.locomotion.footsteps.joining import FADE_S, arm_joints, continued
from understudy.locomotion.footsteps.moving import Going, Mover
from understudy.locomotion.footsteps.pathing import first_heading, length_of
from understudy.locomotion.footsteps.shuffling import standing
from understudy.locomotion.footsteps.ways import Way
from understudy.performer.style import Style
from understudy.skills.program.both_hands import borne_by_both, held_by_both
from understudy.skills.program.bringing import WITHIN_S, brought, meets
from understudy.skills.program.carrying import (
    BEARINGS,
    aside,
    nearer,
    raised,
    upright_turn,
    within_limits,
)
from understudy.skills.program.faults import Failed, Fault
from understudy.skills.program.here import Held, Here
from understudy.skills.program.stooping import Stoop
from understudy.typing import FloatArray

#: Says why somebody's motion will not do in a snapshot, as a ``Fault`` where more is known.
LegJudge = Callable[[Play, str], str]
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
#: [s] after somebody stands that a leg is judged: what hands leave of the stand is judged with them.
_JUDGED_S = 0.7
#: [s] of a stand that is looked at before anybody walks there.
_FORESEEN_S = 0.25
#: [s] what an empty arm meets sooner than this it meets wherever one goes.
_AT_ONCE_S = 0.3
#: [m] overlaps that are none.
_TOUCH_M = 0.001


@dataclass(frozen=True, eq=False, kw_only=True)
class Leg:
    """A leg that was made.

    Attributes:
        motion: What the character does, from time zero on.
        stands_s: When it stands [s].
        arrive_s: When it has bent, too, where it bends [s].
        up_s: When it stands upright again [s].
        play: The snapshot with the motion in it; its source is the motion itself.
    """

    motion: Motion
    stands_s: float
    arrive_s: float
    up_s: float
    play: Play


@dataclass(frozen=True, kw_only=True)
class Ready:
    """A hand that is raised on arrival, or ``"both"``, and how."""

    hand: str
    bearing: Bearing = BEARINGS[0]

    @property
    def hands(self) -> tuple[str, ...]:
        """Which hands."""
        return SIDES if self.hand == "both" else (self.hand,)


#: How arms carry what is held, if anything, and which are raised on arrival.
Arms = tuple[Bearing | None, Ready | None]


def arms_of(here: Here, ready: Ready | None = None) -> tuple[Arms, ...]:
    """Ways to carry and to be ready, the most natural first."""
    raised_so = (None,) if ready is None else (ready, replace(ready, bearing=nearer(ready.bearing)), None)
    carried_so = BEARINGS if here.held() else (None,)
    return tuple((bearing, one) for one in raised_so for bearing in carried_so)


class _Body(NamedTuple):
    """What a body does before arms are looked at: upright, when it stands and arms are up [s], and how it bends."""

    walk: Motion
    stands_s: float
    stoop: Stoop | None = None
    raised_s: float | None = None

    @property
    def arrive_s(self) -> float:
        """When it stands, and has bent [s]."""
        return self.stands_s + (0.0 if self.stoop is None else self.stoop.takes_s)

    @property
    def up_s(self) -> float:
        """When it stands upright again [s]."""
        return self.stands_s + (0.0 if self.stoop is None else self.stoop.lasts_s)

    def bent(self, motion: Motion) -> Motion:
        """The walk with other arms, bent."""
        return motion if self.stoop is None else self.stoop.during(motion, self.stands_s)


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
        way: Way,
        *,
        end_rad: float | None = None,
        wait_s: float = 0.0,
        stand_s: float = 0.5,
        arms: Sequence[Arms] = (),
        stoop: Stoop | None = None,
        judged_s: float = _JUDGED_S,
    ) -> Leg | str:
        """Walk along a way and stand there; or why none of the takes will do.

        Args:
            here: Who, and where.
            way: Where.
            end_rad: Where to face in the end.
            wait_s: Standing first [s].
            stand_s: Standing in the end [s].
            arms: How arms are held, in turn; in every way, and none raised, unless given.
            stoop: How the body bends once it stands.
            judged_s: How much of the stand is judged [s].
        """
        stand_s += 0.0 if stoop is None else stoop.lasts_s
        going = Going(way=way, end_rad=end_rad, wait_s=wait_s, stand_s=stand_s)
        fault, failed = "", Failed()
        for take in range(_TAKES):
            body = _Body(*self._walked(here, going, take), stoop)
            for bearing, ready in arms or arms_of(here):
                leg = self._made(here, body, bearing, ready, failed)
                why = leg if isinstance(leg, str) else failed.why(leg.motion) or self._refused(leg, here.name, judged_s)
                if isinstance(leg, Leg) and not why:
                    # What both hands carry leaves the arms' own way to them: they go back to it once they are empty.
                    source = leg.motion if held_by_both(here) is None else leg.play.sources[here.name]
                    return replace(leg, play=replace(leg.play, sources={here.name: source}))
                if isinstance(leg, Leg):
                    failed.add(leg.motion, why)
                if isinstance(why, Fault) and (why.anyhow or why.empty):
                    # Neither another way of carrying nor other steps lead past it.
                    return why
                of_body = isinstance(why, Fault) and _of_body(why, here.skeleton)
                fault = why if of_body or not fault else fault
                if of_body or held_by_both(here) is not None:
                    break  # other arms do not help
        return fault

    def _refused(self, leg: Leg, name: str, judged_s: float) -> str:
        """Why the judge refuses a leg until somebody stands; empty when he does not."""
        end = min(round((leg.arrive_s + judged_s) * leg.motion.fps) + 1, len(leg.motion))
        scene = leg.play.scene.with_motion(name, leg.motion.frames(0, end))
        return self.judge(replace(leg.play, scene=scene), name)

    def foreseen(
        self,
        here: Here,
        place: FloatArray,
        heading_rad: float,
        *,
        arms: Sequence[Arms] = (),
        stand_s: float = _FORESEEN_S,
        stoop: Stoop | None = None,
    ) -> Iterator[tuple[tuple[Arms, ...], Leg | str]]:
        """Somebody who stands elsewhere as after a leg there, not judged; or what arms meet that are held so.

        Every way to hold arms in turn, with those that come after it.
        """
        footing = standing(here.skeleton, place, heading_rad, self.style)
        there = replace(here, before=None, footing=footing)
        mover = Mover(skeleton=here.skeleton, style=self.style, fps=self.fps, seed=self.seed)
        stand, _ = mover.go(footing, Going(way=Way(points=np.stack([place, place])), stand_s=stand_s))
        # It is down in the middle of the stand.
        body = _Body(stand, 0.0 if stoop is None else 0.5 * stand_s - stoop.takes_s, stoop, raised_s=0.0)
        ways, failed = tuple(arms) or arms_of(here), Failed()
        for k, (bearing, ready) in enumerate(ways):
            yield ways[k:], self._made(there, body, bearing, ready, failed)

    def standing(self, here: Here, stand_s: float, *, judged_s: float = _JUDGED_S) -> Leg | str:
        """Stand where one is."""
        way = Way(points=np.stack([here.footing.place] * 2))
        return self.along(here, way, stand_s=stand_s, judged_s=judged_s)

    def _walked(self, here: Here, going: Going, take: int) -> tuple[Motion, float]:
        """What the performer does, and when it has arrived [s]."""
        footing = here.footing
        if here.before is None:
            heading = footing.heading_rad if here.faces else first_heading(going.way.points)
            footing = standing(here.skeleton, footing.place, heading, self.style)
        mover = Mover(skeleton=here.skeleton, style=self.style, fps=self.fps, seed=self.seed + 101 * take)
        walks = self.recorded.get(here.name)
        if walks is not None and take == 0 and length_of(going.way.points) > _RECORDED_M:
            going = replace(going, recorded=walks(here, footing, going))
        return mover.go(footing, going)

    def _made(self, here: Here, body: _Body, bearing: Bearing | None, ready: Ready | None, failed: Failed) -> Leg | str:
        """A leg with one way of carrying; or what the arms would meet."""
        both = held_by_both(here)
        if both is not None and here.before is not None:
            return self._borne_by_both(here, body, both)
        plain = body.bent(self._with_arms(here, body, bearing, ready))
        # What is carried or raised otherwise only later begins no better.
        play, held = replace(here.play, sources={here.name: body.bent(body.walk)}), here.held()
        made = failed.why(plain) or self._free(play, here, plain, () if bearing is None else held, ready)
        if isinstance(made, str):
            failed.add(plain, made)
            return made
        play = replace(play, scene=here.scene.with_motion(here.name, made))
        return Leg(motion=made, stands_s=body.stands_s, arrive_s=body.arrive_s, up_s=body.up_s, play=play)

    def _free(self, play: Play, here: Here, plain: Motion, held: Sequence[Held], ready: Ready | None) -> Motion | str:
        """A motion that continues what was before, its arms free of everything; or what they would meet."""
        full, room = [one.hand for one in held], ArmRoom(body=here.body, scene=here.around())
        made = self._begun(play, here, plain, list(full))
        for hand in SIDES:
            if isinstance(made, Motion) and hand not in full:
                made = self._drawn_in(play, here, made, hand, room, ready)
        if isinstance(made, str):
            return made
        play = replace(play, scene=here.scene.with_motion(here.name, made))
        return next((met for hand in full if (met := meets(play, here.name, hand))), made)

    def _with_arms(self, here: Here, body: _Body, bearing: Bearing | None, ready: Ready | None) -> Motion:
        """An upright body whose arms carry what is held, and are ready where it stands."""
        motion, up_s = body.walk, body.stands_s if body.raised_s is None else body.raised_s
        held = here.held() if bearing is not None else ()
        full, raises = [one.hand for one in held], () if ready is None else ready.hands
        for one in held:
            ways = [bearing] if ready is None or one.hand not in raises else [bearing, ready.bearing]
            turns = [
                upright_turn(body.walk, one.hand, one.grip, here.upright(one.object), way or BEARINGS[0])
                for way in ways
            ]
            carries = [borne(motion, one.hand, turn, way or BEARINGS[0]) for turn, way in zip(turns, ways, strict=True)]
            motion = carries[0] if len(carries) == 1 else raised(carries[0], carries[1], up_s)
        if ready is None:
            return motion
        for hand in SIDES:
            if hand not in full:
                arm = borne(motion, hand, None, ready.bearing) if hand in raises else aside(motion, hand)
                motion = raised(motion, arm, up_s)
        return motion

    def _borne_by_both(self, here: Here, body: _Body, both: Span) -> Leg | str:
        """A leg on which both hands carry something; or why they cannot."""
        assert here.before is not None
        # Arms begin as they are: what the arms' angles do not say, such as a wrist's own twist, must not jump.
        walk = body.bent(body.walk)
        bare = continued(here.before, walk, fade_s=_fade_s(here.before, walk)).renamed(here.name)
        made = borne_by_both(here, bare, both)
        if isinstance(made, str):
            return made
        play = replace(here.play, scene=here.scene.with_motion(here.name, made), sources={here.name: bare})
        return Leg(motion=made, stands_s=body.stands_s, arrive_s=body.arrive_s, up_s=body.up_s, play=play)

    def _begun(self, play: Play, here: Here, motion: Motion, hands: list[str]) -> Motion | str:
        """A motion that begins as what was before it ended; arms that are planned for that are added to the hands."""
        made: Motion | str = motion
        if here.before is not None:
            away = _away_rad(here.before, motion)
            # What is only swinging a little needs no planning; legs and trunk are judged anyhow.
            hands += [hand for hand in SIDES if hand not in hands and away[hand] > _PLANNED_RAD]
            made = self._continued(replace(play, scene=here.scene), here, motion, hands)
        if isinstance(made, str):
            return made
        for hand in SIDES:
            made = within_limits(made, hand)
        return made.renamed(here.name)

    def _drawn_in(
        self, play: Play, here: Here, made: Motion, hand: str, room: ArmRoom, ready: Ready | None
    ) -> Motion | Fault:
        """A motion with an empty arm drawn in where it would meet something; what it meets where that does not help."""
        begun = here.before is not None

        def met(one: Motion) -> str:
            scene = here.scene.with_motion(here.name, one)
            return meets(replace(play, scene=scene), here.name, hand, limits=False, deep_m=_TOUCH_M, begun=begun)

        fault = met(made)
        if not isinstance(fault, Fault):
            return made
        other = within_limits(room.drawn_in(made, hand, continues=begun), hand)
        if not met(other):
            return other
        raised_here = ready is not None and hand in ready.hands
        return Fault(fault, time_s=fault.time_s, empty=not raised_here, anyhow=fault.time_s < _AT_ONCE_S)

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
                anyhow = isinstance(planned, Fault) and planned.anyhow
                return Fault(f"the {hand} hand on its way: {planned}", time_s=WITHIN_S[-1], anyhow=anyhow)
            made = planned
        # The arm is where it was already; only its pace is left to fade, soon.
        return continued(here.before, made, fade_s=0.0)


def _of_body(fault: Fault, skeleton: Skeleton) -> bool:
    """Whether legs or trunk alone are to blame."""
    return bool(fault.joints) and not set(fault.joints) & set(arm_joints(skeleton))


def _away_rad(before: Motion, after: Motion) -> dict[str, float]:
    """How far each arm is from where it has to be [rad]."""
    turned = rot.angle_between(before.rotations[-1], after.rotations[0])
    return {side: float(turned[list(after.skeleton.limb(f"{side}_arm"))].max()) for side in SIDES}


def _fade_s(before: Motion, after: Motion) -> float:
    """How long a body takes from one posture to another [s]."""
    away = float(rot.angle_between(before.rotations[-1, 1:], after.rotations[0, 1:]).max())
    return float(np.clip(away / _FADE_RADPS * 1.9, FADE_S, _LONGEST_FADE_S))
