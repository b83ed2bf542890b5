"""The nearest pair of a limb's pose: what touches, or would touch first."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted, uncounted_inline
from understudy.limbs._gap_kernels import ball_apart, pair_apart, solid_within
from understudy.limbs._pose_kernels import breaks_limits, grid_place, place_limb
from understudy.limbs._sourced_kernels import SOURCE_SLACK_M
from understudy.limbs.tables import (
    FREE,
    PAIR,
    PAIR_SOURCE,
    SOLID,
    Scratch,
    Setting,
)
from understudy.typing import FloatArray


@uncounted_inline
def nearest_own(setting: Setting, scratch: Scratch, t: float, within: float) -> tuple[float, int]:
    """Least slack [m] of the body's own pairs and the pair."""
    window, pairs, gaps, sources = setting.window, setting.window.pairs, setting.window.gaps, setting.window.sources
    best, found = within, -1
    cell, share = grid_place(window, t)
    for k in range(pairs.shape[0]):
        source, need, sourced = pairs[k, PAIR_SOURCE], gaps[k], False
        if source >= 0:
            was = sources[cell, source] + share * (sources[cell + 1, source] - sources[cell, source])
            sourced = was - SOURCE_SLACK_M < need
            need = min(need, was - SOURCE_SLACK_M)
        slack = pair_apart(window, scratch, k, need + best) - need
        # Where the source itself is too near there is no room to have; only being nearer still counts.
        if slack < best and not (sourced and slack >= 0.0):
            best, found = slack, k
    return best, found


@uncounted
def nearest_pair(
    setting: Setting, scratch: Scratch, offset: FloatArray, t: float, within: float
) -> tuple[float, int, int, int]:
    """Least slack [m] before something touches, at most ``within``, and what: kind and both parties."""
    place_limb(setting, scratch, offset, t)
    window, solids, world, rows = setting.window, setting.solids, scratch.world, scratch.rows
    depths, radii, halves = window.depths, window.own_radii, window.own_halves
    best, pair = nearest_own(setting, scratch, t, within)
    kind, first, second = (PAIR, pair, -1) if pair >= 0 else (FREE, -1, -1)
    for i in range(rows.shape[0]):
        for m in range(world.shape[0]):
            need = radii[m] - depths[m, i]
            apart = ball_apart(world, m, halves[m], rows, i)
            if need == -math.inf or apart - need > best:
                continue
            d = solid_within(solids, rows, i, world, m, max(need + best, 0.0) + 1e-9)
            if d - need < best:
                best, kind, first, second = d - need, SOLID, m, i
    return best, kind, first, second


@njit(cache=True, error_model="numpy")
def free_postures(
    setting: Setting, scratch: Scratch, offsets: FloatArray, t: float, kept_m: float, out: FloatArray
) -> int:
    """How many of ``offsets (n, parameters)`` are within limits at a time and keep ``kept_m`` from everything.

    Writes them into ``out`` until it is full.
    """
    count = 0
    for i in range(offsets.shape[0]):
        if breaks_limits(setting, scratch, offsets[i], t) >= 0:
            continue
        if nearest_pair(setting, scratch, offsets[i], t, kept_m)[1] == FREE:
            out[count] = offsets[i]
            count += 1
            if count == out.shape[0]:
                break
    return count


@njit(cache=True, error_model="numpy")
def clip_slacks(setting: Setting, scratch: Scratch, times: FloatArray, out: FloatArray) -> None:
    """Write :func:`nearest_pair` of the clip itself at every time into ``out (n, 4)``."""
    still = np.zeros(setting.space.spread.shape[1])
    for f in range(times.shape[0]):
        slack, kind, first, second = nearest_pair(setting, scratch, still, times[f], 0.01)
        out[f, 0], out[f, 1], out[f, 2], out[f, 3] = slack, kind, first, second


@njit(cache=True, error_model="numpy")
def placed_parts(setting: Setting, scratch: Scratch, offsets: FloatArray, times: FloatArray, out: FloatArray) -> None:
    """Both ends of the limb's parts in the world ``out (n, parts, 6)`` [m], offsets ``(n, parameters)`` added."""
    for n in range(times.shape[0]):
        place_limb(setting, scratch, offsets[n], times[n])
        for c in range(out.shape[1]):
            for i in range(6):
                out[n, c, i] = scratch.world[c, i]
