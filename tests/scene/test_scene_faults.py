"""Faulty scene files: every fault at once, each with its line and the nearest name."""

from __future__ import annotations

from pathlib import Path

import pytest

from scene.scene_texts import FULL, loaded
from understudy.errors import FormatError, SceneError, UnderstudyError
from understudy.scene import load_scene


def faults(folder: Path, text: str) -> list[str]:
    with pytest.raises(SceneError) as caught:
        loaded(folder, text)
    start = f"{folder / 'scene.toml'}:"
    assert all(fault.startswith(start) for fault in caught.value.faults)
    return [fault.removeprefix(start) for fault in caught.value.faults]


def test_all_faults_are_reported_at_once_with_line_and_nearest_name(folder: Path) -> None:
    text = """\
name = "bad"
colour = 3

[[object]]
name = "table"
shape = { kind = "bx", size = [1.2, 0.74, 0.8] }
at = [2.0, 0.37, 1.0]

[[object]]
name = "ring"
shape = { kind = "mesh", file = "rng.glb" }
track = { times = [0, 2, 1], positions = [[0, 1.3, 2], [1, 1.3, 2], [0, 1.3, 2]] }

[[object]]
name = "ball"
shape = { kind = "sphere", radius = 0 }
at = [0, nan, 1]
yaw_dg = 3

[[object]]
name = "door"
shape = { kind = "box", size = [0.9, 2.0, 0.04] }
hinge = { axis_at = [3.0, 0, 4.0], range_deg = [0, 110] }
[[object.handles]]
name = "knob"
at = [0.8, 1.0]

[[object]]
name = "box"
shape = { kind = "box", size = [1, 1, 1] }

[[object]]
name = "box"
shape = { kind = "box", size = [1, 1, 1] }
at = [1, 2, 3]

[[attachment]]
object = "box"
to = "lid"
[[object]]
name = "lid"
shape = { kind = "box", size = [1, 1, 1] }
at = [1, 2, 3]
[[attachment]]
object = "lid"
to = "box"

[[character]]
name = "anna"
motion = "nope.bvh"
carry = [{ object = "umbrela", hand = "rigt" }]

[[character]]
carry = [{ object = "umbrela" }]

[[task]]
character = "ana"
do = "walk_too"
goal = [5, 4]

[[task]]
character = "ana"
do = "open_door"
object = "lid"
gaol = [1, 2]

[[task]]
character = "anna"
do = "grab"
object = "bal"
at = "soon"

[[task]]
character = "anna"
do = "grab"
object = "bal"
"""
    found = faults(folder, text)
    expected = {
        2: 'unknown key "colour"; allowed: name, floor, object',
        6: 'object "table": shape: unknown kind "bx"; did you mean "box"?',
        11: 'did you mean "ring.glb"?',
        12: 'object "ring": track: times must increase; 1 s follows 2 s',
        16: 'object "ball": shape.radius is 0; it must be more than 0',
        17: 'object "ball": at[1] is nan; it must be finite',
        18: 'object "ball": unknown key "yaw_dg"; did you mean "yaw_deg"?',
        26: 'object "door": handles[0].at is [0.8, 1.0]; it must be a list of more values (it has 2)',
        28: 'object "box": is nowhere',
        33: 'object "box": the name is already used by another object',
        37: 'attachments run in a circle: "box" -> "lid" -> "box"',
        50: "nope.bvh",
        51: 'carry[0].hand is \'rigt\'; it must be "left" or "right"; did you mean "right"?',
        53: 'character 2: needs "name"',
        57: 'task 1: no character "ana"; did you mean "anna"?',
        58: "task 1: cannot do 'walk_too'; did you mean \"walk_to\"?",
        62: 'no character "ana"; did you mean "anna"?',
        64: 'object "lid" has no hinge to open',
        65: 'unknown key "gaol"; allowed: character, name, at',
        71: "at is 'soon'; it must be a number",
        76: 'no object "bal"; did you mean "ball"?',
    }
    by_line = {int(fault.split(":")[0]): fault for fault in found}
    assert sorted(by_line) == sorted(expected)
    for line, words in expected.items():
        assert words in by_line[line]
    assert len(found) == len(expected)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("size = [1.2, 0.74, 0.8]", "size = [1.2, 0, 0.8]"), "shape.size[1] is 0; it must be more than 0"),
        (("size = [1.2, 0.74, 0.8]", "size = 3"), "shape.size is 3; it must be a list"),
        (("size = [1.2, 0.74, 0.8]", "size = [1, 2, 3, 4]"), "must be a list of at most 3"),
        (
            ("size = [1.2, 0.74, 0.8]", "size = [1, 1, 1], radius = 1"),
            'unknown key "shape.radius"; allowed: kind, size',
        ),
        (('shape = { kind = "box", size = [1.2, 0.74, 0.8] }', ""), 'object "table": needs "shape"'),
        (('kind = "box", size = [1.2', "size = [1.2"), "shape: needs a kind"),
        (("yaw_deg = 30", "yaw_deg = true"), "yaw_deg is True; it must be a number"),
        (("yaw_deg = 30", "yaw_deg = 30\nrotation = [1, 0, 0, 0]"), "yaw_deg or rotation, not both"),
        (("yaw_deg = 30", "rotation = [0, 0, 0, 0]"), "rotation is all zero"),
        (('name = "table"', 'name = "ta.ble"'), "contain a dot"),
        (('name = "table"', "name = 7"), "name is 7; it must be text in quotes"),
        (('name = "table"', 'name = "floor"'), "already used by the ground"),
        (("range_deg = [0, 110]", "range_deg = [110, 0]"), "must be larger"),
        (("range_deg = [0, 110]", "range_deg = [0, 110], angle_deg = 120"), "outside its range"),
        (("range_deg = [0, 110]", "range_deg = [0, 110], angles_deg = [0]"), "times and angles_deg go together"),
        (("approach = [0, 0, 1]", "approach = [0, 0, 0]"), "all zero"),
        (("positions = [[0, 1.3, 2], ", "positions = ["), "3 times but 2 positions"),
        (("track = {", "at = [0, 0, 0]\ntrack = {"), "leave out at"),
        (("carry = [{", 'carry = [{ grip = "tight", '), "as_is"),
        (("goal = [5, 4]", "goal = [5, 4, 3]"), "a list of at most 2"),
        (("goal = [5, 4]", ""), "exactly one of goal and object"),
        (('do = "walk_to"', ""), 'needs "do"'),
        (("target = [1, 0.8, 2]", "target = [1, 2]"), "target is [1, 2]; it must be text in quotes or a list of more"),
        (('after = "open"', 'after = "opn"'), 'did you mean "open"?'),
        (("angle_deg = 80", "angle_deg = 180"), "outside the range"),
        (('handle = "knob"', 'handle = "nob"'), 'did you mean "knob"?'),
        (('to = "bob.right_hand"', 'to = "bob.right_hnd"'), "right_hnd"),
        (("until = 3", "until = 2"), "end must come after the start"),
        (('b = "door"', 'b = "dor"'), 'did you mean "door"?'),
        (('motion = "walk.bvh"', 'motion = "scene.toml"'), "unknown file ending"),
        (('motion = "walk.bvh"', 'library = "walks.usl"'), "no such file"),
        (("[[contact]]", "[contact]"), "write [[contact]] once"),
        (('name = "door and shelf"', "name = 3"), "it must be a str"),
    ],
)
def test_single_faults_are_told_alone(change: tuple[str, str], words: str, folder: Path) -> None:
    assert change[0] in FULL
    found = faults(folder, FULL.replace(*change, 1))
    assert len(found) == 1, found
    assert words in found[0]
    # The line told is that of the change, or of the entry around it.
    told = int(found[0].split(":")[0])
    changed = FULL[: FULL.index(change[0])].count("\n") + 1
    assert changed - 8 <= told <= changed + 2


def test_files_that_are_no_scenes(tmp_path: Path) -> None:
    for name, content, words in [
        ("a.toml", b"name = ", "a.toml:1: not valid TOML"),
        ("a.toml", b"a = 1\n\n[[b]\n", "a.toml:3: not valid TOML"),
        ("a.json", b'{"a": 1,\n "a"', "a.json:2: not valid JSON"),
        ("a.json", b"[]", "a scene is a table"),
        ("a.json", b'{"name": "x", "name": "y"}', "given twice"),
        ("a.json", b"[" * 100_000, "nested too deeply"),
        ("a.toml", b"a = " + b"[" * 100_000, "nested too deeply|not valid"),
        ("a.toml", b"name = '\xff'", "a.toml:1: is not UTF-8"),
        ("a.yaml", b"", "end in .toml or .json"),
        ("a.toml", b"object = 1", "array of tables"),
        ("a.toml", b"object = [1]", "table of keys"),
        ("a.json", b'{"object": [{"name": "x", "at": [NaN, 1, 2], "shape": {"kind": "halfspace"}}]}', "finite"),
        ("a.json", b'{"floor": ' + b"9" * 5000 + b"}", "a.json"),
    ]:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(UnderstudyError, match=words):
            load_scene(tmp_path / name)
    with pytest.raises(FormatError, match="no such file"):
        load_scene(tmp_path / "missing.toml")
    with pytest.raises(FormatError, match="cannot be read"):
        (tmp_path / "folder.toml").mkdir()
        load_scene(tmp_path / "folder.toml")


def test_an_unknown_task_still_names_an_unknown_character(tmp_path: Path) -> None:
    path = tmp_path / "scene.toml"
    path.write_text('[[character]]\nname = "anna"\n\n[[task]]\ncharacter = "ana"\ndo = "wlk_to"\n')
    with pytest.raises(SceneError) as caught:
        load_scene(path)
    faults = "\n".join(caught.value.faults)
    assert f"{path}:6" in faults and 'did you mean "walk_to"?' in faults
    assert f"{path}:5" in faults and 'did you mean "anna"?' in faults
