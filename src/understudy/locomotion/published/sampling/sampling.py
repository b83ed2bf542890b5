"""Environment-aware motion sampling: path and motion chosen together ([Sampling]; Chen and Steed 2011).

``"sample"`` is the paper's EMS and ``"decoupled"`` its PFF, on the same Monte-Carlo search; ``"tight"`` is a beam on
the same body-aware cost. Deviations that hold for all: collisions of capsules in three dimensions instead of joint
points; the ending is exact, by inverse branch kinematics with a collision test; nothing is called solved that the
judge refuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from understudy.core.motion import Motion
from understudy.core.planning import Result, Status
from understudy.errors import PlanningInputError
from understudy.floor.nearest import nearest_free
from understudy.library import Library
from understudy.locomotion.published.sampling.clearance import scene_checker
from understudy.locomotion.published.sampling.constraints import Constraint
from understudy.locomotion.published.sampling.ground import ground_for
from understudy.locomotion.published.sampling.methods import Setting, rounds_of
from understudy.locomotion.published.sampling.options import SampleOptions
from understudy.locomotion.published.sampling.sampler import sampler_of
from understudy.locomotion.published.sampling.trace import SampleTrace
from understudy.locomotion.published.sampling.trying import Made, Run, SampleJudge, Tally, fitting, is_refused
from understudy.locomotion.query import Spot
from understudy.locomotion.walker import Walker
from understudy.scene.scene import Scene

#: [m] room around the free place that is named instead of one that is not.
_STANDING_M = 0.3


def sample(
    library: Library | Walker,
    scene: Scene | None = None,
    *,
    constraints: Sequence[Constraint],
    judge: SampleJudge,
    options: SampleOptions | None = None,
) -> Result[SampleTrace]:
    """Sample a motion through a scene.

    Args:
        library: The clips.
        scene: What stands in the way, as it is at time 0; ``None`` for nothing.
        constraints: The start, what has to happen on the way, and the goal. Start and goal have a position.
        judge: Says why a motion will not do; ``understudy.sample_walk`` binds the real one.
        options: How to search.

    Returns:
        ``SOLVED`` only with a motion that the judge passes.

    Raises:
        PlanningInputError: Too few constraints, or one that names nothing of the library.
    """
    options = options or SampleOptions()
    watch = options.watch()
    start, goal = _ends(constraints)
    sampler = sampler_of(library)
    watch.stage("floor")
    points = [np.array(one.position) for one in constraints if one.position is not None]
    floor = ground_for(sampler, scene, points)
    trace = SampleTrace(floor=floor, start=start, goal=goal, method=options.method)
    refused = _not_free(trace, start, goal)
    if refused is not None:
        return Result(status=refused[0], reason=refused[1], trace=refused[2], stats=watch.stats())
    watch.stage("graph")
    _ = sampler.graph
    setting = Setting.make(sampler, scene, floor, tuple(constraints), options, watch)
    if not setting.reachable:
        status, reason = Status.EXHAUSTED, "obstacles leave no way from the start to the goal"
        return Result(status=status, reason=reason, trace=trace, stats=watch.stats())
    checker = scene_checker(sampler.walker.body, scene)
    return _first_good(Run(sampler, setting, trace, checker, judge, options, watch))


def _ends(constraints: Sequence[Constraint]) -> tuple[Spot, Spot]:
    if len(constraints) < 2:
        raise PlanningInputError(f"a motion needs a start and a goal; got {len(constraints)} constraints")
    spots = []
    for one, what in ((constraints[0], "first"), (constraints[-1], "last")):
        if one.position is None:
            raise PlanningInputError(f"the {what} constraint needs a position")
        spots.append(Spot(position=one.position, heading_rad=one.heading_rad))
    return spots[0], spots[1]


def _not_free(trace: SampleTrace, start: Spot, goal: Spot) -> tuple[Status, str, SampleTrace] | None:
    """Why start or goal cannot be stood on; the trace says what is in the way and what is free beside it."""
    floor = trace.floor
    for spot, status, what in (
        (start, Status.INFEASIBLE_START, "start"),
        (goal, Status.INFEASIBLE_GOAL, "goal"),
    ):
        if not floor.free(spot.point[None], 0.0)[0]:
            owner, beside = floor.owner_at(spot.point) or "", nearest_free(floor, spot.point, _STANDING_M)
            place = None if beside is None else (float(beside[0]), float(beside[1]))
            reason = f'the {what} is inside "{owner}"' if owner else f"the {what} is off the floor"
            return status, reason, replace(trace, obstacle=owner, nearest_free=place)
    return None


def _first_good(run: Run) -> Result[SampleTrace]:
    """The first motion that passes the judge; else the best there is, and why not.

    The next round goes round what was at fault in this one. Motions whose rehearsal went wrong are judged when all
    rounds are over.
    """
    tally = Tally()
    best: tuple[Motion | None, SampleTrace] = (None, run.trace)
    for one in _motions(run, tally):
        if tally.tries >= run.options.tries or run.watch.interrupted() is not None:
            break
        if not is_refused(run, one, tally):
            now = replace(one.trace, rejected=tuple(tally.rejected))
            return Result(status=Status.SOLVED, motion=one.motion, trace=now, stats=run.watch.stats(**tally.counts()))
        best = (one.motion, one.trace) if best[0] is None else best
    return _unsolved(run, best, tally)


def _motions(run: Run, tally: Tally) -> Iterator[Made]:
    """Motions to be judged, of every round its share of the tries, then those put aside."""
    share = -(-run.options.tries // run.options.rounds)
    for one in rounds_of(run.setting, run.options, run.watch, tally.avoid):
        tally.evaluations += one.evaluations
        tally.cpu_s += one.cpu_s
        trace = replace(run.trace, corners=one.corners, expected_m=one.expected_m, curve=one.curve, visited=one.visited)
        # The judge compares skating with that of the takes: footage that skates more has little hope.
        graph = run.sampler.graph
        ways = sorted(one.ways, key=lambda way: (run.sampler.skates_more(way.stretches(graph)), way.cost))
        yield from islice(fitting(run, ways, trace, tally), share)
    yield from tally.aside


def _unsolved(run: Run, best: tuple[Motion | None, SampleTrace], tally: Tally) -> Result[SampleTrace]:
    rejected = tally.rejected
    stopped = run.watch.interrupted()
    status = Status.EXHAUSTED if stopped is None else stopped
    if status is Status.TIMED_OUT:
        reason = "the deadline passed"
    elif status is Status.CANCELLED:
        reason = "it was cancelled"
    elif rejected:
        reason = f"{len(rejected)} motions arrived and none will do; the first: {rejected[0]}"
    else:
        reason = "no sequence of clips ends at the goal without touching anything; more kinds of clips may help"
    trace = replace(best[1], rejected=tuple(rejected))
    return Result(status=status, motion=best[0], trace=trace, stats=run.watch.stats(**tally.counts()), reason=reason)
