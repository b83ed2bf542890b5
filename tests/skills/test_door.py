"""Opening a door from start to goal."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.suites.door_variations import variation

from understudy.api.skills import open_door
from understudy.collision import Checker, CollisionBody, world_of
from understudy.core.body_fit import fit_body
from understudy.core.planning import Status
from understudy.errors import OptionError, PlanningInputError
from understudy.skills.door.grip import NEARS_S
from understudy.skills.door.options import DoorOptions
from understudy.skills.door.passing import STEP_RAD
from understudy.skills.door.reach import PRESSED_M
from understudy.skills.door.room import door_room
from understudy.verify.goals import HingeGoal
from understudy.verify.judge import verify


@pytest.fixture(scope="module")
def pushed():  # type: ignore[no-untyped-def]
    return open_door(door_room(width_m=0.95, handle_m=1.1), "door", start=(-0.4, -3.1), goal=(0.0, 2.4))


def test_a_pushed_door_is_opened_and_judged(pushed) -> None:  # type: ignore[no-untyped-def]
    assert pushed.status is Status.SOLVED, pushed.reason
    opened = pushed.trace.opened
    assert opened.timeline.opening.max() > np.radians(50)
    assert opened.motion.root_positions[-1, [0, 2]] == pytest.approx([0.0, 2.4], abs=0.01)


def test_the_palm_stays_on_the_lever_while_it_holds(pushed) -> None:  # type: ignore[no-untyped-def]
    when = pushed.trace.opened.timeline
    frames = np.arange(round(when.grab_s * when.fps) + 1, round(when.release_s * when.fps))
    gaps = _gaps_m(pushed, frames)
    assert np.abs(gaps + PRESSED_M).max() < 5e-4


def test_the_palm_comes_to_the_lever_and_leaves_it_without_pressing_it(pushed) -> None:  # type: ignore[no-untyped-def]
    when = pushed.trace.opened.timeline
    first, last = round(when.grab_s * when.fps), round(when.release_s * when.fps)
    near = round(NEARS_S * when.fps)
    coming = _gaps_m(pushed, np.arange(first - near, first + 1))
    leaving = _gaps_m(pushed, np.arange(last, last + near + 1))
    assert (np.diff(coming) < 0.0).all() and (np.diff(leaving) > 0.0).all()
    assert min(coming[0], leaving[-1]) > 0.02


def _gaps_m(result, frames: np.ndarray) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Distance of the holding hand from the lever."""
    motion, hand = result.motion, f"{result.trace.opened.timeline.hand}_hand"
    body = fit_body(motion.skeleton)
    world = world_of(result.trace.scene, character="performer", end_s=motion.duration_s)
    others = [
        (part, name)
        for part in body.capsule_names
        for name in world.names
        if (part, name) != (hand, result.trace.door.lever)
    ]
    checker = Checker(CollisionBody(body), world, allowed=others)
    found = checker.distances_many(motion.rotations[frames], motion.root_positions[frames], frames / motion.fps)
    return np.asarray(found[:, 0, 0])


def test_a_pulled_door_is_opened_and_judged() -> None:
    scene = door_room(pushed=False, hinge_side="right", width_m=0.9, handle_m=0.95)
    result = open_door(scene, "door", start=(0.3, -2.6), goal=(0.0, 2.4))
    assert result.status is Status.SOLVED, result.reason


@pytest.mark.parametrize(("seed", "is_pushed"), [(6550650, False), (6550950, False), (20052900, True)])
def test_feet_are_put_elsewhere_where_legs_alone_are_to_blame(seed: int, is_pushed: bool) -> None:
    one = variation(seed, pushed=is_pushed)
    result = open_door(one.scene(), "door", start=one.start, goal=one.goal)
    assert result.status is Status.SOLVED, result.reason


def test_a_door_ends_at_the_angle_that_was_asked_for() -> None:
    scene = door_room(width_m=0.95, handle_m=1.1)
    asked = np.radians(62.0)
    result = open_door(scene, "door", start=(-0.4, -3.1), goal=(0.0, 2.4), angle_rad=asked)
    assert result.status is Status.SOLVED, result.reason
    hinge = result.trace.scene.object("door").placement
    assert hinge.angles([result.motion.duration_s])[0] == pytest.approx(asked, abs=STEP_RAD)
    assert any(isinstance(goal, HingeGoal) and not goal.least for goal in result.claim.goals)
    for wrong in (-asked, np.radians(130.0)):
        with pytest.raises(PlanningInputError, match="cannot be opened to"):
            open_door(scene, "door", start=(-0.4, -3.1), goal=(0.0, 2.4), angle_rad=wrong)
    with pytest.raises(PlanningInputError, match="falls shut"):
        open_door(door_room(self_closing=True), "door", start=(0.0, -2.5), goal=(0.0, 2.4), angle_rad=asked)


def test_a_door_that_is_not_where_its_claim_says_is_refused(pushed) -> None:  # type: ignore[no-untyped-def]
    assert verify(pushed.claim).ok
    hinge = pushed.trace.scene.object("door").placement
    end = float(hinge.angles([pushed.motion.duration_s])[0])
    for goal, ok in (
        (HingeGoal(object="door", angle_rad=end), True),
        (HingeGoal(object="door", angle_rad=end - np.radians(8.0)), False),
        (HingeGoal(object="door", angle_rad=end - np.radians(8.0), least=True), True),
        (HingeGoal(object="door", angle_rad=end + np.radians(8.0), least=True), False),
    ):
        report = verify(replace(pushed.claim, goals=(goal,)))
        assert report.ok is ok, report.reason
        assert ok or [(one.kind, one.part) for one in report.violations] == [("goals", "door")]
    with pytest.raises(OptionError, match="has no hinge"):
        verify(replace(pushed.claim, goals=(HingeGoal(object="door_wall_left", angle_rad=1.0),)))


def test_the_leaf_is_never_excused(pushed) -> None:  # type: ignore[no-untyped-def]
    assert all(rule.b != "door" for rule in pushed.trace.opened.rules)


def test_the_door_moves_only_once_it_is_held_and_never_jumps(pushed) -> None:  # type: ignore[no-untyped-def]
    when = pushed.trace.opened.timeline
    before = when.times_s < when.grab_s
    assert when.opening[before].max() == 0.0
    speed = np.diff(when.opening) * when.fps
    assert speed.max() < 2.0
    assert np.abs(np.diff(speed)).max() * when.fps < 40.0


def test_the_same_seed_gives_the_same_motion(pushed) -> None:  # type: ignore[no-untyped-def]
    again = open_door(door_room(width_m=0.95, handle_m=1.1), "door", start=(-0.4, -3.1), goal=(0.0, 2.4))
    assert np.array_equal(again.motion.rotations, pushed.motion.rotations)


def test_an_unreachable_handle_ends_with_a_reason() -> None:
    result = open_door(
        door_room(handle_m=1.99), "door", start=(0.0, -2.0), goal=(0.0, 2.0), options=DoorOptions(deadline_s=30.0)
    )
    assert not result.status
    assert "out of reach" in result.reason
