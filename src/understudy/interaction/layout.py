"""From a play to numbers: which unknown, which node and which arc stands where.

The vector of unknowns holds, in this order: every actor's control points and blend weights; then, way by way, the
times and places of contacts, initial states, spins and restitutions.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from understudy.errors import PlanningInputError
from understudy.interaction._law_kernels import BOUNCED, GIVEN, KNOCKED, RELEASED
from understudy.interaction.contact_places import Node, axis_in, default_grip, guess, put_surface
from understudy.interaction.play import Ball, End, Hold, Knock, Leg, Play, Start, Touch
from understudy.typing import FloatArray

#: What a change of an unknown costs, squared: times [1/s^2], places on bodies, places in the air and starts [1/m^2].
TIME_COST, TOUCH_COST, AIR_COST, START_COST = 40.0, 60.0, 1e-3, 20.0
#: Velocities of starts [s^2/m^2], spins [s^2], restitutions.
VELOCITY_COST, SPIN_COST, RESTITUTION_COST = 2.0, 1e-6, 100.0

#: Axes of capsules in contact, and where they start; their spins where they start [s^2].
AXIS_COST, START_AXIS_COST, START_SPIN_COST = 1e-3, 20.0, 0.1
#: [s] after a throw and before a catch at which the hand must be off the ball.
SHADOWS_S = (0.04, 0.09)

Kind = Literal["time", "point", "velocity", "spin", "restitution", "axis"]


@dataclass(eq=False, kw_only=True)
class Arc:
    """One arc while a play is laid out; columns are unknowns, rows are equations, -1 for none."""

    start: int
    end: int
    before: int
    law: int
    ball: Ball
    way: int
    restitution: float
    spin: FloatArray
    given: FloatArray
    spin_column: int = -1
    given_column: int = -1
    restitution_column: int = -1
    other: int = -1
    rod: bool = False
    row: int = -1
    spin_row: int = -1
    axis_row: int = -1


@dataclass(eq=False, kw_only=True)
class Layout:
    """A play laid out.

    Attributes:
        nodes: All nodes, way by way.
        shadows: For arcs from and to hands, the same point of the hand a little later or earlier: arc, seconds after
            its start (or, negative, before its end), node.
        arcs: All arcs, way by way.
        values: Start values of the unknowns after the actors' controls.
        costs: What a change of each of them costs.
        kinds: What each of them is.
        labels: What to call each of them.
        first: Column of the first of them.
    """

    first: int
    nodes: list[Node] = field(default_factory=list)
    shadows: list[tuple[int, float, Node]] = field(default_factory=list)
    arcs: list[Arc] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    kinds: list[Kind] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)

    def unknown(self, values: FloatArray | float, cost: float, kind: Kind, label: str) -> int:
        """Add unknowns; returns the column of the first."""
        column = self.first + len(self.values)
        for value in np.atleast_1d(values):
            self.values.append(float(value))
            self.costs.append(cost)
            self.kinds.append(kind)
            self.labels.append(label)
        return column


def laid_out(play: Play, first_column: int) -> Layout:
    """Lay out all ways of a play."""
    layout = Layout(first=first_column)
    rods = turning_things(play)
    for number, way in enumerate(play.ways):
        arrived: int | None = None
        before = -1
        for index, leg in enumerate(way.legs):
            nodes = _nodes(play, layout, way.ball, leg, f"{way.ball.name}[{index}]")
            if way.ball.name in rods:
                _give_axes(play, layout, leg, nodes)
            for node in nodes:
                node.leg = (number, index)
                layout.nodes.append(node)
            into, out = len(layout.nodes) - len(nodes), len(layout.nodes) - 1
            if arrived is not None:
                rod = way.ball.name in rods
                layout.arcs.append(_arc(layout, way.ball, number, way.legs[index - 1], (arrived, into, before), rod))
                before = len(layout.arcs) - 1
            if isinstance(leg, Hold):
                before = -1
            arrived = out
    _join_knocks(play, layout)
    _add_shadows(play, layout)
    return layout


def _add_shadows(play: Play, layout: Layout) -> None:
    """Where hands are just after their throws and just before their catches: the ball must be off them by then."""
    for number, arc in enumerate(layout.arcs):
        if arc.rod:
            continue
        for at, sign in ((arc.start, 1.0), (arc.end, -1.0)):
            node = layout.nodes[at]
            if not node.ends or node.player < 0:
                continue
            leg = play.ways[node.leg[0]].legs[node.leg[1]]
            assert isinstance(leg, Hold)
            for since in SHADOWS_S:
                shadow = replace(node, label=f"{node.label}: the hand goes on with the ball", has_surface_row=False)
                put_surface(play, shadow, leg.part)
                shadow.offset = sign * since
                shadow.time = node.time + shadow.offset
                layout.shadows.append((number, sign * since, shadow))


def _nodes(play: Play, layout: Layout, ball: Ball, leg: Leg, label: str) -> list[Node]:
    if isinstance(leg, Start):
        node = Node(label=label, time=leg.time_s, point=np.array(leg.position, dtype=np.float64))
        if leg.free:
            node.point_column = layout.unknown(node.point, START_COST, "point", label)
        return [node]
    if isinstance(leg, End | Knock):
        node = Node(label=label, time=leg.time_s, point=np.array(leg.position, dtype=np.float64))
        node.point_column = layout.unknown(node.point, AIR_COST, "point", label)
        return [node]
    player, joint, piece = play.surface_of(leg.part)
    if isinstance(leg, Touch):
        node = Node(label=f"{label} on {leg.part}", time=leg.time_s, point=np.zeros(3), player=player, joint=joint)
        put_surface(play, node, leg.part)
        given = leg.point is not None
        node.point = np.array(leg.point, dtype=np.float64) if given else guess(play, node, piece, ball.radius_m)
        if not leg.fixed:
            node.time_column = layout.unknown(leg.time_s, TIME_COST, "time", node.label)
        node.point_column = layout.unknown(node.point, TOUCH_COST, "point", node.label)
        node.has_surface_row = True
        return [node]
    return _hold_nodes(play, layout, ball, leg, (player, joint, piece), label)


def _hold_nodes(play: Play, layout: Layout, ball: Ball, leg: Hold, on: tuple[int, int, str], label: str) -> list[Node]:
    player, joint, piece = on
    if player < 0 and (leg.release_s is not None or leg.grip is None):
        raise PlanningInputError(f'{label}: only a body part can hold a ball; on "{leg.part}" it can come to rest')
    grip = (
        default_grip(play, player, piece, ball.radius_m) if leg.grip is None else np.array(leg.grip, dtype=np.float64)
    )
    nodes: list[Node] = []
    for ends, time in (("catch", leg.catch_s), ("release", leg.release_s)):
        if time is None:
            continue
        node = Node(label=f"{label} {ends} by {leg.part}", time=time, point=grip, player=player, joint=joint, ends=ends)
        if not leg.fixed:
            node.time_column = layout.unknown(time, TIME_COST, "time", node.label)
        nodes.append(node)
    if leg.loose:
        put_surface(play, nodes[0], leg.part)
        nodes[0].has_surface_row = True
        column = layout.unknown(grip, TOUCH_COST, "point", nodes[0].label)
        for node in nodes:
            node.point_column = column
    return nodes


def turning_things(play: Play) -> set[str]:
    """Balls whose axis matters: capsules, and where there are some, whatever meets something in the air."""
    rods = {way.ball.name for way in play.ways if way.ball.length_m > 0.0}
    if rods:
        rods |= {way.ball.name for way in play.ways if any(isinstance(leg, Knock) for leg in way.legs)}
    return rods


def _give_axes(play: Play, layout: Layout, leg: Leg, nodes: list[Node]) -> None:
    """Give the nodes of a capsule's leg their axis, in their frame; unknown where the leg does not say it."""
    label = nodes[0].label
    if isinstance(leg, Hold):
        player, _, piece = play.surface_of(leg.part)
        own = leg.axis if leg.axis is not None or player < 0 else axis_in(play.actors[player], piece)
        free = leg.loose
    else:
        own, free = leg.axis, not isinstance(leg, Start) or leg.free
    axis = np.array([0.0, 1.0, 0.0]) if own is None else np.array(own, dtype=np.float64)
    size = float(np.linalg.norm(axis))
    if not np.isfinite(size) or size < 1e-9:
        raise PlanningInputError(f"{label}: the axis of a capsule must be a direction; got {axis}")
    cost = START_AXIS_COST if isinstance(leg, Start) else AXIS_COST
    column = layout.unknown(axis / size, cost, "axis", label) if free else -1
    for node in nodes:
        node.axis, node.axis_column = axis / size, column


def _arc(layout: Layout, ball: Ball, way: int, left: Leg, ends: tuple[int, int, int], rod: bool) -> Arc:
    start, end, before = ends
    law = {Start: GIVEN, Hold: RELEASED, Touch: BOUNCED, Knock: KNOCKED}[type(left)]
    arc = Arc(
        start=start,
        end=end,
        before=before,
        law=law,
        ball=ball,
        way=way,
        restitution=ball.restitution,
        spin=np.zeros(3),
        given=np.zeros(3),
        rod=rod,
    )
    label = layout.nodes[start].label
    if isinstance(left, Start):
        arc.given, arc.spin = np.array(left.velocity, dtype=np.float64), np.array(left.spin, dtype=np.float64)
        if rod:
            axis = layout.nodes[start].axis
            assert axis is not None
            across, along = ball.moments
            arc.spin = arc.spin + (along / across - 1.0) * (arc.spin @ axis) * axis
        if left.free and rod:
            arc.spin_column = layout.unknown(arc.spin, START_SPIN_COST, "spin", label)
        if left.free:
            arc.given_column = layout.unknown(arc.given, VELOCITY_COST, "velocity", label)
    elif isinstance(left, Touch):
        arc.restitution = ball.restitution if left.restitution is None else left.restitution
        if left.tune:
            arc.restitution_column = layout.unknown(arc.restitution, RESTITUTION_COST, "restitution", label)
    if (ball.friction > 0.0 and law in (RELEASED, BOUNCED)) or (rod and law != GIVEN):
        arc.spin_column = layout.unknown(np.zeros(3), SPIN_COST, "spin", label)
    elif before >= 0 and law == KNOCKED:
        # Balls meet without friction: the spin stays what it was.
        arc.spin, arc.spin_column = layout.arcs[before].spin, layout.arcs[before].spin_column
    return arc


def _join_knocks(play: Play, layout: Layout) -> None:
    """Find the two sides of every knock and give them one time."""
    knocks = [k for k, arc in enumerate(layout.arcs) if arc.law == KNOCKED]
    for k in knocks:
        arc = layout.arcs[k]
        node = layout.nodes[arc.start]
        leg = play.ways[arc.way].legs[node.leg[1]]
        assert isinstance(leg, Knock)
        partner = [
            m
            for m in knocks
            if play.ways[layout.arcs[m].way].ball.name == leg.other
            and abs(layout.nodes[layout.arcs[m].start].time - node.time) < 1e-9
        ]
        if len(partner) != 1:
            raise PlanningInputError(f'{node.label}: ball "{leg.other}" has no knock at {node.time:.3f} s')
        arc.other = partner[0]
        other = layout.arcs[partner[0]]
        arc.restitution = min(arc.ball.restitution, other.ball.restitution)
        if k < partner[0]:
            node.time_column = layout.unknown(node.time, TIME_COST, "time", node.label)
            node.has_surface_row = True
            layout.nodes[other.start].time_column = node.time_column
