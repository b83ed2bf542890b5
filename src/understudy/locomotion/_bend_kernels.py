"""Compiled inverse branch kinematics: turn a branch's transitions within their ranges until it ends at the goal (M4).

A bounded Gauss-Newton on the turns. About the pivot ``P`` of a transition the end ``E`` moves by
``(Ez - Pz, Px - Ex)`` per radian and its heading by 1; the smallest turns, weighed by how wide their ranges are, that
remove the error are ``W J' (J W J' + damping)^-1 error``. Turns that hit a limit stay there until they are pulled back.
The thesis uses cyclic coordinate descent (§3.8), which ends ten times farther from the goal.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted
from understudy.locomotion._chain_kernels import placed, put_chain, wrapped
from understudy.locomotion.tables import GraphTable
from understudy.typing import FloatArray, IntArray

#: [m/rad] how much a heading error weighs.
HEADING_M = 0.4
MOST_STEPS = 40
_DAMPING = 1e-6
#: A branch whose error is not below this share of what it was two steps before will not get there.
_STALLED = 0.8


class Scratch(NamedTuple):
    """Room to work in.

    Attributes:
        at: ``(n + 1, 3)`` every clip's frame.
        jacobian: ``(3, n)`` how the end moves and turns with every turn.
        weights: ``(n,)`` of the turns; 0 where one is held at its limit.
        normal: ``(3, 4)`` normal equations and their right side.
        solved: ``(3,)`` their solution.
    """

    at: FloatArray
    jacobian: FloatArray
    weights: FloatArray
    normal: FloatArray
    solved: FloatArray


@njit(cache=True)
def ending(graph: GraphTable, node: int, at: FloatArray) -> tuple[float, float, float]:
    """Root and heading at the end of a placed clip."""
    x, z = placed(at[0], at[1], at[2], graph.moves[node, 0], graph.moves[node, 1])
    return x, z, wrapped(at[2] + graph.moves[node, 2])


@njit(cache=True)
def bend(
    graph: GraphTable,
    edges: IntArray,
    last: int,
    start: FloatArray,
    goal: FloatArray,
    close: FloatArray,
    turns: FloatArray,
    steps: int = MOST_STEPS,
) -> tuple[float, float]:
    """Turn a branch to the goal.

    Args:
        graph: The graph.
        edges: ``(n,)`` the branch's transitions.
        last: Its last clip.
        start: ``(3,)`` frame of its first clip.
        goal: ``(4,)`` x, z, heading, and 1 where the heading matters.
        close: ``(2,)`` errors that are small enough [m], [rad].
        turns: ``(n,)`` the turns, changed in place [rad].
        steps: Most steps; what gets there at all mostly does so in five.

    Returns:
        Distance from the goal [m] and heading error [rad] that are left.
    """
    count = len(edges)
    scratch = Scratch(np.empty((count + 1, 3)), np.empty((3, count)), np.empty(count), np.empty((3, 4)), np.empty(3))
    return _bent(graph, edges, last, start, goal, close, turns, steps, scratch)


@uncounted
def _bent(
    graph: GraphTable,
    edges: IntArray,
    last: int,
    start: FloatArray,
    goal: FloatArray,
    close: FloatArray,
    turns: FloatArray,
    steps: int,
    scratch: Scratch,
) -> tuple[float, float]:
    """See ``bend``; gives up where the error hardly becomes smaller any more."""
    count, at = len(edges), scratch.at
    away, off, before, earlier = np.inf, np.inf, np.inf, np.inf
    for _ in range(steps):
        put_chain(graph, edges, turns, start, at)
        x, z = placed(at[count, 0], at[count, 1], at[count, 2], graph.moves[last, 0], graph.moves[last, 1])
        dx, dz, turn = goal[0] - x, goal[1] - z, wrapped(goal[2] - wrapped(at[count, 2] + graph.moves[last, 2]))
        away, off = math.sqrt(dx * dx + dz * dz), abs(turn) if goal[3] > 0.0 else 0.0
        error = away + HEADING_M * off
        if (away <= close[0] and off <= close[1]) or error > _STALLED * earlier:
            break
        before, earlier = error, before
        for k in range(count):
            px, pz = placed(at[k, 0], at[k, 1], at[k, 2], graph.pivots[edges[k], 0], graph.pivots[edges[k], 1])
            scratch.jacobian[0, k], scratch.jacobian[1, k], scratch.jacobian[2, k] = z - pz, px - x, HEADING_M
            scratch.weights[k] = 0.25 * (graph.ranges[edges[k], 1] - graph.ranges[edges[k], 0]) ** 2
        _step(graph, edges, scratch, dx, dz, HEADING_M * turn, 3 if goal[3] > 0.0 else 2, turns)
    return away, off


@uncounted
def _step(
    graph: GraphTable,
    edges: IntArray,
    scratch: Scratch,
    dx: float,
    dz: float,
    turn: float,
    rows: int,
    turns: FloatArray,
) -> None:
    """One Gauss-Newton step; turns that would leave their range are held at its end and the rest solved again."""
    jacobian, weights, normal, solved = scratch.jacobian, scratch.weights, scratch.normal, scratch.solved
    for _ in range(4):
        normal[0, 3], normal[1, 3], normal[2, 3] = dx, dz, turn
        for i in range(rows):
            for j in range(i, rows):
                total = _DAMPING if i == j else 0.0
                for k in range(len(edges)):
                    total += weights[k] * jacobian[i, k] * jacobian[j, k]
                normal[i, j] = normal[j, i] = total
        _solve(normal, rows, solved)
        clamped = False
        for k in range(len(edges)):
            if weights[k] == 0.0:
                continue
            step = 0.0
            for i in range(rows):
                step += jacobian[i, k] * solved[i]
            wanted = turns[k] + min(max(weights[k] * step, -0.2), 0.2)
            low, high = graph.ranges[edges[k], 0], graph.ranges[edges[k], 1]
            held = min(max(wanted, low), high)
            dx -= jacobian[0, k] * (held - turns[k])
            dz -= jacobian[1, k] * (held - turns[k])
            turn -= jacobian[2, k] * (held - turns[k])
            if held != wanted:
                weights[k] = 0.0
                clamped = True
            turns[k] = held
        if not clamped:
            break


@uncounted
def _solve(normal: FloatArray, rows: int, out: FloatArray) -> None:
    """Gauss elimination of ``(rows, rows)`` and the right side in column 3; positive definite, so without pivots."""
    for i in range(rows):
        for j in range(i + 1, rows):
            share = normal[j, i] / normal[i, i]
            for k in range(i, rows):
                normal[j, k] -= share * normal[i, k]
            normal[j, 3] -= share * normal[i, 3]
    for i in range(rows - 1, -1, -1):
        total = normal[i, 3]
        for k in range(i + 1, rows):
            total -= normal[i, k] * out[k]
        out[i] = total / normal[i, i]
