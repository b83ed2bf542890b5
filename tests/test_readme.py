"""The README's first screen is true: its Python runs as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]

ROOM = """
[[object]]
name = "table"
shape = { kind = "box", size = [1.2, 0.74, 0.8] }
at = [0.6, 0.37, 2.0]
"""


def test_the_first_program_runs_and_its_walk_is_solved(tmp_path: Path) -> None:
    text = (CHECKOUT / "README.md").read_text("utf-8")
    program = re.search(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert program is not None
    (tmp_path / "room.toml").write_text(ROOM)
    ran = subprocess.run(
        [sys.executable, "-c", program[1]], cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "SOLVED" in ran.stdout
    assert (tmp_path / "child.glb").stat().st_size > 10_000


def test_every_page_the_readme_points_to_exists() -> None:
    text = (CHECKOUT / "README.md").read_text("utf-8")
    links = [link.split("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text)]
    assert links
    assert [link for link in links if not (CHECKOUT / link).exists()] == []
