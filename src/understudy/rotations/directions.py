"""Rotations from and to directions: axis and angle, arcs between vectors, heading about the vertical."""

import numpy as np
import numpy.typing as npt

from understudy.rotations._arrays import as_quaternions, as_vectors, cross, dot, norm, unit
from understudy.rotations.quaternions import multiply, normalize
from understudy.typing import FloatArray

# Below this sine the plane spanned by two opposite directions is rounding noise.
_OPPOSITE_SINE = 1e-12


def from_axis_angle(axis: npt.ArrayLike, angle_rad: npt.ArrayLike) -> FloatArray:
    """Return rotations by ``angle_rad`` about ``axis``.

    Args:
        axis: Directions ``(..., 3)`` of any length; a zero axis gives the identity.
        angle_rad: Angles [rad] that broadcast with the leading axes.

    Returns:
        Rotations ``(..., 4)``.
    """
    directions = unit(as_vectors(axis, "axis"))
    half = 0.5 * np.asarray(angle_rad, dtype=np.float64)
    out = np.empty((*np.broadcast_shapes(directions.shape[:-1], half.shape), 4))
    out[..., 0] = np.where(dot(directions, directions) == 0.0, 1.0, np.cos(half))
    out[..., 1:] = np.sin(half)[..., None] * directions
    return out


def shortest_arc(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """Return the smallest rotation that takes direction ``a`` to direction ``b``.

    Opposite directions turn by pi about some axis perpendicular to ``a`` (always the same one for the same
    ``a``). A zero vector gives the identity.

    Args:
        a: Directions ``(..., 3)`` of any length.
        b: Directions ``(..., 3)`` of any length.

    Returns:
        Rotations ``(..., 4)`` with ``w >= 0``.
    """
    start, end = np.broadcast_arrays(unit(as_vectors(a)), unit(as_vectors(b)))
    obtuse = (dot(start, end) < 0.0)[..., None]
    # a + b cancels for wide arcs. Those are built as half a turn about the arc's own axis, a -> -a,
    # followed by the narrow arc -a -> b, which maps a to b to full precision at every angle.
    narrow = _narrow_arc(np.where(obtuse, -start, start), end)
    half_turn = np.zeros_like(narrow)
    half_turn[..., 1:] = _arc_axis(start, end)
    q = np.where(obtuse, multiply(narrow, half_turn), narrow)
    # An axis chosen freely can put w a rounding error below zero.
    return np.asarray(np.where(q[..., :1] < 0.0, -q, q))


def _narrow_arc(a: FloatArray, b: FloatArray) -> FloatArray:
    """Rotation between unit directions at most pi / 2 apart, through their bisector."""
    bisector = unit(a + b)
    q = np.empty((*a.shape[:-1], 4))
    q[..., 0] = dot(a, bisector)
    q[..., 1:] = cross(a, bisector)
    # Normalising also turns the zero quaternion of a zero vector into the identity.
    is_zero = (dot(a, a) * dot(b, b))[..., None] == 0.0
    return normalize(np.where(is_zero, 0.0, q))


def _arc_axis(a: FloatArray, b: FloatArray) -> FloatArray:
    """Unit axis of the arc from unit ``a`` to unit ``b``, exactly perpendicular to ``a``."""
    axis = cross(a, b)
    least = np.argmin(np.abs(a), axis=-1)
    any_perpendicular = cross(a, np.eye(3)[least])
    axis = unit(np.where((norm(axis) > _OPPOSITE_SINE)[..., None], axis, any_perpendicular))
    return unit(axis - dot(axis, a)[..., None] * a)


def yaw(q: npt.ArrayLike) -> FloatArray:
    """Return the heading [rad]: the twist of ``q`` about +Y, in ``[-pi, pi]``.

    0 faces +Z, ``pi / 2`` faces +X. Where the twist is undefined (turned by pi about a horizontal axis) it is
    0.
    """
    values = as_quaternions(q)
    w, y = values[..., 0], values[..., 2]
    return np.asarray(2.0 * np.arctan2(np.where(w < 0.0, -y, y), np.abs(w)))


def from_yaw(angle: npt.ArrayLike) -> FloatArray:
    """Return rotations ``(..., 4)`` about +Y by ``angle`` [rad]."""
    half = 0.5 * np.asarray(angle, dtype=np.float64)
    q = np.zeros((*half.shape, 4))
    q[..., 0] = np.cos(half)
    q[..., 2] = np.sin(half)
    return q
