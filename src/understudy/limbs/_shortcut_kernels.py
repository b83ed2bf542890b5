"""Shortening a path, its time included, and certifying what comes out ([Limbs]).

Deviations from the paper: shortcuts are drawn between times, not vertices, so long edges are shortened as often as
short ones; they are kept for less effort (length squared over time), not for less length, so that a limb takes the time
it has; every third attempt pulls a vertex towards the clip instead, because what stays near the clip looks like it.
"""

from __future__ import annotations

import numpy as np

from understudy.compiling.kernel import njit
from understudy.limbs._edge_kernels import edge_reaches, set_edge
from understudy.limbs._random_kernels import draw
from understudy.limbs._sampling_kernels import SearchArrays, apart_m, needed_s
from understudy.limbs.tables import FREE, Margin, Scratch, Setting
from understudy.typing import FloatArray

#: Attempts that have to bring the effort of the whole path below this share of what it was, or they are the last.
_AT_ONCE, _WORTHWHILE = 15, 0.97
#: A shortcut has to bring the effort below this share of what it was.
_GAIN = 0.999
#: [s] shortest stretch a shortcut replaces.
_SHORTEST_S = 0.04


@njit(cache=True, error_model="numpy")
def path_at(path: FloatArray, count: int, t: float, out: FloatArray) -> int:
    """Write the offsets of a path at a time; returns the segment it lies in."""
    dof = path.shape[1] - 1
    i = 0
    while i < count - 2 and path[i + 1, dof] <= t:
        i += 1
    span = path[i + 1, dof] - path[i, dof]
    share = min(max((t - path[i, dof]) / span, 0.0), 1.0) if span > 0.0 else 0.0
    for d in range(dof):
        out[d] = path[i, d] + share * (path[i + 1, d] - path[i, d])
    out[dof] = t
    return i


@njit(cache=True, error_model="numpy")
def _free(
    setting: Setting,
    scratch: Scratch,
    search: SearchArrays,
    margin: Margin,
    a: FloatArray,
    b: FloatArray,
    square: FloatArray,
) -> bool:
    """Whether an edge keeps the speed limits and is free."""
    dof = a.shape[0] - 1
    if needed_s(search.groups, search.speeds, a, b, square) > (b[dof] - a[dof]) * (1.0 + 1e-9):
        return False
    set_edge(scratch, a, b)
    _, kind, _, _, _ = edge_reaches(setting, scratch, a[dof], b[dof], margin, 0)
    return bool(kind == FREE)


@njit(cache=True, error_model="numpy")
def _effort(search: SearchArrays, a: FloatArray, b: FloatArray) -> float:
    """Length squared over time [m^2/s]: least for a straight way at an even speed."""
    dof = a.shape[0] - 1
    return apart_m(search.weights, a, b) ** 2 / max(b[dof] - a[dof], 1e-6)


@njit(cache=True, error_model="numpy")
def _chord(
    setting: Setting,
    scratch: Scratch,
    search: SearchArrays,
    margin: Margin,
    path: FloatArray,
    count: int,
    state: np.ndarray,
    square: FloatArray,
) -> tuple[int, bool]:
    """Try to replace the stretch between two random times by a straight one; the number of vertices, and if it was."""
    dof = path.shape[1] - 1
    start, end = path[0, dof], path[count - 1, dof]
    t0, t1 = start + draw(state) * (end - start), start + draw(state) * (end - start)
    if t1 < t0:
        t0, t1 = t1, t0
    if t1 - t0 < _SHORTEST_S:
        return count, False
    a, b = np.empty(dof + 1), np.empty(dof + 1)
    i, k = path_at(path, count, t0, a), path_at(path, count, t1, b)
    if i == k:
        return count, False
    before = _effort(search, a, path[i + 1]) + _effort(search, path[k], b)
    for v in range(i + 1, k):
        before += _effort(search, path[v], path[v + 1])
    if _effort(search, a, b) > _GAIN * before or not _free(setting, scratch, search, margin, a, b, square):
        return count, False
    # Vertices i + 1 .. k give way to a and b; there is room, for they are at least one and the array has a spare row.
    tail = path[k + 1 : count].copy()
    if i + 3 + tail.shape[0] > path.shape[0]:
        return count, False
    path[i + 1], path[i + 2] = a, b
    for v in range(tail.shape[0]):
        path[i + 3 + v] = tail[v]
    return i + 3 + tail.shape[0], True


@njit(cache=True, error_model="numpy")
def _pull(
    setting: Setting,
    scratch: Scratch,
    search: SearchArrays,
    margin: Margin,
    path: FloatArray,
    count: int,
    state: np.ndarray,
    square: FloatArray,
) -> bool:
    """Try to bring a random vertex nearer to the clip; whether it was."""
    if count < 3:
        return False
    dof = path.shape[1] - 1
    v = 1 + min(int(draw(state) * (count - 2)), count - 3)
    moved, share = path[v].copy(), 0.3 + 0.6 * draw(state)
    for d in range(dof):
        moved[d] *= share
    if _free(setting, scratch, search, margin, path[v - 1], moved, square) and _free(
        setting, scratch, search, margin, moved, path[v + 1], square
    ):
        path[v] = moved
        return True
    return False


@njit(cache=True, error_model="numpy")
def shorten(
    setting: Setting,
    scratch: Scratch,
    search: SearchArrays,
    margin: Margin,
    path: FloatArray,
    attempts: int,
    state: np.ndarray,
) -> FloatArray:
    """A path with the same ends, not longer, nearer to the clip, still free and strictly monotone in time."""
    count, square = path.shape[0], np.empty(search.speeds.shape[0])
    room = np.empty((count + 2 * attempts + 2, path.shape[1]))
    room[:count] = path
    before = np.inf
    for attempt in range(attempts):
        if attempt % _AT_ONCE == 0:
            effort = 0.0
            for v in range(count - 1):
                effort += _effort(search, room[v], room[v + 1])
            if count < 3 or effort > _WORTHWHILE * before:
                break
            before = effort
        if attempt % 3 == 2:
            _pull(setting, scratch, search, margin, room, count, state, square)
        else:
            count, _ = _chord(setting, scratch, search, margin, room, count, state, square)
    return room[:count].copy()
