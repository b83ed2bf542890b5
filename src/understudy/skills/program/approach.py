"""Walk, reach, handle: a task for a hand as a search over where to stand, by the multi-modal planner.

Three skills in three modes. In ``walk`` locomotion offers places to stand, costed by the time to get there; in
``transfer`` reach and floor are looked at; in ``handle`` the leg is made, the hand does its task on top of it, and the
judge decides. Branches compete: a near place with an awkward reach against a better one farther off.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from understudy import rotations as rot
from understudy.core.planning import Status, Watch
from understudy.floor import Floor
from understudy.limbs.handling import Deed, Refusal
from understudy.limbs.handling.two_holds import HIGHER, NEARER
from understudy.locomotion.footsteps.footing import ahead_of
from understudy.locomotion.footsteps.pathing import WALK_MPS, length_of, wrapped
from understudy.locomotion.footsteps.shuffling import steps_s
from understudy.locomotion.footsteps.ways import Way
from understudy.scene.tasks import Task
from understudy.scene.tessellation import triangles_of
from understudy.skills.planner import Found, Move, Planner, PlannerOptions
from understudy.skills.program.both_hands import held_by_both
from understudy.skills.program.faults import Fault
from understudy.skills.program.here import Here
from understudy.skills.program.legs import Leg, Legs
from understudy.skills.program.outlook import Glance, nothing_foreseen
from understudy.skills.program.spots import Spot, awkwardness, in_reach, points_of, reach_of, spots, spots_for_both
from understudy.typing import FloatArray

MODES = ("walk", "transfer", "handle", "done")
#: Mode -> skills that act in it, and modes they lead to.
ALLOWED = {"walk": ["locomotion"], "transfer": ["transfer"], "handle": ["handle"]}
TRANSITIONS = {"walk": ["transfer"], "transfer": ["handle"], "handle": ["done"]}
#: Places that are offered, and legs that are made before it is given up.
_OFFERED, _LEGS = 48, 10
#: Places that do not look as if it could be done from them before what came before is done otherwise.
_HOPELESS = 10
#: [m], [rad] places nearer to a failed one than this are not tried again.
_SAME_M, _SAME_RAD = 0.12, 0.3
#: [s] somebody stands for, before a hand comes back: more for what takes longer.
STAND_S = 4.2
#: [m] who is as near to a spot as this stays.
_THERE_M = 0.06

#: Does the task on top of a leg: deeds that the judge has passed, best first.
Handling = Callable[[Leg, Spot], Iterator[Deed]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Stand:
    """A state of the search.

    Attributes:
        spot: Where to stand; nothing for who stays.
        way: How to get there.
        deed: The task done there.
        leg: On top of this leg.
    """

    spot: Spot | None = None
    way: Way | None = None
    leg: Leg | None = None
    deed: Deed | None = None


class Locomotion:
    """Offers places to stand: staying first, then those soonest reached and least awkward."""

    def __init__(self, here: Here, offered: list[Spot], stays: Spot | None) -> None:
        self.here, self.offered, self.stays = here, offered, stays

    def moves(self, state: Stand, rng: np.random.Generator) -> Iterable[Move[Stand]]:
        """One move per place."""
        if state.spot is not None:
            return
        if self.stays is not None:
            yield Move(Stand(spot=self.stays), cost=awkwardness(self.stays), clip="stay")
        for spot in self.offered:
            yield Move(Stand(spot=spot), cost=walking_s(self.here, spot) + awkwardness(spot), clip="walk")


class Transfer:
    """Whether a way leads to a place; reach was looked at when it was offered."""

    def __init__(self, here: Here, floor: Floor, failed: list[Spot]) -> None:
        self.here, self.floor, self.failed = here, floor, failed

    def moves(self, state: Stand, rng: np.random.Generator) -> Iterable[Move[Stand]]:
        """The state with its way, or nothing."""
        spot = state.spot
        if spot is None or any(_alike(spot, one) for one in self.failed):
            return
        place = self.here.footing.place
        if np.hypot(*(spot.place - place)) < _THERE_M:
            yield Move(replace(state, way=Way(points=np.stack([place, place]))), cost=0.0)
            return
        way = next(iter(self.here.ways(self.floor, spot.place, spot.heading_rad)), None)
        if way is None:
            self.failed.append(spot)
            said = f"no way leads to it: {self.here.why_not(self.floor, spot.place)}"
            self.here.notes.add(Refusal(status=Status.INFEASIBLE_GOAL, reason=said))
            return
        length = length_of(way.points)
        yield Move(replace(state, way=way), cost=max(length - np.hypot(*(spot.place - place)), 0.0) / WALK_MPS)


class Handle:
    """Makes the leg and does the task on top of it."""

    def __init__(self, here: Here, legs: Legs, handling: Handling, failed: list[Spot], watch: Watch) -> None:
        self.here, self.legs, self.handling, self.failed, self.watch = here, legs, handling, failed, watch
        self.made, self.hopeless, self.stand_s = 0, 0, STAND_S
        self.glance: Glance = nothing_foreseen

    def moves(self, state: Stand, rng: np.random.Generator) -> Iterable[Move[Stand]]:
        """The state with its deed, or nothing."""
        spot, way = state.spot, state.way
        tired = self.made >= _LEGS or self.watch.interrupted() is not None
        if spot is None or way is None or tired or any(_alike(spot, one) for one in self.failed):
            return
        outlook = self.glance(spot)
        if outlook.fault:
            self.here.notes.add(Refusal(status=Status.EXHAUSTED, reason=outlook.fault))
            self.failed.append(spot)
            self.hopeless += 1
            if self.hopeless >= _HOPELESS and self.made == 0 and self.here.before is not None:
                # Held so it will hardly be done anywhere: what came before is sooner done in another way.
                self.made = _LEGS
            return
        self.made += 1
        self.watch.stage("leg")
        leg = self.legs.along(
            self.here,
            way,
            end_rad=spot.heading_rad,
            stand_s=self.stand_s,
            arms=outlook.arms,
            stoop=outlook.stoop,
        )
        if isinstance(leg, str):
            self.here.notes.add(Refusal(status=Status.EXHAUSTED, reason=f"the walk up to it: {leg}"))
            self.failed.append(spot)
            if isinstance(leg, Fault) and leg.anyhow:
                # No other place is got to from here either: what came before has to be done in another way.
                self.made = _LEGS
            return
        self.watch.stage("hands")
        deed = next(self.handling(leg, spot), None)
        if deed is None:
            self.failed.append(spot)
            return
        yield Move(replace(state, leg=leg, deed=deed), cost=0.0, clip=deed)


class _Done:
    """The problem: a deed that was done."""

    def is_goal(self, state: Stand, mode: str) -> bool:
        """Whether the task is done."""
        return mode == "done" and state.deed is not None

    def left(self, state: Stand) -> float:
        """Nothing is known of what is left."""
        return 0.0

    def key(self, state: Stand) -> Hashable:
        """States differ by where one stands and what was done."""
        return id(state.spot), state.way is None, state.deed is None


def approached(
    here: Here,
    task: Task,
    legs: Legs,
    handling: Handling,
    watch: Watch,
    *,
    seed: int = 0,
    glance: Glance = nothing_foreseen,
) -> Iterator[Found[Stand]]:
    """Ways of doing a hand's task, from where one is or from a better place; the last says why there are no more."""
    points = points_of(here.scene, task)
    hand = _hand(here, task)
    floor = here.floor(*points[:, [0, 2]])
    if hand == "both":
        near, stays = spots_for_both(floor, here.skeleton, points, *_sides(here, task)), None
    else:
        near, stays = spots(floor, here.skeleton, points, hand=hand), _staying(here, points, hand)
    if not near and stays is None:
        said = f"it is out of reach from anywhere: {points[0, 1]:.2f} m high"
        if in_reach(here.skeleton, points):
            where = here.why_not(floor, points[0, [0, 2]])
            said = f"there is no place to stand near it: {where}"
        here.notes.add(Refusal(status=Status.INFEASIBLE_GOAL, reason=said, hopeless=True))
    return searched(here, Places(floor, near, stays), legs, handling, watch, seed=seed, glance=glance)


class Places(NamedTuple):
    """The floor, places to stand on it, and the one where somebody stands already, if it will do."""

    floor: Floor
    near: list[Spot]
    stays: Spot | None


def searched(
    here: Here,
    places: Places,
    legs: Legs,
    handling: Handling,
    watch: Watch,
    *,
    seed: int = 0,
    glance: Glance = nothing_foreseen,
    stand_s: float = STAND_S,
) -> Iterator[Found[Stand]]:
    """Ways of doing something at one of some places, cheapest first."""
    floor, near, stays = places
    offered = sorted(near, key=lambda one: walking_s(here, one) + awkwardness(one))[: 4 * _OFFERED]
    failed: list[Spot] = []
    handle = Handle(here, legs, handling, failed, watch)
    handle.glance, handle.stand_s = glance, stand_s
    planner: Planner[Stand] = Planner(
        skills={
            "locomotion": Locomotion(here, _spread(offered), stays),
            "transfer": Transfer(here, floor, failed),
            "handle": handle,
        },
        modes=MODES,
        allowed=ALLOWED,
        transitions=TRANSITIONS,
    )
    options = PlannerOptions(seed=seed, most_nodes=400, most_moves=_OFFERED + 1)
    for found in planner.plans(_Done(), Stand(), "walk", options=options):
        if watch.interrupted() is not None:
            return
        yield found


def _hand(here: Here, task: Task) -> str | None:
    """The hand a task is about: the one asked for, or the one that holds what it is about."""
    both = held_by_both(here)
    if task.hand == "both" or (both is not None and both.object == task.object):
        return "both"
    if task.hand in ("left", "right"):
        return str(task.hand)
    return next((held.hand for held in here.held() if held.object == task.object), None)


def _sides(here: Here, task: Task) -> tuple[float, float, float, float]:
    """For ``spots_for_both``: how the sides of what is taken run, or of what it is put on, and where it may be held."""
    name = task.target if task.do == "place" and isinstance(task.target, str) else task.object
    _, turn = here.scene.object_track(name, [0.0])
    across = rot.rotate(turn[0], np.array([0.0, 0.0, 1.0]))
    wide, tall, deep = np.ptp(triangles_of(here.scene.object(task.object).shape)[0], axis=0).tolist()
    return float(np.arctan2(across[0], across[2])), max(wide, deep), NEARER * min(wide, deep), HIGHER * tall


def _staying(here: Here, points: FloatArray, hand: str | None) -> Spot | None:
    """The place where one stands already, if something is within reach."""
    best: Spot | None = None
    for point in points:
        for one in ("right", "left") if hand is None else (hand,):
            beyond = reach_of(here.skeleton, here.footing.place, here.footing.heading_rad, one, point)
            if beyond is not None and (best is None or beyond < best.beyond_m):
                place, heading = here.footing.place, here.footing.heading_rad
                best = Spot(place=place, heading_rad=heading, hand=one, point=point, beyond_m=beyond)
    return best


def _spread(offered: list[Spot]) -> list[Spot]:
    """The best places, none too much like another."""
    kept: list[Spot] = []
    for spot in offered:
        if len(kept) >= _OFFERED:
            break
        if not any(_alike(spot, one) for one in kept):
            kept.append(spot)
    return kept


def _alike(one: Spot, other: Spot) -> bool:
    turned = abs(wrapped(one.heading_rad - other.heading_rad))
    return bool(np.hypot(*(one.place - other.place)) < _SAME_M and turned < _SAME_RAD)


def walking_s(here: Here, spot: Spot) -> float:
    """A guess of the time it takes to get somewhere [s]."""
    away = spot.place - here.footing.place
    far = float(np.hypot(*away))
    heading = here.footing.heading_rad
    if far < 0.5:
        turn = abs(wrapped(spot.heading_rad - heading))
        return steps_s(turn, far) if turn > 0.1 or far > 0.05 else 0.0
    along = float(np.arctan2(away[0], away[1]))
    turns = abs(wrapped(along - heading)) + abs(wrapped(spot.heading_rad - along))
    aimed = float(ahead_of(spot.heading_rad) @ away) / far
    return far / WALK_MPS + 0.7 * turns + 0.4 * (1.0 - aimed)
