"""Motions through keys: timing, smoothness, floor, pins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import understudy as us
from understudy.core import Body, Pose
from understudy.errors import PlanningInputError, SkeletonError
from understudy.kinematics import centre_of_mass, motion_world, pose_world
from understudy.performer import posture
from understudy.postures import BetweenOptions, BetweenTrace, Pin, between
from understudy.postures.averaging import envelope
from understudy.postures.bearing import bearing_of, foot_of
from understudy.postures.grounding import soles_of
from understudy.postures.pins import distance_to_path
from understudy.postures.timing import PEAK_OVER_MEAN, duration_of, minimum_jerk, timed
from understudy.scene import Scene


def _anything(motion: object, trace: BetweenTrace) -> tuple[()]:
    return ()


def _keys(body: Body, *names: str) -> list[Pose]:
    return [posture(name, person=body.skeleton) for name in names]


def test_short_moves_are_short(body: Body) -> None:
    path = np.zeros((2, 3 + 3 * len(body.skeleton)))
    takes = []
    for turn in (0.02, 0.2, 2.0, 4.0):
        path[1, 9] = turn
        takes.append(duration_of(path, 2.0))
    assert takes == sorted(takes)
    assert takes[0] < 0.2, "a small correction is no pause"
    assert takes[3] == pytest.approx(2.0), "long ones are as fast as was asked for"


def test_speed_is_a_bell() -> None:
    path = np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 0.0]])
    postures, times = timed(path, duration_s=2.0, fps=100.0)
    assert times[[0, -1]] == pytest.approx([0.0, 2.0])
    speed = np.linalg.norm(np.diff(postures, axis=0), axis=1) * 100.0
    assert speed.argmax() == pytest.approx(100, abs=2)
    assert speed.max() / speed.mean() == pytest.approx(PEAK_OVER_MEAN, rel=0.01)
    assert max(speed[0], speed[-1]) < 0.01 * speed.max()
    assert np.abs(postures[100] - path.mean(axis=0)).max() < 1e-3
    assert minimum_jerk(np.array([0.0, 0.5, 1.0])) == pytest.approx([0.0, 0.5, 1.0])


@settings(max_examples=50)
@given(st.lists(st.floats(-1.0, 1.0), min_size=2, max_size=150), st.floats(0.0, 60.0))
def test_an_envelope_is_never_below_the_ground(values: list[float], width: float) -> None:
    ground = np.array(values)
    smooth = envelope(ground, width)
    assert (smooth >= ground - 1e-12).all()
    assert smooth[0] == pytest.approx(ground[0])
    assert smooth[-1] == pytest.approx(ground[-1])
    assert smooth.max() <= ground.max() + 1e-12


def test_what_bears_a_posture(body: Body) -> None:
    kinds = {
        name: bearing_of(body, posture(name, person=body.skeleton)) for name in ("relaxed", "eagle", "flare_front")
    }
    assert [one.kind for one in kinds.values()] == ["feet", "feet", "hands"]
    assert set(kinds["eagle"].feet) == {"right"}
    assert all(bearing_of(body, pose).kind == "floor" for pose in _keys(body, "lying", "hug_knees", "contortion_2"))
    jump = _keys(body, "relaxed")[0]
    jump = Pose(
        skeleton=jump.skeleton, root_position=jump.root_position + np.array([0.0, 0.2, 0.0]), rotations=jump.rotations
    )
    assert bearing_of(body, jump).kind == "air"
    result = us.between(jump, "relaxed", body=body)
    assert result.status is us.Status.INFEASIBLE_START
    assert "posture 0, borne by nothing, cannot be held" in result.reason


def test_nothing_bears_a_body_from_its_feet_to_its_hands(body: Body) -> None:
    result = between(_keys(body, "relaxed", "flare_front"), judge=_anything, body=body, loose=True)
    assert not result.status
    assert "nobody gets up from there, one limb at a time" in result.reason


@pytest.mark.parametrize(
    "pair",
    [("t", "squat"), ("eagle", "eagle_mirror"), ("relaxed", "lying"), ("hug_knees", "a"), ("lying", "contortion_1")],
)
def test_something_bears_the_body_all_the_way_and_feet_do_not_slide(body: Body, pair: tuple[str, str]) -> None:
    options = BetweenOptions(fps=60.0)
    result = between(_keys(body, *pair), judge=_anything, body=body, loose=True, options=options)
    motion, trace = result.motion, result.trace
    assert result.status, result.reason
    assert motion is not None
    assert trace is not None
    world = motion_world(motion)
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    points = np.concatenate([starts, ends], axis=1)
    low = points[..., 1] - np.tile(body.capsule_radii, 2)
    assert low.min(axis=1).max() < 0.01, "some part is on the floor"
    assert low.min() > -0.002, "nothing is in it"
    for part in np.flatnonzero(np.tile(soles_of(body), 2)):
        for run in np.split(np.arange(len(motion)), np.flatnonzero(np.diff(low[:, part] < 0.01)) + 1):
            if low[run[0], part] < 0.01:
                slid = points[run, part][:, [0, 2]] - points[run[0], part, [0, 2]]
                assert np.linalg.norm(slid, axis=1).max() < 0.01
    assert trace.stances[0].start_s == 0.0
    assert trace.stances[-1].end_s == pytest.approx(motion.duration_s)


def test_a_foot_steps_after_the_weight_has_left_it(body: Body) -> None:
    result = between(_keys(body, "relaxed", "eagle"), judge=_anything, body=body, loose=True)
    assert result.trace is not None
    assert [stance.supports for stance in result.trace.stances] == [("left foot", "right foot"), ("right foot",)]
    motion = result.motion
    assert motion is not None
    frame = round(result.trace.stances[1].start_s * motion.fps)
    world = pose_world(motion.pose(frame))
    away = centre_of_mass(world, body.masses, body.coms) - foot_of(motion.pose(frame), "right").middle
    other = foot_of(motion.pose(frame), "left").middle - foot_of(motion.pose(frame), "right").middle
    assert np.linalg.norm(away[[0, 2]]) < 0.3 * np.linalg.norm(other[[0, 2]])


def test_a_motion_passes_through_all_its_keys_without_stopping_short(body: Body) -> None:
    keys = _keys(body, "relaxed", "arms_folded", "hands_behind_back")
    result = between(keys, judge=_anything, body=body)
    assert result.status
    motion, trace = result.motion, result.trace
    assert motion is not None
    assert trace is not None
    assert trace.key_times_s is not None
    frames = np.rint(trace.key_times_s * motion.fps).astype(int)
    for key, frame in zip(keys, frames, strict=True):
        assert (1.0 - np.abs((motion.rotations[frame] * key.rotations).sum(axis=1))).max() < 1e-9
    # C1: no jump of velocity stands out anywhere.
    at = motion_world(motion).positions
    jumps = np.linalg.norm(np.diff(at, n=2, axis=0), axis=-1).max(axis=1) * motion.fps
    assert jumps.max() < 0.5
    assert np.diff(at, axis=0)[[0, -1]].max() < 1e-3
    assert body.limits.excess(motion.rotations).max() < 1e-6


def test_both_ends_are_the_keys(body: Body) -> None:
    first, last = _keys(body, "squat", "hug_knees")
    moved = Pose(
        skeleton=last.skeleton, root_position=last.root_position + np.array([0.2, 0.0, 0.1]), rotations=last.rotations
    )
    motion = between([first, moved], judge=_anything, body=body).motion
    assert motion is not None
    assert np.abs(motion.root_positions[0] - first.root_position).max() < 1e-9
    assert np.abs(motion.root_positions[-1] - moved.root_position).max() < 1e-9


def test_fixed_pins_hold_to_a_millimetre_between_frames_too(body: Body) -> None:
    keys = _keys(body, "arms_folded", "hands_behind_back")
    pins = [Pin(joint="leftFoot"), Pin(joint="rightFoot"), Pin(joint="hips", turn=False)]
    result = between(keys, judge=_anything, body=body, pins=pins, scene=Scene())
    assert result.status, result.reason
    assert result.motion is not None
    fine = result.motion.resampled(1000.0)
    at = motion_world(fine).positions
    for pin in pins:
        joint = body.skeleton.index(str(pin.joint))
        assert np.linalg.norm(at[:, joint] - at[0, joint], axis=1).max() < 1e-3


def test_a_hand_follows_its_path(body: Body) -> None:
    skeleton = body.skeleton
    first = posture("t", person=skeleton)
    hand = skeleton.index("leftHand")
    start = first.world()[0][hand]
    second = first.with_rotation("leftUpperArm", first.rotations[skeleton.index("leftUpperArm")])
    end = start + np.array([-0.15, 0.1, 0.2])
    path = np.array([start, start + np.array([-0.02, 0.1, 0.1]), end])
    pins = [Pin(joint="leftHand", path=path, turn=False), Pin(joint="leftFoot"), Pin(joint="rightFoot")]
    from understudy.kinematics import FreeJoints, PointTask, solve_tasks

    arm = FreeJoints(skeleton=skeleton, joints=skeleton.limb("left_arm"))
    task = PointTask(joint=hand, target=end)
    second = solve_tasks(second, [task], free=arm, limit=body.limits.clamped).pose
    result = between([first, second], judge=_anything, body=body, pins=pins, scene=Scene())
    assert result.status, result.reason
    assert result.motion is not None
    at = motion_world(result.motion).positions[:, hand]
    assert max(distance_to_path(point, path) for point in at) < 1e-3
    assert np.linalg.norm(at[-1] - end) < 1e-3


def test_contradicting_pins_are_named(body: Body) -> None:
    keys = _keys(body, "relaxed", "eagle")
    with pytest.raises(PlanningInputError, match=r'pin "leftFoot" contradicts posture 1.*from where posture 0 has it'):
        between(keys, judge=_anything, body=body, pins=[Pin(joint="leftFoot")])
    with pytest.raises(PlanningInputError, match='two pins hold "leftFoot"'):
        between(keys[:1] * 2, judge=_anything, body=body, pins=[Pin(joint="leftFoot"), Pin(joint="leftFoot")])
    path = [key.root_position for key in keys]
    with pytest.raises(PlanningInputError, match="keeps the joint's turn, but posture 1 turns it 16"):
        between(keys, judge=_anything, body=body, pins=[Pin(joint="hips", turn=True, path=path)])
    off = [place + np.array([0.0, 0.1, 0.0]) for place in path]
    with pytest.raises(PlanningInputError, match=r'"hips" contradicts posture 0: .* from the pin\'s path'):
        between(keys, judge=_anything, body=body, pins=[Pin(joint="hips", path=off)])


def test_bad_input_is_refused(body: Body) -> None:
    from understudy.performer import Person

    one = posture("relaxed", person=body.skeleton)
    with pytest.raises(PlanningInputError, match="at least two"):
        between([one], judge=_anything)
    tall = posture("eagle", person=Person(stature_m=1.95))
    with pytest.raises(SkeletonError, match="other proportions"):
        between([one, tall], judge=_anything)


def test_the_same_problem_gives_the_same_bytes(body: Body) -> None:
    keys = _keys(body, "eagle", "arms_folded")
    one, two = (between(keys, judge=_anything, body=body, options=BetweenOptions(seed=4)).motion for _ in range(2))
    assert one is not None
    assert two is not None
    assert one.rotations.tobytes() == two.rotations.tobytes()
    assert one.root_positions.tobytes() == two.root_positions.tobytes()
