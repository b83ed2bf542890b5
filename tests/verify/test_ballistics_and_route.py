"""Free flight, momentum where balls meet, and the length of a route."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.core import Motion
from understudy.errors import OptionError
from understudy.verify import Bounce, Flight
from understudy.verify.ballistics import GRAVITY, ballistics, residuals_m
from understudy.verify.goals import route

speeds = st.floats(-6, 6)


def thrown(velocity: tuple[float, float, float], *, mass: float = 1.0, backwards: bool = False) -> Flight:
    """A flight that begins at the origin, or ends there with the given velocity."""
    times = np.linspace(0.0, 0.6, 61)
    since = (times - times[-1] if backwards else times)[:, None]
    positions = since * np.array(velocity) + 0.5 * np.array(GRAVITY) * since**2
    return Flight(object="ball", times_s=times, positions=positions, mass_kg=mass)


@settings(max_examples=40)
@given(speeds, speeds, speeds)
def test_exact_parabolas_have_no_residual(x: float, y: float, z: float) -> None:
    assert residuals_m(thrown((x, y, z))).max() < 1e-9


@settings(max_examples=40)
@given(st.integers(20, 60), st.floats(0.002, 0.05))
def test_any_single_sample_off_its_parabola_is_seen(index: int, off_m: float) -> None:
    flight = thrown((1.0, 3.0, 0.0))
    positions = flight.positions.copy()
    positions[index, 2] += off_m
    found = ballistics([Flight(object="ball", times_s=flight.times_s, positions=positions)])
    assert found.max_residual_mm == pytest.approx(1000 * off_m, rel=1e-6)
    assert found.time_s == pytest.approx(flight.times_s[index])


def test_wrong_gravity_is_seen() -> None:
    found = ballistics([thrown((0.0, 3.0, 0.0))], gravity=(0.0, -9.0, 0.0))
    assert found.max_residual_mm > 50


def test_momentum_of_an_elastic_hit_is_kept_and_a_wrong_one_is_not() -> None:
    # Equal masses swap velocities.
    into = [thrown((2.0, 1.0, 0.0), backwards=True), thrown((-1.0, 0.0, 0.5), backwards=True)]
    out = [thrown((-1.0, 0.0, 0.5)), thrown((2.0, 1.0, 0.0))]
    bounce = Bounce(before=(0, 1), after=(2, 3))
    assert ballistics([*into, *out], [bounce]).momentum_error < 1e-9
    faulty = [*into, out[0], thrown((2.2, 1.0, 0.0), mass=1.5)]
    assert ballistics(faulty, [bounce]).momentum_error == pytest.approx(np.hypot(1.3, 0.5), abs=1e-6)
    with pytest.raises(OptionError, match="flight 9"):
        ballistics(into, [Bounce(before=(0,), after=(9,))])


@pytest.mark.parametrize(
    ("times", "shape"), [([0.0, 1.0], (2, 3)), ([0.0, 2.0, 1.0], (3, 3)), ([0.0, 1.0, np.nan], (3, 3))]
)
def test_bad_flights_are_refused(times: list[float], shape: tuple[int, int]) -> None:
    with pytest.raises(OptionError, match="ball"):
        Flight(object="ball", times_s=np.array(times), positions=np.zeros(shape))


def test_route_ignores_sway_and_counts_detours(swaying: Motion) -> None:
    from dataclasses import replace

    times = swaying.times_s
    straight, detour = swaying.root_positions.copy(), swaying.root_positions.copy()
    straight[:, 2] += 1.3 * times
    straight[:, 0] += 0.03 * np.sin(2 * np.pi * 1.9 * times)
    detour[:, 2] += 1.3 * times
    detour[:, 0] += 0.4 * np.sin(np.pi * times / 2.0)
    length = 1.3 * 2.0
    assert route(replace(swaying, root_positions=straight), shortest_m=length).ratio == pytest.approx(1.0, abs=0.02)
    assert route(replace(swaying, root_positions=detour), shortest_m=length).ratio > 1.04
    with pytest.raises(OptionError, match="shortest_m"):
        route(swaying, shortest_m=0.0)
