import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy import rotations as rot
from understudy.core.human_limits import human_limits
from understudy.core.pose import Pose
from understudy.errors import OptionError, SkeletonError
from understudy.kinematics import (
    FreeJoints,
    GazeTask,
    LeastSquaresOptions,
    OrientationTask,
    PointTask,
    StayTask,
    integrate,
    point_positions,
    pose_world,
    solve_tasks,
    tangent_size,
)

ARM = ("chest", "leftUpperArm", "leftLowerArm", "leftHand")


def reachable(skeleton, free, seed, size=0.8):
    """A pose some way from rest in the free joints, to take targets from."""
    rng = np.random.default_rng(seed)
    return integrate(Pose.rest(skeleton), free.expand(size * rng.uniform(-1, 1, free.size)))


@pytest.mark.parametrize("seed", range(8))
def test_reachable_tasks_are_met(humanoid, seed):
    free = FreeJoints.of(humanoid, ARM)
    goal = pose_world(reachable(humanoid, free, seed))
    hand = humanoid.index("leftHand")
    tasks = [
        PointTask(joint="leftHand", target=goal.positions[hand]),
        OrientationTask(joint="leftHand", target=goal.rotations[hand]),
    ]
    result = solve_tasks(Pose.rest(humanoid), tasks, free=free)
    world = pose_world(result.pose)
    assert result.converged
    assert np.linalg.norm(world.positions[hand] - goal.positions[hand]) < 1e-6
    assert rot.angle_between(world.rotations[hand], goal.rotations[hand]) < 1e-6
    assert result.residuals[0] == pytest.approx(np.linalg.norm(world.positions[hand] - goal.positions[hand]))
    still = [j for j in range(len(humanoid)) if j not in free.joints]
    np.testing.assert_array_equal(result.pose.rotations[still], Pose.rest(humanoid).rotations[still])
    np.testing.assert_array_equal(result.pose.root_position, Pose.rest(humanoid).root_position)


def test_several_ends_and_a_free_root(humanoid):
    free = FreeJoints.everything(humanoid)
    goal = pose_world(reachable(humanoid, free, 3, size=0.5))
    ends = [humanoid.index(name) for name in ("leftHand", "rightHand", "leftFoot", "rightFoot", "head")]
    tasks = [PointTask(joint=end, target=goal.positions[end]) for end in ends]
    result = solve_tasks(Pose.rest(humanoid), tasks, free=free)
    assert result.converged
    np.testing.assert_allclose(pose_world(result.pose).positions[ends], goal.positions[ends], atol=1e-6)


@pytest.mark.parametrize("place", [(0.0, 1.2, 3.0), (2.0, 1.7, -1.0), (0.0, 1.55, -5.0), (-0.3, 3.0, 0.1)])
def test_gaze(humanoid, place):
    """Also when the target is exactly behind."""
    eye = (0.0, 0.05, 0.08)
    free = FreeJoints.of(humanoid, ("spine", "chest", "head"))
    task = GazeTask(joint="head", axis=np.array([0.0, 0.0, 2.0]), target=np.array(place), origin=eye)
    result = solve_tasks(Pose.rest(humanoid), [task], free=free)
    world = pose_world(result.pose)
    head = humanoid.index("head")
    away = np.array(place) - point_positions(world, [head], [eye])[0]
    looking = rot.rotate(world.rotations[head], [0.0, 0.0, 1.0])
    assert result.converged
    assert np.arccos(np.clip(looking @ away / np.linalg.norm(away), -1, 1)) < 1e-5


def all_tasks(seed, joint):
    rng = np.random.default_rng(seed)
    targets = rot.normalize(rng.normal(size=(2, 4)))
    return [
        StayTask(joints=(0, joint), targets=targets, weights=np.ones(2)),
        PointTask(joint=joint, target=rng.normal(size=3), point=rng.normal(size=3)),
        OrientationTask(joint=joint, target=rot.normalize(rng.normal(size=4))),
        GazeTask(joint=joint, axis=rng.normal(size=3), target=rng.normal(size=3), origin=rng.normal(size=3)),
    ]


@pytest.mark.parametrize("seed", range(5))
def test_gradients_are_those_of_finite_differences(samples, seed):
    """Jacobian^T error is the gradient of half the squared error, near and far from the target."""
    skeleton = samples.skeleton(seed)
    free = FreeJoints.everything(skeleton)
    pose = samples.pose(skeleton, seed)
    for task in all_tasks(seed, len(skeleton) - 1):

        def cost(p, task=task):
            error = task.error(skeleton, pose_world(p))
            return 0.5 * error @ error

        world = pose_world(pose)
        ours = task.jacobian(world, free).T @ task.error(skeleton, world)
        for i, step in enumerate(np.eye(tangent_size(skeleton)) * 1e-6):
            slope = (cost(integrate(pose, step)) - cost(integrate(pose, -step))) / 2e-6
            assert ours[i] == pytest.approx(slope, abs=1e-6)


def test_meeting_tasks_already_moves_nothing(humanoid):
    pose = Pose.rest(humanoid)
    target = pose_world(pose).positions[humanoid.index("leftHand")]
    result = solve_tasks(pose, [PointTask(joint="leftHand", target=target)], free=FreeJoints.of(humanoid, ARM))
    assert result.converged and result.iterations == 0
    np.testing.assert_array_equal(result.pose.rotations, pose.rotations)


@pytest.mark.parametrize("seed", range(12))
def test_limits_of_the_body_plug_in(humanoid, seed):
    """Targets of a pose within limits are met within limits, from an arm that is not straight."""
    limits = human_limits(humanoid)
    free = FreeJoints.of(humanoid, ARM)
    goal = reachable(humanoid, free, seed, size=1.2)
    goal = Pose(skeleton=humanoid, root_position=goal.root_position, rotations=limits.clamped(goal.rotations))
    hand = humanoid.index("leftHand")
    target = pose_world(goal).positions[hand]
    relaxed = Pose.rest(humanoid).with_rotation("leftLowerArm", rot.exp([0.0, -0.6, 0.35]))
    result = solve_tasks(
        relaxed,
        [PointTask(joint="leftHand", target=target)],
        free=free,
        limit=limits.clamped,
        options=LeastSquaresOptions(max_iterations=300, tolerance_m=1e-4),
    )
    assert limits.excess(result.pose.rotations).max() < 1e-6
    assert result.converged


def test_a_blocked_joint_leaves_the_work_to_the_others(humanoid):
    """The elbow may not turn at all: the shoulder and chest still bring the hand to the target."""
    elbow = humanoid.index("leftLowerArm")
    free = FreeJoints.of(humanoid, ARM[:3])
    part = FreeJoints.of(humanoid, ARM[:2])

    def stiff_elbow(rotations):
        allowed = rotations.copy()
        allowed[elbow] = rot.identity()
        return allowed

    target = pose_world(reachable(humanoid, part, 1)).positions[humanoid.index("leftHand")]
    result = solve_tasks(
        Pose.rest(humanoid),
        [PointTask(joint="leftHand", target=target)],
        free=free,
        limit=stiff_elbow,
    )
    assert result.converged
    np.testing.assert_allclose(result.pose.rotations[elbow], rot.identity(), atol=1e-12)


@settings(max_examples=25)
@given(st.lists(st.floats(-1e3, 1e3), min_size=3, max_size=3), st.integers(0, 1000))
def test_targets_anywhere_give_the_nearest_pose_found(samples, target, seed):
    skeleton = samples.skeleton(seed % 7)
    pose = samples.pose(skeleton, seed)
    last = len(skeleton) - 1
    task = PointTask(joint=last, target=np.array(target))
    start = np.linalg.norm(task.error(skeleton, pose_world(pose)))
    result = solve_tasks(
        pose,
        [task],
        free=FreeJoints.chain(skeleton, 0, last),
        options=LeastSquaresOptions(max_iterations=40),
    )
    assert np.isfinite(result.pose.rotations).all()
    assert result.residuals[0] <= start + 1e-12
    assert result.converged == (result.residuals[0] <= 1e-6)


def test_out_of_reach_ends_straight_towards_the_target(humanoid):
    free = FreeJoints.of(humanoid, ("leftUpperArm", "leftLowerArm"))
    shoulder = pose_world(Pose.rest(humanoid)).positions[humanoid.index("leftUpperArm")]
    target = shoulder + np.array([0.0, 0.0, 3.0])
    result = solve_tasks(
        Pose.rest(humanoid),
        [PointTask(joint="leftHand", target=target)],
        free=free,
        options=LeastSquaresOptions(max_iterations=500),
    )
    assert not result.converged
    assert result.residuals[0] == pytest.approx(3.0 - 0.28 - 0.25, abs=1e-3)


def test_weights_decide_between_tasks_at_odds(humanoid):
    free = FreeJoints.of(humanoid, ARM)
    places = [np.array([0.6, 1.4, 0.3]), np.array([0.6, 1.4, 0.2])]
    for heavy in (0, 1):
        tasks = [
            PointTask(joint="leftHand", target=place, weight=10.0 if i == heavy else 1.0)
            for i, place in enumerate(places)
        ]
        result = solve_tasks(Pose.rest(humanoid), tasks, free=free)
        # Between the two places, a hundred times nearer the heavy one (weights count squared).
        assert result.residuals[heavy] == pytest.approx(0.1 / 101, rel=0.05)
        assert not result.converged
        assert result.iterations < 15, "no step makes it better, so none is tried any more"


def test_joints_that_stay_give_way_by_their_weights(humanoid):
    """The hand arrives; joints that weigh more turn less, and one task is as good as one for each joint."""
    free = FreeJoints.of(humanoid, ARM)
    goal = pose_world(reachable(humanoid, free, 2)).positions[humanoid.index("leftHand")]
    hand = PointTask(joint="leftHand", target=goal, weight=100.0)
    rest, elbow = Pose.rest(humanoid), humanoid.index("leftLowerArm")
    turned = []
    for weights in (np.full(4, 0.1), np.where(np.array(free.joints) == elbow, 1.0, 0.1)):
        stay = StayTask(joints=free.joints, targets=rest.rotations[list(free.joints)], weights=weights)
        apart = [
            StayTask(joints=(j,), targets=rest.rotations[[j]], weights=np.array([w]))
            for j, w in zip(free.joints, weights, strict=True)
        ]
        whole, parts = (solve_tasks(rest, [hand, *some], free=free).pose for some in ([stay], apart))
        np.testing.assert_allclose(whole.rotations, parts.rotations, atol=1e-9)
        np.testing.assert_allclose(pose_world(whole).positions[humanoid.index("leftHand")], goal, atol=1e-3)
        turned.append(float(rot.angle_between(whole.rotations[elbow], rest.rotations[elbow])))
    assert turned[1] < 0.5 * turned[0]


def test_bad_inputs(humanoid):
    pose, free = Pose.rest(humanoid), FreeJoints.of(humanoid, ARM)
    task = PointTask(joint="leftHand", target=np.zeros(3))
    with pytest.raises(OptionError, match="at least one"):
        solve_tasks(pose, [], free=free)
    with pytest.raises(OptionError, match="at least one"):
        solve_tasks(pose, [task], free=FreeJoints.of(humanoid, []))
    with pytest.raises(SkeletonError, match="leftHand"):
        solve_tasks(pose, [PointTask(joint="leftHnd", target=np.zeros(3))], free=free)
    with pytest.raises(OptionError, match="finite"):
        solve_tasks(pose, [task], free=free, limit=lambda q: q * np.nan)
    with pytest.raises(OptionError, match="limit"):
        solve_tasks(pose, [task], free=free, limit=lambda q: q[:2])
    with pytest.raises(OptionError, match="target"):
        PointTask(joint=0, target=np.array([np.nan, 0, 0]))
    with pytest.raises(OptionError, match="weight"):
        PointTask(joint=0, target=np.zeros(3), weight=0.0)
    with pytest.raises(OptionError, match="axis"):
        GazeTask(joint=0, axis=np.zeros(3), target=np.zeros(3))
    with pytest.raises(OptionError, match="zero quaternion"):
        OrientationTask(joint=0, target=np.zeros(4))
    with pytest.raises(OptionError, match="max_iterations"):
        LeastSquaresOptions(max_iterations=0)
    with pytest.raises(OptionError, match="tolerance_m"):
        LeastSquaresOptions(tolerance_m=-1.0)
