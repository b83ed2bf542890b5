"""Walking: from a start to a goal through a scene, made of a library's clips."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from understudy.core.motion import Motion
from understudy.core.planning import Result, Status, Watch
from understudy.core.pose import Pose
from understudy.core.violations import Violation, described
from understudy.errors import PlanningInputError
from understudy.floor import Floor, FloorPath, PathResult, build_floor
from understudy.floor.questions import floor_point
from understudy.library import Library, Unrolled, unroll
from understudy.library.leg_room import with_leg_room
from understudy.library.planar_arrays import transform
from understudy.locomotion.approach import paths_to
from understudy.locomotion.choice import chosen, finals_of, spot_of_pose
from understudy.locomotion.completing import synthesised_spans
from understudy.locomotion.footsteps.ways import fitting_m, half_width_m
from understudy.locomotion.options import WalkOptions
from understudy.locomotion.plan import Plan
from understudy.locomotion.query import Spot, spot
from understudy.locomotion.refinement import Refinement
from understudy.locomotion.search import Problem, plans
from understudy.locomotion.trace import WalkTrace
from understudy.locomotion.walker import Walker, walker_of
from understudy.scene.scene import Scene
from understudy.typing import FloatArray

#: Says what is wrong with a motion, as violations that the search learns from or in words; empty when nothing is.
Judge = Callable[[Motion, WalkTrace], Sequence[Violation] | str]
#: [m] what is lower is walked on; the judge sees the rest. And the room left over the tallest posture.
_STEP_M, _OVERHEAD_M = 0.001, 0.03
#: [m] floor around start and goal.
_AROUND_M = 5.0

Place = Spot | Sequence[float] | npt.ArrayLike


def walk(
    library: Library | Walker,
    stage: Scene | Floor | None = None,
    *,
    start: Place | Pose,
    goal: Place,
    via: Sequence[npt.ArrayLike] = (),
    judge: Judge,
    options: WalkOptions | None = None,
    attempts: float = math.inf,
) -> Result[WalkTrace]:
    """Walk to a goal.

    Args:
        library: The clips.
        stage: What stands in the way: a scene as it is at time 0, or a floor built before; ``None`` for nothing.
        start: ``(x, z)`` [m], ``(x, z, degrees)``, a :class:`Spot` within a clip, or a :class:`Pose`, whose place and
            heading are kept and whose posture becomes that of the library's frame most like it.
        goal: ``(x, z)`` [m] or ``(x, z, degrees)``.
        via: Points ``(x, z)`` the path leads through.
        judge: Says what is wrong with a motion. Planners may not import the judge; ``understudy.walk`` binds it.
        options: How to search.
        attempts: How many times at most each path is searched, wider each time.

    Returns:
        ``SOLVED`` only with a motion that arrives and that the judge passes.

    Raises:
        PlanningInputError: A place is no place, or a clip is not in the library.
    """
    options = options or WalkOptions()
    watch = options.watch()
    walker = chosen(walker_of(library), options)
    begin = spot_of_pose(walker, start) if isinstance(start, Pose) else spot(start, "start")
    end = spot(goal, "goal")
    between = [floor_point(point, f"via {k}") for k, point in enumerate(via)]
    if begin.still and not walker.still[:, 0].any():
        raise PlanningInputError("the library has no clip that begins standing still")
    if begin.clip is not None:
        walker.frame_in_clip(begin.clip, begin.frame)
    watch.stage("floor")
    floor = stage if isinstance(stage, Floor) else floor_for(walker, stage, [begin.point, end.point, *between])
    _ = floor.distances, walker.graph, walker.shadows, floor.triangulation
    watch.stage("path")
    room = fitting_m(floor, [begin.point, *between, end.point], options.clearance_m)
    room = room if room >= half_width_m(walker.library.skeleton) else options.clearance_m
    shortest, ways = paths_to(floor, begin, end, between, room, aimed_rad=options.aimed_rad)
    trace = WalkTrace(floor=floor, start=begin, goal=end, path=shortest.path)
    if shortest.path is None:
        return _no_path(shortest, trace, watch)

    found: list[FloorPath] = []

    def search(by: Walker) -> Iterator[Plan]:
        for way in _again(found, ways):
            yield from plans(replace(problem_of(by, floor, begin, end, way, options), attempts=attempts), watch)

    refinement = Refinement(options.tries)
    return _first_good(walker, refinement.proposals(walker, search), refinement, trace, judge, options, watch)


def problem_of(walker: Walker, floor: Floor, start: Spot, goal: Spot, path: FloorPath, options: WalkOptions) -> Problem:
    """Walking along one path as a search takes it."""
    return Problem(
        walker=walker,
        floor=floor,
        path=path,
        start=start,
        goal=goal,
        options=options,
        finals=finals_of(walker, options),
        method="beam" if options.method == "auto" else options.method,
    )


def _again(known: list[FloorPath], more: Iterator[FloorPath]) -> Iterator[FloorPath]:
    """Paths that are known, then new ones, which are known from then on."""
    yield from tuple(known)
    for way in more:
        known.append(way)
        yield way


def floor_for(walker: Walker, scene: Scene | None, points: Sequence[FloatArray]) -> Floor:
    """The floor of a scene, as high as the walker is and wide enough for all points."""
    ends = np.stack(points)
    low, high = ends.min(axis=0) - _AROUND_M, ends.max(axis=0) + _AROUND_M
    if scene is None or not scene.objects:
        return build_floor(scene or Scene(), bounds=[*low, *high])
    step_m, head_m = walker_heights_m(walker)
    floor = build_floor(scene, head_height_m=head_m, step_height_m=step_m)
    first, last = floor.bounds.min(axis=0), floor.bounds.max(axis=0)
    if (low >= first).all() and (high <= last).all():
        return floor
    bounds = [*np.minimum(low, first), *np.maximum(high, last)]
    return build_floor(scene, bounds=bounds, head_height_m=head_m, step_height_m=step_m)


def walker_heights_m(walker: Walker) -> tuple[float, float]:
    """What is lower is walked on; what hangs higher is walked under [m]."""
    return _STEP_M, walker.height_m + _OVERHEAD_M


def _no_path(found: PathResult, trace: WalkTrace, watch: Watch) -> Result[WalkTrace]:
    trace = replace(trace, nearest_free=found.nearest_free, obstacle=found.obstacle)
    return Result(status=found.status, reason=found.reason, trace=trace, stats=watch.stats(expansions=0, states=0))


def _first_good(
    walker: Walker,
    proposals: Iterator[Plan],
    refinement: Refinement,
    trace: WalkTrace,
    judge: Judge,
    options: WalkOptions,
    watch: Watch,
) -> Result[WalkTrace]:
    """The first plan whose motion passes the judge; else the best motion there is, and why not."""
    best: tuple[Motion | None, WalkTrace] = (None, trace)
    rejected: list[str] = []
    expansions, seen = 0, None
    for plan in proposals:
        if plan.tree is not seen and plan.tree is not None:
            seen, expansions = plan.tree, expansions + int(plan.tree.expanded)
        if watch.interrupted() is not None or (plan.arrives and len(rejected) >= options.tries):
            break
        if len(plan) == 0 or (not plan.arrives and rejected):
            continue
        watch.stage("unroll")
        whole = unrolled_of(walker, plan)
        motion, now = motion_of(walker, plan, trace, unrolled=whole)
        if not plan.arrives:
            best = _better(best, (motion, now))
            continue
        if refinement.rehearsed(walker, plan, whole):
            continue
        watch.stage("judge")
        violations = judge(motion, now)
        watch.report((len(rejected) + 1) / options.tries)
        if not violations:
            states = 0 if seen is None else len(seen.places)
            stats = watch.stats(expansions=expansions, states=states, tries=len(rejected) + 1)
            now = replace(now, rejected=tuple(rejected))
            return Result(status=Status.SOLVED, motion=motion, trace=now, stats=stats)
        refinement.refused(walker, plan, violations)
        rejected.append(violations if isinstance(violations, str) else described(violations))
        best = (motion, now) if len(rejected) == 1 else best
    stopped = watch.interrupted()
    status = Status.EXHAUSTED if stopped is None else stopped
    stats = watch.stats(expansions=expansions, states=0 if seen is None else len(seen.places), tries=len(rejected))
    return Result(
        status=status,
        motion=best[0],
        trace=replace(best[1], rejected=tuple(rejected)),
        stats=stats,
        reason=_why(status, rejected, best[1]),
    )


def _better(one: tuple[Motion | None, WalkTrace], other: tuple[Motion, WalkTrace]) -> tuple[Motion | None, WalkTrace]:
    return other if one[0] is None or other[1].goal_error_m < one[1].goal_error_m else one


def _why(status: Status, rejected: Sequence[str], trace: WalkTrace) -> str:
    if status is Status.TIMED_OUT:
        return "the deadline passed"
    if status is Status.CANCELLED:
        return "it was cancelled"
    if rejected:
        return f"{len(rejected)} walks arrived and none passed the judge; the first: {rejected[0]}"
    if not len(trace.nodes):
        return "no clip of the library fits at the start; there is too little room, or the clips are too long"
    return (
        f"no way through the clips ends at the goal; the best ends {trace.goal_error_m:.2f} m from it. More kinds of "
        "clips (turns, short steps), a wider beam or another clearance may help"
    )


def unrolled_of(walker: Walker, plan: Plan, name: str = "walk") -> Unrolled:
    """A plan, unrolled from its first clip's first frame, with room between the legs."""
    at, turns = transform(plan.placements[0]), plan.turns_rad[1:].tolist()
    whole = unroll(walker.library, plan.nodes.tolist(), turns_rad=turns, start=at, name=name)
    return with_leg_room(walker.library.footage, walker.body_table, whole)


def motion_of(
    walker: Walker, plan: Plan, trace: WalkTrace, *, unrolled: Unrolled | None = None
) -> tuple[Motion, WalkTrace]:
    """A plan as a motion, and the trace with its numbers."""
    motion = (unrolled or unrolled_of(walker, plan)).motion
    motion = motion.frames(trace.start.frame, len(motion)) if trace.start.frame else motion
    return motion, traced(walker, trace, plan, motion)


def traced(walker: Walker, trace: WalkTrace, plan: Plan, motion: Motion) -> WalkTrace:
    """A trace with the numbers of a plan and its motion."""
    roots = motion.root_positions[:, [0, 2]]
    return replace(
        trace,
        tree=plan.tree,
        followed=plan.followed,
        nodes=plan.nodes,
        turns_rad=plan.turns_rad[1:],
        placements=plan.placements,
        length_m=travelled_m(roots, motion.fps),
        goal_error_m=float(np.hypot(*(roots[-1] - trace.goal.point))),
        goal_error_rad=None if trace.goal.heading_rad is None else plan.error_rad,
        synthesised=synthesised_spans(walker, plan.nodes),
    )


def travelled_m(roots: FloatArray, fps: float) -> float:
    """Length of a root's track ``(frames, 2)`` [m] at 15 samples a second, so that sway within a step hardly counts."""
    step = max(1, round(fps / 15.0))
    kept = np.concatenate([roots[:-1:step], roots[-1:]])
    return float(np.linalg.norm(np.diff(kept, axis=0), axis=1).sum())
