import numpy as np
import pytest

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.errors import OptionError
from understudy.kinematics import (
    centre_of_mass,
    centroidal_momentum_matrix,
    com_jacobian,
    forward,
    integrate,
    momentum_over_time,
    pose_world,
    tangent_size,
)


def momentum_by_hand(pose, velocity, segments, step=1e-6):
    """Linear and angular momentum from displaced segments alone: no Jacobians."""
    masses, coms, inertias = segments
    before, after = (pose_world(integrate(pose, sign * step * velocity)) for sign in (-1.0, 1.0))
    now = pose_world(pose)
    places = [world.positions + rot.rotate(world.rotations, coms) for world in (before, now, after)]
    speeds = (places[2] - places[0]) / (2 * step)
    spins = rot.log(rot.multiply(after.rotations, rot.conjugate(before.rotations))) / (2 * step)
    centre = masses @ places[1] / masses.sum()
    linear = masses @ speeds
    turns = rot.to_matrix(now.rotations)
    own = np.einsum("jab,jbc,jdc,jd->ja", turns, inertias, turns, spins).sum(axis=0)
    return linear, (masses[:, None] * np.cross(places[1] - centre, speeds)).sum(axis=0) + own


@pytest.mark.parametrize("seed", range(5))
def test_momentum_matrix_agrees_with_moving_the_segments(samples, seed):
    skeleton = samples.skeleton(seed)
    pose, segments = samples.pose(skeleton, seed), samples.segments(len(skeleton), seed)
    matrix = centroidal_momentum_matrix(skeleton, pose_world(pose), *segments)
    velocity = np.random.default_rng(seed).normal(size=tangent_size(skeleton))
    linear, angular = momentum_by_hand(pose, velocity, segments)
    np.testing.assert_allclose(matrix[:3] @ velocity, linear, atol=1e-6)
    np.testing.assert_allclose(matrix[3:] @ velocity, angular, atol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_com_jacobian_by_finite_differences(samples, seed):
    skeleton = samples.skeleton(seed)
    pose, (masses, coms, _) = samples.pose(skeleton, seed), samples.segments(len(skeleton), seed)
    ours = com_jacobian(skeleton, pose_world(pose), masses, coms)
    for i, step in enumerate(np.eye(tangent_size(skeleton)) * 1e-6):
        there, back = (centre_of_mass(pose_world(integrate(pose, sign * step)), masses, coms) for sign in (1, -1))
        np.testing.assert_allclose(ours[:, i], (there - back) / 2e-6, atol=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_pinocchio(samples, pin_twin, seed):
    skeleton = samples.skeleton(seed, joints=16)
    pose, segments = samples.pose(skeleton, seed), samples.segments(16, seed)
    twin = pin_twin(skeleton, segments)
    pin, q = twin.pin, twin.configuration(pose)
    world = pose_world(pose)
    np.testing.assert_allclose(
        centre_of_mass(world, *segments[:2]), pin.centerOfMass(twin.model, twin.data, q), atol=1e-12
    )
    theirs = twin.in_our_tangent(pose, pin.jacobianCenterOfMass(twin.model, twin.data, q))
    np.testing.assert_allclose(com_jacobian(skeleton, world, *segments[:2]), theirs, atol=1e-12)
    theirs = twin.in_our_tangent(pose, pin.computeCentroidalMap(twin.model, twin.data, q))
    np.testing.assert_allclose(centroidal_momentum_matrix(skeleton, world, *segments), theirs, atol=1e-11)


def test_many_frames_at_once(samples):
    skeleton = samples.skeleton(0)
    masses, coms, _ = samples.segments(len(skeleton), 0)
    poses = [samples.pose(skeleton, i) for i in range(3)]
    world = forward(skeleton, [p.root_position for p in poses], [p.rotations for p in poses])
    expected = [centre_of_mass(pose_world(p), masses, coms) for p in poses]
    np.testing.assert_allclose(centre_of_mass(world, masses, coms), expected, atol=1e-13)


def smooth_motion(samples, seed, fps=1000.0, frames=9):
    """Every coordinate moves at a constant rate, so the tangent is known exactly at every frame."""
    skeleton = samples.skeleton(seed)
    start = samples.pose(skeleton, seed)
    velocity = np.random.default_rng(seed).normal(size=tangent_size(skeleton))
    poses = [integrate(start, velocity, duration_s=i / fps) for i in range(frames)]
    motion = Motion(
        skeleton=skeleton,
        fps=fps,
        root_positions=np.stack([p.root_position for p in poses]),
        rotations=np.stack([p.rotations for p in poses]),
    )
    return motion, velocity


@pytest.mark.parametrize("seed", range(3))
def test_momentum_over_time_approaches_the_matrix(samples, seed):
    motion, velocity = smooth_motion(samples, seed)
    segments = samples.segments(len(motion.skeleton), seed)
    series = momentum_over_time(motion, *segments)
    for frame in range(1, len(motion) - 1):
        pose = motion.pose(frame)
        matrix = centroidal_momentum_matrix(motion.skeleton, pose_world(pose), *segments)
        scale = np.abs(matrix @ velocity).max()
        np.testing.assert_allclose(series.linear[frame], matrix[:3] @ velocity, atol=1e-4 * scale)
        np.testing.assert_allclose(series.angular[frame], matrix[3:] @ velocity, atol=1e-4 * scale)
        np.testing.assert_allclose(series.centres[frame], centre_of_mass(pose_world(pose), *segments[:2]), atol=1e-12)


def test_angular_momentum_does_not_see_a_moving_frame(samples):
    """Adding a constant velocity to everything changes linear momentum by m v and angular momentum by nothing."""
    motion, _ = smooth_motion(samples, 7)
    segments = samples.segments(len(motion.skeleton), 7)
    wind = np.array([3.0, -2.0, 5.0])
    moved = Motion(
        skeleton=motion.skeleton,
        fps=motion.fps,
        root_positions=motion.root_positions + motion.times_s[:, None] * wind,
        rotations=motion.rotations,
    )
    still, windy = momentum_over_time(motion, *segments), momentum_over_time(moved, *segments)
    np.testing.assert_allclose(windy.linear - still.linear, np.tile(segments[0].sum() * wind, (9, 1)), atol=1e-8)
    np.testing.assert_allclose(windy.angular, still.angular, atol=1e-8)


def test_one_frame_is_at_rest_and_bad_masses_are_refused(samples):
    motion, _ = smooth_motion(samples, 1, frames=1)
    masses, coms, inertias = samples.segments(len(motion.skeleton), 1)
    series = momentum_over_time(motion, masses, coms, inertias)
    assert not series.linear.any() and not series.angular.any()
    with pytest.raises(OptionError, match="masses"):
        momentum_over_time(motion, -masses, coms, inertias)
    with pytest.raises(OptionError, match="masses"):
        centre_of_mass(pose_world(motion.pose(0)), 0 * masses, coms)
    with pytest.raises(OptionError, match="inertias"):
        momentum_over_time(motion, masses, coms, inertias[:2])
    with pytest.raises(OptionError, match="coms"):
        centroidal_momentum_matrix(motion.skeleton, pose_world(motion.pose(0)), masses, coms.T, inertias)
