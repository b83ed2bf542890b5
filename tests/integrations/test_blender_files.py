"""Scene files and meshes the add-on writes, as Understudy reads them."""

from __future__ import annotations

import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from integrations.blender.package import SOURCE, packaged
from integrations.blender.understudy_blender import bl_info
from integrations.blender.understudy_blender.errors import JobError
from integrations.blender.understudy_blender.names import joint_names, thing_names
from integrations.blender.understudy_blender.scene_files import write_scene
from integrations.blender.understudy_blender.task_text import checked_tasks
from integrations.blender.understudy_blender.things import Thing, thing, without_floor
from scipy.spatial.transform import Rotation

from integrations.blender_rigs import frame
from understudy.scene import load_scene

CORNERS = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
SIDES = np.array([(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
CUBE = np.concatenate([SIDES[:, [0, 1, 2]], SIDES[:, [0, 2, 3]]])


def cube(name: str, places: np.ndarray, unit_m: float = 1.0) -> Thing:
    return thing(name, CORNERS, CUBE, places, unit_m)


@settings(max_examples=15)
@given(seed=st.integers(0, 10_000), mirrored=st.booleans())
def test_corners_are_where_blender_has_them(
    seed: int, mirrored: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    draw = np.random.default_rng(seed)
    turns = Rotation.random(4, random_state=seed)
    sizes = np.diag([*draw.uniform(0.1, 2.0, 2), draw.uniform(0.1, 2.0) * (-1 if mirrored else 1), 1.0])
    places = np.stack([frame(turn, draw.normal(size=3)) @ sizes for turn in turns])
    path = write_scene(tmp_path_factory.mktemp("scene") / "a.toml", [cube("box", places, 0.5)], fps=10.0)
    scene = load_scene(path)
    shape = scene.object("box").shape
    assert shape.closed
    for row, place in enumerate(places):
        wanted = 0.5 * (CORNERS @ place[:3, :3].T + place[:3, 3])[:, [0, 2, 1]] * (1, 1, -1)
        position, rotation = scene.at(row / 10.0).pose("box")
        found = Rotation.from_quat(np.roll(rotation, -1)).apply(shape.vertices.copy()) + position
        gaps = np.linalg.norm(found[:, None] - wanted[None], axis=-1)
        assert gaps.min(axis=0).max() < 1e-6 and gaps.min(axis=1).max() < 1e-6


def test_standing_things_stand(tmp_path: Path) -> None:
    one = cube('a "quoted" name', np.tile(frame(Rotation.identity(), np.array([1.0, 2.0, 3.0])), (5, 1, 1)))
    assert not one.moves and not one.resized
    grown = one.scaled(2.0)
    scene = load_scene(write_scene(tmp_path / "a.toml", [one, cube("b", np.eye(4)[None])], fps=24.0))
    np.testing.assert_allclose(scene.at(0.0).pose('a "quoted" name')[0], (1.0, 3.0, -2.0), atol=1e-9)
    np.testing.assert_allclose(grown.vertices + grown.positions[0], 2.0 * (one.vertices + one.positions[0]))


def test_things_that_grow_are_told() -> None:
    assert cube("a", np.stack([np.eye(4), np.diag([2.0, 2.0, 2.0, 1.0])])).resized


def test_the_floor_is_left_to_understudy() -> None:
    def at(height: float) -> np.ndarray:
        return frame(Rotation.identity(), np.array([0.0, 0.0, height]))[None]

    plane = thing("plane", CORNERS[[0, 2, 4, 6]] * (9, 9, 0), np.array([(0, 1, 2), (1, 3, 2)]), at(0.0), 1.0)
    assert without_floor(plane) is None
    assert without_floor(cube("slab", at(-1.0))) is None
    standing = without_floor(cube("box on the floor", at(1.0)))
    assert standing is not None and len(standing.faces) == 12
    room = thing("room", CORNERS, CUBE[:, ::-1], at(1.0), 1.0)  # seen from inside: its floor faces up
    left = without_floor(room)
    assert left is not None and len(left.faces) == 10
    assert (left.vertices[left.faces] + left.positions[0])[..., 1].max(axis=1).min() > 0.02


def test_names_files_can_hold() -> None:
    joints = joint_names(["mixamorig:Hips", "upper arm", "upper\tarm", "{x}", "", "Bröst.L"])
    assert list(joints.values()) == ["mixamorig:Hips", "upper_arm", "upper_arm_2", "_x_", "_", "Bröst.L"]
    things = thing_names(["Cube", "Cube.001", "Cube_001", " a ", "hero", 'a=1,"2"'], taken=["hero"])
    assert list(things.values()) == ["Cube", "Cube_001", "Cube_001_2", "a", "hero_2", "a_1__2_"]


def test_tasks_that_name_nobody_are_the_armatures() -> None:
    text = '# what to do\n[[task]]\ndo = "grab"\nobject = "cup"\n\n[[task]]\ncharacter = "eve"\ndo = "drop"\n'
    assert [one["character"] for one in tomllib.loads(checked_tasks(text, "hero"))["task"]] == ["hero", "eve"]
    with pytest.raises(JobError, match="not valid TOML"):
        checked_tasks("[[task]\n", "hero")
    with pytest.raises(JobError, match=r"no \[\[task\]\]"):
        checked_tasks("a = 1\n", "hero")
    with pytest.raises(JobError, match=r"\[\[task\]\] blocks, without a above"):
        checked_tasks(f"a = 1\n{text}", "hero")
    with pytest.raises(JobError, match=r"\[\[task\]\] blocks$"):
        checked_tasks('task = [{ do = "drop" }]\n', "hero")


def test_the_package_is_whole_and_says_one_version(tmp_path: Path) -> None:
    first = packaged(tmp_path / "a")
    assert first.read_bytes() == packaged(tmp_path / "b").read_bytes()
    with zipfile.ZipFile(first) as archive:
        names = set(archive.namelist())
    manifest = tomllib.loads((SOURCE / "blender_manifest.toml").read_text())
    assert names == {path.name for path in SOURCE.glob("*.py")} | {"blender_manifest.toml"}
    assert first.name == f"understudy_blender-{manifest['version']}.zip"
    assert manifest["version"] == ".".join(map(str, bl_info["version"]))
    assert manifest["blender_version_min"] == ".".join(map(str, bl_info["blender"]))
