import numpy as np
import pytest

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.errors import OptionError, SkeletonError
from understudy.kinematics import estimated_hinge, hold_end, motion_world

LEG = ("leftUpperLeg", "leftLowerLeg", "leftFoot")
ARM = ("leftUpperArm", "leftLowerArm", "leftHand")
LIFT = np.array([0.0, 0.02, 0.0])
FAR = np.array([0.0, 1.0, 0.0])


def leg_motion(skeleton, knee_rad, *, fps=60.0):
    """The left knee follows ``knee_rad``; hip, torso and root sway smoothly."""
    frames = len(knee_rad)
    t = np.linspace(0.0, 1.0, frames)
    rotations = np.tile(skeleton.rest_rotations, (frames, 1, 1))
    sway = np.stack([0.3 * np.sin(4 * t), 0.2 * t, 0.1 * np.cos(3 * t)], axis=1)
    rotations[:, 0] = rot.exp(0.3 * sway)
    rotations[:, skeleton.index(LEG[0])] = rot.multiply(
        rot.exp(-0.5 * knee_rad[:, None] * [1.0, 0.0, 0.0]), rot.exp(sway)
    )
    rotations[:, skeleton.index(LEG[1])] = rot.exp(knee_rad[:, None] * [1.0, 0.0, 0.0])
    rotations[:, skeleton.index(LEG[2])] = rot.exp(0.2 * sway[:, ::-1])
    roots = np.tile(skeleton.offsets[0], (frames, 1)) + 0.1 * sway
    return Motion(skeleton=skeleton, fps=fps, root_positions=roots, rotations=rotations)


def foot(motion, joints=LEG):
    world = motion_world(motion)
    index = motion.skeleton.index(joints[2])
    return world.positions[:, index], world.rotations[:, index]


def test_holding_the_end_where_it_is_changes_nothing(humanoid):
    motion = leg_motion(humanoid, 0.6 + 0.5 * np.sin(np.linspace(0, 9, 80)))
    held = hold_end(motion, LEG, foot(motion)[0])
    assert held.reached.all()
    np.testing.assert_allclose(held.motion.rotations, motion.rotations, atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_recordings_that_are_no_pure_hinge_come_back_unchanged_too(samples, seed):
    """Random middle rotations, twist included, away from straight and not bent backwards."""
    skeleton = samples.skeleton(seed, joints=8)
    rng = np.random.default_rng(seed)
    deepest = max(range(8), key=lambda j: len(skeleton.chain(0, j)))
    chain = skeleton.chain(0, deepest)
    if len(chain) < 4:
        pytest.skip("no limb in this tree")
    joints = (chain[1], chain[2], chain[3])
    # One random pose, shaken a little: all frames bend the same way.
    shake = rot.exp(rng.normal(scale=0.1, size=(30, 8, 3)))
    rotations = rot.multiply(rot.normalize(rng.normal(size=(8, 4))), shake)
    motion = Motion(skeleton=skeleton, fps=30, root_positions=rng.normal(size=(30, 3)), rotations=rotations)
    held = hold_end(motion, joints, motion_world(motion).positions[:, joints[2]])
    np.testing.assert_allclose(held.motion.rotations, motion.rotations, atol=1e-6)


def test_targets_are_met_and_only_three_joints_change(humanoid):
    motion = leg_motion(humanoid, 0.9 + 0.4 * np.sin(np.linspace(0, 7, 60)))
    rng = np.random.default_rng(3)
    places, turns = foot(motion)
    places = places + rng.normal(scale=0.01, size=places.shape)
    turns = rot.multiply(turns, rot.exp(rng.normal(scale=0.3, size=(60, 3))))
    held = hold_end(motion, LEG, places, turns)
    assert held.reached.all() and held.error_m.max() < 1e-9
    got = foot(held.motion)
    np.testing.assert_allclose(got[0], places, atol=1e-9)
    assert rot.angle_between(got[1], turns).max() < 1e-9
    others = [j for j in range(len(humanoid)) if j not in [humanoid.index(name) for name in LEG]]
    np.testing.assert_array_equal(held.motion.rotations[:, others], motion.rotations[:, others])
    np.testing.assert_array_equal(held.motion.root_positions, motion.root_positions)
    # The change is of the size of the push: about 0.03 m on a 0.8 m leg.
    upper = rot.angle_between(
        held.motion.rotations[:, humanoid.index(LEG[0])], motion.rotations[:, humanoid.index(LEG[0])]
    )
    assert upper.max() < 0.5
    knee = held.motion.rotations[:, humanoid.index(LEG[1])]
    assert np.abs(knee[:, 2:]).max() < 1e-9  # still a turn about the knee's own X


def test_orientation_is_kept_when_no_rotation_is_given(humanoid):
    motion = leg_motion(humanoid, np.full(20, 0.8))
    places, turns = foot(motion)
    held = hold_end(motion, LEG, places + np.array([0.03, 0.05, -0.04]))
    assert rot.angle_between(foot(held.motion)[1], turns).max() < 1e-9


def test_foot_planted_through_a_nearly_straight_leg_moves_smoothly(humanoid):
    """The knee straightens to 0.1 degree and flexes again while the foot is held near by; steps shrink with fps."""

    def largest_turn(frames):
        # The sway would carry the hip out of the planted foot's reach, so it is kept small and the foot low.
        knee = 0.002 + 0.4 * (1 - np.cos(np.linspace(0, 4 * np.pi, frames))) / 2
        motion = leg_motion(humanoid, knee)
        places = foot(motion)[0]
        # Toward the hip by 4 cm: never out of reach, while the recorded knee itself is as good as straight.
        hip = motion_world(motion).positions[:, humanoid.index(LEG[0])]
        places = places + 0.04 * (hip - places) / np.linalg.norm(hip - places, axis=1, keepdims=True)
        held = hold_end(motion, LEG, places)
        assert held.reached.all()
        parts = [held.motion.rotations[:, humanoid.index(name)] for name in LEG]
        return max(rot.angle_between(q[1:], q[:-1]).max() for q in parts)

    coarse, fine = largest_turn(400), largest_turn(1600)
    assert coarse < 0.05
    assert fine < 0.3 * coarse


def test_hyperextended_frames_do_not_flip_the_leg(humanoid):
    """A knee bent backwards by 3 degrees comes out bent forwards by as much, and the hip does not twist round."""
    motion = leg_motion(humanoid, np.linspace(0.3, -0.05, 200))
    held = hold_end(motion, LEG, foot(motion)[0])
    for name in LEG:
        before, after = (m.rotations[:, humanoid.index(name)] for m in (motion, held.motion))
        assert rot.angle_between(before, after).max() < 0.11
        assert rot.angle_between(after[1:], after[:-1]).max() < 0.02
    np.testing.assert_allclose(foot(held.motion)[0], foot(motion)[0], atol=1e-9)


def test_a_knee_that_is_overstretched_all_along_still_bends_forwards(humanoid):
    """Somebody who stands with his knees pushed back by 5 degrees is lowered by 4 cm."""
    motion = leg_motion(humanoid, np.full(60, -0.09))
    held = hold_end(motion, LEG, foot(motion)[0] + [0.0, 0.04, 0.0])
    assert held.reached.all()
    knee = humanoid.index(LEG[1])
    bends = rot.log(rot.relative(humanoid.rest_rotations[knee], held.motion.rotations[:, knee]))[:, 0]
    assert bends.min() > 0.2


def test_signs_of_quaternions_stay_continuous(humanoid):
    motion = leg_motion(humanoid, 0.5 + 0.4 * np.sin(np.linspace(0, 7, 200)))
    held = hold_end(motion, LEG, foot(motion)[0] + [0.0, 0.04, 0.02])
    steps = np.linalg.norm(np.diff(held.motion.rotations, axis=0), axis=-1)
    assert steps.max() < 0.1


def test_too_far_is_reported_in_metres(humanoid):
    motion = leg_motion(humanoid, np.full(5, 0.4))
    held = hold_end(motion, LEG, foot(motion)[0] - FAR)
    assert not held.reached.any()
    left = np.linalg.norm(foot(held.motion)[0] - (foot(motion)[0] - FAR), axis=1)
    np.testing.assert_allclose(held.error_m, left, atol=1e-9)


def test_hinge_is_found_from_the_motion(humanoid):
    bent = leg_motion(humanoid, np.linspace(0.1, 1.0, 30))
    np.testing.assert_allclose(estimated_hinge(bent, LEG), [1.0, 0.0, 0.0], atol=1e-9)
    straight = leg_motion(humanoid, np.zeros(30))
    np.testing.assert_allclose(estimated_hinge(straight, LEG), [1.0, 0.0, 0.0], atol=1e-9)
    nameless = Motion(
        skeleton=humanoid.with_humanoid({}),
        fps=30,
        root_positions=straight.root_positions,
        rotations=straight.rotations,
    )
    axis = estimated_hinge(nameless, LEG)
    assert np.linalg.norm(axis) == pytest.approx(1.0) and axis[1] == pytest.approx(0.0)
    held = hold_end(nameless, LEG, foot(nameless)[0] + [0, 0.1, 0], hinge_in_base=[0.0, 0.0, 1.0])
    assert held.reached.all()


def test_forearm_twist_is_kept(humanoid):
    """A lower arm that also pronates: its twist stays, only the hinge is changed."""
    frames = 100
    t = np.linspace(0, 1, frames)
    rotations = np.tile(humanoid.rest_rotations, (frames, 1, 1))
    bend = rot.exp((0.8 + 0.3 * np.sin(5 * t))[:, None] * [0.0, -1.0, 0.0])
    twist = rot.exp((1.2 * np.sin(7 * t))[:, None] * [1.0, 0.0, 0.0])
    rotations[:, humanoid.index("leftLowerArm")] = rot.multiply(bend, twist)
    roots = np.tile(humanoid.offsets[0], (frames, 1))
    motion = Motion(skeleton=humanoid, fps=60, root_positions=roots, rotations=rotations)
    held = hold_end(motion, ARM, foot(motion, ARM)[0] + [-0.04, 0.03, 0.01])
    assert held.reached.all()
    changed = held.motion.rotations[:, humanoid.index("leftLowerArm")]
    axis = np.array([1.0, 0.0, 0.0])
    before, after = (
        rot.swing_twist(rotations[:, humanoid.index("leftLowerArm")], axis)[1],
        rot.swing_twist(changed, axis)[1],
    )
    assert rot.angle_between(before, after).max() < 1e-6


def test_real_walk_feet_can_be_lifted(cmu_bvh):
    from understudy.formats import load_motion

    motion = load_motion(cmu_bvh("16_31"))
    for side in ("left", "right"):
        joints = (f"{side}UpperLeg", f"{side}LowerLeg", f"{side}Foot")
        places, turns = foot(motion, joints)
        same = hold_end(motion, joints, places)
        np.testing.assert_allclose(foot(same.motion, joints)[0], places, atol=1e-8)
        lifted = hold_end(motion, joints, places + LIFT)
        assert lifted.reached.all()
        np.testing.assert_allclose(foot(lifted.motion, joints)[0], places + LIFT, atol=1e-8)
        assert rot.angle_between(foot(lifted.motion, joints)[1], turns).max() < 1e-7


def test_bad_inputs(humanoid):
    motion = leg_motion(humanoid, np.full(4, 0.4))
    places = foot(motion)[0]
    with pytest.raises(OptionError, match="target_positions"):
        hold_end(motion, LEG, places[:2])
    with pytest.raises(OptionError, match="target_rotations"):
        hold_end(motion, LEG, places, np.zeros((4, 3)))
    with pytest.raises(OptionError, match="zero"):
        hold_end(motion, LEG, places, np.zeros((4, 4)))
    with pytest.raises(OptionError, match="parallel"):
        hold_end(motion, LEG, places, hinge_in_base=[0.0, 1.0, 0.0])
    with pytest.raises(OptionError, match="zero"):
        hold_end(motion, LEG, places, hinge_in_base=[0.0, 0.0, 0.0])
    with pytest.raises(SkeletonError, match="nosuch"):
        hold_end(motion, ("leftUpperLeg", "nosuch", "leftFoot"), places)
