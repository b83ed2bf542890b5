from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from people import person, random_frames, wander, with_joint_frames, with_rest_pose
from understudy import rotations as rot
from understudy.core import Skeleton, fit_body, stature_m
from understudy.core.anthropometry import segments
from understudy.core.hinges import hinge_axes
from understudy.core.human_limits import default_limit, human_limits
from understudy.core.limits import JointLimits, Limit, LimitKind
from understudy.core.mirror import mirror_joints
from understudy.core.reference_pose import anatomical_rotations, local_rotations, t_pose, t_pose_world
from understudy.core.segments import segment_distance
from understudy.errors import SkeletonError


def a_pose(skeleton: Skeleton) -> Skeleton:
    down = np.radians(50.0)
    about_z = np.array([0.0, 0.0, 1.0])
    return with_rest_pose(
        skeleton,
        {
            "leftUpperArm": rot.from_axis_angle(about_z, -down),
            "rightUpperArm": rot.from_axis_angle(about_z, down),
            "leftUpperLeg": rot.from_axis_angle(about_z, 0.2),
            "rightUpperLeg": rot.from_axis_angle(about_z, -0.2),
        },
    )


@settings(max_examples=25)
@given(st.integers(0, 1000), st.floats(-3.0, 3.0))
def test_every_rig_of_a_person_has_the_same_t_pose(seed: int, facing: float) -> None:
    plain = person()
    turned = with_rest_pose(a_pose(plain), {}, root_turn=rot.from_yaw(facing))
    rig = with_joint_frames(turned, random_frames(turned, seed))
    # Feet splayed with the legs are pitched a little less than flat ones; everything else is exact.
    feet = [plain.index(role) for role in ("leftToes", "rightToes")]
    ours, theirs = t_pose_world(rig)[0], t_pose_world(plain)[0]
    assert np.allclose(np.delete(ours, feet, axis=0), np.delete(theirs, feet, axis=0), atol=1e-9)
    assert np.allclose(ours[feet], theirs[feet], atol=2e-3)


def test_t_pose_of_a_rig_lying_on_its_back_stands_up() -> None:
    lying = with_rest_pose(person(), {}, root_turn=rot.from_axis_angle(np.array([1.0, 0, 0]), -np.pi / 2))
    # The head sits 2 cm ahead of the hips, so "up along the spine" is known to two degrees.
    assert np.allclose(t_pose_world(lying)[0], t_pose_world(person())[0], atol=0.04)


def test_t_pose_needs_roles() -> None:
    with pytest.raises(SkeletonError, match="humanoid roles"):
        t_pose(person().with_humanoid({}))


@settings(max_examples=25)
@given(st.integers(0, 1000))
def test_anatomical_coordinates_invert_and_ignore_joint_frames(seed: int) -> None:
    plain = person()
    rig = with_joint_frames(a_pose(plain), random_frames(plain, seed))
    motion = wander(rig, frames=3, seed=seed)
    turned = anatomical_rotations(rig, motion.rotations)
    assert rot.angle_between(local_rotations(rig, turned), motion.rotations).max() < 1e-7
    # Posing the plain rig with the same anatomical rotations puts its bones in the same directions.
    same = local_rotations(plain, turned)
    ours = rig.placed_joints(np.zeros(3), motion.rotations[0])[0]
    theirs = plain.placed_joints(np.zeros(3), same[0])[0]
    for role in ("leftHand", "rightFoot", "leftLowerLeg"):
        parent = plain.parents[plain.index(role)]
        assert np.allclose(ours[rig.index(role)] - ours[parent], theirs[plain.index(role)] - theirs[parent], atol=1e-9)


def test_body_masses_add_up_and_are_physical() -> None:
    assert sum(segment.mass_share for segment in segments()) == pytest.approx(1.0)
    body = fit_body(person())
    assert 40.0 < body.mass_kg < 90.0
    for joint in np.flatnonzero(body.masses):
        moments = np.linalg.eigvalsh(body.inertias[joint])
        assert np.allclose(body.inertias[joint], body.inertias[joint].T)
        assert moments.min() > 0
        assert moments[2] <= moments[0] + moments[1] + 1e-12  # triangle inequality of any rigid body


@settings(max_examples=25)
@given(st.floats(0.5, 1.5))
def test_body_scales_with_the_person(scale: float) -> None:
    plain, other = fit_body(person()), fit_body(person(scale))
    # Ball height over the floor is an absolute 2.5 cm, so stature is affine, not linear, in scale.
    assert other.stature_m == pytest.approx(scale * plain.stature_m, rel=0.03)
    ratio = other.stature_m / plain.stature_m
    assert np.allclose(other.capsule_radii, ratio * plain.capsule_radii)


@settings(max_examples=25)
@given(st.integers(0, 1000))
def test_body_does_not_depend_on_joint_frames(seed: int) -> None:
    plain = person()
    rig = with_joint_frames(plain, random_frames(plain, seed))
    ours, theirs = fit_body(plain), fit_body(rig)
    for a, b in zip(ours.capsule_segments(*plain.rest_world), theirs.capsule_segments(*rig.rest_world), strict=True):
        assert np.allclose(a, b, atol=1e-9)
    turn = rot.to_matrix(rig.rest_world[1])
    assert np.allclose(turn @ theirs.inertias @ np.swapaxes(turn, -1, -2), ours.inertias, atol=1e-9)


def test_body_is_symmetric_and_stands_on_its_soles() -> None:
    body = fit_body(person())
    starts, ends = body.capsule_segments(*body.skeleton.rest_world)
    for name in body.capsule_names:
        if name.startswith("left_"):
            left, right = body.capsule(name), body.capsule(name.replace("left_", "right_"))
            assert np.allclose(starts[left] * [-1, 1, 1], starts[right])
            assert np.allclose(ends[left] * [-1, 1, 1], ends[right])
    low = np.minimum(starts[:, 1], ends[:, 1]) - body.capsule_radii
    feet = [body.capsule(f"{side}_{part}") for side in ("left", "right") for part in ("foot", "toes")]
    assert np.ptp(low[feet]) < 1e-9
    assert low.min() == pytest.approx(low[feet].min())


def test_self_pairs_are_free_in_the_t_pose_and_catch_a_hand_in_the_chest() -> None:
    body = fit_body(person())
    skeleton = body.skeleton
    starts, ends = body.capsule_segments(*skeleton.rest_world)

    def gap(pair: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> float:
        i, j = pair
        between = segment_distance(starts[i], ends[i], starts[j], ends[j])
        return between - body.capsule_radii[i] - body.capsule_radii[j]

    assert all(gap(pair, starts, ends) > 0 for pair in body.self_pairs)
    folded = skeleton.rest_rotations.copy()
    folded[skeleton.index("leftLowerArm")] = rot.from_yaw(-np.pi)
    starts, ends = body.capsule_segments(*skeleton.placed_joints(np.zeros(3), folded))
    hit = {body.capsule_names[k] for pair in body.self_pairs if gap(pair, starts, ends) < 0 for k in pair}
    assert "left_hand" in hit


@given(st.lists(st.floats(-1, 1), min_size=12, max_size=12))
def test_segment_distance_is_never_beaten_by_sampling(values: list[float]) -> None:
    a, b, c, d = np.array(values).reshape(4, 3)
    s, t = np.meshgrid(np.linspace(0, 1, 60), np.linspace(0, 1, 60))
    p = a + s[..., None] * (b - a)
    q = c + t[..., None] * (d - c)
    sampled = np.linalg.norm(p - q, axis=-1).min()
    exact = segment_distance(a, b, c, d)
    assert exact <= sampled + 1e-9
    assert sampled - exact < 0.06 * (np.linalg.norm(b - a) + np.linalg.norm(d - c)) + 1e-9


def test_a_spider_gets_thin_bones() -> None:
    spider = Skeleton(
        names=("body", *(f"leg{i}" for i in range(8))),
        parents=np.array([-1] + [0] * 8),
        offsets=np.vstack([np.zeros(3), np.random.default_rng(0).normal(size=(8, 3))]),
    )
    body = fit_body(spider)
    assert len(body.capsule_names) == 8
    assert body.limbs == {}
    assert body.limits.excess(rot.identity((9,))).max() == 0.0


def test_stature_of_the_test_person() -> None:
    assert 1.5 < stature_m(person()) < 1.9


LIMITED = [role for role in person().humanoid if default_limit(role) is not None]


@given(st.integers(0, 100_000))
def test_coordinates_invert_and_clamping_lands_inside(seed: int) -> None:
    skeleton = person()
    limits = human_limits(skeleton)
    rotations = rot.normalize(np.random.default_rng(seed).normal(size=(len(skeleton), 4)))
    again = limits.rotations(limits.coordinates(rotations))
    assert rot.angle_between(again, rotations).max() < 1e-6
    clamped = limits.clamped(rotations)
    assert limits.excess(clamped).max() < 1e-7
    inside = limits.excess(rotations) == 0.0
    assert np.array_equal(clamped[inside], rotations[inside])


def test_the_t_pose_and_ordinary_flexions_are_inside() -> None:
    skeleton = person()
    limits = human_limits(skeleton)
    assert limits.excess(t_pose(skeleton)).max() == 0.0
    x = np.array([1.0, 0.0, 0.0])
    cases = {
        "leftLowerLeg": (rot.from_axis_angle(x, np.radians(90)), rot.from_axis_angle(x, np.radians(-30))),
        "rightLowerLeg": (rot.from_axis_angle(x, np.radians(90)), rot.from_axis_angle(x, np.radians(-30))),
        "leftUpperLeg": (rot.from_axis_angle(x, np.radians(-100)), rot.from_axis_angle(x, np.radians(100))),
        "leftUpperArm": (rot.from_yaw(np.radians(-90)), rot.from_yaw(np.radians(150))),
        "rightUpperArm": (rot.from_yaw(np.radians(90)), rot.from_yaw(np.radians(-150))),
        "head": (rot.from_yaw(np.radians(60)), rot.from_yaw(np.radians(120))),
    }
    for role, (allowed, forbidden) in cases.items():
        pose = skeleton.rest_rotations.copy()
        pose[skeleton.index(role)] = allowed
        assert limits.excess(pose)[skeleton.index(role)] == 0.0, role
        pose[skeleton.index(role)] = forbidden
        assert limits.excess(pose)[skeleton.index(role)] > np.radians(5.0), role


@pytest.mark.parametrize("kind", [LimitKind.AXES, LimitKind.ELLIPSE])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_excess_is_the_angle_beyond_the_bound(kind: LimitKind, axis: int) -> None:
    skeleton = person()
    joint = skeleton.index("head")
    bound = np.radians(30.0)
    limit = Limit(kind=kind, twist_axis=(0, 1, 0), swing_axis=(1, 0, 0), low_rad=(-bound,) * 3, high_rad=(bound,) * 3)
    limits = JointLimits.of(skeleton, {joint: limit})
    vector = np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]])[axis]
    pose = skeleton.rest_rotations.copy()
    pose[joint] = rot.from_axis_angle(vector, bound + np.radians(0.5))
    assert limits.excess(pose)[joint] == pytest.approx(np.radians(0.5), abs=1e-9)
    assert limits.coordinates(pose)[joint, axis] == pytest.approx(bound + np.radians(0.5))


@settings(max_examples=25)
@given(st.integers(0, 1000))
def test_limits_are_mirror_images(seed: int) -> None:
    skeleton = person()
    limits = human_limits(skeleton)
    rotations = rot.normalize(np.random.default_rng(seed).normal(size=(len(skeleton), 4)))
    excess = limits.excess(rotations)
    flipped = rotations * np.array([1.0, 1.0, -1.0, -1.0])
    swap = mirror_joints(skeleton)
    sides = [skeleton.index(role) for role in LIMITED if role.startswith(("left", "right"))]
    assert np.allclose(limits.excess(flipped[swap])[swap][sides], excess[sides], atol=1e-9)


@pytest.mark.parametrize(
    "change",
    [{"twist_axis": (0, 2, 0)}, {"swing_axis": (0, 1, 0)}, {"low_rad": (1.0, 0.0, 0.0), "high_rad": (0.0, 0.0, 0.0)}],
)
def test_malformed_limits_are_refused(change: dict) -> None:
    whole = {
        "kind": LimitKind.AXES,
        "twist_axis": (0, 1, 0),
        "swing_axis": (1, 0, 0),
        "low_rad": (0, 0, 0),
        "high_rad": (1, 1, 1),
    }
    with pytest.raises(SkeletonError):
        Limit(**{**whole, **change})


def test_hinges_are_found_from_motion_and_used() -> None:
    skeleton = person()
    motion = wander(skeleton, frames=40)
    axis = np.array([0.0, -np.cos(2.0), np.sin(2.0)])
    rotations = motion.rotations.copy()
    angle = np.linspace(0.1, 2.0, 40)[:, None]
    rotations[:, skeleton.index("leftLowerArm")] = rot.exp(angle * axis)
    hinged = type(motion)(skeleton=skeleton, fps=30, root_positions=motion.root_positions, rotations=rotations)
    found = hinge_axes([hinged])
    assert set(found) == {"leftLowerArm"}  # the other elbows and knees turn about everything
    assert np.allclose(found["leftLowerArm"], axis, atol=1e-6)
    body = fit_body(skeleton, clips=[hinged])
    joint = skeleton.index("leftLowerArm")
    assert body.limits.excess(hinged.rotations)[:, joint].max() == 0.0
    assert human_limits(skeleton).excess(hinged.rotations)[:, joint].max() > 0.0


def test_parts_of_opposite_sides_are_tested_against_each_other() -> None:
    body = fit_body(person())
    pairs = {frozenset((body.capsule_names[i], body.capsule_names[j])) for i, j in body.self_pairs}
    for left in ("forearm", "hand", "thigh", "shank", "foot", "toes"):
        for right in ("forearm", "hand", "thigh", "shank", "foot", "toes"):
            assert frozenset((f"left_{left}", f"right_{right}")) in pairs, (left, right)
    assert frozenset(("left_forearm", "left_hand")) not in pairs
    assert frozenset(("left_shoulder", "right_shoulder")) not in pairs


def test_a_toe_joint_under_the_heel_does_not_make_the_foot_short() -> None:
    skeleton = person()
    offsets = skeleton.offsets.copy()
    for side in ("left", "right"):
        offsets[skeleton.index(f"{side}Toes"), 2] = 0.03
    body, usual = fit_body(replace(skeleton, offsets=offsets)), fit_body(skeleton)
    for name in ("left_foot", "right_foot"):
        lengths = [
            np.linalg.norm(one.capsule_ends[one.capsule(name)] - one.capsule_starts[one.capsule(name)])
            for one in (body, usual)
        ]
        assert lengths[0] > 0.9 * lengths[1]
