"""Feet over time: rolling on their footprints, and through the air between two stances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.editing import smoothstep
from understudy.core.skeleton import Skeleton
from understudy.performer import curves
from understudy.performer.airborne import Steps, swung
from understudy.performer.foot_shape import FootShape
from understudy.performer.legs_apart import passing_m
from understudy.performer.rolling import rolled, toe_bend
from understudy.performer.smoothing import gaussian
from understudy.performer.stances import Stances
from understudy.performer.style import Style
from understudy.performer.track import Track
from understudy.typing import BoolArray, FloatArray, IntArray

#: [s] a standing foot's toes may be up for this long after landing.
_EDGE_S = 0.24
#: [s] before it lands, and after it leaves, that a foot is flattened as one that stands; toes relax in this time.
_FLATTEN_S, _RELAX_S = 0.07, 0.2
#: Share of their bend that toes keep in the air.
_RELAXED = 0.37
#: [s] smoothing of a foot's pitch: it changes as smoothly as the foot's place.
_PITCH_S = 0.02
#: [rad] a foot pitched by this much stands on its ball alone.
_HEEL_RAD = 0.15
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
    both: Mapping[str, Stances],
    side: str,
    shape: FootShape,
    style: Style,
    *,
    skeleton: Skeleton,
    heel_rad: FloatArray | float = 0.0,
) -> FootTrack:
    """Bring one foot of both from stance to stance, its heel higher by ``heel_rad`` than in the gait."""
    times, leg_m, stances = track.times_s, skeleton.leg_length_m(), both[side]
    own_ankle = model_ankle(track, rows, side, shape, style, leg_m)
    index = np.clip(np.searchsorted(stances.touch_s, times, side="right") - 1, 0, len(stances.touch_s) - 1)
    contact = (times >= stances.touch_s[index]) & (times < stances.lift_s[index])
    grounded = _grounded(times, stances, index, _FLATTEN_S)
    going = smoothstep(np.hypot(track.context[:, 0], track.context[:, 1]) / 0.4)
    pitch, inner = _inner_turn(rows, side, times, stances, index, grounded, going, heel_rad)
    turn = rot.multiply(rot.from_yaw(stances.yaw[index]), inner)
    ankle = rolled(stances, index, inner, pitch, shape)
    other, sign = ("right", 1.0) if side == "left" else ("left", -1.0)
    steps = Steps(times, own_ankle, stances, inner, pitch, shape, both[other], sign * passing_m(skeleton))
    for n in np.unique(index[~contact]):
        air = np.flatnonzero((index == n) & ~contact)
        after = min(n + 1, len(stances.touch_s) - 1)
        if stances.touch_s[after] > stances.lift_s[n]:
            ankle[air], yaw = swung(steps, int(n), after, air)
            turn[air] = rot.multiply(rot.from_yaw(yaw), inner[air])
    bend = toe_bend(pitch)
    return FootTrack(
        ankle=ankle,
        turn=turn,
        toes=bend * (_RELAXED + (1.0 - _RELAXED) * _grounded(times, stances, index, _RELAX_S)),
        contact=contact,
        pitch=pitch,
    )


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
    # A walker turns and tilts a little on the ball that carries; a person who hardly moves stands flat. With the heel
    # down a foot does not turn: it would scrape over the floor.
    free = going * (1.0 - _heel_down(times, stances, index, pitch))
    return pitch, rot.from_euler(np.stack([pitch, free * yaw, free * roll], axis=1), "XYZ")


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


def _heel_down(times: FloatArray, stances: Stances, index: IntArray, pitch: FloatArray) -> FloatArray:
    """1 while a foot stands with its heel down, fading before it lands and after it leaves."""

    def down(at_s: FloatArray) -> FloatArray:
        return np.asarray(1.0 - smoothstep(np.interp(at_s, times, pitch) / _HEEL_RAD))

    after = np.minimum(index + 1, len(stances.touch_s) - 1)
    lift = stances.lift_s[index]
    during = down(np.minimum(times, lift)) * smoothstep(1.0 - (times - lift) / _EDGE_S)
    until = down(stances.touch_s)[after] * smoothstep(1.0 - (stances.touch_s[after] - times) / _EDGE_S)
    return np.maximum(during, np.where(after == index, 0.0, until))


def _at_edge(times: FloatArray, stances: Stances, index: IntArray) -> FloatArray:
    """1 where a stance begins and ends, 0 in its middle."""
    landing = smoothstep(1.0 - (times - stances.touch_s[index]) / _EDGE_S)
    leaving = smoothstep(1.0 - (stances.lift_s[index] - times) / _EDGE_S)
    return np.maximum(landing, leaving)
