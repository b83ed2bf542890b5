"""From a change of knots to frames that touch nothing: supports met, limits kept, every move certified."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.postures.spacetime.chart import MovingChart
from understudy.postures.spacetime.supports import Supports
from understudy.postures.stage import Stage
from understudy.typing import BoolArray, FloatArray

#: Rounds of taking back, Newton steps onto supports, [m] error of supports that is small enough.
_ROUNDS, _STEPS, _CLOSE_M = 16, 6, 1e-7
#: What is left of the change where it is not free, each time.
_LESS = 0.7
#: [s] how far around a place that is not free the change is taken back, and [m] how deep below the floor is too deep.
_AROUND_S, _BELOW_M = 0.25, 0.0004


def safe_path(
    chart: MovingChart, supports: Supports, stage: Stage, whole: FloatArray, *, floor: bool
) -> tuple[FloatArray, float]:
    """Coordinates ``(frames, size)`` after a change ``whole``, and the share of the change that is left."""
    motion = chart.motion
    gain = np.ones(len(motion))
    clock = np.arange(len(motion)) / motion.fps
    lowest = np.minimum(_lowest(chart, chart.origin), 0.0) - _BELOW_M
    for _ in range(_ROUNDS):
        path = held(chart, supports, chart.origin + gain[:, None] * whole)
        bad = ~_free(chart, stage, path)
        if floor:
            bad |= _lowest(chart, path) < lowest
        if not bad.any():
            return path, float(gain.mean())
        for n in np.flatnonzero(bad):
            away = np.clip(np.abs(clock - clock[n]) / _AROUND_S, 0.0, 1.0)
            less = _LESS * gain[n] if gain[n] > 0.05 else 0.0
            gain = np.minimum(gain, less + (1.0 - less) * away**2 * (3.0 - 2.0 * away))
    return chart.origin.copy(), 0.0


def held(chart: MovingChart, supports: Supports, path: FloatArray) -> FloatArray:
    """The path with every frame within its limits and on its supports."""
    from understudy.postures._limit_kernels import clamp
    from understudy.postures.spacetime._kernels import point_rows

    out, arrays = path.copy(), chart.space.arrays
    free = arrays.movable > 0.0
    for n, q in enumerate(out):
        clamp(arrays.tree, arrays.joints, q)
        which = np.flatnonzero(supports.held[n])
        if len(which) == 0 or not np.abs(path[n] - chart.origin[n]).max() > 0.0:
            continue
        places, rows = np.empty((len(which), 3)), np.empty((len(which), 3, len(q)))
        for _ in range(_STEPS):
            own, _, _ = chart.placed(n, q)
            point_rows(own, chart.room, supports.carriers[which], supports.points[which], places, rows)
            off = (places - supports.places[n, which]).ravel()
            if np.abs(off).max() < _CLOSE_M:
                break
            matrix = rows.reshape(len(off), -1)[:, free]
            q[free] -= np.linalg.lstsq(matrix, off, rcond=1e-6)[0]
            clamp(arrays.tree, arrays.joints, q)
    return out


def _free(chart: MovingChart, stage: Stage, path: FloatArray) -> BoolArray:
    """``(frames,)`` whether the move from a frame to the next keeps every gap."""
    from understudy.postures._certify_kernels import certified

    roots = rot.multiply(rot.exp(path[:, 3:6]), chart.motion.rotations[:, 0])
    steps = rot.log(rot.multiply(roots[1:], rot.conjugate(roots[:-1])))
    out = np.ones(len(path), dtype=bool)
    for n in range(len(path) - 1):
        a, b = path[n].copy(), path[n + 1].copy()
        a[3:6], b[3:6] = 0.0, steps[n]
        out[n] = certified(chart.arrays(roots[n]), stage.solids, stage.along, a, b, stage.room, 64)
    return out


def _lowest(chart: MovingChart, path: FloatArray) -> FloatArray:
    """``(frames,)`` height of every frame's lowest point [m]."""
    motion = chart.moved(path)
    return chart.space.lowest(motion.root_positions, motion.rotations)
