"""The way a hand leaves its target by, or arrives on it: straight out of what it lies on ([Maps], pre-grasp).

A hand in a ring, a box or on a handle has one way out; random samples take long to find it. Postures along that way are
planted in the search's tree from the goal on, each as soon as it is free.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from understudy.limbs.following import followed
from understudy.limbs.seeds import EndTarget
from understudy.limbs.smoothing import on_frames
from understudy.limbs.speeds import needed_s
from understudy.limbs.window import Window
from understudy.typing import FloatArray

#: [m] how far back, and [m/s^2] how fast at most: a hand sets out gently and arrives gently.
DISTANCES_M = np.array([0.005, 0.015, 0.03, 0.06, 0.1, 0.15, 0.2])
_GENTLY = 2.5
#: [s] how often it is asked where a target is, and how many times.
_EVERY_S, _PLACES = 0.05, 17
#: Times the least time a step takes, and times the steps are made longer until the limb is not too fast.
_LEISURE, _SETTLED = 1.3, 4
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
    root, best, reached = np.array([*offset, time_s]), np.empty((0, len(offset) + 1)), -1
    times = np.clip(time_s + sign * _EVERY_S * np.arange(_PLACES), window.start_s, window.end_s)[::sign]
    track = np.column_stack([[target_at(float(when)) for when in times], times])
    for away, kept, first in _ways(out, turn, straight):
        rows = _way(window, root, track, away, end.point, speeds, sign, kept)
        free = window.reached(np.vstack([root, rows]), window.margin(0.0))
        if free > reached:
            best, reached = rows, free
        # What stops the first choice is mostly something in the way, and not the limb's reach or pace.
        if free == len(DISTANCES_M) or (first and free == len(rows)):
            break
    return best


def _ways(
    out: FloatArray, turn: FloatArray | None, straight: bool
) -> Iterator[tuple[FloatArray, FloatArray | None, bool]]:
    """Directions, how the end is turned on the way, and whether it goes straight out, the first choice first.

    Who walks past cannot always keep a hand as it is: then it turns.
    """
    away = out / max(float(np.linalg.norm(out)), 1e-9)
    sides = _SIDES[np.argsort(-(_SIDES @ away), kind="stable")]
    for kept in (turn,) if straight or turn is None else (turn, None):
        yield away, kept, True
        if not straight:
            yield from ((side, kept, False) for side in sides[sides @ away > _BACKWARDS])


def _way(
    window: Window,
    root: FloatArray,
    track: FloatArray,
    away: FloatArray,
    point: FloatArray,
    speeds: FloatArray,
    sign: int,
    turn: FloatArray | None,
) -> FloatArray:
    """Offsets and times ``(n, parameters + 1)`` from a posture on in one direction, as far as the limb can follow.

    ``track (n, 4)`` is where the target is [m], and when [s].
    """
    steps_s = np.diff(np.sqrt(2.0 * DISTANCES_M / _GENTLY), prepend=0.0)
    start = root[:-1] + window.parameters(root[-1:])[0]
    rows = np.empty((0, len(root)))
    for _ in range(_SETTLED):
        times = root[-1] + sign * np.cumsum(steps_s)
        times = times[(times > window.start_s) & (times < window.end_s)]
        places = on_frames(track, times) + DISTANCES_M[: len(times), None] * away
        turns = None if turn is None else np.repeat(turn[None], len(times), axis=0)
        found = followed(window, start, times, places, turns, point=point, lenient=True)
        rows = np.column_stack([found, times[: len(found)]])
        needed = needed_s(window.space, np.diff(np.vstack([root, rows])[:, :-1], axis=0), speeds)
        slow = _LEISURE * needed > steps_s[: len(needed)]
        if not slow.any():
            break
        steps_s[: len(needed)] = np.where(slow, 1.1 * _LEISURE * needed, steps_s[: len(needed)])
    return rows
