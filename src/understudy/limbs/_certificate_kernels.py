"""How long a limb's pose is known to stay free: distances over the speeds at which they can shrink.

A distance ``d`` above what a pair must keep certifies ``d / rate`` seconds before and after, where ``rate`` bounds how
fast both sides approach. Pairs of the body's own parts that come near each other in the source are not looked at here
but moment by moment (``_sourced_kernels``): where the source itself is too near no distance is left to advance by.
"""

from __future__ import annotations

import math

from understudy.collision._hit_kernels import near_solids
from understudy.collision._shape_kernels import into_solid
from understudy.collision.tables import HALF_SPACE
from understudy.core.uncounted import uncounted_inline
from understudy.limbs._gap_kernels import ball_apart, pair_apart, solid_clear
from understudy.limbs._pose_kernels import grid_place, place_limb
from understudy.limbs.tables import (
    FREE,
    PAIR,
    PAIR_KIND,
    PAIR_OTHER,
    PAIR_OWN,
    PAIR_SOURCE,
    SOLID,
    WITH_REST,
    Margin,
    Scratch,
    Setting,
)
from understudy.typing import FloatArray

#: [m] slack below which a pair counts as touching: stops endless small steps along a grazing surface.
GRAZING_M = 1e-4
#: Bounds are raised by this factor, so that rounding cannot make them too small.
_ROUNDING = 1.0 + 1e-9

#: What limits a pose: seconds certified on both sides, kind of contact, both parties, slack [m].
Certificate = tuple[float, int, int, int, float]


@uncounted_inline
def margin_at(margin: Margin, t: float) -> float:
    """Distance to keep at a time [m]."""
    from_start = margin.start_m + margin.slope * (t - margin.start_s)
    from_end = margin.end_m + margin.slope * (margin.end_s - t)
    return min(margin.least_m, from_start, from_end)


@uncounted_inline
def read_speeds(setting: Setting, scratch: Scratch, low: float, high: float) -> None:
    """Largest rates between two times; from them how fast every part moves and the two sides of every pair close in.

    Arrays are taken out of their tuples once: inside a loop every access would count references.
    """
    window = setting.window
    rates, reach, pairs, carriers = window.rates, window.reach, window.pairs, window.carriers
    speeds, turning, moves, closing = scratch.speeds, scratch.turning, scratch.moves, scratch.closing
    first, _ = grid_place(window, low)
    last, _ = grid_place(window, high)
    level = 0
    while (2 << level) <= last - first + 1:
        level += 1
    other = last - (1 << level) + 1
    for i in range(speeds.shape[0]):
        speeds[i] = max(rates[level, first, i], rates[level, other, i])
    count, rest = turning.shape[0], turning.shape[0] + 2
    own = rest + scratch.rest.shape[0]
    for c in range(moves.shape[0]):
        move = speeds[own + c]
        for i in range(count):
            move += reach[i, c] * (speeds[i] + turning[i])
        moves[c] = _ROUNDING * move
    for k in range(pairs.shape[0]):
        m, b = pairs[k, PAIR_OWN], pairs[k, PAIR_OTHER]
        if pairs[k, PAIR_KIND] == WITH_REST:
            closing[k] = moves[m] + speeds[rest + b]
            continue
        # Two parts of the limb: only joints between them matter; the other one hangs further down the chain.
        rate = speeds[own + m] + speeds[own + b]
        for i in range(3 * (carriers[m] + 1), 3 * (carriers[b] + 1)):
            rate += reach[i, b] * (speeds[i] + turning[i])
        closing[k] = _ROUNDING * rate


@uncounted_inline
def solid_start(setting: Setting, scratch: Scratch) -> int:
    """First column of the rates of moving solids."""
    window = setting.window
    return scratch.turning.shape[0] + 2 + scratch.rest.shape[0] + scratch.own.shape[0] + window.sources.shape[1]


@uncounted_inline
def pairs_certified(setting: Setting, scratch: Scratch, margin: Margin, t: float, half: float) -> Certificate:
    """Seconds certified around a placed pose by the pairs of the body's parts that are apart in the source."""
    window, closing, pairs, gaps = setting.window, scratch.closing, setting.window.pairs, setting.window.gaps
    best, kind, first, slack = half, FREE, -1, math.inf
    keep, slope = margin_at(margin, t), margin.slope
    for k in range(pairs.shape[0]):
        if pairs[k, PAIR_SOURCE] >= 0 or best <= 0.0:
            continue
        need, rate = gaps[k] + keep, slope + closing[k]
        free = pair_apart(window, scratch, k, need + rate * best) - need
        if free < GRAZING_M:
            best, kind, first, slack = 0.0, PAIR, k, free
        elif free < rate * best:
            best, kind, first, slack = free / rate, PAIR, k, free
    return best, kind, first, -1, slack


@uncounted_inline
def solids_certified(setting: Setting, scratch: Scratch, margin: Margin, t: float, half: float) -> Certificate:
    """Seconds certified around a placed pose by the limb's parts and the solids of the world."""
    window, solids, broad = setting.window, setting.solids, setting.broad
    world, rows, moves, speeds, found = scratch.world, scratch.rows, scratch.moves, scratch.speeds, scratch.found
    depths, columns, far, radii = window.depths, window.solid_columns, window.far, window.own_radii
    halves, kinds = window.own_halves, solids.kinds
    best, kind, first, second, slack = half, FREE, -1, -1, math.inf
    keep, slope, count = margin_at(margin, t), margin.slope, scratch.turning.shape[0]
    travel, turn = speeds[count], speeds[count + 1]
    fastest, approach = 0.0, 0.0
    for m in range(world.shape[0]):
        fastest = max(fastest, moves[m] + travel + turn * far[m])
    for i in range(solid_start(setting, scratch), speeds.shape[0]):
        approach = max(approach, speeds[i])
    near = near_solids(
        broad.boxes,
        broad.links,
        broad.items,
        broad.always,
        rows,
        world,
        scratch.bounds,
        scratch.every,
        keep + (fastest + approach) * half,
        found,
    )
    for n in range(near):
        i = found[n]
        moving = speeds[columns[i]] if columns[i] >= 0 else 0.0
        for m in range(world.shape[0]):
            depth = depths[m, i]
            if depth == math.inf or best <= 0.0:
                continue
            need = radii[m] + (keep if depth == 0.0 else -depth)
            rate = slope + _ROUNDING * (moves[m] + travel + turn * far[m] + moving)
            apart = ball_apart(world, m, halves[m], rows, i)
            if apart > need + rate * best:
                continue
            if kinds[i, 0] == HALF_SPACE:
                _, y, _ = into_solid(rows, i, world[m, 0], world[m, 1], world[m, 2])
                _, z, _ = into_solid(rows, i, world[m, 3], world[m, 4], world[m, 5])
                d = min(y, z)
            else:
                d = solid_clear(solids, rows, i, world, m, max(need + rate * best, need) + GRAZING_M, need)
            free = d - need
            if free < GRAZING_M:
                best, kind, first, second, slack = 0.0, SOLID, m, i, free
            elif free < rate * best:
                best, kind, first, second, slack = free / rate, SOLID, m, i, free
    return best, kind, first, second, slack


@uncounted_inline
def pose_certified(
    setting: Setting, scratch: Scratch, offset: FloatArray, margin: Margin, t: float, low: float, high: float
) -> Certificate:
    """Seconds certified on both sides of a pose, looking no further than ``low`` and ``high``; 0 on contact."""
    place_limb(setting, scratch, offset, t)
    read_speeds(setting, scratch, low, high)
    half = max(t - low, high - t)
    found = pairs_certified(setting, scratch, margin, t, half)
    if found[1] == PAIR and found[0] <= 0.0:
        return found
    other = solids_certified(setting, scratch, margin, t, min(half, found[0]))
    return other if other[1] == SOLID else found
