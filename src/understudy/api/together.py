"""``understudy.walk_together`` and ``understudy.crowd``: several walkers that keep out of each other's way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from understudy.api.evidence import takes_walked
from understudy.api.streaming import StreamVerdict
from understudy.api.verdict import marked
from understudy.core.motion import Motion
from understudy.core.planning import Result, Status
from understudy.errors import PlanningInputError, nearest_name
from understudy.floor import Floor
from understudy.floor.questions import floor_point
from understudy.library import Library
from understudy.locomotion.completing import completed
from understudy.locomotion.crowd import CROWD_OPTIONS, Crowd
from understudy.locomotion.dynamic_scene import DynamicScene
from understudy.locomotion.query import Spot, spot
from understudy.locomotion.stream_options import StreamOptions
from understudy.locomotion.together import TripJudge, Turns
from understudy.locomotion.trace import WalkTrace
from understudy.locomotion.trip import Request, Trip
from understudy.locomotion.walker import walker_of
from understudy.scene.characters import Character
from understudy.scene.scene import Scene
from understudy.verify.bars import Bars
from understudy.verify.claim import Claim
from understudy.verify.goals import FloorGoal
from understudy.verify.judge import verify
from understudy.verify.report import Report

#: A start and a goal, each as ``walk`` takes them.
Walk: TypeAlias = tuple[Spot | Sequence[float] | npt.ArrayLike, Spot | Sequence[float] | npt.ArrayLike]
#: How those search who walk with others.
TOGETHER = CROWD_OPTIONS


@dataclass(frozen=True, eq=False, kw_only=True)
class Together:
    """Several walks.

    Attributes:
        status: ``SOLVED`` only when everybody arrived and the judge has passed all of them together.
        results: Everybody's walk by name; those who arrived are ``SOLVED`` only when the judge has passed all of them.
        report: The judge's report on everybody; ``None`` when somebody did not arrive.
        scene: The scene with everybody walking in it.
        rounds: How many orders of going first were tried.
        reason: Why it is not solved.
        claim: What the judge was asked; ``None`` when somebody did not arrive.
    """

    status: Status
    results: Mapping[str, Result[WalkTrace]]
    report: Report | None
    scene: Scene
    rounds: int
    reason: str = ""
    claim: Claim | None = None

    @property
    def motions(self) -> dict[str, Motion]:
        """Everybody's motion."""
        return {name: result.motion for name, result in self.results.items() if result.motion is not None}


def walk_together(
    library: Library | Mapping[str, Library],
    scene: Scene | None = None,
    walks: Mapping[str, Walk] | None = None,
    *,
    check: bool = True,
    bars: Bars | None = None,
    options: StreamOptions | None = None,
    rounds: int = 6,
) -> Together:
    """Walk several characters at once, out of each other's way.

    Args:
        library: The clips everybody walks with, or everybody's own by name.
        scene: What stands or moves in the way; ``None`` for nothing.
        walks: Start and goal of everybody by name, those with the right of way first. Unless given, the scene's
            characters with a start and a ``walk_to`` task.
        check: Whether everybody's walk is judged as it is made, so that what the judge would refuse is not used.
        bars: Bars to clear; the judge's own unless given.
        options: How to search.
        rounds: How many orders of going first are tried at most.

    Raises:
        PlanningInputError: Nobody walks, a place is no place, or somebody has no library.
    """
    stage_scene = scene or Scene()
    asked = tasks_of(stage_scene) if walks is None else dict(walks)
    if not asked:
        raise PlanningInputError("nobody walks: give walks, or characters with a start and a walk_to task with a goal")
    requests = [_request(name, walk, library) for name, walk in asked.items()]
    for one in requests:
        if any(person.name == one.name for person in stage_scene.characters):
            stage_scene = stage_scene.without(one.name)
    points = [point for one in requests for point in (one.start.point, one.goal.point)]
    libraries = {one.name: one.walker.library for one in requests}

    def judge(name: str) -> TripJudge:
        return StreamVerdict(libraries[name], name, bars)

    turns = Turns(
        requests=requests,
        stage=lambda walker: DynamicScene(walker, stage_scene, points),
        options=options or TOGETHER,
        judge=judge if check else None,
        rounds=rounds,
    )
    return _judged(turns.trips(), stage_scene, bars, turns.tried)


class JudgedCrowd(Crowd):
    """A crowd whose walks the judge looks at as one performance; see :class:`understudy.locomotion.crowd.Crowd`."""

    def result(self, *, bars: Bars | None = None) -> Together:
        """Everybody's walk so far; ``SOLVED`` only when all have arrived and the judge has passed the whole.

        Those who have arrived stand at their goals until the last one has: what moves may not run into them there.
        """
        trips = self.trips
        if not self.done:
            late: Result[WalkTrace] = Result(status=Status.TIMED_OUT, reason="it is still walking")
            trips = {
                name: trip if trip.end_s <= self.time_s else replace(trip, result=late) for name, trip in trips.items()
            }
        return _judged(trips, self.stage.judged_scene or Scene(), bars, 1)


def crowd(
    library: Library,
    scene: Scene | None = None,
    *,
    area: npt.ArrayLike | None = None,
    floor: Floor | None = None,
    check: bool = True,
    bars: Bars | None = None,
    options: StreamOptions | None = None,
    fps: float = 30.0,
) -> JudgedCrowd:
    """Walkers that are played step by step: ``add`` them, then ``step`` once for every picture.

    When it is ``done``, ``result()`` has the judge's verdict on everybody and everything that moves.

    Args:
        library: The clips everybody walks with. With clips that stand, start and stop people can wait.
        scene: What stands or moves in the way; ``None`` for nothing.
        area: ``(x_min, z_min, x_max, z_max)`` of the floor [m]; 20 m about the origin, and what the scene takes.
        floor: The scene's floor, when it was built before.
        check: Whether trips are judged before anybody walks them, so that what the judge would refuse is not used.
            Without it a crowd is quicker, and its ``result()`` oftener refused.
        bars: Bars to clear; the judge's own unless given.
        options: How everybody searches.
        fps: Steps per second.
    """
    library = completed(library)
    walker = walker_of(library)
    corners = np.array([-10.0, -10.0, 10.0, 10.0] if area is None else area, dtype=np.float64)
    if corners.shape != (4,) or not np.isfinite(corners).all():
        raise PlanningInputError(f"area is {area!r}; it must be (x_min, z_min, x_max, z_max), finite")
    stage = DynamicScene(walker, scene or Scene(), [corners[:2], corners[2:]], floor=floor)
    _ = stage.floor.distances, stage.floor.triangulation, walker.graph, walker.shadows

    def judge(name: str) -> TripJudge:
        return StreamVerdict(library, name, bars)

    return JudgedCrowd(walker, stage, options=options, fps=fps, judge=judge if check else None)


def tasks_of(scene: Scene) -> dict[str, Walk]:
    """Starts and goals of the scene's characters whose first task is to walk to a point."""
    found: dict[str, Walk] = {}
    for task in scene.tasks:
        person = next((one for one in scene.characters if one.name == task.character), None)
        if task.do != "walk_to" or task.goal is None or person is None or person.name in found or person.start is None:
            continue
        start = Spot(position=person.start, heading_rad=person.heading_rad)
        found[person.name] = (start, Spot(position=task.goal, heading_rad=task.heading_rad))
    return found


def _request(name: str, walk: Walk, library: Library | Mapping[str, Library]) -> Request:
    if isinstance(library, Mapping) and name not in library:
        raise PlanningInputError(f'no library for "{name}"; {nearest_name(name, library)}')
    own = completed(library[name] if isinstance(library, Mapping) else library)
    try:
        start, goal = walk
    except (TypeError, ValueError):
        raise PlanningInputError(f'"{name}" needs a start and a goal; got {walk!r}') from None
    begin, end = spot(start, f'start of "{name}"'), spot(goal, f'goal of "{name}"')
    floor_point(begin.position, f'start of "{name}"')
    return Request(name=name, walker=walker_of(own), start=begin, goal=end)


def _with_company(scene: Scene, trips: Mapping[str, Trip]) -> Scene:
    for name, trip in trips.items():
        if trip.result.motion is not None:
            scene = scene.with_character(Character(name=name, motion=trip.result.motion, start_s=trip.start_s))
    return scene


def _judged(trips: Mapping[str, Trip], scene: Scene, bars: Bars | None, rounds: int) -> Together:
    known = {name: trip.result for name, trip in trips.items()}
    played = _with_company(scene, trips)
    missed = next((name for name, result in known.items() if not result.status), "")
    if missed or not trips:
        first = known[missed] if trips else Result(status=Status.EXHAUSTED, reason="nobody walks")
        reason = f'"{missed}": {first.reason}' if missed else first.reason
        return Together(status=first.status, results=known, report=None, scene=played, rounds=rounds, reason=reason)
    claim = _claim(trips, played, bars)
    report = verify(claim)
    if report.ok:
        claim = marked(claim)
        made = dict(claim.motions)
        known = {name: replace(result, motion=made[name]) for name, result in known.items()}
    else:
        known = {name: _refused(result, report) for name, result in known.items()}
    return Together(
        status=Status.SOLVED if report.ok else Status.EXHAUSTED,
        results=known,
        report=report,
        scene=played,
        rounds=rounds,
        reason=report.reason,
        claim=claim,
    )


def _refused(result: Result[WalkTrace], report: Report) -> Result[WalkTrace]:
    """The result of somebody who arrived in a performance that the judge has not passed."""
    return replace(result, status=Status.EXHAUSTED, reason=result.reason or report.reason, claim=None)


def _claim(trips: Mapping[str, Trip], scene: Scene, bars: Bars | None) -> Claim:
    """What everybody's walks claim together."""
    motions, goals, evidence = [], [], {}
    for name, trip in trips.items():
        motion, goal = trip.result.motion, trip.request.goal
        assert motion is not None
        evidence[name] = tuple(takes_walked(trip.request.walker.library, trip.plan.nodes))
        motions.append((name, motion))
        goals.append(FloorGoal(position=goal.position, heading_rad=goal.heading_rad, character=name))
    return Claim(
        motions=tuple(motions),
        scene=scene,
        evidence=evidence,
        goals=tuple(goals),
        bars=bars or Bars(),
    )
