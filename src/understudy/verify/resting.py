"""Rest: what was held and let go lies on something in the end, and on what it was meant to."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from understudy.core.violations import Violation
from understudy.scene.contacts import FLOOR
from understudy.scene.scene import Scene
from understudy.scene.timeline import Held
from understudy.verify.cast import Cast, things_of
from understudy.verify.distances.pairs import solid_distance
from understudy.verify.relations import BodyAndThing
from understudy.verify.things import Thing, state_frames

#: [m], [rad] a thing stays in its grip this well, also when it is taken and let go.
GRIP_M, GRIP_RAD = 0.002, np.radians(1.0)


@dataclass(frozen=True, kw_only=True)
class RestGoal:
    """An object lies on something from when it is let go.

    Attributes:
        object: What.
        on: What it lies on, an object or ``"floor"``; empty for anything.
        time_s: When to look, in the scene's time [s]; ``None`` for the end of the performance.
        character: Who was to put it there.
    """

    object: str
    on: str = ""
    time_s: float | None = None
    character: str = ""


@dataclass(frozen=True, kw_only=True)
class Rest:
    """How near an object is to what should carry it.

    Attributes:
        object: What.
        on: What it was measured from.
        gap_m: Distance between both [m]; negative where they overlap.
        time_s: When [s].
        character: Who was to put it there.
    """

    object: str
    on: str
    gap_m: float
    time_s: float
    character: str = ""


def rests(scene: Scene, goals: tuple[RestGoal, ...] = ()) -> tuple[Rest, ...]:
    """How everything lies that was held and let go, and everything a goal speaks of."""
    things = {thing.name: thing for thing in things_of(scene)}
    end_s = scene.duration_s
    wanted = {goal.object: goal for goal in goals}
    for name in _let_go(scene, end_s):
        wanted.setdefault(name, RestGoal(object=name))
    found = []
    for goal in wanted.values():
        when = end_s if goal.time_s is None else goal.time_s
        below = [things[goal.on]] if goal.on else [one for name, one in things.items() if name != goal.object]
        gaps = [(_gap_m(things[goal.object], other, when), other.name) for other in below]
        gap, on = min(gaps, default=(float("inf"), ""))
        found.append(Rest(object=goal.object, on=on, gap_m=gap, time_s=when, character=goal.character))
    return tuple(found)


def grips(cast: Cast, bar_m: float) -> Iterator[Violation]:
    """What is wrong with how things are held: nobody is there who could, they are not touched, or they jump.

    Args:
        cast: Everybody and everything.
        bar_m: How far a thing may be from the part of somebody with which it moves [m].
    """
    scene, judged = cast.scene, {one.performer.name: one.performer for one in cast.judged}
    if scene is None:
        return
    things = {thing.name: thing for thing in things_of(scene)}
    for hold in scene.holds:
        who, _, part = hold.to.partition(".")
        found = partial(Violation, kind="claim", bar=bar_m, unit="m", part=hold.object, other=hold.to)
        if who not in {*judged, *(one.name for one in cast.others), *things}:
            said = "it is held by somebody who has no motion"
            yield found(value=1.0, bar=0.0, unit="", time_s=hold.start_s, detail=said)
        if who in judged and hold.start_s <= scene.duration_s:
            # A grip does not change while it lasts.
            holder, time_s = judged[who], max(hold.start_s, judged[who].start_s)
            names = scene.character(who).parts_on(part) if part else holder.body.capsule_names
            relation, items = BodyAndThing(holder, things[hold.object]), np.array([*map(holder.body.capsule, names)])
            times = np.full(len(items), time_s)
            places = relation.places(times, items)
            gap_m = float(relation.distances(times, items, places, np.full(len(items), np.inf)).min())
            if gap_m > bar_m and hold.end_s > time_s:
                said = f"it moves with {hold.to}, which is {1000.0 * gap_m:.0f} mm away"
                yield found(value=gap_m, time_s=time_s, detail=said)
    for name in (one for one in things if one != FLOOR):
        yield from _leaps(scene, name, judged)


def _leaps(scene: Scene, name: str, people: Collection[str]) -> Iterator[Violation]:
    """An object that jumps when somebody whose motion is judged takes it, hands it on or lets it go."""
    begin_s = min((one.start_s for one in scene.characters), default=0.0)
    for before, after in pairwise(scene.timeline.segments(name)):
        holders = {one.state.to.partition(".")[0] for one in (before, after) if isinstance(one.state, Held)}
        # What is held when the performance begins was taken before it.
        if not begin_s < after.start_s <= scene.duration_s or holders.isdisjoint(people):
            continue
        when = np.array([after.start_s])
        (at, turn), (there, turned) = (state_frames(scene, one.state, when) for one in (before, after))
        away = float(np.linalg.norm(there[0] - at[0]))
        cosine = 0.5 * (float(np.trace(turn[0].T @ turned[0])) - 1.0)
        angle = float(np.arccos(np.clip(cosine, -1.0, 1.0)))
        if away > GRIP_M or angle > GRIP_RAD:
            said = f"it jumps by {1000.0 * away:.1f} mm and {np.degrees(angle):.1f} degrees when it changes hands"
            found = partial(Violation, kind="claim", value=away, bar=GRIP_M, unit="m", part=name)
            yield found(time_s=float(after.start_s), detail=said)


def _let_go(scene: Scene, end_s: float) -> list[str]:
    """Objects that somebody held and that nobody holds at a time."""
    people = {person.name for person in scene.characters}
    by_people = [hold for hold in scene.holds if hold.to.partition(".")[0] in people]
    held = {hold.object for hold in by_people if hold.start_s <= end_s <= hold.end_s}
    return sorted({hold.object for hold in by_people if np.isfinite(hold.start_s)} - held)


def _gap_m(first: Thing, second: Thing, time_s: float) -> float:
    """Distance of two things at a time [m]."""
    times = np.array([time_s])
    at, turn = first.frames(times)
    base, frame = second.frames(times)
    offset = np.einsum("nji,nj->ni", frame, at - base)
    return float(solid_distance(first.solid, second.solid, offset, np.einsum("nji,njk->nik", frame, turn))[0])
