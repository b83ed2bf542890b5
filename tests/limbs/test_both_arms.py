"""An arm that cannot be repaired alone is planned through the other one, which then moves out of its way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import understudy as us
from limb_stages import beside, walk
from understudy.core import Motion, Status
from understudy.limbs import EndTarget, LimbOptions, Stage, Touch, both_arms, correcting, stage_of, touches, window_of
from understudy.limbs.ik import reachable_postures
from understudy.limbs.legs import changed_rotations
from understudy.limbs.repair import repair
from understudy.limbs.targets import hand_point
from understudy.limbs.trace import Change

AT = 1.4
LEFT = ("left_upper_arm", "left_forearm", "left_hand")


def palm(motion: Motion, side: str) -> np.ndarray:
    pose = motion.pose_at(AT)
    places, turns = motion.skeleton.placed_joints(pose.root_position, pose.rotations)
    joint = motion.skeleton.humanoid[f"{side}Hand"]
    point = hand_point(stage_of(motion), side, fingers=False)
    return np.asarray(places[joint] + us.rotations.rotate(turns[joint], point))


@pytest.fixture(scope="module")
def crossed() -> Motion:
    """A walk with the left hand brought before the body, towards the right one."""
    motion = walk()
    x, y, z = (palm(motion, "right") + np.array([0.2, 0.2, 0.2])).tolist()
    result = us.reach(motion, None, hand="left", target=(x, y, z), at=AT)
    assert result.status and result.motion is not None
    return result.motion


def through_the_left_hand(stage: Stage) -> Stage:
    """The stage with the right hand where the left one is, for a moment."""
    space = stage.space("right_arm")
    window = window_of(stage, space, 50, 120)
    end = EndTarget(position=palm(stage.motion, "left"), point=hand_point(stage, "right", fingers=False))
    posture = reachable_postures(window, AT, end).found[0]
    away = np.clip((window.frame_times_s - AT) / 0.5, -1.0, 1.0)
    offsets = ((1.0 - away**2) ** 3)[:, None] * posture.offset
    rotations = changed_rotations(stage.motion, space, window.first, offsets)
    return stage.with_motion(replace(stage.motion, rotations=rotations))


def test_parts_that_are_ignored_are_in_nobodys_way(crossed: Motion) -> None:
    stage = stage_of(crossed)
    end = EndTarget(position=palm(crossed, "left"), point=hand_point(stage, "right", fingers=False))
    for ignored, found in ((LEFT, True), ((), False)):
        now = stage.ignoring(ignored)
        window = window_of(now, now.space("right_arm"), 60, 110)
        postures = reachable_postures(window, AT, end)
        assert bool(postures.found) == found
        if not found:
            assert "left" in postures.blame[1]


def test_the_other_arm_moves_out_of_the_way(crossed: Motion, monkeypatch: pytest.MonkeyPatch) -> None:
    stage, options = stage_of(crossed), LimbOptions()
    touch = Touch(limb="right_arm", start_s=1.3, end_s=1.5, pairs=(("right_hand", "box"),), first=78, last=90)

    def repaired(now: Stage, one: Touch, *rest: object, **options: object) -> tuple[Stage, Change]:
        if one is touch:
            assert now.ignored == set(LEFT)
            made = Change(limb="right_arm", start_s=0.9, end_s=1.9, status=Status.SOLVED)
            return through_the_left_hand(now), made
        return repair(now, one, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(both_arms, "repair", repaired)
    found = both_arms.with_both_arms(stage, touch, [touch], options, options.watch(), seed=0)
    assert found is not None
    now, changes = found
    assert [change.limb.removesuffix("_spine") for change in changes][:2] == ["right_arm", "left_arm"]
    assert all(change.status for change in changes)
    assert not now.ignored
    assert not touches(now, "left_arm", itself=True)
    right = [name for one in touches(now, "right_arm", itself=True) for pair in one.pairs for name in pair]
    assert not [name for name in right if name in LEFT]
    assert np.linalg.norm(palm(now.motion, "left") - palm(now.motion, "right")) > 0.06


def test_a_correction_asks_for_both_arms_last(monkeypatch: pytest.MonkeyPatch) -> None:
    motion = walk()
    scene = beside(motion)

    def alone(stage: Stage, touch: Touch, *_: object, **__: object) -> tuple[Stage, Change]:
        failed = Change(
            limb=touch.limb,
            start_s=touch.start_s,
            end_s=touch.end_s,
            status=Status.EXHAUSTED,
            reason="not alone",
            because=(touch,),
        )
        return stage, failed

    monkeypatch.setattr(correcting, "repair", alone)
    both = us.correct(motion, scene, limbs=["right_arm", "left_arm"])
    assert both.status is Status.SOLVED, both.reason
    assert both.trace is not None and both.trace.planned[0].startswith("right_arm")
    single = us.correct(motion, scene, limbs=["right_arm"])
    assert single.status is Status.EXHAUSTED
    assert "not alone" in single.reason
