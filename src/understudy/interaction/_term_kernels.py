"""Terms: laws with what their numbers come from, and the chain rule from those numbers to the unknowns of a play.

An *arc* is the exact parabola between two nodes, so it cannot miss them; what can be wrong is how it begins. Its first
three rows say by how many metres the ball, launched as its hand or the law of impact says, would miss the arc's end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted
from understudy.interaction._curve_kernels import Jets
from understudy.interaction._law_kernels import (
    ACROSS,
    AXIS,
    BOUNCE,
    FROM,
    KIND,
    MOVING,
    NEAR,
    NUMBERS,
    RADIUS,
    ROWS,
    SPIN_IN,
    SPINNING,
    derived,
)
from understudy.interaction._row_kernels import Columns, Nodes, Weights, scatter
from understudy.typing import BoolArray, FloatArray, IntArray


class Scratch(NamedTuple):
    """Room for the chain rule: weights of a node, and three ``(3, 3)`` of one of its joints."""

    weights: Weights
    joint: FloatArray


class Terms(NamedTuple):
    """Laws of one play; a *slot* is three numbers of a law, the first of them ``FROM``.

    Attributes:
        facts: ``(m, FACTS)``.
        numbers: ``(m, NUMBERS)``; those that are given stay as they are, the others are filled in.
        nodes: ``(m, slots)`` node a slot is about; -1 for none.
        columns: ``(m, slots)`` first of three unknowns that a slot is; -1 for none.
        clocks: ``(m, 5, 2)`` nodes between whose times each duration lasts, the later one first; -1 for given ones.
        moment: ``(m,)`` the time at which a duration without a later node ends [s].
        bounce: ``(m,)`` unknown of the restitution; -1 when it is given.
        rows: ``(m, 4)`` where in the Jacobian the rows of an arc's end, of its spin, of its axis (or of what is asked)
            and of its gap begin; -1 for none.
        counts: ``(m, 4)`` how many rows each of these has.
    """

    facts: FloatArray
    numbers: FloatArray
    nodes: IntArray
    columns: IntArray
    clocks: IntArray
    moment: FloatArray
    bounce: IntArray
    rows: IntArray
    counts: IntArray


@uncounted
def _gather(k: int, terms: Terms, unknowns: FloatArray, nodes: Nodes, jets: Jets, used: BoolArray) -> None:
    """Fill in the numbers of a law, and which of them depend on unknowns."""
    z = terms.numbers[k]
    used[:] = False
    for clock in range(terms.clocks.shape[1]):
        late, early = terms.clocks[k, clock, 0], terms.clocks[k, clock, 1]
        if early >= 0:
            until = nodes.time[late] if late >= 0 else terms.moment[k]
            z[clock] = until - nodes.time[early]
            used[clock] = nodes.time_column[early] >= 0 or (late >= 0 and nodes.time_column[late] >= 0)
    if terms.bounce[k] >= 0:
        z[BOUNCE], used[BOUNCE] = unknowns[terms.bounce[k]], True
    for slot in range(terms.nodes.shape[1]):
        n, column, first = terms.nodes[k, slot], terms.columns[k, slot], FROM + 3 * slot
        if n < 0 and column < 0:
            continue
        for i in range(3):
            used[first + i] = True
            if column >= 0:
                z[first + i] = unknowns[column + i]
            elif first < MOVING:
                z[first + i] = jets.place[n, i]
            elif first == MOVING:
                z[first + i] = jets.velocity[n, i]
            elif first == SPINNING:
                z[first + i] = jets.spin[n, i]
        if column < 0 and first >= AXIS:
            away = first >= NEAR
            own = nodes.axis[n]
            if away:
                own = nodes.ends[n, (first - NEAR) // 3 % 2]
            elif first >= ACROSS:
                own = nodes.across[n, (first - ACROSS) // 3]
            for i in range(3):
                z[first + i] = jets.place[n, i] if away else 0.0
                for j in range(3):
                    z[first + i] += jets.frame[n, i, j] * (own[j] - (nodes.point[n, j] if away else 0.0))
    touched = terms.nodes[k, (NEAR - FROM) // 3]
    if touched >= 0:
        for i in range(RADIUS - KIND):
            terms.facts[k, KIND + i] = nodes.feature[touched, i]


@uncounted
def _weigh(n: int, z: FloatArray, by: FloatArray, nodes: IntArray, places: FloatArray, weights: Weights) -> bool:
    """How some rows depend on a node's place, velocity, rotation and spin, given how they depend on all numbers.

    Returns whether they do at all.
    """
    weights.place[:], weights.velocity[:], weights.turn[:], weights.spin[:] = 0.0, 0.0, 0.0, 0.0
    depends = False
    for slot in range(nodes.shape[0]):
        first = FROM + 3 * slot
        if nodes[slot] != n or first >= SPIN_IN:
            continue
        for i in range(by.shape[0]):
            a, b, c = by[i, first], by[i, first + 1], by[i, first + 2]
            depends = depends or a != 0.0 or b != 0.0 or c != 0.0
            if first < MOVING or first >= NEAR:
                weights.place[i, 0] += a
                weights.place[i, 1] += b
                weights.place[i, 2] += c
            elif first == MOVING:
                weights.velocity[i, 0], weights.velocity[i, 1], weights.velocity[i, 2] = a, b, c
                continue
            elif first == SPINNING:
                weights.spin[i, 0], weights.spin[i, 1], weights.spin[i, 2] = a, b, c
                continue
            if first >= AXIS:
                # What is fixed to a frame goes round with it.
                x, y, w = z[first], z[first + 1], z[first + 2]
                if first >= NEAR:
                    x, y, w = x - places[n, 0], y - places[n, 1], w - places[n, 2]
                weights.turn[i, 0] += c * y - b * w
                weights.turn[i, 1] += a * w - c * x
                weights.turn[i, 2] += b * x - a * y
    return depends


@uncounted
def _add_fixed(n: int, first: int, row: int, by: FloatArray, nodes: Nodes, jets: Jets, out: FloatArray) -> None:
    """Add what rows depend on through the unknowns of what is fixed to a frame: an axis, an end."""
    column, sign = nodes.axis_column[n], 1.0
    if first >= NEAR:
        # What is there to be touched stays where it is when the point moves.
        column, sign = nodes.point_column[n], -1.0
    if column >= 0:
        for i in range(by.shape[0]):
            for j in range(3):
                for c in range(3):
                    out[row + i, column + j] += sign * by[i, first + c] * jets.frame[n, c, j]


@uncounted
def _add_clocks(clocks: IntArray, bounce: int, columns: IntArray, row: int, by: FloatArray, out: FloatArray) -> None:
    """Add what rows depend on through durations and the restitution."""
    for i in range(by.shape[0]):
        for clock in range(clocks.shape[0]):
            late, early = clocks[clock, 0], clocks[clock, 1]
            if early >= 0 and columns[early] >= 0:
                out[row + i, columns[early]] -= by[i, clock]
            if early >= 0 and late >= 0 and columns[late] >= 0:
                out[row + i, columns[late]] += by[i, clock]
        if bounce >= 0:
            out[row + i, bounce] += by[i, BOUNCE]


@uncounted
def _spread(
    k: int,
    row: int,
    by: FloatArray,
    terms: Terms,
    scratch: Scratch,
    nodes: Nodes,
    jets: Jets,
    columns: Columns,
    out: FloatArray,
) -> None:
    """Add derivatives ``by`` ``(count, NUMBERS)`` of some rows of a law to rows of the Jacobian."""
    count, own, unknown = by.shape[0], terms.nodes[k], terms.columns[k]
    _add_clocks(terms.clocks[k], terms.bounce[k], nodes.time_column, row, by, out)
    for slot in range(own.shape[0]):
        n, column, first = own[slot], unknown[slot], FROM + 3 * slot
        if column >= 0:
            for i in range(count):
                for j in range(3):
                    out[row + i, column + j] += by[i, first + j]
        if n < 0:
            continue
        if first >= AXIS:
            _add_fixed(n, first, row, by, nodes, jets, out)
        seen = False
        for before in range(slot):
            seen = seen or own[before] == n
        if not seen and _weigh(n, terms.numbers[k], by, own, jets.place, scratch.weights):
            scatter(n, scratch.weights, row, count, nodes, jets, columns, scratch.joint, out)


@njit(cache=True, error_model="numpy")
def fill(
    terms: Terms, unknowns: FloatArray, nodes: Nodes, jets: Jets, columns: Columns, values: FloatArray, out: FloatArray
) -> None:
    """Rows ``values`` ``(m, 10)`` of all laws, and their derivatives, added to ``out`` unless that has no rows."""
    weights = Weights(np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)))
    scratch = Scratch(weights, np.empty((3, 3, 3)))
    by, used = np.zeros((ROWS, NUMBERS)), np.empty(NUMBERS, dtype=np.bool_)
    z, rows = np.empty(NUMBERS, dtype=np.complex128), np.empty(ROWS, dtype=np.complex128)
    for k in range(terms.rows.shape[0]):
        _gather(k, terms, unknowns, nodes, jets, used)
        wanted = out.shape[0] > 0 and terms.rows[k].max() >= 0
        derived(terms.numbers[k], terms.facts[k], used, z, rows, values[k], by if wanted else by[:0])
        for group in range(4 if wanted else 0):
            row, first, count = terms.rows[k, group], 3 * group, terms.counts[k, group]
            if row >= 0:
                _spread(k, row, by[first : first + count], terms, scratch, nodes, jets, columns, out)
