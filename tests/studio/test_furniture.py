"""Things dropped on the studio's page: files with a mesh and nobody in them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh

from formats.fbx_files import FbxFile
from understudy.errors import OptionError
from understudy.scene import Mesh
from understudy.studio.importing import imported
from understudy.studio.project import Project
from understudy.studio.shelf import Shelf


def table() -> trimesh.Scene:
    """A box two metres up, by its node's own transform."""
    scene = trimesh.Scene()
    scene.add_geometry(
        trimesh.creation.box((1.0, 0.1, 0.5)), transform=trimesh.transformations.translation_matrix((0, 2, 0))
    )
    return scene


@pytest.mark.parametrize("kind", ["glb", "obj", "stl", "ply"])
def test_a_mesh_becomes_a_thing(kind: str) -> None:
    content = table().export(file_type=kind) if kind == "glb" else table().to_mesh().export(file_type=kind)
    data = content.encode() if isinstance(content, str) else content
    project = imported(Project(), f"my table.{kind}", data, Shelf())
    (thing,) = project.scene.objects
    assert isinstance(thing.shape, Mesh)
    assert (thing.name, thing.shape.file, project.scene.characters) == ("my_table", "", ())
    np.testing.assert_allclose(thing.shape.vertices[:, 1].mean(), 2.0, atol=1e-6)
    again = imported(project, f"my table.{kind}", data, Shelf())
    assert len({one.name for one in again.scene.objects}) == 2


def test_fbx_furniture_comes_in_metres_and_upright(tmp_path: Path) -> None:
    file = FbxFile(UpAxis=2, FrontAxis=1, FrontAxisSign=-1)
    box = trimesh.creation.box((10.0, 10.0, 100.0))
    file.with_mesh("post", box.vertices, box.faces, **{"Lcl Translation": (0.0, 0.0, 100.0)})
    project = imported(Project(), "post.fbx", file.write(tmp_path / "post.fbx").read_bytes(), Shelf())
    (thing,) = project.scene.objects
    assert isinstance(thing.shape, Mesh)
    np.testing.assert_allclose(np.ptp(thing.shape.vertices, axis=0), [0.1, 1.0, 0.1], atol=1e-6)
    np.testing.assert_allclose(thing.shape.vertices[:, 1].min(), 0.5, atol=1e-6)
    assert thing.shape.closed


def test_a_gltf_without_the_file_beside_it_is_told(tmp_path: Path) -> None:
    content = trimesh.exchange.gltf.export_gltf(table())["model.gltf"]
    with pytest.raises(OptionError, match=r'"table\.gltf": needs ".*", which is not beside it'):
        imported(Project(), "table.gltf", content, Shelf())
    with pytest.raises(OptionError):
        imported(Project(), "table.glb", b"junk", Shelf())
