"""Things are taken so that they can be put down, and asked again, in another way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import understudy as us
from handling_stages import standing
from understudy import rotations as rot
from understudy.core.violations import Violation
from understudy.limbs.handling import HandlingOptions, Play, Times, doing
from understudy.limbs.handling.foresight import USELESS_M, Foresight
from understudy.limbs.handling.jobs import Job
from understudy.limbs.hands import hand_axes, turned_to
from understudy.scene import Scene, Task
from understudy.scene.characters import Character
from understudy.scene.shapes import Box, Sphere

RADIUS = 0.06
AT, BOARD_TOP = np.array([-0.25, 1.3, 0.42]), np.array([-0.3, 1.1, 0.42])
OPTIONS = HandlingOptions(gaze=False)


def stage() -> Scene:
    """A ball in the air before somebody, and a board to put it on."""
    board = Box(size_m=(0.3, 0.03, 0.3))
    return (
        Scene()
        .with_object("ball", Sphere(radius_m=RADIUS), position=tuple(AT))
        .with_object("board", board, position=tuple(BOARD_TOP - np.array([0.0, 0.0155, 0.0])))
        .with_character(Character(name="anna", motion=standing()))
    )


def gripping(scene: Scene, out: tuple[float, float, float], fingers: tuple[float, float, float]):
    """The pose of a right hand's joint with its palm against the ball's side ``out``."""
    person = scene.character("anna")
    body, palm = person.fitted_body, person.palm("right_hand")
    turn = turned_to(hand_axes(body, "right"), (np.array(fingers), -np.array(out)))
    return AT + (RADIUS + 0.025) * np.array(out) - rot.rotate(turn, palm), turn


def test_a_grip_from_below_is_of_no_use_for_a_board_and_others_are() -> None:
    scene = stage()
    rest = (BOARD_TOP + np.array([0.0, RADIUS + 5e-4, 0.0]), np.array([1.0, 0.0, 0.0, 0.0]))
    turns = [rot.from_yaw(yaw) for yaw in np.linspace(-np.pi, np.pi, 12, endpoint=False)]
    resting = [(rest[0], turn) for turn in sorted(turns, key=lambda one: -abs(float(one[0])))]
    play = Play(scene=scene, sources={"anna": standing()})
    pose = (AT, np.array([1.0, 0.0, 0.0, 0.0]))
    for fixed in (True, False):
        seen = Foresight(play, "anna", "right", "ball", pose, 4.0, resting, fixed)
        below = seen.cost_m(gripping(scene, (0.0, -1.0, 0.0), (0.0, 0.0, 1.0)))
        above = seen.cost_m(gripping(scene, (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
        aside = seen.cost_m(gripping(scene, (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
        assert above < USELESS_M and aside < USELESS_M
        assert below > max(above, aside)
        assert (below >= USELESS_M) == fixed


def test_a_ball_is_taken_from_where_it_can_be_put_down() -> None:
    scene = stage().moved("ball", position=(-0.22, 1.52, 0.42))  # above the shoulder: its near side is its lower one
    scene = scene.with_task("anna", "grab", object="ball", hand="right", at_s=2.0)
    scene = scene.with_task("anna", "place", object="ball", target=tuple(BOARD_TOP), at_s=4.0)
    result = us.perform(scene, options=OPTIONS)
    assert result.status, result.reason
    put = result.tasks[1].deed
    assert put is not None
    at = put.play.scene.object_track("ball", [put.time_s + 1.0])[0][0]
    np.testing.assert_allclose(at, BOARD_TOP + np.array([0.0, RADIUS, 0.0]), atol=2e-3)


def test_whoever_asks_for_another_way_to_take_something_gets_another_grip() -> None:
    play = Play(scene=stage(), sources={"anna": standing()})
    task = Task(character="anna", do="grab", object="ball", hand="right", at_s=2.5)
    job = Job(task=task, times=Times(at_s=2.5, earliest_s=2.5, latest_s=2.5))
    hands = []
    for deed in doing.ways(play, job, lambda *_: (), OPTIONS, OPTIONS.watch(), doing.Notes()):
        places, turns = deed.play.scene.character("anna").joint("right_hand", [deed.time_s])
        hands.append((places[0], turns[0]))
    assert len(hands) == OPTIONS.ways
    away = float(np.linalg.norm(hands[0][0] - hands[1][0]))
    assert away > 0.02 or float(rot.angle_between(hands[0][1], hands[1][1])) > 0.3


def test_what_is_in_something_else_is_not_tried_again_without_a_turned_head(monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play(scene=stage(), sources={"anna": standing()})
    task = Task(character="anna", do="grab", object="ball", hand="right", at_s=2.5)
    job = Job(task=task, times=Times(at_s=2.5, earliest_s=2.5, latest_s=2.5))
    deep = Violation(kind="penetration", value=0.003, bar=0.0, unit="m", part="ball", other="board", time_s=2.6)
    head = replace(deep, part="anna.head", other="lamp")
    skates = Violation(kind="foot_slide", value=0.05, bar=0.01, unit="m")
    for faults, twice in (([deep], False), ([head], True), ([head, deep], False), ([skates], True)):
        seen: list[bool] = []

        def judge(_, deed, faults=faults, seen=seen):
            seen.append(deed.gaze)
            return faults if len(seen) == 1 else ()

        options = HandlingOptions()
        next(doing.ways(play, job, judge, options, options.watch(), doing.Notes()))
        assert seen[0] is True
        assert seen[1] is not twice
