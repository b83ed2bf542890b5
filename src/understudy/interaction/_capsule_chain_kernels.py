"""The chain rule of a capsule's rows: from the numbers of an arc to controls, contact times, places and axes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from understudy.compiling.kernel import njit
from understudy.interaction._capsule_kernels import (
    ACROSS,
    ACROSS2,
    AT,
    AT2,
    AXIS,
    AXIS2,
    AXIS_TO,
    BEFORE,
    BEFORE2,
    BOUNCE,
    FAR,
    FROM,
    FROM2,
    LASTS,
    NEAR,
    SPIN2,
    SPIN_IN,
    SPIN_OUT,
    TO,
    TURNING,
    VELOCITY,
)
from understudy.interaction._curve_kernels import Jets
from understudy.interaction._row_kernels import Bends, Columns, Nodes, Weights, add_dofs, add_time, clear, scatter
from understudy.typing import FloatArray, IntArray


class Joins(NamedTuple):
    """What the numbers of one arc of a capsule come from.

    Attributes:
        nodes: ``(5,)`` nodes where it begins, where the arc before begins, where it ends, and where the second body
            is and its arc before begins; -1 for none.
        spins: ``(3,)`` first columns of the spins in, out and of the second body; -1 when given.
        given: First column of the velocity it is given; -1 when that is the node's own or stays.
        bounce: Column of the restitution; -1 when given.
        moves: 1 when it leaves with the velocity and spin of its node.
    """

    nodes: IntArray
    spins: IntArray
    given: int
    bounce: int
    moves: int


@njit(cache=True, error_model="numpy")
def turn_rows(
    n: int, by_turn: FloatArray, row: int, nodes: Nodes, jets: Jets, columns: Columns, out: FloatArray
) -> None:
    """Add what three rows depend on through the rotation of a node's frame, ``by_turn`` ``(3, 3)``."""
    p = nodes.player[n]
    if p < 0:
        return
    if nodes.time_column[n] >= 0:
        add_time(nodes.time_column[n], row, by_turn @ jets.spin[n], 1.0, out)
    none = np.zeros((3, 3))
    for c in range(columns.depth[n]):
        through = by_turn @ jets.axes[n, c]
        add_dofs(n, p, columns.slot_base[p] + columns.chain[n, c], through, none, row, jets, columns, out)
        for b in range(columns.blends[p]):
            for i in range(3):
                for k in range(3):
                    out[row + i, columns.blend[p] + b] += through[i, k] * jets.blends[n, 0, b, c, k]


@njit(cache=True, error_model="numpy")
def _add_turned(by: FloatArray, direction: FloatArray, out: FloatArray) -> None:
    """``out -= by [direction]x``: rows that depend on a direction which turns with a frame."""
    for i in range(3):
        a, b, c = by[i, 0], by[i, 1], by[i, 2]
        out[i, 0] += c * direction[1] - b * direction[2]
        out[i, 1] += a * direction[2] - c * direction[0]
        out[i, 2] += b * direction[0] - a * direction[1]


@njit(cache=True, error_model="numpy")
def _add_columns(by: FloatArray, column: int, row: int, out: FloatArray) -> None:
    if column >= 0:
        for i in range(3):
            for j in range(3):
                out[row + i, column + j] += by[i, j]


@njit(cache=True, error_model="numpy")
def _node(
    n: int,
    place: FloatArray,
    axis: FloatArray,
    turned: FloatArray,
    row: int,
    axes: FloatArray,
    axis_columns: IntArray,
    weights: Weights,
    nodes: Nodes,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    out: FloatArray,
) -> None:
    """One node's share: its place (weights of velocity and spin are the caller's), its axis, what turns with it."""
    weights.place[:] = place
    scatter(n, weights, row, nodes, jets, bends, columns, out)
    _add_turned(axis, axes[n], turned)
    turn_rows(n, turned, row, nodes, jets, columns, out)
    _add_columns(axis @ jets.frame[n], axis_columns[n], row, out)


@njit(cache=True, error_model="numpy")
def held(
    n: int,
    turns: int,
    row: int,
    axes: FloatArray,
    axis_columns: IntArray,
    nodes: Nodes,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    out: FloatArray,
) -> None:
    """Add derivatives of a node's axis, or of its frame's angular velocity, to three rows."""
    if turns:
        weights = Weights(np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)), np.eye(3))
        scatter(n, weights, row, nodes, jets, bends, columns, out)
        return
    turned = np.zeros((3, 3))
    _add_turned(np.eye(3), axes[n], turned)
    turn_rows(n, turned, row, nodes, jets, columns, out)
    _add_columns(jets.frame[n], axis_columns[n], row, out)


@njit(cache=True, error_model="numpy")
def spread(
    by: FloatArray,
    numbers: FloatArray,
    joins: Joins,
    axes: FloatArray,
    axis_columns: IntArray,
    nodes: Nodes,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    out: FloatArray,
) -> None:
    """Add the derivatives ``by`` ``(12, 55)`` of an arc's rows to twelve rows ``out``, which must be zero."""
    weights = Weights(np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)))
    s, before, e, s2, before2 = joins.nodes
    for row in range(0, 12, 3):
        rows = by[row : row + 3]
        clear(weights)
        turned = np.zeros((3, 3))
        near, far = np.ascontiguousarray(rows[:, NEAR : NEAR + 3]), np.ascontiguousarray(rows[:, FAR : FAR + 3])
        _add_turned(near, numbers[NEAR : NEAR + 3], turned)
        _add_turned(far, numbers[FAR : FAR + 3], turned)
        if joins.moves:
            weights.velocity[:] = rows[:, VELOCITY : VELOCITY + 3]
            weights.spin[:] = rows[:, TURNING : TURNING + 3]
        place, axis = rows[:, AT : AT + 3], np.ascontiguousarray(rows[:, AXIS : AXIS + 3])
        _node(s, place, axis, turned, row, axes, axis_columns, weights, nodes, jets, bends, columns, out)
        _add_columns(-(near + far) @ jets.frame[s], nodes.point_column[s], row, out)
        clear(weights)
        if e >= 0:
            turned = np.zeros((3, 3))
            for first in (ACROSS, ACROSS2):
                _add_turned(rows[:, first : first + 3], numbers[first : first + 3], turned)
            place, axis = rows[:, TO : TO + 3], np.ascontiguousarray(rows[:, AXIS_TO : AXIS_TO + 3])
            _node(e, place, axis, turned, row, axes, axis_columns, weights, nodes, jets, bends, columns, out)
            add_time(nodes.time_column[e], row, rows[:, LASTS], 1.0, out)
        none = np.zeros((3, 3))
        if s2 >= 0:
            place, axis = rows[:, AT2 : AT2 + 3], np.ascontiguousarray(rows[:, AXIS2 : AXIS2 + 3])
            _node(s2, place, axis, none.copy(), row, axes, axis_columns, weights, nodes, jets, bends, columns, out)
            add_time(nodes.time_column[s2], row, rows[:, BEFORE2], 1.0, out)
        for n, first, lasted in ((before, FROM, BEFORE), (before2, FROM2, BEFORE2)):
            if n >= 0:
                _node(
                    n, rows[:, first : first + 3], none, none.copy(), row, axes, axis_columns, weights, nodes, jets,
                    bends, columns, out,
                )  # fmt: skip
                add_time(nodes.time_column[n], row, rows[:, lasted], -1.0, out)
        add_time(nodes.time_column[s], row, rows[:, BEFORE], 1.0, out)
        add_time(nodes.time_column[s], row, rows[:, LASTS], -1.0, out)
        for column, first in ((joins.spins[0], SPIN_IN), (joins.spins[1], SPIN_OUT), (joins.spins[2], SPIN2)):
            _add_columns(rows[:, first : first + 3], column, row, out)
        _add_columns(rows[:, VELOCITY : VELOCITY + 3], joins.given, row, out)
        if joins.bounce >= 0:
            add_time(joins.bounce, row, rows[:, BOUNCE], 1.0, out)
