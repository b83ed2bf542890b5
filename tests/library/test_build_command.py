from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from walkers import leaning, walker

from understudy.cli.app import app
from understudy.formats import save_motion
from understudy.library import load_library


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*words: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            app([str(word) for word in words], standalone_mode=True)
        caught = capsys.readouterr()
        return int(stop.value.code or 0), caught.out, caught.err

    return call


#: Trial walks have tests of their own.
UNTRIED = ("--trial-walks", "0")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("clips")
    return [save_motion(walker(turn_degps=turn), folder / f"walk{n}.npz") for n, turn in enumerate((0.0, 25.0))]


def test_json_has_the_promised_keys(run: Callable, files: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "walk.usl"
    code, text, _ = run("build", *files, "-o", out, "--json", "--mirror", *UNTRIED)
    assert code == 0
    answer = json.loads(text)
    assert {"graph", "frames", "clips", "nodes", "edges", "branching", "seconds", "bytes"} <= answer.keys()
    library = load_library(out)
    assert (answer["nodes"], answer["edges"]) == (library.graph.nodes, library.graph.edges)
    assert (answer["graph"], answer["clips"], answer["frames"]) == ("feature", 2, len(library.footage))
    assert answer["bytes"] == out.stat().st_size
    assert answer["branching"] == pytest.approx(library.branching)
    assert any(take.mirrored for take in library.footage.takes)


def test_depth_adds_motion_maps(run: Callable, files: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "walk.usl"
    code, text, _ = run("build", *files, "-o", out, "--json", "--depth", "3", *UNTRIED)
    answer, maps = json.loads(text), load_library(out).maps
    assert code == 0 and maps is not None
    assert (answer["maps"]["clips"], answer["maps"]["thesis_depth"]) == (3, 6)
    assert answer["maps"]["bytes"] == maps.nbytes and answer["maps"]["ways"] == len(maps)
    assert answer["maps"]["seconds"] == answer["seconds"]["maps"] > 0.0
    code, text, _ = run("build", *files, "-o", out, "--depth", "3", *UNTRIED)
    assert code == 0 and "3 clips" in text
    code, _, message = run("build", *files, "-o", out, "--depth", "99", *UNTRIED)
    assert code != 0 and "clips" in message


def test_text_is_for_people(run: Callable, files: list[Path], tmp_path: Path) -> None:
    code, text, _ = run("build", *files, "-o", tmp_path / "walk.usl", "--graph", "hybrid", "--bend", "15", *UNTRIED)
    assert code == 0
    assert "hybrid" in text and "branching" in text and "missing" in text


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--graph", "magic"], 2, "magic"),
        (["--threshold", "-1"], 2, "threshold_m"),
    ],
)
def test_failures_say_what_to_do(run: Callable, tmp_path: Path, words: list[str], code: int, message: str) -> None:
    out = tmp_path / "walk.usl"
    bowing = save_motion(leaning(walker()), tmp_path / "bowing.npz")
    found, _, error = run("build", bowing, "-o", out, *words)
    assert found == code and message in error and error.count("\n") == 1
    assert not out.exists()


def test_wrong_ending_is_refused_before_work(run: Callable, files: list[Path], tmp_path: Path) -> None:
    code, _, error = run("build", *files, "-o", tmp_path / "walk.zip")
    assert code == 2 and ".usl" in error
