"""Reading glTF files of others: every encoding the format allows, rigs as tools export them."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation, Slerp

from formats.gltf_tools import append_accessor, channel, edited, three_samples
from people import person, random_frames, wander, with_joint_frames, world_positions
from understudy import rotations as rot
from understudy.core import Motion
from understudy.errors import FormatError
from understudy.formats import ReadOptions, load_motion, load_motions, save_motion
from understudy.formats.gltf_document import load_document

Json = dict[str, Any]
FRAMES = 12


@pytest.fixture
def motion() -> Motion:
    skeleton = with_joint_frames(person(), random_frames(person(), 1))
    return wander(skeleton, frames=FRAMES)


@pytest.fixture
def glb(motion: Motion, tmp_path: Path) -> Path:
    return save_motion(motion, tmp_path / "own.glb")


def anonymous(root: Json, _: bytearray | None = None) -> None:
    """Remove what only Understudy writes."""
    for skin in root["skins"]:
        skin.pop("extras", None)


class TestRecordedCharacters:
    @pytest.mark.parametrize(("name", "height"), [("CesiumMan", 1.17), ("RiggedFigure", 1.17)])
    def test_humanoids(self, shared_assets: Path, name: str, height: float) -> None:
        motion = load_motion(shared_assets / "khronos" / name / f"{name}.glb")
        assert motion.skeleton.is_humanoid
        assert motion.fps == 24.0
        positions, _ = motion.skeleton.rest_world
        assert np.ptp(positions[:, 1]) == pytest.approx(height, abs=0.02)
        left, right = (positions[motion.skeleton.index(f"{side}UpperArm")] for side in ("left", "right"))
        assert left[0] - right[0] > 0.15

    def test_cylinder_is_no_humanoid(self, shared_assets: Path) -> None:
        motion = load_motion(shared_assets / "khronos" / "RiggedSimple" / "RiggedSimple.glb")
        assert (len(motion.skeleton), len(motion), dict(motion.skeleton.humanoid)) == (2, 50, {})

    @pytest.mark.parametrize("name", ["CesiumMan", "RiggedFigure", "RiggedSimple"])
    def test_joints_move_as_in_three(self, shared_assets: Path, name: str) -> None:
        path = shared_assets / "khronos" / name / f"{name}.glb"
        motion = load_motion(path)
        start = 0.0 if name == "RiggedFigure" else 0.04166661947965622
        times = [0.0, 0.4, 1.1]
        shown = three_samples(path, [time + start for time in times])
        for time, sample in zip(times, shown["samples"], strict=True):
            wanted = np.array([sample["nodes"][joint] for joint in motion.skeleton.names])
            np.testing.assert_allclose(motion.pose_at(time).world()[0], wanted, atol=1e-4)

    def test_furniture_is_refused(self, shared_assets: Path) -> None:
        with pytest.raises(FormatError, match="no character"):
            load_motion(shared_assets / "kaykit_furniture" / "chair_A.gltf")


class TestContainers:
    def split(self, glb: Path, folder: Path, uri: str) -> Path:
        document = load_document(glb)
        document.root["buffers"][0]["uri"] = uri
        target = folder / "split.gltf"
        target.write_text(json.dumps(document.root))
        (folder / "data file.bin").write_bytes(document.binary or b"")
        return target

    def test_external_buffer(self, glb: Path, motion: Motion, tmp_path: Path) -> None:
        found = load_motion(self.split(glb, tmp_path, "data%20file.bin"))
        np.testing.assert_allclose(world_positions(found), world_positions(motion), atol=1e-5)

    def test_data_uri(self, glb: Path, motion: Motion, tmp_path: Path) -> None:
        text = base64.b64encode(load_document(glb).binary or b"").decode()
        found = load_motion(self.split(glb, tmp_path, f"data:application/octet-stream;base64,{text}"))
        np.testing.assert_allclose(world_positions(found), world_positions(motion), atol=1e-5)

    @pytest.mark.parametrize(
        "uri", ["../data file.bin", "%2e%2e/data file.bin", "/etc/hostname", "http://127.0.0.1/x.bin", "file:///x"]
    )
    def test_nothing_outside_the_folder_is_read(self, glb: Path, tmp_path: Path, uri: str) -> None:
        inner = tmp_path / "inner"
        inner.mkdir()
        path = self.split(glb, inner, uri)
        (inner / "data file.bin").rename(tmp_path / "data file.bin")
        with pytest.raises(FormatError, match=r"outside|only files beside"):
            load_motion(path)

    def test_link_out_of_the_folder(self, glb: Path, tmp_path: Path) -> None:
        inner = tmp_path / "inner"
        inner.mkdir()
        path = self.split(glb, inner, "link.bin")
        (inner / "data file.bin").rename(tmp_path / "secret.bin")
        (inner / "link.bin").symlink_to(tmp_path / "secret.bin")
        with pytest.raises(FormatError, match="outside"):
            load_motion(path)


class TestEncodings:
    def test_normalised_integers(self, glb: Path, motion: Motion, tmp_path: Path) -> None:
        xyzw = motion.rotations[:, 3][:, [1, 2, 3, 0]]

        def change(root: Json, binary: bytearray) -> None:
            short = np.round(xyzw * 32767).astype("<i2")
            channel(root, 3, "rotation")["output"] = append_accessor(root, binary, short, "VEC4", 5122, normalized=True)

        found = load_motion(edited(glb, tmp_path / "a.glb", change))
        assert rot.angle_between(found.rotations, motion.rotations).max() < 1e-4
        assert rot.angle_between(found.rotations[:, 3], motion.rotations[:, 3]).max() > 0

    def test_stride_and_sparse(self, glb: Path, motion: Motion, tmp_path: Path) -> None:
        def change(root: Json, binary: bytearray) -> None:
            wide = np.full((FRAMES, 5), 7.0, dtype="<f4")
            wide[:, :3] = motion.root_positions
            accessor = append_accessor(root, binary, wide, "VEC3", 5126)
            root["bufferViews"][root["accessors"][accessor]["bufferView"]]["byteStride"] = 20
            where = append_accessor(root, binary, np.array([2, 5], dtype="<u2"), "SCALAR", 5123)
            values = append_accessor(root, binary, np.array([[1, 2, 3], [4, 5, 6]], dtype="<f4"), "VEC3", 5126)
            root["accessors"][accessor]["sparse"] = {
                "count": 2,
                "indices": {"bufferView": root["accessors"][where]["bufferView"], "componentType": 5123},
                "values": {"bufferView": root["accessors"][values]["bufferView"]},
            }
            channel(root, 0, "translation")["output"] = accessor

        found = load_motion(edited(glb, tmp_path / "a.glb", change))
        wanted = motion.root_positions.astype(np.float32)
        wanted[[2, 5]] = [[1, 2, 3], [4, 5, 6]]
        np.testing.assert_array_equal(found.root_positions, wanted)

    def test_cubic_step_and_uneven_keys(self, glb: Path, tmp_path: Path) -> None:
        rng = np.random.default_rng(0)
        keys = np.array([0.0, 0.13, 0.3, 0.9, 1.0], dtype=np.float32)
        cubic = rng.normal(size=(5, 3, 3)).astype(np.float32)
        turns = Rotation.random(5, random_state=1)

        def change(root: Json, binary: bytearray) -> None:
            times = append_accessor(root, binary, keys, "SCALAR", 5126, min=[0.0], max=[1.0])
            root["animations"][0]["channels"] = root["animations"][0]["channels"][:3]
            moved = append_accessor(root, binary, cubic.reshape(-1, 3), "VEC3", 5126)
            turned = append_accessor(root, binary, turns.as_quat().astype("<f4"), "VEC4", 5126)
            channel(root, 0, "translation").update(input=times, output=moved, interpolation="CUBICSPLINE")
            channel(root, 0, "rotation").update(input=times, output=turned, interpolation="LINEAR")
            channel(root, 1, "rotation").update(input=times, output=turned, interpolation="STEP")
            anonymous(root)

        found = load_motion(edited(glb, tmp_path / "a.glb", change))
        assert (found.fps, len(found)) == (30.0, 31)
        assert any("uneven" in note for note in found.origin.notes)
        times = found.times_s
        knots = keys.astype(np.float64)
        out = np.stack(
            [
                np.where(
                    times < knots[i + 1],
                    CubicHermiteSpline(
                        knots[i : i + 2], cubic[i : i + 2, 1, axis], [cubic[i, 2, axis], cubic[i + 1, 0, axis]]
                    )(times),
                    np.nan,
                )
                for i in range(4)
                for axis in range(3)
            ]
        ).reshape(4, 3, -1)
        piece = np.clip(np.searchsorted(knots, times, side="right") - 1, 0, 3)
        wanted = np.where((times >= knots[-1] - 1e-6)[:, None], cubic[-1, 1], out[piece, :, np.arange(len(times))])
        np.testing.assert_allclose(found.root_positions, wanted, atol=1e-5)
        slerped = Slerp(knots, turns)(np.minimum(times, knots[-1])).as_quat()[:, [3, 0, 1, 2]]
        assert rot.angle_between(found.rotations[:, 0], slerped).max() < 1e-5
        held = turns.as_quat()[np.searchsorted(knots, times + 1e-4, side="right") - 1][:, [3, 0, 1, 2]]
        assert rot.angle_between(found.rotations[:, 1], held).max() < 1e-5


class TestHierarchies:
    def test_static_ancestors_are_folded_in(self, glb: Path, motion: Motion, tmp_path: Path) -> None:
        turn = Rotation.from_euler("xyz", [90, 20, -35], degrees=True)
        shift = np.array([1.0, 2.0, 3.0])

        def change(root: Json, _: bytearray) -> None:
            matrix = np.eye(4)
            matrix[:3, :3] = 0.01 * turn.as_matrix()
            matrix[:3, 3] = shift
            root["nodes"].append(
                {"name": "Z_UP", "matrix": matrix.T.ravel().tolist(), "children": [len(root["nodes"]) + 1]}
            )
            root["nodes"].append({"name": "Armature", "scale": [100.0] * 3, "children": [0]})
            root["scenes"][0]["nodes"] = [len(root["nodes"]) - 2, *root["scenes"][0]["nodes"][1:]]
            anonymous(root)

        path = edited(glb, tmp_path / "a.glb", change)
        found = load_motion(path)
        wanted = turn.apply(world_positions(motion).reshape(-1, 3)).reshape(FRAMES, -1, 3) + shift
        np.testing.assert_allclose(world_positions(found), wanted, atol=1e-5)
        rest, _ = found.skeleton.rest_world
        np.testing.assert_allclose(rest, turn.apply(motion.skeleton.rest_world[0]) + shift, atol=1e-4)

    def test_rest_is_the_bind_pose_not_the_nodes(self, glb: Path, motion: Motion, tmp_path: Path) -> None:
        def change(root: Json, _: bytearray) -> None:
            for joint in range(1, len(motion.skeleton)):
                root["nodes"][joint]["rotation"] = motion.rotations[5, joint][[1, 2, 3, 0]].tolist()
            anonymous(root)

        found = load_motion(edited(glb, tmp_path / "a.glb", change))
        assert rot.angle_between(found.skeleton.rest_rotations, motion.skeleton.rest_rotations).max() < 1e-3
        np.testing.assert_allclose(world_positions(found), world_positions(motion), atol=1e-5)

    def test_control_joint_above_the_hips(self, glb: Path, motion: Motion, tmp_path: Path) -> None:
        """The root bone is animated too: the hips still travel as they should."""

        def change(root: Json, binary: bytearray) -> None:
            new = len(root["nodes"])
            root["nodes"].append({"name": "root", "translation": [0.0, 0.0, 1.0], "children": [0, new + 1]})
            root["nodes"].append({"name": "ik_target"})
            root["scenes"][0]["nodes"][0] = new
            root["skins"][0]["joints"] += [new, new + 1]
            root["skins"][0]["skeleton"] = new
            del root["skins"][0]["inverseBindMatrices"]
            anonymous(root)

        found = load_motion(edited(glb, tmp_path / "a.glb", change))
        assert found.skeleton.names[0] == "hips"
        wanted = world_positions(motion) + np.array([0.0, 0.0, 1.0])
        names = [motion.skeleton.names.index(name) for name in found.skeleton.names]
        np.testing.assert_allclose(world_positions(found), wanted[:, names], atol=1e-5)
        assert any("folded" in note for note in found.origin.notes)

    def test_skins_that_share_joints_are_one_character(self, glb: Path, tmp_path: Path) -> None:
        def change(root: Json, _: bytearray) -> None:
            root["skins"].append({"joints": [3, 4, 5], "name": "hat"})

        assert len(load_motions(edited(glb, tmp_path / "a.glb", change))) == 1

    def test_nodes_without_skin(self, glb: Path, motion: Motion, tmp_path: Path) -> None:
        def change(root: Json, _: bytearray) -> None:
            del root["skins"]
            for node in root["nodes"]:
                node.pop("skin", None)

        found = load_motion(edited(glb, tmp_path / "a.glb", change))
        assert found.skeleton.is_humanoid
        np.testing.assert_allclose(world_positions(found), world_positions(motion), atol=1e-5)

    def test_varying_bone_is_averaged_and_noted(self, glb: Path, motion: Motion, tmp_path: Path) -> None:
        def change(root: Json, binary: bytearray) -> None:
            values = np.tile([0.1, 0.2, 0.3], (FRAMES, 1)).astype("<f4")
            values[:, 0] += np.linspace(-0.05, 0.05, FRAMES)
            output = append_accessor(root, binary, values, "VEC3", 5126)
            animation = root["animations"][0]
            animation["samplers"].append({"input": animation["samplers"][0]["input"], "output": output})
            target = {"node": 4, "path": "translation"}
            animation["channels"].append({"sampler": len(animation["samplers"]) - 1, "target": target})

        found = load_motion(edited(glb, tmp_path / "a.glb", change))
        np.testing.assert_allclose(found.skeleton.offsets[4], [0.1, 0.2, 0.3], atol=1e-6)
        assert any(motion.skeleton.names[4] in note for note in found.origin.notes)


class TestChoices:
    def test_takes(self, glb: Path, tmp_path: Path) -> None:
        def change(root: Json, _: bytearray) -> None:
            root["animations"].append({**root["animations"][0], "name": "again"})

        path = edited(glb, tmp_path / "a.glb", change)
        assert any("again" in note for note in load_motion(path).origin.notes)
        assert len(load_motion(path, options=ReadOptions(take="again"))) == FRAMES
        with pytest.raises(FormatError, match='did you mean "again"'):
            load_motion(path, options=ReadOptions(take="agian"))

    def test_no_animation(self, glb: Path, motion: Motion, tmp_path: Path) -> None:
        found = load_motion(edited(glb, tmp_path / "a.glb", lambda root, _: root.pop("animations")))
        assert len(found) == 1
        np.testing.assert_allclose(world_positions(found)[0], motion.skeleton.rest_world[0], atol=1e-5)

    def test_fps_mapping_unit_and_axis(self, glb: Path, motion: Motion) -> None:
        options = ReadOptions(fps=60.0, mapping={"hips": "spine"}, unit_m=0.01, up="z")
        found = load_motion(glb, options=options)
        assert (found.fps, len(found)) == (60.0, 2 * FRAMES - 1)
        assert dict(found.skeleton.humanoid) == {"hips": 1}
        wanted = Rotation.from_euler("x", -90, degrees=True).apply(motion.root_positions.copy()) * 0.01
        np.testing.assert_allclose(found.root_positions[::2], wanted, atol=1e-6)

    def test_declared_vrm_roles(self, glb: Path, tmp_path: Path) -> None:
        def change(root: Json, _: bytearray) -> None:
            anonymous(root)
            for index, node in enumerate(root["nodes"]):
                node["name"] = f"n{index}"
            bones = {"hips": {"node": 0}, "head": {"node": 5}, "leftEye": {"node": 1}}
            root["extensions"] = {"VRMC_vrm": {"humanoid": {"humanBones": bones}}}

        found = load_motion(edited(glb, tmp_path / "a.glb", change))
        assert dict(found.skeleton.humanoid) == {"hips": 0, "head": 5}

    @pytest.mark.parametrize("fps", [24.0, 25.0, 29.97, 30.0, 59.94, 60.0, 120.0, 73.0])
    def test_rate_is_recognised(self, tmp_path: Path, fps: float) -> None:
        path = save_motion(wander(person(), frames=400, fps=fps), tmp_path / "a.glb")
        assert load_motion(edited(path, tmp_path / "b.glb", anonymous)).fps == pytest.approx(fps, rel=1e-6)
