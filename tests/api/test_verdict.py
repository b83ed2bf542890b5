"""One verdict: solved if and only if the judge passes the claim, whatever a planner says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import understudy as us
from understudy.api.verdict import Verdict
from understudy.core.planning import Result, Status
from understudy.scene.shapes import Box
from understudy.verify.claim import Claim


@pytest.fixture(scope="module")
def idle() -> us.Motion:
    return us.builtin_clips("idle")[0]


def test_a_planner_that_calls_a_floating_motion_solved_is_not_believed(idle: us.Motion) -> None:
    up = replace(idle, root_positions=idle.root_positions + np.array([0.0, 0.3, 0.0]))
    verdict = Verdict(lambda motion, trace: Claim(motions=(("", motion),), evidence={"": (idle,)}, floor=True))
    result = verdict.settled(Result(status=Status.SOLVED, motion=up))
    assert result.status is Status.EXHAUSTED
    assert "carries" in result.reason


def test_what_is_solved_is_marked_as_made_and_brings_its_evidence(idle: us.Motion) -> None:
    at = 0.5 * idle.duration_s
    first = us.reach(idle, None, hand="right", target=(-0.3, 1.2, 0.4), at=at)
    assert first.status, first.reason
    assert first.motion is not None and first.motion.origin.kind == "made"
    assert first.motion.evidence == (idle,)
    assert us.verify(first.claim).ok
    second = us.reach(first.motion, None, hand="left", target=(0.3, 1.2, 0.4), at=at)
    assert second.status, second.reason
    # The evidence of what was made from a made motion is the recording, never the made motion.
    assert second.claim.evidence[""] == (idle,)


def test_a_made_motion_is_no_evidence(idle: us.Motion) -> None:
    made = idle.made_from([idle])
    report = us.verify(idle, source=made)
    assert "claim" in report.broken
    assert "evidence" in report.reason


def test_violations_say_who_what_when_and_by_how_much(idle: us.Motion) -> None:
    scene = us.Scene().with_object("post", Box(size_m=(0.3, 2.0, 0.3)), position=(0.0, 1.0, 0.0))
    report = us.verify(idle, scene)
    worst = next(one for one in report.violations if one.kind == "penetration")
    assert worst.other == "post" and worst.value > worst.bar and worst.unit == "m" and worst.time_s is not None
    assert not report.ok and report.reason.startswith(str(report.violations[0]))
    assert report.to_json()["violations"][0]["kind"] == report.violations[0].kind
