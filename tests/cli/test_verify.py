"""``understudy verify``: exit codes, JSON and table."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from people import person
from understudy.cli.app import app
from understudy.core import Motion
from understudy.formats import save_motion

Run = Callable[..., tuple[int, str, str]]

WALL = """
[[object]]
name = "wall"
shape = { kind = "box", size = [0.1, 3.0, 3.0] }
at = [0.5, 1.0, 0.0]
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: object) -> tuple[int, str, str]:
        try:
            app([str(word) for word in words], standalone_mode=True)
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        caught = capsys.readouterr()
        return code, caught.out, caught.err

    return call


@pytest.fixture
def standing(tmp_path: Path) -> Path:
    skeleton = person()
    ball = skeleton.rest_world[0][skeleton.index("leftToes"), 1]
    motion = Motion(
        skeleton=skeleton,
        fps=30.0,
        root_positions=np.tile(skeleton.offsets[0] + np.array([0.0, 0.025 - ball, 0.0]), (30, 1)),
        rotations=np.tile(skeleton.rest_rotations, (30, 1, 1)),
    )
    # The T-pose itself is what is judged, so it must not be taken for a leading T-pose.
    return save_motion(motion, tmp_path / "standing.bvh")


def test_clean_motion_exits_with_zero(run: Run, standing: Path) -> None:
    code, out, _ = run("verify", standing, "--source", standing, "--tpose", "keep")
    assert code == 0, out
    assert out.startswith("ok")


def test_broken_bar_exits_with_one_and_is_named(run: Run, standing: Path, tmp_path: Path) -> None:
    scene = tmp_path / "wall.toml"
    scene.write_text(WALL)
    code, out, _ = run("verify", standing, scene, "--json", "--tpose", "keep")
    document = json.loads(out)
    assert code == 1
    assert document["broken"] == ["penetration"]
    assert document["penetration"]["worst"]["b"] == "wall"
    assert document["penetration"]["worst"]["a"].startswith("performer.left_")
    assert document["penetration"]["max_depth_m"] > 0.01


def test_usage_is_checked(run: Run, standing: Path, tmp_path: Path) -> None:
    scene = tmp_path / "wall.toml"
    scene.write_text(WALL)
    assert run("verify", scene)[0] == 2
    assert run("verify", standing, standing)[0] == 2
    assert run("verify", standing, scene, scene.with_suffix(".json"))[0] == 2
    assert run("verify", tmp_path / "missing.bvh")[0] == 2
    assert run("verify", tmp_path / "missing.glb")[0] == 2
