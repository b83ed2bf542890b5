"""Libraries from clips of any rigs: one skeleton in the end, and no library that nobody can walk with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import understudy as us
from people import person, wander
from understudy.errors import PlanningInputError, SkeletonError
from understudy.performer import builtin_clips


def chain() -> us.Motion:
    """Four joints in a row: nobody."""
    skeleton = us.Skeleton(names=("a", "b", "c", "d"), parents=np.array([-1, 0, 1, 2]), offsets=np.full((4, 3), 0.1))
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (90, 4, 1))
    return us.Motion(skeleton=skeleton, fps=30.0, root_positions=np.zeros((90, 3)), rotations=rotations, name="chain")


def test_clips_of_two_rigs_make_one_library_for_a_third_that_walks() -> None:
    clips = builtin_clips("walk")
    rig = person(1.05)
    other = us.retarget(clips[0], replace(rig, names=tuple(f"rig:{name}" for name in rig.names))).motion
    assert other is not None
    found = us.library_from([replace(other, name="of another rig"), *clips, chain()], skeleton=person(0.95), walks=2)
    assert found.walked == found.walks == 2
    assert found.library.footage.skeleton.same_joints(person())
    assert any("chain" in note and "left out" in note for note in found.library.notes)
    assert any("retargeted" in note for note in found.library.notes)
    assert any("2 of 2 trial walks" in note for note in found.library.notes)


def test_a_library_that_nobody_walks_with_is_not_handed_out() -> None:
    """Thighs as long as ever over shanks of a third of their length: every bent knee puts a foot into a thigh."""
    walk = next(clip for clip in builtin_clips("walk") if clip.name == "walk")
    offsets = walk.skeleton.offsets.copy()
    for role in ("leftLowerLeg", "rightLowerLeg", "leftFoot", "rightFoot"):
        offsets[walk.skeleton.index(role)] *= 0.3
    odd = replace(walk, skeleton=replace(walk.skeleton, offsets=offsets))
    with pytest.raises(PlanningInputError, match="not handed out"):
        us.library_from([odd], walks=1)


def test_nobody_and_unusable_skeletons_are_refused() -> None:
    with pytest.raises(PlanningInputError, match="clip of a person"):
        us.library_from([chain()])
    with pytest.raises(SkeletonError):
        us.library_from([wander(person())], skeleton=chain().skeleton)


def test_one_clip_that_cannot_go_on_is_enough_to_walk_anywhere_and_it_says_how() -> None:
    walk = next(clip for clip in builtin_clips("walk") if clip.name == "start")
    found = us.library_from([walk], walks=2)
    assert found.by_clips == 0 and found.walked == found.walks == 2
    assert any("made of steps" in note for note in found.library.notes)
    stage = us.Scene()
    for start, goal in (((0.0, 0.0), (1.0, 3.0)), ((2.0, -1.0), (-2.0, -1.0))):
        result = us.walk(found.library, stage, start=us.Spot(position=start, still=True), goal=goal)
        assert result.status, result.reason
        assert result.trace.synthesised_s > 0.0
