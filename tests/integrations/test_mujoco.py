"""The MuJoCo example agrees with MuJoCo's own kinematics."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import understudy as us
from understudy.kinematics import motion_world

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "08_mujoco.py"


def test_every_joint_is_where_mujoco_puts_it() -> None:
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    spec = importlib.util.spec_from_file_location("example_mujoco", EXAMPLE)
    assert spec is not None and spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    walk = us.builtin_clips("walk")[0]
    model = mujoco.MjModel.from_xml_string(example.mjcf(us.fit_body(walk.skeleton)))
    data, rows, ours = mujoco.MjData(model), example.qpos(walk), motion_world(walk).positions
    assert rows.shape[1] == model.nq
    bodies = [model.body(name).id for name in walk.skeleton.names]
    for frame in range(0, len(walk), 37):
        data.qpos[:] = rows[frame]
        mujoco.mj_kinematics(model, data)
        x, y, z = data.xpos[bodies].T
        np.testing.assert_allclose(np.stack([x, z, -y], axis=1), ours[frame], atol=1e-9)
