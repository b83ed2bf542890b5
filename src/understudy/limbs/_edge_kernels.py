"""Whether a limb may move from one pose and time to another ([Limbs], paper §4.1 line 5).

Between them parameters are interpolated linearly on top of the clip, and time passes evenly. Every pose looked at
certifies some time around it (``_certificate_kernels``); stretches between certified ones are halved until none is
left, so nothing tunnels (conservative advancement in bisection order, or forwards from the start where partial progress
is wanted).

A pair of the body's own parts may be as deep as the source is at that time, no deeper (``_sourced_kernels``).
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted
from understudy.limbs._certificate_kernels import pose_certified
from understudy.limbs._pose_kernels import breaks_limits
from understudy.limbs._sourced_kernels import offset_at, source_followed
from understudy.limbs.tables import FREE, LIMIT, PAIR, Margin, Scratch, Setting
from understudy.typing import FloatArray, IntArray

#: Moments ahead for which a pose of a path may be certified.
_AHEAD = 10
#: [s] least time a pose of a path is taken to be certified for: less than grazing distance over any speed.
_LEAST_S = 1e-5

#: A time, what stopped a move there (kind and both parties), and poses looked at.
Reached = tuple[float, int, int, int, int]


@uncounted
def _broken_frame(setting: Setting, scratch: Scratch, t0: float, t1: float) -> tuple[float, int]:
    """Time of the first frame or end at which a joint leaves its limits, and the joint; infinite when none does."""
    start, end = scratch.ends[0], scratch.ends[1]
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


@uncounted
def _set_turning(setting: Setting, scratch: Scratch, t0: float, t1: float) -> None:
    """How fast an edge turns every coordinate."""
    spread, ends = setting.space.spread, scratch.ends
    for i in range(scratch.turning.shape[0]):
        rate = 0.0
        for d in range(ends.shape[1]):
            rate += spread[i, d] * (ends[1, d] - ends[0, d])
        scratch.turning[i] = abs(rate) / (t1 - t0)


@uncounted
def _advanced(
    setting: Setting, scratch: Scratch, t0: float, t1: float, high_end: float, margin: Margin, direction: int
) -> Reached:
    """:func:`edge_reaches` up to ``high_end`` as far as all but limits and sourced pairs go."""
    backward, ends, times = direction < 0, scratch.ends, scratch.span
    times[0], times[1] = t0, t1
    failed = t1 if backward else t0
    gaps = scratch.gaps
    gaps[0, 0], gaps[0, 1] = t0, high_end
    reading, writing, looked, room = 0, 1, 0, gaps.shape[0]
    good = failed
    while reading < writing:
        low, high = gaps[reading, 0], gaps[reading, 1]
        reading += 1
        t = 0.5 * (low + high) if direction == 0 else (high if backward else low)
        offset_at(ends, times, 0, t, scratch.offset)
        free, kind, first, second, _ = pose_certified(setting, scratch, scratch.offset, margin, t, low, high)
        looked += 1
        if free >= max(t - low, high - t):
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
    return (t0 if backward else high_end), FREE, -1, -1, looked


@uncounted
def edge_reaches(setting: Setting, scratch: Scratch, t0: float, t1: float, margin: Margin, direction: int) -> Reached:
    """How far the move from ``scratch.ends[0]`` at ``t0`` to ``scratch.ends[1]`` at ``t1`` is certified free.

    ``direction`` 0 looks anywhere first and answers for the whole move: its end ``t1`` when it is free, else ``t0``.
    1 and -1 advance from ``t0`` or back from ``t1`` and answer the last time certified from there.

    Returns that time, what stopped it (kind and both parties) and how many poses were looked at.
    """
    backward = direction < 0
    failed = t1 if backward else t0
    if not t1 > t0:
        return failed, LIMIT, -1, -1, 0
    broken, joint = _broken_frame(setting, scratch, t0, t1)
    high_end = t1
    if broken < math.inf:
        # Limits were looked at forwards; backwards the stretch behind the last break is not known.
        high_end = broken - setting.window.clock[1] * setting.window.clock[2]
        if direction <= 0 or high_end <= t0:
            return failed, LIMIT, joint, -1, 0
    _set_turning(setting, scratch, t0, t1)
    reached, kind, first, second, looked = _advanced(setting, scratch, t0, t1, high_end, margin, direction)
    if reached == failed:
        return failed, kind, first, second, looked
    low, high = (reached, t1) if backward else (t0, reached)
    followed, pair = source_followed(
        setting, scratch, margin, scratch.ends, scratch.span, low, high, -1 if backward else 1
    )
    if pair >= 0:
        return (failed if direction == 0 else followed), PAIR, pair, -1, looked
    if kind == FREE and high_end < t1:
        return high_end, LIMIT, joint, -1, looked
    return reached, kind, first, second, looked


@uncounted
def set_edge(scratch: Scratch, start: FloatArray, end: FloatArray) -> None:
    """Copy the ends of an edge to where :func:`edge_reaches` looks; rows may have their time last."""
    for d in range(scratch.ends.shape[1]):
        scratch.ends[0, d], scratch.ends[1, d] = start[d], end[d]


@njit(cache=True, error_model="numpy")
def _path_turning(setting: Setting, offsets: FloatArray, times: FloatArray) -> FloatArray:
    """``(n - 1, coordinates)`` [rad/s] how fast every coordinate is turned by a path between its moments."""
    spread = setting.space.spread
    out = np.zeros((times.shape[0] - 1, spread.shape[0]))
    for f in range(out.shape[0]):
        for i in range(spread.shape[0]):
            rate = 0.0
            for d in range(spread.shape[1]):
                rate += spread[i, d] * (offsets[f + 1, d] - offsets[f, d])
            out[f, i] = abs(rate) / (times[f + 1] - times[f])
    return out


@uncounted
def _blamed(out: IntArray, f: int, kind: int, one: int, two: int) -> None:
    if out[f, 0] == FREE:
        out[f, 0], out[f, 1], out[f, 2] = kind, one, two


@uncounted
def _limits_blamed(setting: Setting, scratch: Scratch, offsets: FloatArray, times: FloatArray, out: IntArray) -> None:
    """Blame both sides of every moment at which a joint is outside its limits."""
    for f in range(times.shape[0]):
        joint = breaks_limits(setting, scratch, offsets[f], times[f])
        if joint >= 0:
            _blamed(out, max(f - 1, 0), LIMIT, joint, -1)
            _blamed(out, min(f, out.shape[0] - 1), LIMIT, joint, -1)


@uncounted
def _first_blamed(out: IntArray) -> int:
    for f in range(out.shape[0]):
        if out[f, 0] != FREE:
            return f
    return -1


@njit(cache=True, error_model="numpy")
def frame_faults(
    setting: Setting,
    scratch: Scratch,
    margin: Margin,
    offsets: FloatArray,
    times: FloatArray,
    all_frames: bool,
    out: IntArray,
) -> int:
    """First moment after which offsets ``(n, parameters)``, straight between moments, are not certified free, or -1.

    Writes what stops them (kind and both parties) into ``out (n - 1, 3)``: after every moment with ``all_frames``, else
    only until something does.
    """
    count = times.shape[0] - 1
    for f in range(count):
        out[f, 0], out[f, 1], out[f, 2] = FREE, -1, -1
    _limits_blamed(setting, scratch, offsets, times, out)
    if not all_frames and _first_blamed(out) >= 0:
        return _first_blamed(out)
    return _faults_between(
        setting, scratch, margin, offsets, times, all_frames, _path_turning(setting, offsets, times), out
    )


@uncounted
def _faults_between(
    setting: Setting,
    scratch: Scratch,
    margin: Margin,
    offsets: FloatArray,
    times: FloatArray,
    all_frames: bool,
    rates: FloatArray,
    out: IntArray,
) -> int:
    """:func:`frame_faults` between the moments, whose turning ``rates (n - 1, coordinates)`` are known [rad/s]."""
    count, f, t = times.shape[0] - 1, 0, times[0]
    while f < count:
        last = min(f + _AHEAD, count)
        for i in range(scratch.turning.shape[0]):
            most = 0.0
            for k in range(f, last):
                most = max(most, rates[k, i])
            scratch.turning[i] = most
        offset_at(offsets, times, f, t, scratch.offset)
        free, kind, one, two, _ = pose_certified(setting, scratch, scratch.offset, margin, t, t, times[last])
        if free <= 0.0:
            _blamed(out, f, kind, one, two)
            if not all_frames:
                return f
            t = times[f + 1]
        else:
            t = min(t + max(free, _LEAST_S), times[last])
        while f < count and times[f + 1] <= t:
            f += 1
    for f in range(count):
        for i in range(scratch.turning.shape[0]):
            scratch.turning[i] = rates[f, i]
        pair_ends, span = offsets[f : f + 2], times[f : f + 2]
        _, pair = source_followed(setting, scratch, margin, pair_ends, span, span[0], span[1], 0)
        if pair >= 0:
            _blamed(out, f, PAIR, pair, -1)
            if not all_frames:
                return f
    return _first_blamed(out)
