"""``understudy correct`` and ``understudy reach``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from limb_stages import beside, walk
from understudy.cli.app import app
from understudy.formats import load_motion, save_motion
from understudy.scene import save_scene


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("limbs")
    motion = walk()
    save_motion(motion, folder / "walk.bvh")
    save_scene(beside(motion), folder / "box.toml")
    return folder / "walk.bvh", folder / "box.toml"


def test_correct_writes_a_motion_and_names_what_it_changed(files: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "clear.bvh"
    ran = CliRunner().invoke(app, ["correct", *map(str, files), "--limb", "right_arm", "-o", str(out), "--json"])
    assert ran.exit_code == 0, ran.output
    document = json.loads(ran.stdout)
    assert {"status", "seconds", "motion", "stats", "changes", "left"} <= set(document)
    assert document["status"] == "solved"
    assert document["changes"][0]["limb"].startswith("right_arm")
    assert any("box" in pair for pair in document["changes"][0]["because"][0]["pairs"])
    source, result = load_motion(files[0]), load_motion(out)
    assert len(source) == len(result)
    assert not np.allclose(source.rotations, result.rotations, atol=1e-3)


def test_reach_puts_the_hand_there_and_says_how_far_off(files: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "reach.bvh"
    motion = load_motion(files[0])
    pose = motion.pose_at(1.0)
    places, _ = motion.skeleton.placed_joints(pose.root_position, pose.rotations)
    x, y, z = places[motion.skeleton.humanoid["leftUpperArm"]] + np.array([0.25, -0.3, 0.1])
    arguments = ["reach", *map(str, files), "--hand", "left", f"--target={x},{y},{z}", "--at", "1.0", "-o", str(out)]
    ran = CliRunner().invoke(app, [*arguments, "--json"])
    assert ran.exit_code == 0, ran.output
    document = json.loads(ran.stdout)
    assert document["hand_error_mm"] < 1.0
    assert out.exists()
    assert "mm off" in CliRunner().invoke(app, arguments).stdout


def test_out_of_reach_is_exit_code_3(files: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "reach.bvh"
    arguments = ["reach", *map(str, files), "--target", "9,9,9", "--at", "1.0", "-o", str(out), "--json"]
    ran = CliRunner().invoke(app, arguments)
    assert ran.exit_code == 3
    document = json.loads(ran.stdout)
    assert document["status"] == "infeasible_goal"
    assert "cm too far" in document["reason"]
    assert document["motion"] is None and not out.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["correct", "-o", "out.bvh", "--limb", "tail"],
        ["correct"],
        ["reach", "-o", "out.bvh", "--at", "1"],
        ["reach", "-o", "out.bvh", "--target", "1,2", "--at", "1"],
        ["reach", "-o", "out.bvh", "--target", "1,2,3"],
        ["reach", "-o", "out.bvh", "--target", "cup", "--at", "1"],
    ],
)
def test_bad_input_is_an_error_and_writes_nothing(
    files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(app, [arguments[0], *map(str, files), *arguments[1:]])
    assert ran.exit_code in (1, 2)
    assert ran.stderr.startswith("error: ")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["correct", "reach"])
def test_help_shows_an_example(command: str) -> None:
    assert f"understudy {command} walk.bvh" in CliRunner().invoke(app, [command, "--help"]).stdout.replace("\n", " ")
