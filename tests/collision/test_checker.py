"""Bodies in worlds: the kernels against the plain definition, limb against whole, masks, moving things."""

from __future__ import annotations

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.collision import Carried, Checker, CollisionBody, Obstacle, Track, World
from understudy.collision._shape_kernels import solid_signed
from understudy.core.segments import segment_distance
from understudy.errors import MotionError, OptionError, SceneError, SkeletonError
from understudy.scene.shapes import Box, Capsule, HalfSpace, Sphere


def plain_distances(checker: Checker, local: np.ndarray, root: np.ndarray, t: float = 0.0) -> tuple[float, float]:
    """Nearest in the world and of itself by loops over everything, with plain forward kinematics."""
    body = checker.body.body
    starts, ends = body.capsule_segments(*body.skeleton.placed_joints(root, local))
    rows = checker.world.at(t)
    world = min(
        solid_signed(checker.world.solids, rows, i, *starts[c], *ends[c])[0] - body.capsule_radii[c]
        for c in range(len(starts))
        for i in range(len(checker.world))
        if checker.touchable[c, i]
    )
    own = min(
        segment_distance(starts[i], ends[i], starts[j], ends[j]) - body.capsule_radii[i] - body.capsule_radii[j]
        for i, j in body.self_pairs
    )
    return world, own


def test_answers_are_the_plain_definition(checker, poses) -> None:
    local, roots = poses(80)
    hits, rows = checker.collides_many(local, roots), checker.distances_many(local, roots)
    assert 0.1 < hits.mean() < 0.9
    for k in range(len(local)):
        world, own = plain_distances(checker, local[k], roots[k])
        assert rows[k, 0, 0] == pytest.approx(world, abs=1e-9)
        assert rows[k, 2, 0] == pytest.approx(own, abs=1e-9)
        assert not np.isfinite(rows[k, 1, 0])
        assert hits[k] == (min(world, own) < 0)


def test_clearance_grows_the_body(body, checker, poses) -> None:
    local, roots = poses(300, seed=3)
    least = checker.distances_many(local, roots)[:, :, 0].min(axis=1)
    for clearance in (0.02, -0.01):
        wider = Checker(checker.body, checker.world, clearance_m=clearance)
        assert np.array_equal(wider.collides_many(local, roots), least < clearance)


def test_one_pose_many_poses_and_threads_agree(checker, poses) -> None:
    local, roots = poses(64, seed=4)
    hits = checker.collides_many(local, roots)
    assert np.array_equal(hits, checker.collides_many(local, roots, threads=2))
    assert [checker.collides(q, p) for q, p in zip(local[:8], roots[:8], strict=True)] == list(hits[:8])


def test_the_contact_names_what_is_nearest(checker, poses, body) -> None:
    local, roots = poses(1, seed=5)
    found = checker.distances(local[0], roots[0])
    assert found.others is None
    assert found.scene.capsule in body.capsule_names
    assert found.scene.other in checker.world.names
    apart = found.scene.on_capsule - found.scene.on_other
    assert np.allclose(apart, found.scene.distance_m * found.scene.normal, atol=1e-12)
    assert found.least_m == min(found.scene.distance_m, found.own.distance_m)


def test_near_pairs_have_gradients_for_both_capsules(checker, poses, body) -> None:
    local, roots = poses(1, seed=6)
    near = checker.near(local[0], roots[0], within_m=0.3)
    assert len(near.own) > 3
    starts, ends = body.capsule_segments(*body.skeleton.placed_joints(roots[0], local[0]))
    checked = 0
    for row in near.own:
        i, j, s, t, n = int(row[1]), int(row[2]), row[3], row[4], row[5:8]
        x = np.concatenate([starts[i], ends[i], starts[j], ends[j]])
        gradient = np.concatenate([(1 - s) * n, s * n, -(1 - t) * n, -t * n])
        slopes = [
            (segment_distance(*(x + 1e-6 * e).reshape(4, 3)) - segment_distance(*(x - 1e-6 * e).reshape(4, 3))) / 2e-6
            for e in np.eye(12)
        ]
        checked += np.allclose(slopes, gradient, atol=1e-4)
    assert checked >= 0.9 * len(near.own)  # parallel pairs have no gradient


def test_a_limb_query_equals_the_whole_body(checker, poses, pose, body) -> None:
    local, roots = poses(400, seed=7)
    hits = checker.collides_many(local, roots)
    free = int(np.flatnonzero(~hits)[0])
    limb = checker.limb(pose(roots[free], local[free]), "right_arm")
    rng = np.random.default_rng(0)
    arm = rot.exp(rng.normal(scale=0.9, size=(400, len(limb.joints), 3)))
    whole = np.repeat(local[free][None], len(arm), axis=0)
    whole[:, list(limb.joints)] = arm
    expected = checker.collides_many(whole, np.repeat(roots[free][None], len(arm), axis=0))
    assert 0 < expected.sum() < len(arm)
    assert np.array_equal(limb.collides_many(arm), expected)
    # The same question again: nothing of the first remains.
    assert np.array_equal(limb.collides_many(arm), expected)


def test_allowed_pairs_are_not_tested(body, pose) -> None:
    world = World([Obstacle(name="floor", shape=HalfSpace())])
    rest = pose((0.0, 0.945, 0.0))
    assert Checker(CollisionBody(body), world).collides(rest.rotations, rest.root_position)
    soles = [(f"{side}_{part}", "floor") for side in ("left", "right") for part in ("foot", "toes")]
    assert not Checker(CollisionBody(body), world, soles).collides(rest.rotations, rest.root_position)


def test_moving_obstacles_are_where_their_tracks_say(body, pose) -> None:
    track = Track(
        times_s=np.array([0.0, 1.0]),
        positions=np.array([[2.0, 1.2, 0.0], [-2.0, 1.2, 0.0]]),
        rotations=np.array([[1.0, 0, 0, 0], [np.sqrt(0.5), 0, np.sqrt(0.5), 0]]),
    )
    ball = Obstacle(name="ball", shape=Sphere(radius_m=0.1), track=track)
    checker = Checker(CollisionBody(body), World([ball]))
    rest = pose((0.0, 1.0, 0.0))
    assert not checker.collides(rest.rotations, rest.root_position, t=0.0)
    assert checker.collides(rest.rotations, rest.root_position, t=0.5)
    assert not checker.collides(rest.rotations, rest.root_position, t=5.0)
    times = np.linspace(-0.5, 1.5, 41)
    many = checker.collides_many(
        np.repeat(rest.rotations[None], 41, 0), np.repeat(rest.root_position[None], 41, 0), times
    )
    assert list(many) == [checker.collides(rest.rotations, rest.root_position, t=t) for t in times]
    assert many.any()


def test_carried_capsules_belong_to_the_body(body, pose) -> None:
    stick = Carried(
        name="stick",
        shape=Capsule(radius_m=0.02, length_m=1.0),
        joint="rightHand",
        touches=("right_hand", "right_forearm"),
    )
    with_stick = CollisionBody(body, (stick,))
    rest = pose((0.0, 1.0, 0.0))
    hand = rest.world()[0][body.skeleton.index("rightHand")]
    post = Obstacle(name="post", shape=Box(size_m=(0.1, 0.1, 0.1)), position=np.add(hand, (0.0, 0.45, 0.0)))
    assert not Checker(CollisionBody(body), World([post])).collides(rest.rotations, rest.root_position)
    checker = Checker(with_stick, World([post]))
    assert checker.collides(rest.rotations, rest.root_position)
    assert checker.distances(rest.rotations, rest.root_position).scene.capsule == "stick"
    assert not Checker(with_stick, World([post]), [("stick", "post")]).collides(rest.rotations, rest.root_position)


def test_slack_lets_a_pair_overlap(body, checker, poses) -> None:
    local, roots = poses(300, seed=8)
    empty = World([])
    rows = Checker(CollisionBody(body), empty).distances_many(local, roots)
    k = int(np.argmin(rows[:, 2, 0]))
    names = [body.capsule_names[int(c)] for c in rows[k, 2, 1:3]]
    slack = CollisionBody(body, slack_m={(names[0], names[1]): 10.0})
    eased = Checker(slack, empty).distances_many(local[k : k + 1], roots[k : k + 1])
    assert eased[0, 2, 0] > rows[k, 2, 0]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_poses_that_are_not_finite_are_refused(checker, poses, bad) -> None:
    local, roots = poses(2)
    local[1, 3, 2] = bad
    for ask in (checker.collides_many, checker.distances_many):
        with pytest.raises(OptionError, match="not finite"):
            ask(local, roots)
    with pytest.raises(OptionError, match="not finite"):
        checker.collides(local[0], [0.0, bad, 0.0])
    with pytest.raises(OptionError, match="times_s"):
        checker.collides_many(local[:1], roots[:1], bad)


def test_names_and_shapes_that_do_not_exist_are_refused(body, checker, poses, pose) -> None:
    local, roots = poses(2)
    with pytest.raises(OptionError, match="shape"):
        checker.collides_many(local[:, :-1], roots)
    with pytest.raises(SceneError, match="floor"):
        Checker(checker.body, checker.world, [("left_foot", "flor")])
    with pytest.raises(SkeletonError, match="left_foot"):
        Checker(checker.body, checker.world, [("left_fot", "floor")])
    with pytest.raises(SceneError, match="two obstacles"):
        World([Obstacle(name="a", shape=Sphere(radius_m=1.0)), Obstacle(name="a", shape=Sphere(radius_m=1.0))])
    with pytest.raises(SceneError, match="finite pose"):
        World([Obstacle(name="a", shape=Sphere(radius_m=1.0), position=(np.nan, 0, 0))])
    with pytest.raises(SkeletonError, match="half-space"):
        CollisionBody(body, (Carried(name="ground", shape=HalfSpace(), joint="hips"),))
    with pytest.raises(MotionError):
        pose((np.nan, 0.0, 0.0))
    with pytest.raises(SkeletonError):
        checker.limb(pose((0.0, 1.0, 0.0)), "third_arm")
