"""Saving a project after every step and finding it again."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from people import person, wander
from understudy.errors import FormatError, UnderstudyError
from understudy.performer import builtin_clips
from understudy.scene.scene import Scene
from understudy.scene.shapes import Box
from understudy.studio.assets import Assets
from understudy.studio.project import Check, Mark, Project, Verdict
from understudy.studio.store import Store
from understudy.studio.view import view

CHECK: Check = {"name": "feet", "value": "1 mm", "bar": "5 mm", "where": "left", "ok": True}


@pytest.fixture(scope="module")
def project() -> Project:
    clips = {clip.name: clip for clip in builtin_clips("walk")}
    scene = (
        Scene(name="saved")
        .with_object("table", Box(size_m=(1.0, 0.7, 0.5)), position=(1.0, 0.35, 2.0))
        .with_character("anna", motion=clips["walk"])
    )
    return Project(
        scene=scene,
        mode="limbs",
        ghosts={"anna": clips["walk_slow"]},
        verdict=Verdict(status="verified", text="verified", seconds=0.1, checks=(CHECK,)),
        marks=(Mark(track="anna", kind="contact", start_s=0.1, end_s=0.4, text="left foot"),),
        lines=({"kind": "path", "points": [(0.0, 0.0, 1.0)]},),
        settings={"limbs": {"character": "anna"}},
    )


def test_what_was_saved_comes_back_bit_for_bit(project: Project, tmp_path):
    store = Store(tmp_path / "work")
    assert not store.exists
    store.save(project)
    assert store.exists
    back = Store(tmp_path / "work").load()
    for one, other in (
        (project.scene.character("anna").world_motion, back.scene.character("anna").world_motion),
        (project.ghosts["anna"], back.ghosts["anna"]),
    ):
        np.testing.assert_array_equal(one.rotations, other.rotations)
        np.testing.assert_array_equal(one.root_positions, other.root_positions)
    assert back.scene.object("table") == project.scene.object("table")
    assert (back.mode, back.marks, back.settings) == (project.mode, project.marks, project.settings)
    assert back.verdict == project.verdict
    assert list(back.lines) == list(project.lines)


def test_files_nobody_names_any_more_are_removed(project: Project, tmp_path):
    store = Store(tmp_path)
    store.save(project)
    folder = store.folder
    before = len(list((folder / "motions").iterdir()))
    store.save(replace(project, ghosts={}))
    assert len(list((folder / "motions").iterdir())) == before - 1
    assert len(list(folder.glob("scene-*.toml"))) == 1


def test_what_somebody_else_keeps_in_the_folder_stays(project: Project, tmp_path):
    inside = Store(tmp_path).folder
    own = [
        folder / name
        for folder in (tmp_path, inside)
        for name in (
            "motions/walk.npz",
            f"motions/{'ab' * 12}.npz",
            "scene-kitchen.toml",
            f"scene-{'cd' * 12}.toml",
            "project.json.old",
        )
    ]
    own.append(tmp_path / "project.json")
    for path in own:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"mine")
    store = Store(tmp_path)
    store.save(project)
    store.save(replace(project, ghosts={}))
    again = Store(tmp_path)
    again.save(replace(project, ghosts={}, scene=project.scene.without("table")))
    assert [path.read_bytes() for path in own] == [b"mine"] * len(own)
    assert len(list(inside.glob("scene-*.toml"))) == 1 + 2


@pytest.mark.parametrize("named", [["../mine.npz"], ["motions/../../mine.npz"], ["/mine.npz"], "mine", 3, None, [3]])
def test_a_damaged_list_of_files_removes_nothing(project: Project, tmp_path, named):
    folder = tmp_path / "project"
    mine = tmp_path / "mine.npz"
    mine.write_bytes(b"mine")
    store = Store(folder)
    store.save(project)
    document = json.loads((store.folder / "project.json").read_text())
    (store.folder / "project.json").write_text(json.dumps({**document, "files": named}))
    Store(folder).save(replace(project, ghosts={}))
    assert mine.read_bytes() == b"mine"
    assert Store(folder).load().scene.name == project.scene.name


def test_the_same_angles_on_two_bodies_are_two_motions(tmp_path):
    one = person(1.0)
    small, large = wander(one, frames=5), replace(wander(one, frames=5), skeleton=person(1.2))
    large = replace(large, root_positions=small.root_positions, rotations=small.rotations)
    scene = Scene(name="two").with_character("small", motion=small).with_character("large", motion=large)
    Store(tmp_path).save(Project(scene=scene))
    back = {one.name: one for one in Store(tmp_path).load().scene.characters}
    for name, motion in (("small", small), ("large", large)):
        np.testing.assert_array_equal(back[name].motion.skeleton.offsets, motion.skeleton.offsets)


def test_planning_that_was_going_on_is_not_going_on_after_loading(project: Project, tmp_path):
    store = Store(tmp_path)
    store.save(project.with_verdict(status="planning", text="planning a walk"))
    assert store.load().verdict.status == "idle"


def test_saving_soon_saves_the_newest(project: Project, tmp_path):
    store = Store(tmp_path)
    for k in range(5):
        store.save_soon(project.with_verdict(text=str(k)), failed=pytest.fail)
    store.close()
    assert store.load().verdict.text == "4"


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"version": 1}', b'{"version": 99}'])
def test_a_damaged_project_is_a_clear_error(project: Project, tmp_path, damage: bytes):
    store = Store(tmp_path)
    store.save(project)
    (store.folder / "project.json").write_bytes(damage)
    with pytest.raises(FormatError, match=r"project\.json"):
        store.load()


def test_a_folder_that_cannot_be_written_is_told_and_nothing_is_lost(project: Project, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    told: list[str] = []
    store = Store(blocked)
    store.save_soon(project, failed=told.append)
    store.close()
    assert told and "cannot write" in told[0]
    assert blocked.read_text() == "in the way"


def test_the_saved_scene_is_a_scene_file_like_any_other(project: Project, tmp_path):
    from understudy.scene import load_scene

    store = Store(tmp_path)
    store.save(project)
    named = json.loads((store.folder / "project.json").read_text())["scene"]
    assert load_scene(store.folder / named).name == "saved"


def test_work_of_earlier_versions_is_found(project: Project, tmp_path):
    store = Store(tmp_path)
    store.save(project)
    for one in list(store.folder.iterdir()):
        one.rename(tmp_path / one.name)
    old = Store(tmp_path)
    assert old.exists and old.load().scene.name == "saved"
    before = sorted(tmp_path.rglob("*"))
    old.save(old.load())
    assert set(before) <= set(tmp_path.rglob("*")), "and nothing of it is removed"
    assert Store(tmp_path).load().marks == project.marks


def test_two_studios_cannot_work_in_one_folder(tmp_path):
    with Store(tmp_path).held(), pytest.raises(UnderstudyError, match="another studio"), Store(tmp_path).held():
        pass
    with Store(tmp_path).held():
        pass


def test_a_project_that_gives_way_to_a_file_is_kept(project: Project, tmp_path):
    for name in ("first", "second", "third"):
        store = Store(tmp_path)
        store.set_aside()
        store.save(replace(project, scene=replace(project.scene, name=name)))
    names = {"understudy-project": "third", "understudy-project-2": "first", "understudy-project-3": "second"}
    for folder, name in names.items():
        store = Store(tmp_path)
        store.folder = tmp_path / folder
        assert store.load().scene.name == name


def _damaged(value: Any, rng: np.random.Generator) -> Any:
    """A document with one value, somewhere, replaced."""
    if isinstance(value, dict | list) and value and rng.random() < 0.9:
        changed = copy.copy(value)
        key = list(value)[rng.integers(len(value))] if isinstance(value, dict) else int(rng.integers(len(value)))
        changed[key] = _damaged(value[key], rng)
        return changed
    odd = [None, True, -1, 1e300, float("nan"), "", "x", "../../etc/passwd", [], {}, [[[]]], {"a": 1}, [1, "2"], 10**40]
    return odd[rng.integers(len(odd))]


def test_one_wrong_value_anywhere_is_one_clear_error(project: Project, tmp_path):
    store = Store(tmp_path)
    own = {"own:1": {"root": [0.0, 1.0, 0.0], "rotations": [[1.0, 0.0, 0.0, 0.0]]}}
    settings = {
        "walk": {"aims": {"anna": {"start": [0.0, 1.0], "via": [[1.0, 1.0]], "goal": [2.0, 2.0]}}, "character": "anna"},
        "postures": {"keys": ["sit", "own:1"], "pins": [], "falloff": 3, "own": own, "editing": 0},
        "tasks": {"done": [{"status": "solved", "reason": ""}]},
    }
    store.save(replace(project, settings=settings))
    document = json.loads((store.folder / "project.json").read_text())
    rng, refused = np.random.default_rng(0), 0
    for _ in range(400):
        (store.folder / "project.json").write_text(json.dumps(_damaged(document, rng)))
        try:
            view(Store(tmp_path).load(), Assets())
        except UnderstudyError:
            refused += 1
    assert refused > 200
