"""The judge's kinematics against the plain definition in ``core``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from people import person
from understudy import rotations as rot
from understudy.core import Motion, fit_body
from understudy.verify.forward import SAMPLE_RATE_HZ, Performer, distinct, joint_frames, matrices, sample_times_s

rng = np.random.default_rng(11)


def random_motion(frames: int = 40, fps: float = 30.0) -> Motion:
    skeleton = person()
    q = rng.normal(size=(frames, len(skeleton), 4))
    return Motion(skeleton=skeleton, fps=fps, root_positions=rng.normal(size=(frames, 3)), rotations=q)


def test_joints_match_the_definition_at_and_between_frames() -> None:
    motion = random_motion()
    times = np.concatenate([motion.times_s, rng.uniform(0, motion.duration_s, 40)])
    positions, world = joint_frames(motion, times)
    roots, local = motion.sample(times)
    for k in range(len(times)):
        want, turns = motion.skeleton.placed_joints(roots[k], local[k])
        assert np.allclose(positions[k], want, atol=1e-9)
        assert np.allclose(world[k], rot.to_matrix(turns), atol=1e-9)


def test_capsules_match_the_body(clip: Callable[[str], Motion]) -> None:
    motion = clip("16_16")
    body = fit_body(motion.skeleton)
    ends = Performer(name="", motion=motion, body=body).capsules(motion.times_s[::50])
    for k, frame in enumerate(range(0, len(motion), 50)):
        start, end = body.capsule_segments(*motion.pose(frame).world())
        assert np.allclose(ends[k], np.stack([start, end], axis=1), atol=1e-9)


def test_matrices_match_scipy() -> None:
    from scipy.spatial.transform import Rotation

    q = rng.normal(size=(200, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    assert np.allclose(matrices(q), Rotation.from_quat(q[:, [1, 2, 3, 0]]).as_matrix(), atol=1e-12)


@pytest.mark.parametrize("fps", [1.0, 24.0, 29.97, 60.0, 120.0, 240.0, 500.0])
def test_samples_hold_every_frame_and_are_dense(fps: float) -> None:
    motion = random_motion(frames=7, fps=fps)
    times = sample_times_s(motion)
    assert np.diff(times).max() <= 1.0 / SAMPLE_RATE_HZ + 1e-12
    assert all(np.abs(times - frame).min() < 1e-12 for frame in motion.times_s)
    assert times[-1] == pytest.approx(motion.duration_s)


def test_a_late_start_holds_the_first_pose_before_and_the_last_after() -> None:
    motion = random_motion()
    late = Performer(name="", motion=motion, body=fit_body(motion.skeleton), start_s=2.0)
    ends = late.capsules(np.array([0.0, 2.0, 2.0 + motion.duration_s, 99.0]))
    assert np.array_equal(ends[0], ends[1])
    assert np.allclose(ends[2], ends[3], atol=1e-12)


@pytest.mark.parametrize("times", [[], [0.5], [0.0, 0.0, 0.1, 0.1, 0.1, 0.4], [0.3, 0.1, 0.3, 0.2]])
def test_distinct_times_are_those_of_numpy(times) -> None:
    unique, where = distinct(np.array(times, dtype=np.float64))
    expected, inverse = np.unique(np.array(times, dtype=np.float64), return_inverse=True)
    assert unique.tolist() == expected.tolist()
    assert where.tolist() == inverse.tolist()
