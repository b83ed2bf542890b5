"""Between Blender's world (Z up, Blender units) and Understudy's (Y up, metres).

``(x, y, z)`` in Blender is ``(x, z, -y)`` in Understudy, so that a character facing -Y in Blender faces +Z.
"""

from __future__ import annotations

import numpy as np

#: Turns vectors from Z up to Y up.
Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


def to_y_up(points: np.ndarray, unit_m: float) -> np.ndarray:
    """Points ``(..., 3)`` of Blender's world in metres, Y up."""
    return unit_m * (np.asarray(points, dtype=np.float64) @ Y_UP.T)


def to_z_up(points_m: np.ndarray, unit_m: float) -> np.ndarray:
    """Points ``(..., 3)`` in metres, Y up, as Blender's world has them."""
    return np.asarray(points_m, dtype=np.float64) @ Y_UP / unit_m


def pure_rotation(matrices: np.ndarray) -> np.ndarray:
    """The rotations ``(..., 3, 3)`` nearest to the upper left of ``(..., 4, 4)`` or ``(..., 3, 3)`` matrices."""
    u, _, vt = np.linalg.svd(np.asarray(matrices, dtype=np.float64)[..., :3, :3])
    u[..., :, -1] *= np.linalg.det(u @ vt)[..., None]
    return u @ vt


def uniform_scale(matrix: np.ndarray) -> float | None:
    """The one factor by which a ``(4, 4)`` matrix scales; ``None`` when it mirrors, shears or scales unevenly."""
    linear = np.asarray(matrix, dtype=np.float64)[:3, :3]
    factor = float(np.cbrt(abs(np.linalg.det(linear))))
    if np.linalg.det(linear) <= 0.0 or not np.allclose(linear.T @ linear, factor**2 * np.eye(3), atol=1e-4 * factor**2):
        return None
    return factor
