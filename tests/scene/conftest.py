"""A folder with the files that the scenes of ``scene_texts`` name."""

from __future__ import annotations

from pathlib import Path

import pytest

from people import person, wander
from understudy.formats import save_motion
from understudy.scene import Box
from understudy.scene.tessellation import triangles_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    trimesh = pytest.importorskip("trimesh")
    vertices, faces = triangles_of(Box(size_m=(0.2, 0.2, 0.2)))
    trimesh.Trimesh(vertices=vertices, faces=faces).export(tmp_path / "ring.glb")
    save_motion(wander(person(), frames=20), tmp_path / "walk.bvh")
    return tmp_path
