"""USD files: validated by USD's own validators, skinned by UsdSkel, read back."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from formats.test_glb_write import MOTIONS, cubes
from people import person, wander, world_positions
from understudy import rotations as rot
from understudy.core import Motion
from understudy.errors import FormatError, MissingExtraError
from understudy.formats import ReadOptions, WriteOptions, load_motion, load_motions, save_motion

SUFFIXES = ["usda", "usdc", "usd"]


@pytest.fixture
def pxr() -> Any:
    return pytest.importorskip("pxr", reason="needs the extra usd")


def faults(path: Path) -> list[str]:
    from pxr import Usd, UsdValidation

    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    found = UsdValidation.ValidationContext(validators).Validate(Usd.Stage.Open(str(path)))
    return [f"{error.GetName()}: {error.GetMessage()}" for error in found]


@pytest.mark.usefixtures("pxr")
class TestWriting:
    @pytest.mark.parametrize("suffix", SUFFIXES)
    def test_validators_find_nothing(self, tmp_path: Path, suffix: str) -> None:
        motions = [wander(person()), wander(person(0.9), seed=1).renamed("my friend: é")]
        path = save_motion(motions, tmp_path / f"a.{suffix}", options=WriteOptions(props=cubes()))
        assert faults(path) == []

    def test_validators_would_find_something(self, tmp_path: Path) -> None:
        path = save_motion(wander(person()), tmp_path / "a.usda")
        text = path.read_text().replace('prepend apiSchemas = ["SkelBindingAPI"]', "")
        broken = tmp_path / "broken.usda"
        broken.write_text(text.replace("metersPerUnit = 1", ""))
        assert faults(broken)

    def test_stage_says_what_it_is(self, tmp_path: Path) -> None:
        from pxr import Usd, UsdGeom

        motion = wander(person(), frames=31, fps=24.0)
        stage = Usd.Stage.Open(str(save_motion(motion, tmp_path / "a.usdc", options=WriteOptions(props=cubes()))))
        assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
        assert UsdGeom.GetStageUpAxis(stage) == "Y"
        assert (stage.GetTimeCodesPerSecond(), stage.GetStartTimeCode()) == (24.0, 0.0)
        assert stage.GetEndTimeCode() == pytest.approx(1.5 * 24.0)
        ball = UsdGeom.Xformable(stage.GetPrimAtPath("/World/ball"))
        where = ball.ComputeLocalToWorldTransform(Usd.TimeCode(12.0)).ExtractTranslation()
        np.testing.assert_allclose(where, [1.0, 2.0, 0.0], atol=1e-6)

    def test_usd_skins_the_mesh_as_we_do(self, tmp_path: Path) -> None:
        from pxr import Gf, Usd, UsdSkel, Vt

        motion = wander(person(), frames=12)
        stage = Usd.Stage.Open(str(save_motion(motion, tmp_path / "a.usdc")))
        root = UsdSkel.Root(stage.GetPrimAtPath("/World/wander"))
        cache = UsdSkel.Cache()
        cache.Populate(root, Usd.PrimDefaultPredicate)
        (binding,) = cache.ComputeSkelBindings(root, Usd.PrimDefaultPredicate)
        query = cache.GetSkelQuery(binding.GetSkeleton())
        placed = np.array([np.array(m)[3, :3] for m in query.ComputeJointSkelTransforms(7.0)])
        np.testing.assert_allclose(placed, world_positions(motion)[7], atol=1e-5)
        (target,) = binding.GetSkinningTargets()
        points = target.GetPrim().GetAttribute("points").Get()
        rest = np.array(points)
        assert target.ComputeSkinnedPoints(query.ComputeSkinningTransforms(7.0), points, Usd.TimeCode(7.0))
        joints, weights = (np.array(values) for values in target.ComputeVaryingJointInfluences(len(rest)))
        joints, weights = joints.reshape(len(rest), -1), weights.reshape(len(rest), -1)
        at, turn = motion.pose(7).world()
        from_at, from_turn = motion.skeleton.rest_world
        change = rot.multiply(turn, rot.conjugate(from_turn))
        wanted = sum(
            weights[:, k, None] * (at[joints[:, k]] + rot.rotate(change[joints[:, k]], rest - from_at[joints[:, k]]))
            for k in range(joints.shape[1])
        )
        np.testing.assert_allclose(np.array(points), wanted, atol=1e-4)
        assert isinstance(points, Vt.Vec3fArray)
        assert isinstance(points[0], Gf.Vec3f)


@pytest.mark.usefixtures("pxr")
class TestReading:
    @pytest.mark.parametrize("name", MOTIONS)
    def test_comes_back(self, tmp_path: Path, name: str) -> None:
        motion = MOTIONS[name]()
        back = load_motion(save_motion(motion, tmp_path / "a.usdc"))
        assert back.skeleton.names == motion.skeleton.names
        assert dict(back.skeleton.humanoid) == dict(motion.skeleton.humanoid)
        assert back.fps == motion.fps or len(motion) == 1
        assert len(back) == len(motion)
        np.testing.assert_allclose(world_positions(back), world_positions(motion), atol=2e-5)
        np.testing.assert_allclose(back.skeleton.rest_world[0], motion.skeleton.rest_world[0], atol=2e-5)
        np.testing.assert_allclose(back.skeleton.tip_offsets, motion.skeleton.tip_offsets, atol=1e-9)

    def test_several_with_different_rates(self, tmp_path: Path) -> None:
        motions = [wander(person(), frames=20, fps=30.0), wander(person(), frames=50, fps=120.0).renamed("b")]
        found = load_motions(save_motion(motions, tmp_path / "a.usda"))
        for back, motion in zip(found, motions, strict=True):
            assert (back.fps, len(back)) == (motion.fps, len(motion))
            np.testing.assert_allclose(world_positions(back), world_positions(motion), atol=2e-5)

    def test_other_unit_axis_and_ancestors(self, tmp_path: Path) -> None:
        from pxr import Gf, Usd, UsdGeom

        motion = wander(person(), frames=5)
        path = save_motion(motion, tmp_path / "a.usda")
        stage = Usd.Stage.Open(str(path))
        UsdGeom.SetStageMetersPerUnit(stage, 0.01)
        UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
        world = UsdGeom.Xformable(stage.GetPrimAtPath("/World"))
        world.AddRotateXOp().Set(90.0)
        world.AddScaleOp().Set(Gf.Vec3f(100.0))
        stage.GetRootLayer().Save()
        back = load_motion(path)
        np.testing.assert_allclose(world_positions(back), world_positions(motion), atol=1e-5)
        assert (back.origin.unit_m, back.origin.up) == (0.01, "z")

    def test_without_animation(self, tmp_path: Path) -> None:
        motion: Motion = wander(person())
        path = save_motion(motion, tmp_path / "a.usda")
        from pxr import Usd

        stage = Usd.Stage.Open(str(path))
        stage.RemovePrim("/World/wander/Animation")
        stage.GetRootLayer().Save()
        back = load_motion(path)
        assert len(back) == 1
        np.testing.assert_allclose(world_positions(back)[0], motion.skeleton.rest_world[0], atol=1e-5)

    def test_mapping(self, tmp_path: Path) -> None:
        path = save_motion(wander(person()), tmp_path / "a.usdc")
        found = load_motion(path, options=ReadOptions(mapping={"hips": "spine"}))
        assert dict(found.skeleton.humanoid) == {"hips": 1}

    @pytest.mark.parametrize("content", ["", "hello", "#usda 1.0\n(", "#usda 1.0\n", "PXR-USDC" + 100 * "x"])
    def test_damaged(self, tmp_path: Path, content: str) -> None:
        for suffix in SUFFIXES:
            path = tmp_path / f"bad.{suffix}"
            path.write_text(content)
            with pytest.raises(FormatError, match="bad"):
                load_motion(path)

    def test_missing_file(self, tmp_path: Path) -> None:
        with pytest.raises(FormatError, match="no such file"):
            load_motion(tmp_path / "none.usda")


def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pxr", None)
    with pytest.raises(MissingExtraError, match="usd"):
        save_motion(replace(wander(person()), name="a"), tmp_path / "a.usda")
    (tmp_path / "b.usda").write_text("#usda 1.0\n")
    with pytest.raises(MissingExtraError, match="usd"):
        load_motion(tmp_path / "b.usda")
    assert not (tmp_path / "a.usda").exists()
