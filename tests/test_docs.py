"""The documentation site is self-contained and draws the house as the layer contract has it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
LOADS = re.compile(
    r"""<(?:script|link|img|iframe|source|video|audio)\b[^>]*\b(?:src|href)=["']?((?:https?:)?//[^"'\s>]+)"""
)
STYLE_LOADS = re.compile(r"""(?:url\(|@import\s)\s*["']?((?:https?:)?//[^"')\s]+)""")


def external_loads(site: Path) -> list[str]:
    pages = [LOADS.findall(page.read_text("utf-8")) for page in site.rglob("*.html")]
    styles = [STYLE_LOADS.findall(style.read_text("utf-8")) for style in site.rglob("*.css")]
    return [address for found in (*pages, *styles) for address in found]


def test_the_search_for_external_loads_finds_planted_ones(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        '<a href="https://a.example/link">only a link</a><script defer src=//b.example/s.js></script>'
        '<link rel="stylesheet" href="https://c.example/s.css"><img src="local.png">'
    )
    (tmp_path / "page.css").write_text('@import "https://d.example/x.css"; a { background: url(local.png) }')
    assert external_loads(tmp_path) == [
        "//b.example/s.js",
        "https://c.example/s.css",
        "https://d.example/x.css",
    ]


def test_pages_load_nothing_from_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="mkdocs is not installed")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=CHECKOUT, env=environment, capture_output=True, text=True, timeout=900)
    assert built.returncode == 0, built.stderr
    assert (tmp_path / "conventions.html").is_file()
    assert external_loads(tmp_path) == []


def test_every_room_of_the_contract_is_drawn() -> None:
    settings = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))
    contracts = {contract["id"]: contract for contract in settings["tool"]["importlinter"]["contracts"]}
    rooms = re.findall(r"\w+", " ".join(contracts["layers"]["layers"]))
    drawing = (CHECKOUT / "docs" / "architecture.md").read_text("utf-8").split("```")[1]
    drawn = re.findall(r"^\s+(?:\d\s+)?(\w+)/\s", drawing, flags=re.MULTILINE) + re.findall(r"(\w+)\.py", drawing)
    assert sorted(rooms) == sorted(drawn)


def test_the_newcomers_guide_names_files_that_exist() -> None:
    text = (CHECKOUT / "docs" / "newcomer.md").read_text("utf-8")
    named = re.findall(r"`((?:src|tests|tools|docs|benchmarks)/[\w/.-]+\.\w+)`(?! \(new\))", text)
    assert len(named) > 15
    assert [name for name in named if not (CHECKOUT / name).exists()] == []
    modules = re.findall(r"`(\w+\.py)`", text.split("module in `src/understudy/performer/`")[1])
    assert len(modules) > 5
    assert [name for name in modules if not (CHECKOUT / "src/understudy/performer" / name).exists()] == []
