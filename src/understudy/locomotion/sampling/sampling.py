"""Environment-aware motion sampling: path and motion chosen together (methods.md M5; Chen and Steed 2011).

``"sample"`` is the paper's EMS and ``"decoupled"`` its PFF, on the same Monte-Carlo search; ``"tight"`` is a beam on
the same body-aware cost. Deviations that hold for all: collisions of capsules in three dimensions instead of joint
points; the ending is exact, by inverse branch kinematics with a collision test; nothing is called solved that the
judge refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy.core.motion import Motion
from understudy.core.planning import Result, Status, Watch
from understudy.errors import PlanningInputError
from understudy.floor import Floor
from understudy.library import Library
from understudy.library.features import headings_rad
from understudy.locomotion.query import Spot
from understudy.locomotion.sampling.clearance import scene_checker, touched
from understudy.locomotion.sampling.constraints import Constraint
from understudy.locomotion.sampling.ground import ground_for
from understudy.locomotion.sampling.methods import Round, Setting, rounds_of
from understudy.locomotion.sampling.options import SampleOptions
from understudy.locomotion.sampling.sampler import Sampler, sampler_of
from understudy.locomotion.sampling.trace import SampleTrace
from understudy.locomotion.sampling.way import Way, library_of, motion_of
from understudy.locomotion.walker import Walker
from understudy.locomotion.walking import travelled_m
from understudy.scene.scene import Scene

#: Says why a motion will not do; empty when it will.
SampleJudge = Callable[[Motion, SampleTrace], str]
#: Ways that share more of their jumps than this are alike.
_ALIKE = 0.6
#: Motions unrolled and measured for every one that is judged.
_MEASURED = 4


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
    refused = _not_free(floor, start, goal)
    if refused is not None:
        return Result(status=refused[0], reason=refused[1], trace=trace, stats=watch.stats())
    watch.stage("graph")
    _ = sampler.graph
    setting = Setting.make(sampler, scene, floor, tuple(constraints), options, watch)
    if not setting.reachable:
        status, reason = Status.EXHAUSTED, "obstacles leave no way from the start to the goal"
        return Result(status=status, reason=reason, trace=trace, stats=watch.stats())
    return _first_good(_Run(sampler, scene, setting, trace, judge, options, watch))


@dataclass(frozen=True, eq=False)
class _Run:
    """Everything that trying ways needs."""

    sampler: Sampler
    scene: Scene | None
    setting: Setting
    trace: SampleTrace
    judge: SampleJudge
    options: SampleOptions
    watch: Watch


def _ends(constraints: Sequence[Constraint]) -> tuple[Spot, Spot]:
    if len(constraints) < 2:
        raise PlanningInputError(f"a motion needs a start and a goal; got {len(constraints)} constraints")
    spots = []
    for one, what in ((constraints[0], "first"), (constraints[-1], "last")):
        if one.position is None:
            raise PlanningInputError(f"the {what} constraint needs a position")
        spots.append(Spot(position=one.position, heading_rad=one.heading_rad))
    return spots[0], spots[1]


def _not_free(floor: Floor, start: Spot, goal: Spot) -> tuple[Status, str] | None:
    """Why start or goal cannot be stood on."""
    for spot, status, what in (
        (start, Status.INFEASIBLE_START, "start"),
        (goal, Status.INFEASIBLE_GOAL, "goal"),
    ):
        if not floor.free(spot.point[None], 0.0)[0]:
            owner = floor.owner_at(spot.point)
            return status, f'the {what} is inside "{owner}"' if owner else f"the {what} is off the floor"
    return None


def _first_good(run: _Run) -> Result[SampleTrace]:
    """The first way whose motion passes the judge; else the best motion there is, and why not."""
    options, watch = run.options, run.watch
    checker = scene_checker(run.sampler.walker.body, run.scene)
    rejected: list[str] = []
    best: tuple[Motion | None, SampleTrace] = (None, run.trace)
    tries = measured = evaluations = 0
    seen: list[set[int]] = []
    for one in rounds_of(run.setting, options, watch):
        trace = replace(run.trace, corners=one.corners, expected_m=one.expected_m, curve=one.curve, visited=one.visited)
        evaluations += one.evaluations
        for way in _unlike(one, seen):
            if watch.interrupted() is not None or tries >= options.tries or measured >= _MEASURED * options.tries:
                break
            watch.stage("unroll")
            motion, now = _motion(run, way, trace)
            measured += 1
            fault = touched(checker, motion)
            if not fault:
                tries += 1
                watch.stage("judge")
                fault = run.judge(motion, now)
                watch.report(tries / options.tries)
            if not fault:
                stats = watch.stats(evaluations=evaluations, tries=tries, measured=measured)
                now = replace(now, rejected=tuple(rejected))
                return Result(status=Status.SOLVED, motion=motion, trace=now, stats=stats)
            rejected.append(fault)
            best = (motion, now) if best[0] is None else best
        if best[0] is None and one.best is not None:
            best = _motion(run, one.best, trace)
        if tries >= options.tries or measured >= _MEASURED * options.tries:
            break
    return _unsolved(run, best, rejected, {"evaluations": evaluations, "tries": tries, "measured": measured})


def _unsolved(
    run: _Run, best: tuple[Motion | None, SampleTrace], rejected: Sequence[str], counts: dict[str, int]
) -> Result[SampleTrace]:
    status = run.watch.interrupted() or Status.EXHAUSTED
    if status is Status.TIMED_OUT:
        reason = "the deadline passed"
    elif status is Status.CANCELLED:
        reason = "it was cancelled"
    elif rejected:
        reason = f"{len(rejected)} motions arrived and none will do; the first: {rejected[0]}"
    else:
        reason = "no sequence of clips ends at the goal without touching anything; more kinds of clips may help"
    trace = replace(best[1], rejected=tuple(rejected))
    return Result(status=status, motion=best[0], trace=trace, stats=run.watch.stats(**counts), reason=reason)


def _unlike(one: Round, seen: list[set[int]]) -> Iterator[Way]:
    """Ways of a round, the cheapest first, but those that share most jumps with one tried before at last."""
    alike = []
    for way in one.ways:
        jumps = set(way.edges.tolist())
        if any(len(jumps & other) > _ALIKE * len(jumps) for other in seen):
            alike.append(way)
        else:
            seen.append(jumps)
            yield way
    yield from alike


def _motion(run: _Run, way: Way, trace: SampleTrace) -> tuple[Motion, SampleTrace]:
    """A way as a motion, and the trace with its numbers."""
    graph, goal = run.sampler.graph, trace.goal
    clips = library_of(run.sampler.library, graph, way)
    motion, placements = motion_of(clips, way)
    roots = motion.root_positions[:, [0, 2]]
    off = None
    if goal.heading_rad is not None:
        off = float(abs(np.angle(np.exp(1j * (headings_rad(motion)[-1] - goal.heading_rad)))))
    now = replace(
        trace,
        path=run.setting.shortest,
        nodes=np.arange(len(clips)),
        turns_rad=way.turns_rad,
        placements=placements,
        stretches=way.stretches(graph),
        transition_cost_m=float(graph.rms_m[way.edges].sum()),
        length_m=travelled_m(roots, motion.fps),
        goal_error_m=float(np.hypot(*(roots[-1] - goal.point))),
        goal_error_rad=off,
    )
    return motion, now
