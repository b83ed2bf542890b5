"""In which order things are tried, and what failures and the judge teach."""

from __future__ import annotations

import pytest

from understudy.core.violations import Violation
from understudy.limbs.draws import Candidate, Draws, linkages_of
from understudy.limbs.options import LimbOptions
from understudy.limbs.speeds import FACTOR, Pace

BOTH = ("left_arm", "left_arm_spine")


def candidate(cost_m: float, limb: str = "left_arm") -> Candidate:
    return Candidate(limb=limb, cost_m=cost_m)


def begun(*candidates: Candidate) -> Draws:
    draws = Draws(BOTH)
    for _ in range(4):  # looking for candidates
        draws.take(draws.next())
    draws.add(candidates)
    return draws


def test_candidates_of_the_arm_are_looked_for_first() -> None:
    first = Draws(BOTH).next()
    assert first is not None and first.candidate is None and first.limb == "left_arm" and not first.wide
    assert linkages_of("left_arm", LimbOptions()) == BOTH
    assert linkages_of("left_arm", LimbOptions(spine=False)) == linkages_of("left_arm", LimbOptions())[:1]
    assert linkages_of("left_leg", LimbOptions()) == ("left_leg",)


def test_the_cheapest_comes_first_calmly_and_briefly_and_nothing_twice() -> None:
    near, far = candidate(0.3), candidate(0.9)
    draws = begun(far, near)
    seen = []
    while (draw := draws.next()) is not None:
        draws.take(draw)
        seen.append((id(draw.candidate), draw.lead_s, draw.effort, draw.hurry))
    assert seen[0] == (id(near), 1.0, 0, 0)
    assert len(seen) == len(set(seen)) == 2 * 5 * 3 * 3
    assert [one[0] for one in seen].index(id(far)) < len(seen) // 2


def test_failures_move_on_to_other_candidates_longer_windows_and_faster_arms() -> None:
    draws = begun(candidate(0.3), candidate(0.4))
    first = draws.next()
    draws.take(first)
    draws.failed(first)
    assert draws.next().candidate is not first.candidate
    for trait, what in (("lead_s", {"fast": True}), ("hurry", {"late": True})):
        draws = begun(candidate(0.3))
        first = draws.next()
        for _ in range(3):
            draw = draws.next()
            draws.take(draw)
            draws.failed(draw, **what)
        assert getattr(draws.next(), trait) > getattr(first, trait)


@pytest.mark.parametrize(("part", "given_up"), [("anna.chest", True), ("anna.left_hand", False), ("cup", False)])
def test_a_linkage_that_does_not_move_what_overlaps_is_given_up(part: str, given_up: bool) -> None:
    draws = begun(candidate(0.3), candidate(0.5, "left_arm_spine"))
    draw = draws.next()
    draws.take(draw)
    overlap = Violation(kind="penetration", value=4.0, bar=1.0, unit="mm", part=part, other="shelf", time_s=2.3)
    draws.learn(draw, [overlap], {"anna.left_hand", "cup"})
    rest = set()
    while (draw := draws.next()) is not None:
        draws.take(draw)
        rest.add(draw.limb)
    assert ("left_arm" not in rest) == given_up
    assert "left_arm_spine" in rest


def test_what_the_judge_calls_too_fast_gets_more_time() -> None:
    draws = begun(candidate(0.3))
    for _ in range(3):
        first = draws.next()
        draws.take(first)
        fast = Violation(kind="velocity", value=1.8, bar=1.5, unit="x", part="left_arm", time_s=2.3)
        draws.learn(first, [fast], ())
    assert draws.next().lead_s > 1.0


def test_patient_searches_draw_more_and_keep_less_room_and_nobody_hurries_beyond_everyday_life() -> None:
    draws, given = begun(candidate(0.3)), LimbOptions()
    usual = {"left_arm": Pace(speed=6.0, acceleration=60.0, jerk=900.0, calm=3.3)}
    by_effort, calms = {}, {}
    while (draw := draws.next()) is not None:
        draws.take(draw)
        by_effort.setdefault(draw.effort, draw.options(given))
        calms.setdefault(draw.hurry, draw.paces(usual, given.speed_share)["left_arm"].calm)
    assert by_effort[0].iterations < by_effort[1].iterations < by_effort[2].iterations
    assert by_effort[2].margin_m < by_effort[0].margin_m == given.margin_m
    assert calms[0] == pytest.approx(3.3) and calms[0] < calms[1] == calms[2] == pytest.approx(6.0 / FACTOR)


def test_who_shares_the_blame_shares_what_it_costs() -> None:
    first, second = candidate(0.3), candidate(0.2)
    first.seconds = [second]
    draws = begun(first)
    draw = draws.next()
    draws.take(draw)
    draws.failed(draw, blamed=[first, second])
    shared = first.cost_m - 0.3
    assert shared == pytest.approx(second.cost_m - 0.2) and shared > 0.0
    draws.failed(draw)
    assert first.cost_m - 0.3 == pytest.approx(3.0 * shared)
