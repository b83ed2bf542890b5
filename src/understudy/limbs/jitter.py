"""A recording's jitter, and when to leave it out.

Jitter that does not show in a clip's own posture may show in another, as the twist of a straight arm does in a bent
one. Where it would, and a limb without it jumps less, it is left out in the frames in which the limb is elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np

from understudy.kinematics._inputs import frozen
from understudy.limbs.legs import Leg, windows_of
from understudy.limbs.smoothing import smoothed
from understudy.limbs.window import Window
from understudy.typing import FloatArray

#: [s] what is shorter is jitter, [rad] as much of it matters, and [rad] how far from the clip half of it is left out.
_JITTER_S, _MATTERS_RAD, _ELSEWHERE_RAD = 0.12, 0.004, 0.15
#: A change of velocity within one frame is seen where it is more than the source's own times this, and [m/s] this.
_SOURCE_FACTOR, _LEAST_MPS = 1.5, 0.2
#: Share of such a change from which on jitter is looked at, frames around it that are taken with it, and [s] eased in.
_NEARLY, _AROUND, _EASED_S = 0.8, 2, 0.04

#: Changes of velocity that are not seen, by window: the same for everything that is planned in it.
_UNSEEN: WeakKeyDictionary[Window, FloatArray] = WeakKeyDictionary()


def clip_parameters(legs: Sequence[Leg], times: FloatArray) -> FloatArray:
    """``(frames, parameters)`` [rad] of the clip."""
    parameters = np.zeros((len(times), len(legs[0].start)))
    for window in windows_of(legs):
        inside = (times >= window.start_s - 1e-9) & (times <= window.end_s + 1e-9)
        parameters[inside] = window.parameters(times[inside])
    return parameters


def jitter_of(clip: FloatArray, times: FloatArray) -> FloatArray:
    """``(frames, parameters)`` [rad] a clip's own jitter; nothing at all where it does not matter."""
    jitter = clip - smoothed(clip, times, np.full(len(times), _JITTER_S))
    return jitter if np.abs(jitter).max(initial=0.0) >= _MATTERS_RAD else np.zeros_like(jitter)


def without_jitter(legs: Sequence[Leg], offsets: FloatArray, jitter: FloatArray, times: FloatArray) -> FloatArray:
    """Offsets ``(frames, parameters)`` [rad], less the clip's jitter where the limb would jump for it otherwise."""
    if not jitter.any():
        return offsets
    kept = _jumps_seen(legs, offsets, times)
    if kept.max() <= 1.0:
        return offsets
    away = np.sum(offsets**2, axis=1, keepdims=True)
    taken = jitter * away / (away + _ELSEWHERE_RAD**2)
    better = (kept > _NEARLY) & (_jumps_seen(legs, offsets - taken, times) < kept)
    around = np.convolve(better, np.ones(2 * _AROUND + 1), mode="same")[: len(times), None] > 0
    where = smoothed(around.astype(np.float64), times, np.full(len(times), _EASED_S))
    quiet = offsets - where * taken
    return quiet if _jumps_seen(legs, quiet, times).max() < kept.max() else offsets


def _jumps_seen(legs: Sequence[Leg], offsets: FloatArray, times: FloatArray) -> FloatArray:
    """``(frames,)`` change of velocity of the limb's parts at each frame, over what would not be seen."""
    found, step = np.zeros(len(times)), float(times[1] - times[0])
    for window in windows_of(legs):
        inside = np.flatnonzero((times >= window.start_s - 1e-9) & (times <= window.end_s + 1e-9))
        if len(inside) < 3:
            continue
        if window not in _UNSEEN:
            _UNSEEN[window] = _unseen(_jumps(window, np.zeros_like(offsets[inside]), times[inside]) / step)
        ratio = (_jumps(window, offsets[inside], times[inside]) / step / _UNSEEN[window]).max(axis=1)
        found[inside[1:-1]] = np.maximum(found[inside[1:-1]], ratio)
    return found


def _unseen(source: FloatArray) -> FloatArray:
    """``(frames - 2, ends)`` [m/s] changes of velocity that are not seen, by the source's own at about that time."""
    padded = np.pad(source, ((2, 2), (0, 0)), mode="edge")
    usual = np.max([padded[k : k + len(source)] for k in range(5)], axis=0)
    return np.asarray(_SOURCE_FACTOR * usual + _LEAST_MPS)


def _jumps(window: Window, offsets: FloatArray, times: FloatArray) -> FloatArray:
    """``(frames - 2, ends)`` [m] second differences of both ends of the limb's parts."""
    from understudy.limbs._nearest_kernels import placed_parts
    from understudy.limbs._smoothing_kernels import second_differences

    out = np.empty((len(times), len(window.part_names), 6))
    placed_parts(window.setting, window.scratch, np.ascontiguousarray(offsets), frozen(times), out)
    changes = np.empty((len(times) - 2, 2 * len(window.part_names)))
    second_differences(out.reshape(len(times), -1, 3), changes)
    return changes
