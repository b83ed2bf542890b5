"""Postures: free of self collision by a brute-force measure, within limits, on the floor, on any proportions."""

from dataclasses import replace

import numpy as np
import pytest

import understudy
from understudy import rotations as rot
from understudy.core import fit_body
from understudy.core.humanoid import mirrored_role
from understudy.core.motion import from_poses
from understudy.errors import OptionError
from understudy.kinematics import FreeJoints, integrate, pose_world
from understudy.performer import Person, posture, posture_about, posture_names
from understudy.performer.posture_solver import grounded
from understudy.performer.posture_tasks import Balance, KeepApart, Meet, Touch
from understudy.performer.postures import mirrored_pose, recipes, solved_posture

NAMES = posture_names()
#: Pairs the body itself leaves out because neighbours overlap, though opposite sides may not.
OPPOSITE = [("left_forearm", "right_hand"), ("right_forearm", "left_hand"), ("left_thigh", "right_thigh")]


def placed_capsules(body, pose):
    """Ends of all capsules by the plain definition of forward kinematics."""
    positions, turns = pose.skeleton.placed_joints(pose.root_position, pose.rotations)
    at, turn = positions[body.capsule_joints], turns[body.capsule_joints]
    return at + rot.rotate(turn, body.capsule_starts), at + rot.rotate(turn, body.capsule_ends)


def brute_gap(starts, ends, radii, i, j, samples=201):
    """Distance of two capsules: many points on one axis, each projected on the other."""
    u = np.linspace(0.0, 1.0, samples)[:, None]
    points = starts[i] + u * (ends[i] - starts[i])
    bone = ends[j] - starts[j]
    share = np.clip((points - starts[j]) @ bone / max(bone @ bone, 1e-18), 0.0, 1.0)[:, None]
    return np.linalg.norm(points - starts[j] - share * bone, axis=1).min() - radii[i] - radii[j]


def least_gap(body, pose):
    starts, ends = placed_capsules(body, pose)
    extra = [tuple(body.capsule(name) for name in pair) for pair in OPPOSITE]
    pairs = [tuple(int(c) for c in pair) for pair in body.self_pairs] + extra
    return min(brute_gap(starts, ends, body.capsule_radii, i, j) for i, j in pairs)


@pytest.mark.parametrize("name", NAMES)
def test_every_posture_is_free_within_limits_and_on_the_floor(name):
    pose = posture(name)
    body = fit_body(pose.skeleton)
    assert least_gap(body, pose) >= 0.002
    assert body.limits.excess(pose.rotations).max() <= 1e-9
    starts, ends = placed_capsules(body, pose)
    assert abs((np.minimum(starts[:, 1], ends[:, 1]) - body.capsule_radii).min()) < 1e-9
    assert posture_about(name)


@pytest.mark.parametrize("name", NAMES)
def test_every_posture_held_still_stands_before_the_judge(name):
    """On solid ground at y = 0; whoever lies or does a flare has no feet the ground could be told from."""
    held = from_poses([posture(name)] * 5, fps=30.0)
    report = understudy.verify(held, floor=True)
    assert report.ok, report.broken


@pytest.mark.parametrize("person", [Person(stature_m=1.2), Person(stature_m=1.95, leg_share=0.55, arm_share=0.34)])
@pytest.mark.parametrize("name", ["arms_folded", "legs_crossed_mirror", "squat", "hug_knees"])
def test_postures_fit_other_proportions(name, person):
    pose = posture(name, person=person)
    body = fit_body(pose.skeleton)
    assert least_gap(body, pose) >= 0.002
    assert body.limits.excess(pose.rotations).max() <= 1e-9


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith("_mirror")] + ["flare_right"])
def test_mirrored_postures_are_mirror_images(name):
    other = posture("flare_left" if name == "flare_right" else name.removesuffix("_mirror"))
    positions, _ = posture(name).world()
    seen, _ = other.world()
    for role, joint in other.skeleton.humanoid.items():
        partner = other.skeleton.humanoid[mirrored_role(role)]
        assert np.allclose(positions[partner] * [-1.0, 1.0, 1.0], seen[joint], atol=1e-5)
    again, _ = mirrored_pose(mirrored_pose(other)).world()
    assert np.allclose(again, seen, atol=1e-12)


def test_crossings_lie_the_way_they_are_named():
    body = fit_body(Person().skeleton())

    def middle(pose, name):
        starts, ends = placed_capsules(body, pose)
        return 0.5 * (starts + ends)[body.capsule(name)]

    folded, crossed = posture("arms_folded"), posture("legs_crossed")
    assert middle(folded, "left_forearm")[2] > middle(folded, "right_forearm")[2] + 0.03
    knee = crossed.world()[0]
    at = crossed.skeleton.humanoid
    assert knee[at["leftLowerLeg"]][1] > knee[at["rightLowerLeg"]][1] + 0.05
    assert knee[at["leftFoot"]][0] < knee[at["rightLowerLeg"]][0]
    behind = posture("hands_behind_back").world()[0]
    assert max(behind[at["leftHand"]][2], behind[at["rightHand"]][2]) < behind[at["spine"]][2] - 0.08


@pytest.mark.parametrize("name", ["relaxed", "squat", "eagle"])
def test_standing_postures_balance(name):
    pose = posture(name)
    body = fit_body(pose.skeleton)
    positions, turns = pose.skeleton.placed_joints(pose.root_position, pose.rotations)
    centres = positions + rot.rotate(turns, body.coms)
    centre = (body.masses @ centres / body.masses.sum())[[0, 2]]
    feet = positions[[pose.skeleton.humanoid[role] for role in recipes()[name].balance]].mean(axis=0)[[0, 2]]
    assert np.linalg.norm(centre - feet) < 0.02


def test_solving_a_recipe_again_gives_the_stored_posture():
    again, gap = solved_posture("squat", Person().skeleton())
    assert gap >= 0.002
    assert np.allclose(again.world()[0], posture("squat").world()[0], atol=1e-4)


def test_an_unknown_posture_names_the_nearest():
    with pytest.raises(OptionError, match="arms_folded"):
        posture("arm_folded")


@pytest.mark.parametrize("kind", ["apart", "touch", "meet", "balance"])
def test_task_jacobians_equal_finite_differences(kind):
    skeleton = Person().skeleton()
    body = fit_body(skeleton)
    pose = posture("arms_folded")
    pair = (body.capsule("left_hand"), body.capsule("right_thigh"))
    task = {
        "apart": KeepApart(body=body, pair=pair, gap_m=2.0),
        "touch": Touch(body=body, pair=pair, gap_m=0.0),
        "meet": Meet(joints=(9, 4), points=np.array([[0.05, 0.0, 0.01], [0.0, 0.1, 0.0]])),
        "balance": Balance(body=body, joints=(12, 13, 20)),
    }[kind]
    free = FreeJoints(skeleton=skeleton, joints=tuple(range(1, len(skeleton))))
    given = task.jacobian(pose_world(pose), free)
    rng, size = np.random.default_rng(0), 1e-6
    for _ in range(8):
        step = rng.standard_normal(free.size)
        ends = [task.error(skeleton, pose_world(integrate(pose, free.expand(s * step)))) for s in (size, -size)]
        # A pushed pair's error turns with its normal as well; what least squares needs is its length.
        slope = (np.linalg.norm(ends[0]) - np.linalg.norm(ends[1])) / (2 * size)
        here = task.error(skeleton, pose_world(pose))
        assert slope == pytest.approx(here @ (given @ step) / np.linalg.norm(here), abs=2e-5)


@pytest.mark.parametrize("name", ["lying", "contortion_1", "contortion_2", "contortion_3", "contortion", "hug_knees"])
def test_postures_on_the_floor_rest_there(name):
    """Rolled a little either way, the centre of mass rises."""
    pose = posture(name)
    body = fit_body(pose.skeleton)
    heights = []
    for roll in (-0.01, 0.0, 0.01):
        rotations = pose.rotations.copy()
        rotations[0] = rot.multiply(rot.from_axis_angle([1.0, 0.0, 0.0], roll), rotations[0])
        rolled = grounded(replace(pose, rotations=rotations), body)
        positions, turns = pose.skeleton.placed_joints(rolled.root_position, rolled.rotations)
        heights.append(float(body.masses @ (positions + rot.rotate(turns, body.coms))[:, 1] / body.masses.sum()))
    assert min(heights[0], heights[2]) > heights[1]
