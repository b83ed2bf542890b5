"""From posture to posture: one motion through all keys that touches nothing but what bears it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.core.planning import Result, Status, Watch
from understudy.core.pose import Pose
from understudy.errors import PlanningInputError
from understudy.postures.bearing import BORNE_BY, LOST_M, bearing_of, outside_m
from understudy.postures.faults import PostureFaults, faults_of
from understudy.postures.grounding import floor_depths
from understudy.postures.keys import drawn_to, ground_of, raised, waiting
from understudy.postures.moves import NoMoveError
from understudy.postures.options import BetweenOptions
from understudy.postures.pins import Pin
from understudy.postures.playing import Planned, planned, played
from understudy.postures.problem import Problem, problem_of
from understudy.postures.relaxing import relaxed
from understudy.postures.stances import Stance, pinned_stance, stances_of
from understudy.postures.trace import BetweenTrace, Relaxed
from understudy.scene.scene import Scene
from understudy.typing import FloatArray

#: Says why a motion will not do; empty when it will.
Judge = Callable[[Motion, BetweenTrace], str]
#: [m] how far the centre of mass of a still posture may be beside what bears it (docs/support.md).
_TOPPLES_M = 0.11
#: Over the stature: hips that are lower sit.
_SEATED = 0.4
#: [s] for how long before and after a recorded posture a motion that was planned beside it is drawn to it.
_DRAWN_S = 0.3
#: [m] joints that moved less are not told of.
_MOVED_M = 0.001


def between(
    poses: Sequence[Pose],
    *,
    judge: Judge,
    scene: Scene | None = None,
    pins: Sequence[Pin] = (),
    body: Body | None = None,
    loose: bool = False,
    options: BetweenOptions | None = None,
) -> Result[BetweenTrace]:
    """Plan a motion through key postures.

    Args:
        poses: Two or more postures of one skeleton.
        judge: Says why a motion will not do. Planners may not import the judge; ``understudy.between`` binds it.
        scene: What stands around; ``None`` for nothing but a floor at ``y = 0``, if the postures are above it.
        pins: Joints that stay where they are, or on a path; with pins nothing else is held.
        body: Whose capsules and limits; fitted to the skeleton unless given.
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
    ground = ground_of(body, poses) if scene is None and body.skeleton.is_humanoid else 0.0
    problem = problem_of([raised(pose, -ground) for pose in poses], scene, pins, body, relax=options.relax)
    problem, trace, refused = _without_faults(problem, options)
    number, fault = (min(refused), "; ".join(refused.values())) if refused else _not_borne(problem, pins)
    if fault:
        status = Status.INFEASIBLE_GOAL if number else Status.INFEASIBLE_START
        return Result(status=status, reason=fault, trace=trace, stats=watch.stats(steps=0))
    watch.stage("stances")
    try:
        stances = _stances(problem, pins, loose=loose)
        plans = planned(stances, scene, problem.body, options, watch)
    except NoMoveError as why:
        return Result(status=Status.EXHAUSTED, reason=str(why), trace=trace, stats=watch.stats(steps=0))
    trace = replace(trace, legs=tuple(leg for plan in plans for leg in plan.legs))
    if len(plans) < len(stances) or not plans[-1].whole:
        return _not_found(plans, trace, watch)
    done = played(plans, options, watch, loose=loose)
    motion, times_s, waits_s = _through_keys(problem, done.motion, done.key_times_s, trace)
    trace = replace(
        trace,
        key_times_s=times_s,
        stances=tuple(replace(one, start_s=one.start_s + waits_s, end_s=one.end_s + waits_s) for one in done.stances),
        least_gap_m=done.least_gap_m,
        refined=done.refined,
    )
    if ground:
        motion = replace(motion, root_positions=motion.root_positions + np.array([0.0, ground, 0.0]))
    watch.stage("judge")
    fault = judge(motion, trace)
    stats = watch.stats(steps=sum(leg.steps for leg in trace.legs), frames=len(motion))
    status = Status.EXHAUSTED if fault else Status.SOLVED
    return Result(status=status, motion=motion, trace=trace, stats=stats, reason=fault)


def _through_keys(
    problem: Problem, motion: Motion, times_s: FloatArray, trace: BetweenTrace
) -> tuple[Motion, FloatArray, float]:
    """The motion drawn to recorded postures that it was planned beside, when it is at keys, and how long it waits [s].

    Somebody who begins or ends beside a recorded posture leaves it, or comes to it, before all else.
    """
    mended, last = {one.posture for one in trace.relaxed}, len(problem.keys) - 1
    beside = {one.posture: problem.poses[one.posture] for one in trace.faults if one.posture not in mended}
    if not beside:
        return motion, times_s, 0.0
    begins, ends = (round(_DRAWN_S * motion.fps) / motion.fps * (n in beside) for n in (0, last))
    motion = waiting(motion, begins, ends)
    times_s = times_s + begins
    times_s[0], times_s[-1] = 0.0, motion.duration_s
    planned_ones = [problem.stage.space.pose(q) for q in problem.keys]
    return drawn_to(motion, times_s, beside, planned_ones, _DRAWN_S), times_s, begins


def _not_borne(problem: Problem, pins: Sequence[Pin]) -> tuple[int, str]:
    """The first posture that nothing bears, and why; no reason where all are borne, or pins or things may bear them."""
    if pins or not problem.has_floor or not problem.body.skeleton.is_humanoid:
        return 0, ""
    for n, q in enumerate(problem.keys):
        if problem.things and float(problem.stage.gaps(q)[len(problem.stage.arrays.pairs) :].min()) < LOST_M:
            continue
        pose = problem.stage.space.pose(q)
        bearing, outside = bearing_of(problem.body, pose), outside_m(problem.body, pose)
        if bearing.kind == "air":
            return n, f"posture {n} touches nothing: it is {bearing.lowest_m:.3f} m above the floor"
        if outside > _TOPPLES_M:
            low = pose.root_position[1] < _SEATED * problem.body.stature_m
            seat = " Sitting needs a seat under it; give a scene with one" if low and bearing.kind == "feet" else ""
            words = f"posture {n} would topple: its centre of mass is {outside:.2f} m beside {BORNE_BY[bearing.kind]}."
            return n, f"{words}{seat}".rstrip(".")
    return 0, ""


def _stances(problem: Problem, pins: Sequence[Pin], *, loose: bool) -> list[Stance]:
    """What bears the body from key to key; one stance where pins say what is held, or where there is no floor."""
    poses = [problem.stage.space.pose(q) for q in problem.keys]
    if not problem.has_floor or not problem.body.skeleton.is_humanoid:
        return [Stance(poses=tuple(poses), given=tuple(range(len(poses))), pins=tuple(pins))]
    return [pinned_stance(problem.body, poses, pins)] if pins else stances_of(problem.body, poses, loose=loose)


def _without_faults(problem: Problem, options: BetweenOptions) -> tuple[Problem, BetweenTrace, dict[int, str]]:
    """The problem with relaxed keys if that is wanted, what was wrong and moved, and why which cannot be mended."""
    found: list[PostureFaults] = []
    moved: list[Relaxed] = []
    why: dict[int, str] = {}
    keys = problem.keys.copy()
    for n, (pose, q) in enumerate(zip(problem.poses, problem.keys, strict=True)):
        faults = faults_of(n, pose, problem.body, problem.stage, q, problem.solids)
        if not faults:
            continue
        found.append(faults)
        if not options.relax and not pose.evidence:
            why[n] = f"{faults}. Relaxing finds the nearest valid posture"
            continue
        better = relaxed(problem.stage, q, gap_m=options.clearance_m if options.relax else options.smooth_clearance_m)
        if better is None:
            why[n] = f"{faults}. No valid posture was found near"
            continue
        keys[n] = lifted(problem, better)
        if not options.relax:
            # The motion is drawn to what was recorded.
            continue
        moved.append(_moved(n, pose, problem.stage.space.pose(keys[n])))
        if moved[-1].moved_m > options.relax_m:
            why[n] = f"{faults}. {moved[-1]}, more than the {1000.0 * options.relax_m:.0f} mm allowed"
    trace = BetweenTrace(
        space=problem.stage.space, keys=keys, faults=tuple(found), relaxed=tuple(moved), floor=problem.has_floor
    )
    return replace(problem, keys=keys), trace, why


def _moved(number: int, given: Pose, found: Pose) -> Relaxed:
    """How far joints of a posture were moved."""
    away = np.linalg.norm(given.world()[0] - found.world()[0], axis=1)
    names = [given.skeleton.roles.get(j, given.skeleton.names[j]) for j in range(len(away))]
    worst = int(away.argmax())
    far = {names[j]: float(away[j]) for j in np.argsort(-away) if away[j] >= _MOVED_M}
    return Relaxed(posture=number, joint=names[worst], moved_m=float(away[worst]), joints_m=far)


def lifted(problem: Problem, q: FloatArray) -> FloatArray:
    """A posture raised out of the floor, where it has one to stand on."""
    out = q.copy()
    if problem.stage.space.grounded:
        out[1] += float(floor_depths(problem.body, problem.stage.space.pose(q)).max())
    return out


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
