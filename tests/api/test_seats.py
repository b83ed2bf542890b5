"""Built-in postures that sit bring a stool of their height."""

from __future__ import annotations

import pytest

import understudy as us
from understudy.api.seats import SEAT, with_seat
from understudy.core.body_fit import fit_body
from understudy.performer import posture
from understudy.performer.postures import needs_seat, posture_names


def test_which_postures_sit() -> None:
    assert {name for name in posture_names() if needs_seat(name)} == {"sit", "legs_crossed", "legs_crossed_mirror"}
    stand = posture("relaxed")
    assert with_seat(["relaxed", "eagle"], [stand, stand], fit_body(stand.skeleton)) is None


@pytest.mark.parametrize("pair", [("sit", "relaxed"), ("eagle", "sit"), ("legs_crossed", "relaxed")])
def test_who_sits_gets_up_over_their_feet(pair: tuple[str, str]) -> None:
    result = us.between(*pair, options=us.BetweenOptions(fps=60.0))
    assert result.status is us.Status.SOLVED, result.reason
    assert result.claim is not None
    assert result.claim.scene is not None
    assert [one.name for one in result.claim.scene.objects] == [SEAT]
    assert result.trace is not None
    assert any("seat" in one.supports for one in result.trace.stances)


def test_seats_of_two_heights_stand_beside_each_other() -> None:
    result = us.between("sit", "legs_crossed", options=us.BetweenOptions(fps=60.0))
    assert result.status is us.Status.SOLVED, result.reason
    assert result.claim is not None
    assert result.claim.scene is not None
    assert [one.name for one in result.claim.scene.objects] == [SEAT, f"{SEAT}_2"]


def test_a_scene_of_ones_own_brings_no_seat() -> None:
    result = us.between("sit", "relaxed", scene=us.Scene(), options=us.BetweenOptions(fps=60.0))
    assert result.status is us.Status.INFEASIBLE_START
    assert "cannot be held" in result.reason
