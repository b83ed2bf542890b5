"""In which order the legs of a plan are searched: first the one that a posture is hardest to leave by."""

from __future__ import annotations

import numpy as np
import pytest

from limb_stages import long_walk
from understudy.core.planning import Status
from understudy.limbs import LimbOptions, Window, plan, stage_of, window_of
from understudy.limbs.legs import Found, Leg
from understudy.limbs.plan import hardest_first, plan_legs
from understudy.limbs.speeds import Pace
from understudy.typing import FloatArray

_AT_S = 2.4


@pytest.fixture(scope="module")
def window() -> Window:
    stage = stage_of(long_walk().frames(0, 300))
    return window_of(stage, stage.space("right_arm"), 54, 234)


def there_and_back(window: Window, arriving: int, leaving: int) -> list[Leg]:
    """Ways to a posture and back whose ways straight to it and out of it are so long."""
    none, offset = np.zeros(len(window.space)), np.full(len(window.space), 0.1)
    rows: list[FloatArray] = [np.zeros((count, len(none) + 1)) for count in (arriving, leaving)]
    return [
        Leg(window=window, start_s=window.start_s + 0.3, end_s=_AT_S, start=none, end=offset, arriving=rows[0]),
        Leg(window=window, start_s=_AT_S, end_s=window.end_s - 0.3, start=offset, end=none, leaving=rows[1]),
    ]


@pytest.mark.parametrize(("arriving", "leaving", "hard"), [(5, 2, 1), (2, 5, 0), (3, 3, 0)])
def test_a_plan_ends_with_the_leg_that_has_no_way(
    window: Window, arriving: int, leaving: int, hard: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    legs = there_and_back(window, arriving, leaving)
    asked: list[tuple[float, int]] = []

    def nothing_found(leg: Leg, *_: object, seed: int) -> Found:
        asked.append((leg.start_s, seed))
        nothing = np.empty((0, len(window.space) + 1))
        return Found(path=nothing, raw=nothing, iterations=0, checks=0, nodes=nothing)

    monkeypatch.setattr(plan, "search", nothing_found)
    bars = {"right_arm": Pace(speed=3.0, acceleration=20.0, jerk=1000.0, calm=3.0)}
    made = plan_legs(legs, bars, LimbOptions(), LimbOptions().watch(), widest_s=0.4, seed=5)
    assert made.status is Status.EXHAUSTED and asked == [(legs[hard].start_s, 5 * 8 + hard)]


def test_legs_without_a_planted_way_come_last_in_the_order_of_time(window: Window) -> None:
    none, (there, back) = np.zeros(len(window.space)), there_and_back(window, 1, 2)
    on_the_clip = Leg(window=window, start_s=1.4, end_s=3.0, start=none, end=none)
    assert hardest_first([on_the_clip, back, on_the_clip, there]) == [3, 1, 0, 2]
