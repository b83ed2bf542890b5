"""Keeping a body on the floor: its height follows its lowest point, and what carries it does not slide.

Soles may be a little in the floor, because feet are not capsules: as deep as the key postures have them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from understudy.core.body import Body
from understudy.core.pose import Pose
from understudy.kinematics.forward import forward
from understudy.postures.averaging import averaged, envelope
from understudy.postures.timing import minimum_jerk
from understudy.postures.trunk import trunk_of
from understudy.scene.contacts import SOLE_DEPTH_M
from understudy.typing import BoolArray, FloatArray

Shift = Literal["free", "ends", "none"]
#: [s] half of the time in which the body's speed over the floor follows what carries it.
_PASSING_S = 0.12
#: [m] how near the floor a part carries the body.
_CARRY_M = 0.006
_SOLES = ("left_foot", "left_toes", "right_foot", "right_toes")
#: Recorded ankles are as near to the floor as soles.
_SHANKS = ("left_shank", "right_shank")
#: Hands, elbows and knees of people who crawl.
_RESTS = tuple(f"{side}_{part}" for side in ("left", "right") for part in ("hand", "forearm", "thigh"))


def soles_of(body: Body, *, rests: Sequence[str] | None = None) -> BoolArray:
    """``(capsules,)`` which capsules are soles, or soles, shanks and what else people rest on."""
    return np.isin(body.capsule_names, _SOLES if rests is None else (*_SOLES, *_SHANKS, *rests))


def sunk_depth(body: Body, poses: Sequence[Pose], parts: BoolArray) -> float:
    """How deep some poses have parts ``(capsules,)`` in the floor [m]."""
    return max(-float(_lowest(body, poses)[parts].min(initial=np.inf)), 0.0)


def rests_of(body: Body, poses: Sequence[Pose]) -> tuple[str, ...]:
    """Hands, elbows and knees that recorded poses have in the floor: no recording knows exactly how high it is."""
    recorded = [pose for pose in poses if pose.evidence]
    sunk = _lowest(body, recorded) < 0.0 if recorded else np.zeros(len(body.capsule_names), dtype=np.bool_)
    return tuple(name for name, low in zip(body.capsule_names, sunk, strict=True) if low and name in _RESTS)


def _lowest(body: Body, poses: Sequence[Pose]) -> FloatArray:
    """``(capsules,)`` the lowest height that some poses have each part at [m]."""
    low = np.min([_low_points(body, one.root_position[None], one.rotations[None])[1][0] for one in poses], axis=0)
    return np.asarray(low.reshape(2, -1).min(axis=0))


def floor_depths(body: Body, pose: Pose) -> FloatArray:
    """``(capsules,)`` how deep each part of a posture is in the floor beyond what soles may be [m]; 0 above it."""
    _, low = _low_points(body, pose.root_position[None], pose.rotations[None])
    return np.asarray(_depths(body, low)[0])


def _depths(body: Body, low: FloatArray) -> FloatArray:
    """``(frames, capsules)`` depths in the floor beyond what soles may be [m], of heights ``low (frames, ends)``."""
    lowest = low.reshape(len(low), 2, -1).min(axis=1) + np.where(soles_of(body), SOLE_DEPTH_M, 0.0)
    return np.maximum(-lowest, 0.0)


def rolled_roots(body: Body, roots: FloatArray, rotations: FloatArray, *, fps: float, shift: Shift) -> FloatArray:
    """Root positions ``(frames, 3)`` [m] of a body whose trunk rolls on the floor without sliding or sinking into it.

    Args:
        body: Whose.
        roots: ``(frames, 3)`` as planned.
        rotations: ``(frames, joints, 4)``.
        fps: Frames per second.
        shift: ``"free"`` lets the body end where it rolls to; ``"ends"`` brings the last root back to its planned
            place; ``"none"`` leaves it where it was planned.
    """
    points, low = _low_points(body, roots, rotations)
    out = roots.copy()
    out[:, 1] += envelope(_depths(body, low).max(axis=1), _PASSING_S * fps)
    if shift == "none":
        return out
    trunk = np.tile(trunk_of(body), 2)
    points, low = points[:, trunk], low[:, trunk]
    weights = np.exp(-(low - low.min(axis=1, keepdims=True)) / _CARRY_M)
    weights = 0.5 * (weights[1:] + weights[:-1])
    weights /= weights.sum(axis=1, keepdims=True)
    slide = np.einsum("fp,fpi->fi", weights, np.diff(points[..., [0, 2]], axis=0))
    # Weight passes from one part to another in a moment, the body's speed does not.
    frames = np.arange(len(slide))
    slide = averaged(slide, np.minimum(_PASSING_S * fps, np.minimum(frames, len(slide) - 1 - frames)))
    walked = -np.concatenate([np.zeros((1, 2)), np.cumsum(slide, axis=0)])
    if shift == "ends":
        walked -= minimum_jerk(np.linspace(0.0, 1.0, len(walked)))[:, None] * walked[-1]
    out[:, [0, 2]] += walked
    return out


def on_trunk(body: Body, pose: Pose) -> Pose:
    """A posture raised or lowered so that its trunk lies on the floor."""
    _, low = _low_points(body, pose.root_position[None], pose.rotations[None])
    up = np.array([0.0, -float(low[0, np.tile(trunk_of(body), 2)].min()), 0.0])
    return replace(pose, root_position=pose.root_position + up)


def _low_points(body: Body, roots: FloatArray, rotations: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Ends of all capsules ``(frames, ends, 3)`` [m] and how high they reach down."""
    world = forward(body.skeleton, roots, rotations)
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    points = np.concatenate([starts, ends], axis=1)
    return points, points[..., 1] - np.tile(body.capsule_radii, 2)
