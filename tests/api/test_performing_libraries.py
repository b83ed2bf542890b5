"""Programs on recorded walks: libraries that begin and end in mid-stride get a standing start and stop."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from understudy.api.performing_libraries import _aim, _library, _longest_s, skeletons_of
from understudy.formats import load_motion
from understudy.library import build_library, save_library
from understudy.locomotion.walker import walker_of
from understudy.scene import Scene
from understudy.scene.characters import Character
from understudy.skills.program.moving import Going


def test_recorded_walks_in_mid_stride_get_a_start_and_a_stop(tmp_path: Path, cmu_bvh) -> None:  # type: ignore[no-untyped-def]
    clips = [load_motion(cmu_bvh(name)) for name in ("16_16", "16_31", "16_32")]
    path = tmp_path / "walks.usl"
    recorded = build_library(clips)
    assert not walker_of(recorded).still.any(axis=0).all()
    save_library(recorded, path)
    library = _library(str(path))
    assert walker_of(library).still.any(axis=0).all()
    # Whoever walks with it has the recorded body, and the recorded walks are still in it.
    scene = Scene().with_character(Character(name="anna", start=(0.0, 0.0), library=str(path)))
    assert skeletons_of(scene)["anna"] is library.skeleton
    assert {clip.name for clip in clips} <= {take.name for take in library.footage.takes}


def test_a_route_says_where_it_sets_off_to_and_how_long_it_may_take() -> None:
    route = np.array([[0.0, 0.0], [0.1, 0.0], [1.0, 0.0], [1.0, 2.0]])
    going = Going(route=route, end_rad=None)
    assert _aim(going) == pytest.approx(np.pi / 2)
    assert 3.0 / 1.2 < _longest_s(going) < 10.0
