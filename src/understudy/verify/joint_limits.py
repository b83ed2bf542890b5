"""Joint limits: how far joints turn beyond what their body allows.

The limits are the body's (``core.limits`` says what their arrays mean); the angles are worked out anew here, from
rotation matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from understudy.core import Body, Motion
from understudy.core.limits import JointLimits, LimitKind
from understudy.core.reference_pose import t_pose_world
from understudy.typing import FloatArray
from understudy.verify.changed import Changed
from understudy.verify.forward import Performer, frozen, matrices
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
    from understudy.verify._measure_kernels import limit_excess

    chosen = np.arange(rotations.shape[1]) if joints is None else np.array(joints, dtype=np.int64)
    out = np.empty((len(rotations), len(chosen)))
    limit_excess(
        frozen(rotations),
        chosen,
        _limit_frames(limits),
        frozen(limits.kinds, np.int64),
        (frozen(limits.low), frozen(limits.high)),
        (int(LimitKind.FREE), int(LimitKind.AXES)),
        out,
    )
    return out


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


@lru_cache(maxsize=32)
def _limit_frames(limits: JointLimits) -> tuple[FloatArray, FloatArray]:
    """``(joints, 3, 3)`` matrices before and after a joint's own: its turn away from the T-pose in its limits' axes.

    Their axes are the swing's, the third and the twist's.
    """
    skeleton = limits.skeleton
    _, world = t_pose_world(skeleton) if skeleton.is_humanoid else skeleton.rest_world
    own = matrices(np.asarray(world))
    above = np.concatenate([np.eye(3)[None], own[skeleton.parents[1:]]])
    third = np.cross(limits.twist_axes, limits.swing_axes)
    frame = np.stack([limits.swing_axes, third, limits.twist_axes], axis=-1)
    return frozen(np.swapaxes(frame, -1, -2) @ above), frozen(np.swapaxes(own, -1, -2) @ frame)
