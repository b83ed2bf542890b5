"""What to say when a hand cannot be where it should."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.limbs.handling.aims import Aim
from understudy.limbs.ik import Postures, reach_m
from understudy.limbs.stage import Stage
from understudy.limbs.window import Window

#: Share of an arm's length within which a target is within reach, not only just so.
_EASILY = 0.97
#: [s] between the moments at which it is looked at whether a target would be within reach.
_EVERY_S = 0.1


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
            f"(shoulder at {nearest + length:.2f} m, arm {length:.2f} m){_sooner(before.stage, aim, length)}"
        )
    touching = [one for one in seen if one.touching]
    # A hand that has no room at all is not kept out by walls.
    closed = [one.room for one in touching if one.room is not None and np.isfinite(one.blame_m)]
    if closed and len(closed) == len(seen):
        return f"{what}: {closed[0].wall} closes the way to it"
    if touching:
        part, thing = max(touching, key=lambda one: one.blame_m).blame
        return f"{what}: {part} would be in {thing}"
    if any(one.outside for one in seen):
        return f"{what} within the joints' limits"
    least = min((one.missing_m for one in seen), default=np.inf)
    return f"{what}: the nearest it comes is {100.0 * least:.1f} cm"


def _sooner(stage: Stage, aim: Aim, length_m: float) -> str:
    """When the shoulder is near enough to where the target is then, next to the time asked for; empty if never."""
    times = stage.start_s + np.arange(0.0, stage.motion.duration_s, _EVERY_S)
    shoulders = stage.scene.character(stage.character).joint(f"{aim.hand}UpperArm", times)[0]
    targets = np.array([aim.target_at(float(time)) for time in times])
    near = times[np.linalg.norm(shoulders - targets, axis=1) < _EASILY * length_m]
    return f". Nearest time it could: {near[np.abs(near - aim.time_s).argmin()]:.2f} s." if len(near) else ""
