"""Bodies that bend for what is low: balanced, on their feet, within their limits, and only as far as needed."""

from __future__ import annotations

import numpy as np
import pytest

import understudy as us
from understudy.core.motion import Motion
from understudy.kinematics import motion_world
from understudy.limbs.handling import Play
from understudy.locomotion.footsteps.bearing import borne
from understudy.locomotion.footsteps.footing import footing_of
from understudy.locomotion.footsteps.moving import Going, Mover
from understudy.locomotion.footsteps.shuffling import standing
from understudy.locomotion.footsteps.ways import Way
from understudy.performer import Person
from understudy.performer.actions.balance import exertion
from understudy.performer.style import Style
from understudy.scene import Scene
from understudy.scene.shapes import Box
from understudy.skills.program.bringing import meets
from understudy.skills.program.carrying import BEARINGS
from understudy.skills.program.spots import Spot
from understudy.skills.program.stooping import Stoop, runs_into, stoops_for

SKELETON = Person().skeleton()


@pytest.fixture(scope="module")
def stand() -> Motion:
    """Somebody who stands at the origin for a while and faces +Z."""
    mover = Mover(skeleton=SKELETON, style=Style(), fps=60.0, seed=0)
    footing = standing(SKELETON, np.zeros(2), 0.0, Style())
    return mover.go(footing, Going(way=Way(points=np.zeros((2, 2))), stand_s=4.5))[0]


def spot_at(height_m: float, hand: str = "right") -> Spot:
    """Something right before who stands at the origin."""
    aside, apart = (0.0, 0.3) if hand == "both" else (-0.1, 0.0)
    point = np.array([aside, height_m, 0.5])
    return Spot(place=np.zeros(2), heading_rad=0.0, hand=hand, point=point, beyond_m=0.2, apart_m=apart)


def stoop_at(height_m: float, hand: str = "right") -> Stoop:
    """How one bends for it."""
    return next(stoops_for(SKELETON, spot_at(height_m, hand)))


@pytest.mark.parametrize(("height_m", "hand"), [(0.6, "right"), (0.1, "right"), (0.1, "left"), (0.6, "both")])
def test_the_judge_passes_who_bends(stand: Motion, height_m: float, hand: str) -> None:
    # As on a leg, the hands that will reach are held up.
    for side in ("left", "right") if hand == "both" else (hand,):
        stand = borne(stand, side, None, BEARINGS[1])
    made = stoop_at(height_m, hand).during(stand, 0.3)
    report = us.verify(made)
    assert report.ok, [str(one) for one in report.violations]


def test_feet_stay_and_the_body_comes_up_again(stand: Motion) -> None:
    stoop = stoop_at(0.2)
    made = stoop.during(stand, 0.3)
    before, after = motion_world(stand), motion_world(made)
    feet = [SKELETON.humanoid[f"{side}Foot"] for side in ("left", "right")]
    np.testing.assert_allclose(after.positions[:, feet], before.positions[:, feet], atol=1e-6)
    lowest = round((0.3 + stoop.takes_s) * stand.fps)
    shoulder = SKELETON.humanoid["rightUpperArm"]
    assert after.positions[lowest, shoulder, 1] < 0.7 * before.positions[lowest, shoulder, 1]
    np.testing.assert_allclose(after.positions[-1], before.positions[-1], atol=1e-6)
    assert footing_of(made).heading_rad == pytest.approx(footing_of(stand).heading_rad)


def test_lower_things_take_more_bending() -> None:
    efforts = [exertion(stoop_at(height_m).numbers) for height_m in (0.8, 0.5, 0.2)]
    assert efforts == sorted(efforts)
    assert efforts[-1] <= 1.0 + 1e-9


@pytest.mark.parametrize("height_m", [0.03, 0.15, 0.3])
@pytest.mark.parametrize("hand", ["left", "right"])
def test_an_arm_that_hangs_before_who_bends_is_clear_of_the_thighs(stand: Motion, height_m: float, hand: str) -> None:
    up = borne(stand, hand, None, BEARINGS[1])
    made = stoop_at(height_m, hand).during(up, 0.3).renamed("anna")
    scene = Scene().with_character("anna", start=(0.0, 0.0)).with_motion("anna", made)
    assert meets(Play(scene=scene, sources={"anna": stand}), "anna", hand, limits=False) == ""


def test_who_puts_down_what_is_held_from_the_side_bends_lower() -> None:
    above, beside = (next(stoops_for(SKELETON, spot_at(0.1), wrist)) for wrist in ((0.0, 0.09), (0.09, 0.0)))
    assert beside.lower_m(SKELETON) > above.lower_m(SKELETON)


def test_who_has_no_room_for_knees_leans_more() -> None:
    squat, lean = stoops_for(SKELETON, spot_at(0.5, "both"))
    assert squat.numbers[4] > lean.numbers[4]
    assert squat.numbers[1] < lean.numbers[1]


def test_what_is_too_far_is_out_of_reach() -> None:
    far = Spot(place=np.zeros(2), heading_rad=0.0, hand="right", point=np.array([0.0, 0.1, 1.6]), beyond_m=1.0)
    assert list(stoops_for(SKELETON, far)) == []


def test_what_the_body_would_run_into_is_named(stand: Motion) -> None:
    scene = Scene().with_character("anna", start=(0.0, 0.0))
    assert runs_into(scene, "anna", stand, stoop_at(0.4)) == ""
    wall = scene.with_object("wall", Box(size_m=(1.0, 1.2, 0.05)), position=(0.0, 0.6, 0.3))
    assert "in wall" in runs_into(wall, "anna", stand, stoop_at(0.4))
