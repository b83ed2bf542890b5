"""Environment-aware motion sampling: path and motion chosen together (methods.md M5; Chen and Steed 2011).

``"sample"`` is the paper's EMS and ``"decoupled"`` its PFF, on the same Monte-Carlo search; ``"tight"`` is a beam on
the same body-aware cost. Deviations that hold for all: collisions of capsules in three dimensions instead of joint
points; the ending is exact, by inverse branch kinematics with a collision test; nothing is called solved that the
judge refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from understudy.collision import Checker
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
from understudy.locomotion.sampling.methods import Setting, rounds_of
from understudy.locomotion.sampling.options import SampleOptions
from understudy.locomotion.sampling.sampler import Sampler, sampler_of
from understudy.locomotion.sampling.trace import SampleTrace
from understudy.locomotion.sampling.way import Way, library_of, motion_of
from understudy.locomotion.walker import Walker
from understudy.locomotion.walking import travelled_m
from understudy.scene.scene import Scene
from understudy.typing import IntArray

#: Says why a motion will not do; empty when it will.
SampleJudge = Callable[[Motion, SampleTrace], str]
#: Ways that share more of the footage they play than this are alike.
_ALIKE = 0.6
#: Motions judged in a round; the next one goes round what was refused.
_A_ROUND = 3
#: Motions of a round put aside because legs brush in them, and [s] how long before a jump it is to blame for that.
_ASIDE, _EARLY_S = 6, 0.25


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
    checker = scene_checker(sampler.walker.body, scene)
    return _first_good(_Run(sampler, setting, trace, checker, judge, options, watch))


@dataclass(frozen=True, eq=False)
class _Run:
    """Everything that trying ways needs."""

    sampler: Sampler
    setting: Setting
    trace: SampleTrace
    checker: Checker | None
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
    tally = _Tally()
    best: tuple[Motion | None, SampleTrace] = (None, run.trace)
    for ways, trace, rough in _batches(run, tally):
        most = min(tally.tries + _A_ROUND, run.options.tries)
        for way, motion, now in _worth_judging(run, ways, trace, tally, most):
            if not _judged(run, way, motion, now, tally):
                now = replace(now, rejected=tuple(tally.rejected))
                return Result(status=Status.SOLVED, motion=motion, trace=now, stats=run.watch.stats(**tally.counts()))
            best = (motion, now) if best[0] is None else best
        if best[0] is None and rough is not None:
            best = _motion(run, rough, trace)[:2]
        if tally.tries >= run.options.tries:
            break
    return _unsolved(run, best, tally)


def _batches(run: _Run, tally: _Tally) -> Iterator[tuple[list[Way], SampleTrace, Way | None]]:
    """Ways to be tried: of every round those unlike all before them, and after all rounds the rest.

    What the judge has refused once it would refuse in a near copy, too.
    """
    seen: list[IntArray] = []
    rest: list[tuple[list[Way], SampleTrace]] = []
    for one in rounds_of(run.setting, run.options, run.watch, tally.avoid):
        tally.evaluations += one.evaluations
        trace = replace(run.trace, corners=one.corners, expected_m=one.expected_m, curve=one.curve, visited=one.visited)
        unlike: list[Way] = []
        alike: list[Way] = []
        for way in one.ways:
            played = np.concatenate([np.arange(*span) for span in way.stretches(run.sampler.graph)])
            copied = any(len(np.intersect1d(played, other)) > _ALIKE * len(played) for other in seen)
            (alike if copied else unlike).append(way)
            if not copied:
                seen.append(np.unique(played))
        rest.append((alike, trace))
        yield unlike, trace, one.best
    for alike, trace in rest:
        yield alike, trace, None


@dataclass(eq=False)
class _Tally:
    """What has been tried."""

    rejected: list[str] = field(default_factory=list)
    avoid: set[int] = field(default_factory=set)
    tries: int = 0
    measured: int = 0
    evaluations: int = 0

    def counts(self) -> dict[str, float]:
        """For the statistics."""
        return {"evaluations": self.evaluations, "tries": self.tries, "measured": self.measured}


def _judged(run: _Run, way: Way, motion: Motion, now: SampleTrace, tally: _Tally) -> str:
    """Why the judge refuses a motion; empty when it does not."""
    run.watch.stage("judge")
    tally.tries += 1
    fault = run.judge(motion, now)
    run.watch.report(tally.tries / run.options.tries)
    if fault:
        tally.rejected.append(fault)
        tally.avoid.update(way.edges.tolist())
    return fault


def _worth_judging(
    run: _Run, ways: Sequence[Way], trace: SampleTrace, tally: _Tally, most: int
) -> Iterator[tuple[Way, Motion, SampleTrace]]:
    """Motions that touch nothing, those whose legs do not brush each other first, up to so many tries."""
    aside: list[tuple[Way, Motion, SampleTrace]] = []
    blamed: set[int] = set()
    for way in ways:
        if run.watch.interrupted() is not None or tally.tries >= most or len(aside) >= _ASIDE:
            break
        if blamed & set(way.edges.tolist()):
            continue
        run.watch.stage("unroll")
        motion, now, brush_s = _motion(run, way, trace)
        tally.measured += 1
        fault = touched(run.checker, motion)
        if fault:
            tally.rejected.append(fault)
        elif np.isfinite(brush_s):
            aside.append((way, motion, now))
            ends = np.cumsum(np.diff(now.stretches, axis=1))[:-1] / motion.fps
            if len(ends):
                blamed.add(int(way.edges[max(int(np.searchsorted(ends, brush_s + _EARLY_S)) - 1, 0)]))
        else:
            yield way, motion, now
    tally.avoid |= blamed
    for way, motion, now in aside:
        if run.watch.interrupted() is not None or tally.tries >= most:
            break
        yield way, motion, now


def _unsolved(run: _Run, best: tuple[Motion | None, SampleTrace], tally: _Tally) -> Result[SampleTrace]:
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


def _motion(run: _Run, way: Way, trace: SampleTrace) -> tuple[Motion, SampleTrace, float]:
    """A way as a motion, the trace with its numbers, and when its legs brush [s]."""
    graph, goal = run.sampler.graph, trace.goal
    clips = library_of(run.sampler.library, graph, way)
    unrolled = motion_of(clips, way)
    motion = unrolled.motion
    roots = motion.root_positions[:, [0, 2]]
    off = None
    if goal.heading_rad is not None:
        off = float(abs(np.angle(np.exp(1j * (headings_rad(motion)[-1] - goal.heading_rad)))))
    now = replace(
        trace,
        path=run.setting.shortest,
        nodes=np.arange(len(clips)),
        turns_rad=way.turns_rad,
        placements=unrolled.placements,
        stretches=way.stretches(graph),
        transition_cost_m=float(graph.rms_m[way.edges].sum()),
        length_m=travelled_m(roots, motion.fps),
        goal_error_m=float(np.hypot(*(roots[-1] - goal.point))),
        goal_error_rad=off,
    )
    return motion, now, run.sampler.legs.brush(unrolled)
