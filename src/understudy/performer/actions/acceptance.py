"""What an example has to keep: its events, joint limits, and distance between the parts of its body."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.segments import segments_apart
from understudy.kinematics import WorldTransforms, motion_world
from understudy.performer.actions.example import Example
from understudy.typing import IntArray

#: [m] an event farther than this from its place is a miss.
EXACT_M = 5e-4
#: Every how many frames distances are looked at; parts move less than 3 cm in between but for quick hands.
_EVERY = 2


def miss_m(example: Example) -> float:
    """How far the motion is from its worst event [m]."""
    return _miss_m(example, motion_world(example.motion))


def flaws(example: Example, body: Body) -> float:
    """0 for an example that keeps everything; otherwise how bad it is, in metres and radians together."""
    world = motion_world(example.motion)
    miss = _miss_m(example, world)
    excess = float(body.limits.excess(example.motion.rotations).max())
    deep = -min(least_gap_m(example, body, world), 0.0)
    return (miss if miss > EXACT_M else 0.0) + excess + deep


def least_gap_m(example: Example, body: Body, world: WorldTransforms) -> float:
    """Least signed distance between parts that may not touch [m]; hands on one bat may."""
    pairs = body.self_pairs
    if example.action == "bat_swing":
        pairs = np.array([pair for pair in pairs if not _grips_one_bat(body, pair)])
    starts, ends = body.capsule_segments(world.positions[::_EVERY], world.rotations[::_EVERY])
    first, second = pairs.T
    apart = segments_apart(starts[:, first], ends[:, first], starts[:, second], ends[:, second])
    return float((apart - body.capsule_radii[first] - body.capsule_radii[second]).min())


def _grips_one_bat(body: Body, pair: IntArray) -> bool:
    """Whether a pair is a hand and the other hand or its forearm: straight capsules cannot lie around one handle."""
    names = {body.capsule_names[index] for index in pair}
    return names in ({"left_hand", "right_hand"}, {"left_hand", "right_forearm"}, {"right_hand", "left_forearm"})


def _miss_m(example: Example, world: WorldTransforms) -> float:
    worst = 0.0
    for event in example.events:
        frame = round(event.time_s * example.motion.fps)
        joint = example.motion.skeleton.humanoid[event.joint]
        at = world.positions[frame, joint] + rot.rotate(world.rotations[frame, joint], event.point)
        worst = max(worst, float(np.linalg.norm(at - event.position)))
    return worst
