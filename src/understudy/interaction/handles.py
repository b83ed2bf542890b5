"""What a person takes hold of: a ball or a point of a body at a time, an arc's highest point, a contact's time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from understudy.errors import PlanningInputError
from understudy.interaction._law_kernels import (
    APEX,
    NODE_PLACE,
    NODE_POINTING,
    NODE_TURNING,
    NODE_VELOCITY,
    PLACE,
    POINTING,
    TURNING,
    VELOCITY,
)
from understudy.interaction.contact_places import Node
from understudy.interaction.play import Hold, Play
from understudy.interaction.system import System
from understudy.interaction.terms import Probe

#: [s] so far outside its flight a ball may stray while an edit is solved; it is asked for as if it flew on.
_STRAYED_S = 0.3


@dataclass(frozen=True, kw_only=True)
class BallAt:
    """A ball's place (or velocity) at a time."""

    ball: str
    time_s: float
    velocity: bool = False

    def __str__(self) -> str:
        """For messages."""
        return f"{'velocity of ' if self.velocity else ''}{self.ball} at {self.time_s:.2f} s"


@dataclass(frozen=True, kw_only=True)
class Apex:
    """The height of a ball's highest point after its ``leg``-th leg left it; a drag of it changes only Y."""

    ball: str
    leg: int

    def __str__(self) -> str:
        """For messages."""
        return f"highest point of {self.ball} after leg {self.leg}"


@dataclass(frozen=True, kw_only=True)
class PartAt:
    """A point of a body part (its capsule's middle unless given, in the joint's frame [m]) at a time."""

    part: str
    time_s: float
    point: tuple[float, float, float] | None = None
    velocity: bool = False

    def __str__(self) -> str:
        """For messages."""
        return f"{'velocity of ' if self.velocity else ''}{self.part} at {self.time_s:.2f} s"


@dataclass(frozen=True, kw_only=True)
class ContactAt:
    """Time and place of a contact: the ``leg``-th of a ball, its catch unless ``release``."""

    ball: str
    leg: int
    release: bool = False

    def __str__(self) -> str:
        """For messages."""
        return f"contact {self.leg} of {self.ball}"


@dataclass(frozen=True, kw_only=True)
class AxisAt:
    """Where a capsule's axis points (a direction), or how fast it turns [rad/s], at a time."""

    ball: str
    time_s: float
    velocity: bool = False

    def __str__(self) -> str:
        """For messages."""
        return f"{'spin' if self.velocity else 'axis'} of {self.ball} at {self.time_s:.2f} s"


Handle: TypeAlias = BallAt | Apex | PartAt | ContactAt | AxisAt


def node_of(system: System, handle: ContactAt | Apex) -> int:
    """The node of a contact: of several, the first, or the last for releases and apexes."""
    way = system.play.ways.index(system.play.way(handle.ball))
    found = [n for n, node in enumerate(system.layout.nodes) if node.leg == (way, handle.leg)]
    if not found:
        legs = len(system.play.ways[way].legs)
        raise PlanningInputError(f'ball "{handle.ball}" has no leg {handle.leg}; it has 0..{legs - 1}')
    return found[-1] if isinstance(handle, Apex) or handle.release else found[0]


def watched_node(play: Play, handle: Handle) -> Node | None:
    """The node a body point needs; ``None`` for other handles."""
    if not isinstance(handle, PartAt):
        return None
    player, joint, piece = play.surface_of(handle.part)
    if player < 0:
        raise PlanningInputError(f'"{handle.part}" is no body part')
    _check_time(handle.time_s, play, str(handle))
    _, start, end, _ = play.actors[player].part(piece)
    point = 0.5 * (start + end) if handle.point is None else np.array(handle.point)
    return Node(label=str(handle), time=handle.time_s, point=point, player=player, joint=joint)


def held_node(system: System, handle: BallAt | AxisAt) -> Node | None:
    """The node a ball needs that is in a hand at the handle's time; ``None`` when it flies. Unknowns are loaded."""
    way = system.play.ways.index(system.play.way(handle.ball))
    _check_time(handle.time_s, system.play, str(handle))
    nodes = [(n, node) for n, node in enumerate(system.layout.nodes) if node.leg[0] == way]
    after = [pair for pair in nodes if system.nodes.time[pair[0]] >= handle.time_s]
    n, node = after[0] if after else nodes[-1]
    leg = system.play.ways[way].legs[node.leg[1]]
    holds = isinstance(leg, Hold) and (node.ends == "release" if after else node.ends == "catch")
    if not holds:
        return None
    return Node(
        label=str(handle),
        time=handle.time_s,
        point=system.nodes.point[n].copy(),
        player=node.player,
        joint=node.joint,
        point_column=node.point_column,
        axis=node.axis,
        axis_column=node.axis_column,
    )


def probe_of(system: System, handle: Handle, watched: dict[Handle, int]) -> Probe:
    """How to ask the system for a handle's value; ``watched`` are nodes beyond the contacts'."""
    if isinstance(handle, AxisAt) and not system.turns(handle.ball):
        raise PlanningInputError(f"{handle}: only capsules have an axis")
    if handle in watched:
        if isinstance(handle, AxisAt):
            return Probe(NODE_TURNING if handle.velocity else NODE_POINTING, watched[handle], 0.0)
        fast = isinstance(handle, BallAt | PartAt) and handle.velocity
        return Probe(NODE_VELOCITY if fast else NODE_PLACE, watched[handle], 0.0)
    if isinstance(handle, ContactAt):
        return Probe(NODE_PLACE, node_of(system, handle), 0.0)
    if isinstance(handle, Apex):
        node = node_of(system, handle)
        arcs = [k for k, arc in enumerate(system.layout.arcs) if arc.start == node]
        if not arcs:
            raise PlanningInputError(f"{handle}: no flight begins there")
        return Probe(APEX, arcs[0], 0.0)
    assert isinstance(handle, BallAt | AxisAt)
    kinds = (POINTING, TURNING) if isinstance(handle, AxisAt) else (PLACE, VELOCITY)
    way = system.play.ways.index(system.play.way(handle.ball))
    best, nearest = -1, _STRAYED_S
    for k, arc in enumerate(system.layout.arcs):
        if arc.way == way:
            start, end = system.nodes.time[arc.start], system.nodes.time[arc.end]
            away = max(start - handle.time_s, handle.time_s - end, 0.0)
            if away < nearest:
                best, nearest = k, away
    if best < 0:
        raise PlanningInputError(f"{handle}: the ball is nowhere then")
    return Probe(kinds[handle.velocity], best, handle.time_s)


def strayed(system: System, handle: Handle, watched: dict[Handle, int]) -> bool:
    """Whether a ball is not in the air at the time of a handle that was laid out for a flight."""
    if not isinstance(handle, BallAt | AxisAt) or handle in watched:
        return False
    way = system.play.ways.index(system.play.way(handle.ball))
    return not any(
        arc.way == way and system.nodes.time[arc.start] - 1e-9 <= handle.time_s <= system.nodes.time[arc.end] + 1e-9
        for arc in system.layout.arcs
    )


def _check_time(time_s: float, play: Play, what: str) -> None:
    if not 0.0 <= time_s <= play.duration_s:
        raise PlanningInputError(f"{what}: the play lasts from 0 to {play.duration_s:.2f} s")
