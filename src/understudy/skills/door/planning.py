"""Opening a door: search ways, make the motion of each, have it judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.core.planning import Result, Status, Watch
from understudy.core.skeleton import Skeleton
from understudy.core.violations import Violation, described
from understudy.errors import PlanningInputError
from understudy.floor import Floor, build_floor
from understudy.scene.scene import Scene
from understudy.skills.door.half_open import HalfOpen
from understudy.skills.door.layout import Door, door_of
from understudy.skills.door.making import Opened, Order, opened
from understudy.skills.door.narrow import Narrow
from understudy.skills.door.options import DoorOptions
from understudy.skills.door.passing import STEP_RAD, Passage, Question, Search
from understudy.skills.door.walking import of_legs
from understudy.typing import FloatArray

#: [m] floor around start, goal and door.
_AROUND_M = 3.0
#: Ways that are made in full for each that is tried.
_LOOKED_AT = 25
#: Share of the stature below which only legs are: hands hang above it.
_LOW = 0.375
#: [rad] a leaf that opens less is only half open.
_HALF_RAD = float(np.radians(75.0))


@dataclass(frozen=True, eq=False, kw_only=True)
class DoorTrace:
    """How a door was opened.

    Attributes:
        door: The door as the planner saw it; ``None`` when nothing was found.
        opened: The motion with its door; the last one that was made.
        scene: The scene with the door in motion.
        way: The passage.
        refused: Why motions that were made are not the answer, in the order they were tried.
        expansions: Ways that were found.
    """

    door: Door
    opened: Opened | None = None
    scene: Scene | None = None
    way: Passage | None = None
    refused: tuple[str, ...] = ()
    expansions: int = 0


_Looks = Search | Narrow | HalfOpen
#: What is wrong with an opened door, in its scene; nothing when it will do.
Judge = Callable[[Opened, Scene], Sequence[Violation]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Wish:
    """What is asked.

    Attributes:
        scene: The scene with its closed door.
        door: Name of the hinged object.
        skeleton: Who opens it.
        start: (x, z) [m].
        goal: (x, z) [m] on the other side.
        start_heading_rad: Where it faces at first; ``None`` for anywhere.
        character: The character's name in the scene; it is added where it is missing.
        handle: Which handle; the one on this side unless given.
        angle_rad: The hinge's angle in the end; as far as is needed unless given.
        at_rest: Whether it stands at first and in the end; it walks in and out unless given.
    """

    scene: Scene
    door: str
    skeleton: Skeleton
    start: FloatArray
    goal: FloatArray
    start_heading_rad: float | None = None
    character: str = "performer"
    handle: str = ""
    angle_rad: float | None = None
    at_rest: bool = False


@dataclass
class _Tried:
    """What has been tried so far: why motions will not do, the first of them, and how many ways there are."""

    refused: list[str] = field(default_factory=list)
    best: Opened | None = None
    ways: int = 0


def open_door(wish: Wish, *, judge: Judge, options: DoorOptions | None = None) -> Result[DoorTrace]:
    """Walk up to a door, open it, pass it and walk on to a goal.

    Args:
        wish: What is asked.
        judge: Says what is wrong with a motion. Planners may not import the judge; ``understudy.open_door`` binds it.
        options: How to search.

    Returns:
        ``SOLVED`` only with a motion the judge has passed; ``trace.scene`` holds the door in motion. Otherwise the
        reason names what is in the way, with the best motion there is.

    Raises:
        PlanningInputError: The object is no door, has no handle on this side, or opens to no such angle.
    """
    options = options or DoorOptions()
    watch = options.watch()
    watch.stage("floor")
    scene = wish.scene
    if wish.character not in [person.name for person in scene.characters]:
        scene = scene.with_character(wish.character)
    door = door_of(scene, wish.door, wish.start, handle=wish.handle)
    if wish.angle_rad is not None:
        door = _opening_to(door, wish.angle_rad)
    watch.stage("search")
    search = Search(_question(door, scene, wish, options))
    tried = _Tried()
    if search.problem:
        return _ended(Status.INFEASIBLE_GOAL, door, scene, None, tried, watch, search.problem)
    order = Order(
        scene=scene,
        door=door,
        skeleton=wish.skeleton,
        character=wish.character,
        fps=options.fps,
        seed=options.seed,
        start_heading=wish.start_heading_rad,
        at_rest=wish.at_rest,
    )
    for way in _ways(search, options.tries, tried, watch):
        found = _judged(order, way, judge, tried, watch)
        if found is not None:
            return _ended(Status.SOLVED, door, scene, found, tried, watch, "")
        watch.report(len(tried.refused) / (5 * options.tries))
    stopped = watch.interrupted()
    if stopped is not None:
        return _ended(stopped, door, scene, tried.best, tried, watch, _stopped(stopped, door, tried))
    if not tried.refused:
        return _ended(Status.INFEASIBLE_GOAL, door, scene, None, tried, watch, search.why_not())
    return _ended(Status.EXHAUSTED, door, scene, tried.best, tried, watch, "")


def _judged(order: Order, way: Passage, judge: Judge, tried: _Tried, watch: Watch) -> Opened | None:
    """A motion of a way that will do; where legs alone are to blame, the feet are put elsewhere."""
    watch.stage("make")
    for made in opened(order, way):
        watch.stage("judge")
        violations = () if isinstance(made, str) else judge(made, made.scene(order.scene, order.door.name))
        if not isinstance(made, str) and not violations:
            return made
        tried.refused.append(made if isinstance(made, str) else described(violations))
        tried.best = tried.best or (None if isinstance(made, str) else made)
        if not violations or not of_legs(violations) or watch.interrupted() is not None:
            return None
        watch.stage("make")
    return None


def _opening_to(door: Door, angle_rad: float) -> Door:
    """A door that is opened to an angle of its hinge and no farther."""
    if not 0.0 < door.sign * angle_rad <= door.most_rad + 1e-9:
        most = np.degrees(door.sign * door.most_rad)
        raise PlanningInputError(
            f'"{door.name}" cannot be opened to {np.degrees(angle_rad):g} degrees: {most:g} at most'
        )
    if door.hinge.self_closing:
        raise PlanningInputError(f'"{door.name}" falls shut: it stays at no angle')
    return replace(door, most_rad=door.sign * angle_rad)


def _ways(search: Search, most: int, tried: _Tried, watch: Watch) -> Iterator[Passage]:
    """Ways of all searches in turn, as long as there is time."""
    for looking in _lookers(search):
        watch.stage("search")
        if watch.interrupted() is not None:
            return
        ways = looking.ways()
        tried.ways += len(ways)
        for way in _various(looking, ways, most):
            if watch.interrupted() is not None:
                return
            yield way


def _stopped(status: Status, door: Door, tried: _Tried) -> str:
    """Why it ended before its time, and what was wrong until then."""
    ended = "the deadline passed" if status is Status.TIMED_OUT else "it was cancelled"
    if not tried.refused:
        return f'{ended} before "{door.name}" was opened in any way'
    return f'{ended}; "{door.name}" was opened {len(tried.refused)} times and never well: {tried.refused[0]}'


def _lookers(search: Search) -> Iterator[_Looks]:
    """Searches in turn, the usual ways first.

    Most doors are walked up to straight. A leaf that something stands behind is opened as far as it goes and walked
    around. Where crates leave little room, somebody winds through; at last with arms drawn in.
    """
    yield search
    if search.question.door.pushed and (search.openings - 1) * STEP_RAD < _HALF_RAD:
        yield HalfOpen(search)
        yield HalfOpen(search, slim=True)
    yield Narrow(search)
    yield Narrow(search, slim=True)


def _various(looking: _Looks, ways: list[tuple[float, int, int]], most: int) -> Iterator[Passage]:
    """Ways to try in turn: cheap ones that differ from those before."""
    scale = np.array([0.1, 0.1, 0.3, 0.12, 0.12, 0.3, 0.08, 0.2, 0.25, 1.0, 1.0, 1.0, 1.0])
    rows, out, seen = looking.rows, list[tuple[int, int]](), set[tuple[int, int]]()
    for apart in (1.0, 0.4, 0.0):
        for _, row, hand in ways:
            if len(out) >= most or len(seen) >= _LOOKED_AT * most:
                return
            away = [np.abs((rows[row] - rows[one]) / scale).max() + 2.0 * (hand != h) for one, h in out]
            if (row, hand) in seen or min(away, default=np.inf) <= apart:
                continue
            seen.add((row, hand))
            way = looking.passage(row, hand)
            if way is not None:
                out.append((row, hand))
                yield way


def _question(door: Door, scene: Scene, wish: Wish, options: DoorOptions) -> Question:
    floor = _floor(scene, door, wish)
    low = _LOW * fit_body(wish.skeleton).stature_m
    above = _floor(scene, door, wish, above_m=low)
    return Question(
        door=door,
        floor=floor,
        skeleton=wish.skeleton,
        start=wish.start,
        start_heading_rad=wish.start_heading_rad,
        goal=wish.goal,
        hands=options.hands,
        margin_m=options.margin_m,
        above=above,
    )


def _floor(scene: Scene, door: Door, wish: Wish, *, above_m: float = 0.02) -> Floor:
    points = np.stack([wish.start, wish.goal, door.middle])
    low, high = points.min(axis=0) - _AROUND_M, points.max(axis=0) + _AROUND_M
    return build_floor(
        scene,
        bounds=[*low, *high],
        ignore=door.parts,
        head_height_m=fit_body(wish.skeleton).stature_m + 0.05,
        step_height_m=above_m,
    )


def _ended(
    status: Status,
    door: Door,
    scene: Scene,
    made: Opened | None,
    tried: _Tried,
    watch: Watch,
    reason: str,
) -> Result[DoorTrace]:
    motion: Motion | None = None if made is None else made.motion
    if not status and not reason and tried.refused:
        reason = f'"{door.name}" was opened {len(tried.refused)} times and never well: {tried.refused[0]}'
    trace = DoorTrace(
        door=door,
        opened=made,
        scene=None if made is None else made.scene(scene, door.name),
        way=None if made is None else made.way,
        refused=tuple(tried.refused),
        expansions=tried.ways,
    )
    stats = watch.stats(expansions=tried.ways, tries=len(tried.refused) + bool(status))
    return Result(status=status, motion=motion, trace=trace, reason=reason, stats=stats)
