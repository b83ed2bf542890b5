"""The judge's own limit angles against the definition in ``core.limits``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from people import person
from understudy.core import Motion, fit_body
from understudy.core.limits import LimitKind
from understudy.verify.joint_limits import excess_rad, joint_limits

rng = np.random.default_rng(2)


def test_excess_matches_the_definition_on_random_poses() -> None:
    skeleton = person()
    limits = fit_body(skeleton).limits
    q = rng.normal(size=(400, len(skeleton), 4)) * 0.5 + np.array([1.0, 0, 0, 0])
    q /= np.linalg.norm(q, axis=-1, keepdims=True)
    ours, theirs = excess_rad(limits, q), limits.excess(q)
    together = [skeleton.index("head"), skeleton.index("upperChest")]
    assert np.allclose(np.delete(ours, together, axis=1), np.delete(theirs, together, axis=1), atol=1e-7)
    assert (ours[:, together] > theirs[:, together] - 1e-7).all()
    assert (ours[:, limits.kinds == LimitKind.ELLIPSE] > 0.01).any()
    assert (ours[:, limits.kinds == LimitKind.AXES] > 0.01).any()


@pytest.mark.parametrize("joint", ["leftLowerLeg", "rightUpperArm", "head", "leftFoot", "rightHand"])
@pytest.mark.parametrize("axis", [0, 1])
def test_half_a_degree_beyond_a_limit_is_half_a_degree(joint: str, axis: int) -> None:
    skeleton = person()
    body = fit_body(skeleton)
    limits, index = body.limits, skeleton.index(joint)
    middle = 0.5 * (limits.low + limits.high)[index]
    coordinates = limits.coordinates(np.tile(skeleton.rest_rotations, (3, 1, 1)))
    coordinates[:, index] = middle
    coordinates[1, index, axis] = limits.high[index, axis] + np.radians(0.5)
    motion = Motion(
        skeleton=skeleton, fps=30.0, root_positions=np.zeros((3, 3)), rotations=limits.rotations(coordinates)
    )
    found = joint_limits(motion, body)
    assert found.max_excess_rad == pytest.approx(np.radians(0.5), abs=1e-6)
    assert (found.joint, found.time_s) == (joint, pytest.approx(1 / 30))
    assert joint_limits(motion, body, sources=[motion]).max_excess_rad == 0.0
    assert joint_limits(motion, body, sources=[motion]).source_excess_rad == pytest.approx(np.radians(0.5), abs=1e-6)
    planned = np.zeros((3, len(skeleton)), dtype=bool)
    planned[1, index] = True
    assert joint_limits(motion, body, sources=[motion], planned=planned).max_excess_rad > 0.008
    # What a planner left alone is the recording's own.
    assert joint_limits(motion, body, sources=[motion], planned=np.roll(planned, 1, axis=0)).max_excess_rad == 0.0


@pytest.mark.parametrize(
    ("roles", "axis", "most_deg"),
    [(("neck", "head"), 2, 100.0), (("neck", "head"), 0, 75.0), (("spine", "chest", "upperChest"), 2, 60.0)],
)
def test_joints_of_one_column_are_limited_together(roles: tuple[str, ...], axis: int, most_deg: float) -> None:
    """A face does not look backwards, though neck and head may each turn by 70 degrees."""
    skeleton = person()
    limits = fit_body(skeleton).limits
    coordinates = np.zeros((2, len(skeleton), 3))
    for row, beyond_deg in enumerate((-1.0, 1.0)):
        for role in roles:
            coordinates[row, skeleton.index(role), axis] = np.radians((most_deg + beyond_deg) / len(roles))
    found = excess_rad(limits, limits.rotations(coordinates))[:, skeleton.index(roles[-1])]
    assert found == pytest.approx([0.0, np.radians(1.0)], abs=1e-6)


def test_recorded_clip_matches_the_definition(clip: Callable[[str], Motion]) -> None:
    motion = clip("49_06")
    limits = fit_body(motion.skeleton).limits
    assert np.allclose(excess_rad(limits, motion.rotations), limits.excess(motion.rotations), atol=1e-6)


def test_a_clip_of_the_same_frames_forgives_at_that_moment_only() -> None:
    skeleton = person()
    body = fit_body(skeleton)
    limits, index = body.limits, skeleton.index("leftLowerLeg")
    coordinates = limits.coordinates(np.tile(skeleton.rest_rotations, (9, 1, 1)))
    coordinates[:, index] = 0.5 * (limits.low + limits.high)[index]
    coordinates[2, index, 0] = limits.high[index, 0] + np.radians(3.0)
    roots = np.zeros((9, 3))
    clip = Motion(skeleton=skeleton, fps=30.0, root_positions=roots, rotations=limits.rotations(coordinates))
    coordinates[6, index, 0] = limits.high[index, 0] + np.radians(2.0)
    made = replace(clip, rotations=limits.rotations(coordinates))
    assert joint_limits(made, body, sources=[clip]).max_excess_rad == 0.0
    found = joint_limits(made, body, sources=[clip], in_step=True)
    assert found.max_excess_rad == pytest.approx(np.radians(2.0), abs=1e-6)
    assert found.time_s == pytest.approx(6 / 30)
