from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from understudy import rotations as rot
from understudy.errors import OptionError


def test_to_matrix_matches_scipy(batch):
    expected = Rotation.from_quat(batch, scalar_first=True).as_matrix()
    assert_allclose(rot.to_matrix(batch), expected, atol=1e-15)


def test_from_matrix_returns_the_rotation_with_positive_w(batch):
    q = rot.from_matrix(rot.to_matrix(batch))
    assert_allclose(rot.angle_between(q, batch), 0.0, atol=2e-15)
    assert np.all(q[:, 0] >= 0.0)
    assert_allclose(np.linalg.norm(q, axis=1), 1.0, atol=1e-15)


@pytest.mark.parametrize("largest", range(4))
def test_every_branch_of_from_matrix(largest, rng):
    q = 0.05 * rng.normal(size=(20, 4))
    q[:, largest] = 1.0
    q = rot.normalize(q).reshape(4, 5, 4)
    back = rot.from_matrix(Rotation.from_quat(q.reshape(-1, 4), scalar_first=True).as_matrix().reshape(4, 5, 3, 3))
    assert back.shape == (4, 5, 4)
    assert_allclose(rot.aligned(back, q), q, atol=1e-15)


def test_from_matrix_refuses_mirrors_and_wrong_shapes():
    with pytest.raises(OptionError, match="determinant -1"):
        rot.from_matrix(np.diag([1.0, 1.0, -1.0]))
    with pytest.raises(OptionError, match="shape"):
        rot.from_matrix(np.eye(4))
