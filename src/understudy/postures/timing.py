"""When a path is where: one bell-shaped speed from the first key to the last, slower at corners."""

from __future__ import annotations

import numpy as np

from understudy.typing import FloatArray, IntArray

#: A minimum-jerk bell's peak over its mean speed.
PEAK_OVER_MEAN = 1.875
#: Corners are taken slower, by up to this factor, within this share of the path.
_CORNER, _CORNER_WIDTH = 1.0, 0.04
#: [rad/s^2] how fast a short move gets going: 0.4 s for 15 degrees.
_GOING = 1.5
#: [s] that a move takes for which somebody has to step.
LEAST_S = 0.3
#: Share of a posture's Euclidean change that counts when many joints turn a little.
_ALL_JOINTS = 0.3
#: Points the law is tabulated at.
_GRID = 2001


def minimum_jerk(share: FloatArray) -> FloatArray:
    """Share of the way after a share of the time, starting and ending at rest."""
    return share**3 * (10.0 - 15.0 * share + 6.0 * share**2)


def effort(path: FloatArray) -> FloatArray:
    """``(n,)`` how much has been turned up to each posture of a path [rad]: the busiest joint, or many together."""
    steps = np.diff(path, axis=0)
    return effort_of(steps.reshape(len(steps), -1, 3))


def effort_of(steps: FloatArray) -> FloatArray:
    """``(n + 1,)`` the same of steps ``(n, joints, 3)`` [rad]."""
    joints = np.linalg.norm(steps, axis=2)
    edges = np.maximum(joints.max(axis=1), _ALL_JOINTS * np.linalg.norm(joints, axis=1))
    return np.concatenate([[0.0], np.cumsum(edges)])


def duration_of(path: FloatArray, speed_rad_s: float) -> float:
    """Time a path takes at a mean joint speed [s]; short ones are slower, because they begin and end at rest."""
    turned = float(effort(path)[-1])
    return max(turned / speed_rad_s, float(np.sqrt(turned / _GOING)))


def timed(
    path: FloatArray, *, duration_s: float, fps: float, keys: IntArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Where a motion is in time.

    Args:
        path: ``(n, size)`` corners of a path.
        duration_s: How long it takes [s].
        fps: Frames per second; the last frame lies on the path's end.
        keys: Corners that lie on frames, too.

    Returns:
        Postures ``(frames, size)`` and ``(n,)`` the time of every corner [s].
    """
    frames = max(int(np.ceil(duration_s * fps)), 2) + 1
    done = effort(path)
    if done[-1] <= 0.0:
        return np.repeat(path[:1], frames, axis=0), np.linspace(0.0, (frames - 1) / fps, len(path))
    share = done / done[-1]
    grid = np.linspace(0.0, 1.0, _GRID)
    times = _times(grid, _slowing(path, share, grid))
    corners = np.interp(share, grid, times) * (frames - 1)
    clock = np.arange(frames, dtype=np.float64)
    if keys is not None:
        whole, met = np.unique(np.round(corners[keys]), return_index=True)
        clock, corners = np.interp(clock, whole, corners[keys][met]), np.interp(corners, corners[keys][met], whole)
    at = np.interp(clock / (frames - 1), times, grid)
    postures = np.stack([np.interp(at, share, path[:, c]) for c in range(path.shape[1])], axis=1)
    return postures, corners / fps


def _times(grid: FloatArray, slowing: FloatArray) -> FloatArray:
    """Share of the time at shares of the way: a bell, stretched where corners slow it."""
    clock = np.linspace(0.0, 1.0, 20 * _GRID)
    bell = np.interp(grid, minimum_jerk(clock), clock)
    steps = np.diff(bell) * 0.5 * (slowing[1:] + slowing[:-1])
    times = np.concatenate([[0.0], np.cumsum(steps)])
    return np.asarray(times / times[-1])


def _slowing(path: FloatArray, share: FloatArray, grid: FloatArray) -> FloatArray:
    """Factor ``>= 1`` on the time spent at every share of the way."""
    steps = np.diff(path, axis=0)
    sizes = np.linalg.norm(steps, axis=1)
    factor = np.ones_like(grid)
    for n in range(1, len(path) - 1):
        if sizes[n - 1] > 0.0 and sizes[n] > 0.0:
            cosine = float(steps[n - 1] @ steps[n] / (sizes[n - 1] * sizes[n]))
            factor += 0.5 * (1.0 - cosine) * _CORNER * np.exp(-(((grid - share[n]) / _CORNER_WIDTH) ** 2))
    return factor
