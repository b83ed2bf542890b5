"""Rows of the arcs: how each of them begins, by its hand or by the law of impact."""

from __future__ import annotations

import numpy as np

from understudy.compiling.kernel import njit
from understudy.interaction._curve_kernels import Jets
from understudy.interaction._impact_kernels import Law, impact
from understudy.interaction._knock_kernels import knocked
from understudy.interaction._launch_kernels import launch, launch_ends
from understudy.interaction._row_kernels import (
    BOUNCED,
    GIVEN,
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
            knocked(a, weights, nodes, arcs, jets, bends, columns, residual, out)
    normal, bend = np.empty(3), np.empty((3, 3))
    for n in range(nodes.player.shape[0]):
        row = nodes.surface_row[n]
        if row >= 0 and nodes.surface[n] != NOTHING:
            residual[row] = surface(nodes.surface[n], nodes.shape[n], nodes.point[n], normal, bend)
            if out.shape[0]:
                for i in range(3):
                    out[row, nodes.point_column[n] + i] += normal[i]


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
    duration = launch(a, arcs.given[a], nodes, arcs, jets, residual)
    if out.shape[0] == 0:
        return
    launch_ends(a, arcs.given[a], duration, weights, nodes, arcs, jets, bends, columns, out)
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
    duration = launch(a, jets.velocity[s], nodes, arcs, jets, residual)
    if out.shape[0]:
        launch_ends(a, jets.velocity[s], duration, weights, nodes, arcs, jets, bends, columns, out)
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
    duration = launch(a, law.out[0], nodes, arcs, jets, residual)
    if out.shape[0]:
        launch_ends(a, law.out[0], duration, weights, nodes, arcs, jets, bends, columns, out)
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
