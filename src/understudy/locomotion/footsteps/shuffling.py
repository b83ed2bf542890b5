"""Little steps on the spot: turning, and moving less than a stride, with explicit footsteps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

import numpy as np

from understudy.core.editing import smoothstep
from understudy.core.skeleton import Skeleton
from understudy.locomotion.footsteps.footfalls import Footfalls
from understudy.locomotion.footsteps.footing import SIDES, THERE_M, THERE_RAD, Footing, ahead_of
from understudy.locomotion.footsteps.pathing import wrapped
from understudy.performer.legs_apart import footprints_apart_m
from understudy.performer.smoothing import gaussian
from understudy.performer.stances import LEAST_APART_M, REST_HALF_WIDTH, Stances
from understudy.performer.style import Style
from understudy.performer.track import Track
from understudy.typing import FloatArray

#: [s] a foot's time in the air, both feet on the floor between two steps, and before the first and after the last.
_SWING_S, _BOTH_S, _BEGIN_S, _END_S = 0.48, 0.07, 0.25, 0.12
#: [rad], [m] most a pair of steps turns and moves: ahead or back, and aside, where legs that reach wide lower the hips.
_TURN_RAD, _MOVE_M, _ASIDE_M = 1.1, 0.42, 0.34
#: [s] over which the rate of turning is smoothed: hips begin to twist before a foot is lifted.
_TWIST_S = 0.12
#: [s] the body sets off this much before a foot leaves the floor, and glides over the steps smoothed by this much.
_AHEAD_S, _GLIDE_S = 0.1, 0.12
#: Side -> ankle (x, z) [m] and yaw [rad].
Feet = dict[str, tuple[FloatArray, float]]


class _Row(NamedTuple):
    """One stance: when it begins and ends [s], ankle (x, z) [m] and yaw [rad]."""

    touch_s: float
    lift_s: float
    place: FloatArray
    yaw: float


def shuffled(
    skeleton: Skeleton,
    footing: Footing,
    place: FloatArray,
    heading_rad: float,
    style: Style,
    *,
    fps: float,
    feet: Feet | None = None,
) -> Footfalls:
    """Steps and turns from a footing to a place and a heading nearby; onto given footprints, or at ease."""
    turn = wrapped(heading_rad - footing.heading_rad)
    move = place - footing.place
    pairs, stances = _stances(skeleton, footing, move, turn, style, feet)
    lasts = _BEGIN_S + 2 * pairs * (_SWING_S + _BOTH_S) + _END_S
    times = np.arange(round(lasts * fps) + 1) / fps
    share = _share(times, pairs)
    # How fast one turns is all the gait is told: hips then share the twist of legs whose feet stand.
    context = np.zeros((len(times), 5))
    context[:, 2] = gaussian(np.gradient(share * turn, times), _TWIST_S * fps)
    track = Track(
        times_s=times,
        place=footing.place + share[:, None] * move,
        heading=footing.heading_rad + share * turn,
        phase=np.full(len(times), 0.08),
        context=context,
        activity=np.zeros(len(times)),
    )
    return Footfalls(skeleton=skeleton, style=style, track=track, stances=stances)


def _pairs(turn_rad: float, move_m: float, aside_m: float) -> int:
    """How many pairs of steps it takes to turn, to move, and to move aside as part of that."""
    return max(1, int(np.ceil(max(abs(turn_rad) / _TURN_RAD, move_m / _MOVE_M, aside_m / _ASIDE_M) - 1e-6)))


def _share(times: FloatArray, pairs: int) -> FloatArray:
    """How far the body is on its way: with the feet, half of it with each step, a little before they land."""
    step = _SWING_S + _BOTH_S
    begins = _BEGIN_S + step * np.arange(2 * pairs)
    steps = smoothstep((times[:, None] - begins + _AHEAD_S) / (_SWING_S + _AHEAD_S))
    share = gaussian(steps.mean(axis=1), _GLIDE_S / float(times[1] - times[0]))
    # At rest at both ends.
    share = share * smoothstep(times / _BEGIN_S)
    return np.asarray(1.0 - (1.0 - share) * smoothstep((times[-1] - times) / _END_S))


def _stances(
    skeleton: Skeleton,
    footing: Footing,
    move: FloatArray,
    turn: float,
    style: Style,
    feet: Feet | None,
) -> tuple[int, dict[str, Stances]]:
    """Alternate steps, and how many pairs of them: the fewest in which the feet never stand in each other.

    More pairs are tried as long as they bring the feet apart. The foot goes first that keeps the feet farther from each
    other's way.
    """
    ahead = ahead_of(footing.heading_rad)
    aside = float(move @ np.array([ahead[1], -ahead[0]]))
    lean = turn if abs(turn) > 0.2 else aside
    orders = (SIDES, SIDES[::-1]) if lean > 0 else (SIDES[::-1], SIDES)
    least = _pairs(turn, float(np.hypot(*move)), abs(aside))
    best: tuple[float, int, dict[str, list[_Row]]] | None = None
    for pairs in count(least):
        plans = [_rows(skeleton, footing, move, turn, pairs, style, feet, order) for order in orders]
        rows = max(plans, key=_aside_m)
        apart = _apart_m(skeleton, rows)
        if best is not None and apart <= best[0]:
            break
        best = apart, pairs, rows
        if apart >= 0.0:
            break
    assert best is not None
    return best[1], {side: _as_stances(best[2][side]) for side in SIDES}


def _rows(
    skeleton: Skeleton,
    footing: Footing,
    move: FloatArray,
    turn: float,
    pairs: int,
    style: Style,
    feet: Feet | None,
    order: Sequence[str],
) -> dict[str, list[_Row]]:
    """Stances by side where the feet go in an order."""
    rows: dict[str, list[_Row]] = {}
    for side in SIDES:
        at, yaw = footing.feet[side]
        near = footing.heading_rad + wrapped(yaw - footing.heading_rad)
        rows[side] = [_Row(-1e3, 1e3, at, near)]
    begin = _BEGIN_S
    for k in range(pairs):
        share = (k + 1) / pairs
        for side in order:
            place, heading = footing.place + share * move, footing.heading_rad + share * turn
            at, yaw = rest_foot(skeleton, side, place, heading, style)
            if feet is not None and k == pairs - 1:
                at, yaw = feet[side][0], heading + wrapped(feet[side][1] - heading)
            last = rows[side][-1]
            if float(np.hypot(*(at - last.place))) > THERE_M or abs(wrapped(yaw - last.yaw)) > THERE_RAD:
                rows[side][-1] = last._replace(lift_s=begin)
                rows[side].append(_Row(begin + _SWING_S, 1e3, at, yaw))
            begin += _SWING_S + _BOTH_S
    return rows


def _aside_m(rows: dict[str, list[_Row]]) -> float:
    """How far the left foot stands to the left of the right one at least [m]; crossed feet count below zero."""
    apart = []
    for left, right in _together(rows):
        ahead = ahead_of(0.5 * (left.yaw + right.yaw))
        apart.append(float((left.place - right.place) @ np.array([ahead[1], -ahead[0]])))
    return min(apart)


def _apart_m(skeleton: Skeleton, rows: dict[str, list[_Row]]) -> float:
    """Least distance of the feet while both stand [m]; below zero where one stands in the other."""
    return min(
        footprints_apart_m(skeleton, (left.place, left.yaw), (right.place, right.yaw))
        for left, right in _together(rows)
    )


def _together(rows: dict[str, list[_Row]]) -> Iterator[tuple[_Row, _Row]]:
    """Stances of the left and the right foot at the same time."""
    for left in rows["left"]:
        for right in rows["right"]:
            if left.touch_s < right.lift_s and right.touch_s < left.lift_s:
                yield left, right


def _as_stances(rows: list[_Row]) -> Stances:
    touch, lift, place, yaw = (np.array(column) for column in zip(*rows, strict=True))
    return Stances(touch_s=touch, lift_s=lift, place=place, yaw=yaw)


def rest_foot(
    skeleton: Skeleton, side: str, place: FloatArray, heading_rad: float, style: Style
) -> tuple[FloatArray, float]:
    """Ankle (x, z) [m] and yaw [rad] of the foot of somebody who stands at ease somewhere."""
    leg, sign = skeleton.leg_length_m(), 1.0 if side == "left" else -1.0
    half = max(REST_HALF_WIDTH * leg, 0.5 * LEAST_APART_M + 0.5 * style.width_m)
    ahead = ahead_of(heading_rad)
    left = np.array([ahead[1], -ahead[0]])
    return place + sign * half * left - 0.05 * leg * ahead, heading_rad + sign * style.toe_out_rad


def standing(skeleton: Skeleton, place: FloatArray, heading_rad: float, style: Style) -> Footing:
    """Somebody who stands at ease."""
    feet = {side: rest_foot(skeleton, side, place, heading_rad, style) for side in SIDES}
    return Footing(place=place, heading_rad=heading_rad, feet=feet)


def steps_s(turn_rad: float, move_m: float) -> float:
    """How long steps on the spot take [s]."""
    pairs = _pairs(turn_rad, move_m, 0.0)
    return _BEGIN_S + 2 * pairs * (_SWING_S + _BOTH_S) + _END_S
