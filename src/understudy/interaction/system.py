"""All equations of a play: unknowns in, residuals and their exact Jacobian out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.core.motion import Motion
from understudy.interaction._curve_kernels import Player, new_jets
from understudy.interaction._law_kernels import GIVEN, KNOCKED, ROUND
from understudy.interaction._row_kernels import Columns, Nodes, body_jets
from understudy.interaction._term_kernels import Terms, fill
from understudy.interaction.contact_places import Node
from understudy.interaction.layout import Layout, laid_out
from understudy.interaction.play import Play
from understudy.interaction.surfaces import nearest_feature
from understudy.interaction.terms import Probe, arc_terms, probe_terms, row_homes, shadow_terms, touch_terms
from understudy.typing import FloatArray, IntArray


class System:
    """A play laid out for the kernels, with room for its results.

    Args:
        play: What happens.
        watched: Further nodes to keep track of: points of bodies at given times.
    """

    def __init__(self, play: Play, watched: Sequence[Node] = ()) -> None:
        self.play = play
        widths = [actor.player.knots.size + len(actor.blends) for actor in play.actors]
        starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
        self.control_count = int(starts[-1])
        self.layout: Layout = laid_out(play, self.control_count)
        self.contact_nodes = len(self.layout.nodes)
        self.every_node = [*self.layout.nodes, *(node for _, _, node in self.layout.shadows), *watched]
        self.watched_from = len(self.every_node) - len(watched)
        self.size = self.control_count + len(self.layout.values)
        self.actor_columns = starts
        self.players: list[Player] = players_with(play, None)
        self.rows = _numbered(self.layout)
        self.nodes = _node_arrays(self.every_node)
        self.columns = self._column_arrays()
        depth = max(player.chains.shape[1] for player in self.players)
        blends = max(len(player.weights) for player in self.players)
        self.jets = new_jets(len(self.every_node), depth, blends)
        self.arcs, self.touches = arc_terms(self.layout), touch_terms(self.layout)
        self._shadows = shadow_terms(self.layout)
        self._asked: dict[Probe, Terms] = {}
        self._nothing = np.zeros((0, self.size))
        self._loaded = np.full(self.size, np.nan)
        #: What was made of the unknowns loaded, for those who look at them more than once.
        self.looked_at: dict[tuple[int, bool], Motion] = {}
        self._index()

    def _index(self) -> None:
        """Which nodes take something from unknowns, move with nobody, or have a surface."""
        nodes = self.every_node
        # Nodes whose time or place is unknown, where they take it from, and what is added to their time.
        self._timed = np.flatnonzero(self.nodes.time_column >= 0)
        self._placed = np.flatnonzero(self.nodes.point_column >= 0)
        self._pointed = np.flatnonzero(self.nodes.axis_column >= 0)
        self._offsets = np.array([nodes[n].offset for n in self._timed])
        self._time_columns = self.nodes.time_column[self._timed]
        self._point_columns = self.nodes.point_column[self._placed][:, None] + np.arange(3)
        self._axis_columns = self.nodes.axis_column[self._pointed][:, None] + np.arange(3)
        self._still = np.flatnonzero(self.nodes.player < 0)
        self._still_places = np.array([nodes[n].still_place for n in self._still]).reshape(-1, 3)
        for n in self._still:
            self.jets.frame[n] = nodes[n].still_turn
        # Which face or edge of a thing is nearest changes with the place.
        halves = {n: 0.5 * arc.ball.length_m for arc in self.layout.arcs for n in (arc.start, arc.end)}
        self._features = [
            (n, node.surface, halves.get(n, 0.0))
            for n, node in enumerate(nodes)
            if node.surface is not None and (node.surface.half is not None or node.surface.flat)
        ]
        self._homes = [(terms, *row_homes(terms)) for terms in (self.arcs, self.touches)]

    def start(self) -> FloatArray:
        """The unknowns of the play as it was written: no displacement, contacts where it says."""
        return self.spun(np.concatenate([np.zeros(self.control_count), self.layout.values]))

    def spun(self, unknowns: FloatArray) -> FloatArray:
        """The same unknowns with spins and axes as hands, flights and impacts make them, arc after arc."""
        unknowns = unknowns.copy()
        for k, arc in enumerate(self.layout.arcs):
            column, reach = self.nodes.axis_column[arc.end], 0.5 * arc.ball.length_m + arc.ball.radius_m
            if arc.spin_row >= 0:
                self.load(unknowns)
                unknowns[arc.spin_column : arc.spin_column + 3] -= self.values(self.arcs)[k, 3:6] / reach
            if arc.axis_row >= 0 and column >= 0:
                self.load(unknowns)
                off = self.values(self.arcs)[k, 6:9] / reach
                unknowns[column : column + 3] -= self.jets.frame[arc.end].T @ off
        return unknowns

    def load(self, unknowns: FloatArray) -> None:
        """Take over unknowns and place everything."""
        # An edit looks at the same unknowns from many sides.
        if np.array_equal(unknowns, self._loaded):
            return
        self._loaded[:] = unknowns
        self.looked_at.clear()
        set_controls(self.players, unknowns)
        self.nodes.time[self._timed] = unknowns[self._time_columns] + self._offsets
        self.nodes.point[self._placed] = unknowns[self._point_columns]
        self.nodes.axis[self._pointed] = unknowns[self._axis_columns]
        for number, player in enumerate(self.players):
            body_jets(player, number, self.nodes, self.jets)
        frames = self.jets.frame[self._still]
        self.jets.place[self._still] = np.einsum("nij,nj->ni", frames, self.nodes.point[self._still])
        self.jets.place[self._still] += self._still_places
        for n, surface, half in self._features:
            feature = nearest_feature(surface, self.jets.place[n], half * self.axis(n))
            self.nodes.ends[n] = feature.ends
            self.nodes.feature[n] = feature.kind, feature.radius_m, feature.end, *feature.normal, feature.level_m

    def axis(self, n: int) -> FloatArray:
        """Where a node's capsule points ``(3,)``, for the unknowns loaded."""
        return np.asarray(self.jets.frame[n] @ self.nodes.axis[n])

    def turns(self, ball: str) -> bool:
        """Whether a ball's axis matters."""
        way = self.play.ways.index(self.play.way(ball))
        return any(node.axis is not None for node in self.layout.nodes if node.leg[0] == way)

    def taken(self, column: int, given: FloatArray) -> FloatArray:
        """Unknowns from a column on, or what is given when there is none, for the unknowns loaded."""
        return np.array(given if column < 0 else self._loaded[column : column + len(given)])

    def residual(self, unknowns: FloatArray) -> FloatArray:
        """How far all equations are from being met ``(rows,)`` [m]."""
        self.load(unknowns)
        return self._filled(self._nothing)

    def linearised(self, unknowns: FloatArray, *, spare: int = 0) -> tuple[FloatArray, FloatArray]:
        """Residuals ``(rows,)`` [m] and Jacobian ``(rows + spare, unknowns)``; the spare rows are zero."""
        self.load(unknowns)
        jacobian = np.zeros((self.rows + spare, self.size))
        return self._filled(jacobian), jacobian

    def _filled(self, jacobian: FloatArray) -> FloatArray:
        residual = np.zeros(self.rows)
        for terms, homes, ours in self._homes:
            residual[homes] = self.values(terms, jacobian).ravel()[ours]
        return residual

    def values(self, terms: Terms, jacobian: FloatArray | None = None) -> FloatArray:
        """Rows ``(m, 10)`` of terms for the unknowns loaded; derivatives are added where the terms want them."""
        values = np.empty((len(terms.rows), 10))
        out = self._nothing if jacobian is None else jacobian
        fill(terms, self._loaded, self.nodes, self.jets, self.columns, values, out)
        return values

    def probed(self, asked: Probe, row: int = 0, jacobian: FloatArray | None = None) -> FloatArray:
        """Value ``(3,)`` of a probe at the unknowns loaded; adds its derivatives to its rows when given."""
        if asked not in self._asked:
            self._asked[asked] = probe_terms(self.layout, [asked])
        terms = self._asked[asked]
        terms.rows[0, 2] = row
        return self.values(terms, jacobian)[0, 6:9]

    def separated(self, near: float = -np.inf, row: int = 0, jacobian: FloatArray | None = None) -> FloatArray:
        """How far balls are off hands at all shadows [m]; rows from ``row`` on for those nearer than ``near``."""
        gaps = self.values(self._shadows)[:, 9]
        if jacobian is not None:
            taken = np.flatnonzero(gaps < near)
            self._shadows.rows[taken, 3] = row + np.arange(len(taken))
            self.values(self._shadows, jacobian)
            self._shadows.rows[:] = -1
        return gaps

    def row_label(self, row: int) -> str:
        """Which contact a row belongs to."""
        for arc, first, counts in zip(self.layout.arcs, self.arcs.rows, self.arcs.counts, strict=True):
            if ((first >= 0) & (first <= row) & (row < first + counts)).any():
                return self.layout.nodes[arc.start].label
        for node in self.layout.nodes:
            if node.surface_row == row:
                return node.label
        return f"row {row}"

    def _column_arrays(self) -> Columns:
        players = self.players
        depth = max(player.chains.shape[1] for player in players)
        chain = np.full((len(self.every_node), depth), -1, dtype=np.int64)
        depths = np.zeros(len(self.every_node), dtype=np.int64)
        for n, node in enumerate(self.every_node):
            if node.player >= 0:
                own = players[node.player].chains[node.joint]
                chain[n, : len(own)] = own
                depths[n] = players[node.player].depths[node.joint]
        slots = [len(player.dof_starts) for player in players]
        return Columns(
            first=self.actor_columns[:-1].copy(),
            knots=_ints([player.knots.shape[1] for player in players]),
            blend=_ints([self.actor_columns[k] + player.knots.size for k, player in enumerate(players)]),
            blends=_ints([len(player.weights) for player in players]),
            chain=chain,
            depth=depths,
            dof_base=_ints(np.cumsum([0, *(len(player.dof_axes) for player in players)])[:-1]),
            slot_base=_ints(np.cumsum([0, *slots])[:-1]),
            slots=_ints(slots),
            starts=np.concatenate([player.dof_starts for player in players]).astype(np.int64),
            axes=np.concatenate([player.dof_axes for player in players]),
        )


def _numbered(layout: Layout) -> int:
    """Give every arc and contact its rows; how many there are."""
    rows = 0
    for arc in layout.arcs:
        arc.row, rows = rows, rows + 3
        if arc.spin_column >= 0 and arc.law != (GIVEN if arc.rod else KNOCKED):
            arc.spin_row, rows = rows, rows + 3
        if arc.rod:
            arc.axis_row, rows = rows, rows + (3 if layout.nodes[arc.end].axis_column >= 0 else 2)
    for node in layout.nodes:
        if node.has_surface_row:
            node.surface_row, rows = rows, rows + 1
    return rows


def _node_arrays(nodes: Sequence[Node]) -> Nodes:
    count = len(nodes)
    ends, feature, across = np.zeros((count, 2, 3)), np.zeros((count, 7)), np.zeros((count, 2, 3))
    for n, node in enumerate(nodes):
        if node.surface is not None:
            ends[n], feature[n, :2] = node.surface.ends, (ROUND, node.surface.radius_m)
        if node.axis is not None:
            across[n] = _across(node.axis)
    return Nodes(
        player=_ints([node.player for node in nodes]),
        joint=_ints([node.joint for node in nodes]),
        time=_floats([node.time for node in nodes], (count,)),
        time_column=_ints([node.time_column for node in nodes]),
        point=_floats([node.point for node in nodes], (count, 3)),
        point_column=_ints([node.point_column for node in nodes]),
        axis=_floats([np.zeros(3) if node.axis is None else node.axis for node in nodes], (count, 3)),
        axis_column=_ints([node.axis_column for node in nodes]),
        across=across,
        ends=ends,
        feature=feature,
    )


def _across(axis: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Two directions across an axis and across each other."""
    away = np.zeros(3)
    away[int(np.abs(axis).argmin())] = 1.0
    one = np.cross(axis, away)
    one /= np.linalg.norm(one)
    return one, np.cross(axis, one) / np.linalg.norm(axis)


def players_with(play: Play, controls: FloatArray | None) -> list[Player]:
    """Arrays of all actors with their own copies of controls, which are zero unless given."""
    players = [
        actor.player._replace(knots=actor.player.knots.copy(), weights=actor.player.weights.copy())
        for actor in play.actors
    ]
    if controls is not None:
        set_controls(players, controls)
    return players


def set_controls(players: Sequence[Player], controls: FloatArray) -> None:
    """Write control points and blend weights, player by player, from the beginning of a vector."""
    first = 0
    for player in players:
        last = first + player.knots.size
        player.knots.ravel()[:] = controls[first:last]
        player.weights[:] = controls[last : last + len(player.weights)]
        first = last + len(player.weights)


def _ints(values: Sequence[int] | IntArray) -> IntArray:
    return np.array(values, dtype=np.int64).reshape(len(values))


def _floats(values: Sequence[object], shape: tuple[int, ...]) -> FloatArray:
    return np.ascontiguousarray(np.array(values, dtype=np.float64).reshape(shape))
