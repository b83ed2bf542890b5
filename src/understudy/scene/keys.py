"""Keyed values over time: which two keys a time lies between, and how far along."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from understudy.errors import SceneError
from understudy.typing import FloatArray, IntArray


def key_array(values: npt.ArrayLike, shape: tuple[int, ...], what: str) -> FloatArray:
    """A finite read-only array of the given shape.

    Raises:
        SceneError: Another shape, or values that are not finite numbers.
    """
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise SceneError(f"{what} must be numbers of shape {shape}") from None
    if array.shape != shape:
        raise SceneError(f"{what} has shape {array.shape}; expected {shape}")
    if not np.isfinite(array).all():
        raise SceneError(f"{what} holds values that are not finite")
    array.flags.writeable = False
    return array


def key_times(values: npt.ArrayLike, what: str) -> FloatArray:
    """Strictly increasing finite times ``(keys,)`` [s], at least one.

    Raises:
        SceneError: They are not.
    """
    count = np.shape(values)[0] if np.ndim(values) == 1 else 0
    if count == 0:
        raise SceneError(f"{what}: needs at least one time")
    times = key_array(values, (count,), what)
    backward = np.flatnonzero(np.diff(times) <= 0)
    if len(backward):
        at = int(backward[0])
        raise SceneError(f"{what}: times must increase; {times[at + 1]:g} s follows {times[at]:g} s")
    return times


def between(keys_s: FloatArray, times_s: FloatArray, *, loop: bool) -> tuple[IntArray, IntArray, FloatArray]:
    """The keys before and after each time and the share of the way between them; held beyond the ends.

    Args:
        keys_s: ``(keys,)`` increasing.
        times_s: ``(n,)``.
        loop: Whether the keys repeat for ever instead.
    """
    first, last = keys_s[0], keys_s[-1]
    if loop and last > first:
        times_s = first + np.mod(times_s - first, last - first)
    times = np.clip(times_s, first, last)
    before = np.clip(np.searchsorted(keys_s, times, side="right") - 1, 0, max(len(keys_s) - 2, 0))
    after = np.minimum(before + 1, len(keys_s) - 1)
    span = keys_s[after] - keys_s[before]
    share = np.where(span > 0, (times - keys_s[before]) / np.where(span > 0, span, 1.0), 0.0)
    return before, after, share
