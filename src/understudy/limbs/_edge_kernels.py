"""Whether a limb may move from one pose and time to another (methods.md M1, paper §4.1 line 5).

Between them parameters are interpolated linearly on top of the clip, and time passes evenly. A distance ``d`` above
what a pair must keep certifies ``d / rate`` seconds before and after, where ``rate`` bounds how fast both sides
approach; stretches between certified ones are halved until none is left, so nothing tunnels (conservative advancement
in bisection order, or forwards from the start where partial progress is wanted).

A pair of the body's own parts may be as deep as the source is at that time, no deeper: where the source itself is
too near no clearance is left to advance by, and such a pair alone is looked at every half grid step.
"""

from __future__ import annotations

import math

from numba import njit

from understudy.collision._hit_kernels import near_solids
from understudy.collision.tables import BOUND, CENTRE
from understudy.limbs._gap_kernels import axes_apart, solid_gap
from understudy.limbs._pose_kernels import breaks_limits, grid_place, place_limb
from understudy.limbs.tables import (
    FREE,
    LIMIT,
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
from understudy.typing import FloatArray, IntArray

#: [m] slack below which a pair counts as touching: stops endless small steps along a grazing surface.
_GRAZING_M = 1e-4
#: [m] how much deeper than the source a pair may be; the judge counts from 1 mm.
SOURCE_SLACK_M = 5e-4
#: Bounds are raised by this factor, so that rounding cannot make them too small.
_ROUNDING = 1.0 + 1e-9

#: What limits a pose: seconds certified on both sides, kind of contact, both parties, slack [m].
Certificate = tuple[float, int, int, int, float]


@njit(cache=True)
def margin_at(margin: Margin, t: float) -> float:
    """Distance to keep at a time [m]."""
    from_start = margin.start_m + margin.slope * (t - margin.start_s)
    from_end = margin.end_m + margin.slope * (margin.end_s - t)
    return min(margin.least_m, from_start, from_end)


@njit(cache=True)
def read_speeds(setting: Setting, scratch: Scratch, low: float, high: float) -> None:
    """Largest rates between two times, and from them how fast every part moves against the limb's parent."""
    rates, speeds, window = setting.window.rates, scratch.speeds, setting.window
    first, _ = grid_place(window, low)
    last, _ = grid_place(window, high)
    level = 0
    while (2 << level) <= last - first + 1:
        level += 1
    other = last - (1 << level) + 1
    for i in range(speeds.shape[0]):
        speeds[i] = max(rates[level, first, i], rates[level, other, i])
    count, parts = scratch.turning.shape[0], scratch.moves.shape[0]
    own = count + 2 + scratch.rest.shape[0]
    for c in range(parts):
        move = speeds[own + c]
        for i in range(count):
            move += window.reach[i, c] * (speeds[i] + scratch.turning[i])
        scratch.moves[c] = _ROUNDING * move


@njit(cache=True)
def _pair_rate(setting: Setting, scratch: Scratch, k: int) -> float:
    """How fast the two sides of a pair can approach each other [m/s]."""
    window = setting.window
    m, other = window.pairs[k, PAIR_OWN], window.pairs[k, PAIR_OTHER]
    count = scratch.turning.shape[0]
    if window.pairs[k, PAIR_KIND] == WITH_REST:
        return scratch.moves[m] + scratch.speeds[count + 2 + other]
    # Two parts of the limb: only joints between them matter; ``other`` hangs further down the chain.
    own = count + 2 + scratch.rest.shape[0]
    rate = scratch.speeds[own + m] + scratch.speeds[own + other]
    for i in range(3 * (window.carriers[m] + 1), 3 * (window.carriers[other] + 1)):
        rate += window.reach[i, other] * (scratch.speeds[i] + scratch.turning[i])
    return _ROUNDING * rate


@njit(cache=True)
def _solid_start(setting: Setting, scratch: Scratch) -> int:
    """First column of the rates of moving solids."""
    window = setting.window
    return scratch.turning.shape[0] + 2 + scratch.rest.shape[0] + scratch.own.shape[0] + window.sources.shape[1]


@njit(cache=True)
def pairs_certified(setting: Setting, scratch: Scratch, margin: Margin, t: float, half: float) -> Certificate:
    """Seconds certified around a placed pose by the pairs of the body's parts."""
    window, own = setting.window, scratch.own
    best, kind, first, second, slack = half, FREE, -1, -1, math.inf
    keep = margin_at(margin, t)
    cell, share = grid_place(window, t)
    source_column = _solid_start(setting, scratch) - window.sources.shape[1]
    for k in range(window.pairs.shape[0]):
        m, other, source = window.pairs[k, PAIR_OWN], window.pairs[k, PAIR_OTHER], window.pairs[k, PAIR_SOURCE]
        with_rest = window.pairs[k, PAIR_KIND] == WITH_REST
        them = scratch.rest if with_rest else own
        halves = window.own_halves[m] + (window.rest_halves[other] if with_rest else window.own_halves[other])
        need, rate, sourced = window.gaps[k] + keep, margin.slope, False
        if source >= 0:
            was = window.sources[cell, source] + share * (
                window.sources[cell + 1, source] - window.sources[cell, source]
            )
            sourced = was - SOURCE_SLACK_M < need
            need = min(need, was - SOURCE_SLACK_M)
            rate += scratch.speeds[source_column + source]
        x, y, z = own[m, 6] - them[other, 6], own[m, 7] - them[other, 7], own[m, 8] - them[other, 8]
        rate += _pair_rate(setting, scratch, k)
        if math.sqrt(x * x + y * y + z * z) - halves > need + rate * best:
            continue
        apart = axes_apart(own, m, them, other)
        free = apart - need
        if free < (0.0 if sourced else _GRAZING_M):
            return 0.0, PAIR, k, -1, free
        seconds = free / rate if rate > 0.0 else math.inf
        if sourced:
            seconds = max(seconds, 0.5 * window.clock[1])
        if seconds < best:
            best, kind, first, second, slack = seconds, PAIR, k, -1, free
    return best, kind, first, second, slack


@njit(cache=True)
def solids_certified(setting: Setting, scratch: Scratch, margin: Margin, t: float, half: float) -> Certificate:
    """Seconds certified around a placed pose by the limb's parts and the solids of the world."""
    window, world, rows, solids, broad = setting.window, scratch.world, scratch.rows, setting.solids, setting.broad
    best, kind, first, second, slack = half, FREE, -1, -1, math.inf
    keep = margin_at(margin, t)
    count, columns = scratch.turning.shape[0], window.solid_columns
    travel, turn = scratch.speeds[count], scratch.speeds[count + 1]
    fastest = 0.0
    for m in range(world.shape[0]):
        fastest = max(fastest, scratch.moves[m] + travel + turn * window.far[m])
    approach = 0.0
    for i in range(_solid_start(setting, scratch), scratch.speeds.shape[0]):
        approach = max(approach, scratch.speeds[i])
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
        scratch.found,
    )
    for n in range(near):
        i = scratch.found[n]
        moving = scratch.speeds[columns[i]] if columns[i] >= 0 else 0.0
        for m in range(world.shape[0]):
            depth = window.depths[m, i]
            if depth == math.inf:
                continue
            need = window.own_radii[m] + (keep if depth == 0.0 else -depth)
            rate = margin.slope + _ROUNDING * (scratch.moves[m] + travel + turn * window.far[m] + moving)
            x, y, z = (
                world[m, 6] - rows[i, CENTRE],
                world[m, 7] - rows[i, CENTRE + 1],
                world[m, 8] - rows[i, CENTRE + 2],
            )
            apart = math.sqrt(x * x + y * y + z * z) - window.own_halves[m] - rows[i, BOUND]
            if apart > need + rate * best:
                continue
            d = solid_gap(solids, rows, i, world, m, max(need + rate * best, need) + _GRAZING_M)
            free = d - need
            if free < _GRAZING_M:
                return 0.0, SOLID, m, i, free
            if free < rate * best:
                best, kind, first, second, slack = free / rate, SOLID, m, i, free
    return best, kind, first, second, slack


@njit(cache=True)
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


@njit(cache=True)
def _broken_frame(setting: Setting, scratch: Scratch, t0: float, t1: float) -> tuple[float, int]:
    """Time of the first frame or end at which a joint leaves its limits, and the joint; infinite when none does."""
    start, end = scratch.start, scratch.end
    clock = setting.window.clock
    frame = clock[1] * clock[2]
    t = t0
    while True:
        share = (t - t0) / (t1 - t0)
        for d in range(start.shape[0]):
            scratch.offset[d] = start[d] + share * (end[d] - start[d])
        joint = breaks_limits(setting, scratch, scratch.offset, t)
        if joint >= 0:
            return t, joint
        if t >= t1:
            return math.inf, -1
        t = min(clock[0] + frame * (math.floor((t - clock[0]) / frame + 1e-6) + 1.0), t1)


@njit(cache=True)
def edge_reaches(
    setting: Setting, scratch: Scratch, t0: float, t1: float, margin: Margin, direction: int
) -> tuple[float, int, int, int, int]:
    """How far the move from ``scratch.start`` at ``t0`` to ``scratch.end`` at ``t1`` is certified free.

    ``direction`` 0 looks anywhere first and answers for the whole move: its end ``t1`` when it is free, else ``t0``.
    1 and -1 advance from ``t0`` or back from ``t1`` and answer the last time certified from there.

    Returns that time, what stopped it (kind and both parties) and how many poses were looked at.
    """
    backward, start, end = direction < 0, scratch.start, scratch.end
    failed = t1 if backward else t0
    passed = t0 if backward else t1
    if not t1 > t0:
        return failed, LIMIT, -1, -1, 0
    broken, joint = _broken_frame(setting, scratch, t0, t1)
    if broken < math.inf and direction == 0:
        return failed, LIMIT, joint, -1, 0
    low_end, high_end = t0, t1
    if broken < math.inf:
        if backward:
            # Limits were looked at forwards; the stretch behind the last break is not known.
            return failed, LIMIT, joint, -1, 0
        frame = setting.window.clock[1] * setting.window.clock[2]
        high_end = broken - frame
        if high_end <= t0:
            return failed, LIMIT, joint, -1, 0
    for i in range(scratch.turning.shape[0]):
        rate = 0.0
        for d in range(start.shape[0]):
            rate += setting.space.spread[i, d] * (end[d] - start[d])
        scratch.turning[i] = abs(rate) / (t1 - t0)
    gaps = scratch.gaps
    gaps[0, 0], gaps[0, 1] = low_end, high_end
    reading, writing, looked, room = 0, 1, 0, gaps.shape[0]
    good = failed
    while reading < writing:
        low, high = gaps[reading, 0], gaps[reading, 1]
        reading += 1
        t = 0.5 * (low + high) if direction == 0 else (high if backward else low)
        share = (t - t0) / (t1 - t0)
        for d in range(start.shape[0]):
            scratch.offset[d] = start[d] + share * (end[d] - start[d])
        free, kind, first, second, _ = pose_certified(setting, scratch, scratch.offset, margin, t, low, high)
        looked += 1
        half = max(t - low, high - t)
        if free >= half:
            continue
        if free <= 0.0 or writing + 2 > room:
            # The last certified time touches by definition: stop half way to it.
            return (failed if direction == 0 else 0.5 * (good + t)), kind, first, second, looked
        good = t
        if direction == 0:
            gaps[writing, 0], gaps[writing, 1] = low, t - free
            gaps[writing + 1, 0], gaps[writing + 1, 1] = t + free, high
            writing += 2
        else:
            gaps[writing, 0], gaps[writing, 1] = (low, t - free) if backward else (t + free, high)
            writing += 1
    if high_end < t1:
        return high_end, LIMIT, joint, -1, looked
    return passed, FREE, -1, -1, looked


@njit(cache=True)
def set_edge(scratch: Scratch, start: FloatArray, end: FloatArray) -> None:
    """Copy the ends of an edge to where :func:`edge_reaches` looks; rows may have their time last."""
    for d in range(scratch.start.shape[0]):
        scratch.start[d], scratch.end[d] = start[d], end[d]


@njit(cache=True)
def frame_faults(
    setting: Setting,
    scratch: Scratch,
    margin: Margin,
    offsets: FloatArray,
    times: FloatArray,
    all_frames: bool,
    out: IntArray,
) -> int:
    """First frame after which offsets ``(frames, parameters)`` are not certified free, or -1.

    Writes what stops them there (kind and both parties) into ``out (frames - 1, 3)``; with ``all_frames`` after every
    frame.
    """
    first = -1
    for f in range(times.shape[0] - 1):
        set_edge(scratch, offsets[f], offsets[f + 1])
        _, kind, one, two, _ = edge_reaches(setting, scratch, times[f], times[f + 1], margin, 0)
        out[f, 0], out[f, 1], out[f, 2] = kind, one, two
        if kind != FREE and first < 0:
            first = f
            if not all_frames:
                break
    return first
