"""Performed scenes judged again as their files have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import understudy as us
from understudy.api.performing_result import PerformResult
from understudy.core.motion import Motion
from understudy.verify.report import Report

SCENE = """
[[character]]
name = "anna"
motion = { clip = "idle", duration = 4 }

[[task]]
character = "anna"
do = "reach"
target = [-0.25, 1.1, 0.4]
hand = "right"
at = 2.0
"""


@pytest.fixture(scope="module")
def performed(tmp_path_factory: pytest.TempPathFactory) -> PerformResult:
    path = tmp_path_factory.mktemp("scene") / "reach.toml"
    path.write_text(SCENE, encoding="utf-8")
    result = us.perform(us.load_scene(path))
    assert result.status, result.reason
    return result


def judged_with(performed: PerformResult, motions: Mapping[str, Motion]) -> Report:
    """The report on the claim of a performance with other motions."""
    claim = performed.claim
    assert claim is not None and claim.scene is not None
    scene = claim.scene
    for name, motion in motions.items():
        scene = scene.with_motion(name, motion, start_s=scene.character(name).start_s)
    return us.verify(replace(claim, motions=tuple(motions.items()), scene=scene, bodies={}))


def test_what_was_read_back_as_written_passes_with_figures(performed: PerformResult, tmp_path: Path) -> None:
    read = {}
    for name, motion in performed.motions.items():
        us.save_motion(motion, tmp_path / f"{name}.bvh")
        read[name] = us.load_motion(tmp_path / f"{name}.bvh")
    report = judged_with(performed, read)
    assert report.ok, report.reason
    assert report.goals and max(one.position_m for one in report.goals) < 1e-3


def test_a_file_that_lost_the_hand_is_refused(performed: PerformResult) -> None:
    def moved(motion: Motion) -> Motion:
        return replace(motion, root_positions=motion.root_positions + np.array([0.05, 0.0, 0.0]))

    report = judged_with(performed, {name: moved(one) for name, one in performed.motions.items()})
    assert "goals" in report.broken
