"""Rotation matrices from and to quaternions."""

import numpy as np
import numpy.typing as npt

from understudy.errors import OptionError
from understudy.rotations._arrays import as_quaternions, cross, dot
from understudy.rotations.quaternions import normalize
from understudy.typing import FloatArray


def to_matrix(q: npt.ArrayLike) -> FloatArray:
    """Return the matrices ``(..., 3, 3)`` of unit ``q`` ``(..., 4)``; they multiply column vectors."""
    values = as_quaternions(q)
    w, x, y, z = (values[..., i] for i in range(4))
    m = np.empty((*values.shape[:-1], 3, 3))
    m[..., 0, 0] = 1.0 - 2.0 * (y * y + z * z)
    m[..., 0, 1] = 2.0 * (x * y - w * z)
    m[..., 0, 2] = 2.0 * (x * z + w * y)
    m[..., 1, 0] = 2.0 * (x * y + w * z)
    m[..., 1, 1] = 1.0 - 2.0 * (x * x + z * z)
    m[..., 1, 2] = 2.0 * (y * z - w * x)
    m[..., 2, 0] = 2.0 * (x * z - w * y)
    m[..., 2, 1] = 2.0 * (y * z + w * x)
    m[..., 2, 2] = 1.0 - 2.0 * (x * x + y * y)
    return m


def from_matrix(m: npt.ArrayLike) -> FloatArray:
    """Return the quaternions of rotation matrices.

    Args:
        m: Matrices ``(..., 3, 3)``, orthonormal up to rounding; scale and shear are not removed.

    Returns:
        Unit rotations ``(..., 4)`` with ``w >= 0``.

    Raises:
        OptionError: If the shape is wrong, or a matrix mirrors or flattens (determinant not positive).
    """
    matrix = np.asarray(m, dtype=np.float64)
    if matrix.shape[-2:] != (3, 3):
        raise OptionError(f"rotation matrix has shape {matrix.shape}; the last two axes must be (3, 3)")
    determinant = dot(cross(matrix[..., 0, :], matrix[..., 1, :]), matrix[..., 2, :])
    if np.any(determinant <= 0.0):
        raise OptionError(f"not a rotation matrix: determinant {np.min(determinant):.6g}, expected 1")
    products = _component_products(matrix)
    # Any row of 4 q q^T is q times one component; the row of the largest component divides without loss.
    largest = np.argmax(np.diagonal(products, axis1=-2, axis2=-1), axis=-1)
    row = np.take_along_axis(products, largest[..., None, None], axis=-2)[..., 0, :]
    return normalize(np.where(row[..., :1] < 0.0, -row, row))


def _component_products(m: FloatArray) -> FloatArray:
    """Return ``4 q q^T`` ``(..., 4, 4)``, which is linear in the entries of ``m``."""
    p = np.empty((*m.shape[:-2], 4, 4))
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    p[..., 0, 0] = 1.0 + xx + yy + zz
    p[..., 1, 1] = 1.0 + xx - yy - zz
    p[..., 2, 2] = 1.0 - xx + yy - zz
    p[..., 3, 3] = 1.0 - xx - yy + zz
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        p[..., 0, i + 1] = p[..., i + 1, 0] = m[..., k, j] - m[..., j, k]
        p[..., j + 1, k + 1] = p[..., k + 1, j + 1] = m[..., k, j] + m[..., j, k]
    return p
