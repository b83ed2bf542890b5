"""One hand: takes things exactly, keeps them rigidly, puts them down exactly, and leaves the rest of the clip alone."""

from __future__ import annotations

import numpy as np
import pytest

from handling_stages import hand_frames, in_hand, kitchen, standing
from understudy import rotations as rot
from understudy.api.handling import HandlingTrace, drop, grab, place, touch
from understudy.collision import ShapePose, shape_distance
from understudy.core import Result
from understudy.core.body_fit import fit_body
from understudy.errors import PlanningInputError
from understudy.limbs import stage_of
from understudy.limbs.handling import HandlingOptions, Orientation
from understudy.limbs.handling.grips import grasp_of
from understudy.limbs.hands import hand_axes
from understudy.scene.objects import Handle
from understudy.scene.shapes import Box, Cylinder, Sphere
from understudy.verify import verify

CALM = HandlingOptions(gaze=False)
GRAB_S = 2.4


@pytest.fixture(scope="module")
def taken() -> Result[HandlingTrace]:
    """The cup in the right hand."""
    return grab(standing(), kitchen(), "cup", hand="right", at=GRAB_S)


@pytest.fixture(scope="module")
def laid(taken: Result[HandlingTrace]) -> Result[HandlingTrace]:
    """The cup on another place of the table."""
    return place(taken.motion, taken.trace.scene, "cup", (-0.38, 1.0, 0.44), at=5.0, character="anna", options=CALM)


def test_a_cup_is_taken_within_a_millimetre_and_stays_rigid(taken) -> None:
    assert taken.status, taken.reason
    assert taken.trace.error_m < 1e-3
    frames = np.arange(round(GRAB_S * 30), len(taken.motion))
    at, turned = in_hand(taken.trace.scene, taken.motion, "cup", "right", frames)
    assert np.linalg.norm(at - at[0], axis=1).max() < 1e-6
    assert rot.angle_between(turned, turned[:1]).max() < 1e-6
    before = taken.trace.scene.object_track("cup", np.linspace(0.0, GRAB_S - 0.01, 20))[0]
    assert np.abs(before - before[0]).max() == 0.0  # nobody has touched it yet


def test_nothing_touches_and_only_the_planned_arm_and_the_head_change(taken) -> None:
    deed, source = taken.trace.deed, standing()
    report = verify([("anna", taken.motion)], taken.trace.scene, source={"anna": source}, allow=deed.play.allow)
    assert report.penetration.seconds_over_1mm == 0.0
    skeleton = source.skeleton
    may = {*skeleton.limb("right_arm"), *(skeleton.humanoid[role] for role in ("neck", "head"))}
    may |= set(skeleton.limb("torso")) if deed.limbs[0].endswith("_spine") else set()
    others = [joint for joint in range(len(skeleton)) if joint not in may]
    assert np.array_equal(taken.motion.rotations[:, others], source.rotations[:, others])
    assert np.array_equal(taken.motion.root_positions, source.root_positions)
    arm = list(skeleton.limb("right_arm"))
    early = np.arange(0, int((deed.changes[0].start_s - 1e-6) * 30))
    assert len(early) and np.array_equal(taken.motion.rotations[early][:, arm], source.rotations[early][:, arm])


def test_the_head_looks_at_what_is_taken(taken) -> None:
    assert taken.trace.deed.gaze
    body, source = fit_body(standing().skeleton), standing()
    head = source.skeleton.humanoid["head"]
    frame = round(GRAB_S * 30)
    cup = taken.trace.scene.object_track("cup", [GRAB_S])[0][0]
    from understudy.core.reference_pose import t_pose_world

    ahead = rot.rotate(rot.conjugate(t_pose_world(source.skeleton)[1][head]), np.array([0.0, 0.0, 1.0]))
    away = []
    for motion in (source, taken.motion):
        places, turns = motion.skeleton.placed_joints(motion.root_positions[frame], motion.rotations[frame])
        to = cup - places[head]
        away.append(np.arccos(np.dot(rot.rotate(turns[head], ahead), to / np.linalg.norm(to))))
    assert away[1] < 0.6 * away[0]
    joints = [source.skeleton.humanoid[role] for role in ("neck", "head")]
    assert (
        body.limits.excess(taken.motion.rotations)[:, joints].max()
        <= body.limits.excess(source.rotations)[:, joints].max() + 1e-9
    )


def test_what_is_put_down_rests_exactly_and_the_arm_goes_back_into_its_clip(taken, laid) -> None:
    assert laid.status, laid.reason
    times = np.linspace(5.0, 8.0, 20)
    at, turned = laid.trace.scene.object_track("cup", times)
    assert np.abs(at - [-0.38, 1.05, 0.44]).max() < 1e-9  # its base, 5 cm below its middle, is on the table
    up = rot.rotate(turned, np.array([0.0, 1.0, 0.0]))
    assert np.abs(up - [0.0, 1.0, 0.0]).max() < 1e-9
    # In the hand until then: no jump.
    just_before = laid.trace.scene.object_track("cup", [5.0 - 1e-4])[0][0]
    assert np.linalg.norm(just_before - at[0]) < 1e-3
    arm = list(laid.motion.skeleton.limb("right_arm"))
    # With the cup in its hand it had to keep away from the thigh; an empty hand does what the clip does.
    end = int(np.ceil(laid.trace.deed.changes[-1].end_s * 30)) + 1
    assert end < len(laid.motion)
    assert np.array_equal(laid.motion.rotations[end:, arm], standing().rotations[end:, arm])


def test_a_hand_comes_onto_a_thing_and_leaves_it_straight_out_of_its_surface(taken, laid) -> None:
    capsule = fit_body(standing().skeleton).capsule("right_hand")
    radius = float(fit_body(standing().skeleton).capsule_radii[capsule])
    palm = taken.trace.scene.character("anna").palm("right_hand")
    for result, moment, sign in ((taken, GRAB_S, -1), (laid, 5.0, 1)):
        places, turns = hand_frames(result.motion, "right")
        frames = np.round(30 * (moment + sign * np.array([0.0, 0.1, 0.2, 0.3]))).astype(int)
        palms = places[frames] + rot.rotate(turns[frames], palm)
        cup = ShapePose(*(part[0] for part in result.trace.scene.object_track("cup", [moment])))
        shape, ball = Cylinder(radius_m=0.035, height_m=0.1), Sphere(radius_m=radius)
        gaps = np.array([shape_distance(ball, ShapePose(at), shape, cup).distance_m for at in palms])
        assert -0.002 < gaps[0] < 0.001 and gaps[3] > 0.015
        assert (np.diff(gaps) > -5e-4).all()
    hands = [rule for rule in (*taken.trace.deed.rules, *laid.trace.deed.rules) if "hand" in rule.a + rule.b]
    assert hands and all(rule.end_s - rule.start_s < 0.5 and rule.max_depth_m <= 0.005 for rule in hands)


@pytest.mark.parametrize("palm", [(1.0, 0.0, 0.0), (0.0, 0.0, 1.0)])
def test_a_palm_lies_on_what_it_faces_whatever_side_a_handle_is_approached_from(palm) -> None:
    body = Handle(name="body", at=(0.0, 0.0, 0.0), approach=(0.0, 0.0, -1.0))
    mug = Cylinder(radius_m=0.035, height_m=0.2)
    scene = kitchen().with_object("mug", mug, position=(-0.3, 1.101, 0.44), handles=(body,))
    grasp = grasp_of(stage_of(standing(), scene), "mug", "body", 2.4, "right", np.zeros(3), Orientation(palm=palm))
    at = grasp.tiers[0][0].end.position
    assert np.dot(np.array([-0.3, 1.101, 0.44]) - at, palm) > 0.035


def test_a_palm_is_turned_as_asked() -> None:
    down = Orientation(palm=(0.0, -1.0, 0.0))
    result = touch(standing(), kitchen(), (-0.3, 1.1, 0.4), hand="right", at=2.4, orientation=down, options=CALM)
    assert result.status, result.reason
    assert result.trace.error_m < 1e-3 and result.trace.error_rad < np.radians(1.0)
    _, palm = hand_axes(fit_body(standing().skeleton), "right")
    pose = result.motion.pose_at(2.4)
    _, turns = result.motion.skeleton.placed_joints(pose.root_position, pose.rotations)
    facing = rot.rotate(turns[result.motion.skeleton.humanoid["rightHand"]], palm)
    assert np.degrees(np.arccos(np.clip(facing @ [0.0, -1.0, 0.0], -1, 1))) < 1.0


def test_a_hand_that_stays_is_on_its_point_at_every_frame() -> None:
    point = np.array([-0.3, 1.1, 0.4])
    result = touch(standing(), kitchen(), tuple(point), hand="right", at=2.4, hold_s=0.8, options=CALM)
    assert result.status, result.reason
    places, turns = hand_frames(result.motion, "right")
    palm = fit_body(standing().skeleton)
    ends = palm.capsule("right_hand")
    middle = 0.5 * (palm.capsule_starts[ends] + palm.capsule_ends[ends])
    off = np.linalg.norm(places + rot.rotate(turns, middle) - point, axis=1)
    assert off[72:97].max() < 1e-3 and off[60] > 0.01


def test_what_is_let_go_falls_and_lies(taken) -> None:
    result = drop(taken.motion, taken.trace.scene, "cup", at=4.5, character="anna", options=CALM)
    assert result.status, result.reason
    scene = result.trace.scene
    heights = scene.object_track("cup", 4.5 + np.array([0.0, 0.05, 0.1]))[0][:, 1]
    start = heights[0]
    assert heights[2] < heights[1] < start and abs(start - heights[2] - 0.5 * 9.81 * 0.01) < 0.05
    lies = scene.object_track("cup", [5.8, 6.0])[0]
    assert np.array_equal(lies[0], lies[1]) and lies[0, 1] < start
    assert np.array_equal(result.motion.rotations, taken.motion.rotations)


def test_out_of_reach_says_by_how_much_and_leaves_the_motion_unharmed() -> None:
    motion = standing()
    far = kitchen().with_object("lamp", Box(size_m=(0.1, 0.1, 0.1)), position=(-0.4, 2.4, 0.3))
    result = grab(motion, far, "lamp", hand="right", at=2.4, options=CALM)
    assert not result.status and "cm too far" in result.reason
    assert result.motion is motion


def test_a_goal_inside_something_names_it() -> None:
    walled = kitchen().with_object("block", Box(size_m=(0.4, 0.4, 0.3)), position=(-0.35, 1.2, 0.45))
    result = touch(standing(), walled, (-0.35, 1.2, 0.42), hand="right", at=2.4, options=CALM)
    assert not result.status
    assert "block" in result.reason and "2.4" in result.reason


def test_a_start_inside_something_names_it_and_when() -> None:
    hand = standing().skeleton.placed_joints(standing().root_positions[0], standing().rotations[0])[0][
        standing().skeleton.humanoid["rightHand"]
    ]
    stuck = kitchen().with_object("rock", Box(size_m=(0.1, 0.1, 0.1)), position=tuple(hand))
    result = grab(standing(), stuck, "cup", hand="right", at=2.4, options=CALM)
    assert not result.status
    assert "rock" in result.reason and " s" in result.reason


def test_bad_input_is_refused_with_the_nearest_name(taken) -> None:
    scene, motion = taken.trace.scene, taken.motion
    with pytest.raises(PlanningInputError, match=r'"cup" is already held by "anna\.right_hand"'):
        grab(motion, scene, "cup", at=4.0, character="anna")
    with pytest.raises(PlanningInputError, match='right hand already holds "cup"'):
        grab(motion, scene, "bell", hand="right", at=4.0, character="anna")
    with pytest.raises(PlanningInputError, match='no object "cop"; did you mean "cup"'):
        grab(standing(), kitchen(), "cop")
    with pytest.raises(PlanningInputError, match="left or right"):
        grab(standing(), kitchen(), "cup", hand="third")
    with pytest.raises(PlanningInputError, match="not held"):
        place(standing(), kitchen(), "cup", "table")
    with pytest.raises(PlanningInputError, match="does not hold"):
        drop(standing(), kitchen(), "cup", at=2.0)
    with pytest.raises(PlanningInputError, match="moves from 0 to 8 s"):
        grab(standing(), kitchen(), "cup", at=99.0)


def test_what_a_hand_cannot_be_asked_for_is_named_with_the_nearest_that_it_can() -> None:
    with pytest.raises(PlanningInputError, match=r'asked for "hnad".*hand'):
        grab(standing(), kitchen(), "cup", hnad="left")  # type: ignore[call-arg]
    with pytest.raises(PlanningInputError, match="three coordinates"):
        touch(standing(), kitchen(), (0.3, 1.0))
