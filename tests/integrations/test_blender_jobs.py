"""What the add-on asks of the command, and what it makes of the answers, without Blender."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from integrations.blender.understudy_blender import jobs
from integrations.blender.understudy_blender.bvh import Clip, bvh_text
from integrations.blender.understudy_blender.carried import carried
from integrations.blender.understudy_blender.command import Answer, Runner, found_command, understood
from integrations.blender.understudy_blender.errors import CancelledError, JobError
from integrations.blender.understudy_blender.facing import stands
from integrations.blender.understudy_blender.running import Run
from integrations.blender.understudy_blender.turning import about

NAMES = ("hips", "leftUpperLeg", "rightUpperLeg", "rightHand")
ROLES = {name: name for name in NAMES}


def clip(yaw_rad: float = 0.0, frames: int = 5, fps: float = 10.0) -> Clip:
    """Hips, two legs and a hand; walks along +X."""
    rotations = np.tile(np.eye(3), (frames, 4, 1, 1))
    rotations[:, 0] = about("Y", np.array(yaw_rad))
    return Clip(
        names=NAMES,
        parents=(-1, 0, 0, 0),
        offsets=np.array([(0, 1, 0), (0.1, 0, 0), (-0.1, 0, 0), (-0.3, 0.2, 0.3)], dtype=float),
        tips={},
        positions=np.linspace((0, 1, 0), (4, 1, 0), frames),
        rotations=rotations,
        fps=fps,
    )


def package(folder: Path) -> jobs.Package:
    return jobs.Package(folder=folder, clip=clip(), things=(), character="hero", options=["--seed", "3"])


class Scripted:
    """Answers by heart; remembers what was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers, self.asked = list(answers), []

    def run(self, arguments: list[str]) -> Answer:
        self.asked.append(arguments)
        return self.answers.pop(0)


def solved(path: Path, **more: Any) -> Answer:
    return Answer(0, {"status": "solved", "reason": "", "motion": str(path), **more})


def test_correct_says_how_its_file_is_meant(tmp_path: Path) -> None:
    (tmp_path / "a.bvh").write_text(bvh_text(clip()))
    runner = Scripted(solved(tmp_path / "a.bvh"))
    found = Run(jobs.correct(package(tmp_path), ["left_arm"]), runner).result()
    asked = runner.asked[0]
    assert asked[0] == "correct" and Path(asked[1]).is_file() and Path(asked[2]).is_file()
    for words in (["--limb", "left_arm"], ["--tpose", "keep"], ["--in-units", "m"], ["--in-up", "y"], ["--seed", "3"]):
        assert " ".join(words) in " ".join(asked)
    np.testing.assert_allclose(found.clip.positions, clip().positions, atol=1e-9)


def test_a_motion_the_planner_gives_up_is_not_taken(tmp_path: Path) -> None:
    answer = Answer(3, {"status": "exhausted", "reason": "the right hand cannot reach cup", "motion": None})
    with pytest.raises(JobError, match="cannot reach cup"):
        Run(jobs.reach(package(tmp_path), "right", "cup", 0.2), Scripted(answer)).result()


def walk_answers(folder: Path, judge: dict[str, Any], fps: float = 10.0) -> list[Answer]:
    for name in ("own", "resampled"):
        (folder / f"{name}.bvh").write_text(bvh_text(clip(fps=fps if name == "own" else 10.0)))
    (folder / "planned.bvh").write_text(bvh_text(clip()))
    info = {"files": [{"unit_m": 1.0, "height_m": 0.9, "humanoid": ROLES}]}
    return [
        Answer(0, {"files": []}),
        Answer(0, {"stats": {"scale": 0.5}}),
        Answer(0, info),
        solved(folder / "planned.bvh"),
        solved(folder / "own.bvh"),
        *([Answer(0, {"files": []})] if fps != 10.0 else []),
        Answer(0 if judge["ok"] else 1, judge),
    ]


def test_a_small_body_walks_in_a_world_of_its_size(tmp_path: Path) -> None:
    runner = Scripted(*walk_answers(tmp_path, {"ok": True}, fps=60.0))
    Run(jobs.walk(package(tmp_path), "builtin", jobs.Goal(2.0, 3.0, 90.0)), runner).result()
    verbs = [asked[0] for asked in runner.asked]
    assert verbs == ["performer", "retarget", "info", "walk", "retarget", "convert", "verify"]
    assert "--goal=4.000000000,6.000000000,90.000000" in runner.asked[3]
    assert "--start=0.000000000,0.000000000,0.000000" in runner.asked[3]
    assert runner.asked[4][-2:] == ["--scale", "0.500000000"]


def test_a_walk_the_judge_rejects_is_not_taken(tmp_path: Path) -> None:
    worst = {"time_s": 1.25, "a": "left_hand", "b": "table"}
    judge = {"ok": False, "broken": ["penetration"], "penetration": {"max_depth_m": 0.021, "worst": worst}}
    runner = Scripted(*walk_answers(tmp_path, judge))
    with pytest.raises(JobError, match=r"judge did not pass .* penetration \(left_hand in table at 1.25 s, 21 mm\)"):
        Run(jobs.walk(package(tmp_path), "builtin", jobs.Goal(2.0, 3.0)), runner).result()


def test_headings() -> None:
    for yaw in (0.0, 0.5, 2.0, -3.0):
        x, z, heading = stands(clip(yaw), ROLES, 2)
        assert (x, z) == pytest.approx((2.0, 0.0)) and np.deg2rad(heading) == pytest.approx(yaw)
    with pytest.raises(JobError, match="no humanoid"):
        stands(clip(), {}, 0)


def test_what_is_held_follows_and_stays() -> None:
    hold = {"object": "cup", "to": "hero.right_hand", "from": 0.1, "until": 0.3, "grip": {"at": [0.0, 0.1, 0.0]}}
    scene = {"object": [{"name": "cup", "at": [9.0, 1.0, 0.0]}], "attachment": [hold]}
    (path,) = carried(scene, clip(), ROLES)
    hand = clip().world()[0][[1, 2, 3, 3], 3]
    wanted = [np.array([9.0, 1.0, 0.0]), *(hand + np.array([0.0, 0.1, 0.0]))]
    np.testing.assert_allclose(path.places[:, :3, 3], wanted, atol=1e-12)
    own = {"times": [0.0, 0.4], "positions": [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0]]}
    scene = {"object": [{"name": "cup", "track": own}], "attachment": [{**hold, "grip": "as_is", "release": "resume"}]}
    (path,) = carried(scene, clip(), ROLES)
    # The hand walks as fast as the track: taken as it is, the cup goes on as it was.
    np.testing.assert_allclose(path.places[:, 0, 3], [0.0, 1.0, 2.0, 3.0, 4.0], atol=1e-4)


def test_commands_are_found() -> None:
    assert found_command(sys.executable) == [sys.executable]
    assert found_command(f'"{sys.executable}" -m understudy')[1:] == ["-m", "understudy"]
    with pytest.raises(JobError, match=r'"no-such-command" was not found.*preferences'):
        found_command("no-such-command")


def test_answers_are_understood() -> None:
    assert understood(3, '{"status": "exhausted"}', "") == Answer(3, {"status": "exhausted"})
    with pytest.raises(JobError, match=r"^no object called cup$"):
        understood(1, '{"error": {"type": "SceneError", "message": "no object called cup"}}', "error: ...")
    with pytest.raises(JobError, match=r"exit code 2.*No such option: --what"):
        understood(2, "", "Usage: understudy\n\nNo such option: --what\n")


def test_the_command_itself_is_asked_and_answers(tmp_path: Path) -> None:
    runner = Runner([sys.executable, "-m", "understudy"], tmp_path)
    with pytest.raises(JobError, match="no such file"):
        runner.run(["correct", "gone.bvh", "gone.toml", "-o", "x.bvh"])


def test_a_run_can_be_cancelled(tmp_path: Path) -> None:
    def job() -> jobs.Job:
        yield ["-c", "import time; time.sleep(60)"]
        raise AssertionError("nothing follows a cancelled command")

    run = Run(job(), Runner([sys.executable], tmp_path))
    run.start()
    threading.Timer(0.3, run.cancel).start()
    began = time.monotonic()
    with pytest.raises(CancelledError):
        run.result()
    assert time.monotonic() - began < 30 and not run.running
