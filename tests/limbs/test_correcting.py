"""Correcting: every collision found, only what is needed changed, honest about the rest."""

from __future__ import annotations

import numpy as np
import pytest

import understudy as us
from limb_stages import crowded, long_walk
from understudy.core import Motion, Status
from understudy.errors import PlanningInputError
from understudy.limbs import LimbOptions, stage_of, touches
from understudy.scene import Scene
from understudy.scene.attachments import Attachment
from understudy.scene.shapes import Box, Capsule, Cylinder
from understudy.scene.transforms import Transform


@pytest.fixture(scope="module")
def corrected(motion: Motion, scene: Scene) -> us.Result[us.LimbTrace]:
    return us.correct(motion, scene)


def test_the_source_really_collides_and_the_result_does_not(
    motion: Motion, scene: Scene, corrected: us.Result[us.LimbTrace]
) -> None:
    assert not us.verify(motion, scene, source=motion).ok
    assert corrected.status is Status.SOLVED
    assert corrected.motion is not None
    assert us.verify(corrected.motion, scene, source=motion).ok


def test_nothing_but_the_limb_within_its_windows_is_touched(motion: Motion, corrected: us.Result[us.LimbTrace]) -> None:
    assert corrected.motion is not None and corrected.trace is not None
    assert np.array_equal(corrected.motion.root_positions, motion.root_positions)
    changed = np.argwhere(np.any(corrected.motion.rotations != motion.rotations, axis=-1))
    space = stage_of(motion).space("right_arm")
    assert set(changed[:, 1].tolist()) <= set(space.joints)
    for frame in set(changed[:, 0].tolist()):
        assert any(one.start_s < frame / motion.fps < one.end_s for one in corrected.trace.changes)
    assert corrected.trace.changed_s < motion.duration_s


def test_velocity_is_continuous_at_the_seams(motion: Motion, corrected: us.Result[us.LimbTrace]) -> None:
    assert corrected.motion is not None and corrected.trace is not None
    offsets = np.abs(corrected.motion.rotations - motion.rotations).max(axis=(1, 2))
    edges = np.flatnonzero(np.diff((offsets > 0).astype(int)) != 0)
    # A kernel of C2 shape leaves and meets zero with the third power of time.
    assert len(edges) >= 2
    assert all(offsets[frame : frame + 2].max() < 2e-4 for frame in edges)


def test_touches_are_found_even_between_frames(motion: Motion) -> None:
    # A thin plate that is crossed between two frames only.
    coarse = motion.resampled(15.0)
    hand = coarse.skeleton.humanoid["rightHand"]
    places = [coarse.skeleton.placed_joints(coarse.root_positions[f], coarse.rotations[f])[0][hand] for f in (20, 21)]
    middle = 0.5 * (places[0] + places[1])
    plate = Scene().with_object("plate", Box(size_m=(0.02, 0.02, 0.001)), position=tuple(middle))
    found = touches(stage_of(coarse, plate), "right_arm")
    assert [touch.pairs[0][1] for touch in found] == ["plate"]
    assert found[0].start_s <= 20.5 / 15.0 <= found[0].end_s


def test_every_limb_that_collides_is_found(motion: Motion) -> None:
    scene = crowded(motion, floor=False)
    report = us.verify(motion, scene, source=motion)
    hit = {(pair.a.split(".")[-1], pair.b) for pair in report.penetration.pairs if pair.depth_m > 1e-3}
    stage = stage_of(motion, scene)
    found = {
        pair[1]
        for limb in ("left_arm", "right_arm", "left_leg", "right_leg")
        for touch in touches(stage, limb)
        for pair in touch.pairs
    }
    limbs = {"hand", "forearm", "upper_arm", "thigh", "shank", "foot", "toes"}
    assert {thing for part, thing in hit if part.split("_", 1)[-1] in limbs} <= found


def test_a_carried_staff_is_part_of_the_arm(motion: Motion) -> None:
    places, _ = motion.skeleton.placed_joints(motion.root_positions[90], motion.rotations[90])
    hand = places[motion.skeleton.humanoid["rightHand"]]
    scene = Scene(floor=False).with_object("staff", Capsule(radius_m=0.015, length_m=0.5))
    scene = scene.with_object(
        "post", Cylinder(radius_m=0.03, height_m=0.5), position=(float(hand[0]) - 0.22, float(hand[1]), float(hand[2]))
    )
    scene = scene.with_character("anna", motion=motion)
    sideways = Transform(position=(0.0, -0.06, 0.0), rotation=(np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)))
    scene = scene.with_attachment(Attachment(object="staff", to="anna.right_hand", grip=sideways))
    stage = stage_of(motion, scene)
    loads = stage.loads(stage.space("right_arm").moved, 0.0, motion.duration_s)
    assert [load.name for load in loads] == ["staff"]
    found = [pair for touch in touches(stage, "right_arm") for pair in touch.pairs]
    if ("staff", "post") in found:
        result = us.correct(motion, scene, limbs=["right_arm"])
        assert result.status is Status.SOLVED, result.reason
        assert us.verify(result.motion, scene, source=motion).ok


def test_what_cannot_be_repaired_is_named(motion: Motion) -> None:
    # A wall across the way: the arm is in it whatever it does.
    middle = motion.root_positions[90]
    wall = Box(size_m=(1.2, 2.0, 0.3))
    scene = Scene(floor=False).with_object("wall", wall, position=(float(middle[0]) - 0.7, 1.0, float(middle[2])))
    result = us.correct(motion, scene, limbs=["right_arm"], options=LimbOptions(attempts=1, iterations=100))
    assert result.status in (Status.EXHAUSTED, Status.INFEASIBLE_START, Status.INFEASIBLE_GOAL)
    assert "wall" in result.reason and "right_" in result.reason
    assert result.motion is not None
    assert np.array_equal(result.motion.rotations, motion.rotations)
    assert result.trace is not None and result.trace.left


def test_a_free_motion_comes_back_as_it_is(motion: Motion) -> None:
    result = us.correct(motion, Scene(floor=False))
    assert result.status is Status.SOLVED
    assert result.motion is motion


def test_bad_input_is_said(motion: Motion, scene: Scene) -> None:
    with pytest.raises(PlanningInputError, match='did you mean "left_arm"'):
        us.correct(motion, scene, limbs=["left_amr"])
    crowd = scene.with_character("anna", motion=motion).with_character("bob", motion=motion)
    with pytest.raises(PlanningInputError, match="anna, bob"):
        us.correct(motion, crowd)


def test_a_deadline_is_kept(motion: Motion, scene: Scene) -> None:
    result = us.correct(motion, scene, options=LimbOptions(deadline_s=1e-6))
    assert result.status is Status.TIMED_OUT
    assert result.motion is not None


def test_one_problem_is_solved_with_a_low_or_a_high_arm() -> None:
    motion = long_walk()
    bar = Scene().with_object("bar", Box(size_m=(0.5, 0.07, 0.07)), position=(-0.5, 0.92, 3.6))
    space = stage_of(motion).space("right_arm")
    raised, highest = [], []
    for style in ((-1.6, -0.75), (-0.6, 1.2)):
        result = us.correct(
            motion, bar, limbs=["right_arm"], options=LimbOptions(style={"shoulder_raise": style}, seed=1)
        )
        assert result.status, result.reason
        frame = int(np.any(result.motion.rotations != motion.rotations, axis=(1, 2)).nonzero()[0].mean())
        parameters = space.parameters(result.motion.rotations[frame - 20 : frame + 20])
        raised.append(parameters[:, space.index("shoulder_raise")].max())
        hand = motion.skeleton.humanoid["rightHand"]
        placed = [
            motion.skeleton.placed_joints(motion.root_positions[f], result.motion.rotations[f])[0][hand, 1]
            for f in range(frame - 20, frame + 20)
        ]
        highest.append(max(placed))
    assert raised[1] - raised[0] > 0.3
    assert highest[1] > highest[0] + 0.05
