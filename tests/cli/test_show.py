"""``understudy show``: files of every kind, JSON, and refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from people import person, wander
from understudy.api.judging import certified_scene
from understudy.api.saving import save
from understudy.cli.app import app
from understudy.cli.show import _cast
from understudy.formats import ReadOptions, save_motion
from understudy.scene import Attachment, Box, Scene, Transform, save_scene
from understudy.verify.claim import Claim


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*words: object) -> tuple[int, str, str]:
        try:
            app([str(word) for word in words], standalone_mode=True)
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        caught = capsys.readouterr()
        return code, caught.out, caught.err

    return call


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    return save_motion(wander(person(), frames=11, fps=30.0, size_rad=0.2), tmp_path / "clip.bvh")


@pytest.mark.parametrize("style", ["sheet", "strobe", "top"])
def test_stills(run, clip: Path, tmp_path: Path, style: str) -> None:
    out = tmp_path / f"{style}.png"
    code, text, _ = run("show", clip, clip, "-o", out, "--style", style, "--poses", 2, "--size", "200x160", "--json")
    document = json.loads(text)
    assert code == 0
    assert document["picture"] == str(out)
    assert document["bytes"] == out.stat().st_size
    with Image.open(out) as image:
        image.verify()


def test_things_are_drawn_where_the_certificate_puts_them(tmp_path: Path) -> None:
    """The scene file has the cup on the floor; the written motion carries it in the hand."""
    motion = wander(person(), frames=31, fps=30.0, size_rad=0.2)
    room = Scene().with_object("cup", Box(size_m=(0.05, 0.1, 0.05)), position=(2.0, 0.05, 0.0))
    grip = Transform(position=(0.0, -0.1, 0.0))
    held = (
        room.with_object("door", Box(size_m=(0.8, 2.0, 0.04)), position=(0.0, 1.0, 3.0))
        .with_character("anna", motion=motion)
        .with_attachment(Attachment(object="cup", to="anna.right_hand", start_s=0.0, end_s=9.0, grip=grip))
    )
    path = save(Claim(motions=(("anna", motion),), scene=held), tmp_path / "anna.glb").path
    save_scene(room, tmp_path / "room.toml")
    for files in ([path], [path, tmp_path / "room.toml"]):
        props = {prop.name: prop for prop in _cast(files, ReadOptions())[1]}
        assert set(props) == {"cup", "door"}
        shown = props["cup"]
        assert np.allclose(shown.positions, held.object_track("cup", shown.times_s)[0], atol=1e-5)
        assert np.ptp(shown.positions, axis=0).max() > 0.02
    bare = save_motion(motion, tmp_path / "bare.npz")
    assert certified_scene(bare) is None and _cast([bare], ReadOptions())[1] == ()


def test_player(run, clip: Path, tmp_path: Path) -> None:
    code, text, _ = run("show", clip, "-o", tmp_path / "clip.html", "--title", "A clip")
    assert code == 0
    assert "clip.html" in text
    assert "<title>A clip</title>" in (tmp_path / "clip.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["-o", "a.gif"], 2, ".png, .mp4, .html"),
        (["-o", "a.png", "--style", "shet"], 2, '"sheet"'),
        (["-o", "a.png", "--size", "12"], 2, "960x540"),
        (["-o", "a.png", "--view", "sid"], 2, '"side"'),
        (["-o", "absent/a.png", "--poses", "1"], 2, "absent"),
    ],
)
def test_refusals(run, clip: Path, tmp_path: Path, monkeypatch, words: list[str], code: int, message: str) -> None:
    monkeypatch.chdir(tmp_path)
    got, _, err = run("show", clip, *words)
    assert got == code
    assert message in err
    assert [item.name for item in tmp_path.iterdir()] == ["clip.bvh"]
