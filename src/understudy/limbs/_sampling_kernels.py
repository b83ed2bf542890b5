"""What a search may do and where it looks: speed limits, distances and random samples of poses and times."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy.compiling.kernel import njit
from understudy.limbs._pose_kernels import grid_place
from understudy.limbs._random_kernels import draw
from understudy.limbs.tables import Setting
from understudy.typing import FloatArray, IntArray

#: How far samples near a node lie from it: share of ``near_rad``, and [s].
_LOCAL, _LOCAL_S = 0.3, 0.25
#: Share of samples near a hint where there are any, and how far they lie from it: share of ``near_rad``, and [s].
_HINTED, _HINT, _HINT_S = 0.4, 0.15, 0.06


class SearchArrays(NamedTuple):
    """How to sample and how fast a limb may move.

    Attributes:
        intervals: ``(4, parameters)`` [rad] biased low and high, full low and high.
        weights: ``(parameters,)`` [m/rad] how far a parameter moves the limb.
        groups: ``(parameters,)`` which speed limit a parameter shares: one per joint.
        speeds: ``(groups,)`` [rad/s] limits of offsets.
        near_rad: ``(parameters,)`` largest offset of samples near the clip [rad].
        hints: ``(n, parameters + 1)`` offsets [rad] and times [s] that a way may well lead past.
    """

    intervals: FloatArray
    weights: FloatArray
    groups: IntArray
    speeds: FloatArray
    near_rad: FloatArray
    hints: FloatArray


class SearchNumbers(NamedTuple):
    """Numbers of a search.

    Attributes:
        iterations: How many samples at most.
        widened: After how many samples the biased intervals have become the full ones.
        near_share: Share of samples near the clip.
        local_share: Share of samples near a node of the growing tree, for narrow places.
        step_s: Longest edge a tree grows by [s].
        shortcuts: Attempts at shortening the path.
    """

    iterations: int
    widened: int
    near_share: float
    local_share: float
    step_s: float
    shortcuts: int


@njit(cache=True, forceinline=True, error_model="numpy")
def needed_s(groups: IntArray, speeds: FloatArray, a: FloatArray, b: FloatArray, square: FloatArray) -> float:
    """Least time [s] in which offsets ``a`` can become ``b``; ``square (groups,)`` is room to work."""
    square[:] = 0.0
    for d in range(groups.shape[0]):
        square[groups[d]] += (b[d] - a[d]) ** 2
    longest = 0.0
    for g in range(square.shape[0]):
        longest = max(longest, math.sqrt(square[g]) / speeds[g])
    return longest


@njit(cache=True, forceinline=True, error_model="numpy")
def apart_m(weights: FloatArray, a: FloatArray, b: FloatArray) -> float:
    """Distance of two offsets by how far they move the limb [m]."""
    total = 0.0
    for d in range(weights.shape[0]):
        total += (weights[d] * (b[d] - a[d])) ** 2
    return math.sqrt(total)


@njit(cache=True, error_model="numpy")
def draw_sample(
    setting: Setting,
    search: SearchArrays,
    numbers: SearchNumbers,
    done: int,
    start_s: float,
    end_s: float,
    state: np.ndarray,
    sample: FloatArray,
) -> None:
    """A random pose and time, near the clip or within the sampling intervals, which widen as samples are drawn."""
    dof = search.weights.shape[0]
    t = start_s + draw(state) * (end_s - start_s)
    sample[dof] = t
    wide = min(1.0, done / max(1, numbers.widened))
    near = draw(state) < numbers.near_share
    cell, share = grid_place(setting.window, t)
    table, spread = setting.window.coordinates, setting.space.spread
    for d in range(dof):
        here = 0.0
        for i in range(spread.shape[0]):
            if spread[i, d] > 0.0:
                here += table[cell, i] + share * (table[cell + 1, i] - table[cell, i])
        low = search.intervals[0, d] + wide * (search.intervals[2, d] - search.intervals[0, d])
        high = search.intervals[1, d] + wide * (search.intervals[3, d] - search.intervals[1, d])
        if near:
            value = (2.0 * draw(state) - 1.0) * search.near_rad[d] * (0.25 + 0.75 * wide)
            sample[d] = min(max(here + value, search.intervals[2, d]), search.intervals[3, d]) - here
        else:
            sample[d] = low + draw(state) * (high - low) - here


@njit(cache=True, error_model="numpy")
def draw_local(
    search: SearchArrays,
    nodes: FloatArray,
    count: int,
    sign: int,
    span: FloatArray,
    state: np.ndarray,
    sample: FloatArray,
) -> None:
    """A random pose and time near a random node of a tree, on the side of it to which the tree grows."""
    dof = search.weights.shape[0]
    i = min(int(draw(state) * count), count - 1)
    for d in range(dof):
        sample[d] = nodes[i, d] + (2.0 * draw(state) - 1.0) * _LOCAL * search.near_rad[d]
    sample[dof] = min(max(nodes[i, dof] + sign * draw(state) * _LOCAL_S, span[0]), span[1])


@njit(cache=True, error_model="numpy")
def draw_hinted(search: SearchArrays, span: FloatArray, state: np.ndarray, sample: FloatArray) -> bool:
    """A random pose and time near a hint, now and then; whether one was drawn."""
    hints, near = search.hints, search.near_rad
    count, dof = hints.shape[0], near.shape[0]
    if count == 0 or draw(state) >= _HINTED:
        return False
    i = min(int(draw(state) * count), count - 1)
    for d in range(dof):
        sample[d] = hints[i, d] + (2.0 * draw(state) - 1.0) * _HINT * near[d]
    sample[dof] = min(max(hints[i, dof] + (2.0 * draw(state) - 1.0) * _HINT_S, span[0]), span[1])
    return True
