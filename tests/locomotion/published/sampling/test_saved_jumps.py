"""Jumps in a library's file: they come back, plan the same motion, and damage is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from understudy.errors import FormatError
from understudy.formats.npz_archive import write_arrays
from understudy.library import Library, load_library, save_library
from understudy.library.jump_table import TYPES
from understudy.locomotion.published.sampling import Constraint, Sampler, sample, sampler_of, with_jumps
from understudy.scene import Scene


@pytest.fixture(scope="module")
def saved(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_library(with_jumps(library), tmp_path_factory.mktemp("library") / "walk.usl")


def test_jumps_come_back_and_are_not_looked_for_again(
    sampler: Sampler, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = sampler.graph
    monkeypatch.setattr("understudy.locomotion.published.sampling.frame_graph.alike_pairs", None)
    graph = sampler_of(load_library(saved)).graph
    for name in graph.jumps._fields:
        assert np.array_equal(getattr(graph.jumps, name), getattr(wanted.jumps, name)), name
    for name in graph.hops._fields:
        assert np.array_equal(getattr(graph.hops, name), getattr(wanted.hops, name)), name


def test_a_loaded_library_moves_the_same(library: Library, saved: Path, scene: Scene) -> None:
    asked = [Constraint(position=(0.0, 0.0)), Constraint(position=(1.2, 5.0))]
    one, two = (
        sample(clips, scene, constraints=asked, judge=lambda *_: "") for clips in (library, load_library(saved))
    )
    assert one.status and two.status
    assert np.array_equal(one.motion.rotations, two.motion.rotations)
    assert np.array_equal(one.motion.root_positions, two.motion.root_positions)


def test_without_jumps_a_file_has_none(library: Library, tmp_path: Path) -> None:
    assert load_library(save_library(library, tmp_path / "plain.usl")).jumps is None


def damaged(saved: Path, path: Path, name: str, change: Callable[[np.ndarray], np.ndarray]) -> Path:
    with np.load(saved) as arrays:
        parts = {key: arrays[key].copy() for key in arrays.files}
    parts[name] = change(parts[name])
    write_arrays(path, iter(parts.items()))
    return path


DAMAGE: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "jump_out": lambda values: values[::-1].copy(),
    "jump_into": lambda values: values + 10_000_000,
    "jump_costs": lambda values: values * np.nan,
    "jump_ranges": lambda values: values[:, ::-1] + [[1.0, 0.0]],
    "jump_parents": lambda values: np.arange(len(values)),
    "jump_runs": lambda values: np.full_like(values, -1),
    "jump_stops": lambda values: values[::-1].copy(),
    "jump_carriers": lambda values: values + 9,
    "jump_settings": lambda values: values + 1,
    "jump_transforms": lambda values: values[:-1],
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_named(saved: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(FormatError, match=r"jump|damaged"):
        load_library(damaged(saved, tmp_path / "bad.usl", name, DAMAGE[name]))


def test_no_array_may_be_missing(saved: Path, tmp_path: Path) -> None:
    with np.load(saved) as arrays:
        parts = {key: arrays[key] for key in arrays.files}
    for name in TYPES:
        left = {key: values for key, values in parts.items() if key != f"jump_{name}"}
        write_arrays(tmp_path / "bad.usl", iter(left.items()))
        with pytest.raises(FormatError):
            load_library(tmp_path / "bad.usl")
