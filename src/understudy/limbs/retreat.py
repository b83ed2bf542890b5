"""The way a hand leaves its target by, or arrives on it: straight out of what it lies on ([Maps], pre-grasp).

A hand in a ring, a box or on a handle has one way out; random samples take long to find it. Postures along that way are
planted in the search's tree from the goal on, each as soon as it is free.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from understudy.limbs.seeds import EndTarget
from understudy.limbs.window import Window
from understudy.typing import FloatArray

#: [s] how often it is asked where a target is, and how many times.
_EVERY_S, _PLACES = 0.05, 17
#: [m] a point this far out on the way.
_FAR_M = 0.5
#: Directions that are tried where the way straight out is not free, and least cosine of their angle with it.
_SIDES = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if abs(x) + abs(y) + abs(z)])
_SIDES = _SIDES / np.linalg.norm(_SIDES, axis=1, keepdims=True)
_BACKWARDS = 0.1


def retreat(
    window: Window,
    offset: FloatArray,
    time_s: float,
    target_at: Callable[[float], FloatArray],
    out: FloatArray,
    end: EndTarget,
    speeds: FloatArray,
    sign: int,
    turn: FloatArray | None = None,
    *,
    straight: bool = False,
) -> FloatArray:
    """Offsets and times ``(n, parameters + 1)`` on the way back from a posture.

    Args:
        window: The limb in its window.
        offset: ``(parameters,)`` [rad] of the posture on the target.
        time_s: When [s].
        target_at: Where the target is at a time of the scene: it may move.
        out: ``(3,)`` the direction the way leads in.
        end: What has to be on the target; its orientation stays free on the way.
        speeds: ``(joints,)`` [rad/s] how fast the limb's joints may turn.
        sign: 1 for leaving (later times), -1 for arriving (earlier ones).
        turn: ``(4,)`` the end's rotation in the world, kept on the way as long as it can be; free unless given.
        straight: Whether no other direction will do; else, where something is in the way, the one free longest.
    """
    from understudy.limbs._retreat_kernels import DISTANCES_M, clearest_way_back

    places = _places(window, target_at, time_s, sign)
    away = out / max(float(np.linalg.norm(out)), 1e-9)
    sides = _SIDES[np.argsort(-(_SIDES @ away), kind="stable")]
    ways = away[None] if straight else np.vstack([away, sides[sides @ away > _BACKWARDS]])
    found = np.empty((0, len(window.space) + 1))
    # Who walks past cannot always keep a hand as it is: then it turns.
    for kept in (turn, None) if turn is not None and not straight else (turn,):
        rotation = np.array([1.0, 0.0, 0.0, 0.0]) if kept is None else np.array(kept, dtype=np.float64)
        rows = np.empty((len(DISTANCES_M), len(window.space) + 1))
        count = clearest_way_back(
            window.setting, window.scratch, window.space.driven, window.margin(0.0), np.array(offset, dtype=np.float64),
            (float(time_s), window.start_s, window.end_s, int(sign)), places, _EVERY_S, _FAR_M * ways,
            np.array(end.point, dtype=np.float64), window.space.ends_at, rotation, kept is not None,
            np.array(speeds, dtype=np.float64), rows,
        )  # fmt: skip
        if count > len(found):
            found = rows[:count]
        if count == len(rows):
            break
    return found


def _places(window: Window, target_at: Callable[[float], FloatArray], time_s: float, sign: int) -> FloatArray:
    """``(n, 3)`` [m] where a target is from a moment on, or before it, as far as the window goes."""
    times = np.clip(time_s + sign * _EVERY_S * np.arange(_PLACES), window.start_s, window.end_s)
    return np.array([target_at(float(time)) for time in times], dtype=np.float64)
