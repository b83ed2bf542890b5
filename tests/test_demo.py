"""The demo's first minute: a judged walk and its picture. The whole scene is proved in tests/api."""

from __future__ import annotations

import runpy
from pathlib import Path

from PIL import Image

import understudy as us

CHECKOUT = Path(__file__).resolve().parents[1]


def test_the_first_walk_is_judged_and_drawn(tmp_path: Path) -> None:
    main = runpy.run_path(str(CHECKOUT / "examples" / "demo.py"))["main"]
    assert main(tmp_path, first_only=True) == 0
    assert us.verify_file(tmp_path / "first.bvh").report.ok
    with Image.open(tmp_path / "first.png") as drawn:
        assert min(drawn.size) > 200
