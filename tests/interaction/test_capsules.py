"""Clubs and staffs: turning in flight, impacts with lever arms, grasps; against Euler's equations and conservation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from understudy import rotations as rot
from understudy.api.interaction import Interaction, save_interaction
from understudy.errors import OptionError, PlanningInputError
from understudy.formats import load_motions
from understudy.interaction import (
    Actor,
    AxisAt,
    Ball,
    BallAt,
    Cue,
    End,
    Hold,
    Knock,
    Play,
    Start,
    Touch,
    Way,
    sensitivity,
    simulate,
)
from understudy.interaction.editing import Bench, Pin
from understudy.interaction.system import System
from understudy.performer import action_examples
from understudy.scene import Box, Scene


def thrown(time_s: float, position, velocity, spin, axis) -> Start:
    return Start(
        time_s=time_s,
        position=np.array(position, dtype=float),
        velocity=np.array(velocity, dtype=float),
        spin=np.array(spin, dtype=float),
        axis=np.array(axis, dtype=float),
        free=True,
    )


@pytest.fixture(scope="module")
def stage() -> Play:
    kick = action_examples("kick", count=1, fps=60)[0]
    scene = Scene().with_object("wall", Box(size_m=(4.0, 2.0, 0.2)), position=(0.0, 1.0, 3.0))
    actor = Actor(name="a", motion=kick.motion, groups=("legs", "trunk", "root", "arms"))
    return Play(actors=(actor,), ways=(), scene=scene)


def ask(done, handle) -> np.ndarray:
    bench = Bench.of(done.play, (Pin(handle=handle, target=np.zeros(3)),), unknowns=done.unknowns)
    bench.system.load(done.unknowns)
    return bench.value(handle)


@pytest.mark.parametrize("hollow", [False, True])
def test_moments_of_inertia_by_integration(hollow: bool) -> None:
    ball = Ball(name="c", radius_m=0.05, length_m=0.4, hollow=hollow)
    half, r = 0.2, 0.05

    def thick(y: float) -> float:
        return np.sqrt(max(0.0, r * r - max(0.0, abs(y) - half) ** 2))

    def slices(y: float) -> tuple[float, float, float]:
        """Mass, moment about the axis and across it (through the slice's middle) per length."""
        if hollow:
            mass = 2 * np.pi * r  # rings of a cylinder and of a sphere alike
            return mass, mass * thick(y) ** 2, mass * thick(y) ** 2 / 2
        mass = np.pi * thick(y) ** 2
        return mass, mass * thick(y) ** 2 / 2, mass * thick(y) ** 2 / 4

    end = half + r
    mass, along, own = (2 * quad(lambda y, k=k: slices(y)[k], 0.0, end, limit=200, points=[half])[0] for k in range(3))
    swing = 2 * quad(lambda y: y * y * slices(y)[0], 0.0, end, limit=200, points=[half])[0]
    assert ball.moments == pytest.approx(((own + swing) / mass, along / mass), rel=1e-6)
    assert Ball(name="b", radius_m=0.05, hollow=hollow).moments[0] == pytest.approx(ball.inertia * r * r)


def test_a_free_capsule_turns_as_eulers_equations_say(stage: Play) -> None:
    club = Ball(name="c", radius_m=0.04, length_m=0.5)
    spin, axis = np.array([4.0, 9.0, -3.0]), np.array([0.3, 1.0, 0.5])
    axis = axis / np.linalg.norm(axis)
    start = thrown(0.0, (3.0, 40.0, 0.0), (0.0, 0.0, 0.0), spin, axis)
    done = simulate(stage, [Cue(ball=club, first=start)], until_s=1.5)
    across, along = club.moments
    moments = np.array([across, along, across])
    turn = rot.shortest_arc(np.array([0.0, 1.0, 0.0]), axis)

    def rates(_, state: np.ndarray) -> np.ndarray:
        q, w = state[:4], state[4:]
        return np.concatenate([0.5 * rot.multiply(q, np.array([0.0, *w])), np.cross(moments * w, w) / moments])

    body = rot.rotate(rot.conjugate(turn), spin)
    times = np.array([0.37, 1.2])
    solved = solve_ivp(rates, (0.0, 1.3), [*turn, *body], t_eval=times, rtol=1e-11, atol=1e-12, method="DOP853")
    for k, time in enumerate(times):
        q, w = rot.normalize(solved.y[:4, k]), solved.y[4:, k]
        assert ask(done, AxisAt(ball="c", time_s=time)) == pytest.approx(
            rot.rotate(q, np.array([0.0, 1.0, 0.0])), abs=1e-8
        )
        assert ask(done, AxisAt(ball="c", time_s=time, velocity=True)) == pytest.approx(rot.rotate(q, w), abs=1e-7)


def state_of(done, name: str, time: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    return tuple(
        ask(done, handle(ball=name, time_s=time, velocity=fast))
        for handle in (BallAt, AxisAt)
        for fast in (False, True)
    )


def energy_and_momenta(done, balls: list[Ball], time: float) -> tuple[float, np.ndarray, np.ndarray]:
    """Energy, momentum and angular momentum about the origin at a time."""
    energy, push, turn = 0.0, np.zeros(3), np.zeros(3)
    for ball in balls:
        place, velocity, axis, spin = state_of(done, ball.name, time)
        across, along = ball.moments
        own = ball.mass_kg * (across * spin + (along - across) * (spin @ axis) * axis)
        energy += ball.mass_kg * (0.5 * velocity @ velocity + 9.81 * place[1]) + 0.5 * spin @ own
        push += ball.mass_kg * velocity
        turn += own + ball.mass_kg * np.cross(place, velocity)
    return energy, push, turn


@pytest.mark.parametrize(("length", "friction"), [(0.0, 0.0), (0.4, 0.0), (0.3, 0.4)])
def test_two_bodies_that_meet_keep_momentum_and_angular_momentum(stage: Play, length: float, friction: float) -> None:
    one = Ball(name="one", radius_m=0.03, length_m=0.5, friction=friction, restitution=1.0, mass_kg=0.4)
    two = Ball(name="two", radius_m=0.04, length_m=length, friction=friction, restitution=1.0, mass_kg=0.2)
    cues = [
        Cue(ball=one, first=thrown(0.0, (-2.0, 5.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.5, 2.0), (0.2, 1.0, 0.1))),
        Cue(ball=two, first=thrown(0.0, (-1.0, 5.12, 0.05), (-1.5, 0.0, 0.0), (0.0, 3.0, 1.0), (0.1, 0.3, 1.0))),
    ]
    done = simulate(stage, cues, until_s=0.9)
    knock = done.play.way("one").legs[1]
    assert isinstance(knock, Knock) and knock.other == "two"
    before, after = (energy_and_momenta(done, [one, two], knock.time_s + side) for side in (-1e-9, 1e-9))
    assert before[1] == pytest.approx(after[1], abs=1e-7)
    assert before[2] == pytest.approx(after[2], abs=1e-7)
    if friction == 0.0:
        assert before[0] == pytest.approx(after[0], abs=1e-6)
    else:
        assert after[0] < before[0] + 1e-6


def test_a_staff_bounces_off_floor_box_and_body_without_gaining_energy(stage: Play) -> None:
    staff = Ball(name="s", radius_m=0.02, length_m=0.8, restitution=1.0)
    cases = {
        "floor": thrown(0.0, (2.0, 1.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 2.0), (1.0, 0.3, 0.2)),
        "wall": thrown(0.0, (0.5, 1.9, 1.9), (0.0, 1.0, 3.0), (2.0, 1.0, 0.0), (0.4, 0.5, 1.0)),
        "a.neck": thrown(0.1, (0.2, 2.8, 0.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.1, 0.2)),
    }
    for part, first in cases.items():
        done = simulate(stage, [Cue(ball=staff, first=first)], until_s=0.75)
        touch = done.play.way("s").legs[1]
        assert isinstance(touch, Touch) and touch.part == part
        assert np.abs(System(done.play).residual(done.unknowns)).max() < 1e-11
        if part != "a.neck":
            energies = [energy_and_momenta(done, [staff], touch.time_s + side)[0] for side in (-1e-9, 1e-9)]
            assert energies[0] == pytest.approx(energies[1], abs=1e-6)


@pytest.fixture(scope="module")
def everything(blended: Actor) -> Play:
    """Every kind of leg of a capsule once, and a ball that meets one."""
    scene = Scene().with_object(
        "box", Box(size_m=(1.0, 1.0, 1.0)), position=(0.0, 0.5, 2.0), rotation=(0.9, 0.1, 0.2, 0.1)
    )
    f = np.array
    held = (
        Hold(part="a.left_hand", release_s=1.5),
        Hold(part="a.right_hand", catch_s=2.1, release_s=2.4),
        Touch(part="floor", time_s=2.8, axis=f([0.3, 1.0, 0.2])),
        Touch(part="box", time_s=3.1, axis=f([1.0, 0.2, 0.1])),
        Touch(part="a.left_thigh", time_s=3.4, axis=f([1.0, 0.2, 0.4]), tune=True),
        Hold(part="a.left_hand", catch_s=4.0, loose=True),
    )
    tossed = (
        thrown(0.3, (0.1, 2.0, 0.5), (0.0, 1.0, 0.0), (3.0, 1.0, 2.0), (1.0, 0.2, 0.3)),
        Touch(part="a.head", time_s=1.0, axis=f([1.0, 0.1, 0.1])),
        Knock(other="b", time_s=1.6, position=f([0.0, 1.5, 0.5]), axis=f([0.2, 1.0, 0.3])),
        End(time_s=2.5, position=f([0.0, 1.0, 1.0])),
    )
    ball = (
        Hold(part="a.left_hand", release_s=1.2),
        Knock(other="s", time_s=1.6, position=f([0.1, 1.6, 0.55])),
        Hold(part="a.left_hand", catch_s=2.5),
    )
    ways = (
        Way(ball=Ball(name="c", radius_m=0.03, length_m=0.4, friction=0.3, restitution=0.6), legs=held),
        Way(ball=Ball(name="s", radius_m=0.03, length_m=0.5, friction=0.02, restitution=0.6), legs=tossed),
        Way(ball=Ball(name="b", friction=0.2), legs=ball),
    )
    return Play(actors=(blended,), scene=scene, ways=ways)


def test_jacobian_of_capsules_equals_central_differences(everything: Play) -> None:
    system = System(everything)
    rng = np.random.default_rng(0)
    at = np.concatenate([np.zeros(system.control_count), system.layout.values])
    at = at + 0.03 * rng.standard_normal(system.size)
    _, jacobian = system.linearised(at)
    used = np.flatnonzero(np.abs(jacobian).max(axis=0))
    controls = used[used < system.control_count]
    columns = [*used[used >= system.control_count], *rng.choice(controls, 80, replace=False), system.control_count - 1]
    for column in columns:
        step = np.zeros(system.size)
        step[column] = 1e-6
        expected = (system.residual(at + step) - system.residual(at - step)) / 2e-6
        scale = max(1.0, float(np.abs(expected).max()))
        assert np.abs(jacobian[:, column] - expected).max() < 1e-6 * scale


@pytest.fixture(scope="module")
def cues(stage: Play) -> list[Cue]:
    return [
        Cue(
            ball=Ball(name="staff", radius_m=0.02, length_m=0.8, friction=0.3, restitution=0.6),
            first=thrown(0.1, (1.5, 1.5, 0.0), (0.0, 1.0, 1.0), (3.0, 2.0, 1.0), (1.0, 0.3, 0.2)),
        ),
        Cue(
            ball=Ball(name="club", radius_m=0.03, length_m=0.3, friction=0.05, restitution=0.5),
            first=Hold(part="a.left_hand", release_s=0.5),
        ),
        Cue(
            ball=Ball(name="toss", radius_m=0.03, length_m=0.3, friction=0.2, restitution=0.6),
            first=thrown(0.1, (-2.0, 1.0, -1.0), (1.0, 3.0, 0.0), (1.0, 2.0, 8.0), (0.0, 1.0, 0.2)),
        ),
        Cue(
            ball=Ball(name="ball", mass_kg=0.3, friction=0.2, restitution=0.6),
            first=thrown(0.1, (-1.1, 1.02, -0.99), (-1.0, 3.0, 0.0), (0.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
        ),
        Cue(
            ball=Ball(name="head", radius_m=0.02, length_m=0.5, friction=0.2, restitution=0.6),
            first=thrown(0.1, (0.2, 2.8, 0.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.1, 0.2)),
        ),
    ]


@pytest.fixture(scope="module")
def simulated(stage: Play, cues: list[Cue]):
    return simulate(stage, cues, until_s=0.9)


def again(stage: Play, cues: list[Cue], system: System, unknowns: np.ndarray):
    """The same simulation from changed controls and initial states."""
    told = []
    for number, cue in enumerate(cues):
        first = cue.first
        node = next(n for n in system.layout.nodes if n.leg == (number, 0))
        if isinstance(first, Start):
            arc = next(a for a in system.layout.arcs if a.way == number)
            axis = unknowns[node.axis_column : node.axis_column + 3]
            spin = unknowns[arc.spin_column : arc.spin_column + 3]
            across, along = cue.ball.moments
            unit = axis / np.linalg.norm(axis)
            first = replace(
                first,
                position=unknowns[node.point_column : node.point_column + 3],
                velocity=unknowns[arc.given_column : arc.given_column + 3],
                axis=axis,
                spin=spin + (across / along - 1.0) * (spin @ unit) * unit,
            )
        else:
            first = replace(first, release_s=float(unknowns[node.time_column]))
        told.append(replace(cue, first=first))
    return simulate(stage, told, until_s=0.9, controls=unknowns[: system.control_count])


@pytest.mark.parametrize(
    "handle",
    [
        BallAt(ball="staff", time_s=0.85),
        AxisAt(ball="staff", time_s=0.85),
        AxisAt(ball="toss", time_s=0.8),
        BallAt(ball="ball", time_s=0.8, velocity=True),
        BallAt(ball="head", time_s=0.8),
        AxisAt(ball="head", time_s=0.8, velocity=True),
        AxisAt(ball="club", time_s=0.75),
    ],
    ids=str,
)
def test_sensitivities_of_capsules_equal_simulating_again(stage, cues, simulated, handle) -> None:
    found = sensitivity(simulated.play, handle, simulated.unknowns)
    assert found.value == pytest.approx(ask(simulated, handle), abs=1e-12)
    system = System(simulated.play)
    axes = [node.axis_column for node in system.layout.nodes if node.leg[1] == 0 and node.axis_column >= 0]
    # Along its own direction a start's axis only changes its length, which a simulation makes 1 again.
    skipped = {column + k for column in axes for k in range(3)}
    order = [k for k in np.argsort(-np.abs(found.by_controls).max(axis=0)) if found.controls[k] not in skipped]
    for k in order[:3]:
        step = np.zeros(system.size)
        step[found.controls[k]] = 3e-7
        ahead = ask(again(stage, cues, system, simulated.unknowns + step), handle)
        behind = ask(again(stage, cues, system, simulated.unknowns - step), handle)
        difference = (ahead - behind) / 6e-7
        scale = max(1.0, float(np.abs(difference).max()))
        assert np.abs(difference - found.by_controls[:, k]).max() < 1e-6 * scale


def test_a_capsule_is_caught_where_it_meets_the_hand_and_let_go_again(juggler) -> None:
    actor, event = Actor(name="a", motion=juggler.motion), juggler.events[0]
    release = event.time_s + 0.2
    above = np.array(event.position) + np.array([0.0, 0.6, 0.0])
    cue = Cue(
        ball=Ball(name="c", radius_m=0.02, length_m=0.3),
        first=thrown(event.time_s - 0.4, above, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.3)),
        catches=(Hold(part=f"a.{event.joint.removesuffix('Hand')}_hand", release_s=release),),
    )
    done = simulate(Play(actors=(actor,), ways=()), [cue], until_s=release + 0.3)
    hold = done.play.way("c").legs[1]
    assert isinstance(hold, Hold) and hold.catch_s < release and not done.notes
    assert np.abs(System(done.play).residual(done.unknowns)).max() < 1e-11
    found = sensitivity(done.play, AxisAt(ball="c", time_s=hold.catch_s + 0.05), done.unknowns)
    assert np.linalg.norm(found.value) == pytest.approx(1.0) and np.abs(found.by_controls).max() > 0.01


def test_a_capsule_that_begins_inside_a_body_is_refused(stage: Play) -> None:
    inside = thrown(0.0, stage.actors[0].motion.root_positions[0] + [0.3, 0.0, 0.0], (0, 0, 0), (0, 0, 0), (1, 0, 0))
    with pytest.raises(PlanningInputError, match=r"inside a\."):
        simulate(stage, [Cue(ball=Ball(name="c", length_m=0.6), first=inside)])
    aimless = (thrown(0, (0, 3, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)), End(time_s=1.0, position=np.ones(3)))
    with pytest.raises(PlanningInputError, match="direction"):
        System(Play(actors=stage.actors, ways=(Way(ball=Ball(name="c", length_m=0.6), legs=aimless),)))
    with pytest.raises(OptionError, match="length_m"):
        Ball(name="c", length_m=-1.0)


def test_a_club_is_thrown_from_hand_to_hand_dragged_judged_and_written(tmp_path: Path) -> None:
    toss = action_examples("throw_catch", count=1)[0]
    events = [event for event in toss.events if event.thing == 0][:2]
    parts = [f"a.{'left' if event.joint.startswith('left') else 'right'}_hand" for event in events]
    club = Ball(name="club", radius_m=0.02, length_m=0.3)
    legs = (Hold(part=parts[0], release_s=events[0].time_s), Hold(part=parts[1], catch_s=events[1].time_s))
    actor = Actor(name="a", motion=toss.motion, cutoff_hz=24.0)
    session = Interaction(Play(actors=(actor,), ways=(Way(ball=club, legs=legs),)))
    settled = session.settle()
    assert settled and session.miss_m() < 1e-8, settled.reason
    handle = BallAt(ball="club", time_s=0.5 * (events[0].time_s + events[1].time_s))
    goal = session.where(handle) + np.array([0.0, 0.08, 0.0])
    outcome = session.drag(handle, goal)
    assert outcome and session.where(handle) == pytest.approx(goal, abs=1e-6), outcome.reason
    caught = session.play.way("club").legs[1]
    late, hand = caught.catch_s + 1e-9, actor.part(parts[1].partition(".")[2])[0]
    axis = session.where(AxisAt(ball="club", time_s=caught.catch_s - 1e-9))
    frame = session.motions(fps=960.0, plant=False)["a"]
    from understudy.kinematics import motion_world

    turn = motion_world(frame).rotations[round(late * 960.0), hand]
    assert abs(rot.rotate(turn, caught.axis) @ axis) > 0.999
    report = session.report()
    assert report.ballistics is not None and report.ballistics.max_residual_mm < 1.0, str(report)
    assert "penetration" not in report.broken, str(report)
    for name in ("club.glb", "club.usda"):
        (path,) = save_interaction(session, tmp_path / name)
        assert len(load_motions(path)) == 1
