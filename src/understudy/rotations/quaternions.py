"""The algebra of unit quaternions: products, interpolation, signs and averages.

Quaternions are wxyz, unit, float64. A quaternion ``q`` maps child coordinates to parent coordinates, and
``multiply(a, b)`` applies ``b`` first. All functions work over any leading axes and broadcast like NumPy.
"""

import numpy as np
import numpy.typing as npt

from understudy.errors import OptionError
from understudy.rotations._arrays import as_quaternions, as_vectors, cross, dot, norm
from understudy.typing import FloatArray


def identity(shape: int | tuple[int, ...] = ()) -> FloatArray:
    """Return identity rotations ``(*shape, 4)``."""
    lead = (shape,) if isinstance(shape, int) else tuple(shape)
    q = np.zeros((*lead, 4))
    q[..., 0] = 1.0
    return q


def multiply(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """Return the Hamilton product ``a b`` (rotate by ``b``, then by ``a``), shape ``(..., 4)``."""
    left, right = as_quaternions(a), as_quaternions(b)
    out = np.empty(np.broadcast_shapes(left.shape, right.shape))
    aw, ax, ay, az = (left[..., i] for i in range(4))
    bw, bx, by, bz = (right[..., i] for i in range(4))
    out[..., 0] = aw * bw - ax * bx - ay * by - az * bz
    out[..., 1] = aw * bx + ax * bw + ay * bz - az * by
    out[..., 2] = aw * by - ax * bz + ay * bw + az * bx
    out[..., 3] = aw * bz + ax * by - ay * bx + az * bw
    return out


def conjugate(q: npt.ArrayLike) -> FloatArray:
    """Return the inverse rotation of unit ``q``, shape ``(..., 4)``."""
    return as_quaternions(q) * np.array([1.0, -1.0, -1.0, -1.0])


def normalize(q: npt.ArrayLike) -> FloatArray:
    """Return ``q`` scaled to unit length; a zero quaternion becomes the identity."""
    values = as_quaternions(q)
    length = norm(values)[..., None]
    return np.divide(values, length, out=identity(values.shape[:-1]), where=length != 0.0)


def rotate(q: npt.ArrayLike, v: npt.ArrayLike) -> FloatArray:
    """Return vectors ``v`` ``(..., 3)`` rotated by unit ``q`` ``(..., 4)``."""
    rotation, vectors = as_quaternions(q), as_vectors(v)
    axis_part = rotation[..., 1:]
    twice = 2.0 * cross(axis_part, vectors)
    return np.asarray(vectors + rotation[..., :1] * twice + cross(axis_part, twice))


def relative(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """Return ``conj(a) b``: orientation ``b`` seen from orientation ``a``."""
    return multiply(conjugate(a), b)


def aligned(q: npt.ArrayLike, reference: npt.ArrayLike) -> FloatArray:
    """Return ``q`` or ``-q`` (the same rotation), whichever is nearer to ``reference``."""
    values, target = as_quaternions(q), as_quaternions(reference)
    return np.asarray(np.where(dot(values, target)[..., None] < 0.0, -values, values))


def angle_between(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """Return the angle of the rotation from ``a`` to ``b`` [rad], in ``[0, pi]``."""
    return 2.0 * _sphere_angle(as_quaternions(a), aligned(b, a))


def _sphere_angle(a: FloatArray, b: FloatArray) -> FloatArray:
    """Angle between 4-vectors of equal length; unlike ``arccos(a . b)`` precise at all angles."""
    return np.asarray(2.0 * np.arctan2(norm(a - b), norm(a + b)))


def slerp(a: npt.ArrayLike, b: npt.ArrayLike, t: npt.ArrayLike) -> FloatArray:
    """Interpolate at constant speed along the shorter path.

    Args:
        a: Rotations at ``t = 0``, ``(..., 4)``.
        b: Rotations at ``t = 1``, ``(..., 4)``.
        t: Parameters that broadcast with the leading axes; values outside ``[0, 1]`` extrapolate.

    Returns:
        Rotations ``(..., 4)``: exactly ``a`` at 0 and exactly ``b`` at 1, with the sign of ``b`` taken
        nearest ``a``.
    """
    start = as_quaternions(a)
    end = aligned(b, a)
    fraction = np.asarray(t, dtype=np.float64)
    # sin(t x) / sin(x) = t sinc(t x) / sinc(x): no 0/0 for equal inputs, exactly 0 and 1 at the ends.
    # x <= pi / 2 because the signs are aligned, so the denominator is never small.
    turn = _sphere_angle(start, end) / np.pi
    scale = np.sinc(turn)
    start_weight = (1.0 - fraction) * (np.sinc((1.0 - fraction) * turn) / scale)
    end_weight = fraction * (np.sinc(fraction * turn) / scale)
    return np.asarray(start_weight[..., None] * start + end_weight[..., None] * end)


def continuous(q: npt.ArrayLike, axis: int = 0) -> FloatArray:
    """Return the same rotations with signs chosen so that neighbours along ``axis`` are nearest.

    Args:
        q: Rotations ``(..., 4)``.
        axis: Which axis is time; not the last one.

    Raises:
        OptionError: If ``axis`` is not a leading axis of ``q``.
    """
    values = as_quaternions(q)
    series = np.moveaxis(values, _leading_axis(values, axis), 0)
    signs = np.ones(series.shape[:-1])
    signs[1:] = np.where(dot(series[1:], series[:-1]) < 0.0, -1.0, 1.0)
    fixed = np.cumprod(signs, axis=0)[..., None] * series
    return np.ascontiguousarray(np.moveaxis(fixed, 0, _leading_axis(values, axis)))


def mean(q: npt.ArrayLike, weights: npt.ArrayLike | None = None, axis: int = 0) -> FloatArray:
    """Average rotations (Markley et al. 2007).

    The mean is the eigenvector of ``sum w q q^T`` with the largest eigenvalue.

    Args:
        q: Rotations ``(..., 4)``; signs do not matter.
        weights: Non-negative; ``(n,)`` along ``axis``, or broadcastable to the leading shape of ``q``.
        axis: Which leading axis to average over.

    Returns:
        Rotations with ``axis`` dropped, signs nearest to the first sample.

    Raises:
        OptionError: If there is nothing to average, or weights are negative or sum to zero.
    """
    values = as_quaternions(q)
    axis = _leading_axis(values, axis)
    series = np.moveaxis(values, axis, 0)
    if series.shape[0] == 0:
        raise OptionError(f"cannot average rotations of shape {values.shape}: axis {axis} is empty")
    weight = _weights_first(weights, values.shape[:-1], axis)
    outer = np.einsum("n...,n...i,n...j->...ij", weight, series, series)
    return aligned(np.linalg.eigh(outer)[1][..., -1], series[0])


def _weights_first(weights: npt.ArrayLike | None, shape: tuple[int, ...], axis: int) -> FloatArray:
    """Return checked weights, broadcast to ``shape`` with ``axis`` moved to the front."""
    weight = np.asarray(1.0 if weights is None else weights, dtype=np.float64)
    if weight.ndim == 1:
        weight = weight.reshape([-1 if i == axis else 1 for i in range(len(shape))])
    try:
        weight = np.moveaxis(np.broadcast_to(weight, shape), axis, 0)
    except ValueError as error:
        raise OptionError(f"weights of shape {weight.shape} do not fit rotations of shape {shape}") from error
    if np.any(weight < 0.0) or np.any(weight.sum(axis=0) <= 0.0):
        raise OptionError("weights must be non-negative and sum to more than zero")
    return np.asarray(weight)


def _leading_axis(values: FloatArray, axis: int) -> int:
    """Return ``axis`` as a non-negative index of an axis other than the last."""
    index = axis + values.ndim if axis < 0 else axis
    if not 0 <= index < values.ndim - 1:
        raise OptionError(f"axis {axis} is not a leading axis of an array of shape {values.shape}")
    return index
