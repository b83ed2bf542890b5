"""Every example scene file is on the start screen and opens."""

from __future__ import annotations

from pathlib import Path

import pytest

from understudy.scene import load_scene
from understudy.studio.example_scenes import example_scenes
from understudy.studio.examples import example_list, open_example
from understudy.studio.shelf import Shelf

SCENES = Path(__file__).resolve().parents[2] / "examples" / "scenes"


def test_all_scene_files_are_offered_with_a_title_and_a_sentence() -> None:
    offered = {one["name"]: one for one in example_list()}
    files = sorted(f"{path.parent.name}/{path.stem}" for path in SCENES.glob("*/*.toml"))
    assert files
    assert set(files) <= set(offered)
    for name in files:
        assert offered[name]["title"][0].isupper() or not offered[name]["title"][0].isalpha()
        assert len(offered[name]["about"]) > 10
    assert len(offered) == len(example_list()), "no two examples share a name"


@pytest.mark.parametrize("example", example_scenes(), ids=lambda one: one.name)
def test_it_opens_with_everybody_on_stage(example: object) -> None:
    name = example.name  # type: ignore[attr-defined]
    project = open_example(name, Shelf())
    there = load_scene(SCENES / f"{name}.toml")
    assert [one.name for one in project.scene.characters] == [one.name for one in there.characters]
    assert all(one.motion is not None for one in project.scene.characters)
    assert project.scene.tasks == there.tasks
    assert project.mode == "tasks"
