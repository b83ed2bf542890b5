"""Doors that something behind them keeps half shut: opened as far as they go, and walked around."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.performer.person import Person
from understudy.scene import Box, Scene
from understudy.skills.door.half_open import HalfOpen
from understudy.skills.door.layout import door_of
from understudy.skills.door.options import DoorOptions
from understudy.skills.door.passing import STEP_RAD, Passage, Search
from understudy.skills.door.planning import Wish, _question
from understudy.skills.door.room import door_room

START, GOAL = np.array([0.2, -2.8]), np.array([0.54, 2.9])


def half_shut() -> Scene:
    """A crate that stops the leaf at less than 50 degrees."""
    scene = door_room(width_m=0.956, handle_m=1.03, hinge_side="right")
    return scene.with_object("crate", Box(size_m=(0.32, 0.6, 0.28)), position=(-0.09, 0.3, 0.82))


@pytest.fixture(scope="module")
def search() -> Search:
    scene, skeleton = half_shut(), Person().skeleton()
    wish = Wish(scene=scene, door="door", skeleton=skeleton, start=START, goal=GOAL)
    return Search(_question(door_of(scene, "door", START), scene, wish, DoorOptions()))


@pytest.fixture(scope="module")
def way(search: Search) -> Passage:
    half = HalfOpen(search)
    found = (half.passage(row, hand) for _, row, hand in half.ways())
    one = next((one for one in found if one is not None), None)
    assert one is not None
    return one


def test_usual_ways_do_not_pass_a_leaf_that_stops_half_way(search: Search) -> None:
    assert (search.openings - 1) * STEP_RAD < np.radians(50.0)
    assert not search.ways()


def test_a_half_open_leaf_is_walked_around(search: Search, way: Passage) -> None:
    from understudy.skills.door._geometry_kernels import floor_clearance, leaf_clearance, reach_cost

    assert way.keys is not None
    times, places = way.keys[:, 0], way.keys[:, 1:3]
    assert np.diff(times).min() > 0.0
    assert places[0] == pytest.approx(START) and places[-1] == pytest.approx(GOAL)
    assert way.profile.max() <= (search.openings - 1) * STEP_RAD + 1e-9
    at = -1.2 + 0.1 * np.arange(len(way.profile))
    hand = ("left", "right").index(way.hand)
    for time_s, opening in zip(at, way.profile, strict=True):
        pose = [float(np.interp(time_s, times, way.keys[:, k])) for k in (1, 2, 3)]
        assert floor_clearance(search.ground, search.walker, *pose) > 0.0
        assert leaf_clearance(search.leaf, search.walker, *pose, opening) > 0.0
        if 0.0 <= time_s <= way.release_s:
            assert np.isfinite(reach_cost(search.leaf, search.walker, hand, *pose, opening))


def test_ways_of_holding_are_the_cheapest_there_are(search: Search) -> None:
    """No single move makes any way cheaper, and every way but the first comes from a neighbour at its price."""
    from understudy.skills.door._hold_kernels import _rate, _stepped, along

    half = HalfOpen(search)
    half.ways()
    holds, _ = half._holds()
    things = (search.ground, search.leaf, half.bowed)
    costs, parents = along(things, holds, 0, search.swing)
    known = np.argwhere(np.isfinite(costs))
    rng = np.random.default_rng(3)
    at = np.empty(3)
    assert len(known) > 100
    for cell in known[rng.choice(len(known), 60, replace=False)].tolist():
        came = {int(parents[tuple(cell)])}
        assert came == {-2} or costs.ravel()[came.pop()] < costs[tuple(cell)]
        for k in range(holds.moves.shape[1] + 3):
            *to, took = _stepped(holds, tuple(cell), k)
            if took > 0.0:
                rate = _rate(things, holds, 0, search.swing, tuple(to), at)
                assert costs[tuple(to)] <= costs[tuple(cell)] + took * (1.0 + rate) + 1e-9
