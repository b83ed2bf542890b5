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
    planned: BoolArray | None = None,
    changed: Changed | None = None,
    allowed_rad: FloatArray | None = None,
) -> LimitExcess:
    """Measure a motion against its body's limits.

    Args:
        motion: What is judged.
        body: Whose limits.
        sources: Clips it was made from; what a joint exceeds there is forgiven.
        planned: ``(frames, joints)`` when joints were planned, for which nothing is forgiven then; ``None`` for never.
        changed: What differs from the only source; the rest is known from it.
        allowed_rad: ``(joints,)`` what is forgiven beside that, where it is known without the clips [rad].
    """
    judged = _judged(motion.skeleton)
    most = _most(motion, body, sources, changed)
    forgiven = np.maximum(forgiven_rad(motion, body, sources), 0.0 if allowed_rad is None else allowed_rad)
    strict = planned is not None and bool((planned.any(axis=0) & judged & (most > 0.0) & (forgiven > 0.0)).any())
    worst = max(float(np.where(judged, most - forgiven, 0.0).max()), 0.0)
    frame, joint = 0, -1
    if worst > 0.0 or strict:
        # The first frame in which any joint is that far beyond.
        own = forgiven if planned is None else np.where(planned, 0.0, forgiven)
        beyond = np.where(judged, _excess(motion, body, sources, changed) - own, 0.0)
        frame, joint = (int(place) for place in np.unravel_index(int(beyond.argmax()), beyond.shape))
        worst = max(float(beyond[frame, joint]), 0.0)
    return LimitExcess(
        max_excess_rad=worst,
        joint=motion.skeleton.names[joint] if worst > 0 else "",
        time_s=float(frame / motion.fps),
        source_excess_rad=float(np.where(judged, np.minimum(most, forgiven), 0.0).max()),
        helpers_excess_rad=float(np.where(judged, 0.0, most).max()),
    )


def forgiven_rad(motion: Motion, body: Body, sources: Sequence[Motion]) -> FloatArray:
    """``(joints,)`` how far source clips are beyond the limits of each joint [rad]."""
    forgiven = np.zeros(len(motion.skeleton))
    for source in sources:
        if source.skeleton.same_joints(motion.skeleton):
            forgiven = np.maximum(forgiven, fact(Performer(name="", motion=source, body=body), "limits", _most_excess))
    return forgiven


def _excess(motion: Motion, body: Body, sources: Sequence[Motion], changed: Changed | None) -> FloatArray:
    """``(frames, joints)`` excess of a motion [rad]; what is the same as in its only source is known from that."""
    if changed is None:
        return excess_rad(body.limits, motion.rotations)
    known = fact(Performer(name="", motion=sources[0], body=body), "own limits", _all_excess)
    if not changed:
        return known
    first, stop = changed.span(len(motion), more=0)
    fresh, excess = np.flatnonzero(changed.joints).tolist(), known.copy()
    excess[first:stop, fresh] = excess_rad(body.limits, motion.rotations[first:stop], fresh)
    return excess


def _most(motion: Motion, body: Body, sources: Sequence[Motion], changed: Changed | None) -> FloatArray:
    """``(joints,)`` the largest excess of every joint [rad], without what is known from a source."""
    if changed is None:
        return np.asarray(excess_rad(body.limits, motion.rotations).max(axis=0))
    source = Performer(name="", motion=sources[0], body=body)
    most = fact(source, "limits", _most_excess).copy()
    if changed:
        known, (first, stop) = fact(source, "own limits", _all_excess), changed.span(len(motion), more=0)
        fresh = np.flatnonzero(changed.joints)
        parts = (
            known[:first, fresh],
            excess_rad(body.limits, motion.rotations[first:stop], fresh),
            known[stop:, fresh],
        )
        most[fresh] = np.concatenate(parts).max(axis=0)
    return most


def _all_excess(source: Performer) -> FloatArray:
    """``(frames, joints)`` excess of every joint of a clip [rad]."""
    return excess_rad(source.body.limits, source.motion.rotations)


def _most_excess(source: Performer) -> FloatArray:
    """``(joints,)`` largest excess of every joint over a clip [rad]."""
    return np.asarray(_all_excess(source).max(axis=0))


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
