"""The judge's compiled bounds: when parts of bodies may come near each other or an object, at or between samples."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted
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


@uncounted
def _apart(a: FloatArray, b: FloatArray) -> float:
    """A lower bound of the distance of two segments ``(2, 3)`` [m]: that of balls around them."""
    away, one, two = 0.0, 0.0, 0.0
    for i in range(3):
        away += (a[0, i] + a[1, i] - b[0, i] - b[1, i]) ** 2
        one += (a[1, i] - a[0, i]) ** 2
        two += (b[1, i] - b[0, i]) ** 2
    return 0.5 * (math.sqrt(away) - math.sqrt(one) - math.sqrt(two))


@uncounted
def _intervals_far(gap: float, way: float, within: float) -> int:
    """Intervals from here on in which a distance that changes by at most ``way`` in each stays above ``within``.

    In all of them the sum of both ends' distances is above a way and twice what counts.
    """
    if gap < within + 1.5 * way:
        return 0
    return 1_000_000 if way < 1e-9 * (gap - within) else int((gap - within) / way - 0.5)


@uncounted
def pairs_near(
    ends: FloatArray,
    pairs: IntArray,
    radii: FloatArray,
    ways: FloatArray,
    longest: FloatArray,
    within: float,
    near: BoolArray,
) -> None:
    """Mark in ``near`` ``(n - 1, pairs)`` when capsules may come nearer than ``within`` [m].

    Args:
        ends: ``(n, capsules, 2, 3)`` ends of their axes [m].
        pairs: ``(pairs, 2)`` capsules.
        radii: ``(pairs,)`` sum of both radii [m].
        ways: ``(n - 1, capsules)`` how far they move between samples.
        longest: ``(capsules,)`` the longest of these.
        within: The distance that counts.
        near: Written.
    """
    for k in range(len(pairs)):
        a, b = pairs[k, 0], pairs[k, 1]
        known, gap, n = -1, 0.0, 0
        while n < len(ends) - 1:
            far = _intervals_far(_apart(ends[n, a], ends[n, b]), longest[a] + longest[b], radii[k] + within)
            if far > 0:
                n += far
                continue
            first = gap if known == n else segment_gap(ends[n, a], ends[n, b])
            far = _intervals_far(first, longest[a] + longest[b], radii[k] + within)
            if far > 0:
                n += far
                continue
            way = ways[n, a] + ways[n, b] + 2.0 * (radii[k] + within)
            known, gap = n + 1, segment_gap(ends[n + 1, a], ends[n + 1, b])
            # A sample that is near by itself counts whatever its neighbour is.
            near[n, k] = first + gap < way or min(first, gap) < radii[k] + within
            n += 1


@uncounted
def _steps(frames: tuple[FloatArray, FloatArray]) -> tuple[float, float]:
    """How far frames move [m] and turn (as a matrix norm) at most from one sample to the next."""
    at, turns = frames
    way, turn = 0.0, 0.0
    for n in range(len(at) - 1):
        step, angle = 0.0, 0.0
        for i in range(3):
            step += (at[n + 1, i] - at[n, i]) ** 2
            for j in range(3):
                angle += (turns[n + 1, i, j] - turns[n, i, j]) ** 2
        way, turn = max(way, step), max(turn, angle)
    return math.sqrt(way), math.sqrt(turn)


@uncounted
def box_near(
    ends: FloatArray,
    radii: FloatArray,
    longest: FloatArray,
    frames: tuple[FloatArray, FloatArray],
    box: tuple[FloatArray, FloatArray],
    within: float,
    arc: float,
    room: FloatArray,
    near: BoolArray,
) -> None:
    """Mark in ``near`` ``(n - 1, capsules)`` when capsules may come nearer than ``within`` [m] to a box.

    Args:
        ends: ``(n, capsules, 2, 3)`` ends of capsules' axes in the world [m].
        radii: ``(capsules,)`` [m].
        longest: ``(capsules,)`` how far these ends move at most between two samples [m].
        frames: Positions ``(n, 3)`` and matrices ``(n, 3, 3)`` of the box's axes; one of each if it stands still.
        box: Lowest and highest corner ``(3,)`` in its own axes, infinite where it has none.
        within: The distance that counts.
        arc: Chords are lengthened by this.
        room: ``(2, 2, 3)`` to work in.
        near: Written.
    """
    at, was, now, (moved, turned) = frames[0], room[0], room[1], _steps(frames)
    for c in range(len(radii)):
        n, known, before = 0, -1, 0.0
        while n < len(ends) - 1:
            if known != n:
                before = _seen_gap(ends[n, c], frames, n, box, was) - radii[c]
            row = n if len(at) > 1 else 0
            away = 0.0
            for i in range(3):
                away = max(away, abs(ends[n, c, 0, i] - at[row, i]), abs(ends[n, c, 1, i] - at[row, i]))
            # In the box's axes, for as long as the capsule is not twice as far away as now (and a metre); the gap of
            # two boxes changes by up to the square root of two times the way of a segment's ends.
            step = longest[c] + moved
            way = 1.5 * (step + turned * (4.0 * away + 1.0))
            far = _intervals_far(before, way, within)
            if far > 0:
                n += min(far, max(int((away + 0.5) / max(step, 1e-9)), 1))
                continue
            gap = _seen_gap(ends[n + 1, c], frames, n + 1, box, now) - radii[c]
            near[n, c] = _reaches(before, gap, was, now, within, arc)
            known, before = n + 1, gap
            was, now = now, was
            n += 1


@uncounted
def _seen_gap(
    segment: FloatArray,
    frames: tuple[FloatArray, FloatArray],
    sample: int,
    box: tuple[FloatArray, FloatArray],
    out: FloatArray,
) -> float:
    """Distance [m] of the box around a segment ``(2, 3)`` from a box, in whose axes the segment is written."""
    row = sample if len(frames[0]) > 1 else 0
    at, turn = frames[0][row], frames[1][row]
    away = 0.0
    for e in range(2):
        x, y, z = segment[e, 0] - at[0], segment[e, 1] - at[1], segment[e, 2] - at[2]
        for i in range(3):
            out[e, i] = turn[0, i] * x + turn[1, i] * y + turn[2, i] * z
    for i in range(3):
        below, above = box[0][i] - max(out[0, i], out[1, i]), min(out[0, i], out[1, i]) - box[1][i]
        away += max(below, above, 0.0) ** 2
    return math.sqrt(away)


@uncounted
def _reaches(before: float, gap: float, was: FloatArray, now: FloatArray, within: float, arc: float) -> bool:
    """Whether points ``(k, 3)`` may come nearer than ``within`` [m] between two moments with these distances."""
    most = 0.0
    for k in range(len(now)):
        x, y, z = now[k, 0] - was[k, 0], now[k, 1] - was[k, 1], now[k, 2] - was[k, 2]
        most = max(most, x * x + y * y + z * z)
    return min(0.5 * (before + gap - arc * math.sqrt(most)), before, gap) < within
