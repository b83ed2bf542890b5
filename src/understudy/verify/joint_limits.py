"""Joint limits: how far joints turn beyond what their body allows.

The limits are the body's (``core.limits`` says what their arrays mean); the angles are worked out anew here, from
rotation matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from understudy.core import Body, Motion, Skeleton
from understudy.core.limits import JointLimits, LimitKind
from understudy.core.reference_pose import t_pose_world
from understudy.typing import BoolArray, FloatArray, IntArray
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


def excess_rad(
    limits: JointLimits, rotations: FloatArray, joints: Sequence[int] | IntArray | None = None
) -> FloatArray:
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
    in_step: bool = False,
    planned: BoolArray | None = None,
    allowed_rad: FloatArray | None = None,
) -> LimitExcess:
    """Measure a motion against its body's limits.

    Args:
        motion: What is judged.
        body: Whose limits.
        sources: Clips it was made from. What a joint exceeds there is forgiven: at that moment where the only clip has
            the same frames, anywhere in the clips otherwise.
        in_step: Whether the only source has the same frames.
        planned: ``(frames, joints)`` when joints were planned, for which nothing is forgiven then; ``None`` for never.
        allowed_rad: ``(joints,)`` or ``(frames, joints)`` what is forgiven, where it is known without the clips [rad].
    """
    judged = _judged(motion.skeleton)
    excess = excess_rad(body.limits, motion.rotations)
    forgiven = forgiven_rad(motion, body, sources, in_step=in_step) if allowed_rad is None else allowed_rad
    own = np.broadcast_to(forgiven, excess.shape)
    own = own if planned is None else np.where(planned, 0.0, own)
    # The first frame in which any joint is farthest beyond.
    beyond = np.where(judged, excess - own, 0.0)
    frame, joint = (int(place) for place in np.unravel_index(int(beyond.argmax()), beyond.shape))
    worst = max(float(beyond[frame, joint]), 0.0)
    return LimitExcess(
        max_excess_rad=worst,
        joint=motion.skeleton.names[joint] if worst > 0 else "",
        time_s=float(frame / motion.fps) if worst > 0 else 0.0,
        source_excess_rad=float(np.where(judged, np.minimum(excess, own), 0.0).max()),
        helpers_excess_rad=float(np.where(judged, 0.0, excess).max()),
    )


def forgiven_rad(motion: Motion, body: Body, sources: Sequence[Motion], *, in_step: bool = False) -> FloatArray:
    """How far source clips are beyond the limits [rad].

    Returns:
        ``(frames, joints)`` for an only clip that is in step, else ``(joints,)``, the largest excess of each joint.
    """
    same = [source for source in sources if source.skeleton.same_joints(motion.skeleton)]
    facts = [fact(Performer(name="", motion=one, body=body), "own limits", _all_excess) for one in same]
    if in_step and facts:
        return facts[0]
    return np.max([np.zeros(len(motion.skeleton)), *(one.max(axis=0) for one in facts)], axis=0)


def _all_excess(source: Performer) -> FloatArray:
    """``(frames, joints)`` excess of every joint of a clip [rad]."""
    return excess_rad(source.body.limits, source.motion.rotations)


@lru_cache(maxsize=32)
def _judged(skeleton: Skeleton) -> np.ndarray:
    """Joints with a humanoid role; every joint of what is no humanoid."""
    if not skeleton.is_humanoid:
        return np.ones(len(skeleton), dtype=bool)
    judged = np.zeros(len(skeleton), dtype=bool)
    judged[list(skeleton.humanoid.values())] = True
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
