import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy import rotations as rot
from understudy.core.human_limits import human_limits
from understudy.core.pose import Pose
from understudy.core.skeleton import Skeleton
from understudy.errors import OptionError, SkeletonError
from understudy.kinematics import limb_of, pose_world, solve_limbs, swivel_angle

ARM = ("base", "mid", "end")


def random_arm(seed, *, between=True):
    """root - torso - base - (twist bone) - mid - (twist bone) - end, bones and rest rotations in any direction."""
    rng = np.random.default_rng(seed)
    names = ["root", "torso", "base", "upper_twist", "mid", "lower_twist", "end"]
    if not between:
        names = ["root", "torso", "base", "mid", "end"]
    count = len(names)
    return Skeleton(
        names=tuple(names),
        parents=np.arange(count) - 1,
        offsets=rng.normal(scale=0.3, size=(count, 3)),
        rest_rotations=rot.normalize(rng.normal(size=(count, 4))),
    )


def random_hinge(skeleton, seed):
    rng = np.random.default_rng(seed + 1000)
    return rng.normal(size=3)


def posed(skeleton, solution, *, index=()):
    """The rest pose with a solution's rotations, random above the limb left alone."""
    pose = Pose.rest(skeleton)
    for name, turn in zip(ARM, (solution.base, solution.mid, solution.end), strict=True):
        pose = pose.with_rotation(name, turn[index])
    return pose


def parent_of(skeleton, pose, name="base"):
    world = pose_world(pose)
    parent = skeleton.parents[skeleton.index(name)]
    return world.positions[parent], world.rotations[parent]


def reachable_target(skeleton, limb, parent, seed, share=None):
    """A world target between the nearest and the farthest reach."""
    rng = np.random.default_rng(seed)
    near, far = limb.reach_m
    distance = near + (rng.uniform(0.0, 1.0) if share is None else share) * (far - near)
    direction = rng.normal(size=3)
    base = parent[0] + rot.rotate(parent[1], limb.base_offset)
    return base + distance * direction / np.linalg.norm(direction), rot.normalize(rng.normal(size=4))


def assert_pure_hinge(limb, mid):
    """``mid_zero^-1 mid`` turns about the hinge axis and nothing else."""
    turn = rot.relative(limb.mid_zero, mid)
    assert np.abs(np.cross(turn[..., 1:], limb.hinge)).max() < 1e-12


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.floats(-7.0, 7.0), st.booleans())
def test_forward_kinematics_hits_the_target(seed, swivel, between):
    skeleton = random_arm(seed, between=between)
    limb = limb_of(skeleton, *ARM, hinge=random_hinge(skeleton, seed))
    parent = parent_of(skeleton, Pose.rest(skeleton))
    place, turn = reachable_target(skeleton, limb, parent, seed)
    solution = solve_limbs(limb, *parent, place, turn, swivel_rad=swivel)
    world = pose_world(posed(skeleton, solution))
    end = skeleton.index("end")
    np.testing.assert_allclose(world.positions[end], place, atol=1e-9)
    assert rot.angle_between(world.rotations[end], turn) < 1e-9
    assert solution.reached and solution.error_m < 1e-9
    assert_pure_hinge(limb, solution.mid)
    read = swivel_angle(limb, solution.base, solution.mid)
    assert np.cos(read - swivel) == pytest.approx(1.0, abs=1e-9)


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.floats(-3.0, 3.0))
def test_every_reachable_hinge_pose_is_found_again(seed, swing):
    """Solving for where a flexed limb already is, at its own swivel, gives the same rotations back."""
    skeleton = random_arm(seed)
    limb = limb_of(skeleton, *ARM, hinge=random_hinge(skeleton, seed))
    rng = np.random.default_rng(seed)
    straight = solve_limbs(limb, np.zeros(3), rot.identity(), [1e3, 0, 0], rot.identity()).mid
    flexion = rng.uniform(0.01, np.pi - 0.01)
    mid = rot.multiply(straight, rot.from_axis_angle(limb.hinge, flexion))
    base = rot.multiply(rot.normalize(rng.normal(size=4)), rot.exp([swing, 0, 0]))
    pose = Pose.rest(skeleton).with_rotation("base", base).with_rotation("mid", mid)
    world, end = pose_world(pose), skeleton.index("end")
    parent = parent_of(skeleton, pose)
    solution = solve_limbs(
        limb, *parent, world.positions[end], world.rotations[end], swivel_rad=swivel_angle(limb, base, mid)
    )
    assert solution.flexion_rad == pytest.approx(flexion, abs=1e-6)
    assert rot.angle_between(solution.base, base) < 1e-6
    assert rot.angle_between(solution.mid, mid) < 1e-6
    assert rot.angle_between(solution.end, pose.rotations[end]) < 1e-6


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.floats(1.0, 50.0))
def test_targets_out_of_reach_are_approached(seed, factor):
    skeleton = random_arm(seed)
    limb = limb_of(skeleton, *ARM, hinge=random_hinge(skeleton, seed))
    parent = parent_of(skeleton, Pose.rest(skeleton))
    base = parent[0] + rot.rotate(parent[1], limb.base_offset)
    near, far = limb.reach_m
    inside, turn = reachable_target(skeleton, limb, parent, seed, share=1.0)
    for distance, limit in ((factor * far + 1e-3, far), (near / factor - 1e-3, near)):
        if distance <= 0.0:
            continue
        place = base + (inside - base) / far * distance
        solution = solve_limbs(limb, *parent, place, turn)
        world, end = pose_world(posed(skeleton, solution)), skeleton.index("end")
        assert not solution.reached
        assert solution.error_m == pytest.approx(abs(distance - limit), abs=1e-9)
        assert np.linalg.norm(world.positions[end] - place) == pytest.approx(float(solution.error_m), abs=1e-9)
        assert rot.angle_between(world.rotations[end], turn) < 1e-9


@pytest.mark.parametrize("limb_name", ["Arm", "Leg"])
def test_degenerate_targets_give_numbers(humanoid, limb_name):
    """Target on the shoulder, straight along and opposite the reference, at and around full extension."""
    names = ("leftUpperArm", "leftLowerArm", "leftHand") if limb_name == "Arm" else (
        "leftUpperLeg", "leftLowerLeg", "leftFoot")  # fmt: skip
    limb = limb_of(humanoid, *names)
    parent = parent_of(humanoid, Pose.rest(humanoid), names[0])
    base = parent[0] + rot.rotate(parent[1], limb.base_offset)
    near, far = limb.reach_m
    directions = [*np.eye(3), *-np.eye(3), limb.reference_axis, -limb.reference_axis, limb.reference_bend]
    for direction in directions:
        for distance in (0.0, 1e-300, 1e-12, near, near + 1e-12, 0.3, far - 1e-12, far, far + 1e-12, 1e6):
            for swivel in (0.0, np.pi, -np.pi / 2):
                place = base + distance * direction
                solution = solve_limbs(limb, *parent, place, rot.identity(), swivel_rad=swivel)
                for turn in (solution.base, solution.mid, solution.end):
                    assert np.linalg.norm(turn) == pytest.approx(1.0, abs=1e-12)
                pose = Pose.rest(humanoid)
                for name, turn in zip(names, (solution.base, solution.mid, solution.end), strict=True):
                    pose = pose.with_rotation(name, turn)
                error = np.linalg.norm(pose_world(pose).positions[humanoid.index(names[2])] - place)
                assert error == pytest.approx(float(solution.error_m), abs=1e-9)
                assert_pure_hinge(limb, solution.mid)


def test_zero_length_geometry_never_gives_nan(humanoid):
    """Even a limb put together by hand from nonsense yields unit quaternions."""
    from dataclasses import replace

    limb = limb_of(humanoid, "leftUpperArm", "leftLowerArm", "leftHand")
    nothing = np.zeros(3)
    for change in (
        {"upper_offset": nothing},
        {"lower_offset": nothing},
        {"upper_offset": nothing, "lower_offset": nothing},
        {"hinge": np.array([1.0, 0.0, 0.0])},
    ):
        for place in (nothing, [0.1, 0.2, 0.3], [9.0, 0.0, 0.0]):
            solution = solve_limbs(replace(limb, **change), nothing, rot.identity(), place, rot.identity())
            for turn in (solution.base, solution.mid, solution.end):
                assert np.linalg.norm(turn) == pytest.approx(1.0, abs=1e-12)


def test_humanoid_knees_bend_back_and_elbows_forward(humanoid):
    for side in ("left", "right"):
        leg = limb_of(humanoid, f"{side}UpperLeg", f"{side}LowerLeg", f"{side}Foot")
        np.testing.assert_allclose(leg.reference_bend, [0, 0, 1], atol=1e-12)
        np.testing.assert_allclose(leg.reference_axis, [0, -1, 0], atol=1e-12)
        arm = limb_of(humanoid, f"{side}UpperArm", f"{side}LowerArm", f"{side}Hand")
        assert arm.reference_bend[2] < -0.5  # the elbow points back, so the hand comes forward
        assert arm.reference_bend[0] == pytest.approx(0.0, abs=1e-12)
        limits = human_limits(humanoid)
        same = limb_of(humanoid, f"{side}UpperArm", f"{side}LowerArm", f"{side}Hand", limits=limits)
        np.testing.assert_allclose(same.hinge, arm.hinge, atol=1e-12)


def test_squatting_keeps_limits_of_the_knee(humanoid):
    """A foot lifted straight up under the hip: the knee flexes forward and stays within a human's limits."""
    names = ("leftUpperLeg", "leftLowerLeg", "leftFoot")
    limb = limb_of(humanoid, *names)
    pose = Pose.rest(humanoid)
    parent = parent_of(humanoid, pose, names[0])
    for lift in (0.05, 0.2, 0.4):
        foot = pose_world(Pose.rest(humanoid)).positions[humanoid.index("leftFoot")] + [0, lift, 0]
        solution = solve_limbs(limb, *parent, foot, rot.identity())
        for name, turn in zip(names, (solution.base, solution.mid, solution.end), strict=True):
            pose = pose.with_rotation(name, turn)
        knee = pose_world(pose).positions[humanoid.index("leftLowerLeg")]
        assert knee[2] > 0.05
        assert human_limits(humanoid).excess(pose.rotations)[humanoid.index("leftLowerLeg")] == 0.0


@pytest.mark.parametrize("seed", range(3))
def test_batches_equal_single_solves_and_broadcast(seed):
    skeleton = random_arm(seed)
    limb = limb_of(skeleton, *ARM, hinge=random_hinge(skeleton, seed))
    rng = np.random.default_rng(seed)
    count = 20
    parents = rng.normal(size=(count, 3)), rot.normalize(rng.normal(size=(count, 4)))
    targets = rng.normal(scale=0.5, size=(count, 3)), rot.normalize(rng.normal(size=(count, 4)))
    swivels = rng.uniform(-3, 3, count)
    many = solve_limbs(limb, *parents, *targets, swivel_rad=swivels)
    for i in range(count):
        one = solve_limbs(limb, parents[0][i], parents[1][i], targets[0][i], targets[1][i], swivel_rad=swivels[i])
        for field in ("base", "mid", "end", "reached", "error_m", "flexion_rad"):
            np.testing.assert_array_equal(getattr(many, field)[i], getattr(one, field))
    grid = solve_limbs(limb, parents[0][0], parents[1][0], targets[0][:5, None], targets[1][0], swivel_rad=swivels)
    assert grid.base.shape == (5, count, 4) and grid.reached.shape == (5, count)
    empty = solve_limbs(limb, np.zeros((0, 3)), rot.identity(), np.zeros(3), rot.identity())
    assert empty.base.shape == (0, 4)


@pytest.mark.parametrize("seed", range(6))
def test_smooth_targets_give_smooth_limbs(seed):
    """Along a smooth path within reach, finer sampling makes steps smaller in proportion."""
    skeleton = random_arm(seed)
    limb = limb_of(skeleton, *ARM, hinge=random_hinge(skeleton, seed))
    near, far = limb.reach_m
    rng = np.random.default_rng(seed)
    wobble = rng.normal(size=(2, 3))

    def largest_step(count):
        t = np.linspace(0.0, 1.0, count)[:, None]
        # The path stays in the half space ahead of the reference direction, off the one singular direction.
        path = limb.reference_axis + 0.4 * np.sin(2 * np.pi * t) * wobble[0] + 0.3 * np.cos(5 * t) * wobble[1]
        path += np.maximum(0.0, 0.3 - path @ limb.reference_axis)[:, None] * limb.reference_axis
        distance = near + (far - near) * (0.5 + 0.45 * np.sin(9 * t))
        path = limb.base_offset + distance * path / np.linalg.norm(path, axis=1, keepdims=True)
        turns = rot.exp(t * rng_axis)
        solution = solve_limbs(limb, np.zeros(3), rot.identity(), path, turns, swivel_rad=np.sin(3 * t[:, 0]))
        return max(rot.angle_between(q[1:], q[:-1]).max() for q in (solution.base, solution.mid, solution.end))

    rng_axis = rng.normal(size=3)
    coarse, fine = largest_step(2001), largest_step(8001)
    assert coarse < 0.2
    assert fine < 0.3 * coarse


def test_swivel_is_continuous_through_a_straight_limb(humanoid):
    names = ("leftUpperLeg", "leftLowerLeg", "leftFoot")
    limb = limb_of(humanoid, *names)
    base = rot.exp([0.3, 0.2, -0.1])
    flexions = np.linspace(0.2, -0.2, 401)  # from flexed to bent backwards
    mids = rot.multiply(limb.mid_zero, rot.from_axis_angle(limb.hinge, flexions))
    swivels = swivel_angle(limb, np.broadcast_to(base, (401, 4)), mids)
    assert np.abs(np.diff(swivels)).max() < 1e-3
    assert swivel_angle(limb, rot.identity(), limb.mid_zero) == pytest.approx(0.0, abs=1e-12)


def test_kernel_steps_agree_with_numpy_twins():
    from understudy.kinematics._limb_kernels import carried_direction, frame_quaternion
    from understudy.kinematics.limb_ik import carried

    rng = np.random.default_rng(0)
    for i in range(200):
        q = rot.normalize(rng.normal(size=4)) if i % 4 else np.eye(4)[(i // 4) % 4]
        x, y, _ = rot.to_matrix(q).T
        ours = np.array(frame_quaternion(*x, *y))
        assert rot.angle_between(ours, q) < 1e-9
        to = rng.normal(size=3) if i % 5 else -x + 10.0 ** -rng.integers(1, 12) * rng.normal(size=3)
        to /= np.linalg.norm(to)
        moved = np.array(carried_direction(*x, *y, *to))
        np.testing.assert_allclose(moved, carried(x, y, to), atol=1e-9)
        np.testing.assert_allclose(moved, rot.rotate(rot.shortest_arc(x, to), y), atol=1e-4 if i % 5 == 0 else 1e-9)
    np.testing.assert_allclose(carried_direction(*x, *y, *-x), y, atol=1e-12)


def test_what_is_no_limb_is_refused(humanoid):
    arm = ("leftUpperArm", "leftLowerArm", "leftHand")
    with pytest.raises(SkeletonError, match="descend"):
        limb_of(humanoid, "leftUpperArm", "rightLowerArm", "leftHand")
    with pytest.raises(SkeletonError, match="root"):
        limb_of(humanoid, "hips", "leftUpperLeg", "leftLowerLeg")
    with pytest.raises(SkeletonError, match="different"):
        limb_of(humanoid, "leftUpperArm", "leftUpperArm", "leftHand")
    with pytest.raises(SkeletonError, match="hinge or flexes_toward"):
        limb_of(humanoid.with_humanoid({}), *arm)
    with pytest.raises(OptionError, match="parallel"):
        limb_of(humanoid, *arm, hinge=[1.0, 0.0, 0.0])
    with pytest.raises(OptionError, match="direction"):
        limb_of(humanoid, *arm, hinge=[0.0, 0.0, 0.0])
    with pytest.raises(OptionError, match="direction"):
        limb_of(humanoid, *arm, flexes_toward=[1.0, 0.0, 0.0])
    straight = limb_of(humanoid.with_humanoid({}), *arm, flexes_toward=[0.0, 0.0, 1.0])
    np.testing.assert_allclose(straight.reference_bend, [0, 0, -1], atol=1e-12)
    with pytest.raises(OptionError, match="finite"):
        solve_limbs(straight, np.zeros(3), rot.identity(), [np.nan, 0, 0], rot.identity())
    huge = solve_limbs(straight, np.zeros(3), rot.identity(), [1e200, -1e250, 1e180], rot.identity())
    assert np.isfinite(huge.base).all() and not huge.reached
    with pytest.raises(OptionError, match="finite"):
        solve_limbs(straight, [-1.7e308, 0, 0], rot.identity(), [1.7e308, 0, 0], rot.identity())
    with pytest.raises(OptionError, match="fit"):
        solve_limbs(straight, np.zeros((2, 3)), rot.identity(), np.zeros((3, 3)), rot.identity())
    with pytest.raises(OptionError, match="zero quaternion"):
        solve_limbs(straight, np.zeros(3), np.zeros(4), np.zeros(3), rot.identity())
