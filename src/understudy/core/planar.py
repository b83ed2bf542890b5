"""Rigid transforms of the floor plane: where a motion is put down and which way it faces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.typing import FloatArray


@dataclass(frozen=True, kw_only=True)
class PlanarTransform:
    """Turn about +Y by ``yaw_rad``, then move by ``(x_m, 0, z_m)``.

    Yaw 0 leaves +Z where it is; a quarter turn takes +Z to +X.
    """

    x_m: float = 0.0
    z_m: float = 0.0
    yaw_rad: float = 0.0

    def __matmul__(self, other: PlanarTransform) -> PlanarTransform:
        """The transform that applies ``other`` first, then this one."""
        x, z = self.floor_points(np.array([other.x_m, other.z_m]))
        return PlanarTransform(x_m=float(x), z_m=float(z), yaw_rad=self.yaw_rad + other.yaw_rad)

    def inverse(self) -> PlanarTransform:
        """The transform that undoes this one."""
        back = PlanarTransform(yaw_rad=-self.yaw_rad)
        x, z = back.floor_points(np.array([-self.x_m, -self.z_m]))
        return PlanarTransform(x_m=float(x), z_m=float(z), yaw_rad=-self.yaw_rad)

    def floor_points(self, points: FloatArray) -> FloatArray:
        """Transform floor points ``(..., 2)`` given as (x, z) [m]."""
        c, s = np.cos(self.yaw_rad), np.sin(self.yaw_rad)
        x, z = points[..., 0], points[..., 1]
        return np.stack([c * x + s * z + self.x_m, -s * x + c * z + self.z_m], axis=-1)

    def points(self, points: FloatArray) -> FloatArray:
        """Transform points ``(..., 3)`` [m]; heights stay."""
        moved = np.array(points, dtype=np.float64)
        moved[..., [0, 2]] = self.floor_points(moved[..., [0, 2]])
        return moved

    def rotations(self, rotations: FloatArray) -> FloatArray:
        """Turn world rotations ``(..., 4)``."""
        return rot.multiply(rot.from_yaw(self.yaw_rad), rotations)


def aligning(
    *, from_position: FloatArray, from_rotation: FloatArray, to_position: FloatArray, to_rotation: FloatArray
) -> PlanarTransform:
    """The planar transform that best takes one world frame onto another.

    Positions match exactly on the floor; of the rotation between the frames only the turn about +Y is kept.
    """
    yaw = float(rot.yaw(rot.multiply(to_rotation, rot.conjugate(from_rotation))))
    turned = PlanarTransform(yaw_rad=yaw).points(from_position)
    return PlanarTransform(x_m=float(to_position[0] - turned[0]), z_m=float(to_position[2] - turned[2]), yaw_rad=yaw)
