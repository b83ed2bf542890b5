"""Hands that flicker: two or three markers tell how a recorded hand bends, and solvers lose them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.typing import FloatArray, IntArray

#: [s] hands that are turned away for less than this only flicker; and over which time they are smoothed.
_FLICKER_S, _HAND_S = 0.12, 0.05


def with_steady_wrists(motion: Motion) -> Motion:
    """The motion with hands that neither flicker nor bend further than wrists do.

    Frames in which a hand is beyond its limits are bridged. Then hands are smoothed over the time a hand needs to turn.
    """
    limits, rotations = fit_body(motion.skeleton).limits, motion.rotations.copy()
    excess = limits.excess(motion.rotations)
    hands = [motion.skeleton.humanoid[role] for role in ("leftHand", "rightHand")]
    for hand in hands:
        sound = np.flatnonzero(excess[:, hand] == 0.0)
        if len(sound):
            rotations[:, hand] = _steadied(motion.rotations[:, hand], sound, motion.fps)
    rotations[:, hands] = limits.clamped(rotations)[:, hands]
    return replace(motion, rotations=rot.continuous(rotations))


def _steadied(turns: FloatArray, sound: IntArray, fps: float) -> FloatArray:
    """Rotations ``(frames, 4)`` of the sound frames without flicker, by a running median and then a running mean."""
    from scipy.ndimage import median_filter

    middle = rot.mean(turns[sound])
    known = rot.log(rot.relative(middle, turns[sound]))
    away = np.stack([np.interp(np.arange(len(turns)), sound, axis) for axis in known.T], axis=1)
    away = median_filter(away, size=(2 * round(_FLICKER_S * fps) + 1, 1), mode="nearest")
    return rot.multiply(middle, rot.exp(running_mean(away, _HAND_S * fps)))


def running_mean(values: FloatArray, spread: float) -> FloatArray:
    """Values ``(frames, ...)`` smoothed by a bell of so many frames; both ends go on as they came."""
    from scipy.ndimage import gaussian_filter1d

    frames = len(values)
    half = min(round(5.0 * spread), frames - 1)
    padded = np.pad(values, ((half, half), *[(0, 0)] * (values.ndim - 1)), mode="reflect", reflect_type="odd")
    return np.asarray(gaussian_filter1d(padded, spread, axis=0)[half : half + frames])
