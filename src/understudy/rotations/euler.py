"""Intrinsic Euler angles in any of the 12 orders.

Order ``"ZYX"`` means ``R = Rz(a0) Ry(a1) Rx(a2)``: the letters read like the matrix product and like the
channels of a BVH joint. Orders with three different letters lock at a middle angle of ``+-pi / 2``, those
with equal outer letters at 0 and pi; there only one combination of the outer angles is defined.
"""

from functools import reduce

import numpy as np
import numpy.typing as npt

from understudy.errors import OptionError
from understudy.rotations._arrays import as_quaternions, as_vectors
from understudy.rotations.quaternions import identity, multiply
from understudy.typing import FloatArray

ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "XYX", "XZX", "YXY", "YZY", "ZXZ", "ZYZ")

# [rad, about] nearer to gimbal lock than this, the outer angles carry no information to keep.
_LOCK_IN_QUATERNION = 1e-12
_LOCK_IN_ANGLES = 1e-9


def from_euler(angles_rad: npt.ArrayLike, order: str) -> FloatArray:
    """Return rotations from intrinsic Euler angles.

    Args:
        angles_rad: Angles ``(..., 3)`` [rad], in the sequence of the letters of ``order``.
        order: One of :data:`ORDERS`, such as ``"ZYX"``.

    Returns:
        Rotations ``(..., 4)``.

    Raises:
        OptionError: If ``order`` is not one of the 12.
    """
    _axes(order)
    return from_turns(as_vectors(angles_rad, "Euler angles"), order)


def from_turns(angles_rad: FloatArray, axes: str) -> FloatArray:
    """Return products of turns about any number of axes.

    Args:
        angles_rad: Angles ``(..., len(axes))`` [rad].
        axes: Letters of axes; they read like the matrix product.

    Returns:
        Rotations ``(..., 4)``.
    """
    half = 0.5 * angles_rad
    factors = np.zeros((len(axes), *half.shape[:-1], 4))
    for i, letter in enumerate(axes):
        factors[i, ..., 0] = np.cos(half[..., i])
        factors[i, ..., 1 + "XYZ".index(letter)] = np.sin(half[..., i])
    return reduce(multiply, factors) if axes else identity(half.shape[:-1])


def to_euler(q: npt.ArrayLike, order: str) -> FloatArray:
    """Return intrinsic Euler angles that reproduce unit ``q``, also in gimbal lock.

    Method: Bernardes and Viollet 2022, "Quaternion to Euler angles conversion: a direct, general and
    computationally efficient method". The four components split into two pairs whose phases are half the sum
    and half the difference of the outer angles. In lock one pair vanishes and the last angle is set to 0.

    Args:
        q: Rotations ``(..., 4)``.
        order: One of :data:`ORDERS`.

    Returns:
        Angles ``(..., 3)`` [rad] in the sequence of the letters: outer ones in ``[-pi, pi]``, the middle one
        in ``[-pi / 2, pi / 2]``, or in ``[0, pi]`` when the outer letters are equal.

    Raises:
        OptionError: If ``order`` is not one of the 12.
    """
    first, middle, last = _axes(order)
    proper = first == last
    if proper:
        first = 3 - middle - last
    # The method is stated for rotations about fixed axes, which is the intrinsic order read backwards.
    sign = -_parity(first, middle, last)
    values = as_quaternions(q)
    w, p, r = values[..., 0], values[..., 1 + last], values[..., 1 + middle]
    s = sign * values[..., 1 + first]
    a, b, c, d = (w, p, r, s) if proper else (w - r, p + s, r + w, s - p)

    sum_size, difference_size = np.hypot(a, b), np.hypot(c, d)
    half_sum, half_difference = np.arctan2(b, a), np.arctan2(d, c)
    half_difference = np.where(difference_size < _LOCK_IN_QUATERNION, half_sum, half_difference)
    half_sum = np.where(sum_size < _LOCK_IN_QUATERNION, half_difference, half_sum)

    outer = half_sum + half_difference
    angles = np.empty((*values.shape[:-1], 3))
    angles[..., 0] = _wrapped(outer if proper else sign * outer)
    angles[..., 1] = 2.0 * np.arctan2(difference_size, sum_size) - (0.0 if proper else np.pi / 2)
    angles[..., 2] = _wrapped(half_sum - half_difference)
    return angles


def unwrapped(angles: npt.ArrayLike, axis: int = 0, *, order: str | None = None) -> FloatArray:
    """Return angles of the same rotations whose curves have no needless jumps.

    Every rotation has two triples, ``(a, b, c)`` and ``(a + pi, pi - b, c + pi)`` (``-b`` when the outer
    letters are equal), each up to full turns. The triple nearest to the one before it is chosen all along
    ``axis``.

    Args:
        angles: Euler angles [rad], ``(..., 3)``.
        axis: Which axis is time; not the last one.
        order: The order of the angles. Without it three different letters are assumed, and frames exactly in
            gimbal lock are left as they are; with it their undefined split follows the frame before.

    Returns:
        Angles [rad] of the same shape, not limited to one turn.

    Raises:
        OptionError: If ``order`` is not one of the 12, or ``axis`` is not a leading axis.
    """
    values = as_vectors(angles, "Euler angles")
    index = axis + values.ndim if axis < 0 else axis
    if not 0 <= index < values.ndim - 1:
        raise OptionError(f"axis {axis} is not a leading axis of an array of shape {values.shape}")
    series = np.moveaxis(values, index, 0).copy()
    if series.shape[0] == 0:
        return values.copy()
    proper = False
    if order is not None:
        axes = _axes(order)
        proper = axes[0] == axes[2]
        _resolve_lock(series, axes)
    # Taking the other triple is an isometry of the angles (modulo turns) and its own inverse. Whether two
    # neighbours disagree hence does not depend on choices made before them, and the choices are a running
    # parity.
    other = _other_triple(series, proper=proper)
    stay = np.abs(_wrapped(series[1:] - series[:-1])).sum(axis=-1)
    swap = np.abs(_wrapped(other[1:] - series[:-1])).sum(axis=-1)
    swaps = np.zeros(series.shape[:-1], dtype=np.int64)
    swaps[1:] = np.cumsum(swap < stay, axis=0)
    chosen = np.where((swaps % 2 == 1)[..., None], other, series)
    return np.ascontiguousarray(np.moveaxis(np.unwrap(chosen, axis=0), 0, index))


def _other_triple(angles: FloatArray, *, proper: bool) -> FloatArray:
    other = angles + np.pi
    other[..., 1] = -angles[..., 1] if proper else np.pi - angles[..., 1]
    return other


def _resolve_lock(series: FloatArray, axes: tuple[int, int, int]) -> None:
    """Give frames in gimbal lock the last angle of the nearest earlier free frame, in place.

    In lock the first and last axis are parallel, so ``first + side * last`` is all that is defined.
    """
    sine, cosine = np.sin(series[..., 1]), np.cos(series[..., 1])
    proper = axes[0] == axes[2]
    side = np.sign(cosine) if proper else np.sign(sine) * _parity(*axes)
    locked = np.abs(sine if proper else cosine) < _LOCK_IN_ANGLES
    frames = np.arange(series.shape[0]).reshape(-1, *[1] * (locked.ndim - 1))
    source = np.maximum.accumulate(np.where(locked, -1, frames), axis=0)
    # Before the first free frame there is nothing to follow: take that one, or frame 0 when none is free.
    source = np.where(source < 0, np.argmin(locked, axis=0), source)
    last = np.take_along_axis(series[..., 2], source, axis=0)
    change = np.where(locked, last - series[..., 2], 0.0)
    series[..., 2] += change
    series[..., 0] -= side * change


def _wrapped(angle: FloatArray) -> FloatArray:
    """Return ``angle`` moved by whole turns into ``[-pi, pi]``."""
    return np.asarray(angle - 2.0 * np.pi * np.round(angle / (2.0 * np.pi)))


def _axes(order: str) -> tuple[int, int, int]:
    if order not in ORDERS:
        raise OptionError(f"Euler order {order!r} is not known; use one of {', '.join(ORDERS)}")
    first, middle, last = ("XYZ".index(letter) for letter in order)
    return first, middle, last


def _parity(first: int, middle: int, last: int) -> int:
    """Return +1 for cyclic axis sequences (XYZ, YZX, ZXY), -1 for the others with three different axes."""
    return (first - middle) * (middle - last) * (last - first) // 2
