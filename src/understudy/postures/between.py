"""From posture to posture: one smooth motion through all keys that touches nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.core.planning import Result, Status, Watch
from understudy.core.pose import Pose
from understudy.errors import PlanningInputError
from understudy.postures.faults import PostureFaults, faults_of
from understudy.postures.gentling import gentler
from understudy.postures.grounding import floor_depths
from understudy.postures.making import motion_through, undragged
from understudy.postures.options import BetweenOptions
from understudy.postures.pins import Pin
from understudy.postures.planner import Way, way_between
from understudy.postures.problem import Problem, problem_of
from understudy.postures.relaxing import relaxed
from understudy.postures.sequence import stopover
from understudy.postures.shortcut import path_length, shortened
from understudy.postures.trace import BetweenTrace, Leg
from understudy.scene.scene import Scene
from understudy.typing import FloatArray

#: Says why a motion will not do; empty when it will.
Judge = Callable[[Motion, BetweenTrace], str]
#: Share of a key posture's own gaps that the way from it keeps.
_SHARE = 0.8


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
        pins: Joints that stay where they are, or on a path.
        body: Whose capsules and limits; fitted to the skeleton unless given.
        loose: Whether the later postures may end elsewhere on the floor, so that feet need not slide.
        options: How to plan.

    Returns:
        ``SOLVED`` only with a motion that the judge passes. ``INFEASIBLE_START`` or ``INFEASIBLE_GOAL`` when a posture
        touches something or breaks a limit; ``trace.faults`` and ``reason`` say where.

    Raises:
        PlanningInputError: Too few postures, or pins that contradict them.
        SkeletonError: Postures of different skeletons.
    """
    options = options or BetweenOptions()
    watch = options.watch()
    watch.stage("input")
    if not poses:
        raise PlanningInputError("give at least two postures; got 0")
    problem = problem_of(poses, scene, pins, body or fit_body(poses[0].skeleton), relax=options.relax)
    problem, faults, valid = _without_faults(problem, options)
    trace = BetweenTrace(space=problem.stage.space, keys=problem.keys, faults=faults, floor=problem.has_floor)
    if not valid:
        return _infeasible(trace, watch, relaxed=options.relax)
    legs = _legs(problem, options, watch)
    trace = replace(trace, legs=tuple(legs))
    if len(legs) < len(problem.keys) - 1:
        return _not_found(len(legs), trace, watch)
    watch.stage("smooth")
    motion, trace = motion_through(problem, trace, options, loose=loose)
    fault = ""
    for tried, now in _versions(problem, motion, trace, options, watch):
        watch.stage("judge")
        fault = judge(tried, now)
        if not fault:
            motion, trace = tried, now
            break
    stats = watch.stats(steps=sum(leg.steps for leg in legs), frames=len(motion))
    if fault:
        return Result(status=Status.EXHAUSTED, motion=motion, trace=trace, stats=stats, reason=fault)
    return Result(status=Status.SOLVED, motion=motion, trace=trace, stats=stats)


def _versions(
    problem: Problem, motion: Motion, trace: BetweenTrace, options: BetweenOptions, watch: Watch
) -> Iterator[tuple[Motion, BetweenTrace]]:
    """The motion refined, then as it is; each with feet that are not dragged over the floor, then as it is."""
    if options.spacetime:
        watch.stage("spacetime")
        gentle, now = gentler(problem, motion, trace)
        yield undragged(problem, gentle, now), now
        yield gentle, now
    yield undragged(problem, motion, trace), trace
    yield motion, trace


def _without_faults(problem: Problem, options: BetweenOptions) -> tuple[Problem, tuple[PostureFaults, ...], bool]:
    """The problem with relaxed keys if that is wanted, the faults that were found, and whether all keys are valid."""
    found, keys, valid = [], problem.keys.copy(), True
    for n, (pose, q) in enumerate(zip(problem.poses, problem.keys, strict=True)):
        faults = faults_of(n, pose, problem.body, problem.stage, q, problem.solids)
        if not faults:
            continue
        found.append(faults)
        better = relaxed(problem.stage, q, gap_m=options.clearance_m) if options.relax else None
        valid = valid and better is not None
        keys[n] = q if better is None else lifted(problem, better)
    return replace(problem, keys=keys), tuple(found), valid


def lifted(problem: Problem, q: FloatArray) -> FloatArray:
    """A posture raised out of the floor, where it has one to stand on."""
    out = q.copy()
    if problem.stage.space.grounded:
        out[1] += float(floor_depths(problem.body, problem.stage.space.pose(q)).max())
    return out


def _infeasible(trace: BetweenTrace, watch: Watch, *, relaxed: bool) -> Result[BetweenTrace]:
    status = Status.INFEASIBLE_START if trace.faults[0].posture == 0 else Status.INFEASIBLE_GOAL
    more = "No valid posture was found near" if relaxed else "Relaxing finds the nearest valid postures"
    reason = f"{'; '.join(map(str, trace.faults))}. {more}"
    return Result(status=status, reason=reason, trace=trace, stats=watch.stats(steps=0))


def _not_found(n: int, trace: BetweenTrace, watch: Watch) -> Result[BetweenTrace]:
    stopped = watch.interrupted()
    reason = {
        None: f"no way from posture {n} to posture {n + 1} was found; they may not be connected within limits and pins",
        Status.TIMED_OUT: "the deadline passed",
        Status.CANCELLED: "it was cancelled",
    }[stopped]
    status = Status.EXHAUSTED if stopped is None else stopped
    return Result(status=status, reason=reason, trace=trace, stats=watch.stats(steps=0))


def _legs(problem: Problem, options: BetweenOptions, watch: Watch) -> list[Leg]:
    """The ways from key to key, up to the first that is not found."""
    legs: list[Leg] = []
    for a, b in pairwise(problem.keys):
        leg = _leg(problem, a, b, options, watch)
        if leg is None:
            break
        legs.append(leg)
        watch.report(0.7 * len(legs) / (len(problem.keys) - 1))
    return legs


def _leg(problem: Problem, a: FloatArray, b: FloatArray, options: BetweenOptions, watch: Watch) -> Leg | None:
    """Plan and shorten the way between two keys."""
    plan = problem.stage.keeping(problem.keep([a, b], options.clearance_m, _SHARE))
    short = problem.stage.keeping(problem.keep([a, b], options.smooth_clearance_m, _SHARE))
    middle = stopover(plan, a, b) if options.legs_first else None
    stops = [a, b] if middle is None else [a, middle, b]
    ways: list[Way] = []
    paths: list[FloatArray] = []
    for one, two in pairwise(stops):
        watch.stage("plan")
        way = way_between(plan, one, two, options, watch)
        if way.path is None:
            return None
        watch.stage("shorten")
        ways.append(way)
        paths.append(shortened(short, way.path))
    raw = np.concatenate([ways[0].path, *(way.path[1:] for way in ways[1:])])  # type: ignore[index]
    path = np.concatenate([paths[0], *(path[1:] for path in paths[1:])])
    return Leg(
        how=ways[-1].how,
        steps=sum(way.steps for way in ways),
        raw=raw,
        path=path,
        straight_rad=float(np.linalg.norm(b - a)),
        raw_rad=path_length(raw),
        length_rad=path_length(path),
    )
