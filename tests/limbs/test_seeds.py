"""Beginnings of postures: the compiled swivels against the analytic solution and plain forward kinematics."""

from __future__ import annotations

import numpy as np
import pytest

from limb_stages import walk
from understudy import rotations as rot
from understudy.kinematics import solve_limbs
from understudy.kinematics.limb import folded
from understudy.limbs import EndTarget, stage_of
from understudy.limbs.seeds import _SWIVELS, limb_at, posed, seeds_on, triple

_AT_S = 1.1


@pytest.fixture(scope="module")
def stage():
    return stage_of(walk())


def _target(stage, limb: str, seed: int, *, turned: bool) -> EndTarget:
    space, rng = stage.space(limb), np.random.default_rng(seed)
    pose = posed(stage, _AT_S)
    local = space.with_offsets(pose.local, rng.normal(0.0, 0.3, len(space)))
    places, turns = stage.motion.skeleton.placed_joints(pose.places[0], local)
    end, point = triple(space)[2], np.array([0.01, -0.08, 0.02])
    return EndTarget(
        position=places[end] + rot.rotate(turns[end], point),
        rotations=turns[end][None] if turned else None,
        point=point,
    )


@pytest.mark.parametrize("limb", ["right_arm", "left_leg"])
def test_given_orientations_are_the_analytic_solution(stage, limb: str) -> None:
    space, pose = stage.space(limb), posed(stage, _AT_S)
    base, mid, end = triple(space)
    parent = int(stage.motion.skeleton.parents[base])
    for seed in range(5):
        target = _target(stage, limb, seed, turned=True)
        offsets, turns = seeds_on(stage, space, _AT_S, target)
        wrist = target.position - rot.rotate(turns, target.point)
        solved = solve_limbs(
            limb_at(stage, space, _AT_S), pose.places[parent], pose.turns[parent], wrist, turns, swivel_rad=_SWIVELS
        )
        local = np.repeat(pose.local[None], len(turns), axis=0)
        local[:, base], local[:, mid], local[:, end] = solved.base, solved.mid, solved.end
        own = space.parameters(local) - space.parameters(pose.local)
        # Shoulder and elbow are nobody else's business; what the forearm turns for the wrist is.
        shoulder = [k for k in range(len(space)) if space.joints[space.owner[k]] == base]
        apart = np.remainder(own - offsets + np.pi, 2.0 * np.pi) - np.pi
        np.testing.assert_allclose(apart[:, shoulder], 0.0, atol=1e-9)


@pytest.mark.parametrize("limb", ["right_arm", "left_arm", "left_leg"])
def test_a_limb_is_as_it_is_in_the_pose(stage, limb: str) -> None:
    space, local = stage.space(limb), posed(stage, _AT_S).local
    base, mid, end = triple(space)
    found, skeleton = limb_at(stage, space, _AT_S), stage.motion.skeleton
    for start, stop, offset, turn in (
        (base, mid, found.upper_offset, found.upper_rotation),
        (mid, end, found.lower_offset, found.lower_rotation),
    ):
        wanted = folded(skeleton, local, start, stop)
        np.testing.assert_allclose(offset, wanted[0], atol=1e-12)
        np.testing.assert_allclose(turn, wanted[1], atol=1e-12)
    flexion = space.coordinates(local)[3 * space.joints.index(mid)]
    bent = rot.multiply(found.mid_zero, rot.from_axis_angle(found.hinge, flexion))
    assert rot.angle_between(bent, local[mid]) < 1e-9


def test_free_hands_nearly_meet_their_target(stage) -> None:
    space, pose = stage.space("right_arm"), posed(stage, _AT_S)
    for seed in range(5):
        target = _target(stage, "right_arm", seed, turned=False)
        offsets, _ = seeds_on(stage, space, _AT_S, target)
        away = []
        for offset in offsets:
            local = space.with_offsets(pose.local, offset)
            places, turns = stage.motion.skeleton.placed_joints(pose.places[0], local)
            end = triple(space)[2]
            away.append(np.linalg.norm(places[end] + rot.rotate(turns[end], target.point) - target.position))
        # The wrist finds its place in two rounds: near, not exactly; many are to be met by a few steps.
        assert np.median(away) < 0.03
        assert len(np.unique(np.round(offsets, 6), axis=0)) > 0.9 * len(offsets)
