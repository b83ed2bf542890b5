"""``understudy perform``: the JSON other programs rely on, files written whole, and failures told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from understudy.cli.app import app
from understudy.formats import load_motion
from understudy.scene import load_scene
from understudy.verify import verify

SCENE = """
[[object]]
name = "bell"
shape = { kind = "sphere", radius = 0.05 }
at = [-0.35, 1.2, 0.4]

[[character]]
name = "anna"
motion = { clip = "idle", duration = 5 }
start = [0, 0]
heading_deg = 0

[[task]]
name = "ring"
character = "anna"
do = "touch"
object = "bell"
at = 2.0
"""


def run(*arguments: str):
    return CliRunner().invoke(app, ["perform", *arguments])


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "bell.toml"
    path.write_text(SCENE)
    return path


def test_a_scene_is_performed_and_can_be_judged_again(scene: Path, tmp_path: Path) -> None:
    out = tmp_path / "made" / "ring.bvh"
    done = run(str(scene), "-o", str(out), "--json", "--quiet")
    assert done.exit_code == 0, done.output
    entry = json.loads(done.stdout)
    assert {"status", "seconds", "motion", "stats", "tasks"} <= set(entry)
    assert entry["status"] == "solved" and entry["motion"] == str(out)
    (task,) = entry["tasks"]
    assert task["name"] == "ring" and task["status"] == "solved" and task["time_s"] == pytest.approx(2.0)
    assert task["hands"] == ["right"]
    again = verify(load_motion(out), load_scene(entry["scene"]))
    assert again.penetration.seconds_over_1mm == 0.0


def test_a_failure_is_told_and_nothing_is_written(scene: Path, tmp_path: Path) -> None:
    scene.write_text(SCENE.replace("1.2, 0.4", "3.2, 0.4"))
    out = tmp_path / "ring.bvh"
    done = run(str(scene), "-o", str(out), "--json", "--quiet")
    assert done.exit_code == 3
    entry = json.loads(done.stdout)
    assert entry["status"] == "infeasible_goal" and "cm too far" in entry["reason"]
    assert entry["motion"] is None and entry["partial"] is None and not list(tmp_path.glob("ring*"))


def test_wrong_options_are_refused(scene: Path, tmp_path: Path) -> None:
    assert run(str(scene)).exit_code == 2
    scene.write_text(SCENE.replace('object = "bell"', 'object = "ball"'))
    done = run(str(scene), "-o", str(tmp_path / "x.bvh"))
    assert done.exit_code == 2 and 'did you mean "bell"' in done.output
