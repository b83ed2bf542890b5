"""Rotation matrices, quaternions (w, x, y, z) and Euler angles, for many frames at once."""

from __future__ import annotations

import numpy as np

#: The order in which the add-on writes BVH angles: R = Rz Rx Ry.
ORDER = "ZXY"


def about(axis: str, angles_rad: np.ndarray) -> np.ndarray:
    """Turns ``(..., 3, 3)`` about X, Y or Z by angles ``(...)``."""
    first, second = {"X": (1, 2), "Y": (2, 0), "Z": (0, 1)}[axis]
    result = np.zeros((*np.shape(angles_rad), 3, 3))
    result[..., range(3), range(3)] = 1.0
    result[..., first, first] = result[..., second, second] = np.cos(angles_rad)
    result[..., second, first] = np.sin(angles_rad)
    result[..., first, second] = -result[..., second, first]
    return result


def from_euler(angles_rad: np.ndarray, order: str) -> np.ndarray:
    """The product ``(..., 3, 3)`` of turns ``(..., len(order))`` about the axes of ``order``."""
    angles_rad = np.asarray(angles_rad, dtype=np.float64)
    result = np.broadcast_to(np.eye(3), (*angles_rad.shape[:-1], 3, 3))
    for place, axis in enumerate(order):
        result = result @ about(axis, angles_rad[..., place])
    return result


def to_zxy(rotations: np.ndarray) -> np.ndarray:
    """Angles ``(..., 3)`` [rad] about Z, X, Y with R = Rz Rx Ry."""
    lean = np.arcsin(np.clip(rotations[..., 2, 1], -1.0, 1.0))
    z = np.arctan2(-rotations[..., 0, 1], rotations[..., 1, 1])
    y = np.arctan2(-rotations[..., 2, 0], rotations[..., 2, 2])
    # Straight up or down Z and Y turn about the same axis: all of it goes to Z.
    locked = np.hypot(rotations[..., 2, 0], rotations[..., 2, 2]) < 1e-9
    z = np.where(locked, np.arctan2(rotations[..., 1, 0], rotations[..., 0, 0]), z)
    return np.stack([z, lean, np.where(locked, 0.0, y)], axis=-1)


def to_quaternions(rotations: np.ndarray) -> np.ndarray:
    """Quaternions ``(..., 4)`` of matrices ``(..., 3, 3)``; along the first axis signs do not jump."""
    m = np.asarray(rotations, dtype=np.float64)
    trace = np.trace(m, axis1=-2, axis2=-1)
    squares = np.stack([trace, *(2.0 * m[..., k, k] - trace for k in range(3))], axis=-1) + 1.0
    # Four ways to the same quaternion; the one with the largest divisor is exact.
    ways = np.empty((*m.shape[:-2], 4, 4))
    skew = [m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]]
    for row in range(4):
        for column in range(4):
            if row == column:
                ways[..., row, column] = squares[..., row]
            elif 0 in (row, column):
                ways[..., row, column] = skew[max(row, column) - 1]
            else:
                ways[..., row, column] = m[..., row - 1, column - 1] + m[..., column - 1, row - 1]
    best = np.argmax(squares, axis=-1)
    chosen = np.take_along_axis(ways, best[..., None, None], axis=-2)[..., 0, :]
    return continuous(chosen / np.linalg.norm(chosen, axis=-1, keepdims=True))


def continuous(quaternions: np.ndarray) -> np.ndarray:
    """The same turns with each sign as near as can be to the frame before; frames are the first axis."""
    if quaternions.ndim < 2 or len(quaternions) < 2:
        return quaternions
    turned = np.sum(quaternions[1:] * quaternions[:-1], axis=-1) < 0.0
    signs = np.where(np.cumsum(turned, axis=0) % 2 == 1, -1.0, 1.0)
    return np.concatenate([quaternions[:1], quaternions[1:] * signs[..., None]])


def from_quaternion(quaternion: np.ndarray) -> np.ndarray:
    """The matrix ``(3, 3)`` of a quaternion ``(4,)``."""
    w, x, y, z = np.asarray(quaternion, dtype=np.float64) / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
