"""What cannot possibly touch is left out before overlaps are searched; nothing else is."""

from __future__ import annotations

import numpy as np

from understudy.typing import FloatArray, IntArray
from understudy.verify.feet import runs
from understudy.verify.forward import Performer
from understudy.verify.relations import FAR_M, Thing
from understudy.verify.search import ARC, COUNTED_M


def pairs_that_may_touch(performer: Performer, parts: IntArray | None = None) -> IntArray:
    """``(n, 2)`` the self pairs that come within a millimetre of an overlap, or could between two samples.

    With ``parts`` only pairs with one of these capsules.
    """
    from understudy.verify._kernels import least_between, pair_gaps

    body = performer.body
    pairs = np.ascontiguousarray(body.self_pairs, dtype=np.int64)
    if parts is not None:
        pairs = pairs[np.isin(pairs, parts).any(axis=1)]
    if len(pairs) == 0:
        return pairs
    capsules = performer.capsules(performer.times_s)
    gaps = pair_gaps(capsules, capsules, pairs, body.capsule_radii[pairs].sum(axis=1))
    ways = ARC * performer.own_ways_m
    least = least_between(gaps, np.ascontiguousarray(ways[:, pairs[:, 0]] + ways[:, pairs[:, 1]]))
    return pairs[least < COUNTED_M]


def spans_near(performer: Performer, thing: Thing, parts: IntArray | None = None) -> list[tuple[int, int]]:
    """``(first, stop)`` samples of the performer's times in which a box around it, or parts of it, is near an object's.

    Boxes cover everything between two samples; a span begins and ends with samples that are far, or the motion's ends.
    """
    low, high = thing.solid.bounds
    times = performer.times_s
    if len(times) < 2:
        return [(0, len(times))]
    first, last = performer.boxes_m(parts)
    at, turns = thing.frames(times)
    moved: float | FloatArray = 0.0
    if np.isfinite([low, high]).all():
        half = 0.5 * (high - low)
        middle, size = at + turns @ (low + half), np.abs(turns) @ half
        below, above = middle - size, middle + size
        apart = np.maximum(
            np.minimum(first[:-1], first[1:]) - np.maximum(above[:-1], above[1:]),
            np.minimum(below[:-1], below[1:]) - np.maximum(last[:-1], last[1:]),
        ).max(axis=1)
        turned = np.abs(np.diff(turns, axis=0)).max(axis=(1, 2)) * half.sum()
        moved = np.linalg.norm(np.diff(middle, axis=0), axis=1) + turned
    elif (turns == turns[0]).all() and (at == at[0]).all():
        # A half-space that stands still: how far the lowest corner is above it.
        up = turns[0, :, 1]
        above_it = np.where(up > 0.0, first, last) @ up - at[0] @ up
        apart = np.minimum(above_it[:-1], above_it[1:])
    else:
        return [(0, len(times))]
    # Joints and doors turn on arcs, which bulge out of the boxes around their ends.
    ways = performer.ways_m if parts is None else performer.ways_m[:, parts]
    near = apart < FAR_M + (ARC - 1.0) * (ways.max(axis=1) + moved)
    return [(begin, end + 1) for begin, end in runs(near)]
