"""Motions written onto other people's rigged files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from formats.gltf_tools import assert_flawless, edited, khronos_reports, three_samples
from people import person, wander, world_positions
from understudy import rotations as rot
from understudy.core import Motion
from understudy.errors import FormatError, SkeletonError
from understudy.formats import load_motion, save_motion
from understudy.formats.glb_rig import load_rig, write_rig
from understudy.formats.gltf_document import load_document

RIGS = ["CesiumMan", "RiggedFigure", "RiggedSimple"]


@pytest.fixture(params=RIGS)
def rig_path(request: pytest.FixtureRequest, shared_assets: Path) -> Path:
    return shared_assets / "khronos" / request.param / f"{request.param}.glb"


class TestRecordedRigs:
    def test_own_motion_is_reproduced(self, rig_path: Path, tmp_path: Path) -> None:
        motion = load_motion(rig_path)
        out = write_rig(load_rig(rig_path), motion, tmp_path / "out.glb")
        np.testing.assert_allclose(world_positions(load_motion(out)), world_positions(motion), atol=1e-5)
        times = [0.0, 0.5 * motion.duration_s]
        start = load_document(rig_path).root["accessors"]
        first = min(a["min"][0] for a in start if a["type"] == "SCALAR" and a["componentType"] == 5126)
        before = three_samples(rig_path, [time + first for time in times])["samples"]
        after = three_samples(out, times)["samples"]
        for old, new in zip(before, after, strict=True):
            for name, position in old["nodes"].items():
                np.testing.assert_allclose(new["nodes"][name], position, atol=1e-5)
            for name, box in old["boxes"].items():
                np.testing.assert_allclose(new["boxes"][name], box, atol=1e-5)

    def test_any_motion_of_its_skeleton(self, rig_path: Path, tmp_path: Path) -> None:
        rig = load_rig(rig_path)
        motion = wander(rig.skeleton, frames=9)
        out = write_rig(rig, motion, tmp_path / "out.glb")
        shown = three_samples(out, [0.1])["samples"][0]["nodes"]
        wanted, _ = motion.pose_at(0.1).world()
        np.testing.assert_allclose([shown[name] for name in rig.skeleton.names], wanted, atol=1e-4)

    def test_validator_finds_nothing_new(self, rig_path: Path, tmp_path: Path) -> None:
        out = write_rig(load_rig(rig_path), load_motion(rig_path), tmp_path / "out.glb")
        before, after = khronos_reports(rig_path, out)
        assert (after["errors"], after["warnings"]) == (before["errors"], before["warnings"])

    def test_everything_else_is_kept(self, rig_path: Path, tmp_path: Path) -> None:
        out = write_rig(load_rig(rig_path), load_motion(rig_path), tmp_path / "out.glb")
        old, new = load_document(rig_path), load_document(out)
        for key in set(old.root) - {"nodes", "animations", "accessors", "bufferViews", "buffers"}:
            assert new.root[key] == old.root[key], key
        for key in ("accessors", "bufferViews"):
            assert new.root[key][: len(old.root[key])] == old.root[key]
        length = old.root["buffers"][0]["byteLength"]
        assert (new.binary or b"")[:length] == (old.binary or b"")[:length]
        assert len(new.root["animations"]) == 1
        kept = load_document(
            write_rig(load_rig(rig_path), load_motion(rig_path), tmp_path / "kept.glb", keep_animations=True)
        )
        assert kept.root["animations"][1:] == old.root["animations"]


class TestBuiltRigs:
    @pytest.fixture
    def motion(self) -> Motion:
        return wander(person(), frames=10)

    def test_scaled_turned_armature(self, motion: Motion, tmp_path: Path) -> None:
        """A rig in centimetres, Z up, under an armature that converts it."""

        def change(root: dict[str, Any], _: bytearray) -> None:
            for joint in range(len(motion.skeleton)):
                node = root["nodes"][joint]
                node["translation"] = [100.0 * value for value in node["translation"]]
            turn = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), -np.pi / 2)
            root["nodes"].append(
                {"name": "Armature", "scale": [0.01] * 3, "rotation": turn[[1, 2, 3, 0]].tolist(), "children": [0]}
            )
            root["scenes"][0]["nodes"][0] = len(root["nodes"]) - 1
            root["skins"][0].pop("extras")
            root["skins"][0].pop("inverseBindMatrices")
            root["skins"][0].pop("skeleton")

        path = edited(save_motion(motion, tmp_path / "own.glb"), tmp_path / "rig.glb", change)
        rig = load_rig(path)
        assert rig.skeleton.is_humanoid
        assert rig.skeleton.bone_length_m("leftUpperLeg", "leftLowerLeg") == pytest.approx(0.41, abs=1e-5)
        moved = wander(rig.skeleton, frames=7, seed=3)
        out = write_rig(rig, moved, tmp_path / "out.glb")
        np.testing.assert_allclose(world_positions(load_motion(out)), world_positions(moved), atol=1e-5)
        shown = three_samples(out, [0.1])["samples"][0]["nodes"]
        wanted, _ = moved.pose_at(0.1).world()
        np.testing.assert_allclose([shown[name] for name in rig.skeleton.names], wanted, atol=1e-4)

    def test_longer_bones_get_their_own_track(self, motion: Motion, tmp_path: Path) -> None:
        rig = load_rig(save_motion(motion, tmp_path / "rig.glb"))
        tall = wander(person(1.2), frames=5)
        out = write_rig(rig, tall, tmp_path / "out.glb")
        assert_flawless(out)
        np.testing.assert_allclose(world_positions(load_motion(out)), world_positions(tall), atol=1e-5)

    def test_files_beside_a_gltf_are_moved_in(self, motion: Motion, tmp_path: Path) -> None:
        document = load_document(save_motion(motion, tmp_path / "own.glb"))
        pixel = bytes.fromhex(
            "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154"
            "78da63f8ffff3f0005fe02fea7352f0d0000000049454e44ae426082"
        )
        (tmp_path / "skin.png").write_bytes(pixel)
        (tmp_path / "own.bin").write_bytes(document.binary or b"")
        root = document.root
        root["buffers"][0]["uri"] = "own.bin"
        root["images"] = [{"uri": "skin.png"}]
        root["textures"] = [{"source": 0}]
        root["materials"][0]["emissiveTexture"] = {"index": 0}
        (tmp_path / "rig.gltf").write_text(json.dumps(root))
        out = write_rig(load_rig(tmp_path / "rig.gltf"), motion, tmp_path / "out.glb")
        moved = load_document(out)
        view = moved.root["bufferViews"][moved.root["images"][0]["bufferView"]]
        assert (moved.binary or b"")[view["byteOffset"] :][: view["byteLength"]] == pixel
        np.testing.assert_allclose(world_positions(load_motion(out)), world_positions(motion), atol=1e-5)

    def test_refusals(self, motion: Motion, tmp_path: Path) -> None:
        path = save_motion(motion, tmp_path / "rig.glb")
        rig = load_rig(path)
        with pytest.raises(FormatError, match=r"\.glb"):
            write_rig(rig, motion, tmp_path / "out.fbx")
        shorter = motion.skeleton.names[:1]
        with pytest.raises(SkeletonError, match="retarget"):
            write_rig(rig, wander(type(motion.skeleton)(names=shorter, parents=[-1], offsets=[[0, 0, 0]])), path)
        with pytest.raises(FormatError, match="read"):
            load_rig(tmp_path / "missing.glb")
        with pytest.raises(FormatError, match="no skin"):
            load_rig(edited(path, tmp_path / "bare.glb", lambda root, _: root.pop("skins")))
