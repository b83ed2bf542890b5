"""What cannot possibly touch is left out before overlaps are searched; nothing else is."""

from __future__ import annotations

import numpy as np

from understudy.typing import BoolArray, FloatArray, IntArray
from understudy.verify.forward import Performer, frozen
from understudy.verify.relations import ThingAndThing
from understudy.verify.search import ARC, COUNTED_M
from understudy.verify.things import Thing


def pairs_that_may_touch(performer: Performer) -> tuple[IntArray, BoolArray]:
    """``(k, 2)`` the self pairs that come within a millimetre of an overlap, or could between two samples.

    And ``(n - 1, k)`` between which samples.
    """
    body = performer.body
    pairs = np.ascontiguousarray(body.self_pairs, dtype=np.int64)
    times = performer.times_s
    if len(pairs) == 0 or len(times) < 2:
        return pairs, np.zeros((len(times) - 1, len(pairs)), dtype=np.bool_)
    ever, near = _ever_near(performer.seen_from_root(times), pairs, body.capsule_radii)
    return pairs[ever], near


def company_near(
    first: Performer, second: Performer, pairs: IntArray, times_s: FloatArray
) -> tuple[IntArray, BoolArray]:
    """``(k, 2)`` the pairs of capsules of two performers that may come within a millimetre, and when.

    Args:
        first: One performer.
        second: The other.
        pairs: ``(pairs, 2)`` capsules of both.
        times_s: ``(n,)`` rising, at least two [s].
    """
    ends = np.concatenate([first.capsules(times_s), second.capsules(times_s)], axis=1)
    radii = np.concatenate([first.body.capsule_radii, second.body.capsule_radii])
    ever, near = _ever_near(ends, pairs + np.array([0, len(first.body.capsule_radii)]), radii)
    return pairs[ever], near


def _ever_near(ends: FloatArray, pairs: IntArray, radii: FloatArray) -> tuple[BoolArray, BoolArray]:
    """``(pairs,)`` which capsules may come within a millimetre, and ``(n - 1, those)`` between which samples."""
    from understudy.verify._nearness_kernels import pairs_near, ways_between

    near = np.zeros((len(ends) - 1, len(pairs)), dtype=np.bool_)
    ends, pairs = frozen(ends), frozen(pairs, np.int64)
    ways = ways_between(ends, np.unique(pairs), ARC)
    pairs_near(ends, pairs, radii[pairs].sum(axis=1), ways, ways.max(axis=0), COUNTED_M, near)
    ever = np.asarray(near.any(axis=0))
    return ever, np.ascontiguousarray(near[:, ever])


def parts_near(performer: Performer, thing: Thing) -> BoolArray:
    """``(n - 1, capsules)`` when parts of a performer may come within a millimetre of an object's box.

    Intervals are those between the performer's samples; everything in between counts.
    """
    from understudy.verify._nearness_kernels import box_near

    body, times = performer.body, performer.times_s
    ends, frames = np.ascontiguousarray(performer.capsules(times)), thing.frames_or_still(times)
    near = np.zeros((max(len(times) - 1, 0), len(body.capsule_radii)), dtype=np.bool_)
    radii, room = np.array(body.capsule_radii, dtype=np.float64), np.empty((2, 2, 3))
    box_near(ends, radii, performer.longest_ways, frames, thing.solid.bounds, COUNTED_M, ARC, room, near)
    return near


def passing(pair: ThingAndThing, times_s: FloatArray) -> BoolArray:
    """``(n - 1, 1)`` when something that moves may come within a millimetre of another's box at ``times_s (n,)``."""
    # A ball about what moves, in the other's frame, is enough to leave most things out.
    (at, _), (base, turn) = (one.frames_or_still(times_s) for one in (pair.first, pair.second))
    seen, (low, high) = ((at - base)[:, None] @ turn)[:, 0], pair.second.solid.bounds
    away = np.linalg.norm(np.maximum(np.maximum(low - seen, seen - high), 0.0), axis=-1)
    step = np.linalg.norm(np.diff(seen, axis=0), axis=-1).max(initial=0.0)
    if away.min() - np.linalg.norm(pair.first.solid.corners, axis=-1).max() - ARC * step > COUNTED_M:
        return np.zeros((len(times_s) - 1, 1), dtype=np.bool_)
    corners = pair.places(times_s, np.zeros(len(times_s), dtype=np.int64))[:, 0]
    gaps = pair.box_gaps(corners)
    ways = ARC * np.linalg.norm(np.diff(corners, axis=0), axis=-1).max(axis=-1)
    ends = np.minimum(gaps[:-1], gaps[1:])
    return np.asarray(np.minimum(ends, 0.5 * (gaps[:-1] + gaps[1:] - ways)) < COUNTED_M)[:, None]
