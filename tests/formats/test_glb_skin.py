"""Meshes of people's own rigs: where glTF's own rules put them, bound to the skeleton that was read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import understudy as us
from understudy import rotations as rot
from understudy.core.body_fit import fit_body
from understudy.core.skin.body_mesh import body_mesh
from understudy.errors import FormatError
from understudy.formats.glb_skin import OwnSkin, load_own_skin
from understudy.formats.gltf_document import load_document, packed_glb
from understudy.kinematics.forward import motion_world


def posed(own: OwnSkin, motion: us.Motion, frame: int) -> np.ndarray:
    """The mesh skinned by a frame of a motion."""
    world = motion_world(motion)
    positions, turns = world.positions[frame], world.rotations[frame]
    at_rest, rest = motion.skeleton.rest_world
    mesh, total = own.mesh, np.zeros_like(own.mesh.vertices)
    for k in range(4):
        joint = mesh.joints[:, k]
        inside = rot.rotate(rot.conjugate(rest[joint]), mesh.vertices - at_rest[joint])
        total += mesh.weights[:, k, None] * (positions[joint] + rot.rotate(turns[joint], inside))
    return total


@pytest.fixture
def rig(tmp_path: Path) -> Path:
    """A walk as a rig somebody else made: nothing in it says that Understudy wrote it."""
    path = tmp_path / "rig.glb"
    us.save_motion(us.builtin_clips("walk")[0], path)
    document = load_document(path)
    for skin in document.root["skins"]:
        skin.pop("extras", None)
    path.write_bytes(packed_glb(document.root, document.binary or b""))
    return path


def test_a_mesh_comes_back_where_it_was_written(rig: Path) -> None:
    motion = us.load_motion(rig)
    own = load_own_skin(rig, motion.skeleton)
    assert own is not None and own.fits(motion.skeleton)
    written = body_mesh(fit_body(motion.skeleton))
    assert own.mesh.vertices == pytest.approx(written.vertices, abs=1e-4)
    assert (own.mesh.faces == written.faces).all()
    assert np.abs(np.sum(own.mesh.normals * written.normals, axis=1) - 1.0).max() < 1e-4
    assert own.mesh.weights.sum(axis=1) == pytest.approx(np.ones(len(written.vertices)))
    assert own.colors.shape == own.mesh.vertices.shape and 0.0 <= own.colors.min() <= own.colors.max() <= 1.0


def test_what_understudy_wrote_is_shown_with_its_own_body(tmp_path: Path) -> None:
    path = tmp_path / "own.glb"
    us.save_motion(us.builtin_clips("walk")[0], path)
    assert load_own_skin(path, us.load_motion(path).skeleton) is None


@pytest.mark.parametrize("name", ["CesiumMan", "RiggedFigure"])
def test_a_posed_mesh_is_where_gltf_says(shared_assets: Path, name: str) -> None:
    path = shared_assets / "khronos" / name / f"{name}.glb"
    if not path.is_file():
        pytest.skip(f"needs {name}.glb")
    motion = us.load_motion(path)
    own = load_own_skin(path, motion.skeleton)
    assert own is not None
    # An oracle of its own: the file's nodes and matrices, multiplied as the specification says.
    import pygltflib

    gltf = pygltflib.GLTF2().load(str(path))
    for frame in (0, len(motion) // 2):
        expected = specified(gltf, motion.times_s[frame])
        assert np.abs(posed(own, motion, frame) - expected).max() < 5e-3


def specified(gltf, time_s: float) -> np.ndarray:
    def numbers(index: int) -> np.ndarray:
        one = gltf.accessors[index]
        view = gltf.bufferViews[one.bufferView]
        kind = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}[one.componentType]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[one.type]
        data, size = gltf.binary_blob(), np.dtype(kind).itemsize * width
        first, stride = (view.byteOffset or 0) + (one.byteOffset or 0), view.byteStride or size
        rows = [np.frombuffer(data, kind, width, first + k * stride) for k in range(one.count)]
        return np.array(rows, dtype=np.float64)

    moved: dict[tuple[int, str], np.ndarray] = {}
    animation = gltf.animations[0]
    for channel in animation.channels:
        sampler = animation.samplers[channel.sampler]
        times, values = numbers(sampler.input)[:, 0], numbers(sampler.output)
        at = int(np.clip(np.searchsorted(times, time_s + times[0], side="right") - 1, 0, len(times) - 2))
        share = np.clip((time_s + times[0] - times[at]) / (times[at + 1] - times[at]), 0.0, 1.0)
        a, b = values[at], values[at + 1]
        moved[channel.target.node, channel.target.path] = (1 - share) * a + share * (b if a @ b >= 0 else -b)

    def local(node: int) -> np.ndarray:
        one, made = gltf.nodes[node], np.eye(4)
        if one.matrix:
            return np.array(one.matrix).reshape(4, 4).T
        turn = np.array(moved.get((node, "rotation"), one.rotation or [0, 0, 0, 1]))
        turn = turn / np.linalg.norm(turn)
        made[:3, :3] = rot.to_matrix(turn[[3, 0, 1, 2]]) * np.array(moved.get((node, "scale"), one.scale or [1, 1, 1]))
        made[:3, 3] = moved.get((node, "translation"), one.translation or [0, 0, 0])
        return made

    above = {child: node for node, one in enumerate(gltf.nodes) for child in one.children or []}

    def world(node: int) -> np.ndarray:
        return local(node) if node not in above else world(above[node]) @ local(node)

    skin = gltf.skins[0]
    binds = numbers(skin.inverseBindMatrices).reshape(-1, 4, 4).swapaxes(1, 2)
    moves = np.array([world(node) @ bind for node, bind in zip(skin.joints, binds, strict=True)])
    primitive = gltf.meshes[0].primitives[0].attributes
    points, joints, weights = (numbers(k) for k in (primitive.POSITION, primitive.JOINTS_0, primitive.WEIGHTS_0))
    mixed = np.einsum("vk,vkij->vij", weights / weights.sum(axis=1, keepdims=True), moves[joints.astype(int)])
    return np.einsum("vij,vj->vi", mixed[:, :3, :3], points) + mixed[:, :3, 3]


def test_damaged_meshes_are_told_and_nothing_else_happens(rig: Path) -> None:
    skeleton = us.load_motion(rig).skeleton
    document = load_document(rig)
    for change, says in (
        (lambda one: one["attributes"].pop("JOINTS_0"), "accessors"),
        (lambda one: one.update(extensions={"KHR_draco_mesh_compression": {}}), "Draco"),
        (lambda one: one.update(indices=one["attributes"]["POSITION"]), "SCALAR"),
    ):
        root = {**document.root, "meshes": [{"primitives": [dict(document.root["meshes"][0]["primitives"][0])]}]}
        primitive = root["meshes"][0]["primitives"][0]
        primitive["attributes"] = dict(primitive["attributes"])
        change(primitive)
        rig.write_bytes(packed_glb(root, document.binary or b""))
        with pytest.raises(FormatError, match=says):
            load_own_skin(rig, skeleton)
