"""``understudy walk``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from understudy.cli.app import app
from understudy.formats import load_motion
from understudy.library import build_library, save_library
from understudy.performer import builtin_clips

SCENE = """
[[object]]
name = "crate"
shape = { kind = "box", size = [0.8, 1.0, 0.6] }
at = [0.1, 0.5, 2.0]
"""


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("walk")
    scene = folder / "crate.toml"
    scene.write_text(SCENE, encoding="utf-8")
    return save_library(build_library(builtin_clips("walk")), folder / "walks.usl"), scene


def test_walk_writes_a_motion_and_says_so(stage: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "walk.bvh"
    arguments = ["walk", *map(str, stage), "--start", "0,0", "--goal", "0.2,4", "-o", str(out), "--json"]
    ran = CliRunner().invoke(app, arguments)
    assert ran.exit_code == 0, ran.output
    document = json.loads(ran.stdout)
    assert document["status"] == "solved"
    assert {"seconds", "motion", "stats", "length_m", "path_length_m", "goal_error_m", "transitions"} <= set(document)
    assert document["goal_error_deg"] is None
    assert document["goal_error_m"] <= 0.01
    end = load_motion(out).root_positions[-1]
    np.testing.assert_allclose(end[[0, 2]], [0.2, 4.0], atol=0.011)


def test_a_stream_says_when_every_chunk_is_there(stage: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "walk.bvh"
    places = ["walk", *map(str, stage), "--start", "0,0", "--goal", "0.2,4", "-o", str(out), "--json", "--stream"]
    ran = CliRunner().invoke(app, places)
    assert ran.exit_code == 0, ran.output
    document = json.loads(ran.stdout)
    assert document["status"] == "solved"
    chunks = [line for line in ran.stderr.splitlines() if line.startswith("chunk ")]
    assert len(chunks) == document["stats"]["chunks"] > 1
    frames = sum(int(line.split(": ")[1].split()[0]) for line in chunks)
    assert frames == len(load_motion(out))
    refused = CliRunner().invoke(app, [*places, "--stop"])
    assert refused.exit_code == 2
    assert "--stream" in refused.stderr


def test_no_walk_is_exit_code_3(stage: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "walk.bvh"
    arguments = ["walk", *map(str, stage), "--start", "0,0", "--goal", "0.1,2", "-o", str(out), "--json"]
    ran = CliRunner().invoke(app, arguments)
    assert ran.exit_code == 3
    document = json.loads(ran.stdout)
    assert document["status"] == "infeasible_goal"
    assert document["motion"] is None
    assert len(document["nearest_free"]) == 2
    assert not out.exists()


@pytest.mark.parametrize("goal", ["4", "a,b", "1,2,3,4", "nan,1"])
def test_bad_places_are_usage_errors(stage: tuple[Path, Path], tmp_path: Path, goal: str) -> None:
    arguments = ["walk", *map(str, stage), "--start", "0,0", "--goal", goal, "-o", str(tmp_path / "walk.bvh")]
    ran = CliRunner().invoke(app, arguments)
    assert ran.exit_code == 2
    assert "--goal" in ran.stderr
