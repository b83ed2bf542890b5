"""Programs on recorded walks: libraries that begin and end in mid-stride get a standing start and stop."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from understudy.api import performing_libraries
from understudy.api.performing_libraries import library_of, skeletons_of
from understudy.core.planning import Status
from understudy.formats import load_motion
from understudy.library import build_library, save_library
from understudy.locomotion.footsteps.moving import Going
from understudy.locomotion.footsteps.pathing import first_heading
from understudy.locomotion.footsteps.ways import Way
from understudy.locomotion.walker import walker_of
from understudy.performer import performance
from understudy.scene import Scene
from understudy.scene.characters import Character


def test_recorded_walks_in_mid_stride_get_a_start_and_a_stop(tmp_path: Path, cmu_bvh) -> None:  # type: ignore[no-untyped-def]
    clips = [load_motion(cmu_bvh(name)) for name in ("16_16", "16_31", "16_32")]
    path = tmp_path / "walks.usl"
    recorded = build_library(clips)
    assert not walker_of(recorded).still.any(axis=0).all()
    save_library(recorded, path)
    library = library_of(str(path))
    assert walker_of(library).still.any(axis=0).all()
    # Whoever walks with it has the recorded body, and the recorded walks are still in it.
    scene = Scene().with_character(Character(name="anna", start=(0.0, 0.0), library=str(path)))
    assert skeletons_of(scene)["anna"] is library.skeleton
    assert {clip.name for clip in clips} <= {take.name for take in library.footage.takes}


def test_a_route_says_where_it_sets_off_to() -> None:
    assert first_heading(np.array([[0.0, 0.0], [0.1, 0.0], [1.0, 0.0], [1.0, 2.0]])) == pytest.approx(np.pi / 2)


@pytest.mark.parametrize(("status", "used"), [(Status.SOLVED, True), (Status.EXHAUSTED, False)])
def test_only_walks_that_passed_the_judge_are_used(monkeypatch: pytest.MonkeyPatch, status: Status, used: bool) -> None:
    """A refused walk that ends at its goal is still refused."""
    made = performance("walk", duration_s=4.0).motion
    found = SimpleNamespace(status=status, motion=made, trace=SimpleNamespace(goal_error_m=0.0))
    monkeypatch.setattr(performing_libraries, "walk", lambda *_, **__: found)
    walks = performing_libraries._walks(SimpleNamespace(), None, 0, made.fps)
    here = SimpleNamespace(around=Scene)
    way = walks(here, SimpleNamespace(), Going(way=Way(points=np.array([[0.0, 0.0], [0.0, 4.0]]))))
    assert (way is made) == used
