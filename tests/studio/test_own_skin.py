"""A rigged character dropped on the page keeps its mesh, through edits and through saving."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import understudy as us
from understudy.errors import FormatError
from understudy.formats.gltf_document import load_document, packed_glb
from understudy.studio.assets import Assets
from understudy.studio.importing import imported
from understudy.studio.project import Project
from understudy.studio.shelf import Shelf
from understudy.studio.skins import load_skin
from understudy.studio.store import Store
from understudy.studio.view import view


@pytest.fixture
def rig(tmp_path: Path) -> bytes:
    """A walk as a rig somebody else made, painted red."""
    path = tmp_path / "rig.glb"
    us.save_motion(us.builtin_clips("walk")[0], path)
    document = load_document(path)
    for skin in document.root["skins"]:
        skin.pop("extras", None)
    for material in document.root["materials"]:
        material["pbrMetallicRoughness"] = {"baseColorFactor": [1.0, 0.0, 0.0, 1.0]}
    return packed_glb(document.root, document.binary or b"")


def colors_of(project: Project) -> np.ndarray:
    """Colours in the block the page gets."""
    assets = Assets()
    (person,) = view(project, assets)["people"]
    block = assets.get(person["skin"]) or b""
    count = int(np.frombuffer(block, "<u4", 4)[3])
    return np.frombuffer(block, "<f4")[len(block) // 4 - 3 * count :].reshape(-1, 3)


def test_a_dropped_rig_is_shown_with_its_mesh_and_colours(rig: bytes, tmp_path: Path):
    project = imported(Project(), "mine.glb", rig, Shelf())
    assert project.verdict.text == "mine.glb imported with its mesh"
    assert colors_of(project) == pytest.approx(np.tile([1.0, 0.0, 0.0], (len(project.skins["mine"].mesh.vertices), 1)))
    store = Store(tmp_path / "work")
    store.save(project)
    store.save(project)
    again = store.load()
    assert (colors_of(again) == colors_of(project)).all()
    store.save(replace(project, skins={}))
    assert list((tmp_path / "work" / "motions").glob("skin-*")) == []


def test_a_motion_of_other_joints_is_shown_with_understudys_body(rig: bytes):
    project = imported(Project(), "mine.glb", rig, Shelf())
    other = Shelf().standing
    skeleton = replace(other.skeleton, names=tuple(f"other_{name}" for name in other.skeleton.names))
    scene = project.scene.with_motion("mine", replace(other, skeleton=skeleton))
    assert len(colors_of(replace(project, scene=scene))) == 0


def test_a_damaged_mesh_is_told_and_the_motion_comes_all_the_same(rig: bytes, tmp_path: Path):
    path = tmp_path / "rig.glb"
    path.write_bytes(rig)
    document = load_document(path)
    document.root["meshes"][0]["primitives"][0]["extensions"] = {"KHR_draco_mesh_compression": {}}
    project = imported(Project(), "mine.glb", packed_glb(document.root, document.binary or b""), Shelf())
    assert "without its mesh" in project.verdict.text and "Draco" in project.verdict.text
    assert project.skins == {} and project.scene.characters[0].name == "mine"
    (tmp_path / "bad.npz").write_bytes(b"nothing")
    with pytest.raises(FormatError, match="damaged"):
        load_skin(tmp_path / "bad.npz")
