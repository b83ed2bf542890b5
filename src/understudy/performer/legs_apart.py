"""Whether legs pass through each other: in sharp turns it depends on which foot is in the air when the turn comes."""

from __future__ import annotations

from functools import lru_cache

from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.core.segments import segments_apart
from understudy.core.skeleton import Skeleton
from understudy.kinematics import motion_world

#: What a leg is made of.
LEGS = ("thigh", "shank", "foot", "toes")
#: [m] between shanks that pass each other.
_ROOM_M = 0.008
#: [1/s] how often a motion is looked at.
_RATE_HZ = 30.0


def leg_overlap_m(motion: Motion) -> float:
    """Deepest overlap of a part of the left leg with one of the right [m]; 0 when they stay apart."""
    body = _body(motion.skeleton)
    step = max(1, round(motion.fps / _RATE_HZ))
    world = motion_world(motion)
    starts, ends = body.capsule_segments(world.positions[::step], world.rotations[::step])
    deepest = 0.0
    for left in LEGS:
        for right in LEGS:
            i, j = body.capsule(f"left_{left}"), body.capsule(f"right_{right}")
            apart = segments_apart(starts[:, i], ends[:, i], starts[:, j], ends[:, j])
            deepest = max(deepest, float(body.capsule_radii[i] + body.capsule_radii[j] - apart.min()))
    return deepest


@lru_cache(maxsize=32)
def passing_m(skeleton: Skeleton) -> float:
    """How far apart ankles pass each other so that shanks and feet do not touch [m]."""
    body = _body(skeleton)
    return float(sum(body.capsule_radii[body.capsule(f"{side}_shank")] for side in ("left", "right"))) + _ROOM_M


@lru_cache(maxsize=8)
def _body(skeleton: Skeleton) -> Body:
    return fit_body(skeleton)
