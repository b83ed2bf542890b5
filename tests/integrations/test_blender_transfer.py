"""An armature's poses as BVH and back, without Blender."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from integrations.blender.understudy_blender.axes import pure_rotation, to_y_up, to_z_up, uniform_scale
from integrations.blender.understudy_blender.basis import basis
from integrations.blender.understudy_blender.bvh import bvh_text, read_bvh
from integrations.blender.understudy_blender.errors import JobError
from integrations.blender.understudy_blender.rig import Rig, body_root
from integrations.blender.understudy_blender.transfer import Recording, sent, wanted
from integrations.blender.understudy_blender.turning import from_euler, to_quaternions, to_zxy
from scipy.spatial.transform import Rotation

from integrations.blender_rigs import evaluated, frame, posed, random_rig
from understudy.formats import ReadOptions, load_motion

seeds = st.integers(0, 2**31 - 2)


@settings(max_examples=40)
@given(seed=seeds, bones=st.integers(1, 12), scale=st.floats(0.01, 100.0), unit_m=st.sampled_from([1.0, 0.01]))
def test_keys_come_back_as_they_were(seed: int, bones: int, scale: float, unit_m: float) -> None:
    stage = posed(random_rig(seed, bones), seed, 3, scale=scale)
    source = sent(Recording(stage.rig, stage.poses, stage.places, 24.0, unit_m))
    answer = read_bvh(bvh_text(source.clip))
    aim = wanted(source, answer)
    keys = basis(stage.rig, aim, stage.places, np.full_like(stage.poses, np.nan))
    assert sorted(one.bone for one in keys) == list(range(bones))
    size = scale * unit_m  # the file has nine digits behind the point
    for one in keys:
        np.testing.assert_allclose(one.rotations, stage.keys[:, one.bone, :3, :3], atol=1e-7)
        np.testing.assert_allclose(one.locations, stage.keys[:, one.bone, :3, 3], atol=1e-7 + 1e-7 / size)


@settings(max_examples=10)
@given(seed=seeds)
def test_understudy_reads_the_joints_where_blender_has_them(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    stage = posed(random_rig(seed, 9), seed, 4, scale=0.3)
    source = sent(Recording(stage.rig, stage.poses, stage.places, 30.0, 1.0))
    path = Path(tmp_path_factory.mktemp("bvh")) / "a.bvh"
    path.write_text(bvh_text(source.clip))
    motion = load_motion(path, options=ReadOptions(unit_m=1.0, up="y", tpose="keep"))
    assert motion.fps == pytest.approx(30.0)
    heads = (stage.places[:, None] @ stage.poses)[..., :3, 3]
    for row in range(4):
        found, _ = motion.pose(row).world()
        for name, place in zip(motion.skeleton.names, found, strict=True):
            x, y, z = heads[row, source.bones[name]]
            np.testing.assert_allclose(place, (x, z, -y), atol=1e-6)


def _pelvis_below_a_root() -> Rig:
    names = ("root", "pelvis", "spine", "head", "leg.L", "leg.R", "ik_foot")
    rest = np.tile(np.eye(4), (7, 1, 1))
    rest[:, 2, 3] = (0.0, 1.0, 1.3, 1.6, 0.9, 0.9, 0.0)
    tails = rest[:, :3, 3] + np.array([(0, 0, up) for up in (0.1, 0.3, 0.3, 0.2, -0.85, -0.85, 0.1)])
    return Rig(names, (-1, 0, 1, 2, 1, 1, 0), rest, tails, np.ones(7, bool), np.ones(7, bool))


def test_the_body_hangs_on_the_deepest_bone_that_moves_most_others() -> None:
    rig = _pelvis_below_a_root()
    keys = np.tile(np.eye(4), (5, 7, 1, 1))
    assert body_root(rig, evaluated(rig, keys), np.eye(4)) == 0
    keys[:, 0, 1, 3] = np.linspace(0, 2, 5)
    assert body_root(rig, evaluated(rig, keys), np.eye(4)) == 0
    keys[:, 1, 2, 3] = [0.0, 0.02, 0.0, 0.02, 0.0]
    assert body_root(rig, evaluated(rig, keys), np.eye(4)) == 1
    keys[:, 4, 2, 3] = [0.0, 0.5, 0.0, 0.5, 0.0]  # a leg that is pulled out does not carry the body
    assert body_root(rig, evaluated(rig, keys), np.eye(4)) == 1


def test_a_trunk_that_stretches_does_not_carry_the_body() -> None:
    rig = _pelvis_below_a_root()
    fingers = 40  # most bones of a rig with hands are above its legs
    rig = Rig(
        (*rig.names, *(f"finger {one}" for one in range(fingers))),
        (*rig.parents, *[2] * fingers),
        np.concatenate([rig.rest, np.tile(rig.rest[2], (fingers, 1, 1))]),
        np.concatenate([rig.tails, np.tile(rig.tails[2], (fingers, 1))]),
        np.ones(7 + fingers, bool),
        np.ones(7 + fingers, bool),
    )
    keys = np.tile(np.eye(4), (5, 7 + fingers, 1, 1))
    keys[:, 1, 2, 3] = keys[:, 2, 2, 3] = [0.0, 0.02, 0.0, 0.02, 0.0]
    assert body_root(rig, evaluated(rig, keys), np.eye(4)) == 1


def test_a_bone_above_the_body_keeps_what_it_does() -> None:
    rig = _pelvis_below_a_root()
    keys = np.tile(np.eye(4), (5, 7, 1, 1))
    keys[:, 0, 1, 3], keys[:, 1, 2, 3] = np.linspace(0, 2, 5), (0.0, 0.02, 0.0, 0.02, 0.0)
    keys[:, 2, :3, :3] = Rotation.from_euler("x", np.linspace(0, 1, 5)[:, None]).as_matrix()
    poses = evaluated(rig, keys)
    places = np.tile(np.eye(4), (5, 1, 1))
    source = sent(Recording(rig, poses, places, 24.0, 1.0))
    assert source.clip.names == ("pelvis", "spine", "head", "leg.L", "leg.R")
    assert any("2 bones beside or above" in remark for remark in source.remarks)
    for one in basis(rig, wanted(source, source.clip), places, poses):
        np.testing.assert_allclose(one.rotations, keys[:, one.bone, :3, :3], atol=1e-12)
        np.testing.assert_allclose(one.locations, keys[:, one.bone, :3, 3], atol=1e-12)


def test_bones_that_slide_in_their_parents_are_named() -> None:
    stage = posed(random_rig(5, 6), 5, 8, scale=1.0)
    stage.keys[:, 3, 0, 3] = np.linspace(0.0, 0.2, 8)
    poses = evaluated(stage.rig, stage.keys)
    source = sent(Recording(stage.rig, poses, np.tile(np.eye(4), (8, 1, 1)), 24.0, 1.0))
    assert any('"bone 3" moves within its parent by' in remark for remark in source.remarks)


def test_an_answer_about_somebody_else_is_refused() -> None:
    stage = posed(random_rig(1, 4), 1, 2, scale=1.0)
    source = sent(Recording(stage.rig, stage.poses, stage.places, 24.0, 1.0))
    with pytest.raises(JobError, match='a joint "Bip01" that the armature has not'):
        wanted(source, replace(source.clip, names=("Bip01", *source.clip.names[1:])))


@pytest.mark.parametrize(
    "text", ["", "HIERARCHY\nROOT a\n{\n}\nMOTION\nFrames: 1\nFrame Time: x\n1 2", "MOTION\n1\n2\n3"]
)
def test_what_is_no_bvh_is_refused(text: str) -> None:
    with pytest.raises(JobError, match="no BVH file"):
        read_bvh(text)


@settings(max_examples=50)
@given(seed=seeds, lean=st.sampled_from([None, np.pi / 2, -np.pi / 2, np.pi / 2 - 1e-7]))
def test_turns_agree_with_scipy(seed: int, lean: float | None) -> None:
    angles = np.random.default_rng(seed).uniform(-np.pi, np.pi, size=(6, 3))
    if lean is not None:
        angles[:, 1] = lean
    matrices = Rotation.from_euler("ZXY", angles).as_matrix()
    np.testing.assert_allclose(from_euler(angles, "ZXY"), matrices, atol=1e-12)
    np.testing.assert_allclose(from_euler(to_zxy(matrices), "ZXY"), matrices, atol=2e-7)
    quaternions = to_quaternions(matrices)
    np.testing.assert_allclose(Rotation.from_quat(quaternions[:, [1, 2, 3, 0]]).as_matrix(), matrices, atol=1e-9)
    assert (np.sum(quaternions[1:] * quaternions[:-1], axis=1) >= 0).all()


def test_axes_and_scales() -> None:
    np.testing.assert_allclose(to_y_up([1.0, 2.0, 3.0], 0.01), [0.01, 0.03, -0.02])
    np.testing.assert_allclose(to_z_up(to_y_up([1.0, 2.0, 3.0], 0.5), 0.5), [1.0, 2.0, 3.0])
    turn = Rotation.random(random_state=3)
    np.testing.assert_allclose(pure_rotation(frame(turn, np.ones(3), 7.0)), turn.as_matrix(), atol=1e-12)
    assert uniform_scale(frame(turn, np.ones(3), 7.0)) == pytest.approx(7.0)
    assert uniform_scale(np.diag([1.0, 1.0, 2.0, 1.0])) is None
    assert uniform_scale(np.diag([-1.0, -1.0, -1.0, 1.0])) is None
