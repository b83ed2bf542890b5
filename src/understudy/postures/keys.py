"""Recorded key postures: people overlap themselves in recordings, and stand on a ground of their own.

A plan passes nearby postures in which nothing touches. The motion that is played leads through the recorded ones: it
is drawn to each of them around its time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.motion import Motion
from understudy.core.pose import Pose
from understudy.postures.bearing import lowest_m
from understudy.typing import FloatArray


def ground_of(body: Body, poses: Sequence[Pose]) -> float:
    """Height of the ground that recorded postures stand on [m]; 0 where none is recorded."""
    return min(lowest_m(body, pose) for pose in poses) if any(pose.evidence for pose in poses) else 0.0


def raised(pose: Pose, up_m: float) -> Pose:
    """A posture at another height."""
    return replace(pose, root_position=pose.root_position + np.array([0.0, up_m, 0.0]))


def waiting(motion: Motion, first_s: float, last_s: float) -> Motion:
    """A motion that waits before it begins and after it ends."""
    before, after = (round(one * motion.fps) for one in (first_s, last_s))
    frames = np.pad(np.arange(len(motion)), (before, after), mode="edge")
    return replace(motion, root_positions=motion.root_positions[frames], rotations=motion.rotations[frames])


def drawn_to(
    motion: Motion, times_s: FloatArray, keys: Mapping[int, Pose], planned: Sequence[Pose], reach_s: float
) -> Motion:
    """A motion drawn to key postures.

    Args:
        motion: The motion.
        times_s: ``(keys,)`` when it is at them [s].
        keys: Number -> the posture to be at.
        planned: The postures it is at instead.
        reach_s: For how long before and after a key it is drawn to it [s].
    """
    roots, rotations = motion.root_positions.copy(), motion.rotations.copy()
    for n, key in keys.items():
        share = np.clip(np.abs(motion.times_s - times_s[n]) / reach_s, 0.0, 1.0)
        weight = (1.0 - share**2) ** 3
        away = rot.log(rot.multiply(rot.conjugate(planned[n].rotations), key.rotations))
        rotations = rot.multiply(rotations, rot.exp(weight[:, None, None] * away))
        roots += weight[:, None] * (key.root_position - planned[n].root_position) * np.array([0.0, 1.0, 0.0])
    return replace(motion, root_positions=roots, rotations=rot.continuous(rotations))
