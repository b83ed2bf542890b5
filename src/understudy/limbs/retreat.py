"""The way a hand leaves its target by, or arrives on it: straight back towards the shoulder (methods.md M6, pre-grasp).

A hand in a ring, a box or on a handle has one way out; random samples take long to find it. Postures along that way are
planted in the search's tree from the goal on, each as soon as it is free.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from understudy.limbs.ik import Posture
from understudy.limbs.seeds import EndTarget
from understudy.limbs.window import Window
from understudy.typing import FloatArray

#: [m] how far back, and [m/s^2] how fast at most: a hand sets out gently and arrives gently.
DISTANCES_M = (0.03, 0.06, 0.1, 0.15, 0.2)
_GENTLY = 2.5
#: Times the least time a step may take; and share of the way to the shoulder after which to stop.
_LEISURE, _FARTHEST = 1.3, 0.6
#: Times the length of a step is adjusted to what it takes.
_SETTLED = 4
#: Directions that are tried where the way to the shoulder is not free, and least cosine of their angle with it.
_SIDES = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if abs(x) + abs(y) + abs(z)])
_SIDES = _SIDES / np.linalg.norm(_SIDES, axis=1, keepdims=True)
_BACKWARDS = 0.1


def retreat(
    window: Window,
    posture: Posture,
    time_s: float,
    target_at: Callable[[float], FloatArray],
    shoulder: FloatArray,
    end: EndTarget,
    speeds: FloatArray,
    sign: int,
    turn: FloatArray | None = None,
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
        turn: ``(4,)`` the end's rotation in the world, kept on the way as long as it can be; free unless given.
    """
    from understudy.limbs._retreat_kernels import MET_M, clip_parameters, stepped_back

    setting, driven, span = window.setting, window.space.driven, (window.start_s, window.end_s)
    rotation = np.array([1.0, 0.0, 0.0, 0.0]) if turn is None else np.asarray(turn, dtype=np.float64)
    point, pace = np.asarray(end.point, dtype=np.float64), np.asarray(speeds, dtype=np.float64)
    rows: list[FloatArray] = []
    away = shoulder - target_at(time_s)
    length = float(np.linalg.norm(away))
    when, gone = time_s, 0.0
    clip = np.empty(len(window.space))
    clip_parameters(setting, driven, time_s, clip)
    absolute = clip + posture.offset
    for distance in DISTANCES_M:
        if distance > _FARTHEST * length:
            break
        back = away / length * distance
        step_s = math.sqrt(2.0 * distance / _GENTLY) - math.sqrt(2.0 * gone / _GENTLY)
        began, later, missing = min(max(when, span[0]), span[1]), when, math.inf
        moved = np.empty((2, len(window.space)))
        for _ in range(_SETTLED):
            later = when + sign * step_s
            inside = min(max(later, span[0]), span[1])
            there = np.asarray(target_at(later) + back, dtype=np.float64)
            missing, needed = stepped_back(
                setting, window.scratch, driven, absolute, (began, inside), there, point, window.space.ends_at,
                rotation, turn is not None, pace, moved,
            )  # fmt: skip
            if _LEISURE * needed <= step_s:
                break
            step_s = 1.1 * _LEISURE * needed
        if missing > MET_M or not span[0] < later < span[1]:
            break
        rows.append(np.array([*moved[1], later]))
        absolute, when, gone = moved[0], later, distance
    return np.array(rows).reshape(-1, len(window.space) + 1)


def clear_retreat(
    window: Window,
    posture: Posture,
    time_s: float,
    target_at: Callable[[float], FloatArray],
    shoulder: FloatArray,
    end: EndTarget,
    speeds: FloatArray,
    sign: int,
) -> FloatArray:
    """:func:`retreat` towards the shoulder, or where something is in the way there by the way that is free longest."""
    here = target_at(time_s)
    away = (shoulder - here) / max(float(np.linalg.norm(shoulder - here)), 1e-9)
    best, reached = np.empty((0, len(window.space) + 1)), -1
    sides = _SIDES[np.argsort(-(_SIDES @ away), kind="stable")]
    for side in (away, *sides[sides @ away > _BACKWARDS]):
        rows = retreat(window, posture, time_s, target_at, here + 0.5 * side, end, speeds, sign)
        free = _free_rows(window, posture, time_s, rows)
        stopped = free < len(rows)  # by something, not by the limb's reach or pace
        if free > reached:
            best, reached = rows, free
        if free == len(DISTANCES_M) or (side is away and not stopped):
            break
    return best


def _free_rows(window: Window, posture: Posture, time_s: float, rows: FloatArray) -> int:
    """How many of the rows from a posture on can be reached without meeting anything."""
    chain = np.vstack([[*posture.offset, time_s], rows])
    for k in range(len(rows)):
        edge = chain[k : k + 2] if chain[k + 1, -1] > chain[k, -1] else chain[[k + 1, k]]
        if window.first_touch(edge[:, :-1], edge[:, -1], 0.0) is not None:
            return k
    return len(rows)
