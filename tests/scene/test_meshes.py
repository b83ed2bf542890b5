"""Meshes from files: every format, damage of every kind, and real furniture."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formats.fbx_files import FbxFile
from understudy.errors import SceneError, UnderstudyError
from understudy.scene import Box, Sphere, load_mesh
from understudy.scene.meshes import MESH_SUFFIXES
from understudy.scene.tessellation import triangles_of

trimesh = pytest.importorskip("trimesh")


def written(path: Path, vertices: np.ndarray, faces: np.ndarray) -> Path:
    if path.suffix == ".fbx":
        return FbxFile(UnitScaleFactor=100.0).with_mesh("thing", vertices, faces).write(path)
    trimesh.Trimesh(vertices=vertices, faces=faces, process=False).export(path)
    return path


@pytest.mark.parametrize("suffix", MESH_SUFFIXES)
def test_every_format_gives_the_same_closed_mesh(suffix: str, tmp_path: Path) -> None:
    vertices, faces = triangles_of(Sphere(radius_m=0.5))
    mesh = load_mesh(written(tmp_path / f"ball{suffix}", vertices, faces))
    assert mesh.closed
    assert len(mesh.faces) == len(faces)
    assert len(mesh.vertices) == len(vertices)
    np.testing.assert_allclose(np.sort(np.linalg.norm(mesh.vertices, axis=1)), 0.5, atol=1e-6)


def test_scale_is_metres_per_unit(tmp_path: Path) -> None:
    file = written(tmp_path / "box.stl", *triangles_of(Box(size_m=(100, 200, 300))))
    mesh = load_mesh(file, scale=0.01)
    np.testing.assert_allclose(np.ptp(mesh.vertices, axis=0), [1, 2, 3], rtol=1e-6)
    assert (mesh.scale, mesh.file) == (0.01, str(file))


def test_a_closed_mesh_inside_out_is_turned(tmp_path: Path) -> None:
    vertices, faces = triangles_of(Box(size_m=(1, 1, 1)))
    mesh = load_mesh(written(tmp_path / "box.ply", vertices, faces[:, ::-1]))
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6 == pytest.approx(1.0)


def test_open_and_non_manifold_meshes_are_surfaces_without_inside(tmp_path: Path) -> None:
    vertices, faces = triangles_of(Box(size_m=(1, 1, 1)))
    assert not load_mesh(written(tmp_path / "open.obj", vertices, faces[1:])).closed
    fin = np.concatenate([faces, [[0, 1, 7]]])
    assert not load_mesh(written(tmp_path / "fin.obj", vertices, fin)).closed


def test_triangles_without_area_go(tmp_path: Path) -> None:
    file = tmp_path / "flat.obj"
    file.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nf 1 2 3\nf 1 2 4\nf 1 1 2\n")
    mesh = load_mesh(file)
    assert len(mesh.faces) == 1
    assert len(mesh.vertices) == 3


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.obj", b"", "cannot be read|no triangles"),
        ("empty.stl", b"", "cannot be read|no triangles"),
        ("empty.glb", b"", "cannot be read|no triangles"),
        ("points.obj", b"v 0 0 0\nv 1 0 0\n", "cannot be read|no triangles"),
        ("flat.obj", b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "no triangle with an area"),
        ("nan.obj", b"v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not finite|cannot be read"),
        ("index.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "does not exist|cannot be read|no triangles"),
        ("noise.glb", bytes(range(256)), "cannot be read"),
        ("noise.ply", bytes(range(256)), "cannot be read"),
        ("mesh.fbx", b"", "cannot be read: is not an FBX file"),
        ("mesh.xyz", b"", 'unknown ending ".xyz"'),
    ],
)
def test_damaged_files_are_named(name: str, content: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SceneError, match=words) as caught:
        load_mesh(tmp_path / name)
    assert name in str(caught.value)


def test_a_missing_file_hints_at_its_neighbour(tmp_path: Path) -> None:
    written(tmp_path / "ring.glb", *triangles_of(Box(size_m=(1, 1, 1))))
    with pytest.raises(SceneError, match='no such file; did you mean "ring'):
        load_mesh(tmp_path / "rng.glb")
    with pytest.raises(SceneError, match="no such file"):
        load_mesh(tmp_path / "no" / "such.glb")
    with pytest.raises(SceneError, match="scale"):
        load_mesh(tmp_path / "ring.glb", scale=0.0)


def test_a_gltf_without_its_buffer_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "box.glb", *triangles_of(Box(size_m=(1, 1, 1))))
    raw = (tmp_path / "box.glb").read_bytes()
    (length,) = struct.unpack_from("<I", raw, 12)
    document = json.loads(raw[20 : 20 + length])
    document["buffers"][0]["uri"] = "gone.bin"
    (tmp_path / "box.gltf").write_text(json.dumps(document))
    with pytest.raises(SceneError, match=r"gone\.bin"):
        load_mesh(tmp_path / "box.gltf")


@given(data=st.data(), suffix=st.sampled_from([".glb", ".obj", ".ply", ".stl"]))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_bytes_changed_at_random_never_raise_anything_else(data, suffix: str, tmp_path: Path) -> None:
    file = written(tmp_path / f"box{suffix}", *triangles_of(Box(size_m=(1, 1, 1))))
    raw = bytearray(file.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        raw = raw[: data.draw(st.integers(0, len(raw)))]
    file.write_bytes(bytes(raw))
    try:
        mesh = load_mesh(file)
    except UnderstudyError:
        return
    assert np.isfinite(mesh.vertices).all()


def test_furniture_loads_in_its_own_size(shared_assets: Path) -> None:
    files = sorted(shared_assets.glob("kaykit_*/*.gltf"))
    assert files
    for file in files[::6]:
        mesh = load_mesh(file)
        size = np.ptp(mesh.vertices, axis=0)
        assert size.max() < 20, file
        assert size.min() > 0.001, file
        document = json.loads(file.read_text("utf-8"))
        assert (
            len(mesh.faces) <= sum(entry["count"] for entry in document["accessors"] if entry["type"] == "SCALAR") // 3
        )
