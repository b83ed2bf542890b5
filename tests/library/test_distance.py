from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from walkers import brute_distance

from understudy.core import PlanarTransform
from understudy.errors import OptionError
from understudy.library import _kernels
from understudy.library.distance import distance_image, distance_tiles, local_minima, windows


def wandering(frames: int, joints: int, seed: int) -> np.ndarray:
    """A cloud of points that drifts smoothly, so that neighbouring windows are alike."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(joints, 3)) + np.cumsum(0.05 * rng.normal(size=(frames, joints, 3)), axis=0)


def window(points: np.ndarray, frame: int, half: int) -> np.ndarray:
    return points[frame - half : frame + half + 1]


def test_the_oracle_is_the_minimum_over_turns_and_moves() -> None:
    a, b = wandering(5, 4, 0), wandering(5, 4, 1)
    weights = np.array([1.0, 2.0, 0.5, 1.0])
    rms, yaw, x, z = brute_distance(a, b, weights)

    def cost(values: np.ndarray) -> float:
        moved = PlanarTransform(x_m=values[0], z_m=values[1], yaw_rad=values[2]).points(b)
        return float((weights[:, None] * (a - moved) ** 2).sum() / (5 * weights.sum()))

    assert cost(np.array([x, z, yaw])) == pytest.approx(rms**2, abs=1e-12)
    found = min(minimize(cost, [0.0, 0.0, start], tol=1e-12).fun for start in (-2.0, 0.0, 2.0))
    assert rms**2 == pytest.approx(found, abs=1e-8)


@settings(max_examples=15)
@given(seed=st.integers(0, 1000), half=st.integers(0, 5), joints=st.integers(1, 6), tile=st.integers(3, 40))
def test_image_equals_pair_by_pair(seed: int, half: int, joints: int, tile: int) -> None:
    points = wandering(37, joints, seed)
    weights = np.random.default_rng(seed).uniform(0.1, 2.0, joints)
    starts = [0, 17, 37]
    prepared = windows(points, weights, half=half, starts=starts)
    image = np.full((37, 37), np.nan)
    for row, col, rms in distance_tiles(prepared, tile=tile):
        image[row : row + len(rms), col : col + rms.shape[1]] = rms
    inside = [f for a, b in ((0, 17), (17, 37)) for f in range(a + half, b - half)]
    for i in inside:
        for j in inside:
            wanted = brute_distance(window(points, i, half), window(points, j, half), weights)[0]
            # The square root of a difference of sums: rounding of 1e-15 may show as 1e-7.
            assert image[i, j] == pytest.approx(wanted, abs=2e-7)
    outside = np.setdiff1d(np.arange(37), inside)
    assert np.isinf(image[outside]).all() and np.isinf(image[:, outside]).all()


def test_image_does_not_see_where_a_window_stands_or_faces() -> None:
    points = wandering(20, 5, 3)
    turned = PlanarTransform(x_m=4.0, z_m=-7.0, yaw_rad=2.1).points(points)
    image = distance_image(windows(np.concatenate([points, turned]), np.ones(5), half=2, starts=[0, 20, 40]))
    same = np.arange(2, 18)
    assert image[same, same + 20] == pytest.approx(0.0, abs=2e-6)
    assert image[2:18, 2:18] == pytest.approx(image[22:38, 22:38], abs=2e-6)
    assert np.array_equal(np.isfinite(image), np.isfinite(image.T))
    assert image[2:18, 22:38] == pytest.approx(image[22:38, 2:18].T, abs=2e-6)


def test_heights_are_not_aligned_away() -> None:
    points = wandering(9, 4, 5)
    raised = points + np.array([0.0, 0.3, 0.0])
    image = distance_image(windows(np.concatenate([points, raised]), np.ones(4), half=4, starts=[0, 9, 18]))
    assert image[4, 13] == pytest.approx(0.3, abs=1e-9)


def test_kernel_equals_its_numpy_twin() -> None:
    half, joints, rows, cols = 3, 4, 11, 13
    a, b = wandering(rows + 2 * half, joints, 1), wandering(cols + 2 * half, joints, 2)
    rng = np.random.default_rng(0)
    energies, sums = rng.uniform(50, 60, rows + cols), rng.normal(size=(2, rows + cols))
    total = 5.0
    out = np.empty((rows, cols))
    _kernels.tile_squares(
        np.ascontiguousarray(a.transpose(2, 0, 1)[[2, 0, 1]]),
        np.ascontiguousarray(b.transpose(2, 1, 0)[[2, 0, 1]]),
        energies[:rows],
        energies[rows:],
        np.ascontiguousarray(sums[:, :rows]),
        np.ascontiguousarray(sums[:, rows:]),
        total,
        half,
        out,
    )
    flat_a, flat_b = a[..., 2] + 1j * a[..., 0], b[..., 2] + 1j * b[..., 0]
    gram, tall = flat_a @ flat_b.conj().T, a[..., 1] @ b[..., 1].T
    c = sums[0] + 1j * sums[1]
    for i in range(rows):
        for j in range(cols):
            span = range(2 * half + 1)
            flat = sum(gram[i + k, j + k] for k in span) - c[i] * np.conj(c[rows + j]) / total
            wanted = energies[i] + energies[rows + j] - 2 * sum(tall[i + k, j + k] for k in span) - 2 * abs(flat)
            assert out[i, j] == pytest.approx(wanted, abs=1e-9)


@settings(max_examples=15)
@given(seed=st.integers(0, 1000), rim=st.integers(1, 3), tile=st.integers(4, 30))
def test_local_minima_equal_a_naive_search(seed: int, rim: int, tile: int) -> None:
    points = windows(wandering(40, 3, seed), np.ones(3), half=1, starts=[0, 40])
    image = distance_image(points)
    threshold, apart = float(np.median(image[np.isfinite(image)])), 4
    wanted = set()
    for i in range(40):
        for j in range(i + apart, 40):
            around = image[max(i - rim, 0) : i + rim + 1, max(j - rim, 0) : j + rim + 1]
            if np.isfinite(image[i, j]) and image[i, j] <= threshold and image[i, j] <= around.min():
                wanted.add((i, j))
    pairs, costs = local_minima(points, threshold_m=threshold, apart=apart, rim=rim, tile=tile)
    assert {tuple(pair) for pair in pairs.tolist()} == wanted
    assert costs == pytest.approx(image[pairs[:, 0], pairs[:, 1]], abs=1e-9)


def test_memory_does_not_grow_with_the_image() -> None:
    frames = 3000
    points = windows(wandering(frames, 3, 0), np.ones(3), half=2, starts=[0, frames])
    local_minima(points, threshold_m=0.01, apart=10, tile=128)
    tracemalloc.start()
    local_minima(points, threshold_m=0.01, apart=10, tile=128)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 0.05 * frames * frames * 8


def test_image_can_be_written_elsewhere(tmp_path) -> None:
    points = windows(wandering(30, 3, 0), np.ones(3), half=1, starts=[0, 30])
    mapped = np.memmap(tmp_path / "image", dtype=np.float64, mode="w+", shape=(30, 30))
    assert np.array_equal(distance_image(points, out=mapped), distance_image(points))
    with pytest.raises(OptionError, match="shape"):
        distance_image(points, out=np.empty((3, 3)))


def test_bad_weights_are_refused() -> None:
    for weights in ([1.0], [0.0, 0.0, 0.0], [1.0, -1.0, 1.0]):
        with pytest.raises(OptionError, match="weights"):
            windows(wandering(5, 3, 0), weights, half=1, starts=[0, 5])
