"""Keeping a hand on a moving pose, frame by frame: the closed chain of two hands on one object."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy import rotations as rot
from understudy.limbs.handling.aims import Pose
from understudy.limbs.stage import Stage
from understudy.limbs.window import Window
from understudy.typing import FloatArray

#: [m], and [rad / 10], that may be missing.
_MISSED_M = 1e-5


def tracked(
    stage: Stage,
    window: Window,
    hand: str,
    start: FloatArray,
    frames: Sequence[int],
    poses: tuple[FloatArray, FloatArray],
) -> FloatArray | None:
    """Offsets ``(frames, parameters)`` that keep a hand joint on given poses, each from the one before.

    Args:
        stage: The motion on its stage.
        window: The limb; its frames hold all of ``frames``.
        hand: ``"left"`` or ``"right"``.
        start: ``(parameters,)`` [rad] offset at the first of them, or nearly.
        frames: Which frames, in order.
        poses: World positions ``(frames, 3)`` and rotations ``(frames, 4)`` of the hand joint.

    Returns:
        Nothing where a pose cannot be met within the limits.
    """
    from understudy.limbs._ik_kernels import polish

    space = window.space
    times = stage.start_s + np.asarray(frames) / stage.motion.fps
    places, turns = stage.scene.character(stage.character).joints(times)
    at, turned = places[:, space.parent], turns[:, space.parent]
    goals = np.zeros((len(times), 10))
    goals[:, :3] = rot.rotate(rot.conjugate(turned), poses[0] - at)
    goals[:, 3:7] = rot.multiply(rot.conjugate(turned), poses[1])
    clip = window.parameters(times)
    found = np.zeros((len(times), len(space)))
    now = clip[0] + start
    for k, when in enumerate(times.tolist()):
        offset = now - clip[k]
        missing = polish(window.setting, window.scratch, offset, when, space.ends_at, goals[k], True, 30)
        if missing > _MISSED_M or window.limits_broken(offset, when):
            return None
        found[k] = offset
        now = clip[k] + offset
    return found


def blended(first: Pose, last: tuple[FloatArray, FloatArray], share: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Poses ``(n, ...)`` from one pose into a path, by shares ``(n,)`` that go from 0 to 1."""
    positions = first[0] + share[:, None] * (last[0] - first[0])
    return positions, rot.slerp(np.broadcast_to(first[1], last[1].shape), last[1], share)


def eased(share: FloatArray) -> FloatArray:
    """0 to 1 with neither speed nor acceleration at the ends."""
    s = np.clip(share, 0.0, 1.0)
    return np.asarray(s**3 * (10.0 - 15.0 * s + 6.0 * s**2))
