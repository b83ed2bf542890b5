"""Animation curves: values at and between keys, and beyond them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.typing import FloatArray, IntArray

_THIRD = 1.0 / 3.0
#: Key values that differ less are the same to tangents that must not overshoot.
_SAME = 1e-3
#: A time this little before a key is at the key.
_ROUNDING_S = 1e-9
_CONSTANT, _CUBIC = 0x2, 0x8
_CONSTANT_NEXT, _TCB, _USER = 0x100, 0x200, 0x400
_CLAMP, _TIME_INDEPENDENT, _CLAMP_PROGRESSIVE = 0x1000, 0x2000, 0x4000
_WEIGHTED, _WEIGHTED_NEXT = 0x1000000, 0x2000000


@dataclass(frozen=True, eq=False)
class Curve:
    """One number over time.

    Attributes:
        times_s: ``(keys,)`` not decreasing.
        values: ``(keys,)``.
        flags: ``(keys,)`` how to go on from each key, as in version 7 files.
        slopes: ``(keys, 2)`` per second, leaving each key and arriving at the next (or tension, continuity).
        weights: ``(keys, 2)`` lengths of these tangents as shares of the time between the keys (or bias).
        before: Letter of what the curve does before its first key: C holds, K goes on, R repeats, A repeats and
            adds up, M goes back and forth.
        after: The same for after its last key.
    """

    times_s: FloatArray
    values: FloatArray
    flags: IntArray
    slopes: FloatArray
    weights: FloatArray
    before: str = "C"
    after: str = "C"

    def at(self, times_s: FloatArray) -> FloatArray:
        """``(times,)`` values."""
        keys, last = self.times_s, len(self.times_s) - 1
        shifted, added = self._brought_inside(times_s)
        place = np.clip(np.searchsorted(keys, shifted + _ROUNDING_S, side="right") - 1, 0, last)
        here, there = self.values[place], self.values[np.minimum(place + 1, last)]
        span = keys[np.minimum(place + 1, last)] - keys[place]
        share = np.where(span > 0, np.clip((shifted - keys[place]) / np.where(span > 0, span, 1.0), 0.0, 1.0), 0.0)
        result = here + share * (there - here)
        flags = self.flags[place]
        constant, cubic = (flags & _CONSTANT) > 0, (flags & (_CONSTANT | _CUBIC)) == _CUBIC
        result[constant] = np.where(flags & _CONSTANT_NEXT, np.where(share > 0, there, here), here)[constant]
        curved = cubic & (share > 0) & (share < 1)
        if curved.any():
            result[curved] = self._cubic(place[curved], share[curved])
        return result + added

    def _cubic(self, place: IntArray, share: FloatArray) -> FloatArray:
        leaving, arriving = _tangents(self)
        weights = self.tangent_weights()[place]
        span = (self.times_s[place + 1] - self.times_s[place])[:, None]
        start, end = self.values[place], self.values[place + 1]
        out = start + (weights[:, :1] * span)[:, 0] * leaving[place]
        into = end - (weights[:, 1:] * span)[:, 0] * arriving[place + 1]
        u = _parameter(share, weights[:, 0], weights[:, 1])
        v = 1.0 - u
        return np.asarray(v**3 * start + 3 * v * v * u * out + 3 * v * u * u * into + u**3 * end)

    def tangent_weights(self) -> FloatArray:
        """``(keys, 2)`` lengths of both tangents of the way to the next key, as shares of its time."""
        plain = (self.flags & _TCB) == 0
        stated = np.stack([plain & ((self.flags & bit) > 0) for bit in (_WEIGHTED, _WEIGHTED_NEXT)], axis=1)
        return np.where(stated, self.weights, _THIRD)

    def _brought_inside(self, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Times within the keys that show what the curve shows at ``times_s``, and what to add there."""
        first, last = self.times_s[0], self.times_s[-1]
        length, shifted, added = last - first, times_s.copy(), np.zeros(len(times_s))
        for letter, outside, end in ((self.before, times_s < first, 0), (self.after, times_s > last, -1)):
            if letter == "C" or length <= 0 or not outside.any():
                continue
            turns, rest = np.divmod(times_s[outside] - first, length)
            if letter == "K":
                leaving, arriving = _tangents(self)
                slope = leaving[0] if end == 0 else arriving[-1]
                added[outside] = slope * (times_s[outside] - self.times_s[end])
                rest = np.full(len(rest), 0.0 if end == 0 else length)
            elif letter == "M":
                rest = np.where(turns % 2, length - rest, rest)
            elif letter == "A":
                added[outside] = turns * (self.values[-1] - self.values[0])
            shifted[outside] = first + rest
        return shifted, added


def _parameter(share: FloatArray, leaving: FloatArray, arriving: FloatArray) -> FloatArray:
    """Where on the Bézier curve a share of the time lies."""
    if np.abs(leaving - _THIRD).max() < 1e-4 and np.abs(arriving - _THIRD).max() < 1e-4:
        return share
    low, high = np.zeros(len(share)), np.ones(len(share))
    for _ in range(40):
        u = 0.5 * (low + high)
        v = 1.0 - u
        late = 3 * v * v * u * leaving + 3 * v * u * u * (1.0 - arriving) + u**3 > share
        low, high = np.where(late, low, u), np.where(late, u, high)
    return 0.5 * (low + high)


def _tangents(curve: Curve) -> tuple[FloatArray, FloatArray]:
    """Slopes that leave each key, and slopes that arrive at it; both ``(keys,)``."""
    flags, steps = curve.flags, np.diff(curve.times_s)
    chords = np.divide(np.diff(curve.values), steps, out=np.zeros(len(steps)), where=steps > 0)
    left, right = np.append(0.0, chords), np.append(chords, 0.0)
    leaving, arriving = curve.slopes[:, 0].copy(), np.append(0.0, curve.slopes[:-1, 1])
    cubic = (flags & (_CONSTANT | _CUBIC)) == _CUBIC
    tcb = cubic & ((flags & _TCB) > 0)
    automatic = cubic & ((flags & (_TCB | _USER)) == 0)
    straight = ~cubic & ((flags & _CONSTANT) == 0)
    leaving[~cubic] = np.where(straight, right, 0.0)[~cubic]
    arriving[1:][~cubic[:-1]] = np.where(straight[:-1], chords, 0.0)[~cubic[:-1]]
    arriving[1:][tcb[:-1]] = 0.0
    leaving[automatic] = arriving[automatic] = _automatic(curve, left, right)[automatic]
    half = np.full(len(flags), 0.5)
    half[[0, -1]] = 1.0
    tension, continuity, bias = curve.slopes[:, 0], curve.slopes[:, 1], curve.weights[:, 0]
    for slope, sign in ((arriving, 1.0), (leaving, -1.0)):
        from_left = (1 + bias) * (1 - sign * continuity) * left
        made = half * (1 - tension) * (from_left + (1 - bias) * (1 + sign * continuity) * right)
        slope[tcb] = made[tcb]
    return leaving, arriving


def _automatic(curve: Curve, left: FloatArray, right: FloatArray) -> FloatArray:
    """Slopes of keys that follow from the slopes to their neighbours."""
    flags, steps = curve.flags, np.diff(curve.times_s)
    before, after = np.append(0.0, steps), np.append(steps, 0.0)
    share = before / np.maximum(before + after, 1e-12)
    slope = left * share + right * (1 - share)
    inner = (before > 0) & (after > 0)
    smooth = inner & ((flags & _TIME_INDEPENDENT) == 0)
    slope[smooth] = 0.5 * (slope + left * (1 - share) + right * share)[smooth]
    flat = np.minimum(
        np.where(before > 0, np.abs(left * before), np.inf), np.where(after > 0, np.abs(right * after), np.inf)
    )
    slope[((flags & _CLAMP) > 0) & (flat <= _SAME)] = 0.0
    weights = curve.tangent_weights()
    most = np.zeros(len(slope))
    sign = np.where(slope >= 0, 1.0, -1.0)
    most[1:] = (sign * left)[1:] / np.maximum(weights[:-1, 1], 1e-9)
    most = np.minimum(most, sign * right / np.maximum(weights[:, 0], 1e-9))
    limited = sign * np.minimum(np.abs(slope), np.maximum(most, 0.0))
    return np.where((flags & _CLAMP_PROGRESSIVE) > 0, np.where(inner, limited, 0.0), slope)
