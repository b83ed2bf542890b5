"""The demo: its first minute, a judged walk and its picture; and, in the long run, all of it."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from PIL import Image

import understudy as us

CHECKOUT = Path(__file__).resolve().parents[1]


def test_the_first_walk_is_judged_and_drawn(tmp_path: Path) -> None:
    main = runpy.run_path(str(CHECKOUT / "examples" / "demo.py"))["main"]
    assert main(tmp_path, first_only=True) == 0
    assert us.verify_file(tmp_path / "first.bvh").report.ok
    with Image.open(tmp_path / "first.png") as drawn:
        assert min(drawn.size) > 200


@pytest.mark.long
def test_the_whole_scene_is_done_and_judged_again_from_its_file(tmp_path: Path) -> None:
    main = runpy.run_path(str(CHECKOUT / "examples" / "demo.py"))["main"]
    assert main(tmp_path) == 0
    assert {"demo.glb", "demo.html", "demo.png", "plan.png", "report.json"} <= {
        path.name for path in tmp_path.iterdir()
    }
