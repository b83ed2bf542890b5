"""The judge's compiled bounds: when parts of bodies may come near each other or an object, at or between samples."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from understudy.typing import BoolArray, FloatArray, IntArray
from understudy.verify._kernels import segment_gap


@njit(cache=True)
def ways_between(ends: FloatArray, parts: IntArray, arc: float) -> FloatArray:
    """``(n - 1, capsules)`` how far ends ``(n, capsules, 2, 3)`` of some capsules move at most between samples [m].

    Chords are lengthened by ``arc``; capsules that are not among ``parts`` are left at zero.
    """
    ways = np.zeros((len(ends) - 1, ends.shape[1]))
    for n in range(len(ends) - 1):
        for c in parts:
            most = 0.0
            for e in range(2):
                x = ends[n + 1, c, e, 0] - ends[n, c, e, 0]
                y = ends[n + 1, c, e, 1] - ends[n, c, e, 1]
                z = ends[n + 1, c, e, 2] - ends[n, c, e, 2]
                most = max(most, x * x + y * y + z * z)
            ways[n, c] = arc * math.sqrt(most)
    return ways


@njit(cache=True)
def _apart(ends: FloatArray, lengths: FloatArray, n: int, a: int, b: int) -> float:
    """A lower bound of the distance of two segments of ``ends[n]`` [m]: that of balls around them."""
    x = ends[n, a, 0, 0] + ends[n, a, 1, 0] - ends[n, b, 0, 0] - ends[n, b, 1, 0]
    y = ends[n, a, 0, 1] + ends[n, a, 1, 1] - ends[n, b, 0, 1] - ends[n, b, 1, 1]
    z = ends[n, a, 0, 2] + ends[n, a, 1, 2] - ends[n, b, 0, 2] - ends[n, b, 1, 2]
    return 0.5 * (math.sqrt(x * x + y * y + z * z) - lengths[n, a] - lengths[n, b])


@njit(cache=True)
def _lengths(ends: FloatArray, pairs: IntArray) -> FloatArray:
    """``(n, capsules)`` lengths of the segments that belong to pairs [m]."""
    out, wanted = np.zeros(ends.shape[:2]), np.zeros(ends.shape[1], dtype=np.bool_)
    for k in range(len(pairs)):
        wanted[pairs[k, 0]] = wanted[pairs[k, 1]] = True
    for c in np.flatnonzero(wanted):
        for n in range(len(ends)):
            x, y = ends[n, c, 0, 0] - ends[n, c, 1, 0], ends[n, c, 0, 1] - ends[n, c, 1, 1]
            z = ends[n, c, 0, 2] - ends[n, c, 1, 2]
            out[n, c] = math.sqrt(x * x + y * y + z * z)
    return out


@njit(cache=True)
def pairs_near(
    ends: FloatArray, pairs: IntArray, radii: FloatArray, ways: FloatArray, within: float, near: BoolArray
) -> None:
    """Mark in ``near`` ``(n - 1, pairs)`` when capsules may come nearer than ``within`` [m].

    Args:
        ends: ``(n, capsules, 2, 3)`` ends of their axes [m].
        pairs: ``(pairs, 2)`` capsules.
        radii: ``(pairs,)`` sum of both radii [m].
        ways: ``(n - 1, capsules)`` how far they move between samples.
        within: The distance that counts.
        near: Written.
    """
    lengths = _lengths(ends, pairs)
    for k in range(len(pairs)):
        a, b = pairs[k, 0], pairs[k, 1]
        balls = _apart(ends, lengths, 0, a, b)
        known, gap = -1, 0.0
        for n in range(len(ends) - 1):
            before, balls = balls, _apart(ends, lengths, n + 1, a, b)
            way = ways[n, a] + ways[n, b] + 2.0 * (radii[k] + within)
            near[n, k] = before + balls < way
            if near[n, k]:
                first = gap if known == n else segment_gap(ends[n, a], ends[n, b])
                known, gap = n + 1, segment_gap(ends[n + 1, a], ends[n + 1, b])
                # A sample that is near by itself counts whatever its neighbour is.
                near[n, k] = first + gap < way or min(first, gap) < radii[k] + within


@njit(cache=True)
def box_near(
    ends: FloatArray,
    parts: IntArray,
    radii: FloatArray,
    frames: tuple[FloatArray, FloatArray],
    box: tuple[FloatArray, FloatArray],
    within: float,
    arc: float,
) -> BoolArray:
    """``(n - 1, parts)`` when some capsules may come nearer than ``within`` [m] to a box.

    Args:
        ends: ``(n, capsules, 2, 3)`` ends of capsules' axes in the world [m].
        parts: Which capsules.
        radii: ``(capsules,)`` [m].
        frames: Positions ``(n, 3)`` and matrices ``(n, 3, 3)`` of the box's axes; one of each if it stands still.
        box: Lowest and highest corner ``(3,)`` in its own axes, infinite where it has none.
        within: The distance that counts.
        arc: Chords are lengthened by this.
    """
    at, turns = frames
    low, high = box
    near = np.zeros((max(len(ends) - 1, 0), len(parts)), dtype=np.bool_)
    was, now = np.empty((2, 3)), np.empty((2, 3))
    for k in range(len(parts)):
        c, before = parts[k], 0.0
        for n in range(len(ends)):
            row = n if len(at) > 1 else 0
            away = 0.0
            for i in range(3):
                for e in range(2):
                    now[e, i] = 0.0
                    for j in range(3):
                        now[e, i] += turns[row, j, i] * (ends[n, c, e, j] - at[row, j])
                below, above = low[i] - max(now[0, i], now[1, i]), min(now[0, i], now[1, i]) - high[i]
                away += max(below, above, 0.0) ** 2
            gap = math.sqrt(away) - radii[c]
            if n > 0:
                near[n - 1, k] = _reaches(before, gap, was, now, within, arc)
            before = gap
            was, now = now, was
    return near


@njit(cache=True)
def _reaches(before: float, gap: float, was: FloatArray, now: FloatArray, within: float, arc: float) -> bool:
    """Whether points ``(k, 3)`` may come nearer than ``within`` [m] between two moments with these distances."""
    most = 0.0
    for k in range(len(now)):
        x, y, z = now[k, 0] - was[k, 0], now[k, 1] - was[k, 1], now[k, 2] - was[k, 2]
        most = max(most, x * x + y * y + z * z)
    return min(0.5 * (before + gap - arc * math.sqrt(most)), before, gap) < within


@njit(cache=True)
def corners_near(
    count: int,
    moving: tuple[FloatArray, FloatArray],
    frames: tuple[FloatArray, FloatArray],
    corners: FloatArray,
    box: tuple[FloatArray, FloatArray],
    within: float,
    arc: float,
) -> BoolArray:
    """``(count - 1, 1)`` when a box that moves may come nearer than ``within`` [m] to another one.

    Args:
        count: Moments.
        moving: Positions ``(count, 3)`` and matrices ``(count, 3, 3)`` of the box that moves; one of each if it stands.
        frames: Those of the other box.
        corners: ``(8, 3)`` of the box that moves, in its own axes [m].
        box: Lowest and highest corner ``(3,)`` of the other in its axes, infinite where it has none.
        within: The distance that counts.
        arc: Chords are lengthened by this.
    """
    near = np.zeros((max(count - 1, 0), 1), dtype=np.bool_)
    was, now, place, before = np.empty((len(corners), 3)), np.empty((len(corners), 3)), np.empty(3), 0.0
    for n in range(count):
        own, other = n if len(moving[0]) > 1 else 0, n if len(frames[0]) > 1 else 0
        at, turn, base, frame = moving[0][own], moving[1][own], frames[0][other], frames[1][other]
        for k in range(len(corners)):
            x, y, z = corners[k, 0], corners[k, 1], corners[k, 2]
            for i in range(3):
                place[i] = at[i] + turn[i, 0] * x + turn[i, 1] * y + turn[i, 2] * z - base[i]
            for i in range(3):
                now[k, i] = frame[0, i] * place[0] + frame[1, i] * place[1] + frame[2, i] * place[2]
        away = 0.0
        for i in range(3):
            least, most = math.inf, -math.inf
            for k in range(len(corners)):
                least, most = min(least, now[k, i]), max(most, now[k, i])
            away += max(box[0][i] - most, least - box[1][i], 0.0) ** 2
        gap = math.sqrt(away)
        if n > 0:
            near[n - 1, 0] = _reaches(before, gap, was, now, within, arc)
        before = gap
        was, now = now, was
    return near
