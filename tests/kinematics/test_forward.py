import subprocess
import sys

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.pose import Pose
from understudy.core.skeleton import Skeleton
from understudy.errors import OptionError, SkeletonError
from understudy.kinematics import forward, motion_world, point_positions, pose_world, tip_positions


@pytest.mark.parametrize("seed", range(5))
def test_kernel_agrees_with_the_plain_definition(samples, seed):
    skeleton = samples.skeleton(seed)
    poses = [samples.pose(skeleton, 10 * seed + i) for i in range(4)]
    world = forward(skeleton, [p.root_position for p in poses], [p.rotations for p in poses])
    for i, pose in enumerate(poses):
        positions, rotations = pose.world()
        np.testing.assert_allclose(world.positions[i], positions, atol=1e-13)
        np.testing.assert_allclose(world.rotations[i], rotations, atol=1e-13)
        np.testing.assert_array_equal(pose_world(pose).positions, world.positions[i])


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_pinocchio(samples, pin_twin, seed):
    skeleton = samples.skeleton(seed, joints=20)
    pose = samples.pose(skeleton, seed)
    twin = pin_twin(skeleton)
    twin.pin.forwardKinematics(twin.model, twin.data, twin.configuration(pose))
    world = pose_world(pose)
    for j, joint in enumerate(twin.ids):
        np.testing.assert_allclose(world.positions[j], twin.data.oMi[joint].translation, atol=1e-12)
        np.testing.assert_allclose(rot.to_matrix(world.rotations[j]), twin.data.oMi[joint].rotation, atol=1e-12)


def test_motion_points_and_tips(samples):
    skeleton = samples.skeleton(1)
    poses = [samples.pose(skeleton, i) for i in range(3)]
    motion = Motion(
        skeleton=skeleton,
        fps=30,
        root_positions=np.stack([p.root_position for p in poses]),
        rotations=np.stack([p.rotations for p in poses]),
    )
    world = motion_world(motion)
    joints, points = [3, 3, 7], np.random.default_rng(0).normal(size=(3, 3))
    placed = point_positions(world, joints, points)
    for f, pose in enumerate(poses):
        positions, rotations = pose.world()
        for k, joint in enumerate(joints):
            matrix = rot.to_matrix(rotations[joint])
            np.testing.assert_allclose(placed[f, k], positions[joint] + matrix @ points[k], atol=1e-13)
        np.testing.assert_allclose(
            tip_positions(skeleton, world)[f], skeleton.tip_positions(positions, rotations), atol=1e-13
        )
        np.testing.assert_array_equal(point_positions(pose_world(pose), joints, points), placed[f])


def test_one_joint_and_no_frames():
    skeleton = Skeleton(names=("root",), parents=np.array([-1]), offsets=np.zeros((1, 3)))
    assert pose_world(Pose.rest(skeleton)).positions.shape == (1, 3)
    assert forward(skeleton, np.empty((0, 3)), np.empty((0, 1, 4))).rotations.shape == (0, 1, 4)


def test_inputs_that_do_not_fit_are_named(samples):
    skeleton = samples.skeleton(0)
    good = np.tile(rot.identity(), (2, len(skeleton), 1))
    with pytest.raises(OptionError, match="root_positions"):
        forward(skeleton, np.zeros(3), good)
    with pytest.raises(OptionError, match="rotations"):
        forward(skeleton, np.zeros((3, 3)), good)
    with pytest.raises(OptionError, match="not finite"):
        forward(skeleton, np.full((2, 3), np.nan), good)
    with pytest.raises(OptionError, match="numbers"):
        forward(skeleton, [["a", "b", "c"]], good)
    with pytest.raises(SkeletonError, match="joints"):
        point_positions(forward(skeleton, np.zeros((2, 3)), good), [99], np.zeros((1, 3)))


def test_importing_the_room_does_not_import_numba():
    code = "import sys, understudy.kinematics; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
