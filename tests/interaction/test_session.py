"""The session: exact contacts before, while and after anything is dragged."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from understudy.core.planning import Status
from understudy.errors import PlanningInputError
from understudy.interaction import (
    Apex,
    Ball,
    BallAt,
    ContactAt,
    EditOptions,
    End,
    Hold,
    PartAt,
    Play,
    Session,
    Start,
    Way,
)
from understudy.kinematics import motion_world
from understudy.verify.ballistics import Flight, residuals_m


@pytest.fixture(scope="module")
def settled(juggling: Play) -> Session:
    session = Session(juggling)
    assert session.settle()
    return session


@pytest.fixture
def session(juggling: Play, settled: Session) -> Session:
    fresh = Session(juggling)
    fresh._state = settled._state
    fresh._anchor = settled.unknowns
    return fresh


def controls(session: Session) -> np.ndarray:
    return session.unknowns[: session._bench.system.control_count]


def test_settling_makes_every_catch_exact_in_few_steps(juggling: Play) -> None:
    session = Session(juggling)
    outcome = session.settle()
    assert outcome and outcome.steps <= 10 and outcome.contacts_m < 1e-8
    assert session.miss_m() < 1e-8


def test_balls_fly_parabolas_and_leave_and_reach_the_hands(session: Session) -> None:
    motion = session.motions(fps=480.0, plant=False)["a"]
    world = motion_world(motion)
    for way in session.play.ways:
        for before, after in pairwise(way.legs):
            times = np.linspace(before.release_s, after.catch_s, 40)
            track = session.ball_track(way.ball.name, times)
            assert residuals_m(Flight(object="b", times_s=times, positions=track)).max() < 1e-9
            caught = session.play.actors[0].part(after.part.partition(".")[2])[0]
            frame = round(after.catch_s * 480.0)
            reach = np.linalg.norm(world.positions[frame, caught] - track[-1])
            assert reach == pytest.approx(np.linalg.norm(after.grip), abs=0.02)


def test_a_drag_of_45_cm_arrives_within_ten_steps_and_back_restores_the_start(session: Session) -> None:
    handle = BallAt(ball="ball1", time_s=2.6)
    before, start = controls(session).copy(), session.where(handle)
    goal = start + np.array([0.0, 0.45, 0.0])
    outcome = session.drag(handle, goal, steps=10)
    assert outcome and outcome.contacts_m < 1e-6
    assert session.where(handle) == pytest.approx(goal, abs=1e-6)
    assert np.abs(controls(session) - before).max() > 0.01
    assert session.drag(handle, start)
    assert np.abs(controls(session) - before).max() < 1e-3


def test_contacts_stay_within_a_fifth_of_a_millimetre_while_dragged(session: Session) -> None:
    handle = BallAt(ball="ball0", time_s=2.9)
    start = session.where(handle)
    worst = 0.0
    for k in range(60):
        angle = 0.25 * k
        to = start + 0.08 * np.array([np.sin(angle), np.cos(angle) - 1.0, 0.5 * np.sin(2.0 * angle)])
        outcome = session.drag_step(handle, to)
        worst = max(worst, outcome.contacts_m)
    assert worst < 2e-4


def test_body_parts_apexes_and_contact_times_can_be_dragged(session: Session) -> None:
    hand = PartAt(part="a.left_hand", time_s=2.33)
    goal = session.where(hand) + np.array([0.0, 0.05, 0.04])
    assert session.drag(hand, goal) and session.where(hand) == pytest.approx(goal, abs=1e-6)
    top = Apex(ball="ball2", leg=1)
    height = session.where(top) + np.array([0.0, 0.2, 0.0])
    assert session.drag(top, height) and session.where(top)[1] == pytest.approx(height[1], abs=1e-6)
    catch = ContactAt(ball="ball1", leg=2)
    place = session.where(catch) + np.array([0.03, 0.05, 0.0])
    assert session.drag(catch, place) and session.where(catch) == pytest.approx(place, abs=1e-6)
    assert session.miss_m() < 1e-6


def test_pins_hold_while_something_else_is_dragged(session: Session) -> None:
    kept = BallAt(ball="ball0", time_s=3.4)
    assert session.pin(kept)
    place = session.where(kept)
    handle = BallAt(ball="ball1", time_s=2.6)
    assert session.drag(handle, session.where(handle) + np.array([0.05, 0.1, 0.0]))
    assert session.where(kept) == pytest.approx(place, abs=1e-6)
    session.unpin(kept)
    assert session.pins == ()
    with pytest.raises(PlanningInputError, match="not pinned"):
        session.unpin(kept)


def test_undo_and_redo_restore_states_exactly(session: Session) -> None:
    handle = BallAt(ball="ball1", time_s=2.6)
    first = session.unknowns
    session.drag(handle, session.where(handle) + np.array([0.0, 0.1, 0.0]))
    second = session.unknowns
    session.undo()
    assert np.array_equal(session.unknowns, first)
    session.redo()
    assert np.array_equal(session.unknowns, second)
    with pytest.raises(PlanningInputError, match="redo"):
        session.redo()


def test_an_impossible_drag_says_how_near_it_came_and_keeps_contacts(session: Session) -> None:
    handle = BallAt(ball="ball1", time_s=2.6)
    outcome = session.drag(handle, (0.0, 1.0, 8.0), steps=25)
    assert outcome.status is Status.EXHAUSTED and "nearest reached" in outcome.reason and outcome.left_m > 1.0
    assert session.miss_m() < 1e-6


def test_contradicting_pins_are_named(session: Session) -> None:
    one, two = BallAt(ball="ball1", time_s=2.60), BallAt(ball="ball1", time_s=2.601)
    assert session.pin(one)
    before = session.unknowns
    outcome = session.pin(two, session.where(two) + np.array([0.5, 0.0, 0.0]))
    assert not outcome and "ball1 at 2.60" in outcome.reason
    assert np.array_equal(session.unknowns, before)


def test_dwell_order_and_empty_hands_hold_after_large_edits(session: Session) -> None:
    top = Apex(ball="ball2", leg=1)
    session.drag(top, session.where(top) + np.array([0.0, 0.5, 0.0]))
    held: dict[str, list[tuple[float, float]]] = {}
    for way in session.play.ways:
        for leg in way.legs:
            if leg.catch_s is not None and leg.release_s is not None:
                assert leg.release_s - leg.catch_s > 0.079
                held.setdefault(leg.part, []).append((leg.catch_s, leg.release_s))
    for spans in held.values():
        spans.sort()
        assert all(later[0] > earlier[1] for earlier, later in pairwise(spans))


def test_feet_stand_where_they_stood(session: Session) -> None:
    lean = PartAt(part="a.left_hand", time_s=2.4)
    session.drag(lean, session.where(lean) + np.array([0.1, 0.0, 0.15]))
    source = session.play.actors[0].motion
    ours = session.motions()["a"]
    foot = source.skeleton.humanoid["leftFoot"]
    slide = motion_world(ours).positions[:, foot] - motion_world(source).positions[:, foot]
    assert np.abs(slide).max() < 1e-4


@pytest.mark.parametrize(
    ("legs", "says"),
    [
        ((), "nothing happens"),
        ((Hold(part="a.left_hand", release_s=2.0), Hold(part="a.right_hand", catch_s=1.0)), "do not follow"),
        ((Hold(part="a.left_hand", release_s=2.0),), "never arrives"),
        ((Hold(part="a.left_hnd", release_s=2.0), Hold(part="a.right_hand", catch_s=3.0)), "left_hand"),
        ((Hold(part="b.left_hand", release_s=2.0), Hold(part="a.right_hand", catch_s=3.0)), 'no actor "b"'),
    ],
)
def test_plays_that_contradict_themselves_are_refused(juggling: Play, legs, says: str) -> None:
    with pytest.raises(PlanningInputError, match=says):
        Session(Play(actors=juggling.actors, ways=(Way(ball=Ball(name="b"), legs=legs),)))


def test_a_dwell_too_short_is_refused(juggling: Play) -> None:
    legs = (
        Hold(part="a.left_hand", release_s=1.5),
        Hold(part="a.right_hand", catch_s=2.1, release_s=2.11),
        Hold(part="a.left_hand", catch_s=2.6),
    )
    with pytest.raises(PlanningInputError, match="held too briefly"):
        Session(Play(actors=juggling.actors, ways=(Way(ball=Ball(name="b"), legs=legs),)))


def test_options_are_checked() -> None:
    with pytest.raises(Exception, match="drag_m"):
        EditOptions(drag_m=-1.0)


def test_balls_that_begin_inside_a_body_or_a_thing_are_refused_by_name(juggling: Play) -> None:
    hips = juggling.actors[0].motion.root_positions[0]
    for place, length, says in (
        (hips, 0.0, r"b begins \d+ mm inside a\."),
        (np.array([2.0, 0.01, 0.0]), 0.0, r"b begins \d+ mm inside floor"),
        (np.array([2.0, 0.2, 0.0]), 0.6, r"b begins \d+ mm inside floor"),
    ):
        start = Start(time_s=0.2, position=place, velocity=np.zeros(3), free=True)
        way = Way(
            ball=Ball(name="b", length_m=length), legs=(start, End(time_s=0.5, position=np.array([2.0, 1.0, 0.0])))
        )
        with pytest.raises(PlanningInputError, match=says):
            Session(Play(actors=juggling.actors, ways=(way,)))


def test_an_edit_that_gets_no_nearer_says_the_closest_place_and_leaves_the_nearest_state(session: Session) -> None:
    hand = PartAt(part="a.left_hand", time_s=2.4)
    far = session.where(hand) + np.array([0.0, 3.0, 0.0])
    outcome = session.drag(hand, far, steps=25)
    assert outcome.status is Status.EXHAUSTED and "nearest reached is" in outcome.reason
    assert outcome.left_m == pytest.approx(np.linalg.norm(session.where(hand) - far), abs=1e-6)
    assert session.miss_m() < 1e-6


def test_a_catch_at_a_fixed_time_that_a_pin_forbids_is_named(session: Session) -> None:
    catch = session.play.way("ball1").legs[1]
    flight = BallAt(ball="ball1", time_s=catch.catch_s - 0.05)
    before = session.unknowns
    outcome = session.pin(flight, session.where(flight) + np.array([0.0, 0.0, 2.0]))
    assert not outcome and ("ball1" in outcome.reason)
    assert np.array_equal(session.unknowns, before)
