"""The studio without a network: edits, jobs, undo, what the page is told."""

from __future__ import annotations

import json
import threading

import numpy as np
import pytest

from understudy.errors import OptionError, SceneError, UnderstudyError
from understudy.library.motion_maps import CELL_M
from understudy.studio import modes
from understudy.studio.desk import Desk
from understudy.studio.edits import Arguments, Outcome, edit
from understudy.studio.examples import EXAMPLES, open_example
from understudy.studio.jobs import Job
from understudy.studio.shelf import Shelf
from understudy.verify.judge import verify

assert modes


@pytest.fixture(scope="module")
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def desk(shelf: Shelf):
    made = Desk(open_example("room", shelf), shelf=shelf)
    yield made
    made.close()


def walk_to(desk: Desk, x: float, z: float) -> None:
    desk.do("walk.aim", {"character": "anna", "start": [0, 0], "goal": [x, z]})
    assert desk.settled(400.0)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.name)
def test_every_example_opens_and_can_be_shown(shelf: Shelf, example):
    desk = Desk(open_example(example.name, shelf), shelf=shelf)
    state = desk.state()
    assert state["people"], "somebody is on the stage"
    json.dumps(state, allow_nan=False)
    for person in state["people"]:
        clip = person["clip"]
        block = np.frombuffer(desk.assets.get(clip["asset"]), dtype="<f4")
        assert block.size == clip["frames"] * (3 + 4 * clip["joints"])
        assert desk.assets.get(person["skin"]) is not None
    desk.close()


def test_a_walk_is_planned_judged_and_on_the_stage(desk: Desk):
    walk_to(desk, 1.8, 4.2)
    project = desk.project
    assert project.verdict.status == "verified", project.verdict.text
    motion = project.scene.character("anna").world_motion
    np.testing.assert_allclose(motion.root_positions[-1, [0, 2]], [1.8, 4.2], atol=0.01)
    assert verify(motion, project.scene.without("anna")).penetration.seconds_over_1mm == 0.0
    assert {line["kind"] for line in project.lines} >= {"path", "channel", "triangles"}


def test_moving_furniture_into_the_way_plans_again_and_undo_brings_both_back(desk: Desk):
    walk_to(desk, 1.8, 4.2)
    first = desk.project.scene.character("anna").world_motion
    desk.do("thing.place", {"name": "table", "position": [0.9, 0.37, 2.1]})
    assert desk.settled(400.0)
    second = desk.project.scene.character("anna").world_motion
    assert desk.project.verdict.status == "verified", desk.project.verdict.text
    assert second is not first
    desk.do("undo")
    assert desk.project.scene.character("anna").world_motion is first
    np.testing.assert_allclose(desk.project.scene.at(0.0).positions[0], [-0.6, 0.37, 2.0])
    desk.do("redo")
    assert desk.project.scene.character("anna").world_motion is second


def test_a_goal_inside_furniture_fails_with_its_name_and_keeps_the_work(desk: Desk):
    desk.do("walk.aim", {"character": "anna", "goal": [-0.6, 2.0]})
    assert desk.settled(60.0)
    verdict = desk.project.verdict
    assert verdict.status == "failed"
    assert "table" in verdict.text


def test_wrong_edits_say_what_is_wrong_and_change_nothing(desk: Desk):
    before = desk.project
    for name, values, words in (
        ("wlak.aim", {}, "walk.aim"),
        ("walk.aim", {}, "character"),
        ("walk.aim", {"character": "anna", "goal": [1.0, float("nan")]}, "finite"),
        ("walk.aim", {"character": "anna", "goal": [1.0]}, "goal"),
        ("walk.aim", {"character": "nobody", "goal": [1.0, 2.0]}, "anna"),
        ("thing.place", {"name": "tabel", "position": [0, 0, 0]}, "table"),
        ("thing.add", {"kind": "box", "size": [-1, 1, 1]}, "between"),
        ("limbs.reach", {"character": "anna", "target": [0, 1, 1], "at": 1.0, "hand": "third"}, "hand"),
        ("postures.keys", {"keys": ["eagel"]}, "eagle"),
        ("undo", None, "nothing"),
    ):
        with pytest.raises(UnderstudyError, match=words):
            desk.do(name, values)
        assert desk.project is before, name


def test_things_and_people_come_and_go(desk: Desk):
    desk.do("thing.add", {"kind": "cylinder", "at": [2.0, 2.0], "size": [0.2, 1.0, 0.2]})
    desk.do("person.add", {"at": [3.0, 0.0], "heading_deg": 90})
    scene = desk.project.scene
    assert scene.object("cylinder").placement.position[1] == pytest.approx(0.5), "it stands on the floor"
    root = scene.character("person").world_motion.root_positions[0]
    np.testing.assert_allclose(root[[0, 2]], [3.0, 0.0], atol=1e-6)
    desk.do("remove", {"name": "cylinder"})
    with pytest.raises(SceneError):
        desk.project.scene.object("cylinder")
    desk.do("undo")
    desk.project.scene.object("cylinder")


def test_everybody_who_listens_hears_every_change_until_they_stop(desk: Desk):
    heard: list[dict] = []
    stop = desk.listen(heard.append)
    desk.do("mode", {"mode": "limbs"})
    assert heard[-1]["state"]["mode"] == "limbs"
    stop()
    desk.do("mode", {"mode": "walk"})
    assert heard[-1]["state"]["mode"] == "limbs"


class _Nothing(Arguments):
    pass


def test_a_job_can_be_cancelled_and_a_newer_one_takes_its_place(desk: Desk):
    started, ended = threading.Event(), []

    def slow(job: Job):
        started.set()
        ended.append(job.cancel.wait(30.0))
        return lambda project: project.with_verdict(status="failed", text="must not be seen")

    @edit("test.slow", _Nothing)
    def begin(project, wanted, shelf):
        return Outcome(project=project.with_verdict(status="planning"), title="slow", job=Job(title="slow", work=slow))

    assert begin
    desk.do("test.slow")
    assert started.wait(10.0)
    assert desk.state()["busy"]["title"] == "slow"
    desk.do("cancel")
    assert desk.settled(10.0)
    assert desk.project.verdict.text == "cancelled"
    started.clear()
    desk.do("test.slow")
    assert started.wait(10.0)
    walk_to(desk, 1.8, 4.2)
    assert desk.project.verdict.status == "verified"
    assert ended[0] is True


def test_a_fault_in_a_job_is_told_and_the_studio_goes_on(desk: Desk):
    @edit("test.broken", _Nothing)
    def begin(project, wanted, shelf):
        def work(job: Job):
            raise ZeroDivisionError("planted")

        return Outcome(project=project, title="broken", job=Job(title="broken", work=work))

    assert begin
    desk.do("test.broken")
    assert desk.settled(10.0)
    assert "planted" in desk.project.verdict.text
    walk_to(desk, 1.8, 4.2)
    assert desk.project.verdict.status == "verified"


def test_collisions_are_marked_repaired_and_the_clip_comes_back(shelf: Shelf):
    desk = Desk(open_example("posts", shelf), shelf=shelf)
    clip = desk.project.scene.character("anna").world_motion
    desk.do("limbs.check", {"character": "anna"})
    assert desk.settled(400.0)
    marks = [mark for mark in desk.project.marks if mark.kind == "collision"]
    assert marks and "post" in marks[0].text
    desk.do("limbs.correct", {"character": "anna"})
    assert desk.settled(900.0)
    assert desk.project.verdict.status == "verified", desk.project.verdict.text
    repaired = desk.project.scene.character("anna").world_motion
    assert verify(repaired, desk.project.scene.without("anna")).penetration.seconds_over_1mm == 0.0
    assert desk.project.ghosts["anna"] is clip
    desk.do("limbs.restore", {"character": "anna"})
    assert desk.project.scene.character("anna").world_motion is clip
    desk.close()


def test_a_posture_can_be_bent_and_the_motion_to_the_next_is_planned(shelf: Shelf):
    desk = Desk(open_example("eagle", shelf), shelf=shelf)
    desk.do("postures.show", {"key": 0})
    skeleton = desk.project.scene.character("anna").world_motion.skeleton
    target = [-0.5, 1.3, 0.25]
    desk.do("postures.drag", {"key": 0, "joint": "rightHand", "at": target})
    pose = desk.project.scene.character("anna").world_motion.pose(0)
    hand = pose.world()[0][skeleton.index("rightHand")]
    np.testing.assert_allclose(hand, target, atol=0.03)
    own = desk.project.settings["postures"]["keys"][0]
    desk.do("postures.keys", {"keys": [own, "arms_folded"]})
    assert desk.settled(900.0)
    assert desk.project.verdict.status == "verified", desk.project.verdict.text
    motion = desk.project.scene.character("anna").world_motion
    np.testing.assert_allclose(np.abs((motion.rotations[0] * pose.rotations).sum(axis=1)), 1.0, atol=1e-6)
    with pytest.raises(OptionError, match="handle"):
        desk.do("postures.drag", {"key": 0, "joint": "spine", "at": target})
    desk.close()


def test_a_file_that_cannot_be_read_is_named_as_its_owner_knows_it(shelf: Shelf, tmp_path):
    from understudy.studio.importing import imported, opened
    from understudy.studio.project import Project

    with pytest.raises(OptionError, match=r"^mine\.bvh:1: is not a BVH file"):
        imported(Project(), "mine.bvh", b"junk", shelf)
    bad = tmp_path / "mine.bvh"
    bad.write_text("junk")
    with pytest.raises(UnderstudyError, match=str(bad)):
        opened(Project(), bad, shelf)


def test_a_drag_is_glimpsed_at_its_time_and_told_in_full_when_the_mouse_rests():
    shelf = Shelf()
    desk = Desk(open_example("soccer", shelf), shelf=shelf)
    told: list[dict] = []
    desk.listen(told.append)
    x, y, z = desk.project.scene.object_track("ball", [2.6])[0][0].tolist()
    for step in (0.01, 0.02):
        desk.do("interaction.drag", {"ball": "ball", "time_s": 2.6, "to": [x, y + step, z]}, drag="one")
    glimpses = [one["live"] for one in told if "live" in one]
    assert [one["serial"] for one in glimpses] == [1, 2]
    assert glimpses[-1]["things"]["ball"] == pytest.approx([x, y + 0.02, z], abs=2e-3)
    assert desk.settled()
    scene = desk.project.scene
    assert scene.object_track("ball", [2.6])[0][0] == pytest.approx(glimpses[-1]["things"]["ball"], abs=2e-2)
    person = scene.characters[0]
    row = np.array(glimpses[-1]["people"][person.name])
    frame = round(2.6 * person.world_motion.fps)
    assert row[:3] == pytest.approx(person.world_motion.root_positions[frame], abs=1e-3)
    assert np.abs(np.sum(row[3:].reshape(-1, 4) * person.world_motion.rotations[frame], axis=1)).min() > 0.999
    desk.do("undo")
    assert desk.project.scene.object_track("ball", [2.6])[0][0] == pytest.approx([x, y, z], abs=1e-6)
    desk.close()


def test_a_walk_searched_with_motion_maps_shows_the_cells_it_asked_for(desk: Desk):
    desk.do("walk.aim", {"character": "anna", "goal": [1.8, 4.2]})
    assert desk.settled()
    assert "cells" not in {line["kind"] for line in desk.state()["lines"]}
    desk.do("walk.search", {"method": "maps"})
    assert desk.settled(300.0)
    cells = next(line for line in desk.state()["lines"] if line["kind"] == "cells")
    corners = np.array(cells["points"]).reshape(-1, cells["each"], 3)
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    assert len(corners) > 3 and sides == pytest.approx(np.full(sides.shape, CELL_M), abs=2e-3)
    desk.do("undo")
    assert "method" not in desk.project.setting("walk")


def test_contacts_are_signs_on_the_timeline_and_what_is_held_stays(shelf: Shelf):
    desk = Desk(open_example("juggling", shelf), shelf=shelf)
    signs = [mark for mark in desk.state()["marks"] if mark["icon"]]
    assert {mark["icon"] for mark in signs} == {"throw", "catch"}
    flights = [mark for mark in desk.state()["marks"] if not mark["icon"]]
    starts = {(mark["track"], round(mark["start_s"], 6)) for mark in signs if mark["icon"] == "throw"}
    assert {(mark["track"], round(mark["start_s"], 6)) for mark in flights} <= starts, (
        "every flight begins with a throw"
    )
    held = desk.project.scene.object_track("ball1", [3.0])[0][0]
    desk.do("interaction.hold", {"ball": "ball1", "time_s": 3.0})
    assert desk.project.setting("interaction")["holds"] == [{"name": "ball1", "time_s": 3.0}]
    assert [mark.text for mark in desk.project.marks if mark.icon == "hold"] == ["ball1 is held"]
    x, y, z = desk.project.scene.object_track("ball0", [3.4])[0][0].tolist()
    desk.do("interaction.drag", {"ball": "ball0", "time_s": 3.4, "to": [x, y + 0.04, z], "done": True})
    assert desk.project.scene.object_track("ball1", [3.0])[0][0] == pytest.approx(held, abs=2e-3)
    desk.do("interaction.let_go", {"number": 0})
    assert [mark for mark in desk.project.marks if mark.icon == "hold"] == []
    with pytest.raises(OptionError, match="there are 0"):
        desk.do("interaction.let_go", {"number": 0})
    desk.close()
