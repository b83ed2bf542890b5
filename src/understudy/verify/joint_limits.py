"""Joint limits: how far joints turn beyond what their body allows.

The limits are the body's (``core.limits`` says what their arrays mean); the angles are worked out anew here, from
rotation matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce

import numpy as np

from understudy.core import Body, Motion, Skeleton
from understudy.core.human_limits import LINKED
from understudy.core.limits import JointLimits, Limit, LimitKind
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


def excess_rad(limits: JointLimits, rotations: FloatArray) -> FloatArray:
    """``(frames, joints)`` how far each joint is outside its limit [rad]; 0 inside and for free joints.

    For ellipses this is the distance to the boundary along the ray from the ellipse's centre. The last one of several
    joints that are limited together answers for all of them.
    """
    from understudy.verify._measure_kernels import limit_excess

    links, count, turns = _links(limits.skeleton), rotations.shape[1], matrices(rotations)
    joined = [reduce(np.matmul, [turns[:, joint] for joint in chain])[:, None] for chain, _ in links]
    out = np.empty((len(rotations), count + len(links)))
    codes = (int(LimitKind.FREE), int(LimitKind.AXES))
    limit_excess(frozen(np.concatenate([turns, *joined], axis=1)), *_tables(limits), codes, out)
    for k, (chain, _) in enumerate(links):
        out[:, chain[-1]] = np.maximum(out[:, chain[-1]], out[:, count + k])
    return out[:, :count]


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
def _links(skeleton: Skeleton) -> tuple[tuple[list[int], Limit], ...]:
    """Joints that are limited together, from the first one to the last one, and how far they may turn."""
    found = []
    for (first, last), limit in LINKED.items() if skeleton.is_humanoid else ():
        roles = [role for role in (last, "chest", "spine") if role in skeleton.humanoid]
        chain = [skeleton.humanoid[roles[0]]] if first in skeleton.humanoid and roles else []
        while chain and chain[0] != skeleton.humanoid[first] and chain[0] > 0:
            chain.insert(0, int(skeleton.parents[chain[0]]))
        if len(chain) > 1:
            found.append((chain, limit))
    return tuple(found)


@lru_cache(maxsize=32)
def _tables(limits: JointLimits) -> tuple[tuple[FloatArray, FloatArray], IntArray, tuple[FloatArray, FloatArray]]:
    """Frames, kinds and bounds of joints, and behind them those of joints together.

    Frames are ``(joints, 3, 3)`` matrices before and after a joint's own: its turn away from the T-pose in its limits'
    axes, which are the swing's, the third and the twist's.
    """
    skeleton, links = limits.skeleton, _links(limits.skeleton)
    _, world = t_pose_world(skeleton) if skeleton.is_humanoid else skeleton.rest_world
    own = matrices(np.asarray(world))
    above = np.concatenate([np.eye(3)[None], own[skeleton.parents[1:]]])
    firsts, lasts = ([*range(len(skeleton)), *(chain[end] for chain, _ in links)] for end in (0, -1))

    def column(known: FloatArray | IntArray, name: str) -> FloatArray:
        return np.concatenate([known, *([getattr(one, name)] for _, one in links)])

    twists, swings = column(limits.twist_axes, "twist_axis"), column(limits.swing_axes, "swing_axis")
    frame = np.stack([swings, np.cross(twists, swings), twists], axis=-1)
    frames = frozen(np.swapaxes(frame, -1, -2) @ above[firsts]), frozen(np.swapaxes(own[lasts], -1, -2) @ frame)
    bounds = frozen(column(limits.low, "low_rad")), frozen(column(limits.high, "high_rad"))
    return frames, frozen(column(limits.kinds, "kind"), np.int64), bounds
