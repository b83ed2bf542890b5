from __future__ import annotations

import json
from pathlib import Path

import pytest

import understudy as us
from understudy.cli.app import app
from understudy.formats import load_motion


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    try:
        app([str(word) for word in words], standalone_mode=True)
        code = 0
    except SystemExit as stop:
        code = int(stop.code or 0)
    caught = capsys.readouterr()
    return code, caught.out, caught.err


def test_a_clip_is_written_and_reads_back(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "sub" / "walk.bvh"
    code, out, _ = run(capsys, "performer", "walk", "-o", target, "--fps", 30, "--duration", 4, "--json")
    assert code == 0
    (entry,) = json.loads(out)["files"]
    motion = load_motion(target)
    assert (len(motion), entry["frames"]) == (121, 121)
    assert motion.skeleton.is_humanoid


def test_a_set_fills_a_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, "performer", "walk", "-o", tmp_path / "clips", "--fps", 20, "--to", "npz", "--json")
    entries = json.loads(out)["files"]
    assert code == int(any(entry["status"] != "solved" for entry in entries))
    assert all((entry["status"] == "solved") == us.verify_file(entry["path"]).ok for entry in entries)
    assert len(list((tmp_path / "clips").glob("*.npz"))) == 14


def test_list_names_everything(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "performer", "--list", "--json")
    document = json.loads(out)
    assert code == 0
    assert "sidestep_left" in document["clips"]
    assert document["styles"] == ["calm", "brisk", "tired"]


@pytest.mark.parametrize(
    "words",
    [
        ("performer",),
        ("performer", "wakl", "-o", "x.bvh"),
        ("performer", "walk", "-o", "x.nothing"),
        ("performer", "locomotion", "-o", "x.bvh"),
        ("performer", "walk", "-o", "x.bvh", "--style", "angry"),
    ],
)
def test_bad_usage_writes_nothing(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, *words)
    assert code in (1, 2)
    assert "error" in err
    assert not list(tmp_path.iterdir())
