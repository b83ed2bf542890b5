"""Every example runs as it stands, from the repository's root, and says something."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
EXAMPLES = sorted((CHECKOUT / "examples").glob("[0-9]*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(example: Path, tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, str(example)], cwd=tmp_path, capture_output=True, text=True, timeout=900)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip()


def test_examples_are_shown_in_the_documentation() -> None:
    pages = "".join(page.read_text("utf-8") for page in (CHECKOUT / "docs").glob("*.md"))
    assert EXAMPLES
    assert [example.name for example in EXAMPLES if f"examples/{example.name}" not in pages] == []
