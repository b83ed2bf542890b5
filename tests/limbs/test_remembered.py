"""What is remembered of sources changes no answer: where they are, where they spin, how fast they turn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.core import Motion
from understudy.core.humanoid import LIMB_ROLES
from understudy.limbs import stage_of
from understudy.limbs.speeds import limb_turns, low_passed, turns_of
from understudy.limbs.tabulate import _posed, posed
from understudy.performer import builtin_clips


@pytest.fixture(scope="module")
def walk() -> Motion:
    return builtin_clips("walk")[0].frames(0, 120)


@pytest.mark.parametrize("stretch", [(0, 119), (3, 40), (77, 119)])
@pytest.mark.parametrize("steps", [1, 4])
def test_a_source_placed_as_a_whole_is_where_its_stretches_are(
    walk: Motion, stretch: tuple[int, int], steps: int
) -> None:
    stage = stage_of(walk)
    for whole, part in zip(posed(stage, walk, *stretch, steps), _posed(walk, *stretch, steps), strict=True):
        np.testing.assert_array_equal(whole, part)
    other = stage.with_motion(replace(walk, root_positions=walk.root_positions + 1.0))
    moved, _ = posed(other, other.motion, *stretch, steps)
    np.testing.assert_allclose(moved, posed(stage, walk, *stretch, steps)[0] + 1.0, atol=1e-12)


def test_a_part_of_a_motion_is_as_frozen_as_the_whole(walk: Motion) -> None:
    part = walk.frames(5, 17)
    np.testing.assert_array_equal(part.rotations, walk.rotations[5:17])
    assert len(part) == 12 and part.fps == walk.fps and part.name == walk.name and part.origin == walk.origin
    with pytest.raises(ValueError, match="read-only"):
        part.rotations[0, 0, 0] = 2.0


def test_turns_asked_twice_are_those_of_the_motion_asked_about(walk: Motion) -> None:
    joints = walk.skeleton.limb(next(iter(LIMB_ROLES)))
    half = replace(walk, fps=0.5 * walk.fps)
    for one, two in zip(limb_turns(walk, joints), turns_of(walk.rotations[:, list(joints)], walk.fps), strict=True):
        np.testing.assert_array_equal(one, two)
    assert limb_turns(half, joints)[0].max() < 0.9 * limb_turns(walk, joints)[0].max()


def test_the_filter_is_the_same_for_columns_one_by_one() -> None:
    values = np.cumsum(np.random.default_rng(3).normal(size=(150, 2, 3)), axis=0)
    whole = low_passed(values, 60.0)
    for k in range(2):
        for i in range(3):
            np.testing.assert_allclose(whole[:, k, i], low_passed(values[:, k, i], 60.0), atol=1e-12)


def test_turns_are_those_of_a_steady_turn() -> None:
    turn = rot.from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.02 * np.arange(200))
    speeds, accelerations, jerks = turns_of(turn[:, None], 60.0)
    np.testing.assert_allclose(speeds, 1.2, atol=1e-6)
    assert accelerations.max() < 1e-4
    assert jerks.max() < 1e-2
