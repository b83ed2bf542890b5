"""Reaching: a hand at a place at a time, on top of any motion (methods.md M1, paper §6.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.planning import Result, Status, Watch
from understudy.errors import PlanningInputError
from understudy.limbs.correcting import Judge
from understudy.limbs.excuses import no_posture_said, too_far_said
from understudy.limbs.ik import EndTarget, Posture, Postures, goal_postures, reach_on
from understudy.limbs.options import LimbOptions
from understudy.limbs.plan import Leg, Plan, plan_legs, shrink_s
from understudy.limbs.retreat import retreat
from understudy.limbs.space import LimbSpace
from understudy.limbs.speeds import joint_limits_rad_s, pace
from understudy.limbs.stage import Stage, stage_of
from understudy.limbs.targets import HANDS, Goal, goal_of, hand_point
from understudy.limbs.trace import Change, LimbTrace
from understudy.limbs.window import Window, window_of
from understudy.scene.scene import Scene
from understudy.typing import FloatArray

#: [s] time before and after the moment, in the order in which it is tried.
LEADS_S = (1.0, 1.5, 2.2, 0.6)
#: [s] least time to get there.
_LEAST_S = 0.25
#: How much longer than the straight way a way round something takes, at least.
_WAY_ROUND, _JUST_SO = 1.3, 1.02
#: Goal postures tried per window.
_POSTURES = 3


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


def checked_orientation(orientation: npt.ArrayLike | None) -> FloatArray | None:
    """A unit quaternion ``(1, 4)``, or nothing."""
    if orientation is None:
        return None
    try:
        turned = np.asarray(orientation, dtype=np.float64)
    except (TypeError, ValueError):
        turned = np.empty(0)
    if turned.shape != (4,) or not np.isfinite(turned).all() or np.linalg.norm(turned) < 1e-9:
        raise PlanningInputError(f"orientation is {orientation!r}; it must be a quaternion (w, x, y, z)")
    return rot.normalize(turned)[None]


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
        self.goal: Goal = goal_of(stage, target, self.at_s, hand, self.shoulder)
        self.point = hand_point(stage, hand, fingers=self.goal.fingers)
        self.length_m, _ = reach_on(stage, space, self.point, self.at_s)
        self.target_at = lambda when: goal_of(stage, target, when, hand, self.shoulder).position
        self.end = EndTarget(position=self.goal.position, rotations=turned, point=self.point)
        self._windows: dict[tuple[str, int, int], Window] = {}
        self._postures: dict[str, Postures] = {}
        self.rules = self.goal.rules(stage.character, hand, self.at_s - max(LEADS_S), self.at_s + max(LEADS_S))
        self.stage = stage.allowing(self.rules)
        self.trace = LimbTrace(
            character=stage.character,
            allow=self.rules,
            position=self.goal.position,
            rotation=None if turned is None else turned[0],
            point=self.point,
            time_s=at,
            hand=hand,
        )

    def solved(self, judge: Judge) -> Result[LimbTrace]:
        """The first plan that the judge passes, or why there is none."""
        too_far = too_far_said(self.stage, self.hand, self.goal, self.trace.time_s, self.shoulder, self.length_m)
        if too_far and not self.options.spine:
            return self._failed(Status.INFEASIBLE_GOAL, too_far)
        changes: list[Change] = []
        rejected: list[str] = []
        status, reason = Status.INFEASIBLE_GOAL, too_far
        for limb, lead_s, iterations, seed in self._tries():
            stopped = self.watch.interrupted()
            if stopped is not None:
                status, reason = stopped, "the deadline passed or it was cancelled"
                break
            plan, why, window = self._planned(limb, lead_s, iterations, seed)
            if plan is None or window is None or not plan.status:
                # How far the arm alone got says more than what the trunk could not add.
                if not too_far and (not reason or why[0] is Status.EXHAUSTED):
                    status, reason = why
                continue
            change = _change(plan, window, limb)
            made = plan.applied(self.stage.motion)
            trace = self._measured(made, (*changes, change), rejected)
            self.watch.stage("judge")
            fault = judge(made, trace)
            if not fault:
                stats = self.watch.stats(nodes=sum(len(one.nodes) for one in plan.found), changes=1)
                return Result(status=Status.SOLVED, motion=made, trace=trace, stats=stats)
            rejected.append(fault)
            status, reason = Status.EXHAUSTED, f"the judge did not pass it: {fault}"
        return self._failed(status, reason, rejected)

    def _tries(self) -> Iterator[tuple[str, float, int, int]]:
        """Linkages, times around the moment, samples and seeds: everything briefly before anything long."""
        arm, seed = f"{self.hand}_arm", self.options.seed * 64
        linkages = (arm, f"{arm}_spine") if self.options.spine else (arm,)
        for attempt in range(self.options.attempts):
            for limb in linkages:
                for lead_s in LEADS_S if limb == arm else LEADS_S[1:2]:
                    share = 4 if attempt == 0 else 1
                    yield limb, lead_s, max(self.options.iterations // share, 1), seed + attempt

    def _planned(
        self, limb: str, lead_s: float, iterations: int, seed: int
    ) -> tuple[Plan | None, tuple[Status, str], Window | None]:
        """A plan with some linkage, window and number of samples, or why there is none."""
        start_s, end_s = (self.stage.start_s + frame / self.stage.motion.fps for frame in self._frames(lead_s))
        room = min(shrink_s(end_s - start_s), 0.25 * (self.at_s - start_s))
        starts = start_s + room
        if self.at_s - starts < _LEAST_S:
            return None, (Status.INFEASIBLE_START, f"{self.at_s - start_s:.2f} s are too short to get there"), None
        postures = self._goal_postures(limb, lead_s)
        if not postures.found:
            why = (Status.INFEASIBLE_GOAL, no_posture_said(self.hand, self.goal, self.trace.time_s, postures))
            return None, why, None
        space = self.stage.space(limb)
        bars = pace([self.stage.source], space)
        speeds = joint_limits_rad_s(space, bars, self.options.speed_share)
        why = (Status.EXHAUSTED, "the hand cannot be there in time at its pace")
        hurry = iterations == self.options.iterations
        timely = self._timely(postures, space, speeds, starts, hurry=hurry)[:_POSTURES]
        if not timely:
            return None, why, None
        window = self._window(limb, lead_s)
        for posture in timely:
            legs = self._legs(window, posture, room, speeds)
            options = replace(self.options, iterations=iterations)
            plan = plan_legs(legs, bars, options, self.watch, widest_s=2.0 * room, seed=seed)
            if plan.status:
                return plan, (Status.SOLVED, ""), window
            why = (plan.status, plan.reason)
        return None, why, window

    def _legs(self, window: Window, posture: Posture, room: float, speeds: FloatArray) -> list[Leg]:
        """There, and back where there is time left; else the hand stays."""
        none = np.zeros(len(window.space))
        arriving, leaving = (
            retreat(window, posture, self.at_s, self.target_at, self.shoulder, self.end, speeds, sign)
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
        stays = window.last == len(self.stage.motion) - 1 and back_s - self.at_s < 2.0 * _LEAST_S
        if not stays:
            back = Leg(window=window, start_s=self.at_s, end_s=back_s, start=posture.offset, end=none, leaving=leaving)
            return [there, back]
        if window.end_s - self.at_s < 0.02:
            return [there]
        hold = Leg(window=window, start_s=self.at_s, end_s=window.end_s, start=posture.offset, end=posture.offset)
        return [there, hold]

    def _timely(
        self, postures: Postures, space: LimbSpace, speeds: FloatArray, starts: float, *, hurry: bool
    ) -> list[Posture]:
        """Postures that can be reached in time; in a hurry, also those just so."""
        kept = []
        for posture in postures.found:
            turns = np.abs(space.spread @ posture.offset).reshape(-1, 3)
            needed = float((np.linalg.norm(turns, axis=1) / speeds).max())
            if (_JUST_SO if hurry else _WAY_ROUND) * needed < self.at_s - starts:
                kept.append(posture)
        return kept

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

    def _goal_postures(self, limb: str, lead_s: float) -> Postures:
        """Postures on the target: the same in every window, so they are looked for once."""
        if limb not in self._postures:
            window = self._window(limb, lead_s)
            self.watch.stage("ik")
            self._postures[limb] = goal_postures(window, self.at_s, self.end, clear_m=self.options.kept_m + 5e-4)
        return self._postures[limb]

    def _measured(self, motion: Motion, changes: Sequence[Change], rejected: Sequence[str]) -> LimbTrace:
        """The trace with how far the palm is off."""
        pose = motion.pose_at(self.trace.time_s)
        places, turns = motion.skeleton.placed_joints(pose.root_position, pose.rotations)
        joint = motion.skeleton.humanoid[f"{self.hand}Hand"]
        off = places[joint] + rot.rotate(turns[joint], self.point) - self.goal.position
        angle = float("nan")
        if self.end.rotations is not None:
            angle = float(rot.angle_between(turns[joint], self.end.rotations[0]))
        return replace(
            self.trace,
            changes=tuple(changes),
            planned=tuple(one.limb for one in changes),
            error_m=float(np.linalg.norm(off)),
            error_rad=angle,
            rejected=tuple(rejected),
        )

    def _failed(self, status: Status, reason: str, rejected: Sequence[str] = ()) -> Result[LimbTrace]:
        trace = replace(self.trace, rejected=tuple(rejected))
        return Result(
            status=status, motion=self.stage.motion, trace=trace, reason=reason, stats=self.watch.stats(changes=0)
        )


def _change(plan: Plan, window: Window, limb: str) -> Change:
    return Change(
        limb=limb,
        start_s=window.start_s,
        end_s=window.end_s,
        status=plan.status,
        path=np.concatenate([one.path for one in plan.found]),
        nodes=np.concatenate([one.nodes for one in plan.found]),
        width_s=plan.width_s,
    )
