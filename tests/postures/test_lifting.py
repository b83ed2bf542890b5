"""Feet and hands that leave the floor: they go straight up, and come straight down."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import understudy as us
from understudy.core import Body, Motion, Pose
from understudy.kinematics.hold import hold_end
from understudy.performer import posture
from understudy.postures.lifting import LIFT, ends_of, lifted, moving_ends
from understudy.postures.moves import over_floor
from understudy.verify.claim import Claim
from understudy.verify.judge import verify


def _shifted(pose: Pose, way: tuple[float, float, float]) -> Pose:
    return replace(pose, root_position=pose.root_position + np.array(way))


@pytest.mark.parametrize("foot", ["left foot", "right foot"])
def test_one_foot_is_lifted_straight_up_over_the_other(body: Body, foot: str) -> None:
    stand = posture("relaxed", person=body.skeleton)
    before = ends_of(body, stand)
    other = next(name for name in before if name.endswith("foot") and name != foot)
    pose = lifted(body, stand, [foot], centre=before[other].place)
    assert pose is not None
    after = ends_of(body, pose)
    assert after[foot].place - before[foot].place == pytest.approx([0.0, LIFT * body.stature_m, 0.0], abs=5e-4)
    assert after[other].place == pytest.approx(before[other].place, abs=5e-4)
    assert body.limits.excess(pose.rotations).max() < 1e-9


def test_only_what_moves_is_lifted(body: Body) -> None:
    lying = posture("lying", person=body.skeleton)
    assert moving_ends(body, lying, lying) == ([], [])
    leaving, coming = moving_ends(body, lying, _shifted(lying, (0.0, 0.0, 0.3)))
    assert set(leaving) == set(coming) == {"left foot", "right foot"}
    moves = over_floor(body, lying, _shifted(lying, (0.0, 0.0, 0.3)))
    assert len(moves) == 3
    assert all(one.b is two.a for one, two in pairwise(moves))
    assert not any(ends_of(body, moves[1].a)[name].low for name in leaving)


@pytest.mark.parametrize("pair", [("relaxed", "eagle"), ("a", "hands_behind_back"), ("squat", "hug_knees")])
def test_no_foot_is_dragged(pair: tuple[str, str]) -> None:
    result = us.between(*pair, options=us.BetweenOptions(fps=60.0))
    assert result.status is us.Status.SOLVED, result.reason
    assert result.claim is not None
    feet = verify(result.claim).characters[0].foot_skate
    assert feet is not None
    assert feet.dragged_mm < 5.0


@pytest.mark.parametrize(
    "pair",
    [
        ("t", "lying"),
        ("contortion", "hands_behind_back"),
        ("arms_folded", "contortion_3"),
    ],
)
def test_to_the_floor_and_up_again(pair: tuple[str, str]) -> None:
    for names in (pair, pair[::-1]):
        result = us.between(*names, options=us.BetweenOptions(fps=60.0))
        assert result.status is us.Status.SOLVED, result.reason


@pytest.mark.parametrize("name", ["flare_front", "flare_left", "flare_rear"])
def test_what_nobody_can_hold_is_refused_at_once(name: str) -> None:
    result = us.between("relaxed", name)
    assert result.status is us.Status.INFEASIBLE_GOAL
    assert "posture 1, borne by its hands, cannot be held" in result.reason
    assert "would topple" in result.reason
    assert us.between(name, "relaxed").status is us.Status.INFEASIBLE_START


def test_the_judge_sees_a_foot_that_is_dragged_beside_one_that_stands(body: Body) -> None:
    stand, frames = posture("relaxed", person=body.skeleton), 61
    still = Motion(
        skeleton=body.skeleton,
        fps=60.0,
        root_positions=np.repeat(stand.root_position[None] - [0.0, 0.03, 0.0], frames, axis=0),
        rotations=np.repeat(stand.rotations[None], frames, axis=0),
    )
    at, turns = stand.world()
    share = np.linspace(0.0, 1.0, frames)
    share = share**3 * (10.0 - 15.0 * share + 6.0 * share**2)

    def broken(way_m: float) -> set[str]:
        motion = still
        for side, way in (("left", way_m), ("right", 0.0)):
            chain = tuple(body.skeleton.humanoid[f"{side}{part}"] for part in ("UpperLeg", "LowerLeg", "Foot"))
            places = at[chain[2]] + share[:, None] * np.array([0.0, 0.0, way])
            turned = np.repeat(turns[chain[2]][None], frames, axis=0)
            motion = hold_end(motion, chain, places, turned).motion  # type: ignore[arg-type]
        report = verify(Claim(motions=(("", motion),), floor=True))
        return {one.kind for one in report.violations}

    assert "foot_drag" in broken(0.1)
    assert "contact_slide" not in broken(0.1), "the other foot carries the body"
    assert "foot_drag" not in broken(0.015)
