"""Feet on the floor: footprints, the rolling stance foot, and the way through the air between two stances.

While a foot stands it rolls without slipping: on the heel while its toes are up, flat, on the ball once the heel
rises, and at last on the tip of the toes. The point it rolls on is fixed to the floor exactly. In the air the ankle
follows the gait's own curve, plus a correction that takes it from the last stance to the next with equal places and
velocities at both ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.performer import curves
from understudy.performer.foot_shape import FootShape
from understudy.performer.smooth_way import KNOWN, smooth_way, smooth_way_above
from understudy.performer.smoothing import gaussian, pchip
from understudy.performer.stances import Stances, wrapped
from understudy.performer.style import Style
from understudy.performer.track import Track
from understudy.typing import BoolArray, FloatArray, IntArray

#: Bend of the toes beyond which the ball rises too [rad].
TOE_BEND_RAD = 0.32
_SOFT_RAD = 0.09
#: [m] how far above its resting height a swinging foot's ball passes at least.
CLEAR_M = 0.038
#: [m] more than that in a run.
_RUN_CLEAR_M = 0.014
#: [m] less than that for a foot that leaves and lands level: it rises before it moves on.
_LEVEL_LESS_M = 0.005
_FAST_MPS = 0.8
#: [s] a level foot rises for this long before it moves on.
_UP_FIRST_S = 0.055
#: [s] the velocity a foot leaves the floor with, or lands with, is gone from its way through the air after this time.
_LEAVE_S, _LAND_S = 0.2, 0.12
#: [s] a standing foot's toes may be up for this long after landing.
_EDGE_S = 0.24
#: [s] before it lands, and after it leaves, that a foot is flattened as one that stands; toes relax in this time.
_FLATTEN_S, _RELAX_S = 0.07, 0.2
#: Share of their bend that toes keep in the air.
_RELAXED = 0.37
#: [s] smoothing of a foot's pitch: it changes as smoothly as the foot's place.
_PITCH_S = 0.02
#: Pitch within which a standing foot lies flat [rad].
_FLAT_RAD = 0.042


@dataclass(frozen=True, eq=False, kw_only=True)
class FootTrack:
    """One foot over time.

    Attributes:
        ankle: ``(frames, 3)`` [m].
        turn: ``(frames, 4)`` away from the T-pose.
        toes: ``(frames,)`` upward bend of the toes [rad].
        contact: ``(frames,)`` whether it stands.
        pitch: ``(frames,)`` heel up positive, seen from its footprint [rad].
    """

    ankle: FloatArray
    turn: FloatArray
    toes: FloatArray
    contact: BoolArray
    pitch: FloatArray


def foot_track(
    track: Track,
    rows: FloatArray,
    stances: Stances,
    side: str,
    shape: FootShape,
    style: Style,
    *,
    leg_m: float,
    heel_rad: FloatArray | float = 0.0,
) -> FootTrack:
    """Bring one foot from stance to stance, its heel higher by ``heel_rad`` than in the gait."""
    times = track.times_s
    own_ankle = model_ankle(track, rows, side, shape, style, leg_m)
    index = np.clip(np.searchsorted(stances.touch_s, times, side="right") - 1, 0, len(stances.touch_s) - 1)
    contact = (times >= stances.touch_s[index]) & (times < stances.lift_s[index])
    grounded = _grounded(times, stances, index, _FLATTEN_S)
    going = smoothstep(np.hypot(track.context[:, 0], track.context[:, 1]) / 0.4)
    pitch, inner = _inner_turn(rows, side, times, stances, index, grounded, going, heel_rad)
    turn = rot.multiply(rot.from_yaw(stances.yaw[index]), inner)
    ankle = _rolled(stances, index, inner, pitch, shape)
    steps = _Steps(stances, inner, pitch, shape, track.fps)
    for n in np.unique(index[~contact]):
        air = np.flatnonzero((index == n) & ~contact)
        after = min(n + 1, len(stances.touch_s) - 1)
        if stances.touch_s[after] > stances.lift_s[n]:
            ankle[air], yaw = _swung(steps, own_ankle, times, n, after, air)
            turn[air] = rot.multiply(rot.from_yaw(yaw), inner[air])
    bend = _toe_bend(pitch)
    return FootTrack(
        ankle=ankle,
        turn=turn,
        toes=bend * (_RELAXED + (1.0 - _RELAXED) * _grounded(times, stances, index, _RELAX_S)),
        contact=contact,
        pitch=pitch,
    )


class _Steps(NamedTuple):
    """What the way of a foot through the air depends on: stances, turn and pitch ``(frames,)``, shape, rate [1/s]."""

    stances: Stances
    inner: FloatArray
    pitch: FloatArray
    shape: FootShape
    fps: float

    def held(self, which: int, frames: IntArray) -> FloatArray:
        """Ankles ``(n, 3)`` [m] in frames ``(n,)`` of a foot that stands on one footprint."""
        frames = np.clip(frames, 0, len(self.pitch) - 1)
        return _rolled(self.stances, np.full(len(frames), which), self.inner[frames], self.pitch[frames], self.shape)


def _swung(
    steps: _Steps, own_ankle: FloatArray, times: FloatArray, n: int, after: int, air: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Ankles ``(len(air), 3)`` [m] and yaws ``(len(air),)`` [rad] of a foot in the air between two stances."""
    stances, pitch, fps = steps.stances, steps.pitch, steps.fps
    leave, land = stances.lift_s[n], stances.touch_s[after]
    share = (times[air] - leave) / (land - leave)
    first, last = max(air[0] - 1, 1), min(air[-1] + 1, len(times) - 2)
    ends = np.array([first - 1, first, last, last + 1])
    held = np.concatenate([steps.held(n, ends[:2]), steps.held(after, ends[2:])])
    way = _bridged(own_ankle, held, ends, air, share, (land - leave, fps * (land - leave)))
    level = 1.0 - smoothstep(np.abs(pitch[ends[1:3]]) / 0.35)
    fastest = float(np.linalg.norm(held[2] - held[1])) / (land - leave)
    hold = _UP_FIRST_S * level / (land - leave) * np.interp(fastest, [1.5, 3.0], [1.0, 0.3])
    later = np.clip((share - hold[0]) / (1.0 - hold[0] - hold[1]), 0.0, 1.0)
    way = _up_first(way, held[1:3], share, later)
    for end, m, left in ((0, n, share), (1, after, 1.0 - share)):
        if hold[end] > 0.0:
            # Meanwhile it tilts about what carried it, not about the ankle.
            near = 1.0 - smoothstep((left - 0.6 * hold[end]) / hold[end])
            way += near[:, None] * (steps.held(m, air) - held[1 + end]) * [1.0, 0.0, 1.0]
    # What has carried the foot, and what is going to, leaves and meets the floor without a jerk; the ankle turns on.
    over = smoothstep(share)[:, None]
    carried, still = (1.0 - over) * steps.held(n, air) + over * steps.held(after, air), np.zeros((KNOWN, 3))
    way = carried + smooth_way(way - carried, still, still, fps=fps)
    least = _least_m(way, pitch[air], share, steps.shape, fps, CLEAR_M - _LEVEL_LESS_M * level.min())
    way[:, 1] = smooth_way_above(way[:, 1] - carried[:, 1], least - carried[:, 1], still[:, 1], still[:, 1], fps=fps)
    way[:, 1] += carried[:, 1]
    yaw = stances.yaw[n] + smoothstep(later) * wrapped(stances.yaw[after] - stances.yaw[n])
    return way, yaw


def _rolled(stances: Stances, which: IntArray, inner: FloatArray, pitch: FloatArray, shape: FootShape) -> FloatArray:
    """Ankles ``(n, 3)`` [m] of feet on the footprints ``which`` ``(n,)``, turned by ``inner`` seen from them."""
    yaw = stances.yaw[which]
    return rolling_ankle(stances.place[which], yaw, rot.multiply(rot.from_yaw(yaw), inner), pitch, shape)


def _inner_turn(
    rows: FloatArray,
    side: str,
    times: FloatArray,
    stances: Stances,
    index: IntArray,
    grounded: FloatArray,
    going: FloatArray,
    heel_rad: FloatArray | float,
) -> tuple[FloatArray, FloatArray]:
    """Pitch ``(frames,)`` [rad] and the foot's turn ``(frames, 4)`` seen from its footprint."""
    raw, yaw, roll = (rows[:, curves.foot_column(side, part)] for part in ("pitch", "yaw", "roll"))
    flat = raw**3 / (raw**2 + _FLAT_RAD**2)
    # Toes are up only where a stance begins or ends.
    flat = np.where(flat < 0.0, _at_edge(times, stances, index) * flat, flat)
    pitch = gaussian(grounded * flat + (1.0 - grounded) * raw, _PITCH_S / (times[1] - times[0])) + heel_rad
    # Who walks turns and tilts a little on the ball or heel that carries; who hardly moves stands flat.
    return pitch, rot.from_euler(np.stack([pitch, going * yaw, going * roll], axis=1), "XYZ")


def rolling_ankle(
    place: FloatArray, print_yaw: FloatArray, turn: FloatArray, pitch: FloatArray, shape: FootShape
) -> FloatArray:
    """Ankles ``(n, 3)`` of feet that roll on footprints without slipping.

    Args:
        place: ``(n, 2)`` where the flat foot's ankle stands [m].
        print_yaw: ``(n,)`` yaw of the flat foot [rad].
        turn: ``(n, 4)`` the foot as it is, away from the T-pose.
        pitch: ``(n,)`` its pitch, which decides what it rolls on [rad].
        shape: Its rolling points.
    """
    up = np.maximum(pitch, 0.0)
    # Lifted beyond the toes' bend the ball turns about their tip on the floor.
    tip = up - _toe_bend(up)
    # That tip is round and as thick as the ball: it turns about its own middle, which stays where it is.
    ball_up, ball_on = shape.toe_m * np.sin(tip), shape.toe_m * (1.0 - np.cos(tip))
    ball = np.array([0.0, shape.ankle_m - shape.ball_m, -shape.ball_ahead_m])
    ahead = shape.ball_ahead_m + ball_on
    # A heel is round: it turns about a centre as high as the ball, which therefore comes down on its own place,
    # however the foot is turned and tilted about it meanwhile.
    down, sole_m = np.minimum(pitch, 0.0), shape.ball_ahead_m + shape.heel_m
    ahead = ahead - sole_m * (1.0 - np.cos(down))
    balls = _beside(place, print_yaw, ahead, shape.ball_m + ball_up - sole_m * np.sin(down))
    return np.asarray(balls + rot.rotate(turn, ball))


def _beside(place: FloatArray, yaw: FloatArray, ahead: FloatArray | float, height: FloatArray | float) -> FloatArray:
    high = np.broadcast_to(height, yaw.shape)
    return np.stack([place[:, 0] + np.sin(yaw) * ahead, high, place[:, 1] + np.cos(yaw) * ahead], axis=1)


def _toe_bend(pitch: FloatArray) -> FloatArray:
    """Bend of the toes that keeps them flat, up to a soft limit [rad]."""
    up = np.maximum(pitch, 0.0)
    over = 0.5 * (up - TOE_BEND_RAD + np.hypot(up - TOE_BEND_RAD, 2.0 * _SOFT_RAD))
    none = 0.5 * (-TOE_BEND_RAD + np.hypot(TOE_BEND_RAD, 2.0 * _SOFT_RAD))
    return np.asarray(up - np.maximum(over - none, 0.0))


def model_ankle(track: Track, rows: FloatArray, side: str, shape: FootShape, style: Style, leg_m: float) -> FloatArray:
    """Ankle ``(frames, 3)`` [m] as the gait's curves alone have it."""
    seen = rows[:, curves.ankle_columns(side)] * leg_m
    seen[:, 0] += (0.5 if side == "left" else -0.5) * style.width_m
    c, s = np.cos(track.heading), np.sin(track.heading)
    return np.stack(
        [
            track.place[:, 0] + c * seen[:, 0] + s * seen[:, 2],
            shape.ankle_m + style.lift * np.maximum(seen[:, 1], -0.02),
            track.place[:, 1] - s * seen[:, 0] + c * seen[:, 2],
        ],
        axis=1,
    )


def _grounded(times: FloatArray, stances: Stances, index: IntArray, fade_s: float) -> FloatArray:
    """1 while the foot stands, fading over a time before it lands and after it leaves."""
    after = np.minimum(index + 1, len(stances.touch_s) - 1)
    leaving = smoothstep(1.0 - (times - stances.lift_s[index]) / fade_s)
    landing = smoothstep(1.0 - (stances.touch_s[after] - times) / fade_s)
    landing = np.where(after == index, 0.0, landing)
    return np.maximum(leaving, landing)


def _at_edge(times: FloatArray, stances: Stances, index: IntArray) -> FloatArray:
    """1 where a stance begins and ends, 0 in its middle."""
    landing = smoothstep(1.0 - (times - stances.touch_s[index]) / _EDGE_S)
    leaving = smoothstep(1.0 - (stances.lift_s[index] - times) / _EDGE_S)
    return np.maximum(landing, leaving)


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
    out = ankle.copy()
    for axis in (0, 2):
        out[:, axis] = pchip(at, points[:, axis], later)
    return out


def _least_m(
    ankle: FloatArray, pitch: FloatArray, share: FloatArray, shape: FootShape, fps: float, clear_m: float
) -> FloatArray:
    """How high the ankle has to be for ball and heel to clear the floor by ``clear_m`` where the foot moves on [m]."""
    speed = (
        np.linalg.norm(np.gradient(ankle[:, [0, 2]], axis=0), axis=1) * fps if len(ankle) > 2 else np.zeros(len(ankle))
    )
    inside = 1.0 - np.abs(2.0 * np.clip(share, 0.0, 1.0) - 1.0)
    # Only a foot that moves on has something to clear; the faster it leaves or lands, the steeper its way.
    ends = np.interp(np.interp([0.12, 0.88], share, speed), [0.6, 2.6], [0.5, 0.17])
    rise = smoothstep(inside / np.where(share < 0.5, ends[0], ends[1]))
    run_m = _RUN_CLEAR_M * smoothstep((speed.max(initial=0.0) - 4.5) / 1.5)
    clear = (clear_m + run_m) * np.maximum(smoothstep(speed / _FAST_MPS) * rise, smoothstep(inside))
    ball = (shape.ankle_m - shape.ball_m) * np.cos(pitch) + shape.ball_ahead_m * np.sin(pitch)
    heel = shape.ankle_m * np.cos(pitch) - shape.heel_m * np.sin(pitch)
    return np.asarray(np.maximum(shape.ball_m + clear + ball, 0.4 * clear + heel))
