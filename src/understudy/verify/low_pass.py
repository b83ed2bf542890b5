"""A low-pass filter without delay: recordings are compared without their own noise."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from understudy.core.fast_lengths import fast_length
from understudy.typing import FloatArray

CUTOFF_HZ = 6.0


def low_passed(values: FloatArray, fps: float, *, cutoff_hz: float = CUTOFF_HZ) -> FloatArray:
    """Values ``(frames, ...)`` without what is faster; see :func:`low_passed_rows`."""
    return np.moveaxis(low_passed_rows(np.moveaxis(values, 0, -1), fps, cutoff_hz=cutoff_hz), -1, 0)


def low_passed_rows(values: FloatArray, fps: float, *, cutoff_hz: float = CUTOFF_HZ) -> FloatArray:
    """Values ``(..., frames)`` without what is faster: a second-order Butterworth filter, forwards and backwards.

    Run both ways it has no delay and the gain ``1 / (1 + (f / cutoff)^4)`` (frequencies warped by the bilinear
    transform), which is applied to the spectrum. Motions whose frame rate cannot hold the cutoff are returned as
    they are.
    """
    count = values.shape[-1]
    if fps <= 2.1 * cutoff_hz or count < 4:
        return values
    # Both ends go on as their own point reflection, for three periods: what the filter remembers.
    pad = min(count - 1, round(3.0 * fps / cutoff_hz))
    filter_ = _filter(count + 2 * pad, fps, cutoff_hz)
    longer = np.empty((*values.shape[:-1], count + 2 * pad))
    longer[..., pad : pad + count] = values
    np.subtract(2.0 * values[..., :1], values[..., pad:0:-1], out=longer[..., :pad])
    np.subtract(2.0 * values[..., -1:], values[..., -2 : -pad - 2 : -1], out=longer[..., pad + count :])
    # A straight line between the ends is no part of the oscillation, and would jump where the spectrum closes.
    line = longer[..., :1] + filter_.ramp * (longer[..., -1:] - longer[..., :1])
    longer -= line
    return np.asarray(filter_(longer)[..., pad : pad + count] + line[..., pad : pad + count])


@dataclass(frozen=True, eq=False)
class _Filter:
    """What a number of values pass through.

    Attributes:
        ramp: From 0 to 1 in as many steps as there are values.
        size: A length that is quickly transformed: theirs, or at least twice that.
        spectrum: What the spectrum over that length is multiplied with.
    """

    ramp: FloatArray
    size: int
    spectrum: npt.NDArray[np.complex128]

    def __call__(self, values: FloatArray) -> FloatArray:
        """Filtered values ``(..., n)``, as if they repeated for ever."""
        count = len(self.ramp)
        through = np.fft.irfft(np.fft.rfft(values, n=self.size) * self.spectrum, n=self.size)
        return np.asarray(through if self.size == count else through[..., count - 1 : 2 * count - 1])


@lru_cache(maxsize=64)
def _filter(count: int, fps: float, cutoff_hz: float) -> _Filter:
    """The filter of ``count`` values.

    Spectra of lengths with large prime factors take long; there it is a convolution with the response to one value,
    by spectra of a length without.
    """
    frequency = np.fft.rfftfreq(count, 1.0 / fps)
    warped = np.tan(np.pi * np.minimum(frequency / fps, 0.5 - 1e-9)) / np.tan(np.pi * cutoff_hz / fps)
    ramp, gain = np.linspace(0.0, 1.0, count), 1.0 / (1.0 + warped**4)
    if fast_length(count) == count:
        return _Filter(ramp, count, gain.astype(np.complex128))
    size, response = fast_length(2 * count - 1), np.fft.irfft(gain, n=count)
    return _Filter(ramp, size, np.fft.rfft(np.concatenate([response[1:], response]), n=size))
