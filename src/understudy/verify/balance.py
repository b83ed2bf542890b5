"""Balance: whoever moves slowly keeps where he would come to rest above what carries him.

The capture point is where a body that falls over like a pendulum could be brought to rest: its centre of mass, ahead
by its velocity times the pendulum's time ``sqrt(height / gravity)``. Somebody who stands, bends or reaches keeps it
above the ground between the parts that carry him, or soon will: who steps or sits down is caught by a foot or a seat
within the time in which he falls. A statue that leans is caught by nothing. Walking and running are controlled falls:
nothing is asked of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.typing import FloatArray, IntArray
from understudy.verify.ballistics import GRAVITY
from understudy.verify.low_pass import low_passed
from understudy.verify.touching import Touches

#: [m/s] hips slower than this over the floor are slow.
SLOW_MPS = 0.3


@dataclass(frozen=True, kw_only=True)
class Balance:
    """How far a slow body is out of balance.

    Attributes:
        outside_m: Largest horizontal distance of the capture point from the ground between the parts that carry, now
            or within a pendulum's time, while the body moves slowly and something carries it [m].
        time_s: When.
        slow_s: For how long it moves slowly, carried by something [s].
    """

    outside_m: float
    time_s: float
    slow_s: float


def balance(touches: Touches) -> Balance:
    """Measure a humanoid's balance, by where it touches what may carry it."""
    outside, frames = outside_m(touches)
    if len(frames) == 0:
        return Balance(outside_m=0.0, time_s=0.0, slow_s=0.0)
    worst = int(outside.argmax())
    return Balance(
        outside_m=float(outside[worst]),
        time_s=touches.performer.start_s + float(frames[worst]) / touches.fps,
        slow_s=len(frames) / touches.fps,
    )


def outside_m(touches: Touches) -> tuple[FloatArray, IntArray]:
    """How far the capture point is outside, in frames that are slow and carried.

    Returns:
        ``(n,)`` [m], 0 inside, and the frames ``(n,)``.
    """
    from understudy.verify._kernels import outside_discs

    fps, motion = touches.fps, touches.performer.motion
    hips = touches.positions[:, motion.skeleton.humanoid["hips"]]
    slow = np.linalg.norm(_velocities(low_passed(hips, fps), fps)[:, [0, 2]], axis=1) < SLOW_MPS
    frames: IntArray = np.flatnonzero(slow & touches.touching.any(axis=1)).astype(np.int64)
    if len(frames) == 0:
        return np.zeros(0), frames
    ground = np.where(touches.touching[frames], touches.bottoms[frames, :, 1], np.inf).min(axis=1)
    centre = touches.smooth_centre
    fall_s = np.sqrt(np.maximum(centre[frames, 1] - ground, 0.0) / -GRAVITY[1])
    capture = (centre[frames] + fall_s[:, None] * _velocities(centre, fps)[frames])[:, [0, 2]]
    until = np.minimum(frames + np.floor(fall_s * fps).astype(np.int64), len(centre) - 1)
    discs = np.ascontiguousarray(touches.centres[..., [0, 2]])
    spans = np.stack([frames, until], axis=1)
    return np.asarray(
        outside_discs(np.ascontiguousarray(capture), discs, touches.radii, touches.touching, spans)
    ), frames


def _velocities(points: FloatArray, fps: float) -> FloatArray:
    """``(frames, 3)`` [m/s] by central differences."""
    return np.asarray(np.gradient(points, 1.0 / fps, axis=0)) if len(points) > 1 else np.zeros(points.shape)
