"""Feet in the air, moved a little so that knees turn no faster than people's and legs reach.

The way of a swinging foot is a fitted curve bent to the footprints. Where the knee would be nearly straight a few
millimetres of it are many degrees; taking them off the foot's way costs nothing, taking them off the pelvis' height
would bend both knees all through the step.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy.core.skeleton import Skeleton
from understudy.performer import curves
from understudy.performer.feet import FootTrack
from understudy.performer.legs import REACH, bones_m, hip_places
from understudy.performer.settling import Pelvis
from understudy.performer.smoothing import gaussian
from understudy.typing import BoolArray, FloatArray

#: Knees are aimed at this share of the speed they may have; smoothing takes the rest.
_AIM = 0.94
_PASSES = 3
#: [s] width of the smoothing of what is changed.
_SMOOTH_S = 0.012
#: [m] a foot is brought nearer to the floor by no more than this.
_LOWER_M = 0.012


def calmed(
    skeleton: Skeleton, pelvis: Pelvis, feet: dict[str, FootTrack], *, fps: float, fastest_radps: FloatArray
) -> dict[str, FootTrack]:
    """Both feet, in the air moved along the line from the hip so that knees are slow enough and legs long enough.

    Args:
        skeleton: Who walks.
        pelvis: Where the hips are.
        feet: Both feet; standing ones stay exactly where they are.
        fps: Frames per second.
        fastest_radps: ``(frames,)`` how fast knees may turn [rad/s].
    """
    hips = dict(zip(curves.SIDES, hip_places(skeleton, pelvis.centre, pelvis.turn), strict=True))
    return {
        side: replace(foot, ankle=_calmed_ankle(skeleton, side, hips[side], foot, fps, fastest_radps / fps))
        for side, foot in feet.items()
    }


def _calmed_ankle(
    skeleton: Skeleton, side: str, hip: FloatArray, foot: FootTrack, fps: float, step_rad: FloatArray
) -> FloatArray:
    """Ankle ``(frames, 3)`` [m] of one foot; ``step_rad`` ``(frames,)`` is how far its knee may turn in a frame."""
    upper, lower = bones_m(skeleton, side)
    line = foot.ankle - hip
    far = np.linalg.norm(line, axis=1)
    bend = _bend_rad(far, upper, lower)
    least = float(_bend_rad(np.array([REACH * (upper + lower)]), upper, lower)[0])
    wanted = np.where(foot.contact, bend, np.maximum(bend, least))
    for _ in range(_PASSES):
        gentle = _gentle(wanted, _AIM * step_rad)
        wanted = wanted + _in_the_air(gaussian(gentle - wanted, _SMOOTH_S * fps), foot.contact)
    length = np.sqrt(upper**2 + lower**2 + 2.0 * upper * lower * np.cos(wanted))
    length = np.minimum(length, far + _LOWER_M)
    moved = hip + line * (length / np.maximum(far, 1e-9))[:, None]
    return np.asarray(np.where(foot.contact[:, None], foot.ankle, moved))


def _bend_rad(far: FloatArray, upper: float, lower: float) -> FloatArray:
    """``(frames,)`` bend of a knee whose hip and ankle are ``far`` apart [rad]."""
    return np.asarray(np.arccos(np.clip((far**2 - upper**2 - lower**2) / (2.0 * upper * lower), -1.0, 1.0)))


def _gentle(angle: FloatArray, step: FloatArray) -> FloatArray:
    """The middle of the highest gentle series below ``angle`` and the lowest one above, no steeper than ``step``."""
    below, above = angle.copy(), angle.copy()
    for n in range(1, len(angle)):
        below[n] = min(below[n], below[n - 1] + step[n])
        above[n] = max(above[n], above[n - 1] - step[n])
    for n in range(len(angle) - 2, -1, -1):
        below[n] = min(below[n], below[n + 1] + step[n])
        above[n] = max(above[n], above[n + 1] - step[n])
    return 0.5 * (below + above)


def _in_the_air(change: FloatArray, contact: BoolArray) -> FloatArray:
    """A change without its part in frames that stand."""
    return np.where(contact, 0.0, change)
