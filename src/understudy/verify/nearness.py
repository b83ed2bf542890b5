"""What cannot possibly touch is left out before overlaps are searched; nothing else is."""

from __future__ import annotations

import numpy as np

from understudy.typing import FloatArray, IntArray
from understudy.verify.feet import runs
from understudy.verify.forward import Performer
from understudy.verify.relations import Thing
from understudy.verify.search import ARC, COUNTED_M

#: ``(first, stop)`` samples of a performer's times; nothing is near before, between and after them.
Spans = list[tuple[int, int]]


def pairs_that_may_touch(performer: Performer, parts: IntArray | None = None) -> tuple[IntArray, Spans]:
    """``(n, 2)`` the self pairs that come within a millimetre of an overlap, or could between two samples, and when.

    With ``parts`` only pairs with one of these capsules.
    """
    from understudy.verify._nearness_kernels import pairs_near, ways_between

    body = performer.body
    pairs = np.ascontiguousarray(body.self_pairs, dtype=np.int64)
    if parts is not None:
        pairs = np.ascontiguousarray(pairs[np.isin(pairs, parts).any(axis=1)])
    times = performer.times_s
    if len(pairs) == 0 or len(times) < 2:
        return pairs, [(0, len(times))]
    ends = np.ascontiguousarray(performer.seen_from_root(times))
    near = np.zeros((len(times) - 1, len(pairs)), dtype=np.bool_)
    ways = ways_between(ends, np.unique(pairs), ARC)
    pairs_near(ends, pairs, body.capsule_radii[pairs].sum(axis=1), ways, COUNTED_M, near)
    return pairs[near.any(axis=0)], [(begin, end + 1) for begin, end in runs(np.asarray(near.any(axis=1)))]


def spans_near(performer: Performer, thing: Thing, parts: IntArray | None = None) -> Spans:
    """Samples of the performer's times in which it, or parts of it, may come within a millimetre of an object's box.

    Everything between two samples counts; a span begins and ends with samples that are far, or the motion's ends.
    """
    from understudy.verify._nearness_kernels import box_near

    times, body = performer.times_s, performer.body
    if len(times) < 2:
        return [(0, len(times))]
    chosen = np.arange(len(body.capsule_radii)) if parts is None else parts
    ends = np.ascontiguousarray(performer.capsules(times))
    radii = np.array(body.capsule_radii, dtype=np.float64)
    near = box_near(ends, chosen, radii, thing.frames_or_still(times), thing.solid.bounds, COUNTED_M, ARC)
    return [(begin, end + 1) for begin, end in runs(near)]


def spans_passed(corners: FloatArray, times_s: FloatArray, thing: Thing) -> Spans:
    """Samples in which something that moves may come within a millimetre of an object's box, at them or in between.

    Args:
        corners: ``(n, 8, 3)`` corners of its box [m].
        times_s: ``(n,)`` rising [s].
        thing: The object.
    """
    base, frame = thing.frames_or_still(times_s)
    local = np.einsum("nji,nkj->nki", np.broadcast_to(frame, (len(corners), 3, 3)), corners - base[:, None])
    low, high = thing.solid.bounds
    apart = np.linalg.norm(np.maximum(np.maximum(low - local.max(axis=1), local.min(axis=1) - high), 0.0), axis=1)
    way = ARC * np.linalg.norm(np.diff(local, axis=0), axis=2).max(axis=1)
    return [(begin, end + 1) for begin, end in runs(0.5 * (apart[:-1] + apart[1:] - way) < COUNTED_M)]
