"""The smallest bridge that removes a pop from one joint's rotations."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from understudy.inspection.filling import fill_rotations
from understudy.inspection.pops import ACCOMPLICE_SHARE, SNAP_RAD, Pop, snaps
from understudy.typing import FloatArray

#: Lengths of bridges tried, in frames: first those over a pop that comes back, then those that soften a jump.
RETURN_LENGTHS = tuple(range(1, 13))
LENGTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 22, 30, 42, 56)
#: Longer bridges turn evenly.
LONGEST_CURVE = 6
#: A bridge between the right frames leaves next to nothing: share of a pop.
CLEAN_SHARE = 0.2
#: A bridge is good when nothing near it snaps more than this share of a pop, or than the frames around it do.
GOOD_SHARE = 0.5
#: Frames around a bridge in which it must leave nothing wrong, and from which the usual snap is taken.
MARGIN = 8


def bridged(track: FloatArray, first: int, last: int) -> FloatArray:
    """Rotations ``(last - first + 1, 4)`` that bridge some frames of a joint's ``(frames, 4)``."""
    return fill_rotations(track, first, last, curved=last - first < LONGEST_CURVE)


def mended_span(track: FloatArray, pop: Pop) -> tuple[int, int] | None:
    """The first and last frame of the shortest good bridge; ``None`` when none is good.

    Args:
        track: ``(frames, 4)`` rotations of the joint.
        pop: The pop to remove.
    """
    good = GOOD_SHARE * SNAP_RAD
    if pop.snap_rad <= SNAP_RAD:
        # It only snapped along with another joint: ask for as calm a place as that of others at rest.
        good = min(good, ACCOMPLICE_SHARE * SNAP_RAD)
    score = snaps(track[:, None])[:, 0]
    return _shortest(track, pop, score, RETURN_LENGTHS, CLEAN_SHARE * SNAP_RAD) or _shortest(
        track, pop, score, LENGTHS, good
    )


def _shortest(
    track: FloatArray, pop: Pop, score: FloatArray, lengths: tuple[int, ...], good: float
) -> tuple[int, int] | None:
    """The calmest bridge of the shortest length that has a good one."""
    for length in lengths:
        best: tuple[float, int] | None = None
        for first in _starts(pop, length, len(track)):
            worst = _worst_snap(track, first, bridged(track, first, first + length - 1))
            if worst <= max(good, _usual_snap(score, first, length)) and (best is None or worst < best[0]):
                best = (worst, first)
        if best is not None:
            return best[1], best[1] + length - 1
    return None


def _starts(pop: Pop, length: int, frames: int) -> Iterator[int]:
    """First frames of the bridges of a length that cover the pop's peak or the frame beside it."""
    stride = max(1, length // 8)
    for first in range(pop.peak - length, pop.peak + 2, stride):
        # At the clip's ends the nearest good frame is held, and some good frame must be left.
        if first >= 0 and first + length <= frames and length < frames:
            yield first


def _worst_snap(track: FloatArray, first: int, bridge: FloatArray) -> float:
    start, stop = max(first - 3, 0), min(first + len(bridge) + 3, len(track))
    part = track[start:stop].copy()
    part[first - start : first - start + len(bridge)] = bridge
    return float(snaps(part[:, None]).max())


def _usual_snap(score: FloatArray, first: int, length: int) -> float:
    """What the frames around a bridge do of themselves, never as much as a pop [rad]."""
    around = np.concatenate(
        [score[max(first - MARGIN, 0) : max(first - 2, 0)], score[first + length + 2 : first + length + MARGIN]]
    )
    return min(0.9 * SNAP_RAD, float(np.percentile(around, 75)) if len(around) else 0.0)
