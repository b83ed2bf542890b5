from __future__ import annotations

from importlib import resources

import numpy as np
import pytest

from understudy.performer import curves
from understudy.performer.model import GAITS, RANGES, gait_model, mirrored_context


def some_contexts(gait: str, count: int = 40) -> np.ndarray:
    low, high = RANGES[gait]
    return np.random.default_rng(0).uniform(low, high, size=(count, 5))


def test_the_coefficient_file_is_small_and_shipped() -> None:
    data = resources.files("understudy.performer").joinpath("gait_model.npz").read_bytes()
    assert 0 < len(data) <= 150_000


def test_mirror_is_an_involution() -> None:
    rows = np.random.default_rng(1).normal(size=(5, curves.COUNT))
    np.testing.assert_array_equal(curves.mirrored_rows(curves.mirrored_rows(rows)), rows)
    np.testing.assert_array_equal(curves.MIRROR[curves.MIRROR], np.arange(curves.COUNT))


def test_curves_and_footprints_are_mirror_symmetric() -> None:
    """A turn to the right is the mirror image of the turn to the left, half a stride later."""
    model = gait_model()
    for gait in GAITS:
        context = some_contexts(gait)
        phase = np.linspace(0, 3, len(context))
        shown = model.rows(phase, context)
        mirrored = curves.mirrored_rows(model.rows(phase + 0.5, mirrored_context(context)))
        # Each clip entered the fit with its mirror image, so only rounding to float32 is left.
        assert np.abs(shown - mirrored).max() < 1e-4, gait
        steps = np.column_stack([context, np.zeros((len(context), 2))])
        left = model.prints("left", steps)
        right = model.prints("right", mirrored_context(steps)) * [-1.0, 1.0, -1.0]
        np.testing.assert_allclose(left, right, atol=1e-9)


def test_a_cycle_repeats_after_one_stride() -> None:
    model = gait_model()
    context = some_contexts("walk")
    phase = np.random.default_rng(2).uniform(0, 1, len(context))
    np.testing.assert_allclose(model.rows(phase, context), model.rows(phase + 7.0, context), atol=1e-9)


@pytest.mark.parametrize("gait", GAITS)
def test_nothing_is_grotesque_anywhere_in_the_range(gait: str) -> None:
    model = gait_model()
    context = some_contexts(gait, 200)
    rows = model.gait_rows(gait, np.random.default_rng(3).uniform(0, 1, 200), context)
    assert np.abs(rows[:, curves.turn_columns("trunk")]).max() < 0.7
    assert np.abs(rows[:, curves.PELVIS_TURN]).max() < 0.5
    height = rows[:, 1]
    assert height.min() > 0.8
    # Joggers leave the floor.
    assert height.max() < (1.08 if gait == "jog" else 1.02)
    paces = model.pace(context)
    assert paces.min() > 0.5
    assert paces.max() < 1.8


def test_gaits_mix_without_jumps_as_direction_turns() -> None:
    model = gait_model()
    angle = np.linspace(0, 2 * np.pi, 2001)
    context = np.column_stack([0.55 * np.cos(angle), 0.55 * np.sin(angle), np.zeros((len(angle), 3))])
    rows = model.rows(np.full(len(angle), 0.3), context)
    assert np.abs(np.diff(rows, axis=0)).max() < 0.02


def test_means_are_those_of_the_curves_over_a_stride() -> None:
    model = gait_model()
    for gait in GAITS:
        context = some_contexts(gait, 12)
        mean = sum(model.rows(np.full(len(context), at / 16), context) for at in range(16)) / 16
        np.testing.assert_allclose(model.means(context), mean, atol=1e-9)


def test_turning_quickens_a_jog() -> None:
    """Joggers in curves take quicker steps; fitted without turns, straight jogs would come out too short."""
    straight, curved = np.zeros((1, 5)), np.zeros((1, 5))
    straight[:, 0] = curved[:, 0] = 2.6
    curved[:, 2] = 1.0
    assert gait_model().pace(curved)[0] > 1.03 * gait_model().pace(straight)[0]


def test_recorded_people_walk_in_their_own_manner() -> None:
    model = gait_model()
    phase, context = np.arange(16) / 16.0, np.tile([1.0, 0.0, 0.0, 0.0, 0.0], (16, 1))
    common = model.rows(phase, context)
    assert model.of("nobody") is model
    for person in model.manners:
        own = model.of(person).rows(phase, context)
        # Differences of a person, not another gait: visible, but smaller than the gait itself.
        assert np.abs(own - common).max() > 1e-3
        assert np.std(own - common) < 0.5 * np.std(common)
        assert np.allclose(model.of(person).gaits["jog"].curves, model.gaits["jog"].curves)
