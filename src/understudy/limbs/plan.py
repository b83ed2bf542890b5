"""Planning a limb over one window or several in a row: search, smooth, certify, keep the pace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from understudy.core.planning import Watch
from understudy.limbs.leading import led
from understudy.limbs.legs import Leg, Plan, failed_plan
from understudy.limbs.options import LimbOptions
from understudy.limbs.search import Found, Query, search
from understudy.limbs.smoothest import smoothest
from understudy.limbs.speeds import Pace, joint_limits_rad_s
from understudy.typing import FloatArray

#: Share of a window at each end that is left to smoothing, and its bounds [s].
_SHRUNK, _SHRUNK_LEAST_S, _SHRUNK_MOST_S = 0.16, 0.06, 0.3
#: [s] legs shorter than this get this many samples at most.
_SHORT_S, _FEW = 0.3, 120
#: Times fewer attempts at shortening a way that is straight but for one posture, and as near to the clip as can be.
_STRAIGHT = 6
#: [m] part of the room at a start or goal that is not used.
_ROUNDING_M = 2e-4


def shrink_s(duration_s: float) -> float:
    """How far inside a window a path begins and ends, so that its smoothed offset ends within it [s]."""
    return float(min(max(_SHRUNK * duration_s, _SHRUNK_LEAST_S), _SHRUNK_MOST_S))


def plan_legs(
    legs: Sequence[Leg],
    pace: Mapping[str, Pace],
    options: LimbOptions,
    watch: Watch,
    *,
    widest_s: float,
    seed: int = 0,
) -> Plan:
    """Plan a chain of legs that meet at knots; inner knots are met exactly.

    Args:
        legs: In the order of time, of one limb, each beginning where the one before ends.
        pace: Bars of the limb's turns (``speeds.pace``).
        options: How to search.
        watch: Deadline and stages.
        widest_s: Widest kernel to smooth with: twice the room that windows leave before the first and after the last
            knot [s].
        seed: Of the random numbers.
    """
    space = legs[0].window.space
    speeds = joint_limits_rad_s(space, dict(pace), options.speed_share)
    found: dict[int, Found] = {}
    watch.stage("search")
    for k in hardest_first(legs):
        leg = legs[k]
        if leg.path is not None:
            found[k] = Found(path=leg.path, raw=leg.path, iterations=0, checks=0, nodes=leg.path)
            continue
        now = _beside(leg, options)
        reaching = bool(np.any(leg.start) or np.any(leg.end))
        query, now = _led(leg, speeds, now)
        one = search(leg.window, query, speeds, now, seed=seed * 8 + k, reaching=reaching)
        found[k] = one
        if not one:
            said = f"no free way found from {leg.start_s:.2f} s to {leg.end_s:.2f} s"
            nothing = failed_plan(space, list(found.values()), said)
            return replace(nothing, hasty=one.stuck or one.late, failed_s=0.5 * (leg.start_s + leg.end_s))
    watch.stage("smooth")
    return smoothest(legs, [found[k] for k in range(len(legs))], pace, options, widest_s)


def hardest_first(legs: Sequence[Leg]) -> list[int]:
    """Numbers of legs in the order in which they are searched, so that what is hopeless is known soon.

    Where the way straight out of a posture is short it is hardest to find one; legs without are searched last.
    """
    planted = [[len(rows) for rows in (leg.leaving, leg.arriving) if rows is not None] for leg in legs]
    return sorted(range(len(legs)), key=lambda k: min(planted[k], default=np.inf))


def _led(leg: Leg, speeds: FloatArray, options: LimbOptions) -> tuple[Query, LimbOptions]:
    """What to ask of a search, and with which options: by a straight way where there is one."""
    asked = _query(leg, options)
    query = led(leg.window, asked, speeds, options)
    return query, options if query is asked else replace(options, shortcuts=options.shortcuts // _STRAIGHT)


def _beside(leg: Leg, options: LimbOptions) -> LimbOptions:
    """Options for one leg: near what is touched there is less room, and what is short is found soon or never."""
    room = options.margin_m if leg.margin_m is None else min(leg.margin_m, options.margin_m)
    samples = options.iterations if leg.end_s - leg.start_s > _SHORT_S else min(options.iterations, _FEW)
    return replace(options, margin_m=room, iterations=samples)


def _query(leg: Leg, options: LimbOptions) -> Query:
    """A search between a leg's knots; where they have less room than the margin, their own room is kept."""
    room = []
    for offset, when in ((leg.start, leg.start_s), (leg.end, leg.end_s)):
        slack, _ = leg.window.nearest(offset, when, within_m=options.margin_m + 0.01)
        room.append(max(min(slack - _ROUNDING_M, options.margin_m), 0.0))
    none = np.empty((0, len(leg.start) + 1))
    return Query(
        start=leg.start,
        start_s=leg.start_s,
        goal=leg.end,
        goal_s=leg.end_s,
        leaving=none if leg.leaving is None else leg.leaving,
        arriving=none if leg.arriving is None else leg.arriving,
        hints=none if leg.hints is None else leg.hints,
        start_m=room[0],
        goal_m=room[1],
    )
