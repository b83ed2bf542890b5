"""VRM characters and VRM animations: roles as the files declare them, what is kept, and what is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from people import person, random_frames, wander, with_joint_frames, world_positions
from understudy import rotations as rot
from understudy.core import Motion, Skeleton
from understudy.core.humanoid import REQUIRED_ROLES
from understudy.core.reference_pose import t_pose_world
from understudy.errors import FormatError
from understudy.formats import load_motion, save_motion
from understudy.formats.glb_rig import load_rig, write_rig
from understudy.formats.gltf_document import load_document, packed_glb


def as_vrm(path: Path, motion: Motion, extension: dict[str, Any]) -> Path:
    """A written file as a VRM of somebody else: joint names say nothing, an extension says what they are."""
    document = load_document(save_motion(motion, path.with_suffix(".glb")))
    root = json.loads(json.dumps(document.root))
    root["skins"][0].pop("extras")
    root["extensions"] = extension
    for number, node in enumerate(root["nodes"]):
        node["name"] = f"thing{number}"
    path.write_bytes(packed_glb(root, document.binary or b""))
    return path


def bones_0(skeleton: Skeleton) -> dict[str, Any]:
    return {"VRM": {"humanoid": {"humanBones": [{"bone": r, "node": j} for r, j in skeleton.humanoid.items()]}}}


def bones_1(skeleton: Skeleton) -> dict[str, Any]:
    return {"VRMC_vrm": {"humanoid": {"humanBones": {r: {"node": j} for r, j in skeleton.humanoid.items()}}}}


@pytest.mark.parametrize("bones", [bones_0, bones_1])
def test_roles_are_those_that_the_file_declares(tmp_path: Path, bones: Any) -> None:
    motion = wander(person(), frames=4)
    path = as_vrm(tmp_path / "a.vrm", motion, bones(motion.skeleton))
    assert dict(load_motion(path).skeleton.humanoid) == dict(motion.skeleton.humanoid)


def test_thumbs_of_version_zero_are_counted_from_the_palm(tmp_path: Path) -> None:
    motion = wander(person(), frames=4)
    extension = bones_0(motion.skeleton)
    hand = motion.skeleton.humanoid["leftHand"]
    listed = extension["VRM"]["humanoid"]["humanBones"]
    listed[:] = [one for one in listed if one["bone"] != "leftHand"] + [{"bone": "leftThumbProximal", "node": hand}]
    assert load_motion(as_vrm(tmp_path / "a.vrm", motion, extension)).skeleton.humanoid["leftThumbMetacarpal"] == hand


@pytest.mark.parametrize("value", [None, [], {"humanBones": 3}, {"humanBones": {"hips": {"node": 10**9}, "head": 1}}])
def test_damaged_declarations_are_ignored(tmp_path: Path, value: Any) -> None:
    motion = wander(person(), frames=4)
    path = as_vrm(tmp_path / "a.vrm", motion, {"VRMC_vrm": {"humanoid": value}, "VRM": value})
    assert len(load_motion(path).skeleton) == len(motion.skeleton)


def test_a_rig_keeps_what_makes_it_a_vrm(tmp_path: Path) -> None:
    motion = wander(person(), frames=4)
    extension = bones_1(motion.skeleton)
    extension["VRMC_vrm"]["meta"] = {"name": "somebody"}
    rig = load_rig(as_vrm(tmp_path / "a.vrm", motion, extension))
    out = write_rig(rig, load_motion(tmp_path / "a.vrm"), tmp_path / "out.vrm")
    assert load_document(out).root["extensions"] == extension
    np.testing.assert_allclose(world_positions(load_motion(out)), world_positions(motion), atol=1e-5)


class TestAnimations:
    @pytest.mark.parametrize("odd_frames", [False, True])
    def test_what_is_written_is_read_again(self, tmp_path: Path, odd_frames: bool) -> None:
        skeleton = with_joint_frames(person(), random_frames(person(), 3)) if odd_frames else person()
        motion = wander(skeleton, frames=20)
        again = load_motion(save_motion(motion, tmp_path / "a.vrma"))
        assert set(again.skeleton.humanoid) == set(skeleton.humanoid)
        ours, theirs = (
            world_positions(one)[:, [one.skeleton.humanoid[role] for role in REQUIRED_ROLES]] for one in (motion, again)
        )
        np.testing.assert_allclose(theirs, ours, atol=1e-5)

    def test_it_rests_in_a_t_pose_on_the_floor(self, tmp_path: Path) -> None:
        skeleton = with_joint_frames(person(), random_frames(person(), 3))
        rest = load_motion(save_motion(wander(skeleton, frames=2), tmp_path / "a.vrma")).skeleton
        places, _ = rest.rest_world
        assert places[:, 1].min() == pytest.approx(0.0, abs=1e-6)
        assert places[rest.humanoid["hips"], 1] > 0.5
        np.testing.assert_allclose(places - places[0], t_pose_world(rest)[0], atol=1e-5)

    def test_what_joints_without_a_role_turn_is_not_lost(self, tmp_path: Path) -> None:
        skeleton = person()
        spine = skeleton.humanoid["spine"]
        humanoid = {role: joint for role, joint in skeleton.humanoid.items() if role not in ("chest", "upperChest")}
        motion = wander(skeleton.with_humanoid(humanoid), frames=5)
        again = load_motion(save_motion(motion, tmp_path / "a.vrma"))
        for frame in range(5):
            _, ours = motion.pose(frame).world()
            _, theirs = again.pose(frame).world()
            head = ours[humanoid["head"]], theirs[again.skeleton.humanoid["head"]]
            # Both start from a T-pose of their own, so that only the way from frame to frame is comparable.
            first = (
                motion.pose(0).world()[1][humanoid["head"]],
                again.pose(0).world()[1][again.skeleton.humanoid["head"]],
            )
            ways = [rot.multiply(now, rot.conjugate(before)) for now, before in zip(head, first, strict=True)]
            assert rot.angle_between(*ways) < 1e-4
        assert spine in humanoid.values()

    def test_who_cannot_be_written(self, tmp_path: Path) -> None:
        chain = Skeleton(names=("a", "b", "c"), parents=np.array([-1, 0, 1]), offsets=np.eye(3))
        with pytest.raises(FormatError, match="person"):
            save_motion(wander(chain, frames=3), tmp_path / "a.vrma")
        with pytest.raises(FormatError, match="one motion"):
            save_motion([wander(person(), frames=3)] * 2, tmp_path / "a.vrma")
        with pytest.raises(FormatError, match="retarget"):
            save_motion(wander(person(), frames=3), tmp_path / "a.vrm")
        assert list(tmp_path.iterdir()) == []
