"""Bringing a motion inside joint limits without a kink: joints keep away from a limit before and after they meet it."""

from __future__ import annotations

import numpy as np

from understudy.core.editing import raised
from understudy.core.limits import JointLimits, LimitKind
from understudy.typing import FloatArray

#: [s] a joint that would leave its limits is held back this long before and after.
_EASED_S = 0.15
#: Margin that keeps values on a limit inside it despite rounding.
_INSIDE = 1.0 + 1e-9


def within_limits(limits: JointLimits, rotations: FloatArray, *, fps: float) -> FloatArray:
    """Local rotations ``(frames, joints, 4)`` that lie within their limits in every frame.

    Each coordinate of a joint is drawn towards the middle of its range by one factor over time: no larger than what
    the limit asks for, and as smooth as the motion. Joints that stay within their limits are left as they are.

    Args:
        limits: The body's.
        rotations: ``(frames, joints, 4)`` local rotations.
        fps: Frames per second.
    """
    beyond = np.flatnonzero(limits.excess(rotations).max(axis=0) > 0.0)
    if not len(beyond):
        return rotations
    at = limits.coordinates(rotations)
    middle = 0.5 * (limits.low + limits.high)
    for joint in beyond:
        # A twist of half a turn to one side goes on beyond it; it does not begin anew from the other side.
        twist = np.unwrap(at[:, joint, 2])
        at[:, joint, 2] = twist - 2.0 * np.pi * np.round((np.median(twist) - middle[joint, 2]) / (2.0 * np.pi))
        half = np.maximum(0.5 * (limits.high - limits.low)[joint], 1e-9)
        away = (at[:, joint] - middle[joint]) / half
        shares = np.abs(away)
        if limits.kinds[joint] == LimitKind.ELLIPSE:
            shares[:, :2] = np.linalg.norm(away[:, :2], axis=1, keepdims=True)
        for axis in np.flatnonzero(shares.max(axis=0) > 1.0):
            cover = raised(np.maximum(_INSIDE * shares[:, axis], 1.0), round(_EASED_S * fps))
            at[:, joint, axis] = middle[joint, axis] + (half * away)[:, axis] / cover
    found = rotations.copy()
    found[:, beyond] = limits.rotations(at)[:, beyond]
    return found
