"""What to say when a hand cannot do what it should."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.limbs.handling.aims import Aim
from understudy.limbs.ik import Postures, reach_m
from understudy.limbs.window import Window


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
    touching = [one for one in seen if one.touching]
    closed = [one.room for one in touching if one.room is not None]
    if closed and len(closed) == len(seen):
        return f"{what}: {closed[0].wall} closes the way to it"
    if touching:
        part, thing = max(touching, key=lambda one: one.blame_m).blame
        return f"{what}: {part} would be in {thing}"
    if any(one.outside for one in seen):
        return f"{what} within the joints' limits"
    least = min((one.missing_m for one in seen), default=np.inf)
    return f"{what}: the nearest it comes is {100.0 * least:.1f} cm"
