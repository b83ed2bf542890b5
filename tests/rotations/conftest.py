"""Batches of rotations every test of this room should survive."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray


def _degenerate() -> NDArray[np.float64]:
    """Identity, its negative, half turns, and angles within 1e-12 of both."""
    rows = []
    axes = [*np.eye(3), -np.eye(3)[1], np.array([1.0, 1.0, 0.0]) / np.sqrt(2), np.ones(3) / np.sqrt(3)]
    for axis in axes:
        for angle in (0.0, 1e-300, 1e-12, 1e-8, np.pi / 2, np.pi - 1e-8, np.pi - 1e-12, np.pi, 2 * np.pi):
            rows.append([np.cos(angle / 2), *(np.sin(angle / 2) * axis)])
        rows.append([0.0, *axis])
    table = np.array(rows)
    return np.concatenate((table, -table))


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20240501)


@pytest.fixture
def degenerate() -> NDArray[np.float64]:
    return _degenerate()


@pytest.fixture
def batch(rng: np.random.Generator) -> NDArray[np.float64]:
    """Uniform random rotations and the degenerate ones, ``(n, 4)``."""
    q = rng.normal(size=(400, 4))
    return np.concatenate((q / np.linalg.norm(q, axis=1, keepdims=True), _degenerate()))
