"""Reaching: a hand at a place at a time, on top of any motion ([Limbs], paper §6.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from understudy.core.motion import Motion
from understudy.core.planning import Result, Status, Watch
from understudy.errors import PlanningInputError
from understudy.limbs.correcting import Judge
from understudy.limbs.excuses import Refused, blocked_ends, no_posture_said, too_far_said, too_late_said
from understudy.limbs.hands import hand_pose
from understudy.limbs.ik import Posture, Postures, reach_on, reachable_postures
from understudy.limbs.legs import Leg, Plan
from understudy.limbs.options import LimbOptions
from understudy.limbs.parting import contact_s, parted
from understudy.limbs.plan import plan_legs, shrink_s
from understudy.limbs.retreat import retreat
from understudy.limbs.seeds import EndTarget
from understudy.limbs.speeds import joint_limits_rad_s, pace
from understudy.limbs.stage import Stage, stage_of
from understudy.limbs.targets import HANDS, Goal, checked_orientation, followed, goals_of, hand_point, missed, outward
from understudy.limbs.trace import LimbTrace
from understudy.limbs.tries import MOST_POSTURES, STUBBORN, Try, rounds_of, tries, unlike
from understudy.limbs.window import Window, window_of
from understudy.scene.scene import Scene
from understudy.typing import FloatArray

#: [s] least time to get there.
_LEAST_S = 0.25
#: How much longer than the straight way a way round something takes, at least.
_WAY_ROUND, _JUST_SO = 1.3, 1.02
#: Postures and places on the target that are collected before some are chosen; fewer places with the trunk.
_COLLECTED, _PLACES, _LEANING = 24, 12, 4


def reach(
    motion: Motion,
    scene: Scene | None = None,
    *,
    hand: str,
    target: str | Sequence[float] | npt.ArrayLike,
    at: float,
    orientation: npt.ArrayLike | None = None,
    character: str | None = None,
    judge: Judge,
    options: LimbOptions | None = None,
) -> Result[LimbTrace]:
    """Bring a palm to a target at a time; the rest of the motion stays as it is.

    Args:
        motion: Where it stands in the world.
        scene: What surrounds it.
        hand: ``"left"`` or ``"right"``.
        target: ``(x, y, z)`` [m], or the name of an object, a handle (``"door.knob"``) or a body part (``"bob.head"``).
        at: When, in the motion's time [s].
        orientation: ``(4,)`` wxyz of the hand joint in the world; free unless given.
        character: Whose motion it is, where the scene leaves that open.
        judge: Says why a motion will not do. Planners may not import the judge; ``understudy.reach`` binds it.
        options: How to search.

    Returns:
        ``SOLVED`` only with a motion the judge passes, the palm on its target to a millimetre; otherwise the source
        motion and a reason.

    Raises:
        PlanningInputError: An unknown hand or target, or a time outside the motion.
    """
    options = options or LimbOptions()
    watch = options.watch()
    watch.stage("prepare")
    turned = checked_orientation(orientation)
    if hand not in HANDS:
        raise PlanningInputError(f'hand is "{hand}"; it must be left or right')
    if not 0.0 <= at <= motion.duration_s + 1e-9:
        raise PlanningInputError(f"at is {at!r}; it must be a time within 0..{motion.duration_s:.2f} s")
    stage = stage_of(motion, scene, character=character)
    job = _Reach(stage, hand, target, float(at), turned, options, watch)
    return job.solved(judge)


@dataclass(frozen=True, eq=False)
class _Made:
    """A plan, its window and what it reaches."""

    plan: Plan
    window: Window
    goal: Goal


class _Reach:
    """One reach: its target, and the tries at it."""

    def __init__(
        self,
        stage: Stage,
        hand: str,
        target: str | Sequence[float] | npt.ArrayLike,
        at: float,
        turned: FloatArray | None,
        options: LimbOptions,
        watch: Watch,
    ) -> None:
        self.hand, self.options, self.watch = hand, options, watch
        self.at_s = stage.start_s + at
        space = stage.space(f"{hand}_arm")
        _, self.shoulder = reach_on(stage, space, np.zeros(3), self.at_s)
        self.goals: list[Goal] = goals_of(stage, target, self.at_s, hand, self.shoulder)
        self.point = hand_point(stage, hand, fingers=self.goals[0].fingers)
        self.length_m, _ = reach_on(stage, space, self.point, self.at_s)
        self.target, self.turned = target, turned
        self._windows: dict[tuple[str, int, int], Window] = {}
        self._postures: dict[tuple[str, int], Postures] = {}
        self._tried: list[tuple[object, ...]] = []
        self._stuck: dict[tuple[object, ...], Refused] = {}
        self.rules = self.goals[0].rules(stage.character, hand, **contact_s(self.at_s, stage.end_s))
        self.strict, self.stage = stage, stage.allowing(self.rules)
        self.trace = LimbTrace(
            character=stage.character,
            allow=self.rules,
            position=self.goals[0].position,
            rotation=None if turned is None else turned[0],
            point=self.point,
            time_s=at,
            hand=hand,
        )

    def solved(self, judge: Judge) -> Result[LimbTrace]:
        """The first plan that the judge passes, or why there is none."""
        too_far = too_far_said(self.stage, self.hand, self.goals[0], self.trace.time_s, self.shoulder, self.length_m)
        if too_far and not self.options.spine:
            return self._failed(Status.INFEASIBLE_GOAL, too_far)
        rejected: list[str] = []
        given_up: set[str] = set()
        hasty = False
        status, reason, told = Status.INFEASIBLE_GOAL, too_far, -1
        rounds = rounds_of(self.options)
        for attempt in tries(f"{self.hand}_arm", self.options, (*rounds, STUBBORN) if len(rounds) > 1 else rounds):
            stopped = self.watch.interrupted()
            if stopped is not None:
                status, reason = stopped, "the deadline passed or it was cancelled"
                break
            idle = (attempt.if_hasty and not hasty) or (attempt.stubborn and not self._stuck)
            if attempt.limb in given_up or idle or self._was_tried(attempt):
                continue
            made = self._planned(attempt)
            if isinstance(made, Refused):
                hasty = hasty or made.late
                # How far the arm alone got says more than what the trunk could not add.
                if not too_far and made.tells >= told:
                    status, reason, told = made.status, made.reason, made.tells
                if made.hopeless:
                    given_up.add(attempt.limb)
                continue
            moved = made.plan.applied(self.stage.motion)
            trace = self._measured(moved, made, rejected)
            self.watch.stage("judge")
            fault = judge(moved, trace)
            if not fault:
                stats = self.watch.stats(nodes=sum(len(one.nodes) for one in made.plan.found), changes=1)
                return Result(status=Status.SOLVED, motion=moved, trace=trace, stats=stats)
            rejected.append(fault)
            status, reason = Status.EXHAUSTED, f"the judge did not pass it: {fault}"
        return self._failed(status, reason, rejected)

    def _planned(self, attempt: Try) -> _Made | Refused:
        """A plan with some linkage, window and number of samples, or why there is none."""
        limb, lead_s, options = attempt.limb, attempt.lead_s, attempt.options
        start_s, end_s = (self.stage.start_s + frame / self.stage.motion.fps for frame in self._frames(lead_s))
        room = min(shrink_s(end_s - start_s), 0.25 * (self.at_s - start_s))
        starts = start_s + room
        if self.at_s - starts < _LEAST_S:
            said = f"{self.at_s - start_s:.2f} s are too short to get there"
            return Refused(Status.INFEASIBLE_START, said)
        space = self.stage.space(limb)
        bars = pace([self.stage.source], space)
        speeds = joint_limits_rad_s(space, bars, options.speed_share)
        found = self._choices(attempt, speeds, starts)
        if isinstance(found, Refused):
            return found
        manner = (speeds.tobytes(), options.margin_m)
        left = [one for one in found if ((one[0], *manner) in self._stuck) is attempt.stubborn]
        why = Refused(Status.INFEASIBLE_START, "", late=True)  # where no posture is left to try
        if not left:
            return self._stuck.get((found[-1][0], *manner), why) if found else why
        window = self._window(limb, lead_s)
        blocked = blocked_ends(window, starts, None if self._stays(window, room) else window.end_s - room)
        if blocked is not None:
            return Refused(*blocked)
        for number, (posture, goal) in enumerate(left):
            legs = self._legs(window, posture, goal, room, speeds)
            # What failed with one posture would fail alike with another that differs by a turn of the hand only.
            seed = attempt.seed * MOST_POSTURES + number
            plan = plan_legs(legs, bars, options, self.watch, widest_s=2.0 * room, seed=seed, stubborn=attempt.stubborn)
            if plan.status:
                return _Made(plan, window, goal)
            why = Refused(plan.status, plan.reason, late=plan.hasty)
            if plan.found[-1].stuck:
                self._stuck[posture, *manner] = why  # in other windows too
        return why

    def _was_tried(self, attempt: Try) -> bool:
        """Whether a try is the same as one before: near the motion's ends leads of several lengths are one."""
        self._tried.append((*self._frames(attempt.lead_s), replace(attempt, lead_s=0.0)))
        return self._tried[-1] in self._tried[:-1]

    def _legs(self, window: Window, posture: Posture, goal: Goal, room: float, speeds: FloatArray) -> list[Leg]:
        """There, and back where there is time left; else the hand stays."""
        none = np.zeros(len(window.space))
        follow = followed(self.stage, self.target, goal.position, self.at_s)
        joint = hand_pose(self.stage, window.space, self.hand, self.at_s, posture.offset)
        out = outward(self.stage, self.hand, joint, goal.touched, self.at_s)
        if out is None:
            out = self.shoulder - goal.position if goal.out is None else goal.out
        arriving, leaving = (
            retreat(window, posture.offset, self.at_s, follow, out, self._end(goal), speeds, sign, joint[1])
            for sign in (-1, 1)
        )
        there = Leg(
            window=window,
            start_s=window.start_s + room,
            end_s=self.at_s,
            start=none,
            end=posture.offset,
            arriving=arriving,
        )
        back_s = window.end_s - room
        if not self._stays(window, room):
            back = Leg(window=window, start_s=self.at_s, end_s=back_s, start=posture.offset, end=none, leaving=leaving)
            return [*parted([there], self.strict, -1), *parted([back], self.strict, 1)]
        if window.end_s - self.at_s < 0.02:
            return parted([there], self.strict, -1)
        hold = Leg(window=window, start_s=self.at_s, end_s=window.end_s, start=posture.offset, end=posture.offset)
        return [*parted([there], self.strict, -1), hold]

    def _stays(self, window: Window, room: float) -> bool:
        """Whether there is no time left to get back before the motion ends."""
        ends = window.last == len(self.stage.motion) - 1
        return ends and window.end_s - room - self.at_s < 2.0 * _LEAST_S

    def _choices(self, attempt: Try, speeds: FloatArray, starts: float) -> list[tuple[Posture, Goal]] | Refused:
        """Postures that can be reached in time, in a hurry also just so; or why there are none."""
        slack = _JUST_SO if attempt.wide else _WAY_ROUND
        space, found, seen, soonest = self.stage.space(attempt.limb), [], [], np.inf
        most = _LEANING if attempt.limb.endswith("_spine") else _PLACES
        for number, goal in enumerate(self.goals[:most]):
            postures = self._goal_postures(attempt.limb, attempt.lead_s, number)
            seen.append(postures)
            if postures.found:
                turns = np.array([one.offset for one in postures.found]) @ space.spread.T
                angles = np.sqrt((turns.reshape(len(turns), -1, 3) ** 2).sum(axis=2))
                needed = slack * (angles / speeds).max(axis=1)
                soonest = min(soonest, float(needed.min()))
                in_time = np.flatnonzero(needed < self.at_s - starts).tolist()
                found += [(postures.found[k], goal) for k in in_time]
            if found and (not attempt.wide or len(found) >= _COLLECTED):
                break
        if not any(postures.found for postures in seen):
            said = no_posture_said(self.hand, self.goals[0], self.trace.time_s, seen)
            return Refused(Status.INFEASIBLE_GOAL, said, hopeless=True)
        if not found:
            said = too_late_said(self.hand, self.goals[0], self.trace.time_s, soonest, self.at_s - starts)
            return Refused(Status.INFEASIBLE_GOAL, said, late=True)
        return [found[k] for k in unlike([one for one, _ in found], attempt.postures)[attempt.after :]]

    def _frames(self, lead_s: float) -> tuple[int, int]:
        """First and last frame of a window around the moment."""
        motion, local = self.stage.motion, self.at_s - self.stage.start_s
        first = max(int(np.floor((local - lead_s) * motion.fps)), 0)
        last = min(int(np.ceil((local + lead_s) * motion.fps)), len(motion) - 1)
        return first, max(last, first + 1)

    def _window(self, limb: str, lead_s: float) -> Window:
        """A window around the moment, tabulated once."""
        self.watch.stage("window")
        first, last = self._frames(lead_s)
        if (limb, first, last) not in self._windows:
            self._windows[limb, first, last] = window_of(self.stage, self.stage.space(limb), first, last)
        return self._windows[limb, first, last]

    def _end(self, goal: Goal) -> EndTarget:
        turns = goal.turns if self.turned is None else self.turned
        return EndTarget(position=goal.position, rotations=turns, point=self.point)

    def _goal_postures(self, limb: str, lead_s: float, number: int) -> Postures:
        """Postures on one of the goals: the same in every window, so they are looked for once."""
        if (limb, number) not in self._postures:
            window = self._window(limb, lead_s)
            self.watch.stage("ik")
            end, clear_m = self._end(self.goals[number]), self.options.kept_m + 5e-4
            self._postures[limb, number] = reachable_postures(window, self.at_s, end, clear_m=clear_m)
        return self._postures[limb, number]

    def _measured(self, motion: Motion, made: _Made, rejected: Sequence[str]) -> LimbTrace:
        """The trace with how far the palm is off."""
        off, angle = missed(motion, self.trace.time_s, self.hand, replace(self._end(made.goal), rotations=self.turned))
        change = made.plan.change(made.window)
        return replace(
            self.trace,
            position=made.goal.position,
            changes=(change,),
            planned=(change.limb,),
            error_m=off,
            error_rad=angle,
            rejected=tuple(rejected),
        )

    def _failed(self, status: Status, reason: str, rejected: Sequence[str] = ()) -> Result[LimbTrace]:
        trace = replace(self.trace, rejected=tuple(rejected))
        return Result(
            status=status, motion=self.stage.motion, trace=trace, reason=reason, stats=self.watch.stats(changes=0)
        )
