"""Swing and twist: a turn about a limb's own axis, followed by the turn that moves that axis.

``q = swing * twist``: the twist turns about ``twist_axis``, the swing about an axis perpendicular to it. In
the coordinates ``[swing1, swing2, twist]`` [rad] of [Limbs], joint limits are an ellipse and an
interval, both convex.

Singularity: at a swing of exactly pi the limb points backwards along its axis and the twist is undefined (as
longitude is at a pole). The functions then return a twist of 0. Near it, small motions make large changes of
twist; put limits well inside a swing of pi.
"""

import numpy as np
import numpy.typing as npt

from understudy.errors import OptionError
from understudy.rotations._arrays import as_quaternions, as_vectors, cross, dot, norm, unit
from understudy.rotations.directions import from_axis_angle
from understudy.rotations.exponential import exp
from understudy.rotations.quaternions import conjugate, multiply, normalize
from understudy.typing import FloatArray

# cos(swing / 2) below which the twist is rounding noise.
_SINGULAR_COSINE = 1e-12


def swing_twist(q: npt.ArrayLike, axis: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Split rotations into ``q = swing * twist``.

    Args:
        q: Unit rotations ``(..., 4)``.
        axis: Twist axis ``(..., 3)`` in the local (child) frame; any length but zero.

    Returns:
        Swings ``(..., 4)`` with ``w >= 0``, and twists ``(..., 4)`` whose sign follows the sign of ``q``.

    Raises:
        OptionError: If an axis is zero.
    """
    values = as_quaternions(q)
    direction = _direction(axis, "twist axis")
    along = dot(values[..., 1:], direction)
    twist = np.empty((*along.shape, 4))
    twist[..., 0] = values[..., 0]
    twist[..., 1:] = along[..., None] * direction
    twist = normalize(np.where((norm(twist) < _SINGULAR_COSINE)[..., None], 0.0, twist))
    return multiply(values, conjugate(twist)), twist


def swing_twist_coordinates(q: npt.ArrayLike, twist_axis: npt.ArrayLike, swing_axis: npt.ArrayLike) -> FloatArray:
    """Return swing-twist coordinates ``[swing1, swing2, twist]`` [rad].

    The swing's rotation vector is ``swing1 * swing_axis + swing2 * (twist_axis x swing_axis)``.

    Args:
        q: Unit rotations ``(..., 4)``; signs do not matter.
        twist_axis: The limb's own axis ``(..., 3)`` in its local frame.
        swing_axis: Direction ``(..., 3)`` of the first swing coordinate; only its part perpendicular to
            ``twist_axis`` counts.

    Returns:
        Coordinates ``(..., 3)``: swing length at most pi, twist in ``[-pi, pi]`` (at exactly pi, of either
        sign).

    Raises:
        OptionError: If an axis is zero or the two are parallel.
    """
    values = as_quaternions(q)
    along, first, second = _frame(twist_axis, swing_axis)
    w, v = values[..., 0], values[..., 1:]
    p, c, d = dot(v, along), dot(v, first), dot(v, second)
    cosine = np.hypot(w, p)
    singular = cosine < _SINGULAR_COSINE
    safe = np.where(singular, 1.0, cosine)
    tw, tp = np.where(singular, 1.0, w / safe), np.where(singular, 0.0, p / safe)
    # The vector part of q conj(twist), written on (first, second); its third component is zero.
    s1, s2 = tw * c - tp * d, tw * d + tp * c
    sine = np.hypot(s1, s2)
    scale = np.divide(2.0 * np.arctan2(sine, cosine), sine, out=np.full_like(sine, 2.0), where=sine != 0.0)
    twist = 2.0 * np.arctan2(np.where(tw < 0.0, -tp, tp), np.abs(tw))
    return np.stack((scale * s1, scale * s2, twist), axis=-1)


def from_swing_twist_coordinates(
    coords: npt.ArrayLike, twist_axis: npt.ArrayLike, swing_axis: npt.ArrayLike
) -> FloatArray:
    """Return the rotations ``(..., 4)`` of coordinates ``[swing1, swing2, twist]`` ``(..., 3)`` [rad].

    The inverse of :func:`swing_twist_coordinates` for swings shorter than pi and twists within ``(-pi, pi)``;
    other values are accepted and give a rotation that has other coordinates too.

    Raises:
        OptionError: If an axis is zero or the two are parallel.
    """
    values = as_vectors(coords, "swing-twist coordinates")
    along, first, second = _frame(twist_axis, swing_axis)
    swing = exp(values[..., 0:1] * first + values[..., 1:2] * second)
    return multiply(swing, from_axis_angle(along, values[..., 2]))


def _frame(twist_axis: npt.ArrayLike, swing_axis: npt.ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the right-handed orthonormal frame (twist, first swing, second swing)."""
    along = _direction(twist_axis, "twist axis")
    swing = _direction(swing_axis, "swing axis")
    across = swing - dot(swing, along)[..., None] * along
    if np.any(norm(across) < 1e-6):
        raise OptionError("swing axis is parallel to the twist axis; choose one perpendicular to it")
    first = unit(across)
    return along, first, cross(along, first)


def _direction(axis: npt.ArrayLike, name: str) -> FloatArray:
    direction = as_vectors(axis, name)
    if np.any(norm(direction) == 0.0):
        raise OptionError(f"{name} is zero; it must be a direction")
    return unit(direction)
