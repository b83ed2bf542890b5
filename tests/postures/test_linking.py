"""Linking integrals: the closed form against a numerical double integral, and curves whose value is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.core import Body
from understudy.performer import posture
from understudy.postures._linking_kernels import segment_linking
from understudy.postures.linking import linking_matrix
from understudy.postures.space import LINKAGES, PostureSpace


def _by_quadrature(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray, order: int = 60) -> float:
    nodes, weights = np.polynomial.legendre.leggauss(order)
    nodes, weights = 0.5 * (nodes + 1.0), 0.5 * weights
    first = a + nodes[:, None] * (b - a)
    second = c + nodes[:, None] * (d - c)
    apart = first[:, None] - second[None]
    value = apart @ np.cross(b - a, d - c) / np.linalg.norm(apart, axis=-1) ** 3
    return float(weights @ value @ weights / (4.0 * np.pi))


@settings(max_examples=60)
@given(seed=st.integers(0, 100_000))
def test_closed_form_equals_the_double_integral(seed: int) -> None:
    a, b, c, d = np.random.default_rng(seed).normal(size=(4, 3))
    # Quadrature is only exact for segments that keep a distance.
    nodes = np.linspace(0.0, 1.0, 40)[:, None]
    apart = np.linalg.norm((a + nodes * (b - a))[:, None] - (c + nodes * (d - c))[None], axis=-1).min()
    if apart < 0.3:
        return
    assert segment_linking(a, b, c, d) == pytest.approx(_by_quadrature(a, b, c, d), abs=1e-6)
    assert segment_linking(b, a, c, d) == pytest.approx(-segment_linking(a, b, c, d), abs=1e-9)
    assert segment_linking(c, d, a, b) == pytest.approx(segment_linking(a, b, c, d), abs=1e-9)


def test_flat_pairs_do_not_link() -> None:
    a, b, c, d = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [2, 3, 0]])
    assert segment_linking(a, b, c, d) == 0.0


def test_linked_rings_link_once() -> None:
    angles = np.linspace(0.0, 2.0 * np.pi, 25)
    one = np.stack([np.cos(angles), np.sin(angles), np.zeros(25)], axis=1)
    two = np.stack([1.0 + np.cos(angles), np.zeros(25), np.sin(angles)], axis=1)
    apart = two + np.array([3.0, 0.0, 0.0])
    total, none = (
        sum(segment_linking(one[i], one[i + 1], other[j], other[j + 1]) for i in range(24) for j in range(24))
        for other in (two, apart)
    )
    assert abs(total) == pytest.approx(1.0, abs=1e-9)
    assert none == pytest.approx(0.0, abs=1e-9)


def test_crossed_legs_and_their_mirror_image_differ(body: Body) -> None:
    space = PostureSpace(body=body, reference=np.array([1.0, 0.0, 0.0, 0.0]))
    one, two, open_ = (
        linking_matrix(space, space.coordinates(posture(name, person=body.skeleton)))
        for name in ("eagle", "eagle_mirror", "t")
    )
    legs = LINKAGES.index("left_leg"), LINKAGES.index("right_leg")
    assert one[legs] == pytest.approx(-two[legs], abs=1e-6)
    assert abs(one[legs] - two[legs]) > 0.3 > abs(open_[legs])
    assert np.array_equal(one, one.T)
    assert np.array_equal(np.diag(one), np.zeros(5))
