"""Joint limits: how far joints turn beyond what their body allows.

The limits are the body's (``core.limits`` says what their arrays mean); the angles are worked out anew here, from
rotation matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.core import Body, Motion
from understudy.core.limits import JointLimits, LimitKind
from understudy.core.reference_pose import t_pose_world
from understudy.typing import FloatArray, IntArray
from understudy.verify.changed import Changed
from understudy.verify.forward import Performer, matrices
from understudy.verify.source_facts import fact


@dataclass(frozen=True, kw_only=True)
class LimitExcess:
    """The joint that goes furthest beyond its limit.

    Attributes:
        max_excess_rad: How far beyond the limit, less what the source does itself [rad].
        joint: Which joint; empty when none.
        time_s: When.
        source_excess_rad: Largest excess that was forgiven because the source shows it too [rad].
        helpers_excess_rad: Largest excess of joints without a humanoid role (thumbs, helper joints), which are
            reported and not judged [rad].
    """

    max_excess_rad: float
    joint: str
    time_s: float
    source_excess_rad: float
    helpers_excess_rad: float


def excess_rad(limits: JointLimits, rotations: FloatArray, joints: Sequence[int] | None = None) -> FloatArray:
    """``(frames, joints)`` how far each joint is outside its limit [rad]; 0 inside and for free joints.

    For ellipses this is the distance to the boundary along the ray from the ellipse's centre.

    Args:
        limits: The body's.
        rotations: ``(frames, joints, 4)`` of all joints.
        joints: Joints to look at, in the order of the columns; all unless given.
    """
    chosen = np.arange(rotations.shape[1]) if joints is None else np.array(joints, dtype=np.int64)
    own = _in_limit_frames(limits, rotations, chosen)
    axes, swing = _turns_about_axes(own), _swing_and_twist(own)
    low, high, kinds = limits.low[chosen], limits.high[chosen], limits.kinds[chosen]
    by_axes = np.maximum(np.maximum(low - axes, axes - high), 0.0).max(axis=-1)
    twist = np.maximum(np.maximum(low[:, 2] - swing[..., 2], swing[..., 2] - high[:, 2]), 0.0)
    centre, radius = 0.5 * (low + high)[:, :2], 0.5 * (high - low)[:, :2]
    away = swing[..., :2] - centre
    share = np.sqrt(((away / np.maximum(radius, 1e-9)) ** 2).sum(axis=-1))
    length = np.sqrt((away**2).sum(axis=-1))
    outside = np.where(share > 1.0, length - length / np.maximum(share, 1.0), 0.0)
    by_ellipse = np.maximum(outside, twist)
    result = np.where(kinds == LimitKind.AXES, by_axes, by_ellipse)
    return np.where(kinds == LimitKind.FREE, 0.0, result)


def joint_limits(
    motion: Motion,
    body: Body,
    *,
    sources: Sequence[Motion] = (),
    planned: Sequence[int] = (),
    changed: Changed | None = None,
) -> LimitExcess:
    """Measure a motion against its body's limits.

    Args:
        motion: What is judged.
        body: Whose limits.
        sources: Clips it was made from; what a joint exceeds there is forgiven.
        planned: Joints that were planned, for which nothing is forgiven.
        changed: What differs from the only source; the rest is known from it.
    """
    judged = _judged(motion)
    if changed is None:
        excess = excess_rad(body.limits, motion.rotations)
    else:
        known = fact(Performer(name="", motion=sources[0], body=body), "own limits", _all_excess)
        excess = known.copy()
        if changed:
            first, stop = changed.span(len(motion), more=0)
            fresh = np.flatnonzero(changed.joints).tolist()
            excess[first:stop, fresh] = excess_rad(body.limits, motion.rotations[first:stop], fresh)
    forgiven = np.zeros(excess.shape[1])
    for source in sources:
        if source.skeleton.same_joints(motion.skeleton):
            forgiven = np.maximum(forgiven, fact(Performer(name="", motion=source, body=body), "limits", _most_excess))
    forgiven[list(planned)] = 0.0
    beyond = np.where(judged, np.maximum(excess - forgiven, 0.0), 0.0)
    frame, joint = np.unravel_index(int(beyond.argmax()), beyond.shape)
    worst = float(beyond[frame, joint])
    helpers = excess[:, ~judged]
    return LimitExcess(
        max_excess_rad=worst,
        joint=motion.skeleton.names[joint] if worst > 0 else "",
        time_s=float(frame / motion.fps) if worst > 0 else 0.0,
        source_excess_rad=float(np.where(judged, np.minimum(excess.max(axis=0), forgiven), 0.0).max()),
        helpers_excess_rad=float(helpers.max()) if helpers.size else 0.0,
    )


def _all_excess(source: Performer) -> FloatArray:
    """``(frames, joints)`` excess of every joint of a clip [rad]."""
    return excess_rad(source.body.limits, source.motion.rotations)


def _most_excess(source: Performer) -> FloatArray:
    """``(joints,)`` largest excess of every joint over a clip [rad]."""
    return np.asarray(_all_excess(source).max(axis=0))


def _judged(motion: Motion) -> np.ndarray:
    """Joints with a humanoid role; every joint of what is no humanoid."""
    if not motion.skeleton.is_humanoid:
        return np.ones(len(motion.skeleton), dtype=bool)
    judged = np.zeros(len(motion.skeleton), dtype=bool)
    judged[list(motion.skeleton.humanoid.values())] = True
    return judged


def _in_limit_frames(limits: JointLimits, rotations: FloatArray, joints: IntArray) -> FloatArray:
    """``(frames, joints, 3, 3)`` turns of some joints away from the T-pose, in axes (swing, third, twist)."""
    skeleton = limits.skeleton
    _, world = t_pose_world(skeleton) if skeleton.is_humanoid else skeleton.rest_world
    own = matrices(np.asarray(world))
    above = np.concatenate([np.eye(3)[None], own[skeleton.parents[1:]]])
    third = np.cross(limits.twist_axes, limits.swing_axes)
    frame = np.stack([limits.swing_axes, third, limits.twist_axes], axis=-1)
    into, out = np.swapaxes(frame, -1, -2) @ above, np.swapaxes(own, -1, -2) @ frame
    return np.asarray(into[joints] @ matrices(rotations[:, joints]) @ out[joints])


def _turns_about_axes(turn: FloatArray) -> FloatArray:
    """``(..., 3)`` turns [rad] about X, then the new Y, then the new Z."""
    second = np.arcsin(np.clip(turn[..., 0, 2], -1.0, 1.0))
    first = np.arctan2(-turn[..., 1, 2], turn[..., 2, 2])
    last = np.arctan2(-turn[..., 0, 1], turn[..., 0, 0])
    return np.stack([first, second, last], axis=-1)


def _swing_and_twist(turn: FloatArray) -> FloatArray:
    """``(..., 3)`` the swing's rotation vector in x and y and the twist about z [rad]."""
    pointing = turn[..., :, 2]
    sine = np.hypot(pointing[..., 0], pointing[..., 1])
    angle = np.arctan2(sine, pointing[..., 2])
    scale = np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 1.0)
    swing_x, swing_y = -pointing[..., 1] * scale, pointing[..., 0] * scale
    # The swing turns about (x, y, 0) / angle; undoing it leaves the twist (Rodrigues).
    length = np.maximum(angle, 1e-12)
    axis = np.stack([swing_x / length, swing_y / length, np.zeros_like(angle)], axis=-1)
    first = turn[..., :, 0]
    along = np.einsum("...i,...i->...", axis, first)[..., None] * axis
    back = along + np.cos(angle)[..., None] * (first - along) - np.sin(angle)[..., None] * np.cross(axis, first)
    still = angle < 1e-9
    twist = np.where(still, np.arctan2(first[..., 1], first[..., 0]), np.arctan2(back[..., 1], back[..., 0]))
    return np.stack([swing_x, swing_y, twist], axis=-1)
