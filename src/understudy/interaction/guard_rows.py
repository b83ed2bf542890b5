"""Guards and their rows: how much room each has, and what that depends on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from understudy.interaction._law_kernels import PLACE
from understudy.interaction.actor import Actor
from understudy.interaction.balancing import BalanceGuard, balance_nodes
from understudy.interaction.contact_places import Node
from understudy.interaction.handles import BallAt, held_node
from understudy.interaction.surfaces import surface_of
from understudy.interaction.system import System
from understudy.interaction.terms import Probe
from understudy.typing import FloatArray

#: Share of a straight leg's length that a planted leg uses at most.
_STRAIGHT = 0.997
#: [m] guards with more room than this are left out of a step; kept between parts.
NEAR_M, APART_M = 0.05, 2e-3


@dataclass(frozen=True, kw_only=True)
class TurnGuard:
    """A joint that stays within its limit at a time, but for what the source itself exceeds it."""

    actor: int
    joint: int
    time_s: float
    allowed_rad: float


@dataclass(frozen=True, kw_only=True)
class GapGuard:
    """Two things on bodies that stay apart at a time: body parts (``anna.left_hand``) or balls that are held."""

    first: str
    second: str
    time_s: float
    least_m: float


@dataclass(frozen=True, kw_only=True)
class BallGuard:
    """A flying ball that stays off a capsule of a body (``part``), another ball (``other``) or a still ``thing``.

    ``more_m``: How much farther away it has to be, because feet are planted later [m].
    """

    ball: str
    time_s: float
    actor: int = -1
    part: int = -1
    other: str = ""
    thing: str = ""
    more_m: float = 0.0


@dataclass(frozen=True, kw_only=True)
class ReachGuard:
    """A hip that stays within its leg's length of where the planted foot has to be, at a time."""

    actor: int
    side: str
    time_s: float
    ankle: tuple[float, float, float]


Guard: TypeAlias = TurnGuard | GapGuard | BallGuard | ReachGuard | BalanceGuard


def guard_nodes(system: System, guard: Guard) -> list[Node] | None:
    """Nodes a guard needs; ``None`` where it guards nothing now. The system is loaded."""
    actors = system.play.actors
    if isinstance(guard, TurnGuard) or (isinstance(guard, BallGuard) and guard.thing):
        return []
    if isinstance(guard, GapGuard):
        nodes = [_piece(system, name, guard.time_s) for name in (guard.first, guard.second)]
        return [node for node in nodes if node is not None] if None not in nodes else None
    if isinstance(guard, BallGuard) and guard.actor < 0:
        held = held_node(system, BallAt(ball=guard.other, time_s=guard.time_s))
        return [] if held is None else [held]
    if isinstance(guard, BalanceGuard):
        return balance_nodes(actors[guard.actor], guard)
    if isinstance(guard, ReachGuard):
        hip = actors[guard.actor].motion.skeleton.humanoid[f"{guard.side}UpperLeg"]
        return [Node(label="guard", time=guard.time_s, point=np.zeros(3), player=guard.actor, joint=hip)]
    actor = actors[guard.actor]
    name = f"{actor.name}.{actor.fitted_body.capsule_names[guard.part]}"
    node = _piece(system, name, guard.time_s)
    assert node is not None
    return [node]


def _piece(system: System, name: str, time_s: float) -> Node | None:
    """Where a body part begins, or where a ball is held; ``None`` for a ball that flies."""
    if "." not in name:
        return held_node(system, BallAt(ball=name, time_s=time_s))
    player, joint, piece = system.play.surface_of(name)
    point = np.array(system.play.actors[player].part(piece)[1])
    surface = surface_of(system.play, name)
    return Node(label="guard", time=time_s, point=point, player=player, joint=joint, surface=surface)


def still_room(system: System, guard: BallGuard, row: int, jacobian: FloatArray | None) -> float | None:
    """Room between a flying ball and the floor or an object [m]; fills a row when given.

    ``None`` when it is plenty or the ball does not fly then.
    """
    asked = flying(system, guard.ball, guard.time_s)
    if asked is None:
        return None
    thing = surface_of(system.play, guard.thing)
    off, normal = thing.off(thing.turn.T @ (system.probed(asked) - thing.place))
    room = float(off) - system.play.way(guard.ball).ball.radius_m
    if room > NEAR_M:
        return None
    if jacobian is not None:
        mine = np.zeros((3, system.size))
        system.probed(asked, 0, mine)
        jacobian[row] = (thing.turn @ normal) @ mine
    return room


def flying(system: System, ball: str, time_s: float) -> Probe | None:
    """How to ask for a ball's place while it flies."""
    way = system.play.ways.index(system.play.way(ball))
    for k, arc in enumerate(system.layout.arcs):
        if arc.way == way and system.nodes.time[arc.start] < time_s < system.nodes.time[arc.end]:
            return Probe(PLACE, k, time_s)
    return None


def leg_m(actor: Actor, side: str) -> float:
    """How far a foot is planted from its hip at most [m]: a little less than the straight leg."""
    skeleton = actor.motion.skeleton
    thigh = skeleton.bone_length_m(f"{side}UpperLeg", f"{side}LowerLeg")
    return _STRAIGHT * (thigh + skeleton.bone_length_m(f"{side}LowerLeg", f"{side}Foot"))
