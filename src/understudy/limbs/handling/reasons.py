"""What to say when a hand cannot be where it should."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.limbs.handling.aims import Aim, Way
from understudy.limbs.ik import Postures, reach_m
from understudy.limbs.proofs import walled_in
from understudy.limbs.stage import Stage
from understudy.limbs.window import Window

#: Share of an arm's length within which a target is within reach, not only just so.
_EASILY = 0.97
#: [s] between the moments at which it is looked at whether a target would be within reach.
_EVERY_S = 0.1


def posture_said(before: Window, aim: Aim, seen: Sequence[tuple[Way, Postures]]) -> str:
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
    wall = _wall(before, aim, seen)
    if wall:
        return f"{what}: {wall} closes the way to it"
    touching = [one for _, one in seen if one.touching]
    if touching:
        part, thing = max(touching, key=lambda one: one.blame_m).blame
        return f"{what}: {part} would be in {thing}"
    if any(one.outside for _, one in seen):
        return f"{what} within the joints' limits"
    least = min((one.missing_m for _, one in seen), default=np.inf)
    return f"{what}: the nearest it comes is {100.0 * least:.1f} cm"


def _wall(before: Window, aim: Aim, seen: Sequence[tuple[Way, Postures]]) -> str:
    """What closes every place that was looked at; empty where nothing does, or is proved to."""
    wall = ""
    for way, postures in seen:
        # A hand that has no room at all is not kept out by walls.
        if not postures.touching or not np.isfinite(postures.blame_m):
            return ""
        length, _ = reach_m(before, way.end.point, aim.time_s)
        room = walled_in(before, aim.time_s, way.end, length)
        if room is None:
            return ""
        wall = wall or room.wall
    return wall


def _sooner(stage: Stage, aim: Aim, length_m: float) -> str:
    """When the shoulder is near enough to where the target is then, next to the time asked for; empty if never."""
    times = stage.start_s + np.arange(0.0, stage.motion.duration_s, _EVERY_S)
    shoulders = stage.scene.character(stage.character).joint(f"{aim.hand}UpperArm", times)[0]
    targets = np.array([aim.target_at(float(time)) for time in times])
    near = times[np.linalg.norm(shoulders - targets, axis=1) < _EASILY * length_m]
    return f". Nearest time it could: {near[np.abs(near - aim.time_s).argmin()]:.2f} s." if len(near) else ""
