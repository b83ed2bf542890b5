"""Retargeting, repair and the performer's clips: SOLVED if and only if the judge has passed them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import understudy as us
from understudy import rotations as rot
from understudy.api.clips import clip_result
from understudy.core.motion import Motion


@pytest.fixture(scope="module")
def idle() -> Motion:
    return us.builtin_clips("idle")[0].frames(0, 180)


def with_arm_in_trunk(motion: Motion) -> Motion:
    """An upper arm pressed into the ribs for half a second."""
    rotations, joint = motion.rotations.copy(), motion.skeleton.humanoid["leftUpperArm"]
    turn = rot.exp(np.hanning(62)[1:-1, None] * np.array([0.0, 0.0, -0.9]))
    rotations[60:120, joint] = rot.multiply(rotations[60:120, joint], turn)
    return replace(motion, rotations=rotations)


def test_a_retargeted_motion_is_judged_and_says_so_in_its_file(idle: Motion, tmp_path: Path) -> None:
    result = us.retarget(idle, idle.skeleton.scaled(0.8))
    assert result.status, result.reason
    assert result.motion is not None and result.motion.origin.kind == "made"
    saved = us.save(result, tmp_path / "child.bvh")
    assert saved.report is not None and saved.report.ok
    assert us.verify_file(tmp_path / "child.bvh").ok
    assert us.load_motion(tmp_path / "child.bvh").origin.kind == "made"


def test_a_retargeted_motion_that_breaks_a_bar_is_not_solved(idle: Motion, tmp_path: Path) -> None:
    result = us.retarget(idle, idle.skeleton.scaled(0.8), bars=us.Bars(velocity_ratio=0.001))
    assert not result.status and result.motion is not None
    assert "too fast" in result.reason
    us.save(result, tmp_path / "refused.bvh")
    assert not us.verify_file(tmp_path / "refused.bvh").ok


def test_evidence_on_another_body_counts_at_the_same_moment(idle: Motion) -> None:
    """A child may press its arm on its ribs when the grown-up did, and no deeper."""
    pressed = with_arm_in_trunk(idle)
    child = us.retarget(pressed, idle.skeleton.scaled(0.8))
    assert child.claim is not None
    assert "penetration" not in us.verify(child.claim).broken
    later = replace(child.claim, evidence={"": (replace(pressed, rotations=np.roll(pressed.rotations, 90, axis=0)),)})
    assert "penetration" in us.verify(later).broken


def test_a_repaired_recording_is_judged(idle: Motion) -> None:
    rotations, joint = idle.rotations.copy(), idle.skeleton.humanoid["rightLowerArm"]
    rotations[80, joint] = rot.multiply(rotations[80, joint], rot.exp(np.array([0.5, 0.0, 0.0])))
    popped = replace(idle, rotations=rotations)
    result = us.clean(popped)
    assert result.trace is not None and len(result.trace.repairs) == 1
    assert result.status, result.reason
    assert result.motion is not None and result.motion.origin.kind == "made"
    assert not us.clean(popped, bars=us.Bars(velocity_ratio=0.001)).status


def test_nothing_to_repair_leaves_a_recording(idle: Motion) -> None:
    result = us.clean(idle)
    assert result.status and result.motion is idle


def test_a_clip_of_the_performer_is_judged_without_evidence(idle: Motion) -> None:
    result = clip_result(idle)
    assert result.status, result.reason
    assert result.motion is not None and result.motion.origin.kind == "performer"
    refused = clip_result(with_arm_in_trunk(idle))
    assert not refused.status and "overlaps" in refused.reason
