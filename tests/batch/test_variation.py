"""One scene file as a family of scenes."""

from __future__ import annotations

from pathlib import Path

import pytest

from understudy.batch.variation import varied_scene
from understudy.errors import FormatError, SceneError

SCENE = """
name = "room"

[[object]]
name = "crate"
shape = { kind = "box", size = [1, 1, 1] }
at = [0, 0.5, 0]

[[object]]
name = "chest"
shape = { kind = "box", size = [2, 1, 1] }
at = [4, 0.5, 0]
"""


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "room.toml"
    path.write_text(SCENE)
    return path


def test_entries_are_replaced_by_name_and_by_number(scene: Path) -> None:
    varied = varied_scene(scene, {"object.crate.at": [1, 0.5, 2], "object.1.shape.size": [3, 1, 1]})
    crate, chest = varied.objects
    assert tuple(crate.placement.position) == (1, 0.5, 2)
    assert tuple(chest.shape.size_m) == (3, 1, 1)
    assert tuple(varied_scene(scene, {}).objects[0].placement.position) == (0, 0.5, 0)


def test_a_place_that_is_not_there_is_named(scene: Path) -> None:
    with pytest.raises(FormatError, match='did you mean "crate"'):
        varied_scene(scene, {"object.crat.at": [0, 0, 0]})
    with pytest.raises(FormatError, match=r"object\.crate\.at"):
        varied_scene(scene, {"object.crate.at.0.0": 1})


def test_a_varied_scene_is_checked_like_any_other(scene: Path) -> None:
    with pytest.raises(SceneError):
        varied_scene(scene, {"object.crate.shape.size": [-1, 1, 1]})
