"""Files that once did harm, one by one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fuzz.mutations import written_arrays
from understudy.core.documents import MOST_DEPTH, json_values, toml_values
from understudy.errors import FormatError, MotionError, SkeletonError
from understudy.formats import load_motion, save_motion
from understudy.library import Library, build_library, load_library, save_library
from understudy.locomotion.published.maps.motion_maps import MapOptions, with_maps
from understudy.performer import builtin_clips


@pytest.fixture(scope="module")
def library() -> Library:
    return with_maps(build_library(builtin_clips("walk")[:2]), MapOptions(clips=3, fan=2, early_fan=2))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("map_lengths_m", -1.0),
        ("map_lengths_m", 1e30),
        ("map_average_m", -5.0),
        ("map_parents", -7),
        ("map_edges", 2**30),
        ("map_places", 1e9),
        ("graph_costs", np.nan),
        ("graph_transforms", 1e12),
        ("take_starts", 10**12),
        ("take_starts", -1),
    ],
)
def test_a_library_with_one_wrong_number_is_refused(library: Library, tmp_path: Path, name: str, value: float) -> None:
    path = save_library(library, tmp_path / "a.usl")
    with np.load(path) as held:
        arrays = {key: held[key].copy() for key in held.files}
    flat = arrays[name].reshape(-1)
    flat[len(flat) // 2] = value
    written_arrays(path, arrays)
    with pytest.raises(FormatError, match="damaged"):
        load_library(path)


def test_rotations_and_places_that_nobody_has_are_refused() -> None:
    clip = builtin_clips("walk")[0].frames(0, 4)
    skeleton = clip.skeleton
    with pytest.raises(SkeletonError, match="unit quaternions"):
        replace(skeleton, rest_rotations=3.0 * skeleton.rest_rotations)
    with pytest.raises(SkeletonError, match="unit"):
        replace(skeleton, offsets=skeleton.offsets * 1e9)
    with pytest.raises(MotionError, match="no rotation"):
        replace(clip, rotations=clip.rotations * 1e200)
    with pytest.raises(MotionError, match="unit right"):
        replace(clip, root_positions=clip.root_positions + 1e6)
    for fps in (1e-9, 1e30):
        with pytest.raises(MotionError, match="fps"):
            replace(clip, fps=fps)


def test_a_file_with_rest_rotations_that_are_none_is_refused(tmp_path: Path) -> None:
    path = save_motion(builtin_clips("walk")[0].frames(0, 4), tmp_path / "a.npz")
    with np.load(path) as held:
        arrays = {key: held[key].copy() for key in held.files}
    arrays["m0_rest_rotations"] *= 1e3
    written_arrays(path, arrays)
    with pytest.raises(FormatError, match="rest rotation"):
        load_motion(path)


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "[" * 200 + "]" * 200, '{"a":' * 70 + "1" + "}" * 70, "[" + "1," * 6_000_000 + "1]"]
)
def test_json_beyond_the_limits_is_one_error(text: str) -> None:
    with pytest.raises(FormatError, match=r"nested too deeply|values"):
        json_values(text, None, "thing")


def test_json_within_the_limits_is_read() -> None:
    deep = "[" * MOST_DEPTH + "]" * MOST_DEPTH
    assert json_values(deep, None, "thing") == json.loads(deep)
    with pytest.raises(FormatError, match="surrogate"):
        json_values('{"name": "\\ud800"}', None, "thing")


@pytest.mark.parametrize("text", ["a." * 300_000 + "b = 1", "[" + "a." * 300_000 + "b]", "a = " + "[" * 100_000])
def test_toml_that_would_take_for_ever_is_one_error(text: str) -> None:
    with pytest.raises(FormatError, match="nested too deeply"):
        toml_values(text, None, "thing")
