"""Pairs of the body's own parts that are near each other in the source: no nearer than there, moment by moment.

Recorded people touch themselves: a forearm lies centimetres deep in the hip's capsule. Such a pair may be as near as
the source is at that time. On the clip itself nothing is left to advance by, so these few pairs are looked at every
grid step (or as far apart as their room certifies), and nothing else is placed for them. Between two looks 4 ms apart
two axes that are a hand's width apart come nearer by less than half a millimetre; searches look half as often, and what
comes of them is looked at again.
"""

from __future__ import annotations

import math

from understudy.core.uncounted import uncounted_inline
from understudy.limbs._certificate_kernels import margin_at, read_speeds, solid_start
from understudy.limbs._gap_kernels import axes_apart
from understudy.limbs._pose_kernels import grid_place, place_own
from understudy.limbs.tables import PAIR_KIND, PAIR_OTHER, PAIR_OWN, PAIR_SOURCE, WITH_REST, Margin, Scratch, Setting
from understudy.typing import FloatArray

#: [m] how much deeper than the source a pair may be; the judge counts from 1 mm.
SOURCE_SLACK_M = 5e-4
#: Share of the margin, beyond one that is only for certifying [m], that searches keep more than the source does; and
#: [m/s] how fast a way may be asked to open up to it.
_MORE, _NO_MORE_M, _OPENING = 0.25, 0.002, 0.05


@uncounted_inline
def offset_at(offsets: FloatArray, times: FloatArray, f: int, t: float, out: FloatArray) -> None:
    """Write the offset at a time between the moments ``f`` and ``f + 1``."""
    share = (t - times[f]) / (times[f + 1] - times[f])
    for d in range(out.shape[0]):
        out[d] = offsets[f, d] + share * (offsets[f + 1, d] - offsets[f, d])


@uncounted_inline
def more_than_source(margin: Margin, t: float) -> float:
    """Distance [m] that a search keeps more than the source does, for smoothing to use up; none at its ends."""
    most = _MORE * (margin.least_m - _NO_MORE_M)
    return max(min(most, _OPENING * (t - margin.start_s), _OPENING * (margin.end_s - t)), 0.0)


@uncounted_inline
def _room(setting: Setting, scratch: Scratch, margin: Margin, t: float) -> tuple[float, int]:
    """Seconds for which a placed pose is certified by its sourced pairs, and the pair that is too near or -1."""
    window, own, rest, closing, speeds = setting.window, scratch.own, scratch.rest, scratch.closing, scratch.speeds
    sourced, pairs, sources, places, gaps = window.sourced, window.pairs, window.sources, window.rest, window.gaps
    cell, share = grid_place(window, t)
    keep, slope, column = margin_at(margin, t), margin.slope, solid_start(setting, scratch) - sources.shape[1]
    more = more_than_source(margin, t)
    best, near = math.inf, -1
    for n in range(sourced.shape[0]):
        k = sourced[n]
        m, b, source = pairs[k, PAIR_OWN], pairs[k, PAIR_OTHER], pairs[k, PAIR_SOURCE]
        was = sources[cell, source] + share * (sources[cell + 1, source] - sources[cell, source])
        need = min(gaps[k] + keep, was - SOURCE_SLACK_M + more)
        if pairs[k, PAIR_KIND] == WITH_REST:
            for i in range(6):
                rest[b, i] = places[cell, b, i] + share * (places[cell + 1, b, i] - places[cell, b, i])
            free = axes_apart(own, m, rest, b) - need
        else:
            free = axes_apart(own, m, own, b) - need
        rate = slope + _OPENING + speeds[column + source] + closing[k]
        if free < 0.0 and near < 0:
            near = k
        if free < rate * best:
            best = free / rate
    return best, near


@uncounted_inline
def source_followed(
    setting: Setting,
    scratch: Scratch,
    margin: Margin,
    offsets: FloatArray,
    times: FloatArray,
    low: float,
    high: float,
    direction: int,
) -> tuple[float, int]:
    """The last time up to which offsets ``(n, parameters)`` at ``times (n,)`` bring no sourced pair too near.

    Looks from ``low`` to ``high``, or back with ``direction`` -1, at every other grid time, or with ``direction`` 0 at
    every one; ``scratch.turning`` bounds how fast the offsets change. Returns that time and the pair that stops it,
    or -1.
    """
    backward = direction < 0
    if setting.window.sourced.shape[0] == 0:
        return (low if backward else high), -1
    read_speeds(setting, scratch, low, high)
    step, end = setting.window.clock[1] * (1.0 if direction == 0 else 2.0), (low if backward else high)
    t = high if backward else low
    good, f = t, (times.shape[0] - 2 if backward else 0)
    while True:
        while backward and f > 0 and t < times[f]:
            f -= 1
        while not backward and f < times.shape[0] - 2 and t > times[f + 1]:
            f += 1
        offset_at(offsets, times, f, t, scratch.offset)
        place_own(setting, scratch, scratch.offset, t)
        seconds, k = _room(setting, scratch, margin, t)
        if k >= 0:
            return good, k
        good = t
        if t == end:
            return end, -1
        t = max(t - max(step, seconds), end) if backward else min(t + max(step, seconds), end)
