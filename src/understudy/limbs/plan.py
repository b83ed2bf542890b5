"""Planning a limb over one window or several in a row: search, smooth, certify, keep the pace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from understudy.core.planning import Watch
from understudy.limbs.leading import led
from understudy.limbs.legs import Found, Leg, Plan, failed_plan
from understudy.limbs.options import LimbOptions
from understudy.limbs.search import search
from understudy.limbs.smoothest import smoothest
from understudy.limbs.speeds import Pace, joint_limits_rad_s

#: Share of a window at each end that is left to smoothing, and its bounds [s].
_SHRUNK, _SHRUNK_LEAST_S, _SHRUNK_MOST_S = 0.16, 0.06, 0.3
#: [s] legs shorter than this get this many samples at most.
_SHORT_S, _FEW = 0.3, 120
#: Times fewer attempts at shortening a way that is straight but for one posture, and as near to the clip as can be.
_STRAIGHT = 6


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
        now, straight = _beside(leg, options), led(leg, speeds, _beside(leg, options))
        if straight is not leg:
            now = replace(now, shortcuts=now.shortcuts // _STRAIGHT)
        one = search(straight, speeds, now, seed=seed * 8 + k)
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


def _beside(leg: Leg, options: LimbOptions) -> LimbOptions:
    """Options for one leg: near what is touched there is less room, and what is short is found soon or never."""
    room = options.margin_m if leg.margin_m is None else min(leg.margin_m, options.margin_m)
    samples = options.iterations if leg.end_s - leg.start_s > _SHORT_S else min(options.iterations, _FEW)
    return replace(options, margin_m=room, iterations=samples)
