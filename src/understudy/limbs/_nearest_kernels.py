"""The nearest pair of a limb's pose: what touches, or would touch first."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from understudy.collision._shape_kernels import solid_signed
from understudy.collision.tables import BOUND, CENTRE
from understudy.limbs._edge_kernels import SOURCE_SLACK_M
from understudy.limbs._gap_kernels import axes_apart
from understudy.limbs._pose_kernels import breaks_limits, grid_place, place_limb
from understudy.limbs.tables import (
    FREE,
    PAIR,
    PAIR_KIND,
    PAIR_OTHER,
    PAIR_OWN,
    PAIR_SOURCE,
    SOLID,
    WITH_REST,
    Scratch,
    Setting,
)
from understudy.typing import FloatArray, IntArray


@njit(cache=True)
def _nearest_own(setting: Setting, scratch: Scratch, t: float, within: float) -> tuple[float, int]:
    """Least slack [m] of the body's own pairs and the pair."""
    window, own = setting.window, scratch.own
    best, found = within, -1
    cell, share = grid_place(window, t)
    for k in range(window.pairs.shape[0]):
        m, other, source = window.pairs[k, PAIR_OWN], window.pairs[k, PAIR_OTHER], window.pairs[k, PAIR_SOURCE]
        them = scratch.rest if window.pairs[k, PAIR_KIND] == WITH_REST else own
        apart = axes_apart(own, m, them, other)
        need, sourced = window.gaps[k], False
        if source >= 0:
            was = window.sources[cell, source] + share * (
                window.sources[cell + 1, source] - window.sources[cell, source]
            )
            sourced = was - SOURCE_SLACK_M < need
            need = min(need, was - SOURCE_SLACK_M)
        slack = apart - need
        # Where the source itself is too near there is no room to have; only being nearer still counts.
        if slack < best and not (sourced and slack >= 0.0):
            best, found = slack, k
    return best, found


@njit(cache=True)
def nearest_pair(
    setting: Setting, scratch: Scratch, offset: FloatArray, t: float, within: float
) -> tuple[float, int, int, int]:
    """Least slack [m] before something touches, at most ``within``, and what: kind and both parties."""
    place_limb(setting, scratch, offset, t)
    window, world, rows = setting.window, scratch.world, scratch.rows
    best, pair = _nearest_own(setting, scratch, t, within)
    kind, first, second = (PAIR, pair, -1) if pair >= 0 else (FREE, -1, -1)
    for i in range(rows.shape[0]):
        for m in range(world.shape[0]):
            depth = window.depths[m, i]
            need = window.own_radii[m] - depth
            x, y, z = (
                world[m, 6] - rows[i, CENTRE],
                world[m, 7] - rows[i, CENTRE + 1],
                world[m, 8] - rows[i, CENTRE + 2],
            )
            apart = math.sqrt(x * x + y * y + z * z) - window.own_halves[m] - rows[i, BOUND]
            if depth == math.inf or apart - need > best:
                continue
            d, _, _, _, _ = solid_signed(
                setting.solids,
                rows,
                i,
                world[m, 0],
                world[m, 1],
                world[m, 2],
                world[m, 3],
                world[m, 4],
                world[m, 5],
            )
            if d - need < best:
                best, kind, first, second = d - need, SOLID, m, i
    return best, kind, first, second


@njit(cache=True)
def free_postures(
    setting: Setting, scratch: Scratch, offsets: FloatArray, t: float, clear_m: float, blame: IntArray
) -> int:
    """How many of ``offsets (n, parameters)`` are within limits and free at a time; counts what blocks the others.

    ``blame (solids + 1,)`` counts solids, and the body itself last. Stops at the first free one.
    """
    for i in range(offsets.shape[0]):
        if breaks_limits(setting, scratch, offsets[i], t) >= 0:
            continue
        slack, kind, _, second = nearest_pair(setting, scratch, offsets[i], t, 0.02)
        if slack >= clear_m:
            return 1
        blame[second if kind == SOLID else blame.shape[0] - 1] += 1
    return 0


@njit(cache=True)
def clip_slacks(setting: Setting, scratch: Scratch, times: FloatArray, out: FloatArray) -> None:
    """Write :func:`nearest_pair` of the clip itself at every time into ``out (n, 4)``."""
    still = np.zeros(setting.space.spread.shape[1])
    for f in range(times.shape[0]):
        slack, kind, first, second = nearest_pair(setting, scratch, still, times[f], 0.01)
        out[f, 0], out[f, 1], out[f, 2], out[f, 3] = slack, kind, first, second
