"""From posture to posture: one motion through all keys that touches nothing but what bears it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

import numpy as np

from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.core.planning import Result, Status, Watch
from understudy.core.pose import Pose
from understudy.core.violations import Violation, described
from understudy.errors import PlanningInputError
from understudy.postures.bearing import BORNE_BY, bearing_of
from understudy.postures.grounding import rests_of
from understudy.postures.keys import raised, widened
from understudy.postures.moves import Move, NoMoveError, least_moves
from understudy.postures.options import BetweenOptions
from understudy.postures.pins import Pin
from understudy.postures.playing import Planned, planned, played
from understudy.postures.problem import Problem, checked_poses, problem_of
from understudy.postures.readying import Readied, readied
from understudy.postures.recalling import held
from understudy.postures.routes import By, ways_round
from understudy.postures.stances import (
    MANNERS,
    Manner,
    Stance,
    moves_through,
    pinned_stance,
    recorded_stance,
    stances_of,
    with_ways,
)
from understudy.postures.timing import LEAST_S
from understudy.postures.trace import STEPPED, BetweenTrace, Leg
from understudy.scene.scene import Scene

#: Says what is wrong with a motion.
Judge = Callable[[Motion, BetweenTrace], Sequence[Violation]]


def between(
    poses: Sequence[Pose],
    *,
    judge: Judge,
    scene: Scene | None = None,
    pins: Sequence[Pin] = (),
    body: Body | None = None,
    grounds_m: Sequence[float] = (),
    loose: bool = False,
    options: BetweenOptions | None = None,
) -> Result[BetweenTrace]:
    """Plan a motion through key postures.

    Args:
        poses: Two or more postures of one skeleton.
        judge: Says what is wrong with a motion. Planners may not import the judge; ``understudy.between`` binds it.
        scene: What stands around; ``None`` for nothing but a floor at ``y = 0``, if the postures are above it.
        pins: Joints that stay where they are, or on a path; with pins nothing else is held.
        body: Whose capsules and limits; fitted to the skeleton unless given.
        grounds_m: For each posture, how high the ground is that it stands on [m]; 0 unless given. The motion is on the
            first one's.
        loose: Whether the later postures may stand elsewhere on the floor, so that feet need not step.
        options: How to plan.

    Returns:
        ``SOLVED`` only with a motion that the judge passes. ``INFEASIBLE_START`` or ``INFEASIBLE_GOAL`` when a posture
        touches something, breaks a limit, or would topple because nothing bears it; ``reason`` says where.
        ``EXHAUSTED`` when no way was found, or none on which something bears the body all the time.

    Raises:
        PlanningInputError: Too few postures, or pins that contradict them.
        SkeletonError: Postures of different skeletons.
    """
    options = options or BetweenOptions()
    watch = options.watch()
    watch.stage("input")
    if not poses:
        raise PlanningInputError("give at least two postures; got 0")
    body = body or fit_body(poses[0].skeleton)
    checked_poses(poses, body)
    grounds = list(grounds_m) or [0.0] * len(poses)
    keys = [raised(pose, -ground) for pose, ground in zip(poses, grounds, strict=True)]
    problem = problem_of(keys, scene, pins, widened(body, keys), relax=options.relax)
    trace = BetweenTrace(space=problem.stage.space, keys=problem.keys, floor=problem.has_floor)

    def said(motion: Motion) -> Sequence[Violation]:
        return judge(_on_ground(motion, grounds[0]), trace)

    ready = readied(problem, scene, options, said)
    trace = replace(
        trace,
        keys=np.stack([problem.stage.space.coordinates(pose) for pose in ready.met]),
        faults=tuple(ready.faults),
        relaxed=tuple(ready.relaxed),
    )
    # Whether a recorded posture is in balance depends on the ground of its recording, which it does not show alone.
    bare = {n: pose for n, pose in enumerate(ready.met) if not poses[n].evidence}
    refused = ready.refused or _not_held(bare, body, lambda pose: described(said(held(pose, options.fps))))
    if refused:
        status = Status.INFEASIBLE_GOAL if min(refused) else Status.INFEASIBLE_START
        return Result(status=status, reason="; ".join(refused.values()), trace=trace, stats=watch.stats(steps=0))
    search = _Search(problem=problem, ready=ready, scene=scene, trace=trace, options=options, watch=watch, loose=loose)
    proposals = search.proposals()
    result = _judged(next(proposals), judge, grounds[0])
    while not result.status and watch.interrupted() is None:
        made = next(proposals, None)
        if made is None:
            break
        result = _judged(made, judge, grounds[0])
    return result


def _judged(result: Result[BetweenTrace], judge: Judge, ground_m: float) -> Result[BetweenTrace]:
    """A motion on its ground, as the judge finds it."""
    if result.motion is None or result.trace is None:
        return result
    motion = _on_ground(result.motion, ground_m)
    fault = described(judge(motion, result.trace))
    return replace(result, status=Status.EXHAUSTED if fault else Status.SOLVED, motion=motion, reason=fault)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Search:
    """What is shared by plans between the same key postures.

    Attributes:
        problem: Key postures, scene and pins.
        ready: The postures made ready.
        scene: What stands around.
        trace: What is known of the search so far.
        options: How to plan.
        watch: Deadline and cancel.
        loose: Whether the later postures may stand elsewhere on the floor.
        moves: Moves that were found from some key posture, by how postures are joined; recordings joined others.
    """

    problem: Problem
    ready: Readied
    scene: Scene | None
    trace: BetweenTrace
    options: BetweenOptions
    watch: Watch
    loose: bool
    moves: dict[tuple[int, int, By], list[list[Move]]] = field(default_factory=dict)

    @cached_property
    def body(self) -> Body:
        """Whose limits hold the postures that plans begin and end with."""
        return widened(self.problem.body, [*self.problem.poses, *self.ready.free])

    def choices(self) -> list[dict[int, Motion]]:
        """Which key postures their recording joins: where it takes no longer than any plan, else all, else none."""
        known = self.ready.joined
        shorter = {n: piece for n, piece in known.items() if piece.duration_s <= self._least_s(n)}
        return [shorter, *(one for one in (known, {}) if one.keys() != shorter.keys())]

    def _least_s(self, n: int) -> float:
        """The least time in which a plan gets from a key posture to the next [s]."""
        ways = [way.recorded for key in (n, n + 1) for way in self.ready.ways.get(key, ())]
        moves = least_moves(self.body, self.ready.free[n], self.ready.free[n + 1])
        return LEAST_S * moves + sum(way.duration_s for way in ways if way is not None)

    def proposals(self) -> Iterator[Result[BetweenTrace]]:
        """Motions, or why there is none; nobody has judged them yet."""
        for joined, by in product(self.choices(), self._bys()):
            for manner in MANNERS:
                self.watch.stage("stances")
                stepping = True
                try:
                    stances = self._stances(joined, manner, by)
                    stepping = any(stance.stops is not None for stance in stances)
                    made = self._made(stances, upright=manner in ("upright", "stood"))
                    # A way that ends before anybody steps ends there in every manner.
                    stepping = stepping and (made.motion is not None or STEPPED in [leg.how for leg in _legs(made)])
                    yield made
                except NoMoveError as why:
                    yield Result(
                        status=Status.EXHAUSTED, reason=str(why), trace=self.trace, stats=self.watch.stats(steps=0)
                    )
                if not stepping:
                    break

    def _bys(self) -> tuple[By, ...]:
        """How postures on the floor, or on one seat, may be joined."""
        problem = self.problem
        if problem.pins or not problem.has_floor or not self.body.skeleton.is_humanoid:
            return ("itself",)
        return ways_round(self.body, [(pose, problem.bearing(pose)) for pose in self.ready.free])

    def _made(self, stances: Sequence[Stance], *, upright: bool) -> Result[BetweenTrace]:
        """A motion over supports.

        Raises:
            NoMoveError: There is none.
        """
        watch, options = self.watch, self.options
        rests = rests_of(self.body, self.problem.poses)
        plans = planned(stances, self.scene, self.body, options, watch, upright=upright, rests=rests)
        trace = replace(self.trace, legs=tuple(leg for plan in plans for leg in plan.legs))
        if len(plans) < len(stances) or not plans[-1].whole:
            return _not_found(plans, trace, watch)
        done = played(plans, options, watch, loose=self.loose)
        trace = replace(
            trace,
            key_times_s=done.key_times_s,
            stances=done.stances,
            least_gap_m=done.least_gap_m,
            refined=done.refined,
        )
        stats = watch.stats(steps=sum(leg.steps for leg in trace.legs), frames=len(done.motion))
        return Result(status=Status.EXHAUSTED, motion=done.motion, trace=trace, stats=stats)

    def _stances(self, joined: Mapping[int, Motion], manner: Manner, by: By) -> list[Stance]:
        """What bears the body from key to key: recordings join some keys, plans the others."""
        out: list[Stance] = []
        begun, last = 0, len(self.ready.free) - 1
        for n in sorted({*joined, last}):
            out += self._planned(begun, n, manner, by) if n > begun else []
            out += [recorded_stance(joined[n], (n, n + 1))] if n in joined else []
            begun = n + 1
        return out

    def _planned(self, first: int, last: int, manner: Manner, by: By) -> list[Stance]:
        """Stances through some keys; one stance where pins say what is held, or where there is no floor."""
        problem, poses = self.problem, self.ready.free[first : last + 1]
        if not problem.has_floor or not self.body.skeleton.is_humanoid:
            return [Stance(poses=tuple(poses), given=tuple(range(len(poses))), pins=problem.pins)]
        if problem.pins:
            return [pinned_stance(self.body, poses, problem.pins)]
        if (first, last, by) not in self.moves:
            bearings = [problem.bearing(pose) for pose in poses]
            loose = self.loose and all(one.kind != "seat" for one in bearings)
            self.moves[first, last, by] = moves_through(self.body, poses, bearings, loose=loose, by=by)
        found = stances_of(self.body, self.moves[first, last, by], manner)
        numbered = [replace(one, given=tuple(n + first if n >= 0 else n for n in one.given)) for one in found]
        return with_ways(numbered, self.ready.ways)


def _legs(result: Result[BetweenTrace]) -> tuple[Leg, ...]:
    """The ways that were found."""
    return () if result.trace is None else result.trace.legs


def _not_held(poses: Mapping[int, Pose], body: Body, said: Callable[[Pose], str]) -> dict[int, str]:
    """Posture -> why nobody can hold it."""
    found = {}
    for n, pose in poses.items():
        why, kind = said(pose), bearing_of(body, pose).kind if pose.skeleton.is_humanoid else "air"
        if why:
            found[n] = f"posture {n}, borne by {BORNE_BY[kind]}, cannot be held: {why}"
    return found


def _on_ground(motion: Motion, ground_m: float) -> Motion:
    """A motion on a ground of some height."""
    if not ground_m:
        return motion
    return replace(motion, root_positions=motion.root_positions + np.array([0.0, ground_m, 0.0]))


def _not_found(plans: Sequence[Planned], trace: BetweenTrace, watch: Watch) -> Result[BetweenTrace]:
    stopped = watch.interrupted()
    reached = max((n for plan in plans for n in plan.stance.given[: len(plan.legs) + 1]), default=0)
    supports = plans[-1].stance.supports if plans else ()
    borne = f" on {' and '.join(supports)}" if supports else ""
    reason = {
        None: f"no way on from posture {reached}{borne} was found; it may not exist within limits and pins",
        Status.TIMED_OUT: "the deadline passed",
        Status.CANCELLED: "it was cancelled",
    }[stopped]
    status = Status.EXHAUSTED if stopped is None else stopped
    return Result(status=status, reason=reason, trace=trace, stats=watch.stats(steps=0))
