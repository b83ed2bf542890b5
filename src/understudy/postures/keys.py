"""Recorded key postures: people go beyond the limits of their joints. The limits of a plan hold what was recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from understudy.core.body import Body
from understudy.core.limits import JointLimits, LimitKind
from understudy.core.pose import Pose
from understudy.typing import FloatArray

#: [rad] beyond a recorded turn, so that rounding does not clamp it.
_ROUNDING_RAD = 1e-9


def raised(pose: Pose, up_m: float) -> Pose:
    """A posture at another height."""
    return replace(pose, root_position=pose.root_position + np.array([0.0, up_m, 0.0]))


def widened(body: Body, poses: Sequence[Pose]) -> Body:
    """The body with limits that hold its recorded postures."""
    recorded = [pose.rotations for pose in poses if pose.evidence]
    return replace(body, limits=holding(body.limits, np.stack(recorded))) if recorded else body


def holding(limits: JointLimits, rotations: FloatArray) -> JointLimits:
    """Limits that hold recorded local rotations ``(n, joints, 4)``, too."""
    at = limits.coordinates(rotations)
    low, high = np.minimum(limits.low, at.min(axis=0)), np.maximum(limits.high, at.max(axis=0))
    centre, radius = 0.5 * (limits.low + limits.high)[:, :2], 0.5 * (limits.high - limits.low)[:, :2]
    share = np.linalg.norm((at[..., :2] - centre) / np.maximum(radius, 1e-9), axis=-1).max(axis=0)
    wide = radius * np.maximum(share, 1.0)[:, None]
    ellipse = (limits.kinds == LimitKind.ELLIPSE)[:, None]
    low[:, :2] = np.where(ellipse, centre - wide, low[:, :2])
    high[:, :2] = np.where(ellipse, centre + wide, high[:, :2])
    return replace(limits, low=low - _ROUNDING_RAD, high=high + _ROUNDING_RAD)
