"""A recording's jitter, taken out of a limb that is elsewhere.

Recordings jump within frames, by centimetres at times: hips pop and the spine pops back, so that the hand stays where
it was. In another posture nothing cancels any more. Where a limb would jump by more than its clip does, its parts
follow their own paths in the world without what is shorter than a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np

from understudy.kinematics._inputs import frozen
from understudy.limbs.legs import Leg, windows_of
from understudy.limbs.smoothing import smoothed
from understudy.limbs.window import Window
from understudy.typing import FloatArray, IntArray

#: [s] what is shorter is jitter, [m] as much of it matters, and [rad] how far from the clip half of it is left out.
_JITTER_S, _MATTERS_M, _ELSEWHERE_RAD = 0.12, 0.0005, 0.15
#: A change of velocity within one frame is seen where it is more than the source's own times this, and [m/s] this.
_SOURCE_FACTOR, _LEAST_MPS = 1.5, 0.2
#: It stands alone where it is so many times what is typical three to eight frames before it or after it.
_ALONE, _BEFORE, _AFTER = 3.0, np.arange(6), np.arange(11, 17)
#: Share of such a change down to which jitter is taken out, and rounds of doing so.
_NEARLY, _ROUNDS = 0.8, 3
#: [rad] step of differences, and [m] of the ends' ways per radian that parameters are held back with.
_STEP_RAD, _HELD_M = 1e-5, 0.05

#: Changes of velocity that are not seen, by window: the same for everything that is planned in it.
_UNSEEN: WeakKeyDictionary[Window, FloatArray] = WeakKeyDictionary()


def quieted(legs: Sequence[Leg], offsets: FloatArray, times: FloatArray) -> FloatArray:
    """Offsets ``(frames, parameters)`` [rad] with which no part of a limb jumps by more than its clip does.

    Args:
        legs: What was planned.
        offsets: To follow.
        times: Of the frames [s].
    """
    best, least = offsets, np.inf
    if np.abs(_jitter(_ends(legs, np.zeros_like(offsets), times), times)).max() < _MATTERS_M:
        return offsets
    for _ in range(_ROUNDS):
        seen = float(_jumps_seen(legs, offsets, times).max())
        if seen < least:
            best, least = offsets, seen
        if seen <= _NEARLY:
            break
        offsets = _calmed(legs, offsets, times)
    return best


def _calmed(legs: Sequence[Leg], offsets: FloatArray, times: FloatArray) -> FloatArray:
    """Offsets with which the limb's parts follow their own paths without jitter, the farther from the clip the more."""
    away = np.sum(offsets**2, axis=1, keepdims=True)
    share = away / (away + _ELSEWHERE_RAD**2)
    ends = _ends(legs, offsets, times)
    jitter = _jitter(ends, times)
    turns = np.stack([_ends(legs, offsets + step, times) - ends for step in _STEP_RAD * np.eye(offsets.shape[1])])
    ways = turns.transpose(1, 2, 0) / _STEP_RAD
    normal = ways.transpose(0, 2, 1) @ ways + _HELD_M**2 * np.eye(offsets.shape[1])
    change = np.linalg.solve(normal, ways.transpose(0, 2, 1) @ jitter[:, :, None])[:, :, 0]
    return np.asarray(offsets - share * change)


def _jitter(ends: FloatArray, times: FloatArray) -> FloatArray:
    """What is shorter than jitter in the ways of ends ``(frames, numbers)``, and nothing of how they curve."""
    step = float(times[1] - times[0])
    more = min(round(_JITTER_S / step), len(times) - 1)
    longer = np.pad(ends, ((more, more), (0, 0)), mode="reflect", reflect_type="odd")
    clock = np.asarray(step * np.arange(len(longer)), dtype=np.float64)
    width = np.full(len(longer), _JITTER_S)
    rough = longer - smoothed(longer, clock, width)
    return np.asarray((rough - smoothed(rough, clock, width))[more : len(longer) - more])


def _frames_of(legs: Sequence[Leg], times: FloatArray) -> list[tuple[Window, IntArray]]:
    """The legs' windows, and the numbers of the frames in them."""
    return [
        (window, np.flatnonzero((times >= window.start_s - 1e-9) & (times <= window.end_s + 1e-9)))
        for window in windows_of(legs)
    ]


def _ends(legs: Sequence[Leg], offsets: FloatArray, times: FloatArray) -> FloatArray:
    """``(frames, numbers)`` [m] both ends of the limb's own parts in the world."""
    parts = min(len(window.part_names) for window in windows_of(legs))
    found = np.zeros((len(times), 6 * parts))
    for window, inside in _frames_of(legs, times):
        found[inside] = _placed(window, offsets[inside], times[inside])[:, :parts].reshape(len(inside), -1)
    return found


def _jumps_seen(legs: Sequence[Leg], offsets: FloatArray, times: FloatArray) -> FloatArray:
    """``(frames,)`` change of velocity of the limb's parts at each frame, over what would not be seen."""
    found, step = np.zeros(len(times)), float(times[1] - times[0])
    for window, inside in _frames_of(legs, times):
        if len(inside) < 3:
            continue
        if window not in _UNSEEN:
            _UNSEEN[window] = _unseen(_jumps(window, np.zeros_like(offsets[inside]), times[inside]) / step)
        jumps = _jumps(window, offsets[inside], times[inside]) / step
        ratio = np.minimum(jumps / _UNSEEN[window], _alone(jumps)).max(axis=1)
        found[inside[1:-1]] = np.maximum(found[inside[1:-1]], ratio)
    return found


def _alone(jumps: FloatArray) -> FloatArray:
    """``(frames - 2, ends)`` by how much changes of velocity stand out from what is typical around them."""
    padded = np.pad(jumps, ((8, 8), (0, 0)), mode="reflect" if len(jumps) > 8 else "edge")
    frames = np.arange(len(jumps))[:, None]
    around = np.stack([np.median(padded[frames + shifts], axis=1) for shifts in (_BEFORE, _AFTER)])
    return np.asarray(jumps / np.maximum(_ALONE * around.max(axis=0), 1e-9))


def _unseen(source: FloatArray) -> FloatArray:
    """``(frames - 2, ends)`` [m/s] changes of velocity that are not seen, by the source's own at about that time."""
    padded = np.pad(source, ((2, 2), (0, 0)), mode="edge")
    usual = np.max([padded[k : k + len(source)] for k in range(5)], axis=0)
    return np.asarray(_SOURCE_FACTOR * usual + _LEAST_MPS)


def _jumps(window: Window, offsets: FloatArray, times: FloatArray) -> FloatArray:
    """``(frames - 2, ends)`` [m] second differences of both ends of the limb's parts."""
    ends = _placed(window, offsets, times).reshape(len(times), -1, 3)
    return np.asarray(np.linalg.norm(np.diff(ends, n=2, axis=0), axis=2))


def _placed(window: Window, offsets: FloatArray, times: FloatArray) -> FloatArray:
    """``(frames, parts, 6)`` [m] both ends of the limb's parts."""
    from understudy.limbs._nearest_kernels import placed_parts

    out = np.empty((len(times), len(window.part_names), 6))
    placed_parts(window.setting, window.scratch, np.ascontiguousarray(offsets), frozen(times), out)
    return out
