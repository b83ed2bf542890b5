"""Stances: when each foot stands, and where.

When follows from the gait's phase, where from the path at the middle of each stance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from understudy.core.editing import smoothstep
from understudy.performer.model import LEG_M, TURN_WINDOW, GaitModel
from understudy.performer.style import Style
from understudy.performer.track import Track
from understudy.typing import FloatArray

#: Phase after the footfall at which a footprint is seen from the path.
MIDDLE = 0.24
#: Phase after the footfall at which a foot is about to leave the floor.
_LEAVES = 0.55
#: Strides by which a foot stands longer at either end than one that is recorded as still.
_LONGER = 0.012
#: Half the distance between the ankles of a standing person, in leg lengths.
REST_HALF_WIDTH = 0.085
#: [m] least distance between footprints side by side.
LEAST_APART_M = 0.19
#: A foot is in the air for at least this share of its stride, but [s] for no less and no more than this, of a person
#: with legs of LEG_M.
_SWING, _SWING_S = 0.4, (0.38, 0.5)
#: Steps shorter than this share of a leg, with less turn than this, are left out.
_IDLE_STEP, _IDLE_TURN_RAD = 0.07, 0.2


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
    # The speed at landing decides how a foot lands; the speed at lift-off decides how it leaves.
    landing, leaving = (_at(falls + later, track.phase, track.context) for later in (0.0, _LEAVES))
    # Runners roll off over the tips of their toes, which stand longest.
    longer = _LONGER * (1.0 + 2.0 * smoothstep((leaving[:, 0] - 1.8) / 0.3))
    touch = phase_time(falls + model.contact(side, landing)[:, 0] - _LONGER, track)
    lift = phase_time(falls + model.contact(side, leaving)[:, 1] + longer, track)
    middle = _middle_times(falls, track)
    where = np.stack([np.interp(middle, times, track.place[:, n]) for n in range(2)], axis=1)
    heading = np.interp(middle, times, track.heading)
    middle_phase = np.interp(middle, times, track.phase)
    turns = [
        sign * (np.interp(phase_time(middle_phase + sign * TURN_WINDOW, track), times, track.heading) - heading)
        for sign in (-1.0, 1.0)
    ]
    seen = np.column_stack([*(np.interp(middle, times, track.context[:, n]) for n in range(5)), *turns])
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
    yaw = heading + offset[:, 2] + sign * style.toe_out_rad
    found = _without_idle_steps(Stances(touch_s=touch, lift_s=lift, place=place, yaw=yaw), leg_m)
    return _with_time(found, smoothstep(np.hypot(leaving[:-1, 0], leaving[:-1, 1]) / 0.4), leg_m)


def side_by_side(both: Mapping[str, Stances], apart_m: float, foot_m: float) -> dict[str, Stances]:
    """Stances whose feet stand beside the one that stands already, never on it.

    Args:
        both: Stances of each side.
        apart_m: Least distance between ankles of feet side by side [m].
        foot_m: Feet further ahead or behind than this do not meet [m].
    """
    places = {side: one.place.copy() for side, one in both.items()}
    landings = sorted((float(time), side, n) for side, one in both.items() for n, time in enumerate(one.touch_s))
    for time, side, n in landings:
        other, sign = ("right", 1.0) if side == "left" else ("left", -1.0)
        stands = int(np.searchsorted(both[other].touch_s, time, side="right")) - 1
        if stands < 0 or both[other].lift_s[stands] < time:
            continue
        yaw = both[other].yaw[stands] + 0.5 * wrapped(both[side].yaw[n] - both[other].yaw[stands])
        beside, ahead = np.array([np.cos(yaw), -np.sin(yaw)]), np.array([np.sin(yaw), np.cos(yaw)])
        way = places[side][n] - places[other][stands]
        near = np.sqrt(max(0.0, 1.0 - float(way @ ahead / foot_m) ** 2))
        places[side][n] += sign * beside * max(0.0, apart_m * near - sign * float(way @ beside))
    return {side: replace(one, place=places[side]) for side, one in both.items()}


def _with_time(stances: Stances, going: FloatArray, leg_m: float) -> Stances:
    """Stances that leave every step enough time in the air, taken from before and after alike.

    A foot has to rise, to move on and to come down; recorded ones that slide along the floor take less.

    Args:
        stances: As they are.
        going: ``(n - 1,)`` how much each step moves the person on, 0 to 1; turns on the spot are quick.
        leg_m: Hip to ankle [m].
    """
    shortest, longest = np.array(_SWING_S) * np.sqrt(leg_m / LEG_M)
    longer = np.clip(_SWING * np.diff(stances.touch_s), shortest, longest)
    least_s = shortest + going * (longer - shortest)
    air = stances.touch_s[1:] - stances.lift_s[:-1]
    more = np.where(air > 0.0, 0.5 * np.maximum(least_s - air, 0.0), 0.0)
    touch, lift = stances.touch_s.copy(), stances.lift_s.copy()
    touch[1:] += more
    lift[:-1] -= more
    return replace(stances, touch_s=touch, lift_s=lift)


def _without_idle_steps(stances: Stances, leg_m: float) -> Stances:
    """People do not lift a foot and put it down in the same place: such stances become one."""
    place, yaw, lift = stances.place.copy(), stances.yaw.copy(), stances.lift_s.copy()
    for n in range(1, len(yaw)):
        near = np.linalg.norm(place[n] - place[n - 1]) < _IDLE_STEP * leg_m
        if near and abs(float(wrapped(yaw[n] - yaw[n - 1]))) < _IDLE_TURN_RAD:
            place[n], yaw[n] = place[n - 1], yaw[n - 1]
            lift[n - 1] = stances.touch_s[n]
    return Stances(touch_s=stances.touch_s, lift_s=lift, place=place, yaw=yaw)


def _middle_times(falls: FloatArray, track: Track) -> FloatArray:
    """Mean time of every stance [s]: its middle in a walk, within the rest where the walker rests on it."""
    out = phase_time(falls + MIDDLE, track)
    for n, fall in enumerate(falls):
        first, stop = np.searchsorted(track.phase, [fall, fall + 2.0 * MIDDLE])
        if stop > first and track.phase[0] < fall + MIDDLE < track.phase[-1] + MIDDLE:
            out[n] = track.times_s[first:stop].mean()
    return out


def _apart(beside: FloatArray, context: FloatArray, sign: float, style: Style) -> FloatArray:
    """Keep slow feet apart: whoever hardly advances would otherwise step on the own toes."""
    slow = 1.0 - smoothstep((np.hypot(context[:, 0], 0.0) - 0.25) / 0.4)
    least = 0.5 * LEAST_APART_M * slow + 0.5 * style.width_m
    return np.asarray(
        sign * np.maximum(sign * beside, np.where(slow > 0.01, least, sign * beside))
        + sign * 0.5 * style.width_m * (1 - slow)
    )


def phase_time(phases: FloatArray, track: Track) -> FloatArray:
    """When phases are reached [s]; a phase the walker rests at counts from the end of the rest, beyond the ends not."""
    strictly = track.phase + 1e-9 * np.arange(len(track.phase))
    times = np.interp(phases, strictly, track.times_s)
    return np.where(
        phases > track.phase[-1],
        track.times_s[-1] + 1e3,
        np.where(phases < track.phase[0], track.times_s[0] - 1e3, times),
    )


def _at(phases: FloatArray, track_phase: FloatArray, values: FloatArray) -> FloatArray:
    strictly = track_phase + 1e-9 * np.arange(len(track_phase))
    return np.stack([np.interp(phases, strictly, column) for column in values.T], axis=1)


def wrapped(angle: FloatArray) -> FloatArray:
    """The same angle within half a turn of zero [rad]."""
    return np.asarray(angle - 2.0 * np.pi * np.round(angle / (2.0 * np.pi)))
