"""Verbs: what a batch does is what the single command does, judged as it was written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import understudy as us
from understudy.batch import load_tasks
from understudy.batch.ledger import Ledger
from understudy.batch.worker import run_item


def record_of(folder: Path, **job: Any) -> dict[str, Any]:
    """Run the only task of a job here and read its record."""
    path = folder / "tasks.json"
    path.write_text(json.dumps({"job": [{"name": "one", **job}]}))
    (item,) = load_tasks(path)
    Ledger(folder / "out").open()
    answer = run_item(item, folder, folder / "out")
    assert answer["status"] != "failed", answer["reason"]
    return json.loads((folder / "out" / "records" / f"{item.name}.json").read_text())


def test_between_is_judged_on_the_skeleton_of_its_file(tmp_path: Path) -> None:
    record = record_of(tmp_path, do="between", postures=["relaxed", "a"], fps=60)
    assert record["verified"], record["reason"]
    assert record["figures"]["penetration_m"] < 1e-3
    motion = us.load_motion(tmp_path / "out" / "clips" / record["clips"][0]["file"])
    assert motion.fps == pytest.approx(60)


def test_reach_puts_the_hand_there_or_says_by_how_much_it_misses(tmp_path: Path) -> None:
    from understudy.performer import performance

    us.save_motion(performance("idle", duration_s=6.0).motion, tmp_path / "idle.bvh")
    near = record_of(tmp_path, do="reach", motion="idle.bvh", hand="right", at=3.0, target=[-0.25, 1.1, 0.35])
    assert near["verified"], near["reason"]
    assert near["figures"]["goal_error_m"] <= 0.001
    far = record_of(tmp_path, do="reach", motion="idle.bvh", hand="right", at=3.0, target=[-0.25, 1.1, 5.0])
    assert far["status"] == "infeasible_goal"
    assert "cm too far" in far["reason"]
    assert far["clips"] == []
