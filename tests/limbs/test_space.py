"""Limb parameters: poses come back exactly, limits are convex, other rigs work too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import understudy as us
from limb_stages import walk
from understudy import rotations as rot
from understudy.core import Motion, fit_body
from understudy.errors import PlanningInputError
from understudy.limbs import LIMBS, limb_space
from understudy.limbs.legs import changed_rotations
from understudy.limbs.search import sampling_intervals


def recorded(cmu_bvh: Callable[[str], Path]) -> Motion:
    return us.load_motion(cmu_bvh("16_16"))


def same_turns(a: np.ndarray, b: np.ndarray) -> float:
    return float(1.0 - np.abs(np.sum(a * b, axis=-1)).min())


@pytest.mark.parametrize("limb", LIMBS)
def test_a_pose_comes_back_from_its_parameters(limb: str) -> None:
    motion = walk()
    space = limb_space(fit_body(motion.skeleton), limb)
    back = space.with_parameters(motion.rotations, space.parameters(motion.rotations))
    assert same_turns(back, motion.rotations) < 1e-14


@pytest.mark.parametrize("limb", LIMBS)
def test_recorded_rigs_come_back_too(limb: str, cmu_bvh: Callable[[str], Path]) -> None:
    motion = recorded(cmu_bvh)
    space = limb_space(fit_body(motion.skeleton), limb)
    assert len(space) == (10 if limb.endswith("spine") else 7)
    back = space.with_parameters(motion.rotations, space.parameters(motion.rotations))
    assert same_turns(back, motion.rotations) < 1e-13
    # The forearm turns in the joint that turns it in the recording.
    if limb == "right_arm":
        twisted = space.with_offsets(motion.rotations[:1], np.eye(7)[[space.index("forearm_twist")]] * 0.3)
        changed = np.flatnonzero(np.any(np.abs(twisted[0] - motion.rotations[0]) > 1e-9, axis=1))
        assert motion.skeleton.names[changed[0]] == "RightHand"


@pytest.mark.parametrize("limb", ["right_arm", "left_leg", "left_arm_spine"])
@given(data=st.data())
@settings(max_examples=25)
def test_parameters_are_set_and_read_alike_and_nothing_else_moves(limb: str, data: st.DataObject) -> None:
    motion = walk()
    space = limb_space(fit_body(motion.skeleton), limb)
    share = np.array(data.draw(st.lists(st.floats(0.1, 0.9), min_size=len(space), max_size=len(space))))
    wanted = space.low + share * (space.high - space.low)
    local = motion.rotations[data.draw(st.integers(0, len(motion) - 1))]
    made = space.with_parameters(local, wanted)
    others = [joint for joint in range(len(motion.skeleton)) if joint not in space.joints]
    assert np.array_equal(made[others], local[others])
    found = space.parameters(made)
    # Swing vectors beyond half a turn come back the other way round; within the limits they do not.
    inside = space.excess(space.coordinates(made)).max() == 0.0
    if inside:
        np.testing.assert_allclose(found, wanted, atol=1e-9)


@given(a=st.lists(st.floats(-3, 3), min_size=7, max_size=7), b=st.lists(st.floats(-3, 3), min_size=7, max_size=7))
@settings(max_examples=60)
def test_limits_are_convex(a: list[float], b: list[float]) -> None:
    motion = walk()
    space = limb_space(fit_body(motion.skeleton), "right_arm")
    base = space.coordinates(motion.rotations[0])
    ends = [base + np.array(one) @ space.spread.T for one in (a, b)]
    worst = max(space.excess(end).max() for end in ends)
    for share in np.linspace(0, 1, 7):
        assert space.excess((1 - share) * ends[0] + share * ends[1]).max() <= worst + 1e-9


def test_excess_is_the_bodys() -> None:
    motion = walk()
    body = fit_body(motion.skeleton)
    space = limb_space(body, "right_arm")
    bent = space.with_offsets(motion.rotations, np.full((len(motion), 7), 1.4))
    np.testing.assert_allclose(
        space.excess(space.coordinates(bent)), body.limits.excess(bent)[:, list(space.joints)], atol=1e-9
    )


def test_unknown_names_say_the_nearest() -> None:
    body = fit_body(walk().skeleton)
    with pytest.raises(PlanningInputError, match='did you mean "right_arm"'):
        limb_space(body, "rigth_arm")
    with pytest.raises(PlanningInputError, match="elbow_flexion"):
        limb_space(body, "right_arm").index("elbow_flex")


def test_styles_narrow_the_sampling_and_widening_ends_at_the_limits() -> None:
    space = limb_space(fit_body(walk().skeleton), "right_arm")
    rows = sampling_intervals(space, {"shoulder_raise": (-1.0, -0.5)})
    k = space.index("shoulder_raise")
    np.testing.assert_allclose(rows[:, k], [-1.0, -0.5, -1.0, -0.5])
    assert (rows[0] >= rows[2] - 1e-12).all() and (rows[1] <= rows[3] + 1e-12).all()
    assert (rows[2] >= space.low - 1e-12).all() and (rows[3] <= space.high + 1e-12).all()
    flexed = space.index("elbow_flexion")
    assert rows[0, flexed] > 0.5 * (space.low + space.high)[flexed] * 0.9
    with pytest.raises(PlanningInputError, match="leaves nothing"):
        sampling_intervals(space, {"elbow_flexion": (6.0, 7.0)})


@pytest.mark.parametrize("limb", ["left_arm", "right_leg", "right_arm_spine"])
def test_compiled_coordinates_are_those_of_the_limits_and_give_the_pose_back(limb: str) -> None:
    motion = walk().frames(0, 40)
    body = fit_body(motion.skeleton)
    space, local = limb_space(body, limb), motion.rotations
    own = space.coordinates(local)
    plain = body.limits.coordinates(local)[:, list(space.joints)]
    np.testing.assert_allclose(own.reshape(40, -1, 3), plain, atol=1e-9)
    back = space.with_coordinates(local, own)
    assert rot.angle_between(back, local).max() < 1e-7
    offsets = np.random.default_rng(1).normal(0.0, 0.2, (40, len(space)))
    made = changed_rotations(motion, space, 0, offsets)
    assert rot.angle_between(made, space.with_offsets(local, offsets)).max() < 1e-7
    np.testing.assert_allclose(space.coordinates(local[3]), own[3], atol=1e-12)
