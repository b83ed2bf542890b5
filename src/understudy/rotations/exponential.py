"""The exponential map between rotation vectors (axis times angle) and quaternions, and angular velocity."""

import numpy as np
import numpy.typing as npt

from understudy.errors import OptionError
from understudy.rotations._arrays import as_quaternions, as_vectors, norm
from understudy.rotations.quaternions import conjugate, multiply
from understudy.typing import FloatArray


def exp(rotation_vector: npt.ArrayLike) -> FloatArray:
    """Return the rotations ``(..., 4)`` of rotation vectors ``(..., 3)`` [rad]."""
    vectors = as_vectors(rotation_vector, "rotation vector")
    half = 0.5 * norm(vectors)
    q = np.empty((*vectors.shape[:-1], 4))
    q[..., 0] = np.cos(half)
    # sin(h) / |v| = sinc(h) / 2 has no division by zero.
    q[..., 1:] = (0.5 * np.sinc(half / np.pi))[..., None] * vectors
    return q


def log(q: npt.ArrayLike) -> FloatArray:
    """Return the shortest rotation vectors ``(..., 3)`` [rad] of unit ``q``, of length at most pi.

    ``q`` and ``-q`` give the same vector, except at exactly pi, where both signs of the axis are right.
    """
    values = as_quaternions(q)
    w = values[..., 0]
    sine = norm(values[..., 1:])
    # atan2 keeps full precision at both ends, where arccos(w) and arcsin(sine) each lose half the digits.
    angle = 2.0 * np.arctan2(sine, np.abs(w))
    scale = np.divide(angle, sine, out=np.full_like(sine, 2.0), where=sine != 0.0)
    return np.asarray(np.where(w < 0.0, -scale, scale)[..., None] * values[..., 1:])


def angular_velocity(q: npt.ArrayLike, fps: float) -> FloatArray:
    """Return angular velocities in the parent frame [rad/s].

    Each frame gets the mean of the rates to its two neighbours (a central difference that only aliases beyond
    half a turn per frame, not per two frames); the first and last frame get the rate to their only neighbour.
    For a root joint the parent frame is the world.

    Args:
        q: Rotations ``(frames, ..., 4)`` sampled at ``fps``; signs do not matter.
        fps: Sampling rate [1/s], more than 0.

    Returns:
        Angular velocities ``(frames, ..., 3)``; zero for a single frame.

    Raises:
        OptionError: If ``fps`` is not a positive number or ``q`` has no time axis.
    """
    values = as_quaternions(q)
    if values.ndim < 2:
        raise OptionError(f"angular velocity needs rotations (frames, ..., 4), got shape {values.shape}")
    if not (np.isfinite(fps) and fps > 0.0):
        raise OptionError(f"fps is {fps}; it must be a positive number")
    out = np.zeros((*values.shape[:-1], 3))
    if values.shape[0] < 2:
        return out
    rate = fps * log(multiply(values[1:], conjugate(values[:-1])))
    out[0] = rate[0]
    out[-1] = rate[-1]
    out[1:-1] = 0.5 * (rate[1:] + rate[:-1])
    return out
