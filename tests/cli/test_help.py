"""What ``--help`` shows is what was written: units in brackets are not taken for markup."""

from __future__ import annotations

import re

import pytest
import typer
from typer.testing import CliRunner

from understudy.cli.app import app

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_help_has_an_example_and_every_unit(name: str) -> None:
    shown = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "200", "TERMINAL_WIDTH": "200"})
    assert shown.exit_code == 0
    assert "Example:" in shown.output
    helps = " ".join(getattr(parameter, "help", None) or "" for parameter in COMMANDS[name].params)
    units = re.findall(r"\[[\w/^]+\]", helps)
    assert [unit for unit in units if unit not in shown.output] == []
