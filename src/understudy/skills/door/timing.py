"""A way through a door made a matter of time: path, heading and opening frame by frame, and when the hand holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from understudy.core.editing import smoothstep
from understudy.performer.smoothing import gaussian, pchip
from understudy.skills.door.lattice import STEP_RAD, Crossing, swing_steps
from understudy.skills.door.layout import Door
from understudy.skills.door.stepping import steps_end_s
from understudy.typing import FloatArray

#: [m/s] walking, at the handle, and while the hand holds; the latter two for pushing and pulling.
WALK_MPS, _AT_HANDLE_MPS, _HOLD_MPS = 1.15, (0.62, 0.30), (0.55, 0.38)
#: [m/s per m] how soon somebody slows down before a handle and walks faster after it.
_SLOWING, _GOING = 0.55, 0.75
#: [s] smoothing of the way and of the opening; [s] after taking hold before the leaf moves.
_WAY_S, _OPENING_S, _LATCH_S = 0.18, 0.12, 0.08
#: [rad/s] fastest door; [rad/s] how fast a self-closing door falls shut; [s] how long a free one swings on.
_DOOR_RADPS, _SHUT_RADPS, _SWING_S = 1.15, 0.5, (0.25, 0.9)
#: [m] by which a polyline's corners are rounded.
_ROUNDED_M = 0.3
#: [m/s^2] how somebody brakes.
_BRAKE_MPS2 = 0.75


@dataclass(frozen=True, eq=False, kw_only=True)
class Timeline:
    """A crossing over time.

    Attributes:
        fps: Frames per second.
        place: ``(frames, 2)`` path of the pelvis (x, z) [m].
        heading: ``(frames,)`` [rad], continuous.
        opening: ``(frames,)`` [rad].
        grab_s: When the hand takes hold [s].
        release_s: When it lets go [s].
        hand: Which.
        halt_s: When the walk has stopped, where it does [s].
        go_s: When it goes on [s].
    """

    fps: float
    place: FloatArray
    heading: FloatArray
    opening: FloatArray
    grab_s: float
    release_s: float
    hand: str
    halt_s: float | None = None
    go_s: float | None = None

    @property
    def times_s(self) -> FloatArray:
        """``(frames,)``."""
        return np.arange(len(self.place)) / self.fps


def timeline(door: Door, way: Crossing, *, fps: float, start_heading: float | None, margin_s: float) -> Timeline:
    """Time a crossing; the path goes straight on for ``margin_s`` beyond both ends."""
    route = _route(way, start_heading)
    times = _times(door, route)
    at = np.arange(-round(margin_s * fps), int(np.floor(times[-1] * fps)) + 1 + round(margin_s * fps)) / fps
    place = np.stack([_continued(at, times, route.points[:, n]) for n in range(2)], axis=1)
    turn = np.interp(at, times, route.heading)
    width = _WAY_S * fps
    place, turn = gaussian(place, width), gaussian(turn, width)
    grab_s, release_s = float(times[route.grab]), float(times[route.release])
    swing = _opening(door, at, grab_s, release_s, times, route.opening)
    return Timeline(
        fps=fps,
        place=place,
        heading=turn,
        opening=swing,
        grab_s=grab_s - at[0],
        release_s=release_s - at[0],
        hand=way.hand,
    )


def halting_timeline(
    door: Door, way: Crossing, *, fps: float, start_heading: float | None, margin_s: float
) -> Timeline:
    """The same for somebody who stops at the handle, steps while holding, and walks on from standing."""
    route = _route(way, start_heading)
    held = slice(route.grab, route.release + 1)
    parts = [slice(0, route.grab + 1), held, slice(route.release, len(route.points))]
    moves = float(np.hypot(*(route.points[route.release] - route.points[route.grab])))
    steps = 0 if moves < 0.05 and abs(route.heading[route.release] - route.heading[route.grab]) < 0.2 else 2
    up = _slowing_times(route.points[parts[0]])
    off = _slowing_times(route.points[parts[2]][::-1])
    opened = float(route.opening[route.release] - route.opening[route.grab])
    hold_s = max(0.9 + _LATCH_S, opened / 0.55, steps_end_s(0.0, steps) - 0.25)
    halt_s = float(up[-1])
    grab_s = halt_s - 0.05
    release_s = grab_s + hold_s
    go_s = max(release_s + 0.05, halt_s + steps_end_s(0.0, steps) - 0.15)
    end_s = go_s + float(off[-1])
    at = np.arange(-round(margin_s * fps), int(np.floor(end_s * fps)) + 1 + round(margin_s * fps)) / fps
    keys = [
        (up, route.points[parts[0]], route.heading[parts[0]]),
        (go_s + off[-1] - off[::-1], route.points[parts[2]], route.heading[parts[2]]),
    ]
    share = smoothstep((at - grab_s - 0.25) / (go_s - grab_s - 0.35))
    count = route.release - route.grab
    step = np.arange(count + 1) / max(count, 1)
    columns = []
    for n in range(3):
        before, after = ((key[1][:, n] if n < 2 else key[2]) for key in keys)
        middle = route.points[held][:, n] if n < 2 else route.heading[held]
        one = _eased(at, keys[0][0], before, fps, ends=True)
        two = _eased(at, keys[1][0], after, fps, ends=False)
        swing = _eased_between(share, step, middle)
        columns.append(np.where(at < halt_s, one, np.where(at < go_s, swing, two)))
    # A pull gathers speed: the leaf is fastest when it is let go.
    opening = route.opening[route.grab] + opened * np.linspace(0, 1, 33) ** 1.6
    door_times = grab_s + np.linspace(0, 1, 33) * hold_s
    return Timeline(
        fps=fps,
        place=np.stack(columns[:2], axis=1),
        heading=columns[2],
        opening=_opening(door, at, grab_s, release_s, door_times, opening),
        grab_s=grab_s - at[0],
        release_s=release_s - at[0],
        hand=way.hand,
        halt_s=halt_s - at[0],
        go_s=go_s - at[0],
    )


class _Route(NamedTuple):
    """Points ``(n, 2)`` [m], heading and opening ``(n,)`` [rad], and where the hand takes hold and lets go."""

    points: FloatArray
    heading: FloatArray
    opening: FloatArray
    grab: int
    release: int


def _route(way: Crossing, start_heading: float | None) -> _Route:
    held = np.flatnonzero((way.modes == 1) | (way.modes == 2))
    first, last = int(held[0]), int(held[-1])
    before, after = _rounded(way.before), _rounded(way.after)
    points = np.concatenate([before[:-1], way.place, after[1:]])
    heading = np.unwrap(np.concatenate([_along(before)[:-1], way.heading, _along(after)[1:]]))
    if start_heading is not None:
        heading[0] = heading[0] + _wrapped(start_heading - heading[0])
    swung = np.minimum(way.opening, way.opening[last])
    opening = np.concatenate([np.full(len(before) - 1, swung[0]), swung, np.full(len(after) - 1, swung[-1])])
    return _Route(points, heading, opening, len(before) - 1 + first, len(before) - 1 + last)


def _slowing_times(points: FloatArray) -> FloatArray:
    """When the points of a path that ends at rest are passed [s]."""
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    left = lengths[::-1].cumsum()[::-1] - 0.5 * lengths
    speed = np.minimum(WALK_MPS, np.sqrt(2.0 * _BRAKE_MPS2 * np.maximum(left, 0.004)))
    return np.concatenate([[0.0], np.cumsum(lengths / speed)])


def _eased(at: FloatArray, times: FloatArray, values: FloatArray, fps: float, *, ends: bool) -> FloatArray:
    """Values over time, smoothed, straight on beyond the walking end and at rest beyond the other one."""
    moving = _continued(at, times, values)
    rest = values[-1] if ends else values[0]
    still = at > times[-1] if ends else at < times[0]
    smooth = gaussian(np.where(still, rest, moving), _WAY_S * fps)
    # Smoothing spreads beyond the moment of rest; the last stretch is eased onto it.
    edge = times[-1] if ends else times[0]
    near = smoothstep((edge - at) / 0.5) if ends else smoothstep((at - edge) / 0.5)
    return np.asarray(rest + near * (smooth - rest))


def _eased_between(share: FloatArray, step: FloatArray, values: FloatArray) -> FloatArray:
    coarse = np.interp(np.linspace(0.0, 1.0, 33), step, values)
    fine = gaussian(coarse, 5.0)
    fine += (coarse[0] - fine[0]) * np.linspace(1, 0, 33) + (coarse[-1] - fine[-1]) * np.linspace(0, 1, 33)
    return np.asarray(pchip(np.linspace(0.0, 1.0, 33), fine, np.clip(share, 0.0, 1.0)))


def _times(door: Door, route: _Route) -> FloatArray:
    """When each point is passed [s]."""
    points, heading, opening, grab, release = route
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    travelled = np.concatenate([[0.0], np.cumsum(lengths)])
    which = 0 if door.pushed else 1
    middle = 0.5 * (travelled[1:] + travelled[:-1])
    to_grab = np.maximum(travelled[grab] - middle, 0.0)
    from_release = np.maximum(middle - travelled[release], 0.0)
    speed = np.minimum(WALK_MPS, _AT_HANDLE_MPS[which] + _SLOWING * to_grab)
    speed = np.where(
        middle >= travelled[release], np.minimum(WALK_MPS, _HOLD_MPS[which] + _GOING * from_release), speed
    )
    index = np.arange(len(lengths))
    holding = (index >= grab) & (index < release)
    speed = np.where(holding, _HOLD_MPS[which], speed)
    move = np.diff(points, axis=0)
    ahead = np.stack([np.sin(heading[:-1]), np.cos(heading[:-1])], axis=1)
    along = np.sum(move * ahead, axis=1) / np.maximum(lengths, 1e-9)
    speed = speed * np.where(along < 0.3, 0.75, 1.0)
    spent = lengths / speed
    spent = np.maximum(spent, np.abs(np.diff(heading)) / 1.3)
    spent = np.maximum(spent, np.abs(np.diff(opening)) / _DOOR_RADPS)
    spent = np.maximum(spent, np.where(index == grab, _LATCH_S, 1e-4))
    return np.concatenate([[0.0], np.cumsum(spent)])


def _opening(
    door: Door, at: FloatArray, grab_s: float, release_s: float, times: FloatArray, opening: FloatArray
) -> FloatArray:
    """The leaf's angle over time: still until it is held, swinging on or falling shut once it is not."""
    fps = 1.0 / (at[1] - at[0])
    first, last = opening[0], float(np.interp(release_s, times, opening))
    # The latch first; what is lost there is made up for until the door is let go, with the speed it has by then.
    late = grab_s + (at - grab_s - _LATCH_S) * (release_s - grab_s) / max(release_s - grab_s - _LATCH_S, 0.1)
    before_s = min(0.25, 0.6 * (release_s - grab_s))
    pace = (last - float(np.interp(release_s - before_s, times, opening))) / before_s
    rough = np.interp(late, times, opening) + np.maximum(late - release_s, 0.0) * max(pace, 0.3)
    smooth = gaussian(rough, _OPENING_S * fps)
    # Nothing moves before the hand holds, and it begins gently.
    gate = smoothstep((at - grab_s) / 0.25)
    swing = first + (smooth - first) * gate
    k = int(np.searchsorted(at, release_s))
    rate = max((swing[k] - swing[k - 4]) / (4.0 / fps), 0.0)
    later = at[k:] - at[k]
    on = swing_steps(door) * STEP_RAD
    lasts = np.clip(on / max(rate, 0.2), *_SWING_S)
    free = swing[k] + rate * lasts * (1.0 - np.exp(-later / lasts))
    if door.hinge.self_closing:
        free = np.maximum(free - _SHUT_RADPS * (later - 0.4 * (1.0 - np.exp(-later / 0.4))), 0.0)
        free = gaussian(free, 0.05 * fps)
        free[0] = swing[k]
    swing[k:] = free
    return np.asarray(np.clip(swing, 0.0, door.most_rad))


def _rounded(points: FloatArray) -> FloatArray:
    """A polyline with its corners rounded, its ends kept, a point every 5 cm or so."""
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    if lengths[-1] < 0.1:
        return points
    at = np.linspace(0.0, lengths[-1], max(3, int(lengths[-1] / 0.05)))
    fine = np.stack([np.interp(at, lengths, points[:, n]) for n in range(2)], axis=1)
    return gaussian(fine, min(_ROUNDED_M, 0.25 * lengths[-1]) / (at[1] - at[0]))


def _along(points: FloatArray) -> FloatArray:
    if len(points) < 2:
        return np.zeros(len(points))
    step = np.gradient(points, axis=0)
    return np.arctan2(step[:, 0], step[:, 1])


def _continued(at: FloatArray, times: FloatArray, values: FloatArray) -> FloatArray:
    """Interpolated, and straight on beyond both ends."""
    out = np.interp(at, times, values)
    first = np.interp(times[0] + 0.3, times, values) - values[0]
    last = values[-1] - np.interp(times[-1] - 0.3, times, values)
    out += np.minimum(at - times[0], 0.0) * first / 0.3 + np.maximum(at - times[-1], 0.0) * last / 0.3
    return np.asarray(out)


def _wrapped(angle: float) -> float:
    return float((angle + np.pi) % (2.0 * np.pi) - np.pi)
