"""The how-to pages: their program runs as printed, their scene is one, their commands know every option."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import understudy as us
from understudy.cli.app import app

CHECKOUT = Path(__file__).resolve().parents[1]
#: In the order of the navigation: later pages use what earlier ones have made.
NAMES = re.findall(r"\b(howto[a-z-]*\.md)", (CHECKOUT / "mkdocs.yml").read_text("utf-8"))
PAGES = [(CHECKOUT / "docs" / name).read_text("utf-8") for name in NAMES]


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", "\n".join(PAGES), flags=re.DOTALL)


def test_there_is_a_page_per_job_and_the_overview_names_all() -> None:
    assert sorted(NAMES) == sorted(path.name for path in (CHECKOUT / "docs").glob("howto*.md"))
    assert len(NAMES) >= 12
    assert [name for name in NAMES[1:] if f"({name})" not in PAGES[0]] == []


def test_options_named_in_sentences_and_tables_exist_too() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    known = {name for command in commands.values() for parameter in command.params for name in parameter.opts}
    known.add("--help")
    named = {word for page in PAGES for word in re.findall(r"`[^`\n]*?(--[a-z][a-z-]*)", page)}
    assert len(named) > 15
    assert sorted(named - known) == []


LINES = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("understudy ")]


@pytest.mark.parametrize("line", LINES)
def test_commands_and_their_options_exist(line: str) -> None:
    words = [word.partition("=")[0] if word.startswith("--") else word for word in shlex.split(line)]
    command = typer.main.get_command(app).commands[words[1]]  # type: ignore[attr-defined]
    known = {name for parameter in command.params for name in parameter.opts}
    assert [word for word in words[2:] if re.match(r"--?[a-z]", word) and word not in known] == []


def test_the_scene_grows_by_its_tasks(tmp_path: Path) -> None:
    path = tmp_path / "room.toml"
    path.write_text("\n".join(blocks("toml")))
    assert [task.do for task in us.load_scene(path).tasks] == ["walk_to", "touch"]


#: Commands that need nothing but the page's own scene, in its order.
_RUN = ("walk", "correct", "reach", "perform", "verify", "info", "convert")


def test_the_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    room, tasks = blocks("toml")
    for line in LINES:
        words = shlex.split(line)[1:]
        if words[0] in _RUN:
            (tmp_path / "room.toml").write_text(room + (tasks if words[0] == "perform" else ""), encoding="utf-8")
            done = CliRunner().invoke(app, words)
            assert done.exit_code == 0, f"{line}: {done.output}"
    assert {"reach.bvh", "tasks.glb", "walk.glb"} <= {path.name for path in tmp_path.iterdir()}


@pytest.mark.usefixtures("own_task_kinds")
@pytest.mark.parametrize(("page", "written"), [("howto-python.md", "yoga.bvh"), ("howto-skill.md", "button.glb")])
def test_the_program_runs(
    page: str, written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (program,) = re.findall(r"```python\n(.*?)```", PAGES[NAMES.index(page)], flags=re.DOTALL)
    assert len(program.splitlines()) < 100
    exec(compile(program, page, "exec"), {})
    assert capsys.readouterr().out.startswith("solved")
    assert us.verify_file(tmp_path / written).ok
