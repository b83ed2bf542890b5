"""``understudy between``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from understudy.cli.app import app
from understudy.core.motion import from_poses
from understudy.formats import load_motion, save_motion
from understudy.performer import posture


def test_between_writes_a_motion_and_says_so(tmp_path: Path) -> None:
    out = tmp_path / "fold.bvh"
    ran = CliRunner().invoke(app, ["between", "relaxed", "arms_folded", "-o", str(out), "--json", "--duration", "2"])
    assert ran.exit_code == 0, ran.output
    document = json.loads(ran.stdout)
    assert document["status"] == "solved"
    assert {"seconds", "motion", "stats", "legs", "faults", "least_gap_m"} <= set(document)
    assert load_motion(out).duration_s == pytest.approx(2.0, abs=0.02)


def test_a_pose_may_be_a_frame_of_a_file(tmp_path: Path) -> None:
    clip, out = tmp_path / "poses.bvh", tmp_path / "out.npz"
    first = posture("relaxed")
    save_motion(from_poses([first, posture("arms_folded", person=first.skeleton)], fps=1.0), clip)
    ran = CliRunner().invoke(app, ["between", f"{clip}@0", f"{clip}@-1", "-o", str(out)])
    assert ran.exit_code == 0, ran.output
    assert out.is_file()
    assert "solved" in ran.output


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["relaxed", "eagel"], 2, 'did you mean "eagle"'),
        (["relaxed"], 2, "at least two"),
        (["relaxed", "eagle", "--falloff", "9"], 2, "falloff"),
        (["relaxed", "eagle", "--duration", "-1"], 2, "duration_s"),
        (["relaxed", "eagle", "--duration", "nan"], 2, "duration_s"),
        (["relaxed", "eagle", "--fps", "0"], 2, "fps"),
        (["missing.bvh@3", "eagle"], 2, "no such file"),
        (["relaxed", "eagle", "--pin", "leftFoot"], 2, "contradicts"),
        (["relaxed", "eagle", "--pin", "leftFott"], 2, "leftFoot"),
    ],
)
def test_bad_input_is_one_line(tmp_path: Path, arguments: list[str], code: int, says: str) -> None:
    out = tmp_path / "out.bvh"
    ran = CliRunner().invoke(app, ["between", *arguments, "-o", str(out)])
    assert ran.exit_code == code, ran.output
    assert says in ran.output
    assert not out.exists()


def test_frames_that_are_not_there(tmp_path: Path) -> None:
    clip = tmp_path / "pose.bvh"
    save_motion(from_poses([posture("relaxed")], fps=1.0), clip)
    for frame, says in (("7", "frames 0..0"), ("x", "not a frame number")):
        ran = CliRunner().invoke(app, ["between", f"{clip}@{frame}", "relaxed", "-o", str(tmp_path / "o.bvh")])
        assert ran.exit_code == 2
        assert says in ran.output
