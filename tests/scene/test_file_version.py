"""Scene files say their version; newer ones are refused with a sentence, older ones brought up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

import understudy as us
from understudy.scene import Sphere, file_version, load_scene, save_scene


def test_a_saved_scene_says_its_version(tmp_path: Path) -> None:
    scene = us.Scene(name="a").with_object("ball", Sphere(radius_m=0.1), position=(0, 1, 0))
    path = save_scene(scene, tmp_path / "a.toml")
    assert f"version = {file_version.VERSION}" in path.read_text()
    assert load_scene(path) == scene


def test_a_file_without_a_version_is_of_the_first(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('name = "a"\n')
    assert load_scene(tmp_path / "a.toml").name == "a"


@pytest.mark.parametrize(
    ("version", "said"), [("2", "newer Understudy; this one reads versions 1 to 1"), ("0", "version 0"), ('"x"', "int")]
)
def test_other_versions_are_refused_with_their_line(tmp_path: Path, version: str, said: str) -> None:
    (tmp_path / "a.toml").write_text(f'name = "a"\nversion = {version}\n')
    with pytest.raises(us.UnderstudyError, match=said) as caught:
        load_scene(tmp_path / "a.toml")
    assert "a.toml:2" in str(caught.value)


def test_older_files_are_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_version, "VERSION", 3)
    upgrades = {
        1: lambda values: {("title" if key == "name" else key): value for key, value in values.items()},
        2: lambda values: {("name" if key == "title" else key): value for key, value in values.items()},
    }
    monkeypatch.setattr(file_version, "UPGRADES", upgrades)
    (tmp_path / "a.toml").write_text('name = "old"\n')
    assert load_scene(tmp_path / "a.toml").name == "old"
    assert file_version.upgraded({"name": "old"}) == {"name": "old", "version": 3}
