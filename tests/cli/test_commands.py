from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from people import person, wander
from understudy.cli.app import app
from understudy.core import Motion
from understudy.formats import load_motion, save_motion
from understudy.kinematics import motion_world


class Ran:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def json(self) -> dict:
        return json.loads(self.out)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def call(*words: object) -> Ran:
        try:
            app([str(word) for word in words], standalone_mode=True)
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        caught = capsys.readouterr()
        return Ran(code, caught.out, caught.err)

    return call


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    motion = wander(person(), frames=61, fps=30.0, size_rad=0.2)
    return save_motion(motion, tmp_path / "clip.bvh")


def positions(path: Path) -> np.ndarray:
    return motion_world(load_motion(path)).positions


def test_info_json_has_the_promised_keys(run: Callable[..., Ran], clip: Path) -> None:
    ran = run("info", clip, "--json")
    assert ran.code == 0
    (entry,) = ran.json()["files"]
    assert {"path", "joints", "frames", "fps", "duration_s", "height_m", "humanoid", "problems"} <= entry.keys()
    assert (entry["joints"], entry["frames"], entry["fps"]) == (22, 61, 30.0)
    assert entry["duration_s"] == pytest.approx(2.0)
    assert entry["humanoid"]["leftHand"] == "leftHand"
    assert 1.5 < entry["height_m"] < 1.9


def test_info_text_and_many_files(run: Callable[..., Ran], clip: Path) -> None:
    assert "61 frames at 30 fps" in run("info", clip).out
    many = run("info", clip, clip, clip, clip)
    assert len(many.out.splitlines()) == 4
    assert run("info", clip, "--quiet").out == ""


def test_info_goes_on_after_a_bad_file(run: Callable[..., Ran], clip: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.bvh"
    bad.write_text("HIERARCHY\nROOT Hips\n{\n  OFFSET 0 0\n}\n")
    ran = run("info", bad, clip, "--json")
    assert ran.code == 2
    first, second = ran.json()["files"]
    assert first["error"]["line"] == 4
    assert second["frames"] == 61


@pytest.mark.parametrize("ending", ["bvh", "glb", "npz", "gltf"])
def test_convert_keeps_the_motion(run: Callable[..., Ran], clip: Path, tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"out.{ending}"
    assert run("convert", clip, out).code == 0
    assert np.abs(positions(out) - positions(clip)).max() < 1e-4


def test_convert_changes_rate_span_unit_and_axis(run: Callable[..., Ran], clip: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.bvh"
    ran = run("convert", clip, out, "--fps", 60, "--trim", "0.5:1.5", "--units", "cm", "--up", "z", "--json")
    assert ran.code == 0
    assert ran.json()["files"][0]["frames"] == 61
    again = load_motion(out)
    assert again.fps == 60
    assert (again.origin.unit_m, again.origin.up) == (0.01, "z")
    expected = motion_world(load_motion(clip).slice(0.5, 1.5).resampled(60)).positions
    assert np.abs(motion_world(again).positions - expected).max() < 1e-4


def test_convert_clean_repairs_a_planted_pop(run: Callable[..., Ran], tmp_path: Path) -> None:
    motion = wander(person(), frames=200, fps=120.0, size_rad=0.3)
    rotations = motion.rotations.copy()
    joint = motion.skeleton.index("leftUpperArm")
    rotations[100, joint] = [0.5, 0.5, 0.5, 0.5]
    popped = Motion(skeleton=motion.skeleton, fps=120.0, root_positions=motion.root_positions, rotations=rotations)
    source = save_motion(popped, tmp_path / "popped.npz")
    assert [p["kind"] for p in run("info", source, "--json").json()["files"][0]["problems"]] == ["joint_pop"]
    out = tmp_path / "clean.npz"
    ran = run("convert", source, out, "--clean", "--json")
    assert "leftUpperArm" in ran.json()["files"][0]["repairs"][0]
    assert run("info", out, "--json").json()["files"][0]["problems"] == []
    assert np.abs(positions(out) - motion_world(motion).positions).max() < 0.02


def test_convert_many_into_a_folder(run: Callable[..., Ran], clip: Path, tmp_path: Path) -> None:
    other = save_motion(wander(person(), frames=5), tmp_path / "other.bvh")
    folder = tmp_path / "new"
    assert run("convert", clip, other, folder, "--to", "npz").code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["clip.npz", "other.npz"]
    assert run("convert", clip, other, folder).code == 2
    assert run("convert", clip, clip, folder, "--to", "npz").code == 2


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["convert", "{clip}", "{dir}/out.xyz"], 2, "unknown file ending"),
        (["convert", "{clip}"], 2, "needs an input and an output"),
        (["convert", "{clip}", "{clip}"], 2, "never changed"),
        (["convert", "{clip}", "{dir}/no/such/folder/out.bvh"], 2, "cannot write"),
        (["convert", "{clip}", "{dir}/out.bvh", "--trim", "4:2"], 2, "--trim"),
        (["convert", "{clip}", "{dir}/out.bvh", "--trim", "99:"], 2, "slice"),
        (["convert", "{clip}", "{dir}/out.bvh", "--units", "parsec"], 2, "parsec"),
        (["convert", "{clip}", "{dir}/out.bvh", "--up", "w"], 2, "--up"),
        (["convert", "{dir}/none.bvh", "{dir}/out.bvh"], 2, "no such file"),
        (["convert", "{clip}", "{dir}/out.amc"], 2, "not written"),
        (["info", "{clip}", "--tpose", "maybe"], 2, "--tpose"),
        (["info", "{clip}", "--mapping", "{dir}/none.toml"], 2, "none.toml"),
        (["info", "{dir}"], 2, ""),
        (["retarget", "{clip}", "--to", "{clip}", "-o", "{clip}"], 2, "never changed"),
        (["retarget", "{clip}", "--to", "{clip}", "-o", "{dir}/o.bvh", "--feet", "glue"], 2, "glue"),
        (["retarget", "{clip}", "--to", "{dir}/none.glb", "-o", "{dir}/o.glb"], 2, "none.glb"),
        (["nonsense"], 2, "nonsense"),
        (["info", "{clip}", "--nonsense"], 2, "nonsense"),
    ],
)
def test_mistakes_are_one_clear_line_and_leave_nothing_behind(
    run: Callable[..., Ran], clip: Path, tmp_path: Path, words: list[str], code: int, says: str
) -> None:
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    ran = run(*(word.format(clip=clip, dir=tmp_path) for word in words))
    assert ran.code == code, ran.err
    assert says in ran.err + ran.out
    assert "Traceback" not in ran.err
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_errors_as_json_and_with_traceback(run: Callable[..., Ran], clip: Path, tmp_path: Path) -> None:
    ran = run("convert", clip, tmp_path / "out.xyz", "--json")
    assert ran.json()["error"]["type"] == "FormatError"
    assert ran.err.startswith("error: ")
    assert "Traceback" in run("convert", clip, tmp_path / "out.xyz", "--debug").err


def test_retarget_onto_another_skeleton(run: Callable[..., Ran], clip: Path, tmp_path: Path) -> None:
    giant = save_motion(wander(person(1.2), frames=2), tmp_path / "giant.bvh")
    out = tmp_path / "out.glb"
    ran = run("retarget", clip, "--to", giant, "-o", out, "--json")
    # Limbs that wander at random are written. The judge refuses them, also as they were recorded.
    assert ran.code == 1 and ran.json()["status"] == "infeasible_start"
    assert ran.json()["reason"].startswith("the recording itself is refused")
    assert run("verify", out).code == 1
    document = ran.json()
    assert {"status", "seconds", "motion", "stats"} <= document.keys()
    assert document["stats"]["scale"] == pytest.approx(1.2, rel=0.03)
    assert len(load_motion(out)) == 61


def test_retarget_onto_a_rigged_glb_keeps_its_mesh(run: Callable[..., Ran], clip: Path, tmp_path: Path) -> None:
    rig = save_motion(wander(person(0.8), frames=2), tmp_path / "rig.glb")
    out = tmp_path / "out.glb"
    assert "the judge refuses it" in run("retarget", clip, "--to", rig, "-o", out).out
    assert len(load_motion(out)) == 61
    assert load_motion(out).skeleton.same_joints(load_motion(rig).skeleton)


def test_unknown_skeletons_need_a_mapping_file(run: Callable[..., Ran], clip: Path, tmp_path: Path) -> None:
    nobody = replace(person(), names=tuple(f"b{joint}" for joint in range(22)), offsets=np.zeros((22, 3)), humanoid={})
    source = save_motion(wander(nobody, frames=3), tmp_path / "nobody.npz")
    ran = run("retarget", source, "--to", clip, "-o", tmp_path / "out.bvh")
    assert ran.code == 2
    assert "--mapping" in ran.err
    mapping = tmp_path / "roles.toml"
    mapping.write_text('hips = "nothing"\n')
    assert "nothing" in run("info", clip, "--mapping", mapping).out


def test_help_and_version_show_examples(run: Callable[..., Ran]) -> None:
    for words in (["--help"], ["info", "-h"], ["convert", "--help"], ["retarget", "--help"]):
        ran = run(*words)
        assert ran.code == 0
    assert "Example" in run("convert", "--help").out
    assert run("--version").out.startswith("understudy ")
    assert "info" in run().out + run().err


def test_the_installed_command_survives_a_closed_pipe(clip: Path) -> None:
    words = f"{sys.executable} -m understudy info {clip} --json | head -c 10"
    done = subprocess.run(["/bin/sh", "-c", words], capture_output=True, text=True, env=os.environ, check=False)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


def test_import_is_light() -> None:
    code = (
        "import sys, understudy, understudy.cli.app; "
        "heavy = {'numba', 'scipy', 'pxr', 'av', 'PIL', 'pydantic', 'trimesh'} & set(sys.modules); print(heavy or '')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_flat_namespace_resolves_every_name() -> None:
    import understudy

    for name in understudy.__all__:
        assert getattr(understudy, name) is not None
    with pytest.raises(AttributeError):
        understudy.no_such_name  # noqa: B018
    assert set(understudy.__all__) == set(understudy._HOME)


ROOM = """
[[object]]
name = "table"
shape = { kind = "box", size = [1.2, 0.74, 0.8] }
at = [2.0, 0.37, 1.0]

[[object]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
track = { times = [0, 1], positions = [[0, 1, 1], [0, 2, 1]] }
"""


def test_show_draws_the_scene_too(run: Callable[..., Ran], clip: Path, tmp_path: Path) -> None:
    scene = tmp_path / "room.toml"
    scene.write_text(ROOM)
    plain, furnished = tmp_path / "plain.png", tmp_path / "furnished.png"
    assert run("show", clip, "-o", plain, "--style", "top").code == 0
    assert run("show", clip, scene, "-o", furnished, "--style", "top").code == 0
    assert plain.read_bytes() != furnished.read_bytes()
    assert run("show", scene, "-o", tmp_path / "nobody.png").code == 2
    assert run("show", clip, scene, scene, "-o", tmp_path / "two.png").code == 2


def test_saving_with_a_scene_writes_its_objects(tmp_path: Path) -> None:
    import understudy as us

    (tmp_path / "room.toml").write_text(ROOM)
    scene = us.load_scene(tmp_path / "room.toml")
    path = us.save_motion(wander(person(), frames=61), tmp_path / "out.gltf", scene=scene)
    document = json.loads(path.read_text())
    names = {node.get("name"): index for index, node in enumerate(document["nodes"])}
    assert {"table", "ball"} <= names.keys()
    driven = {channel["target"]["node"] for channel in document["animations"][0]["channels"]}
    assert names["ball"] in driven
    assert names["table"] not in driven
