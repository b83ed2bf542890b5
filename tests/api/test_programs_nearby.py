"""Goals just beside where somebody stands: whoever is not there by the judge's bars takes a step."""

from __future__ import annotations

import math

import pytest

from understudy.api.performing import perform
from understudy.locomotion.footsteps.footing import THERE_M, THERE_RAD
from understudy.scene import Scene, Task
from understudy.verify.bars import Bars


@pytest.mark.parametrize(("ahead_m", "turn_deg"), [(0.012, None), (-0.05, None), (0.0, 6.0), (0.04, -7.0), (0.0, 0.0)])
def test_a_goal_a_little_away_is_stepped_to(ahead_m: float, turn_deg: float | None) -> None:
    heading = None if turn_deg is None else math.radians(turn_deg)
    scene = Scene().with_character("anna", start=(0.0, 0.0))
    scene = scene.with_task(Task(character="anna", do="walk_to", goal=(0.0, 1.5), heading_rad=0.0))
    beside = Task(character="anna", do="walk_to", goal=(0.7 * ahead_m, 1.5 + ahead_m), heading_rad=heading)
    result = perform(scene.with_task(beside))
    assert result.status, result.reason


def test_who_is_there_clears_the_bars() -> None:
    bars = Bars()
    assert bars.goal_position_m > THERE_M and bars.goal_heading_rad > THERE_RAD
