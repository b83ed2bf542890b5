"""Gradients of single gaps: for bringing parts apart, and for sliding along each other."""

from __future__ import annotations

import math

from understudy.compiling.kernel import njit
from understudy.postures._energy_kernels import gather, ground_answer, measure, push
from understudy.postures._placing_kernels import place
from understudy.postures.tables import APART, FORCE, GAP, Room, Solids, SpaceArrays
from understudy.typing import FloatArray


@njit(cache=True)
def gap_rows(
    space: SpaceArrays,
    solids: Solids | None,
    wanted: FloatArray,
    q: FloatArray,
    room: Room,
    rows: FloatArray,
    missing: FloatArray,
) -> int:
    """Gradients ``rows (n, size)`` of the gaps below ``wanted`` and what is ``missing (n,)`` of them [m]; how many.

    Of more than ``rows`` holds the first are given. ``wanted`` is minus infinity where a pair may touch.
    """
    place(space, q, room)
    measure(space, solids, wanted, room)
    near, joints, pairs, capsules = room.near, room.joints, space.pairs.shape[0], space.carriers.shape[0]
    count = 0
    for k in range(near.shape[0]):
        if wanted[k] == -math.inf or near[k, GAP] >= wanted[k] or count == rows.shape[0]:
            continue
        joints[:, FORCE:] = 0.0
        if k < pairs:
            push(joints[space.carriers[space.pairs[k, 0]]], near[k], 0.0, 1.0)
            push(joints[space.carriers[space.pairs[k, 1]]], near[k], near[k, APART], -1.0)
        else:
            push(joints[space.carriers[(k - pairs) % capsules]], near[k], 0.0, 1.0)
        lift = ground_answer(space.carriers, room.capsules, joints) if space.grounded else 0.0
        gather(space.tree, space.movable, joints, rows[count])
        if space.grounded:
            rows[count, 1] = lift * space.movable[1]
        missing[count] = wanted[k] - near[k, GAP]
        count += 1
    return count


@njit(cache=True)
def opened(rows: FloatArray, count: int, step: FloatArray) -> None:
    """Take out of a step what closes the gaps whose gradients are ``rows``, one after the other, a few times."""
    for _ in range(4):
        for n in range(count):
            rate, size = 0.0, 1e-30
            for c in range(step.shape[0]):
                rate += rows[n, c] * step[c]
                size += rows[n, c] * rows[n, c]
            if rate < 0.0:
                for c in range(step.shape[0]):
                    step[c] -= rate / size * rows[n, c]
