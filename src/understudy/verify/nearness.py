"""What cannot possibly touch is left out before overlaps are searched; nothing else is."""

from __future__ import annotations

import numpy as np

from understudy.typing import IntArray
from understudy.verify.feet import runs
from understudy.verify.forward import Performer
from understudy.verify.relations import FAR_M, Thing
from understudy.verify.search import ARC, COUNTED_M


def pairs_that_may_touch(performer: Performer) -> IntArray:
    """``(n, 2)`` the self pairs that come within a millimetre of an overlap, or could between two samples."""
    from understudy.verify._kernels import least_between, pair_gaps

    body = performer.body
    pairs = np.ascontiguousarray(body.self_pairs, dtype=np.int64)
    capsules = performer.capsules(performer.times_s)
    gaps = pair_gaps(capsules, capsules, pairs, body.capsule_radii[pairs].sum(axis=1))
    ways = ARC * performer.ways_m
    least = least_between(gaps, np.ascontiguousarray(ways[:, pairs[:, 0]] + ways[:, pairs[:, 1]]))
    return pairs[least < COUNTED_M]


def spans_near(performer: Performer, thing: Thing) -> list[tuple[int, int]]:
    """``(first, stop)`` samples of the performer's times in which its box comes near an object's.

    Boxes cover everything between two samples; a span begins and ends with samples that are far, or the motion's ends.
    """
    low, high = thing.solid.bounds
    times = performer.times_s
    if len(times) < 2 or not np.isfinite([low, high]).all():
        return [(0, len(times))]
    first, last = performer.boxes_m
    at, turns = thing.frames(times)
    half = 0.5 * (high - low)
    middle, size = at + turns @ (low + half), np.abs(turns) @ half
    below, above = middle - size, middle + size
    apart = np.maximum(
        np.minimum(first[:-1], first[1:]) - np.maximum(above[:-1], above[1:]),
        np.minimum(below[:-1], below[1:]) - np.maximum(last[:-1], last[1:]),
    ).max(axis=1)
    # Joints and doors turn on arcs, which bulge out of the boxes around their ends.
    moved = (
        np.linalg.norm(np.diff(middle, axis=0), axis=1) + np.abs(np.diff(turns, axis=0)).max(axis=(1, 2)) * half.sum()
    )
    bulge = (ARC - 1.0) * (performer.ways_m.max(axis=1) + moved)
    near = apart < FAR_M + bulge
    return [(begin, end + 1) for begin, end in runs(near)]
