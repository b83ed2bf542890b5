"""Joints that shake: found where people would see it, not found in what people do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tools.everyday_tremor import module_text, recordings, tables

import understudy as us
from understudy import rotations as rot
from understudy.core import Motion, fit_body
from understudy.core.everyday import usual_tremor
from understudy.performer import performance
from understudy.verify.bars import Bars
from understudy.verify.forward import Performer
from understudy.verify.tremor import kept_up, tremor

MODULE = Path(__file__).resolve().parents[2] / "src/understudy/core/everyday.py"


def shaken(motion: Motion, role: str, *, degrees: float, hertz: float, seconds: float, at_s: float = 1.0) -> Motion:
    """A motion in which one joint goes to and fro for a while."""
    times = motion.times_s - at_s
    swing = np.radians(degrees) * np.sin(2.0 * np.pi * hertz * times) * ((times > 0.0) & (times < seconds))
    rotations, joint = motion.rotations.copy(), motion.skeleton.humanoid[role]
    rotations[:, joint] = rot.multiply(rotations[:, joint], rot.exp(swing[:, None] * np.array([1.0, 0.0, 0.0])))
    return replace(motion, rotations=rotations)


@pytest.fixture(scope="module")
def idle() -> Motion:
    return performance("idle", duration_s=5.0).motion


@pytest.mark.parametrize(
    ("role", "degrees"), [("leftLowerArm", 8.0), ("rightUpperArm", 8.0), ("head", 4.0), ("hips", 4.0)]
)
@pytest.mark.parametrize("hertz", [5.0, 7.0, 9.0])
def test_a_joint_that_shakes_for_a_second_is_found(idle: Motion, role: str, degrees: float, hertz: float) -> None:
    found = tremor(shaken(idle, role, degrees=degrees, hertz=hertz, seconds=1.0))
    assert found.joint == role
    assert found.ratio > Bars().tremor_ratio
    assert found.time_s == pytest.approx(1.5, abs=0.4)


def test_neither_a_gesture_nor_a_knock_is_a_tremor(idle: Motion) -> None:
    waving = shaken(idle, "leftLowerArm", degrees=25.0, hertz=1.5, seconds=3.0)
    knock = shaken(idle, "leftLowerArm", degrees=8.0, hertz=7.0, seconds=0.2)
    for motion in (idle, waving, knock):
        assert tremor(motion).ratio < Bars().tremor_ratio


def test_evidence_that_trembles_allows_as_much(idle: Motion) -> None:
    motion = shaken(idle, "leftHand", degrees=12.0, hertz=6.0, seconds=2.0)
    source = Performer(name="", motion=motion, body=fit_body(motion.skeleton))
    found = tremor(motion, [source])
    assert found.ratio <= 1.01
    assert found.usual > usual_tremor("leftHand")
    assert tremor(motion, known=found.known) == found


def test_the_judge_refuses_it_in_what_was_made(idle: Motion) -> None:
    report = us.verify(shaken(idle, "spine", degrees=4.0, hertz=6.0, seconds=1.5).made_from(()))
    assert "tremor" in report.broken
    assert "tremor" not in us.verify(idle.made_from(())).broken
    assert "tremor" in report.table() and report.to_json()["characters"][0]["tremor"]["joint"] == "spine"


def test_short_motions_and_few_frames_a_second_have_none(idle: Motion) -> None:
    assert kept_up(idle.slice(0.0, 0.5)) == {}
    assert kept_up(idle.resampled(5.0)) == {}


def test_the_script_makes_the_table(shared_motion: Path) -> None:
    text = MODULE.read_text(encoding="utf-8")
    assert module_text(text, *tables(recordings(shared_motion))) == text


def test_most_recordings_stay_below_the_bar(clip: Callable[[str], Motion]) -> None:
    for name in ("16_16", "16_31", "69_13", "82_10", "137_26"):
        assert tremor(clip(name)).ratio < Bars().tremor_ratio
