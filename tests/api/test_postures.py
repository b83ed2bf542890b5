"""Between postures, judged: what is called solved passes the judge at 1 kHz; faults are reported and mended."""

from __future__ import annotations

import numpy as np
import pytest

import understudy as us
from understudy.api.postures import report_on
from understudy.core import fit_body
from understudy.core.violations import Violation
from understudy.performer import posture
from understudy.postures import between
from understudy.scene import Scene, Sphere


@pytest.mark.parametrize(
    "pair", [("arms_folded", "arms_folded_mirror"), ("eagle", "hands_behind_back"), ("lying", "contortion")]
)
def test_solved_means_judged_at_a_thousand_hertz(pair: tuple[str, str]) -> None:
    result = us.between(*pair)
    assert result.status is us.Status.SOLVED, result.reason
    assert result.motion is not None
    assert result.trace is not None
    report = report_on(None, result.motion.resampled(1000.0), result.trace)
    assert report.ok, report.table()


def test_a_ball_is_kept_clear_of() -> None:
    stage = Scene().with_object("ball", Sphere(radius_m=0.15), position=(0.5, 1.3, 0.25))
    result = us.between("t", "arms_folded", scene=stage)
    assert result.status is us.Status.SOLVED, result.reason
    assert result.motion is not None
    assert us.verify(result.motion, stage, bars=us.Bars(self_overlap_m=0.0)).ok


def test_the_judge_is_asked() -> None:
    keys = [posture("relaxed"), posture("arms_folded")]
    keys[1] = posture("arms_folded", person=keys[0].skeleton)
    ugly = Violation(kind="claim", value=1.0, bar=0.0, detail="it is ugly")
    refused = between(keys, judge=lambda motion, trace: [ugly] if trace.legs else [])
    assert refused.status is us.Status.EXHAUSTED
    assert refused.reason == str(ugly)
    assert refused.motion is not None
    held = between(keys, judge=lambda motion, trace: [] if trace.legs else [ugly])
    assert held.status is us.Status.INFEASIBLE_START, "keys are shown to the judge before anything is planned"
    assert held.reason.startswith(f"posture 0, borne by its feet, cannot be held: {ugly}")


def test_what_lies_in_the_floor_is_lifted_out() -> None:
    lying = posture("lying")
    deep = us.Pose(
        skeleton=lying.skeleton,
        root_position=lying.root_position - np.array([0.0, 0.03, 0.0]),
        rotations=lying.rotations,
    )
    result = us.between(deep, "contortion_1")
    assert result.status is us.Status.INFEASIBLE_START
    assert "in floor by 30.0 mm" in result.reason
    mended = us.between(deep, "contortion_1", options=us.BetweenOptions(relax=True))
    assert mended.status is us.Status.SOLVED, mended.reason
    assert mended.motion is not None
    assert mended.motion.root_positions[0, 1] == pytest.approx(lying.root_position[1], abs=1e-3)


def test_faulty_postures_are_reported_and_relaxed() -> None:
    good = posture("arms_folded")
    limits = fit_body(good.skeleton).limits
    at = limits.coordinates(good.rotations)
    at[good.skeleton.index("leftUpperArm"), 1] += 0.25
    at[good.skeleton.index("leftLowerLeg"), 0] = -0.5
    bad = us.Pose(skeleton=good.skeleton, root_position=good.root_position, rotations=limits.rotations(at))
    result = us.between("relaxed", bad)
    assert result.status is us.Status.INFEASIBLE_GOAL
    assert result.trace is not None
    fault = result.trace.faults[0]
    assert fault.posture == 1
    assert fault.overlaps
    assert fault.overlaps[0].depth_m > 0.0
    assert fault.limits["leftLowerLeg"] == pytest.approx(0.5 - np.radians(10.0), abs=1e-6)
    assert fault.overlaps[0].a in result.reason
    assert us.between(bad, "relaxed").status is us.Status.INFEASIBLE_START
    far = us.between("relaxed", bad, options=us.BetweenOptions(relax=True))
    assert far.status is us.Status.INFEASIBLE_GOAL, "another posture than asked for is no answer"
    assert "more than the 50 mm allowed" in far.reason
    mended = us.between("relaxed", bad, options=us.BetweenOptions(relax=True, relax_m=0.5))
    assert mended.trace is not None
    moved = mended.trace.relaxed[0]
    assert moved.posture == 1
    assert moved.joints_m[moved.joint] == moved.moved_m > 0.05


def test_named_postures_stand_where_they_are_pinned() -> None:
    result = us.between("relaxed", "eagle", pins=["rightFoot"])
    assert result.status is us.Status.SOLVED, result.reason
    assert result.motion is not None
    at = np.array([result.motion.pose(n).world()[0] for n in range(len(result.motion))])
    assert result.trace is not None
    assert result.trace.floor
    foot = at[:, result.motion.skeleton.index("rightFoot")]
    assert np.linalg.norm(foot - foot[0], axis=1).max() < 1e-3


def test_deadline_and_cancel_are_honoured() -> None:
    import threading

    stop = threading.Event()
    stop.set()
    for options in (us.BetweenOptions(deadline_s=1e-6), us.BetweenOptions(cancel=stop)):
        result = us.between("eagle", "eagle_mirror", options=options)
        assert result.status in (us.Status.TIMED_OUT, us.Status.CANCELLED)
