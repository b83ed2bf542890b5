"""What an example has to keep: its events, joint limits, and distance between the parts of its body."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.kinematics import WorldTransforms, motion_world
from understudy.performer.actions.example import Example
from understudy.typing import FloatArray

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
        hands = {body.capsule("left_hand"), body.capsule("right_hand")}
        pairs = np.array([pair for pair in pairs if set(pair.tolist()) != hands])
    starts, ends = body.capsule_segments(world.positions[::_EVERY], world.rotations[::_EVERY])
    first, second = pairs.T
    apart = _segments_apart(starts[:, first], ends[:, first], starts[:, second], ends[:, second])
    return float((apart - body.capsule_radii[first] - body.capsule_radii[second]).min())


def _segments_apart(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> FloatArray:
    """Distances of the segments ``ab`` and ``cd``, ``(...)`` [m]."""
    u, v, w = b - a, d - c, a - c
    uu, vv = np.maximum(_dot(u, u), 1e-18), np.maximum(_dot(v, v), 1e-18)
    uv, uw, vw = _dot(u, v), _dot(u, w), _dot(v, w)
    scale = uu * vv - uv * uv
    s = np.where(scale > 1e-12 * uu * vv, np.clip((uv * vw - vv * uw) / np.maximum(scale, 1e-30), 0.0, 1.0), 0.5)
    t = np.clip((uv * s + vw) / vv, 0.0, 1.0)
    s = np.clip((uv * t - uw) / uu, 0.0, 1.0)
    return np.asarray(np.linalg.norm(w + s[..., None] * u - t[..., None] * v, axis=-1))


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("...i,...i->...", a, b))


def _miss_m(example: Example, world: WorldTransforms) -> float:
    worst = 0.0
    for event in example.events:
        frame = round(event.time_s * example.motion.fps)
        joint = example.motion.skeleton.humanoid[event.joint]
        at = world.positions[frame, joint] + rot.rotate(world.rotations[frame, joint], event.point)
        worst = max(worst, float(np.linalg.norm(at - event.position)))
    return worst
