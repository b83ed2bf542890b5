"""Poses along a way made a matter of time: slower in turns, sideways and where it is narrow."""

from __future__ import annotations

import numpy as np

from understudy.typing import FloatArray

#: [m] a turn by one radian counts as this much of a way; [m] between two points of a smooth way.
_TURN_M, _STEP_M = 0.3, 0.03
#: [m/s] walking ahead and sideways; [rad/s] turning; [m/s^2] to the side in a curve, and braking.
_AHEAD_MPS, _ASIDE_MPS, _TURN_RADPS, _ASIDE_MPS2, _BRAKE_MPS2 = 1.15, 0.4, 1.5, 0.9, 0.9


def smoothed(poses: FloatArray, rounds: int) -> FloatArray:
    """Poses ``(n, 3 or more)`` evenly spaced and after some rounds without corners; both ends stay.

    Whatever comes after x, z and heading counts as a turn does.
    """
    far = _lengths(poses)
    if far[-1] < 2.0 * _STEP_M:
        return poses
    at = np.linspace(0.0, far[-1], max(3, int(far[-1] / _STEP_M) + 1))
    out = np.stack([np.interp(at, far, poses[:, k]) for k in range(poses.shape[1])], axis=1)
    for _ in range(rounds):
        out[1:-1] = 0.5 * out[1:-1] + 0.25 * (out[:-2] + out[2:])
    return out


def timed(
    poses: FloatArray,
    *,
    first_mps: float | None = None,
    last_mps: float | None = None,
    least_s: FloatArray | None = None,
) -> FloatArray:
    """``(n,)`` times from the first of some smooth poses [s].

    Args:
        poses: ``(n, 3)`` x, z [m], heading [rad].
        first_mps: Speed at the first; as fast as the way allows unless given.
        last_mps: Speed at the last.
        least_s: ``(n - 1,)`` least time between two of them [s].
    """
    step = np.diff(poses, axis=0)
    way = np.hypot(step[:, 0], step[:, 1])
    turn = np.abs(step[:, 2])
    long = np.maximum(way + _TURN_M * turn, 1e-9)
    heading = 0.5 * (poses[1:, 2] + poses[:-1, 2])
    off = np.abs(step[:, 0] * np.cos(heading) - step[:, 1] * np.sin(heading)) / np.maximum(way, 1e-9)
    fastest = _AHEAD_MPS + np.minimum(off, 1.0) * (_ASIDE_MPS - _AHEAD_MPS)
    backwards = step[:, 0] * np.sin(heading) + step[:, 1] * np.cos(heading) < -0.5 * way
    fastest = np.where(backwards, _ASIDE_MPS, fastest)
    # Rates of the way's own length: a turn on the spot is a way as well.
    rate = np.minimum(fastest * long / np.maximum(way, 1e-9), _TURN_RADPS * long / np.maximum(turn, 1e-9))
    rate = np.minimum(rate, np.sqrt(_ASIDE_MPS2 / np.maximum(way * turn, 1e-12)) * long)
    rate = np.minimum(rate, _AHEAD_MPS)
    if least_s is not None:
        rate = np.minimum(rate, long / np.maximum(least_s, 1e-9))
    if first_mps is not None:
        rate[0] = min(rate[0], max(first_mps, 0.15))
    if last_mps is not None:
        rate[-1] = min(rate[-1], max(last_mps, 0.15))
    for k in range(1, len(rate)):
        rate[k] = min(rate[k], np.sqrt(rate[k - 1] ** 2 + 2.0 * _BRAKE_MPS2 * long[k]))
    for k in range(len(rate) - 2, -1, -1):
        rate[k] = min(rate[k], np.sqrt(rate[k + 1] ** 2 + 2.0 * _BRAKE_MPS2 * long[k]))
    return np.concatenate([[0.0], np.cumsum(long / rate)])


def _lengths(poses: FloatArray) -> FloatArray:
    step = np.diff(poses, axis=0)
    return np.concatenate(
        [[0.0], np.cumsum(np.hypot(step[:, 0], step[:, 1]) + _TURN_M * np.abs(step[:, 2:]).sum(axis=1))]
    )
