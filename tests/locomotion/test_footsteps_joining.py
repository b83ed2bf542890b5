"""Joining motions: a foot that has not come down yet comes down, and does not jump."""

from __future__ import annotations

import numpy as np

from understudy.kinematics import motion_world
from understudy.kinematics.hold import hold_end
from understudy.locomotion.footsteps.joining import joined, leg_of
from understudy.performer import performance


def test_a_foot_in_the_air_comes_down_without_a_jump() -> None:
    stand = performance("idle", duration_s=4.0).motion
    chain = leg_of(stand.skeleton, "right")
    world = motion_world(stand)
    lifted = world.positions[:, chain[2]] + np.array([0.0, 0.02, 0.0])
    first = hold_end(stand, chain, lifted, world.rotations[:, chain[2]]).motion
    made = motion_world(joined(first, stand)).positions
    bent = np.linalg.norm(made[2:] - 2.0 * made[1:-1] + made[:-2], axis=2)
    assert bent.max() < 0.004
    np.testing.assert_allclose(made[-1], world.positions[-1], atol=1e-6)
