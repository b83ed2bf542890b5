"""The judge's compiled search over time (``search.py``): which moments to measure, and where an overlap could hide."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

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
        one, two, way = places[lefts[k]], places[rights[k]], 0.0
        for body in range(places.shape[1]):
            most = 0.0
            for point in range(places.shape[2]):
                x = two[body, point, 0] - one[body, point, 0]
                y = two[body, point, 1] - one[body, point, 1]
                z = two[body, point, 2] - one[body, point, 2]
                most = max(most, x * x + y * y + z * z)
            way += math.sqrt(most)
        out[k] = arc * way
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
        one, two = margins[lefts[k]], margins[rights[k]]
        seen = min(one, two)
        # An overlap that shows anyway is only worth a closer look when it may be the pair's deepest.
        wanted = best[items[lefts[k]]] - exact if seen < -counted else min(seen - 2.5 * exact, -0.5 * counted)
        if 0.5 * (one + two - ways[k]) < wanted and ways[k] > 1e-9:
            out[count] = k
            count += 1
    return out[:count]
