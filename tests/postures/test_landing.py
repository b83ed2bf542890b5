"""Feet that leave the floor: they are lifted and put down, not dragged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import understudy as us
from understudy.core import Body, Motion
from understudy.kinematics import motion_world
from understudy.kinematics.hold import hold_end
from understudy.performer import posture
from understudy.postures.landing import without_dragging
from understudy.verify.foot_skate import foot_skate

FPS = 60.0


def _leg(body: Body, side: str) -> tuple[int, int, int]:
    return tuple(body.skeleton.humanoid[f"{side}{part}"] for part in ("UpperLeg", "LowerLeg", "Foot"))  # type: ignore[return-value]


def _dragged(body: Body, *, forward_m: float = 0.15, up_m: float = 0.12, frames: int = 121) -> Motion:
    """Somebody whose left foot goes forward and up together, on a straight line at the speed of a bell."""
    stand = posture("relaxed", person=body.skeleton)
    still = Motion(
        skeleton=body.skeleton,
        fps=FPS,
        root_positions=np.repeat(stand.root_position[None] - [0.0, 0.03, 0.0], frames, axis=0),
        rotations=np.repeat(stand.rotations[None], frames, axis=0),
    )
    at, turns = stand.world()
    share = np.linspace(0.0, 1.0, frames)
    share = share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
    for side, way in (("left", [0.0, up_m, forward_m]), ("right", [0.0, 0.0, 0.0])):
        ankle = _leg(body, side)[2]
        places = at[ankle] + share[:, None] * np.array(way)
        still = hold_end(still, _leg(body, side), places, np.repeat(turns[ankle][None], frames, axis=0)).motion
    return still


def test_a_lifted_foot_does_not_slide_first(body: Body) -> None:
    dragged = _dragged(body)
    lifted = without_dragging(body, dragged, [0, len(dragged) - 1])
    assert foot_skate(dragged).stance_drift_mm > 10.0
    assert foot_skate(lifted).stance_drift_mm < 5.0
    ankle = _leg(body, "left")[2]
    before, after = (motion_world(motion).positions[:, ankle] for motion in (dragged, lifted))
    assert np.abs(before[:, [0, 2]] - after[:, [0, 2]]).max() < 1e-6, "it goes where it went"
    assert (after[:, 1] >= before[:, 1] - 1e-9).all(), "only higher"
    assert np.abs(after[[0, -1]] - before[[0, -1]])[0].max() < 1e-9, "from where it stood"
    fast = np.abs(np.diff(after[:, 1], n=2)).max() * FPS**2
    assert fast < 15.0, "without a jump [m/s2]"


def test_it_is_put_down_as_it_was_lifted(body: Body) -> None:
    dragged = _dragged(body)
    back = replace(dragged, root_positions=dragged.root_positions[::-1], rotations=dragged.rotations[::-1])
    up = without_dragging(body, dragged, [0, len(dragged) - 1])
    down = without_dragging(body, back, [0, len(back) - 1])
    assert np.abs(up.rotations - down.rotations[::-1]).max() < 1e-9


@pytest.mark.parametrize("held", ["leftFoot", "leftToes"])
def test_pinned_feet_are_left_alone(body: Body, held: str) -> None:
    dragged = _dragged(body)
    ends = [0, len(dragged) - 1]
    kept = without_dragging(body, dragged, ends, held=[body.skeleton.humanoid[held]])
    assert np.abs(kept.rotations - dragged.rotations).max() < 1e-9


def test_a_foot_that_would_slide_over_the_floor_steps(body: Body) -> None:
    shuffled = _dragged(body, up_m=0.0)
    stepped = without_dragging(body, shuffled, [0, len(shuffled) - 1])
    assert foot_skate(shuffled).stance_drift_mm > 10.0
    assert foot_skate(stepped).stance_drift_mm < 5.0
    ankle = _leg(body, "left")[2]
    assert motion_world(stepped).positions[:, ankle, 1].max() > motion_world(shuffled).positions[0, ankle, 1] + 0.05
    assert body.limits.excess(stepped.rotations).max() < 1e-6


def test_into_the_eagle_and_back_no_foot_slides() -> None:
    options = us.BetweenOptions(fps=FPS)
    result = us.between("relaxed", "eagle", "relaxed", pins=["rightFoot"], options=options)
    assert result.status
    feet = foot_skate(result.motion)
    assert feet.stance_drift_mm < 2.0
    ball = result.motion.skeleton.humanoid["rightToes"]
    spread = np.ptp(motion_world(result.motion).positions[:, ball], axis=0)
    assert spread.max() < 0.002, "a pinned foot does not pivot either: the eagle has no heading of its own"
