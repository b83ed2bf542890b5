"""Compiled measures of the judge against their plain twins: a body in itself, what differs, turns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.core import Motion, fit_body
from understudy.scene.contacts import ContactRule
from understudy.typing import FloatArray, IntArray
from understudy.verify._measure_kernels import largest
from understudy.verify.allowance import declared, larger
from understudy.verify.changed import changed_from
from understudy.verify.forward import Performer, capsule_ends, joint_frames
from understudy.verify.moves import moves_of
from understudy.verify.nearness import pairs_that_may_touch
from understudy.verify.relations import BodyAndBody
from understudy.verify.search import search
from understudy.verify.self_search import search_itself

AXES = np.eye(3)


def leaned(motion: Motion, role: str, angle: float, first: int, stop: int, axis: int = 0) -> Motion:
    """The motion with one joint turned in some frames."""
    rotations, joint = motion.rotations.copy(), motion.skeleton.humanoid[role]
    turn = rot.from_axis_angle(AXES[axis], angle)
    rotations[first:stop, joint] = rot.multiply(rotations[first:stop, joint], turn)
    return replace(motion, rotations=rotations)


@pytest.mark.parametrize("role", ["leftUpperArm", "rightLowerArm", "leftUpperLeg"])
@pytest.mark.parametrize("angle", [-1.6, 1.6])
@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("start_s", [0.0, 0.7])
def test_a_body_in_itself_is_searched_as_everything_else_is(
    swaying: Motion, role: str, angle: float, axis: int, start_s: float
) -> None:
    body, motion = fit_body(swaying.skeleton), leaned(swaying, role, angle, 3, len(swaying) - 4, axis)
    judged = Performer(name="anna", motion=motion, body=body, start_s=start_s)
    source = Performer(name="anna", motion=swaying, body=body)
    pairs, near = pairs_that_may_touch(judged)
    rules = [ContactRule(a="anna.left_hand", b="anna.left_thigh", start_s=0.2, end_s=0.6, max_depth_m=0.01)]
    relation, own = BodyAndBody(judged, judged, pairs), BodyAndBody(source, source, pairs)

    def as_before(times_s: FloatArray, items: IntArray, distances: FloatArray) -> FloatArray:
        then = times_s - start_s
        before = own.distances(then, items, own.places(then, items), np.full(len(items), np.inf))
        return np.where(distances < 0.0, np.maximum(-before, 0.0), 0.0)

    plain = search(relation, judged.times_s, larger(declared(relation, rules), as_before), near=near)
    found = search_itself(judged, source, pairs, rules, near)
    assert [(one.a, one.b) for one in found] == [(one.a, one.b) for one in plain]
    for one, two in zip(found, plain, strict=True):
        np.testing.assert_allclose(one.times_s, two.times_s, atol=1e-12)
        np.testing.assert_allclose(one.distances_m, two.distances_m, atol=1e-12)
        np.testing.assert_allclose(one.allowed_m, two.allowed_m, atol=1e-12)


def test_some_of_these_bodies_are_deep_in_themselves(swaying: Motion) -> None:
    body = fit_body(swaying.skeleton)
    made = leaned(swaying, "leftUpperArm", -1.6, 3, len(swaying) - 4, 2)
    judged, source = (Performer(name="", motion=one, body=body) for one in (made, swaying))
    pairs, near = pairs_that_may_touch(judged)
    assert max(one.excess_m.max() for one in search_itself(judged, source, pairs, [], near)) > 0.1


def test_one_bit_of_one_joint_is_a_difference(swaying: Motion) -> None:
    assert not changed_from(swaying, swaying)
    rotations, joint = swaying.rotations.copy(), swaying.skeleton.humanoid["leftLowerArm"]
    rotations[5, joint, 2] = np.nextafter(rotations[5, joint, 2], 1.0)
    made = replace(swaying, rotations=rotations)
    assert made.rotations[5, joint, 2] != swaying.rotations[5, joint, 2]
    changed = changed_from(made, swaying)
    assert (changed.first, changed.last, np.flatnonzero(changed.joints).tolist()) == (5, 5, [joint])
    roots = swaying.root_positions.copy()
    roots[-1, 1] += 1e-12
    changed = changed_from(replace(swaying, root_positions=roots), swaying)
    assert (changed.first, changed.last) == (len(swaying) - 1, len(swaying) - 1)
    assert changed.moved.all() and np.flatnonzero(changed.joints).tolist() == [0]


def test_moves_are_where_the_whole_body_is(swaying: Motion) -> None:
    body, motion = fit_body(swaying.skeleton), leaned(swaying, "leftUpperArm", 0.7, 10, 30)
    judged, source = (Performer(name="", motion=one, body=body) for one in (motion, swaying))
    changed = changed_from(motion, swaying)
    moves = moves_of(judged, source, changed)
    positions, world = joint_frames(motion, motion.times_s)
    ends = capsule_ends(body, positions, world, changed.capsules(body))
    np.testing.assert_array_equal(moves.positions, positions)
    np.testing.assert_array_equal(moves.points, ends.reshape(len(ends), -1, 3))
    assert not np.array_equal(moves.positions, joint_frames(swaying, swaying.times_s)[0])


@pytest.mark.parametrize("count", [1, 2, 40])
def test_the_largest_turn_is_its_plain_twin(count: int) -> None:
    rows, out = np.random.default_rng(count).normal(size=(4, 3, count)), np.empty(count)
    largest(rows.reshape(12, count), np.array([0, 2]), out)
    np.testing.assert_allclose(out, np.linalg.norm(rows[[0, 2]], axis=1).max(axis=0))
