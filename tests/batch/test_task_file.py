"""Task files spread out into tasks: all of them, each once, always the same, and refused with everything wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from understudy.batch import load_tasks
from understudy.errors import FormatError

SCENE = """
[[object]]
name = "crate"
shape = { kind = "box", size = [1, 1, 1] }
at = [0, 0.5, 0]
"""


def tasks(folder: Path, *jobs: dict[str, object], **top: object) -> Path:
    path = folder / "tasks.json"
    path.write_text(json.dumps({"job": list(jobs), **top}))
    return path


def test_a_grid_is_every_combination_and_seeds_count_on(tmp_path: Path) -> None:
    grid = {"style": ["calm", "tired"], "fps": [30, 60, 120]}
    items = load_tasks(
        tasks(tmp_path, {"name": "a", "do": "performer", "clip": "walk", "grid": grid, "seeds": 4}), seed=7
    )
    seen = {(item.values.get("style", "calm"), item.values.get("fps", 60), item.seed) for item in items}
    assert len(items) == len(seen) == 24
    assert {seed for _, _, seed in seen} == {7, 8, 9, 10}


def test_draws_stay_in_range_differ_and_repeat(tmp_path: Path) -> None:
    job = {
        "name": "a",
        "do": "walk",
        "draws": 200,
        "draw": {"start": {"low": [-1, 2], "high": [1, 3]}, "goal": {"choice": [[5, 5], [6, 6]]}},
    }
    path = tasks(tmp_path, job)
    items = load_tasks(path)
    starts = {tuple(item.values["start"]) for item in items}
    assert len(starts) == 200
    assert all(-1 <= x <= 1 and 2 <= z <= 3 for x, z in starts)
    assert {tuple(item.values["goal"]) for item in items} == {(5, 5), (6, 6)}
    assert [item.name for item in load_tasks(path)] == [item.name for item in items]
    assert {item.name for item in load_tasks(path, seed=1)}.isdisjoint({item.name for item in items})


def test_growing_a_job_keeps_the_tasks_it_had(tmp_path: Path) -> None:
    job = {"name": "a", "do": "walk", "goal": [3, 0], "draws": 5, "draw": {"start": {"low": [0, 0], "high": [1, 1]}}}
    few = {item.name for item in load_tasks(tasks(tmp_path, job))}
    many = {item.name for item in load_tasks(tasks(tmp_path, {**job, "draws": 9}))}
    assert len(few) == 5
    assert few < many


def test_the_same_task_twice_is_one_task(tmp_path: Path) -> None:
    job = {"name": "a", "do": "performer", "clip": "walk", "grid": {"style": ["calm", "calm"]}}
    assert len(load_tasks(tasks(tmp_path, job))) == 1


def test_a_name_follows_the_content_of_files_not_their_place(tmp_path: Path) -> None:
    names = []
    for folder, text in (("one", SCENE), ("two", SCENE), ("three", SCENE.replace("1, 1, 1", "1, 2, 1"))):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "room.toml").write_text(text)
        job = {"name": "a", "do": "walk", "scene": "room.toml", "start": [0, 0], "goal": [3, 0]}
        names.append(load_tasks(tasks(tmp_path / folder, job))[0].name)
    assert names[0] == names[1] != names[2]


def test_a_mesh_named_by_the_scene_counts_too(tmp_path: Path) -> None:
    mesh = SCENE.replace('{ kind = "box", size = [1, 1, 1] }', '{ kind = "mesh", file = "crate.obj" }')
    (tmp_path / "room.toml").write_text(mesh)
    path = tasks(tmp_path, {"name": "a", "do": "walk", "scene": "room.toml", "start": [0, 0], "goal": [3, 0]})
    (tmp_path / "crate.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    before = load_tasks(path)[0].name
    (tmp_path / "crate.obj").write_text("v 0 0 0\nv 2.5 0 0\nv 0 1 0\nf 1 2 3\n")
    assert load_tasks(path)[0].name != before


@pytest.mark.parametrize(
    ("job", "said"),
    [
        ({"name": "a", "do": "fly"}, 'unknown verb "fly"'),
        ({"name": "a", "do": "walk", "start": [0, 0]}, '"goal" is missing'),
        ({"name": "a", "do": "walk", "start": [0, 0], "gaol": [1, 1]}, 'did you mean "goal"?'),
        ({"name": "a b", "do": "walk"}, "name"),
        ({"name": "a", "do": "walk", "start": [0], "goal": [1, 1]}, "start"),
        ({"name": "a", "do": "walk", "start": [0, 0], "goal": [1, 1], "scene": "no.toml"}, "no.toml"),
        ({"name": "a", "do": "walk", "start": [0, 0], "draw": {"goal": {"low": [0, 0], "high": [1]}}}, "lengths"),
        ({"name": "a", "do": "walk", "start": [0, 0], "draws": 3}, "what to draw"),
        ({"name": "a", "do": "walk", "grid": {"goal": []}}, "grid"),
        ({"name": "a", "do": "walk", "grid": {"goal": [[0, 0]] * 1001}, "seeds": 1000}, "at most 1,000,000"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, job: dict[str, object], said: str) -> None:
    with pytest.raises(FormatError, match=r"tasks\.json") as caught:
        load_tasks(tasks(tmp_path, job))
    assert said in str(caught.value)


def test_all_faults_come_at_once(tmp_path: Path) -> None:
    bad = {"name": "a", "do": "walk", "start": [0], "goal": "there", "colour": 3}
    with pytest.raises(FormatError) as caught:
        load_tasks(tasks(tmp_path, bad))
    assert all(word in str(caught.value) for word in ("start", "goal", "colour"))


def test_two_jobs_of_one_name_and_other_versions_are_refused(tmp_path: Path) -> None:
    job = {"name": "a", "do": "performer", "clip": "walk"}
    with pytest.raises(FormatError, match="names must differ"):
        load_tasks(tasks(tmp_path, job, job))
    with pytest.raises(FormatError, match="version 9"):
        load_tasks(tasks(tmp_path, job, version=9))
