"""The way a hand leaves its target by, or arrives on it: straight back towards the shoulder (methods.md M6, pre-grasp).

A hand in a ring, a box or on a handle has one way out; random samples take long to find it. Postures along that way are
planted in the search's tree from the goal on, each as soon as it is free.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from understudy import rotations as rot
from understudy.limbs.ik import EndTarget, Posture
from understudy.limbs.window import Window
from understudy.typing import FloatArray

#: [m] how far back, and [m/s] how fast.
DISTANCES_M = (0.03, 0.06, 0.1, 0.15, 0.2)
_SPEED = 0.6
#: Times the least time a step may take; and share of the way to the shoulder after which to stop.
_LEISURE, _FARTHEST = 1.4, 0.6


def retreat(
    window: Window,
    posture: Posture,
    time_s: float,
    target_at: Callable[[float], FloatArray],
    shoulder: FloatArray,
    end: EndTarget,
    speeds: FloatArray,
    sign: int,
) -> FloatArray:
    """Offsets and times ``(n, parameters + 1)`` on the way back from a posture.

    Args:
        window: The limb in its window.
        posture: On the target.
        time_s: When [s].
        target_at: Where the target is at a time of the scene: it may move.
        shoulder: ``(3,)`` [m] where the way leads.
        end: What has to be on the target; its orientation stays free on the way.
        speeds: ``(joints,)`` [rad/s] how fast the limb's joints may turn.
        sign: 1 for leaving (later times), -1 for arriving (earlier ones).
    """
    rows: list[FloatArray] = []
    away = shoulder - target_at(time_s)
    length = float(np.linalg.norm(away))
    when, gone = time_s, 0.0
    absolute = window.parameters(np.array([time_s]))[0] + posture.offset
    for distance in DISTANCES_M:
        if distance > _FARTHEST * length:
            break
        back, step_s = away / length * distance, (distance - gone) / _SPEED
        moved, missing = _moved_back(window, absolute, when + sign * step_s, target_at, back, end)
        turn = (window.space.spread @ (moved - absolute)).reshape(-1, 3)
        later = when + sign * max(step_s, _LEISURE * float((np.linalg.norm(turn, axis=1) / speeds).max()))
        moved, missing = _moved_back(window, absolute, later, target_at, back, end)
        if missing > 1e-4 or not window.start_s < later < window.end_s:
            break
        rows.append(np.array([*(moved - window.parameters(np.array([later]))[0]), later]))
        absolute, when, gone = moved, later, distance
    return np.array(rows).reshape(-1, len(window.space) + 1)


def _moved_back(
    window: Window,
    absolute: FloatArray,
    time_s: float,
    target_at: Callable[[float], FloatArray],
    back: FloatArray,
    end: EndTarget,
) -> tuple[FloatArray, float]:
    """Parameters [rad] near given ones that put the end ``back (3,)`` [m] off its target, and what is missing [m]."""
    from understudy.limbs._ik_kernels import polish

    inside = float(np.clip(time_s, window.start_s, window.end_s))
    clip = window.parameters(np.array([inside]))[0]
    offset, goal = absolute - clip, np.zeros(10)
    place, turn = _parent(window, inside)
    goal[:3] = rot.rotate(rot.conjugate(turn), target_at(inside) + back - place)
    goal[3], goal[7:] = 1.0, end.point
    missing = polish(window.setting, window.scratch, offset, inside, window.space.ends_at, goal, False, 20)
    return clip + offset, float(missing)


def _parent(window: Window, time_s: float) -> tuple[FloatArray, FloatArray]:
    """Position and rotation of the limb's parent at a time."""
    clock, base = window.setting.window.clock, window.setting.window.base
    place = np.clip((time_s - clock[0]) / clock[1], 0, len(base) - 1)
    cell = min(int(place), len(base) - 2)
    row = base[cell] + (place - cell) * (base[cell + 1] - base[cell])
    return row[:3], rot.normalize(row[3:])
