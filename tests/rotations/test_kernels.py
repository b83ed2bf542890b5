"""Every scalar kernel against its NumPy twin, over random and degenerate rotations."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from understudy import rotations as rot
from understudy.rotations import _kernels as kernels


@pytest.fixture
def pairs(batch, rng):
    return batch, rng.permutation(batch)


@pytest.fixture
def frames(batch, rng):
    m = rot.to_matrix(rot.normalize(rng.normal(size=(len(batch), 4))))
    return m[:, :, 0], m[:, :, 1]


def test_qmul(pairs):
    a, b = pairs
    mine = [kernels.qmul(*x, *y) for x, y in zip(a, b, strict=True)]
    assert_allclose(mine, rot.multiply(a, b), atol=1e-15)


def test_qrot_and_its_inverse(batch, rng):
    v = rng.normal(size=(len(batch), 3))
    forward = [kernels.qrot(*q, *x) for q, x in zip(batch, v, strict=True)]
    backward = [kernels.qconj_rot(*q, *x) for q, x in zip(batch, v, strict=True)]
    assert_allclose(forward, rot.rotate(batch, v), atol=1e-14)
    assert_allclose(backward, rot.rotate(rot.conjugate(batch), v), atol=1e-14)


def test_qnormalize(batch, rng):
    scaled = batch * rng.uniform(0.1, 10, size=(len(batch), 1))
    assert_allclose([kernels.qnormalize(*q) for q in scaled], rot.normalize(scaled), atol=1e-15)
    assert kernels.qnormalize(0.0, 0.0, 0.0, 0.0) == (1.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("t", [0.0, 0.3, 1.0, -0.5, 1.5])
def test_qslerp(pairs, t):
    a, b = pairs
    mine = np.array([kernels.qslerp(*x, *y, t) for x, y in zip(a, b, strict=True)])
    # Exactly opposite 4-vectors' signs may be chosen either way when the dot product is rounding noise.
    clear = np.abs(np.einsum("ij,ij->i", a, b)) > 1e-12
    assert_allclose(mine[clear], rot.slerp(a, b, t)[clear], atol=1e-14)
    assert_allclose(np.linalg.norm(mine, axis=1), 1.0, atol=1e-14)
    if t == 0.0:
        assert_array_equal(mine, a)


def test_qslerp_of_equal_and_antipodal(batch):
    for q in batch:
        assert_allclose(kernels.qslerp(*q, *q, 0.4), q, atol=1e-15)
        assert_allclose(kernels.qslerp(*q, *-q, 0.4), q, atol=1e-15)


@pytest.mark.parametrize("size", [0.0, 1e-300, 1e-12, 1.9e-4, 2.1e-4, 1.0, np.pi, 20.0])
def test_qexp(size, rng):
    v = rng.normal(size=(20, 3))
    v *= size / np.linalg.norm(v, axis=1, keepdims=True)
    assert_allclose([kernels.qexp(*x) for x in v], rot.exp(v), rtol=1e-13, atol=1e-15 * min(size, 1.0))


def test_qlog(batch):
    assert_allclose([kernels.qlog(*q) for q in batch], rot.log(batch), rtol=1e-13, atol=1e-300)


def test_swing_twist_coordinates(batch, frames):
    along, first = frames
    mine = np.array([kernels.qswing_twist_coords(*q, *a, *f) for q, a, f in zip(batch, along, first, strict=True)])
    theirs = rot.swing_twist_coordinates(batch, along, first)
    assert_allclose(mine, theirs, atol=1e-12)


def test_swing_twist_at_the_singularity():
    out = kernels.qswing_twist_coords(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0)
    assert_allclose(out, (np.pi, 0.0, 0.0))


def test_qto_matrix(batch):
    out = np.empty((3, 3))
    for q, expected in zip(batch, rot.to_matrix(batch), strict=True):
        kernels.qto_matrix(*q, out)
        assert_allclose(out, expected, atol=1e-15)


def test_the_room_does_not_import_numba():
    code = "import sys, understudy.rotations; sys.exit('numba' in sys.modules or 'scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
