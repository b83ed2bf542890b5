"""Compiled inverse branch kinematics: turn a branch's transitions within their ranges until it ends at the goal (M4).

A bounded Gauss-Newton on the turns. About the pivot ``P`` of a transition the end ``E`` moves by
``(Ez - Pz, Px - Ex)`` per radian and its heading by 1; the smallest turns, weighed by how wide their ranges are, that
remove the error are ``W J' (J W J' + damping)^-1 error``. Turns that hit a limit stay there until they are pulled back.
The thesis uses cyclic coordinate descent (§3.8), which ends ten times farther from the goal (methods.md M4, "Tried").
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from understudy.locomotion._chain_kernels import chain_placements, placed, wrapped
from understudy.locomotion.tables import GraphTable
from understudy.typing import FloatArray, IntArray

#: [m/rad] how much a heading error weighs.
HEADING_M = 0.4
MOST_STEPS = 40
_DAMPING = 1e-6


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
    weights = np.empty(count)
    jacobian = np.empty((3, count))
    rows = 3 if goal[3] > 0.0 else 2
    away, off = np.inf, np.inf
    for _ in range(steps):
        at = chain_placements(graph, edges, turns, start)
        x, z, yaw = ending(graph, last, at[count])
        error = np.array([goal[0] - x, goal[1] - z, HEADING_M * wrapped(goal[2] - yaw)])
        away = math.sqrt(error[0] ** 2 + error[1] ** 2)
        off = abs(error[2]) / HEADING_M if rows == 3 else 0.0
        if away <= close[0] and off <= close[1]:
            break
        for k in range(count):
            px, pz = placed(at[k, 0], at[k, 1], at[k, 2], graph.pivots[edges[k], 0], graph.pivots[edges[k], 1])
            jacobian[0, k], jacobian[1, k], jacobian[2, k] = z - pz, px - x, HEADING_M
            weights[k] = 0.25 * (graph.ranges[edges[k], 1] - graph.ranges[edges[k], 0]) ** 2
        _step(graph, edges, jacobian, weights, error, rows, turns)
    return away, off


@njit(cache=True)
def _step(
    graph: GraphTable,
    edges: IntArray,
    jacobian: FloatArray,
    weights: FloatArray,
    error: FloatArray,
    rows: int,
    turns: FloatArray,
) -> None:
    """One Gauss-Newton step; turns that would leave their range are held at its end and the rest solved again."""
    count = len(edges)
    left = error[:rows].copy()
    for _ in range(4):
        normal = np.zeros((rows, rows))
        for k in range(count):
            for i in range(rows):
                for j in range(rows):
                    normal[i, j] += weights[k] * jacobian[i, k] * jacobian[j, k]
        for i in range(rows):
            normal[i, i] += _DAMPING
        solved = np.linalg.solve(normal, left)
        clamped = False
        for k in range(count):
            if weights[k] == 0.0:
                continue
            step = 0.0
            for i in range(rows):
                step += jacobian[i, k] * solved[i]
            wanted = turns[k] + min(max(weights[k] * step, -0.2), 0.2)
            low, high = graph.ranges[edges[k], 0], graph.ranges[edges[k], 1]
            held = min(max(wanted, low), high)
            for i in range(rows):
                left[i] -= jacobian[i, k] * (held - turns[k])
            if held != wanted:
                weights[k] = 0.0
                clamped = True
            turns[k] = held
        if not clamped:
            break
