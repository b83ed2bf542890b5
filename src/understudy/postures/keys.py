"""Recorded key postures: people overlap themselves in recordings and go beyond the limits of their joints.

The limits of a plan hold what was recorded. An arm that overlaps in a recorded posture leaves as it did in the
recording; what still overlaps then is moved apart over what bears the body.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.limits import LimitKind
from understudy.core.motion import Motion
from understudy.core.pose import Pose
from understudy.postures.stage import Stage
from understudy.typing import BoolArray, FloatArray

#: [rad] beyond a recorded turn, so that rounding does not clamp it.
_ROUNDING_RAD = 1e-9
#: [s] between two postures of a recorded way.
_EVERY_S = 1.0 / 12.0
#: [m], [rad] how much a recorded way is bent so that what bears the body stays in its place.
_PULLED = 0.15
#: [m] how much deeper than in the recording parts may overlap on such a way.
_DEEPER_M = 0.004


def raised(pose: Pose, up_m: float) -> Pose:
    """A posture at another height."""
    return replace(pose, root_position=pose.root_position + np.array([0.0, up_m, 0.0]))


def widened(body: Body, poses: Sequence[Pose]) -> Body:
    """The body with limits that hold its recorded postures."""
    recorded = [pose.rotations for pose in poses if pose.evidence]
    if not recorded:
        return body
    limits = body.limits
    at = limits.coordinates(np.stack(recorded))
    low, high = np.minimum(limits.low, at.min(axis=0)), np.maximum(limits.high, at.max(axis=0))
    centre, radius = 0.5 * (limits.low + limits.high)[:, :2], 0.5 * (limits.high - limits.low)[:, :2]
    share = np.linalg.norm((at[..., :2] - centre) / np.maximum(radius, 1e-9), axis=-1).max(axis=0)
    wide = radius * np.maximum(share, 1.0)[:, None]
    ellipse = (limits.kinds == LimitKind.ELLIPSE)[:, None]
    low[:, :2] = np.where(ellipse, centre - wide, low[:, :2])
    high[:, :2] = np.where(ellipse, centre + wide, high[:, :2])
    return replace(body, limits=replace(limits, low=low - _ROUNDING_RAD, high=high + _ROUNDING_RAD))


def way_out(stage: Stage, pose: Pose, gap_m: float) -> tuple[float, list[Pose]]:
    """Postures from a recorded one to one in which no two parts touch, as its recording moves.

    Everything above the pelvis moves as recorded; where a leg is touched, the whole body does, over its pins.

    Args:
        stage: Whose coordinates, gaps and pins.
        pose: The posture; it brings its recording.
        gap_m: Gap from which on nothing touches [m].

    Returns:
        The least gap of the last posture [m], ``gap_m`` at most, and the posture itself with those after it, up to the
        one that is free or touches least.
    """
    clip = next((one for one in pose.evidence if one.skeleton.same_joints(pose.skeleton)), None)
    skeleton, gaps = pose.skeleton, _self_gaps(stage, pose)
    here = (float(gaps.min()), [pose])
    if clip is None:
        return here
    upper = [joint for limb in ("torso", "left_arm", "right_arm") for joint in skeleton.limb(limb) if joint > 0]
    legs = _pairs_of(stage, pose, ("left_leg", "right_leg"))
    tries = [upper, list(range(len(skeleton)))] if (gaps[legs] < 0.0).any() else [upper]
    first = int(np.linalg.norm(rot.angle_between(clip.rotations, pose.rotations), axis=1).argmin())
    ways = [_followed(stage, pose, clip, joints, first, step, gap_m) for joints in tries for step in (1, -1)]
    return max(here, *ways, key=lambda way: (way[0], -len(way[1])))


def _followed(
    stage: Stage, pose: Pose, clip: Motion, joints: list[int], first: int, step: int, gap_m: float
) -> tuple[float, list[Pose]]:
    """Postures after one whose joints go on as a clip's, up to the first that is free or touches least, and its gap.

    It ends where parts that bear the body would be pulled off their places, or overlap deeper than in the clip.
    """
    way = [pose]
    best, count, every = -np.inf, 0, range(len(pose.skeleton))
    stride = step * max(round(_EVERY_S * clip.fps), 1)
    for frame in range(first + stride, len(clip) if step > 0 else -1, stride):
        wanted = stage.space.coordinates(_copied(pose, clip, joints, first, frame))
        q, _ = stage.held(wanted)
        gaps = stage.gaps(q)[: len(stage.space.arrays.pairs)]
        deeper = gaps < np.minimum(_self_gaps(stage, _copied(pose, clip, every, first, frame)), 0.0) - _DEEPER_M
        if deeper.any() or np.abs(q - wanted).max() > _PULLED:
            break
        way.append(stage.space.pose(q))
        gap = min(float(gaps.min()), gap_m)
        if gap > best:
            best, count = gap, len(way)
        if best >= gap_m:
            break
    return best, way[:count]


def _copied(pose: Pose, clip: Motion, joints: Sequence[int], first: int, frame: int) -> Pose:
    """The posture with joints as a frame of a clip has them; a root among them moves as it does from the first one."""
    rotations = pose.rotations.copy()
    rotations[list(joints)] = clip.rotations[frame, list(joints)]
    moved = clip.root_positions[frame] - clip.root_positions[first] if 0 in joints else np.zeros(3)
    return replace(pose, root_position=pose.root_position + moved, rotations=rotations)


def _self_gaps(stage: Stage, pose: Pose) -> FloatArray:
    return stage.gaps(stage.space.coordinates(pose))[: len(stage.space.arrays.pairs)]


def _pairs_of(stage: Stage, pose: Pose, limbs: Sequence[str]) -> BoolArray:
    """``(pairs,)`` which pairs of parts some limbs carry one of."""
    joints = [joint for limb in limbs for joint in pose.skeleton.limb(limb)]
    carriers = stage.space.arrays.carriers[stage.space.arrays.pairs[:, :2]]
    return np.asarray(np.isin(carriers, joints).any(axis=1))
