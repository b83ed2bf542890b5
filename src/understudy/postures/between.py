"""From posture to posture: one motion through all keys that touches nothing but what bears it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion, from_poses
from understudy.core.planning import Result, Status, Watch
from understudy.core.pose import Pose
from understudy.errors import PlanningInputError
from understudy.postures.bearing import BORNE_BY, bearing_of
from understudy.postures.keys import raised, widened
from understudy.postures.moves import NoMoveError
from understudy.postures.options import BetweenOptions
from understudy.postures.pins import Pin
from understudy.postures.playing import Planned, planned, played
from understudy.postures.problem import Problem, checked_poses, problem_of
from understudy.postures.readying import readied
from understudy.postures.stances import Stance, pinned_stance, stances_of, with_ways
from understudy.postures.trace import BetweenTrace
from understudy.scene.scene import Scene

#: Says why a motion will not do; empty when it will.
Judge = Callable[[Motion, BetweenTrace], str]
#: [s] for how long somebody holds a posture who is asked whether they can.
_HELD_S = 0.5


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
        judge: Says why a motion will not do. Planners may not import the judge; ``understudy.between`` binds it.
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
    ready = readied(problem, scene, options)
    trace = BetweenTrace(
        space=problem.stage.space,
        keys=np.stack([problem.stage.space.coordinates(pose) for pose in ready.met]),
        faults=tuple(ready.faults),
        relaxed=tuple(ready.relaxed),
        floor=problem.has_floor,
    )
    refused = ready.refused or _not_held(ready.met, judge, trace, grounds[0], options)
    if refused:
        status = Status.INFEASIBLE_GOAL if min(refused) else Status.INFEASIBLE_START
        return Result(status=status, reason="; ".join(refused.values()), trace=trace, stats=watch.stats(steps=0))
    watch.stage("stances")
    try:
        stances = with_ways(_stances(problem, ready.free, loose=loose), ready.ways)
        plans = planned(stances, scene, problem.body, options, watch)
    except NoMoveError as why:
        return Result(status=Status.EXHAUSTED, reason=str(why), trace=trace, stats=watch.stats(steps=0))
    trace = replace(trace, legs=tuple(leg for plan in plans for leg in plan.legs))
    if len(plans) < len(stances) or not plans[-1].whole:
        return _not_found(plans, trace, watch)
    done = played(plans, options, watch, loose=loose)
    trace = replace(
        trace,
        key_times_s=done.key_times_s,
        stances=done.stances,
        least_gap_m=done.least_gap_m,
        refined=done.refined,
    )
    motion = _on_ground(done.motion, grounds[0])
    watch.stage("judge")
    fault = judge(motion, trace)
    stats = watch.stats(steps=sum(leg.steps for leg in trace.legs), frames=len(motion))
    status = Status.EXHAUSTED if fault else Status.SOLVED
    return Result(status=status, motion=motion, trace=trace, stats=stats, reason=fault)


def _not_held(
    poses: Sequence[Pose], judge: Judge, trace: BetweenTrace, ground_m: float, options: BetweenOptions
) -> dict[int, str]:
    """Posture -> why nobody can hold it."""
    frames = round(_HELD_S * options.fps) + 1
    said = [judge(_on_ground(from_poses([pose] * frames, fps=options.fps), ground_m), trace) for pose in poses]
    kinds = [bearing_of(trace.space.body, pose).kind if pose.skeleton.is_humanoid else "air" for pose in poses]
    return {
        n: f"posture {n}, borne by {BORNE_BY[kind]}, cannot be held: {why}"
        for n, (kind, why) in enumerate(zip(kinds, said, strict=True))
        if why
    }


def _on_ground(motion: Motion, ground_m: float) -> Motion:
    """A motion on a ground of some height."""
    if not ground_m:
        return motion
    return replace(motion, root_positions=motion.root_positions + np.array([0.0, ground_m, 0.0]))


def _stances(problem: Problem, poses: Sequence[Pose], *, loose: bool) -> list[Stance]:
    """What bears the body from key to key; one stance where pins say what is held, or where there is no floor."""
    if not problem.has_floor or not problem.body.skeleton.is_humanoid:
        return [Stance(poses=tuple(poses), given=tuple(range(len(poses))), pins=problem.pins)]
    if problem.pins:
        return [pinned_stance(problem.body, poses, problem.pins)]
    seated = [problem.seated(pose) for pose in poses]
    return stances_of(problem.body, poses, loose=loose and not any(seated), seated=seated)


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
