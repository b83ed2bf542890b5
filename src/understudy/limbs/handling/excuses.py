"""What to say when a hand cannot do what it should."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.limbs.handling.aims import Aim
from understudy.limbs.ik import Postures, goal_postures, reach_m
from understudy.limbs.window import Window

#: [m] so deep a posture may be in anything when it is asked what is in the way.
_ANYHOW_M = -10.0


def posture_said(before: Window, aim: Aim, seen: Sequence[Postures]) -> str:
    """Why no posture puts the hand on its aim: too far, outside the limits, or what it would touch."""
    what = f"the {aim.hand} hand cannot be at {aim.name} at {aim.time_s:.2f} s"
    ways = [way for tier in aim.tiers for way in tier]
    if not ways:
        return f"{what}: there is no room for it"
    far = []
    for way in ways:
        length, shoulder = reach_m(before, way.end.point, aim.time_s)
        far.append((float(np.linalg.norm(way.end.position - shoulder)) - length, length))
    nearest, length = min(far)
    if nearest > 0.0:
        return (
            f"the {aim.hand} hand cannot reach {aim.name} at {aim.time_s:.2f} s: {100.0 * nearest:.0f} cm too far "
            f"(shoulder at {nearest + length:.2f} m, arm {length:.2f} m)"
        )
    if any(one.touching for one in seen):
        pair = _touching(before, aim)
        return f"{what}: {pair[0]} would be in {pair[1]}" if pair[1] else f"{what}: every posture touches something"
    if any(one.outside for one in seen):
        return f"{what} within the joints' limits"
    least = min((one.missing_m for one in seen), default=np.inf)
    return f"{what}: the nearest it comes is {100.0 * least:.1f} cm"


def _touching(before: Window, aim: Aim) -> tuple[str, str]:
    """What the posture that is least in the way of something touches."""
    best = (-np.inf, ("", ""))
    for tier in aim.tiers:
        for way in tier[:4]:
            for posture in goal_postures(before, aim.time_s, way.end, clear_m=_ANYHOW_M).found:
                slack, pair = before.nearest(posture.offset, aim.time_s)
                if slack > best[0]:
                    best = (slack, pair)
    return best[1]
