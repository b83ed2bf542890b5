"""Bringing one hand to its aim and back: linkages, windows, postures, and the scene that changes in between.

Something that is put down soon after it was taken is one plan: to it, on to its place, and back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from understudy.core.planning import Status, Watch
from understudy.core.violations import Violation
from understudy.limbs.draws import CALM_LEADS, LEADS, Candidate, Draw, Draws, linkages_of
from understudy.limbs.handling.aims import Aim
from understudy.limbs.handling.carrying import gone_home, home_offset
from understudy.limbs.handling.choices import Choice, Known, choices
from understudy.limbs.handling.deed import deed_of
from understudy.limbs.handling.knots import LEAST_S, Frames, Knot, Means, knot_of, legs_of
from understudy.limbs.handling.play import Deed, Play
from understudy.limbs.legs import Plan
from understudy.limbs.options import LimbOptions
from understudy.limbs.plan import plan_legs, shrink_s
from understudy.limbs.refusals import Refusal
from understudy.limbs.space import LimbSpace
from understudy.limbs.speeds import joint_limits_rad_s, needed_s, pace
from understudy.limbs.stage import Stage
from understudy.limbs.window import Window, window_of

#: What a hand does next with what it has taken, given the play in which it has it: when [s], and aims.
Later = tuple[float, Callable[[Play], Iterator[Aim | Refusal]]]
#: How much longer than the straight way a way round something takes, at least.
_WAY_ROUND = 1.05
#: Times as many seeds as draws have, so that those of several do not meet.
_SEEDS = 1024
#: Share of a frame by which a moment may be beside it.
_SAME = 1e-6


@dataclass(eq=False, kw_only=True)
class OnAim(Candidate):
    """A posture of a linkage on an aim.

    Attributes:
        choice: The posture, and the way it has the hand there.
        knot: The hand there, once it is known how it comes to it and leaves it.
        aims: What comes after it, in one plan with it, and the limb until then.
    """

    choice: Choice
    knot: Knot | None = None
    aims: tuple[Aim, Window] | None = None


@dataclass(eq=False, kw_only=True)
class HandSearch:
    """Everything there is to try for one hand's aim, and what came of it so far.

    Attributes:
        play: Everything before.
        aim: What the hand has to do.
        options: How to search.
        watch: Deadline and stages.
        later: What it does soon after, in the same plan.
        calm: Whether the body stands still, so that more time is better.
        known: Postures on the aim.
    """

    play: Play
    aim: Aim
    options: LimbOptions
    watch: Watch
    later: Later | None = None
    calm: bool = False
    known: Known = field(default_factory=Known)
    _windows: dict[tuple[str, int, int], Window] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin with nothing tried."""
        aim = self.aim
        self._stage = self.play.stage(aim.character, (*aim.rules, *aim.planning))
        # A moment between two frames lies in both windows.
        frame = (aim.time_s - self._stage.start_s) * self._stage.motion.fps
        self._here, self._from = int(np.ceil(frame - _SAME)), int(np.floor(frame + _SAME))
        leads = CALM_LEADS if self.calm else LEADS
        self._last = Draw("", 0.0)
        self._draws = Draws(linkages_of(f"{aim.hand}_arm", self.options), leads)

    def deeds(self, most: int) -> Iterator[Deed | Refusal]:
        """Plans that are found by up to so many draws more, and why others failed; who asks again wants other ones."""
        until = self._draws.count + most
        while self._draws.count < until and self.watch.interrupted() is None:
            draw = self._draws.next()
            if draw is None:
                return
            result = self._tried(draw, draw.candidate) if isinstance(draw.candidate, OnAim) else self._looked(draw)
            if result is None:
                continue
            if isinstance(result, Refusal):
                late, blamed = result.late, self._blamed(draw, result.time_s)
                self._draws.failed(draw, fast=result.hasty and not late, late=late, blamed=blamed)
            else:
                self._last = draw
            yield result

    def learn(self, violations: Sequence[Violation]) -> None:
        """Learn what is wrong with the last plan; nothing where another one is asked for all the same."""
        space, body = self._stage.space(self._last.limb), self._stage.body
        own = (
            name for name, joint in zip(body.capsule_names, body.capsule_joints, strict=True) if joint in space.moved
        )
        moved = {f"{self.aim.character}.{name}" for name in own}
        # The head follows the hand.
        gaze = {f"{self.aim.character}.{name}" for name in ("head", "neck")}
        times = [one.time_s for one in violations if one.time_s is not None]
        blamed = self._blamed(self._last, self._stage.start_s + times[0] if times else float("nan"))
        self._draws.learn(self._last, violations, {*moved, *gaze, *self._stage.held_ever, self.aim.object}, blamed)

    def _blamed(self, draw: Draw, time_s: float) -> list[Candidate]:
        """Candidates next to a moment at which a draw fails: between two of them both are to blame."""
        if draw.candidate is None or draw.second is None or self.later is None or not time_s > self.aim.time_s:
            return [] if draw.candidate is None else [draw.candidate]
        return [draw.second] if time_s > self.later[0] else [draw.candidate, draw.second]

    def _looked(self, draw: Draw) -> Refusal | None:
        """Look for postures; why there are none."""
        self._draws.take(draw)
        self.watch.stage("ik")
        window = self._window(draw.limb, max(self._here - 2, 0))
        clear_m = self.options.kept_m + 5e-4
        found, refusal = choices(window, self.aim, self.known, wide=draw.wide, clear_m=clear_m)
        seen = {one.choice.posture for one in self._draws.candidates if isinstance(one, OnAim)}
        self._draws.add(
            OnAim(limb=draw.limb, choice=choice, cost_m=cost_m)
            for choice, cost_m in found
            if choice.posture not in seen
        )
        return None if found else refusal

    def _tried(self, draw: Draw, candidate: OnAim) -> Deed | Refusal | None:
        """What comes of a draw; nothing where others turn out to be more promising."""
        self.watch.stage("window")
        frames = self._frames(draw)
        if isinstance(frames, Refusal):
            self._draws.take(draw)
            return frames
        window = self._window(draw.limb, frames.first)
        means = self._means(draw, window.space)
        start_s = window.start_s + frames.room_s
        blocked = window.clip_in(start_s)
        if blocked:
            self._draws.take(draw)
            return Refusal(status=Status.INFEASIBLE_START, reason=blocked)
        aim, given_s = self.aim, self.aim.time_s - start_s
        least_s = float(needed_s(window.space, candidate.choice.posture.offset[None], means.speeds)[0])
        if _WAY_ROUND * least_s >= given_s:
            self._draws.take(draw)
            said = f"the {aim.hand} hand cannot be at {aim.name} by {aim.time_s:.2f} s at its pace"
            said = f"{said}: it needs {least_s:.2f} s at least and has {given_s:.2f} s"
            return Refusal(status=Status.INFEASIBLE_GOAL, reason=said, hasty=True, late=True)
        if candidate.knot is None:
            refusal = self._met(candidate)
            if refusal is not None:
                self._draws.take(draw)
                self._draws.candidates.remove(candidate)
                return refusal
            if candidate.seconds:
                return None  # they cost something too
        assert candidate.knot is not None
        knots = [replace(candidate.knot, window=window)]
        if isinstance(draw.second, OnAim):
            if draw.second.knot is None:
                refusal = self._second_met(candidate, draw.second)
                if refusal is not None:
                    self._draws.take(draw)
                    return refusal
            assert draw.second.knot is not None
            knots.append(draw.second.knot)
        self._draws.take(draw)
        return _planned(self.play, knots, frames, means)

    def _met(self, candidate: OnAim) -> Refusal | None:
        """See the hand on its aim in a posture, and look for what it does then; why that cannot be."""
        window = self._window(candidate.limb, max(self._here - 2, 0))
        knot = knot_of(self.aim, candidate.choice, self._from, window)
        if isinstance(knot, Refusal):
            return knot
        candidate.knot = knot
        return None if self.later is None else self._followed(candidate, knot, self.later[1])

    def _followed(
        self, candidate: OnAim, knot: Knot, later: Callable[[Play], Iterator[Aim | Refusal]]
    ) -> Refusal | None:
        """Look for postures for what a hand does after its aim; why there are none."""
        now = replace(self.play, scene=knot.after.scene, allow=(*self.play.allow, *knot.aim.rules))
        refusal = Refusal(status=Status.INFEASIBLE_GOAL, reason="there is no moment to put it down")
        for aim in later(now):
            if isinstance(aim, Refusal):
                refusal = aim
                continue
            stage = knot.after.allowing((*aim.rules, *aim.planning))
            window = window_of(stage, knot.window.space, knot.frame, self._frame(stage, aim.time_s))
            found, refusal = choices(window, aim, Known(), wide=False, clear_m=self.options.kept_m + 5e-4)
            candidate.aims = (aim, window)
            candidate.seconds = [OnAim(limb=candidate.limb, choice=choice, cost_m=cost_m) for choice, cost_m in found]
        if not candidate.seconds:
            return replace(refusal, hopeless=False)
        least_m = min(one.cost_m for one in candidate.seconds)
        self._draws.onward_m = min(self._draws.onward_m, least_m) if self._draws.onward_m else least_m
        return None

    def _second_met(self, candidate: OnAim, second: OnAim) -> Refusal | None:
        """See the hand on what it does after its aim; why that cannot be."""
        assert candidate.aims is not None
        aim, window = candidate.aims
        knot = knot_of(aim, second.choice, window.last, window)
        if not isinstance(knot, Refusal):
            second.knot = knot
            return None
        candidate.seconds.remove(second)
        if not candidate.seconds:
            self._draws.candidates.remove(candidate)
        return knot

    def _means(self, draw: Draw, space: LimbSpace) -> Means:
        options = draw.options(self.options)
        bars = draw.paces(pace([self._stage.source], space), options.speed_share)
        speeds = joint_limits_rad_s(space, bars, options.speed_share)
        return Means(bars, speeds, options, self.watch, options.seed * _SEEDS + self._draws.count)

    def _frame(self, stage: Stage, time_s: float) -> int:
        return round((time_s - stage.start_s) * stage.motion.fps)

    def _window(self, limb: str, first: int) -> Window:
        """The limb from a frame to the moment, tabulated once."""
        key = (limb, first, self._here)
        if key not in self._windows:
            self._windows[key] = window_of(self._stage, self._stage.space(limb), first, self._here)
        return self._windows[key]

    def _frames(self, draw: Draw) -> Frames | Refusal:
        stage, aim, here, space = self._stage, self.aim, self._here, self._stage.space(draw.limb)
        bounds = self.play.bounds(stage, space, aim.time_s)
        fps, until_s = stage.motion.fps, aim.time_s + aim.hold_s if self.later is None else self.later[0]
        until = self._frame(stage, until_s)
        if bounds is None or until > bounds[1]:
            busy_s = aim.time_s if bounds is None else until_s
            return Refusal(status=Status.INFEASIBLE_GOAL, reason=f"the {aim.hand} hand is busy at {busy_s:.2f} s")
        first = max(here - round(draw.lead_s * fps), bounds[0])
        last = min(until + round(draw.lead_s * fps), bounds[1])
        room = min(shrink_s((last - first) / fps), 0.25 * (here - first) / fps)
        if last > until and last < len(stage.motion) - 1:
            room = min(room, 0.25 * (last - until) / fps)
        if (here - first) / fps - room < LEAST_S:
            said = f"{(here - first) / fps:.2f} s are too short for the {aim.hand} hand to get to {aim.name}"
            return Refusal(status=Status.INFEASIBLE_START, reason=said)
        home = home_offset(stage, space, last) if aim.empties else None
        return Frames(first, last, room, np.zeros(len(space)) if home is None else home)


def _planned(play: Play, knots: Sequence[Knot], frames: Frames, means: Means) -> Deed | Refusal:
    """A plan past some knots, or why there is none."""
    plan, legs = None, []
    # Where something rests the hand is there a moment early and stays a moment longer, if that can be done.
    for rests, up in _manners([knot.aim for knot in knots]):
        now = [replace(one, aim=replace(one.aim, rests=rests and one.aim.rests, holds_up=up)) for one in knots]
        legs = legs_of(now, play.allow, frames, means)
        plan = plan_legs(legs, means.bars, means.options, means.watch, widest_s=2.0 * frames.room_s, seed=means.seed)
        if plan.status:
            break
    assert plan is not None
    if not plan.status:
        late = any(one.late or one.stuck for one in plan.found)
        return Refusal(
            status=plan.status, reason=_reason(plan, knots), hasty=plan.hasty, late=late, time_s=plan.failed_s
        )
    last = knots[-1]
    made = plan.applied(last.after.motion)
    if last.aim.empties and np.any(frames.home):
        made = gone_home(made, last.after.source, plan.space, frames.last)
    done, found = replace(last.after, motion=made), list[Deed]()
    for knot in knots:
        before = found[-1].play if found else play
        found.append(deed_of(before, knot.aim, done, plan, knot.choice.way, legs))
    first, *more = found
    return replace(first, play=found[-1].play, then=more[0] if more else None)


def _manners(aims: Sequence[Aim]) -> list[tuple[bool, bool]]:
    """Whether the hand rests and whether it stays lifted, in turn."""
    rests = (True, False) if any(aim.rests for aim in aims) else (False,)
    lifted = len(aims) == 1 and aims[0].holds_up and aims[0].fills
    return [(one, up) for up in ((False, True) if lifted else (False,)) for one in rests]


def _reason(plan: Plan, knots: Sequence[Knot]) -> str:
    places = " and ".join(f"{knot.aim.name} at {knot.aim.time_s:.2f} s" for knot in knots)
    return f"the {knots[0].aim.hand} hand at {places}: {plan.reason}"
