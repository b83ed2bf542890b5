"""Feet on the floor: footprints, the rolling stance foot, and the way through the air between two stances.

While a foot stands it rolls without slipping: on the heel while its toes are up, flat, on the ball once the heel
rises, and at last on the tip of the toes. The point it rolls on is fixed to the floor exactly. In the air the ankle
follows the gait's own curve, plus a correction that takes it from the last stance to the next with equal places and
velocities at both ends.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.core.reference_pose import t_pose_world
from understudy.core.skeleton import Skeleton
from understudy.performer import curves
from understudy.performer.model import GaitModel
from understudy.performer.style import Style
from understudy.performer.track import Track
from understudy.typing import BoolArray, FloatArray, IntArray

#: Phase after the footfall at which a footprint is seen from the path.
MIDDLE = 0.24
#: Bend of the toes beyond which the ball rises too [rad].
TOE_BEND_RAD = 0.5
#: Half the distance between the ankles of somebody who stands, in leg lengths.
REST_HALF_WIDTH = 0.085
#: [m] least distance between footprints side by side.
LEAST_APART_M = 0.125
#: Pitch within which a standing foot lies flat [rad].
_FLAT_RAD = 0.07


@dataclass(frozen=True, eq=False, kw_only=True)
class FootShape:
    """A foot's rolling points [m], from the T-pose.

    Attributes:
        ankle_m: Ankle above the floor.
        ball_ahead_m: Ball ahead of the ankle.
        ball_m: Ball joint above the floor.
        toe_m: Tip of the toes ahead of the ball.
        heel_m: Heel's contact behind the ankle.
    """

    ankle_m: float
    ball_ahead_m: float
    ball_m: float
    toe_m: float
    heel_m: float


def foot_shape(skeleton: Skeleton, side: str) -> FootShape:
    """The foot of a skeleton; a skeleton without toes gets a ball at an ordinary place."""
    positions, world = t_pose_world(skeleton)
    ankle = positions[skeleton.humanoid[f"{side}Foot"]]
    scale = skeleton.leg_length_m() / 0.82
    if f"{side}Toes" not in skeleton.humanoid:
        return FootShape(ankle_m=0.075 * scale, ball_ahead_m=0.13 * scale, ball_m=0.025 * scale, toe_m=0.06 * scale, heel_m=0.02 * scale)
    joint = skeleton.humanoid[f"{side}Toes"]
    ball = positions[joint]
    ball_m = 0.025 * scale
    toe = 0.06 * scale
    tips = np.flatnonzero(skeleton.tip_joints == joint)
    if len(tips):
        toe = float(np.linalg.norm(rot.rotate(world[joint], skeleton.tip_offsets[tips[0]])[[0, 2]]))
    return FootShape(
        ankle_m=float(ankle[1] - ball[1]) + ball_m,
        ball_ahead_m=float(ball[2] - ankle[2]),
        ball_m=ball_m,
        toe_m=toe,
        heel_m=0.02 * scale,
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class Stances:
    """One foot's stances in order.

    Attributes:
        touch_s: ``(n,)`` when it lands [s].
        lift_s: ``(n,)`` when it leaves [s].
        place: ``(n, 2)`` (x, z) of the flat foot's ankle [m].
        yaw: ``(n,)`` [rad].
    """

    touch_s: FloatArray
    lift_s: FloatArray
    place: FloatArray
    yaw: FloatArray


def find_stances(
    track: Track, side: str, model: GaitModel, style: Style, *, leg_m: float, rng: np.random.Generator
) -> Stances:
    """Stances of one foot: when from the phase, where from the path at the middle of each."""
    half = 0.0 if side == "left" else 0.5
    first, last = np.floor(track.phase[0] - half) - 1, np.ceil(track.phase[-1] - half) + 1
    falls = np.arange(first, last + 1) + half
    times = track.times_s
    context = _at(falls, track.phase, track.context)
    contact = model.contact(side, context)
    touch = phase_time(falls + contact[:, 0] - 0.012, track)
    lift = phase_time(falls + contact[:, 1] + 0.01, track)
    middle = phase_time(falls + MIDDLE, track)
    where = np.stack([np.interp(middle, times, track.place[:, n]) for n in range(2)], axis=1)
    heading = np.interp(middle, times, track.heading)
    seen = np.stack([np.interp(middle, times, track.context[:, n]) for n in range(4)], axis=1)
    share = np.interp(middle, times, track.activity)[:, None]
    sign = 1.0 if side == "left" else -1.0
    rest = np.array([sign * REST_HALF_WIDTH, -0.05, 0.0])
    offset = share * model.prints(side, seen) + (1.0 - share) * rest
    noise = rng.standard_normal((len(falls), 3)) * np.array([0.008, 0.014, 0.03])
    offset += style.variation * share * np.clip(noise, -0.04, 0.04)
    offset[:, :2] *= leg_m
    offset[:, 0] = _apart(offset[:, 0], seen, sign, style)
    c, s = np.cos(heading), np.sin(heading)
    place = where + np.stack([c * offset[:, 0] + s * offset[:, 1], -s * offset[:, 0] + c * offset[:, 1]], axis=1)
    return Stances(touch_s=touch, lift_s=lift, place=place, yaw=heading + offset[:, 2] + sign * style.toe_out_rad)


def _apart(beside: FloatArray, context: FloatArray, sign: float, style: Style) -> FloatArray:
    """Keep slow feet apart: whoever hardly advances would otherwise step on the own toes."""
    slow = 1.0 - smoothstep((np.hypot(context[:, 0], 0.0) - 0.25) / 0.4)
    least = 0.5 * LEAST_APART_M * slow + 0.5 * style.width_m
    return np.asarray(sign * np.maximum(sign * beside, np.where(slow > 0.01, least, sign * beside)) + sign * 0.5 * style.width_m * (1 - slow))


def phase_time(phases: FloatArray, track: Track) -> FloatArray:
    """When phases are reached [s]; a phase the walker rests at counts from the end of the rest, beyond the ends not."""
    strictly = track.phase + 1e-9 * np.arange(len(track.phase))
    times = np.interp(phases, strictly, track.times_s)
    return np.where(phases > track.phase[-1], track.times_s[-1] + 1e3, np.where(phases < track.phase[0], track.times_s[0] - 1e3, times))


def _at(phases: FloatArray, track_phase: FloatArray, values: FloatArray) -> FloatArray:
    strictly = track_phase + 1e-9 * np.arange(len(track_phase))
    return np.stack([np.interp(phases, strictly, column) for column in values.T], axis=1)


@dataclass(frozen=True, eq=False, kw_only=True)
class FootTrack:
    """One foot over time.

    Attributes:
        ankle: ``(frames, 3)`` [m].
        yaw: ``(frames,)`` [rad].
        pitch: ``(frames,)`` heel up positive [rad].
        roll: ``(frames,)`` [rad].
        toes: ``(frames,)`` upward bend of the toes [rad].
        contact: ``(frames,)`` whether it stands.
    """

    ankle: FloatArray
    yaw: FloatArray
    pitch: FloatArray
    roll: FloatArray
    toes: FloatArray
    contact: BoolArray


def foot_track(
    track: Track, rows: FloatArray, stances: Stances, side: str, shape: FootShape, style: Style, *, leg_m: float
) -> FootTrack:
    """Bring one foot from stance to stance."""
    times = track.times_s
    model_ankle = _model_ankle(track, rows, side, shape, style, leg_m)
    model_yaw = track.heading + rows[:, curves.foot_column(side, "yaw")]
    model_yaw = model_yaw + (1.0 if side == "left" else -1.0) * style.toe_out_rad
    raw_pitch = rows[:, curves.foot_column(side, "pitch")]
    index = np.clip(np.searchsorted(stances.touch_s, times, side="right") - 1, 0, len(stances.touch_s) - 1)
    contact = (times >= stances.touch_s[index]) & (times < stances.lift_s[index])
    grounded = _grounded(times, stances, index)
    flat = raw_pitch**3 / (raw_pitch**2 + _FLAT_RAD**2)
    pitch = grounded * flat + (1.0 - grounded) * raw_pitch
    free = np.maximum(1.0 - grounded, smoothstep((np.abs(pitch) - 0.15) / 0.5))

    def standing(which: IntArray, frames: IntArray) -> tuple[FloatArray, FloatArray]:
        """Ankle and yaw of the foot rolling on chosen footprints in some frames."""
        near = _wrapped(model_yaw[frames] - stances.yaw[which])
        yaw = stances.yaw[which] + np.where(pitch[frames] > 0, free[frames], 0.0) * near
        return rolling_ankle(stances.place[which], yaw, pitch[frames], shape), yaw

    ankle, yaw = standing(index, np.arange(len(times)))
    for n in np.unique(index[~contact]):
        air = np.flatnonzero((index == n) & ~contact)
        after = min(n + 1, len(stances.touch_s) - 1)
        leave, land = stances.lift_s[n], stances.touch_s[after]
        if land <= leave:
            continue
        share = (times[air] - leave) / (land - leave)
        first, last = max(air[0] - 1, 1), min(air[-1] + 1, len(times) - 2)
        ends = np.array([first - 1, first, last, last + 1])
        held, held_yaw = standing(np.array([n, n, after, after]), ends)
        ankle[air] = _bridged(model_ankle, held, ends, air, share, track.fps * (land - leave))
        near = np.unwrap(model_yaw[air])
        start, end = _wrapped(held_yaw[1] - near[0]), _wrapped(held_yaw[2] - near[-1])
        ease = smoothstep(share)
        yaw[air] = near + (1.0 - ease) * start + ease * end
        ankle[air, 1] += _clearance(ankle[air], pitch[air], share, shape)
    return FootTrack(
        ankle=ankle,
        yaw=yaw,
        pitch=pitch,
        roll=free * rows[:, curves.foot_column(side, "roll")],
        toes=_toe_bend(pitch) * grounded + (1.0 - grounded) * np.minimum(_toe_bend(pitch), 0.12),
        contact=contact,
    )


def rolling_ankle(place: FloatArray, yaw: FloatArray, pitch: FloatArray, shape: FootShape) -> FloatArray:
    """Ankles ``(n, 3)`` of feet that roll on footprints without slipping."""
    down, up = np.minimum(pitch, 0.0), np.maximum(pitch, 0.0)
    # On the heel: the vector heel -> ankle turns. On the ball: the vector ball -> ankle turns.
    heel_y, heel_z = _pitched(shape.ankle_m, shape.heel_m, down)
    ball_y, ball_z = _pitched(shape.ankle_m - shape.ball_m, -shape.ball_ahead_m, up)
    tip = up - _toe_bend(up)
    ball_up, ball_on = shape.toe_m * np.sin(tip), shape.toe_m * (1.0 - np.cos(tip))
    ahead = np.where(pitch < 0, heel_z - shape.heel_m, ball_z + shape.ball_ahead_m + ball_on)
    height = np.where(pitch < 0, heel_y, ball_y + shape.ball_m + ball_up)
    return np.stack([place[:, 0] + np.sin(yaw) * ahead, height, place[:, 1] + np.cos(yaw) * ahead], axis=1)


def _pitched(y: float, z: float, pitch: FloatArray) -> tuple[FloatArray, FloatArray]:
    c, s = np.cos(pitch), np.sin(pitch)
    return y * c - z * s, y * s + z * c


def _toe_bend(pitch: FloatArray) -> FloatArray:
    """Bend of the toes that keeps them flat, up to a soft limit [rad]."""
    up = np.maximum(pitch, 0.0)
    return np.asarray(TOE_BEND_RAD * np.tanh(up / TOE_BEND_RAD))


def _model_ankle(
    track: Track, rows: FloatArray, side: str, shape: FootShape, style: Style, leg_m: float
) -> FloatArray:
    seen = rows[:, curves.ankle_columns(side)] * leg_m
    c, s = np.cos(track.heading), np.sin(track.heading)
    return np.stack(
        [
            track.place[:, 0] + c * seen[:, 0] + s * seen[:, 2],
            shape.ankle_m + style.lift * np.maximum(seen[:, 1], -0.02),
            track.place[:, 1] - s * seen[:, 0] + c * seen[:, 2],
        ],
        axis=1,
    )


def _grounded(times: FloatArray, stances: Stances, index: IntArray) -> FloatArray:
    """1 while the foot stands, fading over a little time before it lands and after it leaves."""
    fade_s = 0.07
    after = np.minimum(index + 1, len(stances.touch_s) - 1)
    leaving = smoothstep(1.0 - (times - stances.lift_s[index]) / fade_s)
    landing = smoothstep(1.0 - (stances.touch_s[after] - times) / fade_s)
    landing = np.where(after == index, 0.0, landing)
    return np.maximum(leaving, landing)


def _bridged(
    model: FloatArray, held: FloatArray, ends: IntArray, air: IntArray, share: FloatArray, frames: float
) -> FloatArray:
    """The gait's own curve plus a cubic that matches place and velocity of the stances at both ends.

    Args:
        model: ``(all, 3)`` the gait's ankle [m].
        held: ``(4, 3)`` ankle of the stance foot in two frames before leaving and two after landing [m].
        ends: Those four frames.
        air: Frames between.
        share: How much of the way through the air they are.
        frames: Length of that way in frames.
    """
    gap = held - model[ends]
    slope = (gap[1] - gap[0]) * frames, (gap[3] - gap[2]) * frames
    u = np.clip(share, 0.0, 1.0)[:, None]
    h00, h10 = (1 + 2 * u) * (1 - u) ** 2, u * (1 - u) ** 2
    h01, h11 = u * u * (3 - 2 * u), u * u * (u - 1)
    return np.asarray(model[air] + h00 * gap[1] + h10 * slope[0] + h01 * gap[2] + h11 * slope[1])


def _clearance(ankle: FloatArray, pitch: FloatArray, share: FloatArray, shape: FootShape) -> FloatArray:
    """How much higher the foot has to swing for its ball and heel to clear the floor [m]."""
    ball = ankle[:, 1] - (shape.ankle_m - shape.ball_m) * np.cos(pitch) - shape.ball_ahead_m * np.sin(pitch)
    heel = ankle[:, 1] - shape.ankle_m * np.cos(pitch) + shape.heel_m * np.sin(pitch)
    middle = np.sin(np.pi * np.clip(share, 0.0, 1.0))
    need = np.maximum(shape.ball_m + 0.036 * np.minimum(1.0, 2.2 * middle) - ball, 0.012 * middle - heel)
    inner = need[(share > 0.12) & (share < 0.88)]
    lack = max(float(inner.max(initial=0.0)), 0.0)
    return lack * np.asarray(np.minimum(1.0, 2.0 * middle) ** 2 * (3 - 2 * np.minimum(1.0, 2.0 * middle)))


def _wrapped(angle: FloatArray) -> FloatArray:
    return np.asarray(angle - 2.0 * np.pi * np.round(angle / (2.0 * np.pi)))
