"""In which order things are tried, and what failures teach."""

from __future__ import annotations

import numpy as np

from understudy.limbs.handling.aims import Way
from understudy.limbs.handling.choices import Choice
from understudy.limbs.handling.draws import Candidate, Draws
from understudy.limbs.ik import Posture
from understudy.limbs.options import LimbOptions
from understudy.limbs.seeds import EndTarget

WAY = Way(end=EndTarget(position=np.zeros(3), point=np.zeros(3)), out=np.array([0.0, 1.0, 0.0]))


def candidate(cost_m: float, limb: str = "left_arm") -> Candidate:
    posture = Posture(offset=np.zeros(7), slack_m=0.01, cost_m=cost_m)
    return Candidate(limb, Choice(posture, WAY), cost_m)


def begun(*candidates: Candidate) -> Draws:
    draws = Draws("left_arm", LimbOptions())
    for _ in range(4):  # looking for postures
        draws.take(draws.next())
    draws.add(candidates)
    return draws


def test_postures_of_the_arm_are_looked_for_first() -> None:
    first = Draws("left_arm", LimbOptions()).next()
    assert first is not None and first.candidate is None and first.limb == "left_arm" and not first.wide
    alone = Draws("left_arm", LimbOptions(spine=False))
    assert {one.limb for one in alone._looks()} == {"left_arm"}


def test_the_cheapest_posture_comes_first_calmly_and_briefly_and_nothing_twice() -> None:
    near, far = candidate(0.3), candidate(0.9)
    draws = begun(far, near)
    seen = []
    while (draw := draws.next()) is not None:
        draws.take(draw)
        seen.append((id(draw.candidate), draw.lead_s, draw.effort, draw.hurry))
    assert seen[0] == (id(near), 1.0, 0, 0)
    assert len(seen) == len(set(seen)) == 2 * 5 * 3 * 3
    assert [one[0] for one in seen].index(id(far)) < len(seen) // 2


def test_failures_move_on_to_other_postures_longer_windows_and_faster_arms() -> None:
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


def test_patient_searches_draw_more_and_keep_less_room() -> None:
    draws = begun(candidate(0.3))
    by_effort = {}
    while (draw := draws.next()) is not None:
        draws.take(draw)
        by_effort.setdefault(draw.effort, draws.options_of(draw))
    assert by_effort[0].iterations < by_effort[1].iterations < by_effort[2].iterations
    assert by_effort[2].margin_m < by_effort[0].margin_m == draws.options.margin_m
