"""How fast everything in a window can change: rates of its tables, of moving solids, and of joints."""

from __future__ import annotations

import math

import numpy as np

from understudy.collision._sweep_kernels import turn_angle
from understudy.collision.tables import BOUND, CENTRE, PLACE, TrackArrays
from understudy.compiling.kernel import njit
from understudy.rotations._kernels import qlog, qmul
from understudy.typing import FloatArray, IntArray

#: Interpolating a quaternion linearly turns faster in the middle of a step than slerp does, by less than this.
_FASTER = 1.01


@njit(cache=True, error_model="numpy")
def _end_speed(segments: FloatArray, g: int, c: int, step: float) -> float:
    fastest = 0.0
    for e in (0, 3):
        moved = 0.0
        for i in range(3):
            moved += (segments[g + 1, c, e + i] - segments[g, c, e + i]) ** 2
        fastest = max(fastest, moved)
    return math.sqrt(fastest) / step


@njit(cache=True, error_model="numpy")
def cell_rates(
    coordinates: FloatArray,
    base: FloatArray,
    rest: FloatArray,
    own: FloatArray,
    sources: FloatArray,
    step: float,
    out: FloatArray,
) -> None:
    """Rates of every cell ``out (cells, columns)``; see ``WindowArrays.rates``."""
    for g in range(out.shape[0]):
        column = 0
        for i in range(coordinates.shape[1]):
            out[g, column + i] = abs(coordinates[g + 1, i] - coordinates[g, i]) / step
        column += coordinates.shape[1]
        moved = 0.0
        for i in range(3):
            moved += (base[g + 1, i] - base[g, i]) ** 2
        out[g, column] = math.sqrt(moved) / step
        out[g, column + 1] = _FASTER * turn_angle(base[g : g + 1, 3:], base[g + 1 : g + 2, 3:], 0) / step
        column += 2
        for c in range(rest.shape[1]):
            out[g, column + c] = _end_speed(rest, g, c, step)
        column += rest.shape[1]
        for c in range(own.shape[1]):
            out[g, column + c] = _end_speed(own, g, c, step)
        column += own.shape[1]
        for i in range(sources.shape[1]):
            out[g, column + i] = abs(sources[g + 1, i] - sources[g, i]) / step


@njit(cache=True, error_model="numpy")
def fill_rates(cells: FloatArray, columns: IntArray, solids: FloatArray, out: FloatArray) -> None:
    """Some columns of rates ``cells (cells, all columns)``, then solids', and level by level maxima over 2, 4... cells.

    See ``WindowArrays.rates`` for ``out``.
    """
    count, chosen = out.shape[1], columns.shape[0]
    for g in range(count):
        for i in range(chosen):
            out[0, g, i] = cells[g, columns[i]]
        for i in range(solids.shape[1]):
            out[0, g, chosen + i] = solids[g, i]
    for level in range(1, out.shape[0]):
        shift = 1 << (level - 1)
        for g in range(count):
            other = min(g + shift, count - 1)
            for i in range(out.shape[2]):
                out[level, g, i] = max(out[level - 1, g, i], out[level - 1, other, i])


@njit(cache=True, error_model="numpy")
def track_rates(tracks: TrackArrays, rows: FloatArray, start: float, step: float, cells: int) -> FloatArray:
    """``(cells, tracks)`` largest speed of any point of each moving solid within each cell [m/s]."""
    out = np.zeros((cells, tracks.spans.shape[0]))
    for k in range(tracks.spans.shape[0]):
        i, first, last = tracks.spans[k, 0], tracks.spans[k, 1], tracks.spans[k, 2]
        x, y, z = (
            rows[i, CENTRE] - rows[i, PLACE],
            rows[i, CENTRE + 1] - rows[i, PLACE + 1],
            rows[i, CENTRE + 2] - rows[i, PLACE + 2],
        )
        far = rows[i, BOUND] + math.sqrt(x * x + y * y + z * z)
        for a in range(first, last - 1):
            t0, t1 = tracks.times[a], tracks.times[a + 1]
            low, high = math.floor((t0 - start) / step), math.floor((t1 - start) / step)
            if high < 0 or low >= cells:
                continue
            shift = 0.0
            for m in range(3):
                shift += (tracks.poses[a + 1, m] - tracks.poses[a, m]) ** 2
            angle = turn_angle(tracks.poses[a : a + 1, 3:], tracks.poses[a + 1 : a + 2, 3:], 0)
            speed = (math.sqrt(shift) + angle * far) / (t1 - t0)
            for cell in range(max(int(low), 0), min(int(high), cells - 1) + 1):
                out[cell, k] = max(out[cell, k], speed)
    return out


@njit(cache=True, error_model="numpy")
def turn_rates(rotations: FloatArray, fps: float, out: FloatArray) -> None:
    """Angular velocities ``out (joints, 3, frames - 1)`` [rad/s] of rotations ``(frames, joints, 4)``."""
    for f in range(out.shape[2]):
        for j in range(out.shape[0]):
            a, b = rotations[f, j], rotations[f + 1, j]
            w, x, y, z = qmul(b[0], b[1], b[2], b[3], a[0], -a[1], -a[2], -a[3])
            x, y, z = qlog(w, x, y, z)
            out[j, 0, f], out[j, 1, f], out[j, 2, f] = x * fps, y * fps, z * fps


@njit(cache=True, error_model="numpy")
def levelled(rows: FloatArray, ramp: FloatArray, level: FloatArray, trend: FloatArray) -> None:
    """Rows ``(n, frames)`` made longer at both ends by their point reflection, less the line between their new ends.

    Writes ``level (n, longer)``, and ``trend (n, frames)`` the line where the rows were; ``ramp (longer,)`` is 0 to 1.
    """
    count = rows.shape[1]
    pad = (level.shape[1] - count) // 2
    for n in range(rows.shape[0]):
        row, out = rows[n], level[n]
        for i in range(pad):
            out[i] = 2.0 * row[0] - row[pad - i]
            out[pad + count + i] = 2.0 * row[count - 1] - row[count - 2 - i]
        start, rise = out[0], out[level.shape[1] - 1] - out[0]
        for i in range(count):
            trend[n, i] = start + ramp[pad + i] * rise
            out[pad + i] = row[i]
        for i in range(level.shape[1]):
            out[i] -= start + ramp[i] * rise


@njit(cache=True, error_model="numpy")
def fastest_turns(
    rates: FloatArray, fps: float, speeds: FloatArray, accelerations: FloatArray, jerks: FloatArray
) -> None:
    """Speed, acceleration and jerk of the fastest joint from angular velocities ``rates (joints, 3, times)`` [rad/s].

    Args:
        rates: Angular velocities.
        fps: Times per second.
        speeds: Written ``(times,)`` [rad/s].
        accelerations: Written ``(times - 1,)`` [rad/s^2].
        jerks: Written ``(times - 2,)`` [rad/s^3].
    """
    speeds[:], accelerations[:], jerks[:] = 0.0, 0.0, 0.0
    for j in range(rates.shape[0]):
        a, b, c = rates[j, 0], rates[j, 1], rates[j, 2]
        for f in range(speeds.shape[0]):
            speeds[f] = max(speeds[f], a[f] * a[f] + b[f] * b[f] + c[f] * c[f])
        for f in range(accelerations.shape[0]):
            x, y, z = a[f + 1] - a[f], b[f + 1] - b[f], c[f + 1] - c[f]
            accelerations[f] = max(accelerations[f], x * x + y * y + z * z)
        for f in range(jerks.shape[0]):
            x, y, z = a[f + 2] - 2 * a[f + 1] + a[f], b[f + 2] - 2 * b[f + 1] + b[f], c[f + 2] - 2 * c[f + 1] + c[f]
            jerks[f] = max(jerks[f], x * x + y * y + z * z)
    for f in range(speeds.shape[0]):
        speeds[f] = math.sqrt(speeds[f])
    for f in range(accelerations.shape[0]):
        accelerations[f] = math.sqrt(accelerations[f]) * fps
    for f in range(jerks.shape[0]):
        jerks[f] = math.sqrt(jerks[f]) * fps * fps
