"""Legs pass beside each other, whoever walks."""

from __future__ import annotations

import pytest

from understudy.performer import Person, performance
from understudy.verify.claim import Claim
from understudy.verify.judge import verify


@pytest.mark.parametrize(
    ("clip", "stature_m", "style"),
    [
        ("turn_right", 1.69, "calm"),
        ("turn_left", 1.65, "brisk"),
        ("u_turn_left", 1.5, "calm"),
        ("u_turn_right", 1.75, "brisk"),
        ("sharp_left", 1.8, "brisk"),
        ("sidestep_left", 1.57, "calm"),
        ("sidestep_right", 1.86, "tired"),
    ],
)
def test_turning_and_sidestepping_legs_stay_apart(clip: str, stature_m: float, style: str) -> None:
    motion = performance(clip, seed=30, person=Person(stature_m=stature_m), style=style).motion
    report = verify(Claim(motions=(("", motion),)))
    assert report.ok, report.reason
