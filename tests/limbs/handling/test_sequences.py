"""Sequences: back-tracking over hands and orders, two hands on one object, several people."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from handling_stages import crate_stage, in_hand, kitchen, standing
from understudy import rotations as rot
from understudy.api.evidence import Evidence
from understudy.api.handling import grab, place
from understudy.api.handling_judge import HandlingJudge
from understudy.api.performing import engine_of
from understudy.core import Status
from understudy.core.violations import Violation
from understudy.limbs.handling import HandlingOptions, Judge, Play
from understudy.scene import Task
from understudy.skills.engine import Outcome
from understudy.skills.on_motion import Hands

CALM = HandlingOptions(gaze=False)


def in_sequence(play: Play, tasks: list[Task], judge: Judge, options: HandlingOptions = CALM) -> Outcome:
    hands = Hands(judge=judge, options=options)
    return engine_of(tasks, play, lambda task: hands, options, options.watch()).run()


def planted(said: str) -> list[Violation]:
    return [Violation(kind="claim", value=1.0, bar=0.0, detail=f"planted: {said}")]


def opened() -> Play:
    return Play(scene=kitchen(), sources={"anna": standing()})


def test_an_earlier_task_is_done_otherwise_when_a_later_one_fails() -> None:
    play = opened()
    tasks = [
        Task(character="anna", do="touch", target=(-0.1, 1.1, 0.4), at_s=1.6),
        Task(character="anna", do="touch", target=(-0.3, 1.1, 0.4), hand="right", at_s=3.6),
    ]
    first: list[str] = []

    def judge(before: Play, deed) -> list[Violation]:
        if len(before.marks) == 0:
            first.append(deed.hands[0])
            return []
        return [] if before.marks[0].hand == "left" else planted("only after the left hand")

    outcome = in_sequence(play, tasks, judge)
    assert outcome.status, outcome.reason
    assert outcome.done[0].deed.hands == ("left",) and outcome.backtracks >= 1
    assert first[0] == "right"  # the nearer hand was tried first


def test_the_failing_task_is_planned_first_when_nothing_else_helps() -> None:
    tasks = [
        Task(character="anna", do="touch", target=(-0.3, 1.1, 0.4), hand="right", at_s=2.0, name="one"),
        Task(character="anna", do="touch", target=(0.3, 1.1, 0.4), hand="left", at_s=2.2, name="two"),
    ]

    def judge(before: Play, deed) -> list[Violation]:
        return planted("left first") if deed.hands == ("left",) and before.marks else []

    outcome = in_sequence(opened(), tasks, judge, replace(CALM, backtracks=1))
    assert outcome.status, outcome.reason
    assert outcome.orders == 2
    times = {mark.hand: mark.time_s for mark in outcome.play.marks}
    assert abs(times["right"] - 2.0) < 1e-9 and abs(times["left"] - 2.2) < 1e-9


def test_a_failure_names_the_task_and_keeps_what_was_done() -> None:
    tasks = [
        Task(character="anna", do="touch", target=(-0.3, 1.1, 0.4), hand="right", at_s=2.0),
        Task(character="anna", do="touch", target=(-0.3, 2.9, 0.4), hand="right", at_s=4.0, name="ceiling"),
    ]
    outcome = in_sequence(opened(), tasks, lambda before, deed: (), replace(CALM, backtracks=0))
    assert outcome.status is Status.INFEASIBLE_GOAL
    assert outcome.reason.startswith('task 2 of 2 "ceiling"') and "cm too far" in outcome.reason
    assert [bool(one.status) for one in outcome.done] == [True, False]
    assert len(outcome.play.marks) == 1


def test_two_hands_keep_their_grip_at_every_frame_and_put_the_crate_down() -> None:
    play = Play(scene=crate_stage(), sources={"anna": standing()})
    tasks = [
        Task(character="anna", do="grab", object="crate", hand="both", at_s=3.0),
        Task(character="anna", do="place", object="crate", target="stand", hand="both", at_s=5.6),
    ]
    outcome = in_sequence(play, tasks, HandlingJudge(Evidence(play.scene, play.sources, {})))
    assert outcome.status, outcome.reason
    motion, scene = outcome.play.motion("anna"), outcome.play.scene
    frames = np.arange(90, 168)
    for hand in ("right", "left"):
        at, turned = in_hand(scene, motion, "crate", hand, frames)
        assert np.linalg.norm(at - at[0], axis=1).max() < 1e-3
        assert np.degrees(rot.angle_between(turned, turned[:1]).max()) < 1.0
    # A planted fault: somebody bends the left elbow by two degrees in one frame.
    bent = np.array(motion.rotations)
    elbow = motion.skeleton.humanoid["leftLowerArm"]
    bent[120, elbow] = rot.multiply(bent[120, elbow], rot.exp(np.array([0.0, np.radians(2.0), 0.0])))
    at, _ = in_hand(scene, replace(motion, rotations=bent), "crate", "left", frames)
    assert np.linalg.norm(at - at[0], axis=1).max() > 1e-3
    rests = scene.object_track("crate", [5.7, 8.0])[0]
    assert np.abs(rests[0] - rests[1]).max() == 0.0 and abs(rests[0, 1] - 1.08) < 1e-9
    end = int(np.ceil(outcome.done[1].deed.changes[0].end_s * 30)) + 1
    arms = [*motion.skeleton.limb("left_arm"), *motion.skeleton.limb("right_arm")]
    assert np.array_equal(motion.rotations[end:, arms], standing().rotations[end:, arms])


def test_what_both_hands_took_in_one_call_both_put_down_in_the_next() -> None:
    taken = grab(standing(), crate_stage(), "crate", hand="both", at=3.0, options=CALM)
    assert taken.status, taken.reason
    laid = place(taken.motion, taken.trace.scene, "crate", "stand", at=5.6, character="anna", options=CALM)
    assert laid.status, laid.reason
    assert laid.trace.deed.hands == ("right", "left")
    for hand in ("right", "left"):
        at, _ = in_hand(laid.trace.scene, laid.motion, "crate", hand, np.arange(90, 168))
        assert np.linalg.norm(at - at[0], axis=1).max() < 1e-3
    arms = [*standing().skeleton.limb("left_arm"), *standing().skeleton.limb("right_arm")]
    assert np.array_equal(laid.motion.rotations[-1, arms], standing().rotations[-1, arms])
    # Nobody touches it longer than it takes to let go.
    ends = [rule.end_s for rule in laid.trace.scene.allowed_contacts if "crate" in (rule.a, rule.b)]
    assert ends and max(ends) < np.inf


def test_unknown_kinds_of_two_handed_tasks_are_refused() -> None:
    from understudy.errors import PlanningInputError

    task = Task(character="anna", do="touch", object="cup", hand="both", at_s=2.0)
    with pytest.raises(PlanningInputError, match="both hands can grab and place"):
        in_sequence(opened(), [task], lambda before, deed: ())
