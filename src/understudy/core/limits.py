"""Joint limits: a swing ellipse with a twist interval, or one interval per axis.

Limits are stated in anatomical coordinates (``reference_pose``), so one table serves every humanoid rig. A joint has
a *twist axis* (mostly along its bone) and a *swing axis* (mostly its flexion axis); the third axis completes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

import numpy as np

from understudy import rotations as rot
from understudy.core.reference_pose import anatomical_rotations, local_rotations
from understudy.core.skeleton import Skeleton
from understudy.errors import SkeletonError
from understudy.typing import FloatArray, IntArray


class LimitKind(IntEnum):
    """How a joint's three coordinates are bounded."""

    FREE = 0
    #: Swing rotation vector inside an ellipse, twist inside an interval; ``q = swing twist``.
    ELLIPSE = 1
    #: Turns about swing, third and twist axis, in this order, each inside its own interval.
    AXES = 2


@dataclass(frozen=True, kw_only=True)
class Limit:
    """The limit of one joint.

    Attributes:
        kind: Ellipse or axes.
        twist_axis: Unit vector in anatomical axes.
        swing_axis: Unit vector perpendicular to it.
        low_rad: Lower bounds about swing, third and twist axis [rad].
        high_rad: Upper bounds [rad].
    """

    kind: LimitKind
    twist_axis: tuple[float, float, float]
    swing_axis: tuple[float, float, float]
    low_rad: tuple[float, float, float]
    high_rad: tuple[float, float, float]

    def __post_init__(self) -> None:
        """Axes are unit and perpendicular; every interval holds its own ends."""
        twist, swing = np.array(self.twist_axis), np.array(self.swing_axis)
        frame = np.array([twist @ twist, swing @ swing, twist @ swing])
        if not np.allclose(frame, [1.0, 1.0, 0.0], atol=1e-6):
            raise SkeletonError("a joint limit needs perpendicular unit axes")
        if not all(low <= high for low, high in zip(self.low_rad, self.high_rad, strict=True)):
            raise SkeletonError(f"joint limit intervals are reversed: {self.low_rad} to {self.high_rad}")

    def mirrored(self) -> Limit:
        """The same limit for the other side of the body."""
        return replace(self, twist_axis=_mirrored_axis(self.twist_axis), swing_axis=_mirrored_axis(self.swing_axis))


@dataclass(frozen=True, eq=False, kw_only=True)
class JointLimits:
    """Limits of every joint of a skeleton as arrays.

    Attributes:
        skeleton: Whose joints.
        kinds: ``(joints,)`` :class:`LimitKind` values.
        twist_axes: ``(joints, 3)``.
        swing_axes: ``(joints, 3)``.
        low: ``(joints, 3)`` [rad].
        high: ``(joints, 3)`` [rad].
    """

    skeleton: Skeleton
    kinds: IntArray
    twist_axes: FloatArray
    swing_axes: FloatArray
    low: FloatArray
    high: FloatArray

    @classmethod
    def of(cls, skeleton: Skeleton, limits: Mapping[int, Limit]) -> JointLimits:
        """Arrays from limits by joint index; joints not named are free."""
        count = len(skeleton)
        kinds = np.zeros(count, dtype=np.int64)
        twist, swing = np.tile([0.0, 1.0, 0.0], (count, 1)), np.tile([1.0, 0.0, 0.0], (count, 1))
        low, high = np.full((count, 3), -np.pi), np.full((count, 3), np.pi)
        for joint, limit in limits.items():
            kinds[joint] = limit.kind
            twist[joint], swing[joint] = limit.twist_axis, limit.swing_axis
            low[joint], high[joint] = limit.low_rad, limit.high_rad
        for array in (kinds, twist, swing, low, high):
            array.flags.writeable = False
        return cls(skeleton=skeleton, kinds=kinds, twist_axes=twist, swing_axes=swing, low=low, high=high)

    def coordinates(self, rotations: FloatArray) -> FloatArray:
        """``(..., joints, 3)`` turns about swing, third and twist axis [rad] of local rotations."""
        frame = self.frames
        turned = anatomical_rotations(self.skeleton, rotations)
        # In the limit's own frame the swing axis is X, the third is Y and the twist axis is Z.
        own = rot.multiply(rot.multiply(rot.conjugate(frame), turned), frame)
        axes = rot.to_euler(own, "XYZ")
        swing = rot.swing_twist_coordinates(own, np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]))
        return np.where((self.kinds == LimitKind.AXES)[:, None], axes, swing)

    def rotations(self, coordinates: FloatArray) -> FloatArray:
        """Local rotations ``(..., joints, 4)`` from coordinates; the inverse of :meth:`coordinates`."""
        frame = self.frames
        axes = rot.from_euler(coordinates, "XYZ")
        swing = rot.from_swing_twist_coordinates(coordinates, np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]))
        own = np.where((self.kinds == LimitKind.AXES)[:, None], axes, swing)
        return local_rotations(self.skeleton, rot.multiply(rot.multiply(frame, own), rot.conjugate(frame)))

    def excess(self, rotations: FloatArray) -> FloatArray:
        """``(..., joints)`` how far outside its limit each joint is [rad]; 0 inside and for free joints.

        For ellipses this is the distance to the boundary along the ray through the ellipse's centre.
        """
        return self._excess(self.coordinates(rotations))

    def _excess(self, at: FloatArray) -> FloatArray:
        beyond = np.maximum(np.maximum(self.low - at, at - self.high), 0.0)
        share, reach = self._ellipse_share(at)
        swing = np.where(share > 1.0, reach * (1.0 - 1.0 / np.maximum(share, 1.0)), 0.0)
        ellipse = np.maximum(swing, beyond[..., 2])
        result = np.where(self.kinds == LimitKind.ELLIPSE, ellipse, beyond.max(axis=-1))
        return np.where(self.kinds == LimitKind.FREE, 0.0, result)

    def clamped(self, rotations: FloatArray) -> FloatArray:
        """The nearest-by-coordinate rotations ``(..., joints, 4)`` inside the limits; free joints untouched."""
        at = self.coordinates(rotations)
        inside = np.clip(at, self.low, self.high)
        share, _ = self._ellipse_share(at)
        centre = 0.5 * (self.low + self.high)[:, :2]
        pulled = centre + (at[..., :2] - centre) / np.maximum(share, 1.0)[..., None]
        inside[..., :2] = np.where((self.kinds == LimitKind.ELLIPSE)[:, None], pulled, inside[..., :2])
        broken = self._excess(at) > 0.0
        return np.where(broken[..., None], self.rotations(inside), rotations) if broken.any() else rotations.copy()

    def _ellipse_share(self, at: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Radius over the ellipse's in the same direction, and the radius itself [rad]."""
        centre = 0.5 * (self.low + self.high)[:, :2]
        radius = np.maximum(0.5 * (self.high - self.low)[:, :2], 1e-9)
        offset = at[..., :2] - centre
        return np.linalg.norm(offset / radius, axis=-1), np.linalg.norm(offset, axis=-1)

    @cached_property
    def frames(self) -> FloatArray:
        """Rotations ``(joints, 4)`` of the limits' own frames: swing axis X, twist axis Z."""
        third = np.cross(self.twist_axes, self.swing_axes)
        return rot.from_matrix(np.stack([self.swing_axes, third, self.twist_axes], axis=-1))


def _mirrored_axis(axis: tuple[float, float, float]) -> tuple[float, float, float]:
    # Rotation axes are pseudo-vectors: a mirror in x keeps their x and flips the rest.
    return (axis[0], -axis[1], -axis[2])
