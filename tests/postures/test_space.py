"""Coordinates: the poses they stand for, the axes they turn about, the limits they hold."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy import rotations as rot
from understudy.core import Body, Pose
from understudy.kinematics import pose_world
from understudy.performer import posture
from understudy.postures._certify_kernels import turn_bounds
from understudy.postures._limit_kernels import slide
from understudy.postures._placing_kernels import place
from understudy.postures.space import PostureSpace
from understudy.postures.stage import Stage
from understudy.postures.tables import AT, AXIS, TURNED

StageOf = Callable[..., Stage]
NAMES = ("eagle", "contortion", "hug_knees", "flare_left")


@pytest.mark.parametrize("grounded", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_coordinates_bring_the_pose_back(body: Body, name: str, grounded: bool) -> None:
    pose = posture(name, person=body.skeleton)
    space = PostureSpace(body=body, reference=rot.from_yaw(0.4), grounded=grounded)
    back = space.pose(space.coordinates(pose))
    assert np.abs(back.root_position - pose.root_position).max() < 1e-12
    assert (1.0 - np.abs((back.rotations * pose.rotations).sum(axis=1))).max() < 1e-12


@pytest.mark.parametrize("grounded", [False, True])
def test_kernels_place_joints_where_forward_kinematics_does(
    stage_of: StageOf, some_postures: Callable[[int, int], list[np.ndarray]], grounded: bool
) -> None:
    stage = stage_of(grounded=grounded)
    for q in some_postures(1, 4):
        place(stage.arrays, q, stage.room)
        world = pose_world(stage.space.pose(q))
        assert np.abs(stage.room.joints[:, AT : AT + 3] - world.positions).max() < 1e-10
        turned = stage.room.joints[:, TURNED : TURNED + 4]
        assert (1.0 - np.abs((turned * world.rotations).sum(axis=1))).max() < 1e-12


def test_grounded_bodies_rest_a_little_above_the_floor(
    stage_of: StageOf, some_postures: Callable[[int, int], list[np.ndarray]]
) -> None:
    space = stage_of(grounded=True).space
    for q in some_postures(2, 4):
        q[1] = 0.0
        roots, rotations = space.poses(q[None])
        # The soft minimum lies below the true one, by a few millimetres where several points carry.
        assert -1e-9 <= space.lowest(roots, rotations)[0] < 0.015


def test_axes_are_those_the_coordinates_turn_about(
    stage_of: StageOf, some_postures: Callable[[int, int], list[np.ndarray]]
) -> None:
    stage, step = stage_of(), 1e-6
    q = some_postures(3, 1)[0]
    place(stage.arrays, q, stage.room)
    axes = stage.room.joints[:, AXIS : AXIS + 9].reshape(-1, 3, 3).copy()
    for joint in range(len(stage.space.skeleton)):
        for k in range(3):
            turns = []
            for sign in (-1.0, 1.0):
                moved = q.copy()
                moved[3 + 3 * joint + k] += sign * step
                turns.append(pose_world(stage.space.pose(moved)).rotations[joint])
            turn = rot.log(rot.multiply(turns[1], rot.conjugate(turns[0]))) / (2 * step)
            assert np.abs(turn - axes[joint, k]).max() < 1e-7


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), size=st.floats(1e-3, 1.5))
def test_no_joint_turns_further_than_its_bound(stage_of: StageOf, seed: int, size: float) -> None:
    stage = stage_of()
    rng = np.random.default_rng(seed)
    limits = stage.space.body.limits
    a = np.zeros(stage.space.size)
    a[6:] = rng.uniform(limits.low, limits.high)[1:].ravel()
    step = size * rng.normal(size=len(a))
    bounds = np.empty(len(stage.space.skeleton))
    turn_bounds(stage.arrays.tree, step, bounds)
    shares = np.linspace(0.0, 1.0, 60)
    turned = stage.space.rotations(a + shares[:, None] * step)
    # The way a rotation goes is the sum of its small turns.
    small = np.linalg.norm(rot.log(rot.multiply(turned[1:], rot.conjugate(turned[:-1]))), axis=-1)
    assert (small.sum(axis=0) <= bounds + 1e-9).all()


@settings(max_examples=30)
@given(seed=st.integers(0, 10_000))
def test_clamped_postures_are_within_limits_and_moves_between_them_stay(stage_of: StageOf, seed: int) -> None:
    stage = stage_of()
    rng = np.random.default_rng(seed)
    a, b = (stage.clamped(rng.normal(scale=3.0, size=stage.space.size)) for _ in range(2))
    limits = stage.space.body.limits
    for share in (0.0, 0.3, 0.8, 1.0):
        pose: Pose = stage.space.pose(a + share * (b - a))
        assert limits.excess(pose.rotations).max() < 1e-9
    assert np.array_equal(stage.clamped(a), a) or np.abs(stage.clamped(a) - a).max() < 1e-12


@settings(max_examples=30)
@given(seed=st.integers(0, 10_000))
def test_sliding_takes_out_only_what_leaves_the_limits(stage_of: StageOf, seed: int) -> None:
    stage = stage_of()
    rng = np.random.default_rng(seed)
    q = stage.clamped(rng.normal(scale=3.0, size=stage.space.size))
    wanted = rng.normal(size=len(q))
    step = wanted.copy()
    slide(stage.arrays.tree, stage.arrays.joints, q, step)
    small = q + 1e-4 * step
    # What is left of the step leaves an ellipse by its curvature at most.
    assert np.abs(stage.clamped(small) - small).max() < 1e-7
    assert step @ wanted >= step @ step - 1e-9
