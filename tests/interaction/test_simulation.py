"""Forward simulation against closed forms, and its sensitivities against simulating again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from understudy.errors import PlanningInputError
from understudy.interaction import Actor, Ball, BallAt, Cue, Hold, Knock, Play, Start, Touch, sensitivity, simulate
from understudy.interaction.editing import Bench, Pin
from understudy.interaction.handles import Handle
from understudy.interaction.play import leg_times
from understudy.interaction.system import System
from understudy.performer import action_examples
from understudy.scene import Box, Scene


@pytest.fixture(scope="module")
def stage() -> Play:
    kick = action_examples("kick", count=1, fps=60)[0]
    scene = Scene().with_object("wall", Box(size_m=(4.0, 2.0, 0.2)), position=(0.0, 1.0, 3.0))
    actor = Actor(name="a", motion=kick.motion, groups=("legs", "trunk", "root", "arms"))
    return Play(actors=(actor,), ways=(), scene=scene)


def flying(time_s: float, position, velocity) -> Start:
    return Start(time_s=time_s, position=np.array(position), velocity=np.array(velocity), free=True)


@pytest.fixture(scope="module")
def cues() -> list[Cue]:
    soccer = Ball(name="soccer", radius_m=0.11, restitution=0.75, friction=0.2, hollow=True)
    return [
        Cue(ball=soccer, first=flying(0.8667, (-0.153, 1.667, 0.452), (0.0, 0.0, 0.0))),
        Cue(ball=Ball(name="hand"), first=Hold(part="a.left_hand", release_s=1.3031)),
        Cue(ball=Ball(name="one", restitution=0.6), first=flying(0.1, (-2.0, 1.0, -1.0), (1.0, 3.0, 0.0))),
        Cue(
            ball=Ball(name="two", restitution=0.6, mass_kg=0.3),
            first=flying(0.1, (-1.1, 1.02, -0.99), (-1.0, 3.0, 0.0)),
        ),
    ]


@pytest.fixture(scope="module")
def simulated(stage: Play, cues: list[Cue]):
    return simulate(stage, cues, until_s=2.9)


def test_bounces_on_the_floor_follow_the_closed_form(stage: Play) -> None:
    ball = Ball(name="b", restitution=0.5)
    start = flying(0.0, (2.0, 1.0 + ball.radius_m, 0.0), (0.0, 0.0, 0.0))
    way = simulate(stage, [Cue(ball=ball, first=start)], until_s=2.5).play.ways[0]
    fall = np.sqrt(2.0 / 9.81)
    assert leg_times(way.legs[1])[0] == pytest.approx(fall, abs=1e-12)
    assert leg_times(way.legs[2])[0] == pytest.approx(fall * 2.0, abs=1e-12)
    assert leg_times(way.legs[3])[0] == pytest.approx(fall * 2.5, abs=1e-12)
    assert isinstance(way.legs[-1], Hold) and way.legs[-1].part == "floor"


def test_a_simulated_play_fits_its_own_equations(simulated) -> None:
    system = System(simulated.play)
    assert np.abs(system.residual(simulated.unknowns)).max() < 1e-10
    kinds = {way.ball.name: [type(leg) for leg in way.legs] for way in simulated.play.ways}
    assert kinds["soccer"][:3] == [Start, Touch, Touch] and Knock in kinds["one"]
    knocked = system.layout.arcs[next(k for k, arc in enumerate(system.layout.arcs) if arc.other >= 0)]
    other = system.layout.arcs[knocked.other]
    momentum = []
    for after in (False, True):
        total = 0.0
        for arc in (knocked, other):
            which = system.layout.arcs.index(arc) if after else arc.before
            time = system.nodes.time[arc.start]
            from understudy.interaction._law_kernels import VELOCITY
            from understudy.interaction.terms import Probe

            system.load(simulated.unknowns)
            total = total + arc.ball.mass_kg * system.probed(Probe(VELOCITY, which, time))
        momentum.append(total)
    assert momentum[0] == pytest.approx(momentum[1], abs=1e-12)


def test_simulation_is_deterministic(stage: Play, cues: list[Cue], simulated) -> None:
    again = simulate(stage, cues, until_s=2.9)
    assert np.array_equal(again.unknowns, simulated.unknowns)


def changed(stage: Play, cues: list[Cue], system: System, unknowns: np.ndarray):
    system.load(unknowns)
    told = []
    for way, cue in enumerate(cues):
        node = next(n for n, one in enumerate(system.layout.nodes) if one.leg == (way, 0))
        if isinstance(cue.first, Start):
            arc = next(one for one in system.layout.arcs if one.start == node)
            velocity = system.taken(arc.given_column, arc.given)
            first = replace(cue.first, position=system.nodes.point[node].copy(), velocity=velocity)
        else:
            first = replace(cue.first, release_s=float(system.nodes.time[node]))
        told.append(replace(cue, first=first))
    return simulate(stage, told, until_s=2.9, controls=unknowns[: system.control_count])


def value(done, handle: Handle) -> np.ndarray:
    bench = Bench.of(done.play, (Pin(handle=handle, target=np.zeros(3)),), unknowns=done.unknowns)
    bench.system.load(done.unknowns)
    return bench.value(handle)


@pytest.mark.parametrize(
    "handle",
    [
        BallAt(ball="soccer", time_s=1.45),
        BallAt(ball="soccer", time_s=2.85),
        BallAt(ball="hand", time_s=2.4),
        BallAt(ball="one", time_s=1.5),
        BallAt(ball="two", time_s=1.0, velocity=True),
    ],
    ids=str,
)
def test_sensitivities_equal_simulating_again(stage: Play, cues, simulated, handle: BallAt) -> None:
    found = sensitivity(simulated.play, handle, simulated.unknowns)
    assert found.value == pytest.approx(value(simulated, handle), abs=1e-12)
    system = System(simulated.play)
    strongest = np.argsort(-np.abs(found.by_controls).max(axis=0))[:5]
    states = np.flatnonzero(found.controls >= system.control_count)[:4]
    for k in {*strongest.tolist(), *states.tolist()}:
        step = np.zeros(system.size)
        step[found.controls[k]] = 3e-7
        ahead = value(changed(stage, cues, system, simulated.unknowns + step), handle)
        behind = value(changed(stage, cues, system, simulated.unknowns - step), handle)
        difference = (ahead - behind) / 6e-7
        scale = max(1.0, float(np.abs(difference).max()))
        assert np.abs(difference - found.by_controls[:, k]).max() < 1e-6 * scale


def test_catches_and_releases_happen_where_the_hand_is(juggler) -> None:
    actor = Actor(name="a", motion=juggler.motion)
    first = juggler.events[0]
    part = "a.left_hand" if first.joint == "leftHand" else "a.right_hand"
    release = first.time_s + 0.2
    above = np.array(first.position) + np.array([0.0, 0.6, 0.0])
    cue = Cue(
        ball=Ball(name="b"),
        first=Start(time_s=first.time_s - 0.4, position=above, velocity=np.zeros(3)),
        catches=(Hold(part=part, release_s=release),),
    )
    done = simulate(Play(actors=(actor,), ways=()), [cue], until_s=3.0)
    hold = done.play.ways[0].legs[1]
    assert isinstance(hold, Hold) and hold.part == part and hold.catch_s < release
    assert np.abs(System(done.play).residual(done.unknowns)).max() < 1e-10


def test_a_ball_that_begins_inside_a_body_is_refused(stage: Play) -> None:
    inside = flying(0.0, stage.actors[0].motion.root_positions[0], (0.0, 0.0, 0.0))
    with pytest.raises(PlanningInputError, match=r"inside a\.pelvis"):
        simulate(stage, [Cue(ball=Ball(name="b"), first=inside)])


def test_a_catch_that_never_happens_is_noted(stage: Play) -> None:
    cue = Cue(
        ball=Ball(name="b"),
        first=flying(0.0, (2.0, 1.0, 0.0), (0.0, 0.0, 0.0)),
        catches=(Hold(part="a.left_hand"),),
    )
    assert "never met a.left_hand" in " ".join(simulate(stage, [cue], until_s=1.0).notes)
