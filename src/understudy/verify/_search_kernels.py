"""The judge's compiled search over time (``search.py``): which moments to measure, and where an overlap could hide."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted
from understudy.typing import BoolArray, FloatArray, IntArray


@njit(cache=True)
def moments_near(near: BoolArray, first: int, stop: int) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Samples and pairs at both ends of every interval that is near, in the order of time.

    Args:
        near: ``(n - 1, pairs)`` intervals between samples to look at.
        first: First sample.
        stop: One past the last. A single sample is looked at as it is, with every pair.

    Returns:
        Sample and pair of every moment, and the moments before and after every interval.
    """
    count, pairs, intervals = 0, near.shape[1], 0
    alone = stop - first == 1
    for n in range(first, stop):
        for k in range(pairs):
            begins = n + 1 < stop and near[n, k]
            intervals += begins
            count += begins or alone or (n > first and near[n - 1, k])
    samples, items = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    lefts, rights = np.empty(intervals, dtype=np.int64), np.empty(intervals, dtype=np.int64)
    opened, row, done = np.full(pairs, -1), 0, 0
    for n in range(first, stop):
        for k in range(pairs):
            begins, ends = n + 1 < stop and near[n, k], n > first and near[n - 1, k]
            if not (begins or ends or alone):
                continue
            samples[row], items[row] = n, k
            if ends:
                lefts[done], rights[done] = opened[k], row
                done += 1
            opened[k] = row
            row += 1
    return samples, items, lefts, rights


@uncounted
def way_between(one: FloatArray, two: FloatArray) -> float:
    """How far two bodies move, together, from one moment to another [m]: of points ``(bodies, points, 3)`` on each."""
    way = 0.0
    for body in range(one.shape[0]):
        most = 0.0
        for point in range(one.shape[1]):
            x = two[body, point, 0] - one[body, point, 0]
            y = two[body, point, 1] - one[body, point, 1]
            z = two[body, point, 2] - one[body, point, 2]
            most = max(most, x * x + y * y + z * z)
        way += math.sqrt(most)
    return way


@uncounted
def could_hide(before: float, after: float, way: float, best: float, counted: float, exact: float) -> bool:
    """Whether an overlap that matters could lie between two moments of a pair.

    Args:
        before: Distance above what is allowed at the first moment [m].
        after: The same at the second.
        way: How much it can change in between [m].
        best: The pair's least so far [m].
        counted: Depth that counts [m].
        exact: How exactly depths are wanted [m].
    """
    seen = min(before, after)
    # An overlap that shows anyway is only worth a closer look when it may be the pair's deepest.
    wanted = best - exact if seen < -counted else min(seen - 2.5 * exact, -0.5 * counted)
    return 0.5 * (before + after - way) < wanted and way > 1e-9


@njit(cache=True)
def ways_of(places: FloatArray, lefts: IntArray, rights: IntArray, arc: float) -> FloatArray:
    """``(intervals,)`` [m] how much the distance of a pair can change between two of its moments.

    Args:
        places: ``(moments, bodies, points, 3)`` points that bound each body's motion [m].
        lefts: Moments before.
        rights: Moments after.
        arc: Chords are lengthened by this.
    """
    out = np.empty(len(lefts))
    for k in range(len(lefts)):
        out[k] = arc * way_between(places[lefts[k]], places[rights[k]])
    return out


@njit(cache=True)
def telling_m(ways: FloatArray, lefts: IntArray, rights: IntArray, first: int, stop: int, counted: float) -> FloatArray:
    """Distances of moments ``first`` to ``stop`` [m] above which nothing is near in the intervals beside them.

    A moment this far away leaves its neighbours, a way off, more than what counts away themselves; nothing can hide in
    between. How far away it is exactly does not matter.
    """
    out = np.full(stop - first, 2.0 * counted)
    for k in range(len(ways)):
        for moment in (lefts[k], rights[k]):
            if moment >= first:
                out[moment - first] = max(out[moment - first], ways[k] + 2.0 * counted)
    return out


@njit(cache=True)
def lower(best: FloatArray, items: IntArray, margins: FloatArray) -> None:
    """Lower each pair's least distance above what is allowed [m] to that of its moments."""
    for row in range(len(items)):
        best[items[row]] = min(best[items[row]], margins[row])


@njit(cache=True)
def hiding(
    margins: FloatArray,
    items: IntArray,
    ways: FloatArray,
    between: tuple[IntArray, IntArray],
    best: FloatArray,
    counted: float,
    exact: float,
) -> IntArray:
    """Intervals between moments in which an overlap that matters could lie.

    Args:
        margins: ``(moments,)`` distances above what is allowed [m].
        items: ``(moments,)`` pairs.
        ways: ``(intervals,)`` how much distances can change in between [m].
        between: ``(intervals,)`` moments before and after.
        best: ``(pairs,)`` least margins so far.
        counted: Depth that counts [m].
        exact: How exactly depths are wanted [m].
    """
    lefts, rights = between
    out, count = np.empty(len(lefts), dtype=np.int64), 0
    for k in range(len(lefts)):
        left, right = lefts[k], rights[k]
        if could_hide(margins[left], margins[right], ways[k], best[items[left]], counted, exact):
            out[count] = k
            count += 1
    return out[:count]
