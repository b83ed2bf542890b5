"""Many planar transforms at once: rows ``(x, z, yaw)``, as :class:`understudy.core.PlanarTransform` has them.

Floor points are complex numbers ``z + i x`` here, so that a turn about +Y by ``yaw`` is a multiplication by
``exp(i yaw)``.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from understudy.core.planar import PlanarTransform
from understudy.typing import FloatArray

ComplexArray = npt.NDArray[np.complex128]


def floor_points(points: FloatArray) -> ComplexArray:
    """World points ``(..., 3)`` [m] as ``z + i x``."""
    return np.asarray(points[..., 2] + 1j * points[..., 0])


def shifts(transforms: FloatArray) -> ComplexArray:
    """The translations of transforms ``(..., 3)`` as ``z + i x``."""
    return np.asarray(transforms[..., 1] + 1j * transforms[..., 0])


def turns(transforms: FloatArray) -> ComplexArray:
    """The rotations of transforms ``(..., 3)`` as unit complex numbers."""
    return np.exp(1j * transforms[..., 2])


def packed(shift: npt.ArrayLike, yaw_rad: npt.ArrayLike) -> FloatArray:
    """Rows ``(..., 3)`` of translation ``z + i x`` and yaw in (-pi, pi]."""
    moved, yaw = np.broadcast_arrays(np.asarray(shift, dtype=np.complex128), np.asarray(yaw_rad, dtype=np.float64))
    wrapped = np.angle(np.exp(1j * yaw))
    return np.stack([moved.imag, moved.real, wrapped], axis=-1)


def composed(first: FloatArray, second: FloatArray) -> FloatArray:
    """``first @ second``: apply ``second``, then ``first``."""
    return packed(shifts(first) + turns(first) * shifts(second), first[..., 2] + second[..., 2])


def inverted(transforms: FloatArray) -> FloatArray:
    """The transforms that undo these."""
    return packed(-shifts(transforms) / turns(transforms), -transforms[..., 2])


def about(pivots: npt.ArrayLike, yaw_rad: npt.ArrayLike) -> FloatArray:
    """Turns by ``yaw_rad`` about floor points ``z + i x``."""
    centre, yaw = np.asarray(pivots, dtype=np.complex128), np.asarray(yaw_rad, dtype=np.float64)
    return packed(centre - np.exp(1j * yaw) * centre, yaw)


def row(transform: PlanarTransform) -> FloatArray:
    """One transform as a row."""
    return np.array([transform.x_m, transform.z_m, transform.yaw_rad])


def transform(values: FloatArray) -> PlanarTransform:
    """One row as a transform."""
    return PlanarTransform(x_m=float(values[0]), z_m=float(values[1]), yaw_rad=float(values[2]))
