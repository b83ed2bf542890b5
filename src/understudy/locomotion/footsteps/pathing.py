"""From a way on the floor to path and heading over time: set off, walk, slow down, stand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.core.editing import smoothstep
from understudy.performer.smoothing import gaussian
from understudy.typing import FloatArray

#: [m/s] walking speed; [m/s^2] how somebody sets off and slows down.
WALK_MPS, _START_MPS2, _BRAKE_MPS2 = 1.15, 1.2, 1.1
#: [m] over which corners are rounded where there is room.
ROUNDED_M = 0.28
#: [m/s^2] most sideways acceleration, [rad/s] most turning in a curve.
_ASIDE_MPS2, _CURVE_RADPS = 0.9, 0.9
#: [m] longest way that is side-stepped; [rad] how little one turns in it, and how far aside of ahead it leads.
ASIDE_M, _TURNED_RAD, _ASIDE_RAD = 1.2, 0.6, 0.85
#: Share by which one is slower who walks sideways.
_SIDEWAYS = 0.6
#: Share by which one is slower where a walk was refused, and [m] how far that reaches.
_SLOWED, _SLOWED_M = 0.3, 0.7
_NOWHERE = np.zeros((0, 2))
#: [s] by which setting off and stopping are smoothed, and rest that is kept at both ends for that.
_EASE_S, _REST_S = 0.2, 0.5


@dataclass(frozen=True, eq=False, kw_only=True)
class TimedPath:
    """Path and heading, frame by frame.

    Attributes:
        fps: Frames per second.
        place: ``(frames, 2)`` (x, z) [m].
        heading: ``(frames,)`` [rad], continuous.
    """

    fps: float
    place: FloatArray
    heading: FloatArray


def timed(
    points: FloatArray,
    *,
    start_rad: float,
    end_rad: float | None,
    fps: float,
    speed: float = 1.0,
    rounded_m: float = ROUNDED_M,
    slow: FloatArray = _NOWHERE,
    aside_rad: FloatArray | None = None,
) -> TimedPath:
    """Time a way that begins and ends at rest; small turns at both ends are made while walking.

    Args:
        points: ``(n, 2)`` (x, z) [m] from start to goal.
        start_rad: Where the walker faces at first.
        end_rad: Where it faces in the end; along the way unless given.
        fps: Frames per second.
        speed: Factor of the walking speed.
        rounded_m: Over which corners are rounded [m].
        slow: ``(k, 2)`` places (x, z) near which one walks more slowly [m].
        aside_rad: ``(n,)`` how far one turns aside from where the way leads.
    """
    given = np.asarray(points, dtype=np.float64)
    way = rounded(given, rounded_m)
    arcs = arcs_of(way)
    aside = np.zeros(len(arcs))
    if aside_rad is not None:
        before = arcs_of(given)
        aside = np.interp(arcs / max(arcs[-1], 1e-9), before / max(before[-1], 1e-9), aside_rad)
    along = headings(way)
    along = along + (start_rad + wrapped(along[0] - start_rad) - along[0])
    begin = float(along[0] - start_rad)
    end = 0.0 if end_rad is None else wrapped(end_rad - float(along[-1]))
    times = _arc_times(
        arcs,
        along,
        speed
        * _calm(0.5 * (way[1:] + way[:-1]), slow)
        * (1.0 - _SIDEWAYS * np.abs(np.sin(0.5 * (aside[1:] + aside[:-1])))),
    )
    arrived = _REST_S + float(times[-1])
    at = np.arange(round((arrived + _REST_S) * fps) + 1) / fps
    arc = gaussian(np.interp(at - _REST_S, times, arcs), _EASE_S * fps)
    place = np.stack([np.interp(arc, arcs, way[:, n]) for n in range(2)], axis=1)
    walk_s = min(1.2, 0.6 * float(times[-1]))
    heading = np.interp(arc, arcs, along + aside)
    heading = heading - begin * (1.0 - smoothstep((at - _REST_S) / walk_s))
    heading = heading + end * smoothstep((at - arrived + walk_s) / walk_s)
    return TimedPath(fps=fps, place=place, heading=gaussian(heading, 0.1 * fps))


def resting(place: FloatArray, heading_rad: float, *, fps: float, stand_s: float) -> TimedPath:
    """Somebody who stands."""
    count = round(stand_s * fps) + 1
    return TimedPath(fps=fps, place=np.repeat(place[None], count, axis=0), heading=np.full(count, heading_rad))


def arcs_of(way: FloatArray) -> FloatArray:
    """``(n,)`` length of a polyline ``(n, 2)`` up to each of its points [m]."""
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(way, axis=0), axis=1))])


def _calm(points: FloatArray, slow: FloatArray) -> FloatArray:
    """``(n,)`` share of the usual speed at points ``(n, 2)``."""
    away = np.linalg.norm(points[:, None] - slow, axis=2)
    return np.asarray(np.prod(1.0 - _SLOWED * np.exp(-((away / _SLOWED_M) ** 2)), axis=1))


def _arc_times(arcs: FloatArray, along: FloatArray, speed: FloatArray) -> FloatArray:
    """When each point is passed [s]: rest to rest, slower in curves."""
    lengths = np.diff(arcs)
    middle = 0.5 * (arcs[1:] + arcs[:-1])
    bend = np.abs(np.diff(along)) / np.maximum(lengths, 1e-9)
    most = np.minimum(WALK_MPS, np.sqrt(_ASIDE_MPS2 / np.maximum(bend, 1e-6)))
    most = speed * np.minimum(most, _CURVE_RADPS / np.maximum(bend, 1e-6))
    most = gaussian(np.maximum(most, 0.3), 0.15 / max(float(lengths.mean()), 1e-6))
    up = np.sqrt(2.0 * _START_MPS2 * np.maximum(middle, 0.01))
    down = np.sqrt(2.0 * _BRAKE_MPS2 * np.maximum(arcs[-1] - middle, 0.01))
    pace = np.minimum(most, np.minimum(up, down))
    return np.concatenate([[0.0], np.cumsum(lengths / pace)])


def rounded(points: FloatArray, rounded_m: float = ROUNDED_M) -> FloatArray:
    """A polyline with rounded corners, its ends kept, a point every 2 cm or so."""
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    if lengths[-1] < 1e-6:
        return np.repeat(points[:1], 2, axis=0)
    at = np.linspace(0.0, lengths[-1], max(5, int(lengths[-1] / 0.02)))
    fine = np.stack([np.interp(at, lengths, points[:, n]) for n in range(2)], axis=1)
    if len(points) < 3:
        return fine
    smooth = gaussian(fine, min(rounded_m, 0.2 * lengths[-1]) / (at[1] - at[0]))
    # Where the ends are near, the way itself counts.
    near = smoothstep(np.minimum(at, lengths[-1] - at) / (2.0 * rounded_m))
    return np.asarray(fine + near[:, None] * (smooth - fine))


def headings(way: FloatArray) -> FloatArray:
    """``(n,)`` where a polyline ``(n, 2)`` leads at each point [rad], continuous."""
    step = np.gradient(way, axis=0)
    return np.unwrap(np.arctan2(step[:, 0], step[:, 1]))


def wrapped(angle: float) -> float:
    """The same angle within half a turn of zero [rad]."""
    return float((angle + np.pi) % (2.0 * np.pi) - np.pi)


def aside(place: FloatArray, heading_rad: float, goal: FloatArray, end_rad: float) -> bool:
    """Whether one gets to a place beside by side-steps, facing nearly the same way all the time."""
    away = goal - place
    off = abs(wrapped(float(np.arctan2(away[0], away[1])) - heading_rad))
    far = float(np.hypot(*away))
    return far < ASIDE_M and abs(wrapped(end_rad - heading_rad)) < _TURNED_RAD and _ASIDE_RAD < off < np.pi - _ASIDE_RAD


def length_of(route: FloatArray) -> float:
    """How long a polyline ``(n, 2)`` is [m]."""
    return float(np.linalg.norm(np.diff(route, axis=0), axis=1).sum())


def first_heading(route: FloatArray) -> float:
    """Where a route sets off to [rad]: who has not said where to face faces there."""
    away = np.linalg.norm(route - route[0], axis=1)
    far = np.flatnonzero(away > 0.3)
    step = route[far[0] if len(far) else -1] - route[0]
    return float(np.arctan2(step[0], step[1])) if np.any(step) else 0.0
