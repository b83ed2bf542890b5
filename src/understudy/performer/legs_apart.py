"""Whether legs pass through each other: in sharp turns it depends on which foot is in the air when the turn comes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.motion import Motion
from understudy.core.reference_pose import t_pose_world
from understudy.core.segments import segments_apart
from understudy.core.skeleton import Skeleton
from understudy.kinematics import motion_world
from understudy.typing import FloatArray

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


def footprints_apart_m(skeleton: Skeleton, left: tuple[FloatArray, float], right: tuple[FloatArray, float]) -> float:
    """Distance of two flat feet, given by ankle (x, z) [m] and yaw [rad]; below zero where one is in the other."""
    (one, one_m), (other, other_m) = (_footprint(skeleton, side) for side in ("left", "right"))
    at = [
        rot.rotate(rot.from_yaw(yaw), print_m) + np.array([place[0], 0.0, place[1]])
        for print_m, (place, yaw) in ((one, left), (other, right))
    ]
    apart = segments_apart(at[0][:, None, 0], at[0][:, None, 1], at[1][None, :, 0], at[1][None, :, 1])
    return float((apart - one_m[:, None] - other_m[None, :]).min())


@lru_cache(maxsize=32)
def _footprint(skeleton: Skeleton, side: str) -> tuple[FloatArray, FloatArray]:
    """Capsules of foot and toes on the floor, from the ankle of a foot that points ahead: ends and radii [m]."""
    body, (places, turns) = _body(skeleton), t_pose_world(skeleton)
    ends = np.stack(body.capsule_segments(places[None], turns[None]), axis=2)[0]
    parts = [body.capsule(f"{side}_{part}") for part in ("foot", "toes")]
    return (ends[parts] - places[skeleton.humanoid[f"{side}Foot"]]) * [1.0, 0.0, 1.0], body.capsule_radii[parts]


@lru_cache(maxsize=32)
def passing_m(skeleton: Skeleton) -> float:
    """How far apart ankles pass each other so that shanks and feet do not touch [m]."""
    body = _body(skeleton)
    return float(sum(body.capsule_radii[body.capsule(f"{side}_shank")] for side in ("left", "right"))) + _ROOM_M


@lru_cache(maxsize=8)
def _body(skeleton: Skeleton) -> Body:
    return fit_body(skeleton)
