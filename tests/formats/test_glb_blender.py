"""Written GLB files as Blender imports them.

Needs a Python that has Blender as a module; name it in ``UNDERSTUDY_BPY_PYTHON``.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from people import person, random_frames, wander, with_joint_frames
from understudy.formats import save_motion

SCRIPT = """
import bpy, json, sys
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=sys.argv[1])
scene, armature = bpy.context.scene, next(o for o in bpy.data.objects if o.type == "ARMATURE")
scene.render.fps, found = 30, []
for frame in json.loads(sys.argv[2]):
    # Blender is Z up, and keys begin at frame 0 or 1 by version: ask the action where it starts.
    action = armature.animation_data.action
    scene.frame_set(int(action.frame_range[0]) + frame)
    heads = {b.name: armature.matrix_world @ b.matrix.translation for b in armature.pose.bones}
    found.append({name: [p.x, p.z, -p.y] for name, p in heads.items()})
print("FOUND" + json.dumps(found))
"""


@pytest.mark.parametrize("odd_frames", [False, True])
def test_blender_sees_the_same_joints(tmp_path: Path, odd_frames: bool) -> None:
    python = os.environ.get("UNDERSTUDY_BPY_PYTHON")
    if not python:
        pytest.skip("UNDERSTUDY_BPY_PYTHON names no Python with Blender's bpy")
    skeleton = with_joint_frames(person(), random_frames(person(), 2)) if odd_frames else person()
    motion = wander(skeleton, frames=24, fps=24.0)
    path = save_motion(motion, tmp_path / "a.glb")
    frames = [0, 10, 23]
    done = subprocess.run(
        [python, "-c", SCRIPT, str(path), json.dumps(frames)], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(next(line for line in done.stdout.splitlines() if line.startswith("FOUND"))[5:])
    for frame, heads in zip(frames, found, strict=True):
        wanted, _ = motion.pose(frame).world()
        np.testing.assert_allclose([heads[name] for name in motion.skeleton.names], wanted, atol=1e-4)
