"""Capsules within a play's equations: which node has which axis, and the rows of their arcs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from understudy.interaction import _capsule_kernels as rod
from understudy.interaction._capsule_chain_kernels import Joins, held, spread
from understudy.interaction._probe_kernels import NODE_POINTING, NODE_TURNING, TURNING
from understudy.interaction._row_kernels import BOUNCED, GIVEN, KNOCKED
from understudy.interaction.capsule_surfaces import Surface, nearest_feature, surface_of
from understudy.interaction.layout import Arc
from understudy.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from understudy.interaction.system import Probe, System


class Capsules:
    """The capsules of a system: fills their rows, hands their spins and axes on, answers what is asked of them."""

    def __init__(self, system: System) -> None:
        self._system = system
        nodes = system.every_node
        self.own = np.array([np.zeros(3) if node.axis is None else node.axis for node in nodes]).reshape(-1, 3)
        self.columns: IntArray = np.array([node.axis_column for node in nodes], dtype=np.int64)
        self.axes = np.zeros((len(nodes), 3))
        self._free = np.flatnonzero(self.columns >= 0)
        self._surfaces: dict[str, Surface] = {}

    def load(self, unknowns: FloatArray) -> None:
        """Take over axes; after the nodes' frames are known."""
        for n in self._free:
            self.own[n] = unknowns[self.columns[n] : self.columns[n] + 3]
        self.axes = np.einsum("nij,nj->ni", self._system.jets.frame, self.own)

    def fill(self, residual: FloatArray, jacobian: FloatArray) -> None:
        """Fill the rows of all capsules; a ``jacobian`` without rows is left alone."""
        system = self._system
        for k, arc in enumerate(system.layout.arcs):
            if arc.rod:
                numbers, facts, joins = self.arc(k)
                axis_rows = 2 if facts[rod.GIVEN_AXIS] else 3
                starts = ((system.arcs.row[k], 0, 3), (system.arcs.spin_row[k], 3, 3), (arc.axis_row, 6, axis_rows))
                self._write(numbers, facts, joins, starts, residual, jacobian)
        for n, node in enumerate(system.layout.nodes):
            if node.axis is not None and system.nodes.surface_row[n] >= 0:
                numbers, facts, joins = self.touch(n)
                self._write(numbers, facts, joins, ((system.nodes.surface_row[n], 9, 1),), residual, jacobian)

    def arc(self, k: int) -> tuple[FloatArray, FloatArray, Joins]:
        """Numbers of an arc, its facts and where they come from."""
        system, arc = self._system, self._system.layout.arcs[k]
        numbers, facts, nodes = self._begun(arc)
        s, e = arc.start, arc.end
        facts[rod.LAW] = arc.law
        numbers[rod.LASTS] = system.nodes.time[e] - system.nodes.time[s]
        _put(numbers, rod.TO, system.jets.place[e])
        _put(numbers, rod.AXIS_TO, self.axes[e])
        nodes[2] = e
        if self.columns[e] < 0:
            facts[rod.GIVEN_AXIS] = 1.0
            for first, side in zip((rod.ACROSS, rod.ACROSS2), _across(self.own[e]), strict=True):
                _put(numbers, first, system.jets.frame[e] @ side)
        spins = [-1, arc.spin_column, -1]
        if arc.law in (BOUNCED, KNOCKED):
            before = system.layout.arcs[arc.before]
            nodes[1], spins[0] = before.start, before.spin_column
            numbers[rod.BEFORE] = system.nodes.time[s] - system.nodes.time[before.start]
            _put(numbers, rod.FROM, system.jets.place[before.start])
            _put(numbers, rod.SPIN_IN, system.arcs.spin[arc.before])
        if arc.law == BOUNCED:
            self._touched(s, numbers, facts)
        elif arc.law == KNOCKED:
            spins[2] = self._met(k, numbers, facts, nodes)
        return numbers, facts, self._joins(arc, nodes, spins)

    def touch(self, n: int) -> tuple[FloatArray, FloatArray, Joins]:
        """Numbers, facts and origins of the gap at a node."""
        arc = next(arc for arc in self._system.layout.arcs if n in (arc.start, arc.end))
        numbers, facts, nodes = self._begun(arc, n)
        facts[rod.LAW] = rod.TOUCHES
        knocked = [k for k, one in enumerate(self._system.layout.arcs) if one.start == n and one.law == KNOCKED]
        if knocked:
            self._met(knocked[0], numbers, facts, nodes)
            nodes[4] = -1
        else:
            self._touched(n, numbers, facts)
        return numbers, facts, Joins(nodes, np.full(3, -1, dtype=np.int64), -1, -1, 0)

    def pointing(self, k: int, time_s: float, *, turns: bool) -> tuple[FloatArray, FloatArray, Joins]:
        """Numbers, facts and origins of an arc's axis (or angular velocity) at a time."""
        arc = self._system.layout.arcs[k]
        numbers, facts, nodes = self._begun(arc)
        facts[rod.LAW] = rod.TURNS if turns else rod.POINTS
        numbers[rod.LASTS] = time_s - self._system.nodes.time[arc.start]
        return numbers, facts, Joins(nodes, np.array([-1, arc.spin_column, -1], dtype=np.int64), -1, -1, 0)

    def asked(self, probe: Probe, row: int, jacobian: FloatArray) -> FloatArray:
        """Axis or angular velocity ``(3,)`` of a capsule; adds derivatives to three rows when there are any."""
        if probe.kind >= NODE_POINTING:
            return self._held(probe.which, probe.kind == NODE_TURNING, row, jacobian)
        numbers, facts, joins = self.pointing(probe.which, probe.time_s, turns=probe.kind == TURNING)
        values = np.zeros(row + 3)
        self._write(numbers, facts, joins, ((row, 6, 3),), values, jacobian)
        return values[row:]

    def handed_on(self, unknowns: FloatArray) -> FloatArray:
        """The same unknowns with spins and axes as hands, flights and impacts make them, arc after arc."""
        system = self._system
        for arc_number, arc in enumerate(system.layout.arcs):
            if not arc.rod:
                continue
            system.load(unknowns)
            values = np.zeros(system.rows)
            self.fill(values, np.zeros((0, system.size)))
            reach = 0.5 * arc.ball.length_m + arc.ball.radius_m
            row = system.arcs.spin_row[arc_number]
            if row >= 0:
                unknowns[arc.spin_column : arc.spin_column + 3] -= values[row : row + 3] / reach
                system.load(unknowns)
                self.fill(values, np.zeros((0, system.size)))
            column = self.columns[arc.end]
            if column >= 0 and arc.axis_row >= 0:
                off = values[arc.axis_row : arc.axis_row + 3] / reach
                unknowns[column : column + 3] -= system.jets.frame[arc.end].T @ off
        return unknowns

    # Inside.

    def _held(self, n: int, turns: bool, row: int, jacobian: FloatArray) -> FloatArray:
        """Axis or angular velocity of a capsule that moves with a node's frame."""
        system = self._system
        value = system.jets.spin[n] if turns else self.axes[n]
        if len(jacobian):
            tables = (system.nodes, system.jets, system.bends, system.columns)
            held(n, int(turns), row, self.axes, self.columns, *tables, jacobian)
        return np.array(value)

    def _begun(self, arc: Arc, n: int | None = None) -> tuple[FloatArray, FloatArray, IntArray]:
        system, s = self._system, arc.start if n is None else n
        numbers, facts = np.zeros(rod.NUMBERS), np.zeros(rod.FACTS)
        facts[rod.RADIUS], facts[rod.HALF] = arc.ball.radius_m, 0.5 * arc.ball.length_m
        facts[rod.ACROSS_M2], along = arc.ball.moments
        facts[rod.SHARE] = along / facts[rod.ACROSS_M2]
        facts[rod.FRICTION] = arc.ball.friction
        _put(numbers, rod.AT, system.jets.place[s])
        _put(numbers, rod.AXIS, self.axes[s])
        k = system.layout.arcs.index(arc)
        _put(numbers, rod.SPIN_OUT, system.arcs.spin[k])
        numbers[rod.BOUNCE] = system.arcs.ball[k, 3]
        if arc.law == GIVEN:
            _put(numbers, rod.VELOCITY, system.arcs.given[k])
        else:
            _put(numbers, rod.VELOCITY, system.jets.velocity[s])
            _put(numbers, rod.TURNING, system.jets.spin[s])
        return numbers, facts, np.array([s, -1, -1, -1, -1], dtype=np.int64)

    def _joins(self, arc: Arc, nodes: IntArray, spins: list[int]) -> Joins:
        moves = int(arc.law not in (GIVEN, KNOCKED))
        given = arc.given_column if arc.law == GIVEN else -1
        return Joins(nodes, np.array(spins, dtype=np.int64), given, arc.restitution_column, moves)

    def _touched(self, n: int, numbers: FloatArray, facts: FloatArray) -> None:
        system, node = self._system, self._system.every_node[n]
        if node.part not in self._surfaces:
            self._surfaces[node.part] = surface_of(system.play, node.part)
        surface = self._surfaces[node.part]
        feature = nearest_feature(surface, system.jets.place[n], facts[rod.HALF] * self.axes[n])
        facts[rod.KIND], facts[rod.THICK], facts[rod.END] = feature.kind, feature.radius_m, feature.end
        _put(facts, rod.NORMAL, feature.normal)
        facts[rod.LEVEL] = feature.level_m
        for first, end in zip((rod.NEAR, rod.FAR), feature.ends, strict=True):
            _put(numbers, first, system.jets.frame[n] @ (end - system.nodes.point[n]))

    def _met(self, k: int, numbers: FloatArray, facts: FloatArray, nodes: IntArray) -> int:
        """The second body of a knock; returns the column of its spin."""
        system, arc = self._system, self._system.layout.arcs[k]
        other = system.layout.arcs[arc.other]
        before = system.layout.arcs[other.before]
        facts[rod.KIND], facts[rod.THICK], facts[rod.HALF2] = rod.BODY, other.ball.radius_m, 0.5 * other.ball.length_m
        facts[rod.MASSES] = arc.ball.mass_kg / other.ball.mass_kg
        facts[rod.ACROSS2_M2], along = other.ball.moments
        facts[rod.SHARE2] = along / facts[rod.ACROSS2_M2]
        facts[rod.FRICTION] = min(arc.ball.friction, other.ball.friction)
        numbers[rod.BOUNCE] = min(arc.ball.restitution, other.ball.restitution)
        numbers[rod.BEFORE2] = system.nodes.time[other.start] - system.nodes.time[before.start]
        _put(numbers, rod.FROM2, system.jets.place[before.start])
        _put(numbers, rod.AT2, system.jets.place[other.start])
        _put(numbers, rod.AXIS2, self.axes[other.start])
        _put(numbers, rod.SPIN2, system.arcs.spin[other.before])
        nodes[3], nodes[4] = other.start, before.start
        return before.spin_column

    def _write(
        self,
        numbers: FloatArray,
        facts: FloatArray,
        joins: Joins,
        starts: tuple[tuple[int, int, int], ...],
        residual: FloatArray,
        jacobian: FloatArray,
    ) -> None:
        """Rows and derivatives to where they belong: row of the system (-1 for none), row here, how many."""
        system = self._system
        value = np.empty(rod.ROWS)
        by = np.zeros((12, rod.NUMBERS))
        rod.derived(numbers, facts, value, by[: rod.ROWS] if len(jacobian) else by[:0])
        wide = np.zeros((12 if len(jacobian) else 0, system.size))
        if len(jacobian):
            tables = (system.nodes, system.jets, system.bends, system.columns)
            spread(by, numbers, joins, self.axes, self.columns, *tables, wide)
        for row, first, count in starts:
            if row >= 0:
                residual[row : row + count] = value[first : first + count]
                if len(jacobian):
                    jacobian[row : row + count] += wide[first : first + count]


def _put(numbers: FloatArray, first: int, values: FloatArray) -> None:
    numbers[first : first + 3] = values


def _across(axis: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Two directions across an axis and across each other."""
    away = np.zeros(3)
    away[int(np.abs(axis).argmin())] = 1.0
    one = np.cross(axis, away)
    one /= np.linalg.norm(one)
    return one, np.cross(axis, one) / np.linalg.norm(axis)
