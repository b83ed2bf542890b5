"""Compiled thinning of a frame graph's edges."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from understudy.compiling.kernel import njit
from understudy.typing import IntArray

#: Mark of edges that are left out.
LEFT_OUT = -2


@njit(cache=True)
def thin(
    outs: IntArray, ins: IntArray, order: IntArray, takes: IntArray, levels: IntArray, most_children: int
) -> IntArray:
    """Keep the cheapest edges that are far enough apart, level by level.

    Args:
        outs: ``(n,)`` place of the left frame among the compared ones.
        ins: ``(n,)`` place of the entered frame.
        order: ``(n,)`` edges, the cheapest first.
        takes: ``(frames,)`` take of every compared frame.
        levels: Edges of a level lie farther apart than this in either frame [places].
        most_children: An edge refines another only while that one has fewer than so many.

    Returns:
        ``(n,)`` -1 for edges of the first level, else the edge of a coarser level an edge refines; -2 where it is left
        out.
    """
    count = len(takes)
    refined = np.full(len(outs), LEFT_OUT, dtype=np.int64)
    made = np.zeros(len(outs), dtype=np.int64)
    owner = np.full((count, count), -1, dtype=np.int32)
    coarser = owner.copy()
    for level in range(len(levels)):
        reach = levels[level]
        for k in range(len(order)):
            edge = order[k]
            if refined[edge] != LEFT_OUT:
                _mark(owner, edge, outs[edge], ins[edge], reach, takes)
        for k in range(len(order)):
            edge = order[k]
            i, j = outs[edge], ins[edge]
            if refined[edge] != LEFT_OUT or owner[i, j] >= 0:
                continue
            parent = coarser[i, j] if level > 0 else -1
            if level > 0 and (parent < 0 or made[parent] >= most_children):
                continue
            if parent >= 0:
                made[parent] += 1
            refined[edge] = parent
            _mark(owner, edge, i, j, reach, takes)
        coarser = owner
        owner = np.full((count, count), -1, dtype=np.int32)
    return refined


@njit(cache=True)
def _mark(owner: npt.NDArray[np.int32], edge: int, i: int, j: int, reach: int, takes: IntArray) -> None:
    """Let an edge stand for all pairs of frames around it that nobody stands for yet."""
    for a in range(max(i - reach, 0), min(i + reach + 1, len(takes))):
        for b in range(max(j - reach, 0), min(j + reach + 1, len(takes))):
            if owner[a, b] < 0 and takes[a] == takes[i] and takes[b] == takes[j]:
                owner[a, b] = edge
