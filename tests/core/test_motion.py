from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation, Slerp

from people import person, random_frames, wander, with_joint_frames, with_rest_pose, world_positions
from understudy import rotations as rot
from understudy.core import Motion, PlanarTransform, Pose, blend, mirrored, splice
from understudy.core.mirror import mirror_joints
from understudy.core.motion import from_poses
from understudy.core.planar import aligning
from understudy.errors import MotionError


@pytest.fixture(scope="module")
def motion() -> Motion:
    return wander(person(), frames=50, fps=30.0, seed=3)


def test_sampling_at_frames_returns_the_frames_bit_for_bit(motion: Motion) -> None:
    positions, rotations = motion.sample(motion.times_s)
    assert np.array_equal(positions, motion.root_positions)
    assert np.array_equal(rotations, motion.rotations)


def test_sampling_between_frames_is_scipys_slerp(motion: Motion) -> None:
    times = np.linspace(0.0, motion.duration_s, 173)
    positions, rotations = motion.sample(times)
    joint = motion.skeleton.index("rightLowerArm")
    slerp = Slerp(motion.times_s, Rotation.from_quat(motion.rotations[:, joint][:, [1, 2, 3, 0]]))
    expected = slerp(np.minimum(times, motion.times_s[-1])).as_quat()[:, [3, 0, 1, 2]]
    assert rot.angle_between(rotations[:, joint], expected).max() < 1e-7
    assert np.allclose(positions[:, 1], np.interp(times, motion.times_s, motion.root_positions[:, 1]))


@pytest.mark.parametrize("time_s", [-0.01, 1e3, np.nan])
def test_sampling_outside_is_refused(motion: Motion, time_s: float) -> None:
    with pytest.raises(MotionError):
        motion.sample([time_s])


@given(st.floats(1.0, 240.0))
def test_resampling_keeps_poses_and_never_plays_longer(fps: float) -> None:
    motion = wander(person(), frames=20, fps=30.0)
    other = motion.resampled(fps)
    assert other.fps == fps
    assert motion.duration_s - 1.0 / fps - 1e-6 < other.duration_s <= motion.duration_s + 1e-6
    times = np.minimum(other.times_s, motion.duration_s)
    assert np.allclose(other.root_positions, motion.sample(times)[0])


def test_resampling_up_and_down_returns_the_same_motion(motion: Motion) -> None:
    back = motion.resampled(120.0).resampled(30.0)
    assert np.allclose(back.root_positions, motion.root_positions)
    assert rot.angle_between(back.rotations, motion.rotations).max() < 1e-7


def test_slice_starts_exactly_where_asked(motion: Motion) -> None:
    part = motion.slice(0.25, 1.0)
    assert np.allclose(part.root_positions[0], motion.pose_at(0.25).root_position)
    assert 0.25 + part.duration_s <= 1.0 + 1e-9
    assert len(motion.frames(3, 9)) == 6
    with pytest.raises(MotionError):
        motion.slice(0.5, 0.2)
    with pytest.raises(MotionError):
        motion.frames(4, 4)


@given(st.floats(-5, 5), st.floats(-5, 5), st.floats(-7, 7))
def test_placing_moves_every_joint_rigidly(x: float, z: float, yaw: float) -> None:
    motion = wander(person(), frames=5)
    transform = PlanarTransform(x_m=x, z_m=z, yaw_rad=yaw)
    placed = world_positions(motion.placed(transform))
    turn = Rotation.from_rotvec([0, yaw, 0]).as_matrix()
    assert np.allclose(placed, world_positions(motion) @ turn.T + [x, 0, z])
    back = motion.placed(transform).placed(transform.inverse())
    assert np.allclose(world_positions(back), world_positions(motion))


def test_a_quarter_turn_takes_z_to_x() -> None:
    assert np.allclose(PlanarTransform(yaw_rad=np.pi / 2).points(np.array([0.0, 2.0, 1.0])), [1.0, 2.0, 0.0])


@given(st.lists(st.floats(-3, 3), min_size=6, max_size=6))
def test_planar_transforms_compose(values: list[float]) -> None:
    first = PlanarTransform(x_m=values[0], z_m=values[1], yaw_rad=values[2])
    second = PlanarTransform(x_m=values[3], z_m=values[4], yaw_rad=values[5])
    points = np.random.default_rng(0).normal(size=(4, 3))
    assert np.allclose((second @ first).points(points), second.points(first.points(points)))
    assert np.allclose((first @ first.inverse()).points(points), points)


def test_aligning_recovers_a_planar_transform() -> None:
    rng = np.random.default_rng(1)
    truth = PlanarTransform(x_m=1.0, z_m=-2.0, yaw_rad=0.7)
    position, rotation = rng.normal(size=3), rot.normalize(rng.normal(size=4))
    found = aligning(
        from_position=position,
        from_rotation=rotation,
        to_position=truth.points(position),
        to_rotation=truth.rotations(rotation),
    )
    assert (found.x_m, found.z_m, found.yaw_rad) == pytest.approx((1.0, -2.0, 0.7))


def test_splice_keeps_both_ends_and_meets_smoothly(motion: Motion) -> None:
    second = wander(person(), frames=40, fps=30.0, seed=9)
    joined = splice(motion, second, blend_s=0.4)
    overlap = round(0.4 * 30) + 1
    assert len(joined) == len(motion) + len(second) - overlap
    cut = len(motion) - overlap
    assert np.array_equal(joined.root_positions[: cut + 1], motion.root_positions[: cut + 1])
    # The tail is the second motion moved as a whole: all its inner distances are kept.
    tail, plain = world_positions(joined)[len(motion) :], world_positions(second)[overlap:]
    assert np.allclose(np.linalg.norm(tail[-1] - tail[0], axis=-1), np.linalg.norm(plain[-1] - plain[0], axis=-1))
    # No step is larger than the two motions' own steps plus what the fade must cover.
    steps = np.linalg.norm(np.diff(joined.root_positions, axis=0), axis=1)
    own = max(np.linalg.norm(np.diff(m.root_positions, axis=0), axis=1).max() for m in (motion, second))
    assert steps.max() < 3 * own


def test_splicing_a_motion_cut_in_two_restores_it(motion: Motion) -> None:
    first, second = motion.frames(0, 30), motion.frames(20, 50)
    joined = splice(first, second, blend_s=9 / 30)
    assert np.allclose(joined.root_positions, motion.root_positions)
    assert rot.angle_between(joined.rotations, motion.rotations).max() < 1e-7


def test_splice_without_blend_is_a_cut(motion: Motion) -> None:
    joined = splice(motion, motion, blend_s=0.0)
    assert len(joined) == 2 * len(motion) - 1
    assert np.allclose(joined.root_positions[len(motion) - 1, [0, 2]], motion.root_positions[-1, [0, 2]])


def test_blend_ends_and_middle(motion: Motion) -> None:
    other = wander(person(), frames=50, fps=30.0, seed=4)
    assert np.array_equal(blend(motion, other, 0.0).rotations, motion.rotations)
    assert rot.angle_between(blend(motion, other, 1.0).rotations, other.rotations).max() < 1e-7
    middle = blend(motion, other, 0.5).rotations
    assert np.allclose(rot.angle_between(middle, motion.rotations), rot.angle_between(middle, other.rotations))
    weights = np.linspace(0, 1, 50)
    assert np.allclose(blend(motion, other, weights).root_positions[-1], other.root_positions[-1])


def test_mixing_needs_the_same_joints_rate_and_length(motion: Motion) -> None:
    with pytest.raises(MotionError, match="resample"):
        splice(motion, motion.resampled(60.0))
    with pytest.raises(MotionError, match="equal lengths"):
        blend(motion, motion.frames(0, 10), 0.5)
    with pytest.raises(MotionError, match="weights"):
        blend(motion, motion, 1.5)
    with pytest.raises(MotionError, match="blend_s"):
        splice(motion, motion, blend_s=99.0)


def reflected(points: np.ndarray) -> np.ndarray:
    return points * np.array([-1.0, 1.0, 1.0])


def partners(motion: Motion) -> np.ndarray:
    return mirror_joints(motion.skeleton)


@given(st.integers(0, 1000))
def test_mirror_reflects_every_joint_on_a_symmetric_rig(seed: int) -> None:
    motion = wander(person(), frames=4, seed=seed)
    assert np.allclose(world_positions(mirrored(motion)), reflected(world_positions(motion))[:, partners(motion)])
    assert np.allclose(world_positions(mirrored(mirrored(motion))), world_positions(motion))


@given(st.integers(0, 1000))
def test_mirror_does_not_depend_on_joint_frames(seed: int) -> None:
    plain = person()
    motion = wander(with_joint_frames(plain, random_frames(plain, seed)), frames=4, seed=seed)
    assert np.allclose(world_positions(mirrored(motion)), reflected(world_positions(motion))[:, partners(motion)])


def test_mirror_works_for_a_rig_that_rests_sideways() -> None:
    skeleton = with_rest_pose(person(), {}, root_turn=rot.from_yaw(np.radians(70.0)))
    motion = wander(skeleton, frames=4)
    assert np.allclose(world_positions(mirrored(motion)), reflected(world_positions(motion))[:, partners(motion)])


def test_mirror_pairs_by_name_without_roles() -> None:
    skeleton = person().with_humanoid({})
    partner = mirror_joints(skeleton)
    assert skeleton.names[partner[skeleton.index("leftHand")]] == "rightHand"
    assert partner[skeleton.index("head")] == skeleton.index("head")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fps": 0.0}, "fps"),
        ({"fps": np.nan}, "fps"),
        ({"root_positions": np.zeros((0, 3)), "rotations": np.zeros((0, 22, 4))}, "at least one frame"),
        ({"root_positions": np.zeros((3, 3))}, "needs root_positions"),
        ({"root_positions": np.full((2, 3), np.inf)}, "frame 0"),
        ({"rotations": np.zeros((2, 22, 4))}, "zero quaternion"),
    ],
)
def test_malformed_motions_are_refused(change: dict, message: str) -> None:
    skeleton = person()
    whole = {
        "skeleton": skeleton,
        "fps": 30.0,
        "root_positions": np.zeros((2, 3)),
        "rotations": rot.identity((2, len(skeleton))),
    }
    with pytest.raises(MotionError, match=message):
        Motion(**{**whole, **change})


def test_motion_is_immutable_and_normalised() -> None:
    skeleton = person()
    rotations = 3.0 * rot.identity((2, len(skeleton)))
    motion = Motion(skeleton=skeleton, fps=30, root_positions=np.zeros((2, 3)), rotations=rotations)
    assert np.allclose(np.linalg.norm(motion.rotations, axis=-1), 1.0)
    with pytest.raises(ValueError, match="read-only"):
        motion.rotations[0] = 0.0


def test_motion_from_poses_and_back(motion: Motion) -> None:
    again = from_poses([motion.pose(f) for f in range(len(motion))], fps=motion.fps)
    assert np.allclose(world_positions(again), world_positions(motion))
    assert np.array_equal(motion.pose(-1).root_position, motion.root_positions[-1])
    with pytest.raises(MotionError):
        motion.pose(50)
    with pytest.raises(MotionError):
        from_poses([], fps=30)


def test_pose_checks_its_arrays() -> None:
    skeleton = person()
    with pytest.raises(MotionError):
        Pose(skeleton=skeleton, root_position=np.zeros(2), rotations=skeleton.rest_rotations)
    with pytest.raises(MotionError):
        Pose(skeleton=skeleton, root_position=np.full(3, np.nan), rotations=skeleton.rest_rotations)
    turned = Pose.rest(skeleton).with_rotation("head", rot.from_yaw(0.5))
    assert rot.yaw(turned.world()[1][skeleton.index("head")]) == pytest.approx(0.5)


def test_notebook_view_escapes_names(motion: Motion) -> None:
    assert "<script>" not in motion.renamed("<script>")._repr_html_()
