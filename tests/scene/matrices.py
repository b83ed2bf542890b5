"""Rigid transforms as 4 x 4 matrices, written out apart from the package for the tests' oracles."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation


def matrix(position, rotation) -> np.ndarray:
    w, x, y, z = rotation
    out = np.eye(4)
    out[:3, :3] = Rotation.from_quat([x, y, z, w]).as_matrix()
    out[:3, 3] = position
    return out


def assert_same_pose(position, rotation, expected: np.ndarray, *, within: float = 1e-9) -> None:
    np.testing.assert_allclose(matrix(position, rotation), expected, rtol=0, atol=within)
