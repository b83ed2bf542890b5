"""Feet in the air: the way from one stance to the next.

The ankle follows the gait's own curve, plus a correction that takes it from the last stance to the next. The way that
is taken is the smoothest near that one: over the floor high enough, and past the leg that stands.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from understudy.core.editing import smoothstep
from understudy.performer.foot_shape import FootShape
from understudy.performer.rolling import rolled
from understudy.performer.smooth_way import CUTOFF_HZ, KNOWN, smooth_way, smooth_way_above
from understudy.performer.smoothing import pchip
from understudy.performer.stances import Stances, wrapped
from understudy.typing import FloatArray, IntArray

#: [m] how far above its resting height a swinging foot's ball passes at least.
CLEAR_M = 0.038
#: [m] more than that in a run.
_RUN_CLEAR_M = 0.014
#: [m] less than that for a foot that leaves and lands level: it rises before it moves on.
_LEVEL_LESS_M = 0.005
#: [m/s] a foot that is as fast as this has to be up.
_FAST_MPS = 0.5
#: Part of half the way after which a foot that rolls off the floor is up.
_ROLLED = 0.25
#: [s] a level foot rises for this long before it moves on.
_UP_FIRST_S = 0.075
#: [s] the velocity a foot leaves the floor with, or lands with, is gone from its way through the air after this time.
_LEAVE_S, _LAND_S = 0.2, 0.12
#: Of an oscillation that is whole so many times while a foot is in the air, half is left: slow steps have smooth ways.
_SWINGS = 1.15
#: [m/s] mean speeds of feet through the air in fast walks and in runs, whose feet are quicker than that.
_RUNS_MPS = (3.0, 4.0)


class Steps(NamedTuple):
    """What the way of a foot through the air depends on.

    Attributes:
        times_s: ``(frames,)``.
        own_ankle: ``(frames, 3)`` as the gait's curves alone have it [m].
        stances: The foot's.
        inner: ``(frames, 4)`` its turn seen from its footprint.
        pitch: ``(frames,)`` heel up positive [rad].
        shape: Its rolling points.
        other: The other foot's stances.
        apart_m: Least distance between the ankles where they pass each other [m]; negative for the right foot.
    """

    times_s: FloatArray
    own_ankle: FloatArray
    stances: Stances
    inner: FloatArray
    pitch: FloatArray
    shape: FootShape
    other: Stances
    apart_m: float

    @property
    def fps(self) -> float:
        """Frames per second."""
        return float(1.0 / (self.times_s[1] - self.times_s[0]))

    def held(self, which: IntArray, frames: IntArray) -> FloatArray:
        """Ankles ``(n, 3)`` [m] in frames ``(n,)`` of a foot that stands on footprints ``(n,)``."""
        frames = np.clip(frames, 0, len(self.pitch) - 1)
        return rolled(self.stances, which, self.inner[frames], self.pitch[frames], self.shape)


def swung(steps: Steps, n: int, after: int, air: IntArray) -> tuple[FloatArray, FloatArray]:
    """Ankles ``(len(air), 3)`` [m] and yaws ``(len(air),)`` [rad] of a foot in the frames between two stances."""
    stances, pitch, times, fps = steps.stances, steps.pitch, steps.times_s, steps.fps
    leave, land = stances.lift_s[n], stances.touch_s[after]
    share = (times[air] - leave) / (land - leave)
    first, last = max(air[0] - 1, 1), min(air[-1] + 1, len(times) - 2)
    ends = np.array([first - 1, first, last, last + 1])
    count = len(air)
    which, frames = np.repeat([n, after, n, after], [2, 2, count, count]), np.concatenate([ends, air, air])
    held, on_last, on_next = np.split(steps.held(which, frames), [4, 4 + count])
    way = _bridged(steps.own_ankle, held, ends, air, share, (land - leave, fps * (land - leave)))
    level = 1.0 - smoothstep(np.abs(pitch[ends[1:3]]) / 0.35)
    fastest = float(np.linalg.norm(held[2] - held[1])) / (land - leave)
    hold = _UP_FIRST_S * level / (land - leave) * np.interp(fastest, [1.5, 3.0], [1.0, 0.3])
    later = np.clip((share - hold[0]) / (1.0 - hold[0] - hold[1]), 0.0, 1.0)
    way = _up_first(way, held[1:3], share, later)
    for end, on, left in ((0, on_last, share), (1, on_next, 1.0 - share)):
        if hold[end] > 0.0:
            # Meanwhile it tilts about what carried it, not about the ankle.
            near = 1.0 - smoothstep((left - 0.6 * hold[end]) / hold[end])
            way += near[:, None] * (on - held[1 + end]) * [1.0, 0.0, 1.0]
    # The contact points leave and meet the floor without a jerk; the ankle keeps turning.
    over = smoothstep(share)[:, None]
    carried, still = (1.0 - over) * on_last + over * on_next, np.zeros((KNOWN, 3))
    # Feet that are level have moved on before they come down, as quickly as runners' feet move on.
    quick = max(float(level.min()), float(np.interp(fastest, _RUNS_MPS, [0.0, 1.0])))
    cutoff = _SWINGS / (land - leave) * (1.0 - quick) + CUTOFF_HZ * quick
    way = carried + smooth_way(way - carried, still, still, fps=fps, cutoff_hz=cutoff)
    way = _past(steps, way, carried, float(times[air[len(air) // 2]]), cutoff)
    least = _least_m(way, pitch[air], share, level, steps.shape, fps)
    way[:, 1] = carried[:, 1] + smooth_way_above(
        way[:, 1] - carried[:, 1], least - carried[:, 1], still[:, 1], still[:, 1], fps=fps
    )
    yaw = stances.yaw[n] + smoothstep(later) * wrapped(stances.yaw[after] - stances.yaw[n])
    return way, yaw


def _past(steps: Steps, way: FloatArray, carried: FloatArray, middle_s: float, cutoff_hz: float) -> FloatArray:
    """A way ``(n, 3)`` [m] round the leg that stands in the middle of it, on the foot's own side of that."""
    other = steps.other
    k = int(np.searchsorted(other.touch_s, middle_s, side="right")) - 1
    if k < 0 or middle_s >= other.lift_s[k]:
        return way
    c, s = np.cos(other.yaw[k]), np.sin(other.yaw[k])
    axes = np.sign(steps.apart_m) * np.array([c, -s]), np.array([s, c])
    beside, ahead = ((way[:, [0, 2]] - other.place[k]) @ axis for axis in axes)
    # A circle about the ankle that stands; where the foot does not come that near, nothing is asked.
    room = steps.apart_m**2 - ahead**2
    least = np.where(room > 0.0, np.sqrt(np.maximum(room, 0.0)), -np.inf)
    if not np.any(beside < least):
        return way
    about = (carried[:, [0, 2]] - other.place[k]) @ axes[0]
    still = np.zeros(KNOWN)
    wider = about + smooth_way_above(beside - about, least - about, still, still, fps=steps.fps, cutoff_hz=cutoff_hz)
    moved = way.copy()
    moved[:, [0, 2]] += np.outer(wider - beside, axes[0])
    return moved


def _bridged(
    model: FloatArray, held: FloatArray, ends: IntArray, air: IntArray, share: FloatArray, lasts: tuple[float, float]
) -> FloatArray:
    """The gait's own curve plus a quintic that matches place and velocity of the stances at both ends.

    Args:
        model: ``(all, 3)`` the gait's ankle [m].
        held: ``(4, 3)`` ankle of the stance foot in two frames before leaving and two after landing [m].
        ends: Those four frames.
        air: Frames between.
        share: How much of the way through the air they are.
        lasts: Length of that way in seconds and in frames.
    """
    gap = held - model[ends]
    u = np.clip(share, 0.0, 1.0)[:, None]
    end = smoothstep(u)
    way_s, frames = lasts
    # A difference in velocity is made up for near the end it is found at: spread out, it would bend the whole way.
    leave, land = (
        _with_slope(at * way_s / span) * span / way_s
        for at, span in ((u, min(_LEAVE_S, way_s)), (1.0 - u, min(_LAND_S, way_s)))
    )
    slope = (gap[1] - gap[0]) * frames, (gap[3] - gap[2]) * frames
    return np.asarray(model[air] + (1.0 - end) * gap[1] + end * gap[2] + leave * slope[0] - land * slope[1])


def _with_slope(u: FloatArray) -> FloatArray:
    """A quintic that leaves 0 with slope 1 and is gone, with both derivatives, at 1."""
    u = np.minimum(u, 1.0)
    return np.asarray(u - u**3 * (6.0 - 8.0 * u + 3.0 * u * u))


def _up_first(ankle: FloatArray, held: FloatArray, share: FloatArray, later: FloatArray) -> FloatArray:
    """Let a level foot rise before it moves on, and arrive before it comes down.

    Args:
        ankle: ``(n, 3)`` its way through the air [m].
        held: ``(2, 3)`` where that begins and ends [m].
        share: ``(n,)`` how much of the way each frame is.
        later: ``(n,)`` how much of the way it shall be over the floor.
    """
    at, points = np.concatenate([[0.0], share, [1.0]]), np.concatenate([held[:1], ankle, held[1:]])
    # A frame may be the very one in which the foot leaves or lands.
    own = np.append(True, np.diff(at) > 1e-9)
    at, points = at[own], points[own]
    out = ankle.copy()
    for axis in (0, 2):
        out[:, axis] = pchip(at, points[:, axis], later)
    return out


def _least_m(
    ankle: FloatArray, pitch: FloatArray, share: FloatArray, level: FloatArray, shape: FootShape, fps: float
) -> FloatArray:
    """How high the ankle has to be for ball and heel to clear the floor where the foot moves on [m].

    Args:
        ankle: ``(n, 3)`` its way [m].
        pitch: ``(n,)`` heel up positive [rad].
        share: ``(n,)`` how much of the way each frame is.
        level: ``(2,)`` how level the foot leaves and lands, 0 to 1.
        shape: Its rolling points.
        fps: Frames per second.
    """
    clear_m = CLEAR_M - _LEVEL_LESS_M * level.min()
    speed = (
        np.linalg.norm(np.gradient(ankle[:, [0, 2]], axis=0), axis=1) * fps if len(ankle) > 2 else np.zeros(len(ankle))
    )
    inside = 1.0 - np.abs(2.0 * np.clip(share, 0.0, 1.0) - 1.0)
    # Only a foot that moves on has something to clear; the faster it lands, the steeper its way. One that
    # leaves or lands level has to be up whenever it moves.
    landing = float(np.interp(np.interp(0.88, share, speed), [0.6, 2.6], [0.5, 0.17]))
    rise = smoothstep(inside / np.where(share < 0.5, _ROLLED, landing))
    rise = rise + np.where(share < 0.5, level[0], level[1]) * (1.0 - rise)
    run_m = _RUN_CLEAR_M * smoothstep((speed.max(initial=0.0) - 4.5) / 1.5)
    clear = (clear_m + run_m) * np.maximum(smoothstep(speed / _FAST_MPS) * rise, smoothstep(inside))
    ball = (shape.ankle_m - shape.ball_m) * np.cos(pitch) + shape.ball_ahead_m * np.sin(pitch)
    heel = shape.ankle_m * np.cos(pitch) - shape.heel_m * np.sin(pitch)
    return np.asarray(np.maximum(shape.ball_m + clear + ball, 0.4 * clear + heel))
