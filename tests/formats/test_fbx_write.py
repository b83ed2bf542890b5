"""Written FBX files: what is read again, and what Blender makes of them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from people import person, random_frames, wander, with_joint_frames, world_positions
from understudy.errors import FormatError
from understudy.formats import ReadOptions, WriteOptions, load_motion, load_motions, save_motion
from understudy.formats.fbx.scene import load_scene
from understudy.formats.gltf_document import load_document
from understudy.formats.gltf_nodes import load_nodes
from understudy.formats.props import Prop

SCRIPT = """
import bpy, json, sys
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.fbx(filepath=sys.argv[1])
scene, armature = bpy.context.scene, next(o for o in bpy.data.objects if o.type == "ARMATURE")
found = []
for frame in json.loads(sys.argv[2]):
    scene.frame_set(frame + 1)
    heads = {b.name: armature.matrix_world @ b.matrix.translation for b in armature.pose.bones}
    found.append({name: [p.x, p.z, -p.y] for name, p in heads.items()})
print("FOUND" + json.dumps([found, scene.render.fps]))
"""


@pytest.mark.parametrize("odd_frames", [False, True])
def test_what_is_written_is_read_again(tmp_path: Path, odd_frames: bool) -> None:
    skeleton = with_joint_frames(person(), random_frames(person(), 2)) if odd_frames else person()
    motion = wander(skeleton, frames=30, fps=59.0).renamed("walk")
    again = load_motion(save_motion(motion, tmp_path / "a.fbx"))
    assert again.skeleton.names == skeleton.names
    assert dict(again.skeleton.humanoid) == dict(skeleton.humanoid)
    assert (again.name, again.fps, len(again)) == ("walk", 59.0, 30)
    np.testing.assert_allclose(world_positions(again), world_positions(motion), atol=2e-6)
    np.testing.assert_allclose(again.skeleton.rest_world[0], skeleton.rest_world[0], atol=1e-6)
    np.testing.assert_allclose(again.skeleton.tip_offsets, skeleton.tip_offsets, atol=1e-9)


def test_characters_and_props_share_a_file(tmp_path: Path) -> None:
    ball = Prop(
        name="ball",
        vertices=np.array([[0.0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]),
        faces=np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]),
        times_s=np.array([0.0, 1.0]),
        positions=np.array([[0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]),
        rotations=np.array([[1.0, 0, 0, 0], [1.0, 0, 0, 0]]),
    )
    people = [wander(person(), seed=seed).renamed(name) for seed, name in enumerate(("ann", "bob"))]
    path = save_motion(people, tmp_path / "a.fbx", options=WriteOptions(props=(ball,)))
    again = load_motions(path)
    assert [one.name for one in again] == ["ann", "bob"]
    for old, new in zip(people, again, strict=True):
        np.testing.assert_allclose(world_positions(new), world_positions(old), atol=2e-6)
    assert "ball" in load_nodes(load_document(path)).names


def test_a_file_without_its_notes_is_somebody_elses_rig(tmp_path: Path) -> None:
    path = save_motion(wander(person(), frames=4), tmp_path / "a.fbx")
    scene = load_scene(path.read_bytes())
    limbs = [one for one in scene.of_kind("Model") if one.type == "LimbNode"]
    assert len(limbs) == len(person()) + len(person().tip_joints)
    assert (scene.fps, scene.unit_m) == (30.0, 0.01)


def test_a_take_that_is_not_there(tmp_path: Path) -> None:
    path = save_motion(wander(person(), frames=4), tmp_path / "a.fbx")
    with pytest.raises(FormatError, match="no animation"):
        load_motion(path, options=ReadOptions(take="run"))


def test_blender_sees_the_same_joints(tmp_path: Path) -> None:
    python = os.environ.get("UNDERSTUDY_BPY_PYTHON")
    if not python:
        pytest.skip("UNDERSTUDY_BPY_PYTHON names no Python with Blender's bpy")
    motion = wander(with_joint_frames(person(), random_frames(person(), 2)), frames=24, fps=24.0)
    path = save_motion(motion, tmp_path / "a.fbx")
    frames = [0, 10, 23]
    done = subprocess.run(
        [python, "-c", SCRIPT, str(path), json.dumps(frames)], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    found, fps = json.loads(next(line for line in done.stdout.splitlines() if line.startswith("FOUND"))[5:])
    assert fps == 24
    for frame, heads in zip(frames, found, strict=True):
        wanted, _ = motion.pose(frame).world()
        np.testing.assert_allclose([heads[name] for name in motion.skeleton.names], wanted, atol=1e-4)
