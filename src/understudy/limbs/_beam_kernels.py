"""A way out of a narrow place that moves: many postures carried along together, a short step of time after another.

What is in a ring that passes by has to move at once, or is met: samples of far away times and postures are of no use.
So the postures at one moment (the front) all take one step, most of them in random directions; of those that arrive
those are kept that stay free longest by themselves, and among equals those that are soonest back at the clip. After
every step some try to go straight to where the way is to end.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.limbs._certificate_kernels import pose_certified
from understudy.limbs._edge_kernels import edge_reaches, set_edge
from understudy.limbs._random_kernels import draw
from understudy.limbs._sampling_kernels import SearchArrays, needed_s
from understudy.limbs.tables import FREE, Margin, Scratch, Setting
from understudy.typing import FloatArray, IntArray

#: [s] a step of time, and the most of them.
_STEP_S, _STEPS = 0.05, 18
#: Postures that are kept of the steps that are tried from one moment to the next, and how many go straight for the end.
_KEPT, _TRIED, _STRAIGHT = 16, 48, 4
#: [s] how far ahead freedom is looked at, and what a second more to the end counts against it.
_AHEAD_S, _HOMESICK = 0.3, 0.3
#: Random part of a step: share of ``near_rad``. What is slower than the limits allow is left as it is.
_NOISE = 0.3
#: Share of the pace by which a limb may be faster a step later.
_HASTENING = 0.3
#: Steps within which the limb is soon stuck: what lies later depends on where the way is to end.
_SOON = 8
#: [rad] postures that differ by less in every parameter are one.
_ALIKE_RAD = 0.05


@njit(cache=True, error_model="numpy")
def _is_free(setting: Setting, scratch: Scratch, margin: Margin, a: FloatArray, b: FloatArray) -> tuple[bool, int]:
    """Whether the move between two rows, whichever is earlier, is free; and poses looked at."""
    dof = a.shape[0] - 1
    if a[dof] < b[dof]:
        set_edge(scratch, a, b)
    else:
        set_edge(scratch, b, a)
    _, kind, _, _, looked = edge_reaches(setting, scratch, min(a[dof], b[dof]), max(a[dof], b[dof]), margin, 0)
    return kind == FREE, looked


@njit(cache=True, error_model="numpy")
def _step(
    search: SearchArrays,
    here: FloatArray,
    before: FloatArray,
    end: FloatArray,
    manner: int,
    haste: float,
    state: np.ndarray,
    square: FloatArray,
    out: FloatArray,
) -> None:
    """Where a posture is a step later: towards the end, on as before, or (``manner`` > 1) anywhere about that.

    ``haste`` is the share of the pace that it may have.
    """
    dof = search.groups.shape[0]
    for d in range(dof):
        out[d] = end[d] if manner == 0 else here[d]
        if manner == 1 or (manner > 1 and manner % 2 == 0):
            out[d] += here[d] - before[d]
        if manner > 1:
            out[d] += (2.0 * draw(state) - 1.0) * _NOISE * search.near_rad[d]
    needed = needed_s(search.groups, search.speeds, here, out, square)
    share = min(1.0, haste * _STEP_S / needed) if needed > 0.0 else 1.0
    for d in range(dof):
        out[d] = here[d] + share * (out[d] - here[d])
    out[dof] = here[dof] + math.copysign(_STEP_S, end[dof] - here[dof])


@njit(cache=True, error_model="numpy")
def _worth(
    setting: Setting,
    scratch: Scratch,
    search: SearchArrays,
    margin: Margin,
    row: FloatArray,
    end: FloatArray,
    square: FloatArray,
) -> float:
    """How long a posture is known to stay free without moving from its clip, less what it takes to the end [s]."""
    dof = row.shape[0] - 1
    t = row[dof]
    low = t if end[dof] > t else max(t - _AHEAD_S, margin.start_s)
    high = min(t + _AHEAD_S, margin.end_s) if end[dof] > t else t
    scratch.turning[:] = 0.0
    free, _, _, _, _ = pose_certified(setting, scratch, row[:dof], margin, t, low, high)
    return min(free, _AHEAD_S) - _HOMESICK * needed_s(search.groups, search.speeds, row, end, square)


@njit(cache=True, error_model="numpy")
def _kept(worth: FloatArray, made: FloatArray, count: int, out: IntArray) -> int:
    """Numbers of the worthiest rows, none like another; how many."""
    kept, dof = 0, made.shape[1] - 1
    for k in np.argsort(-worth[:count]):
        new = True
        for n in range(kept):
            far = 0.0
            for d in range(dof):
                far = max(far, abs(made[out[n], d] - made[k, d]))
            new = new and far >= _ALIKE_RAD
        if new:
            out[kept] = k
            kept += 1
            if kept == out.shape[0]:
                break
    return kept


@njit(cache=True, error_model="numpy")
def _way(nodes: FloatArray, parents: IntArray, last: int, end: FloatArray) -> FloatArray:
    """The rows from the first node over ``last`` to the end, in the order of time."""
    length, i = 2, last
    while parents[i] >= 0:
        length, i = length + 1, parents[i]
    path = np.empty((length, end.shape[0]))
    path[length - 1], i = end, last
    for k in range(length - 2, -1, -1):
        path[k] = nodes[i]
        i = parents[i]
    return path if path[0, -1] < path[length - 1, -1] else path[::-1].copy()


@njit(cache=True, error_model="numpy")
def carried_out(
    setting: Setting,
    scratch: Scratch,
    search: SearchArrays,
    margin: Margin,
    start: FloatArray,
    end: FloatArray,
    haste: float,
    state: np.ndarray,
) -> tuple[FloatArray, int, bool]:
    """A free way from one row ``(parameters + 1,)`` with its time to another, later or earlier.

    ``haste`` is the share of its pace that the limb may have at first: who turns back at full speed jumps.

    Returns:
        The way ``(n, parameters + 1)`` in the order of time, or nothing; poses looked at; and whether all postures were
        stuck soon, none with a free step left.
    """
    dof = search.groups.shape[0]
    steps = min(int(abs(end[dof] - start[dof]) / _STEP_S - 1e-9), _STEPS)
    nodes, parents = np.zeros((steps * _KEPT + 1, dof + 1)), np.full(steps * _KEPT + 1, -1)
    made, whose, worth = np.zeros((_TRIED, dof + 1)), np.zeros(_TRIED, dtype=np.int64), np.zeros(_TRIED)
    square, best = np.zeros(search.speeds.shape[0]), np.zeros(_KEPT, dtype=np.int64)
    nodes[0] = start
    first, count, looked = 0, 1, 0
    for step in range(steps + 1):
        left = abs(end[dof] - nodes[first, dof])
        for i in range(first, min(first + _STRAIGHT, count)):
            if needed_s(search.groups, search.speeds, nodes[i], end, square) <= left:
                free, poses = _is_free(setting, scratch, margin, nodes[i], end)
                looked += poses
                if free:
                    return _way(nodes, parents, i, end), looked, False
        if step == steps:
            break
        left, found, late, now = left - _STEP_S, 0, False, min(haste + _HASTENING * step, 1.0)
        for k in range(_TRIED):
            i = first + k % (count - first)
            before = nodes[parents[i]] if parents[i] >= 0 else nodes[i]
            _step(search, nodes[i], before, end, k // (count - first), now, state, square, made[found])
            free, poses = _is_free(setting, scratch, margin, nodes[i], made[found])
            looked += poses + 1
            if free and needed_s(search.groups, search.speeds, made[found], end, square) > left:
                late = True
            elif free:
                worth[found] = _worth(setting, scratch, search, margin, made[found], end, square)
                whose[found] = i
                found += 1
        if found == 0:
            return np.empty((0, dof + 1)), looked, step < _SOON and not late
        kept = _kept(worth, made, found, best)
        first = count
        for n in range(kept):
            nodes[count], parents[count] = made[best[n]], whose[best[n]]
            count += 1
    return np.empty((0, dof + 1)), looked, False
