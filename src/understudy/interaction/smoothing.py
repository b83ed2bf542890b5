"""The smooth base under an edit: a recorded motion as twice differentiable curves of time.

Recordings tremble: a toe's raw acceleration peaks at hundreds of g, and every derivative by a contact time contains it.
"""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.errors import MotionError
from understudy.typing import FloatArray

#: [Hz] above which nothing of a person's movement is kept, unless asked otherwise.
CUTOFF_HZ = 8.0


def smoothed(motion: Motion, *, cutoff_hz: float = CUTOFF_HZ) -> tuple[FloatArray, FloatArray]:
    """Root places ``(frames, 3)`` and quaternions ``(frames, joints, 4)`` without what is faster than ``cutoff_hz``.

    A zero-phase Butterworth filter; a cutoff that the frame rate cannot hold leaves the motion as it is.
    """
    places, turns = motion.root_positions, rot.continuous(motion.rotations)
    if not 0.0 < cutoff_hz < 0.45 * motion.fps:
        return np.array(places), turns
    smooth = low_passed(turns, motion.fps, cutoff_hz)
    return low_passed(places, motion.fps, cutoff_hz), rot.normalize(smooth)


def low_passed(values: FloatArray, fps: float, cutoff_hz: float) -> FloatArray:
    """Values ``(frames, ...)`` without what is faster than ``cutoff_hz``; too few frames are left as they are."""
    from scipy.signal import butter, sosfiltfilt

    if len(values) < 12:
        return np.array(values)
    filter_ = butter(2, cutoff_hz / (0.5 * fps), output="sos")
    return np.asarray(sosfiltfilt(filter_, values, axis=0, padlen=min(len(values) - 1, round(fps))))


def pieces(values: FloatArray, fps: float) -> FloatArray:
    """Cubic pieces ``(frames - 1, 4, ...)``, lowest power first, of the natural spline through ``(frames, ...)``."""
    from scipy.interpolate import CubicSpline

    if len(values) < 4:
        raise MotionError(f"an edit needs a motion of at least 4 frames; got {len(values)}")
    spline = CubicSpline(np.arange(len(values)) / fps, values, axis=0, bc_type="natural")
    return np.ascontiguousarray(np.moveaxis(spline.c[::-1], 0, 1))
