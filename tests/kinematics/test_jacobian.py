import numpy as np
import pytest

from understudy import rotations as rot
from understudy.errors import OptionError, SkeletonError
from understudy.kinematics import (
    FreeJoints,
    angular_jacobian,
    difference,
    integrate,
    jacobians,
    point_jacobian,
    point_positions,
    pose_world,
    tangent_size,
)

STEP = 1e-6


def differences(function, pose, size):
    """Central differences of ``function(pose)`` along every coordinate of the tangent."""
    columns = []
    for direction in np.eye(size) * STEP:
        columns.append((function(integrate(pose, direction)) - function(integrate(pose, -direction))) / (2 * STEP))
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("seed", range(4))
def test_point_jacobian_by_finite_differences(samples, seed):
    skeleton = samples.skeleton(seed)
    pose = samples.pose(skeleton, seed)
    rng = np.random.default_rng(seed)
    for joint in (0, 5, len(skeleton) - 1):
        point = rng.normal(size=3)

        def place(p, joint=joint, point=point):
            return point_positions(pose_world(p), [joint], [point])[0]

        ours = point_jacobian(skeleton, pose_world(pose), joint, point)
        np.testing.assert_allclose(ours, differences(place, pose, tangent_size(skeleton)), atol=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_angular_jacobian_by_finite_differences(samples, seed):
    skeleton = samples.skeleton(seed)
    pose = samples.pose(skeleton, seed)
    for joint in (0, 5, len(skeleton) - 1):
        start = pose_world(pose).rotations[joint]

        def turn(p, joint=joint, start=start):
            return rot.log(rot.multiply(pose_world(p).rotations[joint], rot.conjugate(start)))

        ours = angular_jacobian(skeleton, pose_world(pose), joint)
        np.testing.assert_allclose(ours, differences(turn, pose, tangent_size(skeleton)), atol=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_jacobians_agree_with_pinocchio(samples, pin_twin, seed):
    skeleton = samples.skeleton(seed, joints=18)
    pose = samples.pose(skeleton, seed)
    twin = pin_twin(skeleton)
    twin.pin.computeJointJacobians(twin.model, twin.data, twin.configuration(pose))
    twin.pin.updateFramePlacements(twin.model, twin.data)
    world = pose_world(pose)
    for j in range(len(skeleton)):
        theirs = twin.pin.getJointJacobian(
            twin.model, twin.data, twin.ids[j], twin.pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        )
        theirs = twin.in_our_tangent(pose, theirs)
        np.testing.assert_allclose(point_jacobian(skeleton, world, j), theirs[:3], atol=1e-12)
        np.testing.assert_allclose(angular_jacobian(skeleton, world, j), theirs[3:], atol=1e-12)


def test_integrate_agrees_with_pinocchio(samples, pin_twin):
    skeleton = samples.skeleton(3)
    pose = samples.pose(skeleton, 3)
    twin = pin_twin(skeleton)
    velocity = np.random.default_rng(0).normal(size=tangent_size(skeleton))
    velocity[:3] = 0.0  # the free-flyer moves along a screw, our root along a line
    theirs = twin.pin.integrate(twin.model, twin.configuration(pose), _theirs(twin, velocity))
    ours = twin.configuration(integrate(pose, velocity))
    starts = [twin.model.joints[joint].idx_q + (3 if i == 0 else 0) for i, joint in enumerate(twin.ids)]
    for start in starts:
        assert abs(ours[start : start + 4] @ theirs[start : start + 4]) == pytest.approx(1.0, abs=1e-12)


def _theirs(twin, velocity):
    out = np.zeros(twin.model.nv)
    for j, joint in enumerate(twin.ids):
        start = twin.model.joints[joint].idx_v + (3 if j == 0 else 0)
        out[start : start + 3] = velocity[3 + 3 * j : 6 + 3 * j]
    return out


def test_restricted_columns_are_those_of_the_full_jacobian(samples):
    skeleton = samples.skeleton(2)
    pose = samples.pose(skeleton, 5)
    world = pose_world(pose)
    last = len(skeleton) - 1
    joints, points = [last, 4], np.random.default_rng(1).normal(size=(2, 3))
    full = jacobians(world, joints, points, free=FreeJoints.everything(skeleton))
    for free in (
        FreeJoints.chain(skeleton, 0, last),
        FreeJoints.of(skeleton, [7, "j2"], root_translation=True),
        FreeJoints.of(skeleton, [], root_translation=True),
    ):
        some = jacobians(world, joints, points, free=free)
        for whole, part in zip(full, some, strict=True):
            np.testing.assert_array_equal(part, whole[..., free.tangent_columns])
        step = np.random.default_rng(2).normal(size=free.size)
        np.testing.assert_allclose(some[0] @ step, full[0] @ free.expand(step), atol=1e-12)


def test_difference_inverts_integrate(samples):
    skeleton = samples.skeleton(4)
    a, b = samples.pose(skeleton, 1), samples.pose(skeleton, 2)
    there = integrate(a, difference(a, b))
    np.testing.assert_allclose(there.root_position, b.root_position, atol=1e-12)
    assert rot.angle_between(there.rotations, b.rotations).max() < 1e-7
    half = integrate(a, difference(a, b), duration_s=0.5)
    np.testing.assert_allclose(2 * difference(a, half), difference(a, b), atol=1e-9)


def test_bad_inputs(samples):
    skeleton = samples.skeleton(0)
    pose = samples.pose(skeleton, 0)
    with pytest.raises(OptionError, match="velocity"):
        integrate(pose, np.zeros(5))
    with pytest.raises(SkeletonError, match="j11"):
        FreeJoints.of(skeleton, ["j111"])
    with pytest.raises(SkeletonError, match="descend"):
        FreeJoints.chain(skeleton, len(skeleton) - 1, 0)
    with pytest.raises(OptionError, match="different joints"):
        difference(pose, samples.pose(samples.skeleton(1), 0))
    with pytest.raises(SkeletonError, match="joint"):
        point_jacobian(skeleton, pose_world(pose), 40)
