"""Rows of the arcs: how each of them begins, by its hand or by the law of impact."""

from __future__ import annotations

import numpy as np
from numba import njit

from understudy.interaction._curve_kernels import Jets
from understudy.interaction._impact_kernels import Law, impact
from understudy.interaction._row_kernels import (
    BOUNCED,
    GIVEN,
    GRAVITY,
    KNOCKED,
    RELEASED,
    Arcs,
    Bends,
    Columns,
    Nodes,
    Weights,
    add_time,
    arrival,
    clear,
    scatter,
)
from understudy.interaction._surface_kernels import NOTHING, surface
from understudy.typing import FloatArray


@njit(cache=True, error_model="numpy")
def arc_rows(
    nodes: Nodes, arcs: Arcs, jets: Jets, bends: Bends, columns: Columns, residual: FloatArray, out: FloatArray
) -> None:
    """Fill the rows of all arcs and surfaces; ``out`` must be zero there. An ``out`` without rows is left alone."""
    weights = Weights(np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)))
    law = Law(np.empty((2, 3)), np.empty((5, 2, 3, 3)), np.empty((2, 3)))
    state = np.empty((5, 3))
    for a in range(arcs.start.shape[0]):
        if arcs.law[a] == GIVEN:
            _given(a, weights, nodes, arcs, jets, bends, columns, residual, out)
        elif arcs.law[a] == RELEASED:
            _released(a, weights, nodes, arcs, jets, bends, columns, residual, out)
        elif arcs.law[a] == BOUNCED:
            _bounced(a, state, law, weights, nodes, arcs, jets, bends, columns, residual, out)
        elif arcs.law[a] == KNOCKED:
            _knocked(a, weights, nodes, arcs, jets, bends, columns, residual, out)
    normal, bend = np.empty(3), np.empty((3, 3))
    for n in range(nodes.player.shape[0]):
        row = nodes.surface_row[n]
        if row >= 0 and nodes.surface[n] != NOTHING:
            residual[row] = surface(nodes.surface[n], nodes.shape[n], nodes.point[n], normal, bend)
            if out.shape[0]:
                for i in range(3):
                    out[row, nodes.point_column[n] + i] += normal[i]


@njit(cache=True, error_model="numpy")
def _launch(a: int, given: FloatArray, nodes: Nodes, arcs: Arcs, jets: Jets, residual: FloatArray) -> float:
    """Residual of an arc launched with velocity ``given``: its end less where that launch would arrive [m]."""
    s, e, row = arcs.start[a], arcs.end[a], arcs.row[a]
    duration = nodes.time[e] - nodes.time[s]
    for i in range(3):
        g = GRAVITY if i == 1 else 0.0
        residual[row + i] = jets.place[e, i] - jets.place[s, i] - duration * (given[i] + 0.5 * g * duration)
    return duration


@njit(cache=True, error_model="numpy")
def _ends(
    a: int,
    given: FloatArray,
    duration: float,
    weights: Weights,
    nodes: Nodes,
    arcs: Arcs,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    out: FloatArray,
) -> None:
    """Derivatives of a launch by the arc's end and by its duration; the start's own are the caller's."""
    s, e, row = arcs.start[a], arcs.end[a], arcs.row[a]
    clear(weights)
    for i in range(3):
        weights.place[i, i] = 1.0
    scatter(e, weights, row, nodes, jets, bends, columns, out)
    by_duration = np.empty(3)
    for i in range(3):
        by_duration[i] = -given[i] - (GRAVITY * duration if i == 1 else 0.0)
    add_time(nodes.time_column[s], row, by_duration, -1.0, out)
    add_time(nodes.time_column[e], row, by_duration, 1.0, out)


@njit(cache=True, error_model="numpy")
def _given(
    a: int,
    weights: Weights,
    nodes: Nodes,
    arcs: Arcs,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    residual: FloatArray,
    out: FloatArray,
) -> None:
    """An arc that begins with a given velocity."""
    duration = _launch(a, arcs.given[a], nodes, arcs, jets, residual)
    if out.shape[0] == 0:
        return
    _ends(a, arcs.given[a], duration, weights, nodes, arcs, jets, bends, columns, out)
    clear(weights)
    for i in range(3):
        weights.place[i, i] = -1.0
        if arcs.given_column[a] >= 0:
            out[arcs.row[a] + i, arcs.given_column[a] + i] -= duration
    scatter(arcs.start[a], weights, arcs.row[a], nodes, jets, bends, columns, out)


@njit(cache=True, error_model="numpy")
def _released(
    a: int,
    weights: Weights,
    nodes: Nodes,
    arcs: Arcs,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    residual: FloatArray,
    out: FloatArray,
) -> None:
    """An arc that begins with its hand's velocity and spin."""
    s = arcs.start[a]
    duration = _launch(a, jets.velocity[s], nodes, arcs, jets, residual)
    if out.shape[0]:
        _ends(a, jets.velocity[s], duration, weights, nodes, arcs, jets, bends, columns, out)
        clear(weights)
        for i in range(3):
            weights.place[i, i], weights.velocity[i, i] = -1.0, -duration
        scatter(s, weights, arcs.row[a], nodes, jets, bends, columns, out)
    row = arcs.spin_row[a]
    if row >= 0:
        radius = arcs.ball[a, 0]
        for i in range(3):
            residual[row + i] = radius * (arcs.spin[a, i] - jets.spin[s, i])
        if out.shape[0]:
            clear(weights)
            for i in range(3):
                weights.spin[i, i] = -radius
                out[row + i, arcs.spin_column[a] + i] += radius
            scatter(s, weights, row, nodes, jets, bends, columns, out)


@njit(cache=True, error_model="numpy")
def _bounced(
    a: int,
    state: FloatArray,
    law: Law,
    weights: Weights,
    nodes: Nodes,
    arcs: Arcs,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    residual: FloatArray,
    out: FloatArray,
) -> None:
    """An arc that begins off a surface; its spin follows by the same law."""
    s, before = arcs.start[a], arcs.before[a]
    by_duration = np.empty(3)
    fell = arrival(before, nodes, arcs, jets, state[0], by_duration)
    state[1] = arcs.spin[before]
    state[2] = jets.velocity[s]
    state[3] = jets.spin[s]
    state[4] = bends.normal[s]
    radius, inertia, friction, restitution = arcs.ball[a, 0], arcs.ball[a, 1], arcs.ball[a, 2], arcs.ball[a, 3]
    impact(state, restitution, friction, inertia, radius, law)
    duration = _launch(a, law.out[0], nodes, arcs, jets, residual)
    if out.shape[0]:
        _ends(a, law.out[0], duration, weights, nodes, arcs, jets, bends, columns, out)
        _through(a, 0, -duration, 1.0, fell, by_duration, law, weights, nodes, arcs, jets, bends, columns, out)
    row = arcs.spin_row[a]
    if row >= 0:
        for i in range(3):
            residual[row + i] = radius * (arcs.spin[a, i] - law.out[1, i])
        if out.shape[0]:
            for i in range(3):
                out[row + i, arcs.spin_column[a] + i] += radius
            _through(a, 1, -radius, 0.0, fell, by_duration, law, weights, nodes, arcs, jets, bends, columns, out)


@njit(cache=True, error_model="numpy")
def _through(
    a: int,
    part: int,
    scale: float,
    leaves: float,
    fell: float,
    by_duration: FloatArray,
    law: Law,
    weights: Weights,
    nodes: Nodes,
    arcs: Arcs,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    out: FloatArray,
) -> None:
    """Derivatives of ``scale`` times one part of the law (velocity or spin) by everything it depends on.

    ``leaves``: 1 when the rows also hold minus the start's place.
    """
    before = arcs.before[a]
    row = arcs.row[a] if part == 0 else arcs.spin_row[a]
    s, p = arcs.start[a], arcs.start[before]
    by_velocity = law.by[0, part]
    clear(weights)
    for i in range(3):
        for j in range(3):
            weights.place[i, j] = scale * by_velocity[i, j] / fell - (leaves if i == j else 0.0)
            weights.velocity[i, j] = scale * law.by[2, part, i, j]
            weights.spin[i, j] = scale * law.by[3, part, i, j]
            weights.normal[i, j] = scale * law.by[4, part, i, j]
    scatter(s, weights, row, nodes, jets, bends, columns, out)
    clear(weights)
    for i in range(3):
        for j in range(3):
            weights.place[i, j] = -scale * by_velocity[i, j] / fell
    scatter(p, weights, row, nodes, jets, bends, columns, out)
    amount = np.zeros(3)
    for i in range(3):
        for j in range(3):
            amount[i] += by_velocity[i, j] * by_duration[j]
    add_time(nodes.time_column[s], row, amount, scale, out)
    add_time(nodes.time_column[p], row, amount, -scale, out)
    for i in range(3):
        if arcs.spin_column[before] >= 0:
            for j in range(3):
                out[row + i, arcs.spin_column[before] + j] += scale * law.by[1, part, i, j]
        if arcs.restitution_column[a] >= 0:
            out[row + i, arcs.restitution_column[a]] += scale * law.by_restitution[part, i]


@njit(cache=True, error_model="numpy")
def _knocked(
    a: int,
    weights: Weights,
    nodes: Nodes,
    arcs: Arcs,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    residual: FloatArray,
    out: FloatArray,
) -> None:
    """An arc that begins off another ball, without friction: ``v' = v - f c n`` with ``f = (1 + e) m2 / (m1 + m2)``."""
    o = arcs.other[a]
    s, q, before, other = arcs.start[a], arcs.start[o], arcs.before[a], arcs.before[o]
    v1, v2, by1, by2, n = np.empty(3), np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    fell1, fell2 = arrival(before, nodes, arcs, jets, v1, by1), arrival(other, nodes, arcs, jets, v2, by2)
    f = (1.0 + arcs.ball[a, 3]) * arcs.ball[a, 4]
    apart = np.sqrt(np.sum((jets.place[s] - jets.place[q]) ** 2))
    c = 0.0
    for i in range(3):
        n[i] = (jets.place[s, i] - jets.place[q, i]) / apart
        c += (v1[i] - v2[i]) * n[i]
    given = v1 - f * c * n
    duration = _launch(a, given, nodes, arcs, jets, residual)
    if a < o:
        row = nodes.surface_row[s]
        residual[row] = apart - arcs.ball[a, 0] - arcs.ball[o, 0]
        if out.shape[0]:
            for i in range(3):
                out[row, nodes.point_column[s] + i] += n[i]
                out[row, nodes.point_column[q] + i] -= n[i]
    if out.shape[0] == 0:
        return
    _ends(a, given, duration, weights, nodes, arcs, jets, bends, columns, out)
    by_v, by_x = np.empty((3, 3)), np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            by_v[i, j] = -f * n[i] * n[j]
            turned = 0.0
            for k in range(3):
                across = ((1.0 if k == j else 0.0) - n[k] * n[j]) / apart
                turned += -f * (n[i] * (v1[k] - v2[k]) + (c if i == k else 0.0)) * across
            by_x[i, j] = turned
    for side in range(2):
        node, arc, fell, by, sign = (s, before, fell1, by1, 1.0) if side == 0 else (q, other, fell2, by2, -1.0)
        start = arcs.start[arc]
        own = 1.0 if side == 0 else 0.0
        clear(weights)
        for i in range(3):
            for j in range(3):
                unit = own if i == j else 0.0
                through = unit + sign * by_v[i, j]
                weights.place[i, j] = -duration * (through / fell + sign * by_x[i, j]) - unit
        scatter(node, weights, arcs.row[a], nodes, jets, bends, columns, out)
        amount = np.zeros(3)
        for i in range(3):
            for j in range(3):
                through = (own if i == j else 0.0) + sign * by_v[i, j]
                weights.place[i, j] = duration * through / fell
                amount[i] += through * by[j]
        scatter(start, weights, arcs.row[a], nodes, jets, bends, columns, out)
        add_time(nodes.time_column[node], arcs.row[a], amount, -duration, out)
        add_time(nodes.time_column[start], arcs.row[a], amount, duration, out)
