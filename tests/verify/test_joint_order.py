"""Files list joints in their own order; the verdict does not depend on it."""

from __future__ import annotations

import numpy as np

from understudy.core import Motion
from understudy.performer import Person, performance
from understudy.verify.claim import Claim
from understudy.verify.digests import motion_digest
from understudy.verify.judge import verify


def by_name(motion: Motion) -> Motion:
    """The motion with siblings listed the other way round."""
    skeleton = motion.skeleton
    depths = [0] * len(skeleton)
    for joint, parent in enumerate(skeleton.parents.tolist()[1:], start=1):
        depths[joint] = depths[parent] + 1
    return motion.in_order(sorted(range(len(skeleton)), key=lambda joint: (depths[joint], -joint)))


def test_joints_in_another_order_are_the_same_motion() -> None:
    motion = performance("walk", person=Person(), duration_s=4.0).motion
    turned = by_name(motion)
    assert turned.skeleton.names != motion.skeleton.names
    assert motion_digest(turned) == motion_digest(motion)
    wrist, other = (one.skeleton.index("leftHand") for one in (motion, turned))
    np.testing.assert_allclose(
        motion.skeleton.placed_joints(motion.root_positions[7], motion.rotations[7])[0][wrist],
        turned.skeleton.placed_joints(turned.root_positions[7], turned.rotations[7])[0][other],
    )


def test_evidence_in_another_order_is_evidence_of_the_same_frames() -> None:
    clip = performance("walk", person=Person(), duration_s=4.0).motion
    made = by_name(clip).made_from([clip])
    for evidence in (clip, by_name(clip)):
        report = verify(Claim(motions=(("", made),), evidence={"": (evidence,)}))
        assert report.ok, report.reason
        feet = report.characters[0].foot_skate
        assert feet is not None and feet.added is not None and feet.added.slide is not None
        assert feet.added.slide.way_mm < 1e-6
