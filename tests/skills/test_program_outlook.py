"""What programs know before they try: faults that come again, limits, arms drawn in, postures, ways out of a corner."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from understudy.core.body_fit import fit_body
from understudy.kinematics import motion_world
from understudy.limbs.handling import HandlingOptions, Play, Times
from understudy.limbs.handling.jobs import Job
from understudy.limbs.space import limb_space
from understudy.locomotion.footsteps.arm_room import ArmRoom
from understudy.locomotion.footsteps.moving import Going, Mover
from understudy.locomotion.footsteps.shuffling import standing
from understudy.locomotion.footsteps.ways import Way
from understudy.performer.person import Person
from understudy.performer.style import Style
from understudy.scene import Scene, Task
from understudy.scene.characters import Character
from understudy.scene.placements import Track
from understudy.scene.shapes import Box, Cylinder
from understudy.skills.program.bringing import meets
from understudy.skills.program.carrying import nearer, over, within_limits
from understudy.skills.program.faults import Failed, Fault, together
from understudy.skills.program.here import here_of
from understudy.skills.program.legs import Leg, Legs, Ready, arms_of
from understudy.skills.program.outlook import no_posture

SKELETON = Person().skeleton()
BODY = fit_body(SKELETON)
SPACE = limb_space(BODY, "left_arm")


@pytest.fixture(scope="module")
def stood():
    mover = Mover(skeleton=SKELETON, style=Style(), fps=60.0, seed=0)
    going = Going(way=Way(points=np.zeros((2, 2))), stand_s=3.2)
    return mover.go(standing(SKELETON, np.zeros(2), 0.0, Style()), going)[0]


def test_of_several_faults_the_one_that_names_its_joints_tells_when() -> None:
    found = together([Fault("late", time_s=1.0), Fault("a hand", time_s=2.0, joints=(0, 3)), "something"])
    assert found == "late; a hand; something" and found.time_s == 2.0 and found.joints == (0, 3)
    assert together([]) == "" and np.isnan(together(["a"]).time_s)


def test_a_leg_that_the_feet_spoil_says_so_and_is_not_tried_with_other_arms() -> None:
    foot = SKELETON.chain(0, SKELETON.humanoid["leftFoot"])
    said = iter(["an arm", Fault("a foot", time_s=1.0, joints=foot), "another arm", Fault("a foot", joints=foot)])
    scene = Scene().with_character("anna", start=(0.0, 0.0))
    here = here_of(Play(scene=scene, sources={}), "anna", 0.0, SKELETON)
    legs, up = Legs(judge=lambda play, name: next(said), fps=30.0), Ready(hand="left")
    fault = legs.along(here, Way(points=np.array([[0.0, 0.0], [0.0, 1.0]])), arms=arms_of(here, up))
    assert fault == "a foot" and next(said, None) is None


def test_what_is_the_same_until_a_fault_fails_again_and_what_differs_before_it_does_not(stood) -> None:
    joint = SKELETON.humanoid["rightHand"]
    failed = Failed()
    failed.add(stood, Fault("hit", time_s=1.0))
    failed.add(stood, "no time is known")
    turns = stood.rotations.copy()
    turns[120:, joint, 1] += 0.1
    assert failed.why(replace(stood, rotations=turns)) == "hit"
    earlier = stood.rotations.copy()
    earlier[30:, joint, 1] += 0.1
    assert failed.why(replace(stood, rotations=earlier)) == ""
    # The other arm is not to blame.
    failed.add(stood, Fault("left", time_s=1.0, joints=SKELETON.chain(0, SKELETON.humanoid["leftHand"])))
    assert failed.why(replace(stood, rotations=earlier)) == "left"


def test_joints_a_little_beyond_their_limits_are_brought_back_and_others_stay(stood) -> None:
    high = SPACE.high[SPACE.index("elbow_flexion")]
    rows = np.tile(SPACE.parameters(stood.rotations[:1]), (len(stood), 1))
    rows[:, SPACE.index("elbow_flexion")] = high - 0.2
    rows[50:60, SPACE.index("elbow_flexion")] = high + 0.03
    rows[90:95, SPACE.index("elbow_flexion")] = high + 0.3
    beyond = replace(stood, rotations=SPACE.with_parameters(stood.rotations, rows))
    kept = within_limits(beyond, "left")
    excess = SPACE.excess(SPACE.coordinates(kept.rotations)).max(axis=1)
    assert excess[50:60].max() < 1e-6 and excess[90:95].min() > 0.25
    same = [k for k in range(len(stood)) if not 50 <= k < 60]
    assert np.abs(kept.rotations[same] - beyond.rotations[same]).max() < 1e-9
    assert within_limits(stood, "left") is stood


def test_a_hand_that_a_board_is_above_is_raised_past_it() -> None:
    board = Box(size_m=(0.9, 0.03, 0.3))
    scene = Scene().with_object("board", board, position=(0.0, 1.0, 0.42)).with_character("anna", start=(0.0, -1.0))
    here = here_of(Play(scene=scene, sources={}), "anna", 0.0, SKELETON)
    way = Way(points=np.array([[0.0, -1.0], [0.0, 0.0]]))
    up = Ready(hand="left", bearing=over(SKELETON, 0.8, 0.1))
    leg = Legs(judge=lambda play, name: "", fps=30.0).along(here, way, end_rad=0.0, stand_s=2.0, arms=((None, up),))
    assert isinstance(leg, Leg)
    assert all(not meets(leg.play, "anna", hand, limits=False, deep_m=0.001) for hand in ("left", "right"))


def test_an_arm_that_lets_go_of_something_begins_as_it_was_and_is_drawn_in_later(stood) -> None:
    wrist = motion_world(stood).positions[:, SKELETON.humanoid["leftHand"]]
    beside = tuple((wrist[0] + np.array([0.07, 0.0, 0.0])).tolist())
    scene = Scene().with_object("cup", Cylinder(radius_m=0.03, height_m=0.1), position=beside)
    comes = np.array([[0.0, -2.0, 0.0], [0.0, -2.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]) + wrist[90]
    track = Track(times_s=np.array([0.0, 1.2, 1.3, 3.2]), positions=comes)
    scene = scene.with_object("box", Box(size_m=(0.05, 0.05, 0.05)), placement=track)
    room = ArmRoom(body=BODY, scene=scene)
    made = room.drawn_in(stood, "left", continues=True)
    assert np.abs(made.rotations[0] - stood.rotations[0]).max() < 1e-9
    assert room.gaps_m(stood, "left")[0][90] < 0.0 < room.gaps_m(made, "left")[0][80:].min()
    other = SKELETON.humanoid["rightHand"]
    assert np.abs(motion_world(made).positions[:, other] - motion_world(stood).positions[:, other]).max() < 1e-9


def test_a_hand_that_is_held_nearer_is_as_high() -> None:
    far = over(SKELETON, 0.9, 0.2)
    assert nearer(far).below == far.below and nearer(far).ahead < far.ahead
    # Hands that are held apart for a box stay beside it.
    assert nearer(replace(far, aside=0.4)).aside == 0.4


@pytest.mark.parametrize(("point", "reached"), [((0.2, 1.0, 0.45), True), ((0.2, 1.0, 2.4), False)])
def test_postures_are_missing_only_for_what_is_out_of_reach(stood, point, reached) -> None:
    scene = Scene().with_character(Character(name="anna", start=(0.0, 0.0))).with_motion("anna", stood)
    job = Job(
        task=Task(character="anna", do="reach", target=point, hand="left"),
        times=Times(at_s=1.6, earliest_s=1.6, latest_s=1.6),
    )
    said = no_posture(Play(scene=scene, sources={"anna": stood}), job, HandlingOptions())
    assert (said == "") is reached
