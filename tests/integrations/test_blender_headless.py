"""The add-on inside Blender without windows.

Needs a Python that has Blender as a module: the one named in ``UNDERSTUDY_BPY_PYTHON``, else this one.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from understudy.formats import save_motion
from understudy.performer import performance

HERE = Path(__file__).resolve().parent


def understudy() -> str:
    command = Path(sys.executable).parent / ("understudy.exe" if os.name == "nt" else "understudy")
    if not command.exists():
        pytest.skip(f"no understudy command beside {sys.executable}")
    return str(command)


def run_in_blender(script: Path, *arguments: str, home: Path) -> None:
    python = os.environ.get("UNDERSTUDY_BPY_PYTHON") or (sys.executable if importlib.util.find_spec("bpy") else "")
    if not python:
        pytest.skip("UNDERSTUDY_BPY_PYTHON names no Python with Blender's bpy")
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(home), "TMPDIR": str(home)}
    home.mkdir(exist_ok=True)
    done = subprocess.run(
        [python, str(script), *arguments], env=environment, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """One Blender in which everything is done, and what was found there."""
    command = understudy()
    folder = tmp_path_factory.mktemp("blender")
    save_motion(performance("walk", duration_s=4.0).motion, folder / "walk.bvh")
    save_motion(performance("idle", duration_s=6.0).motion, folder / "idle.bvh")
    run_in_blender(HERE / "headless_session.py", str(folder), command, home=folder / "home")
    return folder, json.loads((folder / "found.json").read_text())


def verified(folder: Path, name: str, *more: str) -> dict[str, Any]:
    command = [understudy(), "verify", f"{name}.bvh", f"{name}/scene.toml", *more, "--json", "--tpose", "keep"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    return json.loads(done.stdout)


def test_an_action_comes_back_as_it_went(session: tuple[Path, dict[str, Any]]) -> None:
    found = session[1]["round_trip"]
    assert found["frames"] > 50 and found["moves"] > 0.5
    assert found["error"] < 1e-5
    assert found["new_action"] == "back"
    assert found["untouched"] and found["kept"]


def test_what_is_visible_is_sent(session: tuple[Path, dict[str, Any]]) -> None:
    found = session[1]["seen"]
    assert found["things"] == ["box_1", "copy/chair/1", "copy_001/chair/2", "letters"]
    assert found["copies_x"] == pytest.approx([3.0, 5.0], abs=1e-6)
    assert found["remarks"] == ['"coat" is bent by another armature and is left out']


def test_behind_a_window_a_job_runs_in_a_thread(session: tuple[Path, dict[str, Any]]) -> None:
    found = session[1]["finished_in_a_thread"]
    assert found["outcome"] == ["FINISHED"] and found["action"] == "walk corrected"
    assert found["calls"][:2] == ["timer", "handler"] and found["calls"][-2:] == ["timer removed", None]
    assert "Understudy: correct ... (Esc cancels)" in found["calls"]
    assert found["reports"] == [[["INFO"], 'new action "walk corrected"']]
    assert not found["left_over"]


def test_escape_cancels(session: tuple[Path, dict[str, Any]]) -> None:
    found = session[1]["cancelled"]
    assert found["outcome"] == ["CANCELLED"] and found["action"] == "walk"
    assert found["reports"] == [[["WARNING"], "cancelled"]]
    assert not found["left_over"]


def test_the_panel_shows_every_job(session: tuple[Path, dict[str, Any]]) -> None:
    shown = session[1]["drawn"]
    assert shown[0] == "walk: walk" and shown[-1] == "Select an armature"
    assert [text for text in shown if text.startswith("understudy.")] == [
        f"understudy.{job}" for job in ("walk", "correct", "reach", "perform")
    ]


def test_bones_that_something_else_holds_are_named(session: tuple[Path, dict[str, Any]]) -> None:
    found = session[1]["held"]
    assert re.match(r'bone "left\w+" is \d+ mm from where it belongs: a constraint', found["remark"])
    assert "that the armature has not" in found["refused"]
    assert found["action"] == "walk" and found["added"] == 1


def test_correct_takes_the_hand_out_of_the_box(session: tuple[Path, dict[str, Any]]) -> None:
    folder, found = session[0], session[1]["corrected"]
    assert found["outcome"] == ["FINISHED"]
    assert found["action"] == "walk corrected" and found["said"] == 'new action "walk corrected"'
    assert found["untouched"] and found["changed"]
    assert found["things"] == ["Box_001", "cart"] and found["moving"] == ["cart"]
    before = verified(folder, "collides")
    assert "penetration" in before["broken"] and before["penetration"]["worst"]["b"] == "Box_001"
    after = verified(folder, "clear", "--source", "collides.bvh")
    assert after["ok"], after["broken"]
    assert after["penetration"]["max_depth_m"] < 0.001


def test_reach_brings_the_hand_to_the_cursor(session: tuple[Path, dict[str, Any]]) -> None:
    found = session[1]["reached"]
    assert found["before_m"] > 0.3 and found["after_m"] < 0.12  # the palm is at the cursor, the fingertips beyond it
    assert found["action"] == "walk reaching" and found["untouched"]
    assert found["keys"] == list(range(1, 122))
    assert "cannot reach" in found["impossible"] and "too far" in found["impossible"]
    assert found["actions_added"] == 0


def test_what_is_missing_is_said(session: tuple[Path, dict[str, Any]]) -> None:
    found = session[1]["refused"]
    assert 'the command "no-such-understudy" was not found' in found["missing"]
    assert "preferences" in found["missing"]
    assert "choose a text" in found["no_text"] and "no [[task]]" in found["no_task"]
    assert 'no object "nothing"' in found["no_thing"]
    assert "apply its scale" in found["uneven"] and "has no action" in found["no_action"]
    assert found["actions"] == 1


def test_perform_takes_the_cube_along(session: tuple[Path, dict[str, Any]]) -> None:
    found = session[1]["performed"]
    assert found["action"] == "idle performed" and found["cube_action"] == "cube.1 performed"
    assert found["starts"] == pytest.approx([-0.3, -0.45, 1.15], abs=1e-6)
    apart, *held = found["distances_m"]
    assert apart > 0.3 and max(held) < 0.2  # the tip of the hand bone to the middle of the cube
    assert max(held) - min(held) < 1e-5
    assert found["cube_moved_m"] > 0.1


def test_walk_begins_where_the_armature_is_and_ends_at_the_empty(session: tuple[Path, dict[str, Any]]) -> None:
    folder, found = session[0], session[1]["walked"]
    assert found["action"] == "walk walking" and found["untouched"]
    assert found["first"] == 10
    assert found["start_error_m"] < 0.06 and found["goal_error_m"] < 0.06
    assert verified(folder, "walked")["ok"]


def test_the_package_installs_as_an_extension(tmp_path: Path) -> None:
    from integrations.blender.package import packaged

    script = tmp_path / "install.py"
    script.write_text(
        "import bpy, sys\n"
        "bpy.ops.extensions.package_install_files(filepath=sys.argv[1], repo='user_default', enable_on_install=True)\n"
        "assert 'bl_ext.user_default.understudy_blender' in bpy.context.preferences.addons, 'not enabled'\n"
        "assert bpy.context.scene.understudy.library == 'builtin'\n"
    )
    run_in_blender(script, str(packaged(tmp_path)), home=tmp_path / "home")
