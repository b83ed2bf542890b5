"""Opening a door: search a way, make the motion, look at it, have it judged; learn from what failed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.core.planning import Result, Status, Watch
from understudy.core.skeleton import Skeleton
from understudy.floor import Floor, build_floor
from understudy.scene.scene import Scene
from understudy.skills.door.floor_room import room_over
from understudy.skills.door.inspecting import Touch, touches
from understudy.skills.door.lattice import Crossing, Forbidden, Problem, crossing
from understudy.skills.door.layout import Door, door_of
from understudy.skills.door.making import Opened, opened
from understudy.skills.door.options import DoorOptions
from understudy.typing import FloatArray

#: [m] what is deeper counts as touching.
_TOUCHING_M = 0.001
#: [m] floor around start, goal and door.
_AROUND_M = 3.0
#: [m] how much more room is kept after a failure that has no place of its own.
_MORE_M = 0.015
#: [m] most room that is ever added.
_MOST_M = 0.02
#: Failures after which the other hand tries.
_SAME_HAND = 4
_ARM_PARTS = ("upper_arm", "forearm", "hand")


@dataclass(frozen=True, eq=False, kw_only=True)
class DoorTrace:
    """How a door was opened.

    Attributes:
        door: The door as the planner saw it; ``None`` when nothing was found.
        opened: The motion with its door; the last one that was made.
        scene: The scene with the door in motion.
        way: The crossing.
        refused: Why motions that were made are not the answer, in the order they were tried.
        expansions: States looked at by all searches.
    """

    door: Door
    opened: Opened | None = None
    scene: Scene | None = None
    way: Crossing | None = None
    refused: tuple[str, ...] = ()
    expansions: int = 0


#: Says why an opened door will not do, in its scene; empty when it will.
Judge = Callable[[Opened, Scene], str]


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
    """

    scene: Scene
    door: str
    skeleton: Skeleton
    start: FloatArray
    goal: FloatArray
    start_heading_rad: float | None = None
    character: str = "performer"
    handle: str = ""


@dataclass
class _Search:
    """What has been learnt so far."""

    forbidden: list[Forbidden] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    margin_m: float = 0.03
    expansions: int = 0
    hands: tuple[str, ...] = ()


def open_door(wish: Wish, *, judge: Judge, options: DoorOptions | None = None) -> Result[DoorTrace]:
    """Walk up to a door, open it, pass it and walk on to a goal.

    Args:
        wish: What is asked.
        judge: Says why a motion will not do. Planners may not import the judge; ``understudy.open_door`` binds it.
        options: How to search.

    Returns:
        ``SOLVED`` only with a motion the judge has passed; ``trace.scene`` holds the door in motion. Otherwise the
        reason names what is in the way, with the best motion there is.

    Raises:
        PlanningInputError: The object is no door, or has no handle on this side.
    """
    options = options or DoorOptions()
    watch = options.watch()
    watch.stage("floor")
    scene = wish.scene
    if wish.character not in [person.name for person in scene.characters]:
        scene = scene.with_character(wish.character)
    door = door_of(scene, wish.door, wish.start, handle=wish.handle)
    floor = _floor(scene, door, wish)
    known = _Search(margin_m=options.margin_m, hands=options.hands)
    best: Opened | None = None
    for attempt in range(options.tries):
        stopped = watch.interrupted()
        if stopped is not None:
            return _ended(stopped, door, scene, best, known, watch, "the deadline passed")
        watch.stage("search")
        way = crossing(_problem(door, floor, wish, options, known))
        if isinstance(way, str) and len(known.hands) < len(options.hands) and known.refused:
            # One hand alone finds nothing: both again, for what was learnt since.
            known.hands = options.hands
            way = crossing(_problem(door, floor, wish, options, known))
        if isinstance(way, str):
            status = Status.INFEASIBLE_GOAL if not known.refused else Status.EXHAUSTED
            return _ended(status, door, scene, best, known, watch, way)
        known.expansions += way.expanded
        watch.stage("make")
        made = opened(
            door,
            way,
            wish.skeleton,
            fps=options.fps,
            seed=options.seed + attempt,
            room=room_over(floor),
            start_heading=wish.start_heading_rad,
            character=wish.character,
        )
        best = best or made
        fault = _fault(made, door, scene, wish, judge, known, watch)
        if not fault:
            return _ended(Status.SOLVED, door, scene, made, known, watch, "")
        known.refused.append(fault)
        if len(known.refused) >= _SAME_HAND:
            known.hands = tuple(hand for hand in options.hands if hand != made.timeline.hand) or options.hands
        watch.report((attempt + 1) / options.tries)
    return _ended(Status.EXHAUSTED, door, scene, best, known, watch, "")


def _fault(made: Opened, door: Door, scene: Scene, wish: Wish, judge: Judge, known: _Search, watch: Watch) -> str:
    """Why a motion will not do; what can be learnt from it is remembered."""
    staged = made.scene(scene, door.name)
    watch.stage("look")
    hand = f"{made.timeline.hand}_hand"
    found = touches(made.motion, staged, fit_body(wish.skeleton), character=wish.character, spared=hand)
    deep = [one for one in found if one.depth_m > _TOUCHING_M]
    if deep:
        # Arms find another way once there is more room; what the trunk and legs met is closed.
        known.forbidden += [_state(made, one) for one in deep if not one.part.endswith(_ARM_PARTS)]
        known.margin_m += 0.5 * _MORE_M
        return "; ".join(
            f"{one.part} is {1000 * one.depth_m:.0f} mm in {one.other} at {one.time_s:.2f} s" for one in deep[:3]
        )
    watch.stage("judge")
    fault = judge(made, staged)
    if fault:
        known.margin_m += _MORE_M
    return fault


def _state(made: Opened, touch: Touch) -> Forbidden:
    when = made.timeline
    k = min(round(touch.time_s * when.fps), len(when.heading) - 1)
    # The way keeps what the search decided, also where it was smoothed: the nearest state of it is closed.
    near = int(np.argmin(np.hypot(*(made.way.place - when.place[k]).T)))
    x, z = made.way.place[near].tolist()
    return Forbidden(x, z, float(made.way.heading[near]), float(made.way.opening[near]))


def _problem(door: Door, floor: Floor, wish: Wish, options: DoorOptions, known: _Search) -> Problem:
    return Problem(
        door=door,
        floor=floor,
        skeleton=wish.skeleton,
        start=wish.start,
        start_heading_rad=wish.start_heading_rad,
        goal=wish.goal,
        hands=known.hands,
        margin_m=min(known.margin_m, options.margin_m + _MOST_M),
        forbidden=tuple(known.forbidden),
    )


def _floor(scene: Scene, door: Door, wish: Wish) -> Floor:
    points = np.stack([wish.start, wish.goal, door.middle])
    low, high = points.min(axis=0) - _AROUND_M, points.max(axis=0) + _AROUND_M
    return build_floor(
        scene,
        bounds=[*low, *high],
        ignore=door.parts,
        head_height_m=fit_body(wish.skeleton).stature_m + 0.05,
        step_height_m=0.02,
    )


def _ended(
    status: Status,
    door: Door,
    scene: Scene,
    made: Opened | None,
    known: _Search,
    watch: Watch,
    reason: str,
) -> Result[DoorTrace]:
    motion: Motion | None = None if made is None else made.motion
    if not status and not reason and known.refused:
        reason = f'"{door.name}" was opened {len(known.refused)} times and never well: {known.refused[0]}'
    trace = DoorTrace(
        door=door,
        opened=made,
        scene=None if made is None else made.scene(scene, door.name),
        way=None if made is None else made.way,
        refused=tuple(known.refused),
        expansions=known.expansions,
    )
    stats = watch.stats(expansions=known.expansions, tries=len(known.refused) + bool(status))
    return Result(status=status, motion=motion, trace=trace, reason=reason, stats=stats)
