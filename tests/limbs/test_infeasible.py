"""What cannot be done is known before anything is searched, and the proofs agree with brute force."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import understudy as us
from limb_stages import walk
from understudy import rotations as rot
from understudy.collision import ShapePose, shape_distance
from understudy.core import Motion, Status
from understudy.limbs import EndTarget, LimbOptions, Window, repair, stage_of, window_of
from understudy.limbs.handling import one_hand
from understudy.limbs.ik import reachable_postures
from understudy.limbs.proofs import COVERED_RAD, directions, room_for, walled_in
from understudy.limbs.seeds import leanings, seeds_on
from understudy.limbs.targets import hand_point
from understudy.scene import Scene
from understudy.scene.placements import Track
from understudy.scene.shapes import Box, Capsule

AT = 1.4


def shoulder(motion: Motion, time_s: float = AT) -> np.ndarray:
    pose = motion.pose_at(time_s)
    places, _ = motion.skeleton.placed_joints(pose.root_position, pose.rotations)
    return np.asarray(places[motion.skeleton.humanoid["rightUpperArm"]])


def floats(point: np.ndarray) -> tuple[float, float, float]:
    return float(point[0]), float(point[1]), float(point[2])


def cage(middle: np.ndarray, *, sides: int = 6) -> Scene:
    """A closed box of six boards around a point; the last board, towards -Z, may be left out."""
    scene = Scene()
    for k in range(sides):
        axis, sign = divmod(k, 2)
        size, place = np.full(3, 0.3), middle.copy()
        size[axis], place[axis] = 0.02, place[axis] + (0.15 if sign == 0 else -0.15)
        scene = scene.with_object(f"board {k}", Box(size_m=floats(size)), position=floats(place))
    return scene


def window_on(motion: Motion, scene: Scene, limb: str = "right_arm") -> Window:
    stage = stage_of(motion, scene)
    return window_of(stage, stage.space(limb), 60, 120)


@pytest.fixture
def no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail as soon as a way is searched for."""

    def searched(*_: object, **__: object) -> None:
        raise AssertionError("a way was searched for")

    monkeypatch.setattr(one_hand, "plan_legs", searched)
    monkeypatch.setattr(repair, "plan_legs", searched)


def test_every_direction_is_near_one_that_is_looked_at() -> None:
    rng = np.random.default_rng(0)
    asked = rng.normal(size=(20_000, 3))
    asked /= np.linalg.norm(asked, axis=1)[:, None]
    nearest = np.concatenate([(part @ directions().T).max(axis=1) for part in np.array_split(asked, 20)])
    assert np.arccos(np.clip(nearest, -1.0, 1.0)).max() < COVERED_RAD


def test_a_hand_without_room_has_none_in_any_direction(motion: Motion) -> None:
    rng, proven, roomy = np.random.default_rng(1), 0, 0
    middle = shoulder(motion) + np.array([-0.1, -0.1, 0.4])
    scene = Scene(floor=False).with_object("block", Box(size_m=(0.2, 0.25, 0.3)), position=floats(middle))
    window = window_on(motion, scene)
    body = window.stage.body
    capsule, point = body.capsule("right_hand"), hand_point(window.stage, "right", fingers=False)
    length = float(np.linalg.norm(body.capsule_ends[capsule] - body.capsule_starts[capsule]))
    shape, at = Capsule(radius_m=float(body.capsule_radii[capsule]), length_m=length), np.array([1.0, 0, 0, 0])
    for _ in range(60):
        target = EndTarget(position=middle + rng.uniform(-0.2, 0.2, 3), point=point)
        left, blame = room_for(window, AT, target, 0.001)
        free = 0
        for axis in rng.normal(size=(150, 3)):
            turn = rot.shortest_arc(np.array([0.0, 1.0, 0.0]), axis / np.linalg.norm(axis))
            gap = shape_distance(
                shape, ShapePose(target.position, turn), scene.object("block").shape, ShapePose(middle, at)
            )
            free += gap.distance_m > 0.001
        if left is None:
            proven += 1
            assert free == 0
            assert blame == ("right_hand", "block")
        roomy += free > 0
    assert proven > 3 and roomy > 10


def test_rotations_in_which_the_hand_is_in_something_are_left_out(motion: Motion) -> None:
    target_at = shoulder(motion) + np.array([-0.1, -0.1, 0.4])
    scene = Scene(floor=False).with_object(
        "plate", Box(size_m=(0.4, 0.4, 0.02)), position=floats(target_at + np.array([0.0, 0.0, 0.06]))
    )
    window = window_on(motion, scene)
    point = hand_point(window.stage, "right", fingers=False)
    turns = rot.normalize(np.random.default_rng(2).normal(size=(40, 4)))
    left, _ = room_for(window, AT, EndTarget(position=target_at, rotations=turns, point=point), 0.001)
    assert left is not None and left.rotations is not None
    assert 0 < len(left.rotations) < len(turns)
    body = window.stage.body
    capsule = body.capsule("right_hand")
    reach = np.stack([body.capsule_starts[capsule], body.capsule_ends[capsule]]) - point
    for turn in turns:
        ahead = float((target_at + rot.rotate(turn, reach))[:, 2].max()) + float(body.capsule_radii[capsule])
        kept = bool(np.any(np.all(left.rotations == turn, axis=1)))
        assert kept == (ahead + 0.001 <= float(target_at[2]) + 0.05)


def test_a_closed_box_is_closed_and_an_open_one_is_not(motion: Motion) -> None:
    middle = shoulder(motion) + np.array([-0.1, -0.05, 0.42])
    for sides, closed in ((6, True), (5, False)):
        window = window_on(motion, cage(middle, sides=sides))
        target = EndTarget(position=middle, point=hand_point(window.stage, "right", fingers=False))
        wall = walled_in(window, AT, target, 0.7)
        assert bool(wall) == closed
        # What was found out from one place in a room holds for others in it, and for none outside.
        for away, inside in (((0.02, 0.0, 0.01), True), ((0.0, -0.02, -0.02), True), ((0.0, 0.0, -0.25), False)):
            other = replace(target, position=middle + np.array(away))
            assert bool(walled_in(window, AT, other, 0.7)) == (closed and inside)
        if not closed:
            assert reachable_postures(window, AT, target).found


@pytest.mark.parametrize("thick", [0.02, 0.06])
def test_a_hole_that_an_arm_fits_through_leaves_nothing_closed(motion: Motion, thick: float) -> None:
    middle = shoulder(motion) + np.array([-0.1, -0.05, 0.42])
    scene, half = cage(middle, sides=5), 0.15
    for k, (axis, sign) in enumerate([(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)]):
        size, place = np.array([0.3, 0.3, thick]), middle - np.array([0.0, 0.0, half])
        size[axis], place[axis] = half - 0.06, place[axis] + sign * 0.5 * (half + 0.06)
        scene = scene.with_object(f"frame {k}", Box(size_m=floats(size)), position=floats(place))
    for limb in ("right_arm", "right_arm_spine"):
        window = window_on(motion, scene, limb)
        target = EndTarget(position=middle, point=hand_point(window.stage, "right", fingers=False))
        assert walled_in(window, AT, target, 1.3) is None


@pytest.mark.usefixtures("no_search")
@pytest.mark.parametrize(
    ("away", "scene", "says"),
    [
        ((0.0, 0.0, 2.0), lambda at: Scene(), "cm too far"),
        ((-0.15, -0.1, 1.1), lambda at: Scene(), "cm too far"),
        ((-0.1, -0.05, 0.42), cage, "board"),
        (
            (-0.1, -0.1, 0.4),
            lambda at: Scene().with_object("rock", Box(size_m=(0.4, 0.4, 0.4)), position=floats(at)),
            "in rock",
        ),
    ],
)
def test_a_target_that_no_posture_reaches_is_refused_without_a_search(
    motion: Motion, away: tuple[float, float, float], scene: Callable[[np.ndarray], Scene], says: str
) -> None:
    target = shoulder(motion) + np.array(away)
    result = us.reach(motion, scene(target), hand="right", target=floats(target), at=AT)
    assert result.status is Status.INFEASIBLE_GOAL
    assert says in result.reason
    assert result.motion is motion


@pytest.mark.usefixtures("no_search")
def test_too_little_time_is_said_with_what_it_takes(motion: Motion) -> None:
    target = shoulder(motion, 0.36) + np.array([-0.1, 0.45, 0.2])
    result = us.reach(motion, None, hand="right", target=floats(target), at=0.36)
    assert result.status is Status.INFEASIBLE_GOAL
    assert "at its pace: it needs" in result.reason


@pytest.mark.usefixtures("no_search")
def test_a_blocked_start_is_said_with_what_blocks_it() -> None:
    idle = next(clip for clip in us.builtin_clips("idle") if clip.duration_s > 4.0)
    pose = idle.pose_at(2.0)
    places, _ = idle.skeleton.placed_joints(pose.root_position, pose.rotations)
    hand, arm = (places[idle.skeleton.humanoid[name]] for name in ("rightHand", "rightUpperArm"))
    scene = Scene().with_object("box", Box(size_m=(0.12, 0.12, 0.12)), position=floats(hand))
    target = floats(arm + np.array([-0.1, -0.05, 0.4]))
    result = us.reach(idle, scene, hand="right", target=target, at=2.5)
    assert result.status is Status.INFEASIBLE_START
    assert "box already at" in result.reason


@pytest.mark.usefixtures("no_search")
def test_a_moment_without_any_free_posture_stops_a_correction(motion: Motion) -> None:
    """A box of boards that jumps around the shoulder for a tenth of a second, between the moments looked at most."""
    scene, times = cage(shoulder(motion)), np.array([0.0, 1.29, 1.30, 1.40, 1.41, 3.0])
    away = np.where(((times > 1.295) & (times < 1.405))[:, None], 0.0, [0.0, 3.0, 0.0])
    for board in scene.objects:
        scene = scene.placed(board.name, Track(times_s=times, positions=board.placement.poses(times)[0] + away))
    result = us.correct(motion, scene, limbs=["right_arm"], options=LimbOptions(spine=False))
    assert not result.status
    assert "board" in result.reason
    assert "none of" in result.reason or "already at" in result.reason


def test_seeds_meet_a_given_rotation_before_they_are_polished(motion: Motion) -> None:
    window = window_on(motion, Scene(floor=False))
    space, pose, rng = window.space, motion.pose_at(AT), np.random.default_rng(3)
    local = space.with_offsets(pose.rotations, rng.normal(0.0, 0.3, len(space)))
    places, turns = motion.skeleton.placed_joints(pose.root_position, local)
    end = space.joints[-1]
    target = EndTarget(position=places[end], rotations=turns[end][None], point=np.zeros(3))
    offsets, _ = seeds_on(window.stage, space, AT, target)
    off = []
    for offset in offsets:
        at, turned = motion.skeleton.placed_joints(pose.root_position, space.with_offsets(pose.rotations, offset))
        off.append(np.linalg.norm(at[end] - places[end]) + 0.1 * rot.angle_between(turned[end], turns[end]))
    assert np.median(off) < 1e-6


def test_leaning_moves_the_shoulder_as_forward_kinematics_does(motion: Motion) -> None:
    window = window_on(motion, Scene(floor=False), "right_arm_spine")
    places, offsets = leanings(window.stage, window.space, AT)
    pose, joint = motion.pose_at(AT), motion.skeleton.humanoid["rightUpperArm"]
    for k in np.random.default_rng(4).integers(len(offsets), size=12).tolist():
        local = window.space.with_offsets(pose.rotations, offsets[k])
        at, _ = motion.skeleton.placed_joints(pose.root_position, local)
        np.testing.assert_allclose(places[k], at[joint], atol=1e-9)
    assert np.ptp(places, axis=0).max() > 0.2


def test_the_trunk_helps_where_the_arm_alone_is_blocked_or_short() -> None:
    motion = walk()
    target = shoulder(motion) + np.array([0.12, -0.2, 0.62])
    scene = Scene(floor=False)
    alone = reachable_postures(window_on(motion, scene), AT, EndTarget(position=target, point=np.zeros(3)))
    leaning = window_on(motion, scene, "right_arm_spine")
    assert not alone.found
    assert reachable_postures(leaning, AT, EndTarget(position=target, point=np.zeros(3))).found


def block_for_a_moment(place: np.ndarray, size_m: float) -> Scene:
    """A block around a place from 1.3 to 1.4 s."""
    times = np.array([0.0, 1.29, 1.30, 1.40, 1.41, 3.0])
    there = (times > 1.295) & (times < 1.405)
    track = Track(times_s=times, positions=np.where(there[:, None], place, place + np.array([0.0, 4.0, 0.0])))
    return Scene(floor=False).with_object("block", Box(size_m=(size_m,) * 3), placement=track)


@pytest.mark.usefixtures("no_search")
def test_a_limb_without_a_free_posture_is_refused_with_what_it_is_in(motion: Motion) -> None:
    scene = block_for_a_moment(shoulder(motion), 0.34)
    result = us.correct(motion, scene, limbs=["right_arm"], options=LimbOptions(spine=False))
    assert not result.status
    assert "none of" in result.reason and "block" in result.reason
    assert result.motion is motion
