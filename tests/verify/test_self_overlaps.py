"""A body in itself: as deep as its evidence at the same time, and no deeper; and how far joints turn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.core import Motion, fit_body
from understudy.verify._measure_kernels import largest
from understudy.verify.allowance import AlikePostures, constant, larger
from understudy.verify.allowances import same_time
from understudy.verify.forward import Performer
from understudy.verify.nearness import pairs_that_may_touch
from understudy.verify.relations import BodyAndBody
from understudy.verify.search import search

AXES = np.eye(3)


def leaned(motion: Motion, role: str, angle: float, first: int, stop: int, axis: int = 0) -> Motion:
    """The motion with one joint turned in some frames."""
    rotations, joint = motion.rotations.copy(), motion.skeleton.humanoid[role]
    turn = rot.from_axis_angle(AXES[axis], angle)
    rotations[first:stop, joint] = rot.multiply(rotations[first:stop, joint], turn)
    return replace(motion, rotations=rotations)


@pytest.mark.parametrize("role", ["leftUpperArm", "rightLowerArm", "leftUpperLeg"])
@pytest.mark.parametrize("angle", [-1.6, 1.6])
@pytest.mark.parametrize("start_s", [0.0, 0.7])
def test_a_body_may_be_in_itself_as_its_evidence_is_at_that_time(
    swaying: Motion, role: str, angle: float, start_s: float
) -> None:
    body = fit_body(swaying.skeleton)
    motion = leaned(swaying, role, angle, 3, len(swaying) - 4, 2)
    judged = Performer(name="anna", motion=motion, body=body, start_s=start_s)
    pairs, near = pairs_that_may_touch(judged)
    relation = BodyAndBody(judged, judged, pairs)
    itself = Performer(name="anna", motion=motion, body=body)
    for trace in search(relation, judged.times_s, same_time(judged, itself, pairs), near=near):
        assert trace.excess_m.max() < 1e-9
    source, bare = Performer(name="anna", motion=swaying, body=body), constant(0.0)
    alone = {(one.a, one.b): one for one in search(relation, judged.times_s, bare, near=near)}
    for trace in search(relation, judged.times_s, larger(same_time(judged, source, pairs), bare), near=near):
        assert trace.excess_m.max() <= alone[trace.a, trace.b].excess_m.max() + 1e-4


def test_some_of_these_bodies_are_deep_in_themselves(swaying: Motion) -> None:
    body = fit_body(swaying.skeleton)
    made = leaned(swaying, "leftUpperArm", -1.6, 3, len(swaying) - 4, 2)
    judged, source = (Performer(name="", motion=one, body=body) for one in (made, swaying))
    pairs, near = pairs_that_may_touch(judged)
    found = search(BodyAndBody(judged, judged, pairs), judged.times_s, same_time(judged, source, pairs), near=near)
    assert max(one.excess_m.max() for one in found) > 0.1


@pytest.mark.parametrize("count", [1, 2, 40])
def test_the_largest_turn_is_its_plain_twin(count: int) -> None:
    rows, out = np.random.default_rng(count).normal(size=(4, 3, count)), np.empty(count)
    largest(rows.reshape(12, count), np.array([0, 2]), out)
    np.testing.assert_allclose(out, np.linalg.norm(rows[[0, 2]], axis=1).max(axis=0))


def test_a_piece_of_a_recording_is_in_itself_no_deeper_than_the_recording(swaying: Motion) -> None:
    """Frames miss the deepest moment of parts that pass each other fast; a piece may show it."""
    body, joint = fit_body(swaying.skeleton), swaying.skeleton.humanoid["leftUpperArm"]
    rotations, count = swaying.rotations.copy(), len(swaying)
    turns = rot.exp(np.outer(-1.6 + 0.25 * np.arange(count) % 0.5, AXES[2]))
    rotations[:, joint] = rot.multiply(rotations[:, joint], turns)
    source = replace(swaying, rotations=rotations)
    times = np.arange(0.0, source.duration_s, 0.25 / source.fps)
    judged = Performer(name="", motion=source.sampled(times, fps=4.0 * source.fps), body=body)
    pairs, near = pairs_that_may_touch(judged)
    shown = AlikePostures(judged, [Performer(name="", motion=source, body=body)], pairs)
    deepest = []
    for allowed in (constant(0.0), shown):
        found = search(BodyAndBody(judged, judged, pairs), judged.times_s, allowed, near=near)
        deepest.append(max(one.excess_m.max() for one in found))
    assert deepest[0] > 0.05
    assert deepest[1] < 1e-3
