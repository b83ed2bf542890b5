"""How programs end: doors nobody can open are explained, deadlines are kept, and every run of a file gives the same."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from understudy.api import performing
from understudy.api.performing import perform
from understudy.core import Status
from understudy.limbs.handling import HandlingOptions
from understudy.scene import Scene, Task
from understudy.scene.characters import Character
from understudy.scene.shapes import Box
from understudy.skills.door.room import door_room

CUPBOARD = Box(size_m=(1.8, 1.8, 0.6))
SHELF = """
[[object]]
name = "stand"
shape = { kind = "box", size = [0.5, 1.0, 0.5] }
at = [0.2, 0.5, 1.7]

[[object]]
name = "ball"
shape = { kind = "sphere", radius = 0.04 }
at = [0.15, 1.041, 1.6]

[[character]]
name = "anna"
start = [0.0, 0.0]

[[task]]
character = "anna"
do = "grab"
object = "ball"
"""


def asked(scene: Scene, *, first: bool) -> Scene:
    """Open the door; after a walk, or as the first thing."""
    scene = scene.with_character(Character(name="anna", start=(0.0, -2.5), heading_rad=0.0))
    if first:
        return scene.with_task(Task(character="anna", do="open_door", object="door"))
    scene = scene.with_task(Task(character="anna", do="walk_to", goal=(0.3, -2.6)))
    scene = scene.with_task(Task(character="anna", do="open_door", object="door", name="the door"))
    return scene.with_task(Task(character="anna", do="point", target=(0.0, 1.5, 4.0)))


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize(("what", "why"), [("high", "out of reach from anywhere"), ("blocked", "no room to stand")])
def test_a_door_nobody_can_open_is_explained_before_the_deadline(what: str, why: str, first: bool) -> None:
    scene = door_room(handle_m=1.99 if what == "high" else 1.05)
    if what == "blocked":
        scene = scene.with_object("cupboard", CUPBOARD, position=(0.0, 0.9, -0.5))
    result = perform(asked(scene, first=first))
    assert result.status is Status.INFEASIBLE_GOAL
    assert why in result.reason and "door" in result.reason
    if not first:
        assert 'task 2 of 3 "the door"' in result.reason
        assert [bool(task.status) for task in result.tasks] == [True, False, False]
        assert "anna" in result.motions


def test_a_deadline_stops_a_door() -> None:
    result = perform(asked(door_room(), first=True), options=HandlingOptions(deadline_s=0.001))
    assert result.status is Status.TIMED_OUT and 'before "door" was opened in any way' in result.reason


def test_there_is_a_deadline_unless_none_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(performing, "DEADLINE_S", 0.0005)
    monkeypatch.setattr(performing, "TASK_DEADLINE_S", 0.0005)
    scene = Scene().with_character(Character(name="anna", start=(0.0, 0.0), heading_rad=0.0))
    scene = scene.with_task(Task(character="anna", do="touch", target=(0.2, 1.2, 0.9)))
    assert perform(scene).status is Status.TIMED_OUT
    assert perform(scene, options=HandlingOptions(gaze=False)).status is Status.TIMED_OUT
    assert perform(scene, options=HandlingOptions(deadline_s=math.inf)).status is Status.SOLVED


def test_every_run_of_a_file_gives_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "shelf.toml").write_text(SHELF, encoding="utf-8")
    for run in ("1", "2"):
        # Sets are in another order in each process.
        own = {**os.environ, "PYTHONHASHSEED": run}
        (tmp_path / run).mkdir()
        command = ["-m", "understudy", "perform", str(tmp_path / "shelf.toml"), "-o", str(tmp_path / run / "shelf.glb")]
        subprocess.run([sys.executable, *command, "--seed", "3"], env=own, check=True, capture_output=True, timeout=900)
    assert (tmp_path / "1" / "shelf.glb").read_bytes() == (tmp_path / "2" / "shelf.glb").read_bytes()
