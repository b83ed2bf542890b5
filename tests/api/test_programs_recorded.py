"""Programs on the walks of a recorded actor; skipped where there are no recordings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from understudy.api.performing import perform
from understudy.formats import load_motion
from understudy.library import build_library, load_library, save_library
from understudy.scene import load_scene

SCENES = Path(__file__).parents[2] / "examples" / "scenes" / "skills"
#: Walks, turns, steps aside and backwards of one actor.
CLIPS = ["01", "03", "13", "20", "22", "24", "25", "28", "30", "31", "51", "53", "56", "59", "62", "65", "70"]


@pytest.fixture(scope="module")
def library(cmu_bvh, tmp_path_factory) -> str:  # type: ignore[no-untyped-def]
    path = tmp_path_factory.mktemp("walks") / "walks.usl"
    save_library(build_library([load_motion(cmu_bvh(f"69_{number}")) for number in CLIPS]), path)
    return str(path)


@pytest.mark.parametrize(
    "name", ["pour", *(pytest.param(name, marks=pytest.mark.long) for name in ("fetch_book", "door", "point_and_kick"))]
)
def test_a_scene_is_performed_by_a_recorded_actor(library: str, name: str) -> None:
    scene = load_scene(SCENES / f"{name}.toml")
    people = tuple(replace(one, library=library) for one in scene.characters)
    result = perform(replace(scene, characters=people))
    assert result.status, result.reason
    assert all(task.status for task in result.tasks)
    motion = result.motions[people[0].name]
    # It is the actor's skeleton, not the performer's.
    assert motion.skeleton.names == load_library(library).skeleton.names
    pace = np.linalg.norm(np.diff(motion.root_positions, axis=0), axis=1) * motion.fps
    assert pace.max() < 2.0
