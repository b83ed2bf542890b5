from __future__ import annotations

import numpy as np

from people import person
from understudy import rotations as rot
from understudy.core import fit_body
from understudy.core.easing import within_limits

FPS = 60.0


def test_joints_are_eased_into_their_limits_and_others_stay_as_they_are() -> None:
    skeleton = person()
    limits = fit_body(skeleton).limits
    rotations = np.broadcast_to(skeleton.rest_rotations, (120, len(skeleton), 4)).copy()
    knee, head = skeleton.index("leftLowerLeg"), skeleton.index("head")
    bend = 0.6 * np.sin(np.linspace(0.0, 2.0 * np.pi, 120))
    rotations[:, knee] = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), bend)
    eased = within_limits(limits, rotations, fps=FPS)
    assert limits.excess(rotations).max() > 0.3
    assert limits.excess(eased).max() < 1e-6
    assert np.array_equal(eased[:, head], rotations[:, head])
    # A clamped joint stops within one frame; an eased one does not.
    jolts = [
        np.abs(np.diff(rot.angular_velocity(q[:, knee], FPS), axis=0)).max() for q in (limits.clamped(rotations), eased)
    ]
    assert jolts[1] < 0.5 * jolts[0]


def test_a_wrist_turned_by_half_a_turn_does_not_come_back_from_the_other_side() -> None:
    skeleton = person()
    limits = fit_body(skeleton).limits
    rotations = np.broadcast_to(skeleton.rest_rotations, (120, len(skeleton), 4)).copy()
    hand = skeleton.index("leftHand")
    rotations[:, hand] = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), np.linspace(2.9, 3.4, 120))
    eased = within_limits(limits, rotations, fps=FPS)
    assert limits.excess(eased).max() < 1e-6
    assert np.abs(rot.angular_velocity(eased[:, hand], FPS)).max() < 1.0


def test_motions_within_their_limits_are_returned_as_they_are() -> None:
    skeleton = person()
    rotations = np.broadcast_to(skeleton.rest_rotations, (5, len(skeleton), 4)).copy()
    assert within_limits(fit_body(skeleton).limits, rotations, fps=FPS) is rotations
