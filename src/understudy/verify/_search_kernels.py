"""The judge's compiled search over time (``search.py``): which moments to measure first."""

from __future__ import annotations

import numpy as np

from understudy.compiling.kernel import njit
from understudy.typing import BoolArray, IntArray


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
