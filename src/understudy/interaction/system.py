"""All equations of a play: unknowns in, residuals and their exact Jacobian out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from understudy.core.motion import Motion
from understudy.interaction._arc_kernels import arc_rows
from understudy.interaction._curve_kernels import Player, new_jets
from understudy.interaction._probe_kernels import POINTING, probe, separations
from understudy.interaction._row_kernels import GIVEN, KNOCKED, Arcs, Bends, Columns, Nodes, body_jets, world_jets
from understudy.interaction.capsules import Capsules
from understudy.interaction.contact_places import Node
from understudy.interaction.layout import Layout, laid_out
from understudy.interaction.play import Play
from understudy.typing import FloatArray, IntArray


class Probe(NamedTuple):
    """Something of the play that is asked for: see the constants of ``_probe_kernels``.

    Attributes:
        kind: What is asked.
        which: Arc or node.
        time_s: When [s].
    """

    kind: int
    which: int
    time_s: float


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
        self.rows = 0
        self.arcs = self._arc_arrays()
        self.nodes = self._node_arrays()
        self.columns = self._column_arrays()
        depth = max(player.chains.shape[1] for player in self.players)
        blends = max(len(player.weights) for player in self.players)
        self.jets = new_jets(len(self.every_node), depth, blends)
        self.bends = Bends(np.zeros((len(self.every_node), 3)), np.zeros((len(self.every_node), 3, 3)))
        self.gaps = np.zeros(len(self.every_node))
        self._nothing = np.zeros((0, self.size))
        self._loaded = np.full(self.size, np.nan)
        #: What was made of the unknowns loaded, for those who look at them more than once.
        self.looked_at: dict[tuple[int, bool], Motion] = {}
        shadows = self.layout.shadows
        self._shadows = (
            _ints([arc for arc, _, _ in shadows]),
            _floats([since for _, since, _ in shadows], (len(shadows),)),
        )
        # Nodes whose time or place is unknown, where they take it from, and what is added to their time.
        self.rods = Capsules(self) if any(arc.rod for arc in self.layout.arcs) else None
        self._timed = np.flatnonzero(self.nodes.time_column >= 0)
        self._placed = np.flatnonzero(self.nodes.point_column >= 0)
        self._offsets = np.array([self.every_node[n].offset for n in self._timed])
        self._time_columns = self.nodes.time_column[self._timed]
        self._point_columns = self.nodes.point_column[self._placed][:, None] + np.arange(3)

    def start(self) -> FloatArray:
        """The unknowns of the play as it was written: no displacement, contacts where it says."""
        return self.spun(np.concatenate([np.zeros(self.control_count), self.layout.values]))

    def spun(self, unknowns: FloatArray) -> FloatArray:
        """The same unknowns with every spin as hands and impacts make it."""
        if self.rods is not None:
            unknowns = self.rods.handed_on(unknowns.copy())
        turning = [k for k, arc in enumerate(self.layout.arcs) if self.arcs.spin_row[k] >= 0 and not arc.rod]
        if turning:
            unknowns = unknowns.copy()
        # Spins are handed on from arc to arc in order, so each round gets at least one more of them right.
        for _ in turning:
            residual = self.residual(unknowns)
            for k in turning:
                column, row = self.layout.arcs[k].spin_column, self.arcs.spin_row[k]
                unknowns[column : column + 3] -= residual[row : row + 3] / self.arcs.ball[k, 0]
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
        for k, arc in enumerate(self.layout.arcs):
            if arc.spin_column >= 0:
                self.arcs.spin[k] = unknowns[arc.spin_column : arc.spin_column + 3]
            if arc.given_column >= 0:
                self.arcs.given[k] = unknowns[arc.given_column : arc.given_column + 3]
            if arc.restitution_column >= 0:
                self.arcs.ball[k, 3] = unknowns[arc.restitution_column]
        for number, player in enumerate(self.players):
            body_jets(player, number, self.nodes, self.jets)
        world_jets(self.nodes, self.jets, self.bends, self.gaps)
        if self.rods is not None:
            self.rods.load(unknowns)

    def residual(self, unknowns: FloatArray) -> FloatArray:
        """How far all equations are from being met ``(rows,)`` [m]."""
        self.load(unknowns)
        values = np.zeros(self.rows)
        self._fill(values, self._nothing)
        return values

    def linearised(self, unknowns: FloatArray, *, spare: int = 0) -> tuple[FloatArray, FloatArray]:
        """Residuals ``(rows,)`` [m] and Jacobian ``(rows + spare, unknowns)``; the spare rows are zero."""
        self.load(unknowns)
        values, jacobian = np.zeros(self.rows), np.zeros((self.rows + spare, self.size))
        self._fill(values, jacobian)
        return values, jacobian

    def _fill(self, values: FloatArray, jacobian: FloatArray) -> None:
        arc_rows(self.nodes, self.arcs, self.jets, self.bends, self.columns, values, jacobian)
        if self.rods is not None:
            self.rods.fill(values, jacobian)

    def probed(self, asked: Probe, row: int = 0, jacobian: FloatArray | None = None) -> FloatArray:
        """Value ``(3,)`` of a probe at the unknowns loaded; adds its derivatives to three rows when given."""
        value = np.zeros(3)
        out = self._nothing if jacobian is None else jacobian
        if asked.kind >= POINTING:
            assert self.rods is not None
            return self.rods.asked(asked, row, out)
        probe(
            asked.kind,
            asked.which,
            asked.time_s,
            row,
            self.nodes,
            self.arcs,
            self.jets,
            self.bends,
            self.columns,
            value,
            out,
        )
        return value

    def separated(self, near: float = -np.inf, row: int = 0, jacobian: FloatArray | None = None) -> FloatArray:
        """How far balls are off hands at all shadows [m]; rows from ``row`` on for those nearer than ``near``."""
        which, since = self._shadows
        gaps = np.empty(len(which))
        out = self._nothing if jacobian is None else jacobian
        separations(
            which,
            since,
            self.contact_nodes,
            near,
            row,
            self.nodes,
            self.arcs,
            self.jets,
            self.bends,
            self.columns,
            gaps,
            out,
        )
        return gaps

    def row_label(self, row: int) -> str:
        """Which contact a row belongs to."""
        for k, arc in enumerate(self.layout.arcs):
            if (
                self.arcs.row[k] <= row < self.arcs.row[k] + 3
                or self.arcs.spin_row[k] <= row < self.arcs.spin_row[k] + 3
                or arc.axis_row <= row < arc.axis_row + 3
            ):
                return self.layout.nodes[arc.start].label
        for n, node in enumerate(self.layout.nodes):
            if self.nodes.surface_row[n] == row:
                return node.label
        return f"row {row}"

    def _arc_arrays(self) -> Arcs:
        arcs = self.layout.arcs
        count = len(arcs)
        row, spin_row = np.full(count, -1, dtype=np.int64), np.full(count, -1, dtype=np.int64)
        for k, arc in enumerate(arcs):
            row[k] = self._rows(3)
            if arc.spin_column >= 0 and arc.law != (GIVEN if arc.rod else KNOCKED):
                spin_row[k] = self._rows(3)
            if arc.rod:
                arc.axis_row = self._rows(3 if self.layout.nodes[arc.end].axis_column >= 0 else 2)
        numbers = [
            [arc.ball.radius_m, arc.ball.inertia, arc.ball.friction, arc.restitution, arc.mass_share] for arc in arcs
        ]
        return Arcs(
            start=_ints([arc.start for arc in arcs]),
            end=_ints([arc.end for arc in arcs]),
            before=_ints([arc.before for arc in arcs]),
            law=_ints([-1 if arc.rod else arc.law for arc in arcs]),
            row=row,
            spin=_floats([arc.spin for arc in arcs], (count, 3)),
            spin_column=_ints([arc.spin_column for arc in arcs]),
            spin_row=spin_row,
            ball=_floats(numbers, (count, 5)),
            restitution_column=_ints([arc.restitution_column for arc in arcs]),
            other=_ints([arc.other for arc in arcs]),
            given=_floats([arc.given for arc in arcs], (count, 3)),
            given_column=_ints([arc.given_column for arc in arcs]),
        )

    def _node_arrays(self) -> Nodes:
        nodes = self.every_node
        count = len(nodes)
        return Nodes(
            player=_ints([node.player for node in nodes]),
            joint=_ints([node.joint for node in nodes]),
            time=_floats([node.time for node in nodes], (count,)),
            time_column=_ints([node.time_column for node in nodes]),
            point=_floats([node.point for node in nodes], (count, 3)),
            point_column=_ints([node.point_column for node in nodes]),
            surface=_ints([node.surface for node in nodes]),
            shape=_floats([node.shape for node in nodes], (count, 8)),
            surface_row=_ints([self._rows(1) if node.has_surface_row else -1 for node in nodes]),
            still_place=_floats([node.still_place for node in nodes], (count, 3)),
            still_turn=_floats([node.still_turn for node in nodes], (count, 3, 3)),
        )

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

    def _rows(self, count: int) -> int:
        first = self.rows
        self.rows += count
        return first


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
