"""Arms of programs: what they meet, how they are brought over, how things are carried, and displacing as steps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.core.body_fit import fit_body
from understudy.core.planning import Watch
from understudy.kinematics import motion_world
from understudy.limbs.handling import Play
from understudy.limbs.options import LimbOptions
from understudy.limbs.space import limb_space
from understudy.locomotion.footsteps.bearing import borne
from understudy.locomotion.footsteps.footing import footing_of
from understudy.locomotion.footsteps.moving import Going, Mover
from understudy.locomotion.footsteps.shuffling import shuffled, standing
from understudy.locomotion.footsteps.ways import Way
from understudy.performer.person import Person
from understudy.performer.style import Style
from understudy.scene import Scene, Task
from understudy.scene.characters import Character
from understudy.scene.shapes import Box, Sphere
from understudy.skills.program.bringing import brought, meets
from understudy.skills.program.carrying import BEARINGS, aside, over, upright_turn
from understudy.skills.program.compiling import compiled

SKELETON = Person().skeleton()
STYLE = Style()
HAND = SKELETON.humanoid["leftHand"]


def stood(seconds: float = 3.0):
    going = Going(way=Way(points=np.zeros((2, 2))), stand_s=seconds)
    mover = Mover(skeleton=SKELETON, style=STYLE, fps=60.0, seed=0)
    return mover.go(standing(SKELETON, np.zeros(2), 0.0, STYLE), going)[0]


def play_of(motion, scene: Scene) -> Play:
    staged = scene.with_character(Character(name="anna", start=(0.0, 0.0))).with_motion("anna", motion)
    return Play(scene=staged, sources={"anna": motion})


def test_a_ball_at_the_hand_is_met_and_one_far_away_is_not() -> None:
    motion = stood(1.0)
    hand = motion_world(motion).positions[30, HAND]
    near = Scene().with_object("ball", Sphere(radius_m=0.05), position=tuple(hand))
    far = Scene().with_object("ball", Sphere(radius_m=0.05), position=(2.0, 1.0, 2.0))
    assert "ball" in meets(play_of(motion, near), "anna", "left")
    assert meets(play_of(motion, far), "anna", "left") == ""


def test_an_arm_is_brought_over_past_what_a_fade_would_meet() -> None:
    base = stood()
    before = borne(base, "left", None, over(SKELETON, 0.9, 0.2)).frames(0, 30)
    space = limb_space(fit_body(SKELETON), "left_arm")
    # The wrist is twisted, too, which no parameter of an arm says: what it holds would turn at once.
    twisted = space.coordinates(before.rotations) + np.array([0.0] * 8 + [0.5])
    before = replace(before, rotations=space.with_coordinates(before.rotations, twisted))
    table = Box(size_m=(0.5, 0.02, 0.4))
    scene = Scene().with_object("table", table, position=(0.35, 0.88, 0.42))
    play = play_of(base, scene)
    found = brought(play, "anna", before, "left", LimbOptions(), Watch())
    assert not isinstance(found, str), found
    assert len(found) == len(base)
    assert np.allclose(space.coordinates(found.rotations[0]), space.coordinates(before.rotations[-1]), atol=1e-6)
    assert np.array_equal(found.rotations[-1], base.rotations[-1])
    assert meets(play_of(found, scene), "anna", "left") == ""


@pytest.mark.parametrize("yaw", [0.0, 1.2, 2.5])
def test_what_is_carried_stays_upright_within_the_limits_of_the_wrist(yaw: float) -> None:
    motion, bearing = stood(0.5), BEARINGS[0]
    natural = borne(motion, "left", None, bearing)
    upright = rot.from_yaw(yaw)
    hand = motion_world(natural).rotations[0, HAND]
    grip = rot.multiply(rot.conjugate(hand), upright)
    turn = upright_turn(motion, "left", grip, upright, bearing)
    carried = borne(motion, "left", turn, bearing)
    space = limb_space(fit_body(SKELETON), "left_arm")
    assert space.excess(space.coordinates(carried.rotations)).max() < 1e-6
    up = rot.rotate(rot.multiply(motion_world(carried).rotations[0, HAND], grip), np.array([0.0, 1.0, 0.0]))
    assert up[1] > 0.99


def test_a_hand_is_raised_above_what_it_puts_down() -> None:
    low, high = (over(SKELETON, height, 0.2).below for height in (0.75, 1.0))
    assert high < low
    made = borne(stood(0.5), "left", None, over(SKELETON, 0.9, 0.15))
    assert motion_world(made).positions[0, HAND, 1] > 0.9 + 0.15


def test_a_free_arm_is_held_off_the_body() -> None:
    motion = stood(0.5)
    hands = [motion_world(one).positions[0, HAND, 0] for one in (aside(motion, "left"), motion)]
    gap = abs(hands[0]) - abs(hands[1])
    assert gap > 0.02


def test_steps_end_on_the_footprints_that_are_asked_for() -> None:
    start = standing(SKELETON, np.zeros(2), 0.0, STYLE)
    wanted = {
        side: (at + np.array([0.1, 0.12 if side == "left" else 0.05]), yaw + 0.2)
        for side, (at, yaw) in standing(SKELETON, np.array([0.1, 0.1]), 0.3, STYLE).feet.items()
    }
    made = shuffled(SKELETON, start, np.array([0.2, 0.2]), 0.4, STYLE, fps=30.0, feet=wanted).performed(0)
    for side, (at, yaw) in footing_of(made).feet.items():
        assert np.hypot(*(at - wanted[side][0])) < 0.01
        assert abs(yaw - wanted[side][1]) < 0.05


def test_displacing_is_one_step_within_reach_and_two_beyond() -> None:
    scene = Scene().with_object("book", Box(size_m=(0.04, 0.2, 0.15)), position=(0.0, 1.1, 2.0))
    near = Task(character="anna", do="displace", object="book", target=(0.4, 1.0, 2.0))
    far = replace(near, target=(2.4, 1.0, 2.0))
    grab = Task(character="anna", do="grab", object="book")
    assert [one.do for one in compiled([near], scene=scene).steps] == ["displace"]
    assert [one.do for one in compiled([far], scene=scene).steps] == ["grab", "place"]
    assert [one.do for one in compiled([grab, near], scene=scene).steps] == ["grab", "grab", "place"]
