"""From corners to curves: a moving average over time, as wide as what must not touch allows, through every key.

Averages of postures stay inside convex limits. Where an averaged move is not certified the window there is halved, and
with it, more and more weakly, around it. Keys are met exactly by smooth bumps that vanish at the other keys.
"""

from __future__ import annotations

import numpy as np

from understudy.postures.averaging import averaged, envelope
from understudy.postures.stage import Stage
from understudy.typing import FloatArray

#: [s] widest half window, narrowest one, and how fast a window may widen away from a tight place [s/s].
_WIDEST_S, _NARROWEST_S, _SLOPE = 0.35, 0.004, 0.5
#: Half windows over the time to the nearer end: feet come straight down to the floor, whatever they did before.
_REACH = 0.5
#: [s] narrower windows leave a corner at an inner key.
_TURN_S = 0.05
_ROUNDS = 14
#: [s] half of the time over which the window's width is evened out.
_EVEN_S = 0.1


def smoothed(
    stage: Stage, postures: FloatArray, keys: FloatArray, key_frames: FloatArray, *, fps: float
) -> FloatArray | None:
    """Smooth a motion's postures.

    Args:
        stage: Keeps the gaps wanted of the motion.
        postures: ``(frames, size)`` certified but with corners.
        keys: ``(keys, size)`` postures to pass through.
        key_frames: ``(keys,)`` when [frames, not rounded]; the first is 0, the last ``frames - 1``.
        fps: Frames per second.

    Returns:
        ``(frames, size)``, every move between frames certified; ``None`` when even the narrowest windows are not, or
        when a corner is left at an inner key.
    """
    frames = len(postures)
    clock = np.arange(frames) / fps
    width = np.full(frames, _WIDEST_S)
    for _ in range(_ROUNDS):
        width = np.minimum(width, _REACH * np.minimum(clock, clock[-1] - clock))
        # A window that widens by jerks makes the motion jerk.
        window = -envelope(-width * fps, _EVEN_S * fps)
        out = _through_keys(averaged(postures, window), keys, key_frames, window)
        out = stage.clamped_all(out)
        if stage.pins is not None:
            out = np.array([stage.held(q)[0] for q in out])
        out[0], out[-1] = keys[0], keys[-1]
        bad = np.flatnonzero(~stage.look_along(out)[0][:-1])
        if not len(bad):
            inner = window[np.round(key_frames[1:-1]).astype(np.int64)] / fps
            return out if inner.min(initial=np.inf) > _TURN_S else None
        if max(width[n] for n in bad) <= _NARROWEST_S and max(width[n + 1] for n in bad) <= _NARROWEST_S:
            return None
        # All bad frames of a round shrink what the round began with.
        tight = 0.5 * np.maximum(width[bad], width[bad + 1])
        tight[tight <= _NARROWEST_S] = 0.0
        width = np.minimum(width, (tight + _SLOPE * np.abs(clock[:, None] - clock[bad])).min(axis=1))
    return None


def _through_keys(postures: FloatArray, keys: FloatArray, at: FloatArray, width: FloatArray) -> FloatArray:
    """Add smooth bumps so that the postures pass through the inner keys at their times."""
    if len(keys) < 3:
        return postures
    frames = np.arange(len(postures))
    bumps = np.empty((len(keys) - 2, len(postures)))
    for n in range(1, len(keys) - 1):
        room = min(at[n] - at[n - 1], at[n + 1] - at[n])
        # Keys alike may be met in one frame.
        half = max(min(room, max(2.0 * width[round(at[n])], 4.0)), 0.5)
        u = np.clip(np.abs(frames - round(at[n])) / half, 0.0, 1.0)
        bumps[n - 1] = (1.0 - u**2) ** 3
    hit = [round(time) for time in at[1:-1]]
    return np.asarray(postures + bumps.T @ (keys[1:-1] - postures[hit]))
