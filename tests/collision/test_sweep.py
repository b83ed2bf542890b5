"""Moves between poses: nothing tunnels, and what is certified is free at every sampled moment."""

from __future__ import annotations

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.collision import Checker, CollisionBody, Obstacle, Track, World
from understudy.core.pose import Pose
from understudy.errors import OptionError
from understudy.scene.shapes import Box, Sphere


def sampled_hits(checker: Checker, start: Pose, end: Pose, t0=0.0, t1=0.0, samples=2000) -> np.ndarray:
    """Brute force: whether each of many poses along the move touches anything."""
    s = np.linspace(0.0, 1.0, samples)
    roots = start.root_position + s[:, None] * (end.root_position - start.root_position)
    local = rot.slerp(start.rotations[None], end.rotations[None], s[:, None])
    return checker.collides_many(local, roots, t0 + s * (t1 - t0))


@pytest.fixture
def moves(body, checker, poses, pose):
    """Random moves that start free."""
    local, roots = poses(900, seed=11)
    free = np.flatnonzero(~checker.collides_many(local, roots))[:150]
    rng, found = np.random.default_rng(12), []
    for k in free:
        turned = rot.multiply(local[k], rot.exp(rng.normal(scale=0.15, size=(local.shape[1], 3))))
        shift = rng.normal(scale=0.2, size=3) * (1.0, 0.2, 1.0)
        found.append((pose(roots[k], local[k]), pose(roots[k] + shift, turned)))
    return found


def test_no_move_is_accepted_that_hits(checker, moves) -> None:
    accepted = rejected = needlessly = 0
    for start, end in moves:
        found = checker.segment_is_free(start, end)
        hits = sampled_hits(checker, start, end, samples=400)
        if found:
            accepted += 1
            assert not hits.any()
        else:
            rejected += 1
            needlessly += not hits.any()
    assert accepted > 20
    assert rejected > 20
    # Grazing by less than the sampling sees is the only excuse.
    assert needlessly <= 2


def test_the_first_contact_is_the_first_sampled_one(checker, moves) -> None:
    compared = 0
    for start, end in moves:
        hits = sampled_hits(checker, start, end, samples=400)
        found = checker.segment_is_free(start, end, find_first=True)
        if hits.any() and not found:
            compared += 1
            assert found.contact == pytest.approx(np.argmax(hits) / 399.0, abs=0.004)
            assert found.contact <= np.argmax(hits) / 399.0 + 1e-9
    assert compared > 20


@pytest.mark.parametrize("thickness", [1e-3, 1e-5])
def test_a_thin_wall_between_two_free_poses_is_seen(body, pose, thickness) -> None:
    wall = Obstacle(name="wall", shape=Box(size_m=(6.0, 6.0, thickness)))
    checker = Checker(CollisionBody(body), World([wall]))
    start, end = pose((0.0, 1.0, -2.0)), pose((0.0, 1.0, 2.0))
    assert not checker.collides(start.rotations, start.root_position)
    assert not checker.collides(end.rotations, end.root_position)
    found = checker.segment_is_free(start, end, find_first=True)
    assert not found
    assert found.pair[1] == "wall"
    assert 0.2 < found.contact < 0.5
    assert checker.segment_is_free(start, pose((0.3, 1.0, -1.0)))


def test_a_thin_pole_is_not_jumped_by_a_swinging_arm(body, pose) -> None:
    rest = pose((0.0, 1.0, 0.0))
    swung = rest.with_rotation("rightUpperArm", rot.exp(np.array([0.0, -1.4, 0.0])))
    positions, _ = rest.with_rotation("rightUpperArm", rot.exp(np.array([0.0, -0.7, 0.0]))).world()
    hand = positions[body.skeleton.index("rightHand")]
    pole = Obstacle(name="pole", shape=Box(size_m=(1e-4, 2.0, 1e-4)), position=hand)
    checker = Checker(CollisionBody(body), World([pole]))
    assert not checker.collides(rest.rotations, rest.root_position)
    assert not checker.collides(swung.rotations, swung.root_position)
    for limb in (None, "right_arm"):
        found = checker.segment_is_free(rest, swung, limb=limb)
        assert not found
        assert found.pair[1] == "pole"
    assert checker.segment_is_free(rest, swung, limb="left_arm")


def test_a_fast_ball_is_not_missed(body, pose) -> None:
    flight = Track(
        times_s=np.array([0.0, 1.0]),
        positions=np.array([[-50.0, 1.2, 0.0], [50.0, 1.2, 0.0]]),
        rotations=np.tile([1.0, 0, 0, 0], (2, 1)),
    )
    checker = Checker(CollisionBody(body), World([Obstacle(name="ball", shape=Sphere(radius_m=0.01), track=flight)]))
    rest = pose((0.0, 1.0, 0.0))
    found = checker.segment_is_free(rest, rest, start_s=0.2, end_s=0.9, find_first=True)
    assert not found
    assert found.pair[1] == "ball"
    # Past the body in time, or turned back before it: free.
    assert checker.segment_is_free(rest, rest, start_s=0.6, end_s=0.9)
    assert checker.segment_is_free(rest, rest, start_s=0.0, end_s=0.45)


def test_a_turning_bar_is_bounded_by_its_reach(body, pose) -> None:
    turning = Track(
        times_s=np.array([0.0, 1.0]),
        positions=np.tile([1.6, 1.44, 0.0], (2, 1)),
        rotations=np.stack([rot.exp(np.array([0.0, 0.3, 0.0])), rot.exp(np.array([0.0, 2.8, 0.0]))]),
    )
    bar = Obstacle(name="bar", shape=Box(size_m=(0.01, 0.01, 2.4)), track=turning)
    checker = Checker(CollisionBody(body), World([bar]))
    rest = pose((0.0, 1.0, 0.0))
    hits = sampled_hits(checker, rest, rest, 0.0, 1.0)
    assert hits.any()
    assert not hits[0]
    assert not hits[-1]
    assert not checker.segment_is_free(rest, rest, start_s=0.0, end_s=1.0)


def test_clearance_is_kept_and_budgets_only_reject(body, pose) -> None:
    ball = Obstacle(name="ball", shape=Sphere(radius_m=0.1), position=(0.0, 1.0, 0.3))
    near = Checker(CollisionBody(body), World([ball]), clearance_m=0.3)
    tight = Checker(CollisionBody(body), World([ball]))
    start, end = pose((-0.6, 1.0, 0.0)), pose((0.6, 1.0, 0.0))
    assert tight.segment_is_free(start, end)
    assert not near.segment_is_free(start, end)
    checks = tight.segment_is_free(start, end).checks
    assert checks > 1
    assert not tight.segment_is_free(start, end, max_checks=1)
    with pytest.raises(OptionError, match="max_checks"):
        tight.segment_is_free(start, end, max_checks=0)
