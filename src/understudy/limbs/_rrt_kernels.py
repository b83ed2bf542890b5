"""Synchronised bidirectional RRT: two trees in parameters and time that grow together ([Limbs], paper §4.1).

A node is ``(offsets from the clip, time)``. The first tree grows forwards in time from the start, the second backwards
from the goal, so time is strictly monotone along every path. Speed limits are part of the metric and of every edge:
only what can be reached in the time between is near, and what cannot is approached as fast as allowed.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.limbs._edge_kernels import edge_reaches, set_edge
from understudy.limbs._random_kernels import draw
from understudy.limbs._sampling_kernels import (
    SearchArrays,
    SearchNumbers,
    apart_m,
    draw_hinted,
    draw_local,
    draw_sample,
    needed_s,
)
from understudy.limbs.tables import FREE, Margin, Scratch, Setting
from understudy.typing import FloatArray, IntArray

#: [m/s] how much a second of time weighs in the metric.
_TIME_WEIGHT = 0.2
#: Share of the distance to a sample that counts even where speed brings the limb all the way.
_FAR_WEIGHT = 0.3
#: Every how many samples the turn decides which tree grows; otherwise it is the smaller one, whose end is the narrower.
_IN_TURN = 4
#: [s] growth that is too little to keep.
_LEAST_S = 0.01


@njit(cache=True, error_model="numpy")
def nearest_node(
    search: SearchArrays, nodes: FloatArray, count: int, sample: FloatArray, sign: int, square: FloatArray
) -> tuple[int, float]:
    """The node that gets nearest to a sample by its time, and the share of the way it gets; -1 when none is in time.

    ``sign`` 1 for nodes that must come before the sample, -1 for those that must come after.
    """
    weights, groups, speeds = search.weights, search.groups, search.speeds
    dof = weights.shape[0]
    best, found, way = math.inf, -1, 0.0
    for i in range(count):
        between = sign * (sample[dof] - nodes[i, dof])
        if between <= _LEAST_S or _TIME_WEIGHT * between >= best:
            continue
        far = apart_m(weights, nodes[i], sample)
        if _FAR_WEIGHT * far + _TIME_WEIGHT * between >= best:
            continue
        needed = needed_s(groups, speeds, nodes[i], sample, square)
        share = 1.0 if needed <= between else between / needed
        cost = (1.0 - share + _FAR_WEIGHT) * far + _TIME_WEIGHT * between
        if cost < best:
            best, found, way = cost, i, share
    return found, way


@njit(cache=True, error_model="numpy")
def _grown(
    setting: Setting,
    scratch: Scratch,
    search: SearchArrays,
    margin: Margin,
    nodes: FloatArray,
    i: int,
    goal: FloatArray,
    goal_s: float,
    sign: int,
    out: FloatArray,
) -> tuple[bool, float]:
    """Move from node ``i`` towards a goal as far as is free; writes where it ends and whether it got anywhere."""
    dof = search.weights.shape[0]
    t = nodes[i, dof]
    if sign > 0:
        set_edge(scratch, nodes[i], goal)
    else:
        set_edge(scratch, goal, nodes[i])
    reached, kind, _, _, looked = edge_reaches(setting, scratch, min(t, goal_s), max(t, goal_s), margin, sign)
    progress = sign * (reached - nodes[i, dof])
    share = progress / (sign * (goal_s - nodes[i, dof]))
    out[dof] = reached if kind != FREE else goal_s
    for d in range(dof):
        out[d] = goal[d] if kind == FREE else nodes[i, d] + share * (goal[d] - nodes[i, d])
    return kind == FREE or progress > _LEAST_S, float(looked)


@njit(cache=True, error_model="numpy")
def _path(nodes: FloatArray, parents: IntArray, ends: IntArray, dof: int) -> FloatArray:
    """The way from the root of the first tree over both ends to the root of the second."""
    first, second = 0, 0
    i = ends[0]
    while i >= 0:
        first += 1
        i = parents[0, i]
    i = ends[1]
    while i >= 0:
        second += 1
        i = parents[1, i]
    path = np.empty((first + second, dof + 1))
    i, k = ends[0], first - 1
    while i >= 0:
        path[k] = nodes[0, i]
        i, k = parents[0, i], k - 1
    i, k = ends[1], first
    while i >= 0:
        path[k] = nodes[1, i]
        i, k = parents[1, i], k + 1
    return path


@njit(cache=True, error_model="numpy")
def grow_trees(
    setting: Setting,
    scratch: Scratch,
    search: SearchArrays,
    numbers: SearchNumbers,
    margin: Margin,
    start: FloatArray,
    goal: FloatArray,
    state: np.ndarray,
    nodes: FloatArray,
    parents: IntArray,
    counts: IntArray,
) -> tuple[FloatArray, int, int]:
    """Search a path from ``start[0]`` to ``goal[0]``, rows ``(parameters + 1,)`` with the time last.

    Further rows are where to go from there: nodes planted before the search, each free to be reached from the one
    before it.
    ``nodes (2, most, parameters + 1)``, ``parents (2, most)`` and ``counts (2,)`` hold both trees afterwards.

    Returns:
        The path ``(n, parameters + 1)``, empty when none was found; samples drawn; poses looked at.
    """
    dof = search.weights.shape[0]
    square, sample, grown = np.empty(search.speeds.shape[0]), np.empty(dof + 1), np.empty(dof + 1)
    target, ends = np.empty(dof), np.empty(2, dtype=np.int64)
    for i in range(start.shape[0]):
        nodes[0, i], parents[0, i] = start[i], i - 1
    for i in range(goal.shape[0]):
        nodes[1, i], parents[1, i] = goal[i], i - 1
    counts[0], counts[1] = start.shape[0], goal.shape[0]
    most, looked = nodes.shape[1], 0.0
    start_s, end_s = float(start[0, dof]), float(goal[0, dof])
    span = np.array([start_s, end_s])
    for done in range(numbers.iterations + 1):
        tree = done % 2
        if done > 1 and done % _IN_TURN:
            tree = 0 if counts[0] <= counts[1] else 1
        sign = 1 if tree == 0 else -1
        new = counts[tree] - 1
        if done > 1:
            if counts[0] >= most - 1 or counts[1] >= most - 1:
                return np.empty((0, dof + 1)), done, int(looked)
            if draw_hinted(search, span, state, sample):
                pass
            elif draw(state) < numbers.local_share:
                draw_local(search, nodes[tree], counts[tree], sign, span, state, sample)
            else:
                draw_sample(setting, search, numbers, done, start_s, end_s, state, sample)
            i, way = nearest_node(search, nodes[tree], counts[tree], sample, sign, square)
            if i < 0:
                continue
            between = abs(sample[dof] - nodes[tree, i, dof])
            cut = min(1.0, numbers.step_s / between)
            for d in range(dof):
                target[d] = nodes[tree, i, d] + cut * way * (sample[d] - nodes[tree, i, d])
            goal_s = nodes[tree, i, dof] + cut * (sample[dof] - nodes[tree, i, dof])
            kept, poses = _grown(setting, scratch, search, margin, nodes[tree], i, target, goal_s, sign, grown)
            looked += poses
            if not kept:
                continue
            new = counts[tree]
            nodes[tree, new], parents[tree, new] = grown, i
            counts[tree] += 1
        other = 1 - tree
        j, way = nearest_node(search, nodes[other], counts[other], nodes[tree, new], -sign, square)
        if j < 0:
            continue
        mine = nodes[tree, new]
        for d in range(dof):
            target[d] = nodes[other, j, d] + way * (mine[d] - nodes[other, j, d])
        kept, poses = _grown(setting, scratch, search, margin, nodes[other], j, target, mine[dof], -sign, grown)
        looked += poses
        if kept and way >= 1.0 and grown[dof] == mine[dof]:
            ends[tree], ends[other] = new, j
            return _path(nodes, parents, ends, dof), done, int(looked)
        if kept:
            nodes[other, counts[other]], parents[other, counts[other]] = grown, j
            counts[other] += 1
    return np.empty((0, dof + 1)), numbers.iterations, int(looked)
