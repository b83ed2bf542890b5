"""Ways get cheaper, still end at the goal, and stay free; fields between cells; the beam's buckets."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.locomotion.published.sampling import Sampler
from understudy.locomotion.published.sampling._bucket_kernels import AHEAD_X, SCORE, STATE, added
from understudy.locomotion.published.sampling._climb_kernels import climb
from understudy.locomotion.published.sampling._ending_kernels import chain_is_free, chain_places
from understudy.locomotion.published.sampling._tight_kernels import field_at
from understudy.locomotion.published.sampling._tighten_kernels import LONGER, WAY, fixed_cost
from understudy.locomotion.published.sampling.beam_tables import (
    LEAD_COST,
    LEAD_M,
    LEAD_X,
    LEAD_YAW,
    TOWARDS_X,
    Fields,
    Frontier,
)
from understudy.locomotion.published.sampling.tables import MOST_EDGES, Problem
from understudy.locomotion.published.sampling.tight import room_for
from understudy.locomotion.published.sampling.way import Way, best_tightened, tightened, ways_of


@pytest.fixture(scope="module")
def ways(problem: Problem) -> list[Way]:
    found, curve = room_for(8), np.zeros((4000, 3))
    chain, head = np.zeros(MOST_EDGES, dtype=np.int64), np.full(3, -1, dtype=np.int64)
    count = 0
    for seed in range(5, 20):
        state = np.array([seed], dtype=np.uint64)
        _, count, _ = climb(problem, 3, 24, True, 20_000, 2, state, found, curve, chain, head)
        if count:
            break
    assert count
    return ways_of(found, count)


def test_tightened_ways_are_cheaper_and_still_good(problem: Problem, sampler: Sampler, ways: list[Way]) -> None:
    stage, jumps, gains = problem.stage, problem.stage.jumps, []
    for way in ways:
        head = np.array([len(way.edges), way.first, way.last])
        before = fixed_cost(stage, problem.close, way.edges, head)
        tight = tightened(stage, problem.hops, problem.close, way)
        head = np.array([len(tight.edges), tight.first, tight.last])
        after = fixed_cost(stage, problem.close, tight.edges, head)
        gains.append(before - after)
        at = chain_places(stage, tight.edges, tight.turns_rad, tight.place)
        x, z, yaw = at[-1]
        end = jumps.moves[tight.last]
        root = np.array(
            [x + np.cos(yaw) * end[0] + np.sin(yaw) * end[1], z - np.sin(yaw) * end[0] + np.cos(yaw) * end[1]]
        )
        assert np.hypot(*(root - problem.close.goal[:2])) <= problem.close.errors[0] + 1e-9
        assert chain_is_free(stage, tight.edges, head, at, 0, 1, problem.close.margin)
        low, high = jumps.ranges[tight.edges].T
        assert ((tight.turns_rad >= low - 1e-9) & (tight.turns_rad <= high + 1e-9)).all()
        assert (tight.first, tuple(tight.place)) == (way.first, tuple(way.place))
    assert min(gains) > -0.2 * 2.0 and max(gains) > 0.05


def test_the_fixed_cost_is_way_jumps_and_effort(problem: Problem, ways: list[Way]) -> None:
    jumps, way = problem.stage.jumps, ways[0]
    first = np.concatenate([[way.first], jumps.into[way.edges]])
    last = np.concatenate([jumps.out[way.edges], [way.last]])
    wanted, walked = jumps.costs[way.edges].sum(), 0.0
    for a, b in zip(first, last, strict=True):
        roots = jumps.moves[a : b + 3 : 2, :2]
        wanted += jumps.efforts[b] - jumps.efforts[a]
        walked += np.linalg.norm(np.diff(roots, axis=0), axis=1).sum() * (b - a) / (2 * (len(roots) - 1))
    head = np.array([len(way.edges), way.first, way.last])
    for shortest in (2.0 * walked, 0.97 * walked, 0.8 * walked):
        longer = max(0.0, walked - shortest)
        cost = wanted + WAY * walked + LONGER / 2.0 * longer**2 / shortest
        close = problem.close._replace(shortest_m=shortest)
        assert np.isclose(fixed_cost(problem.stage, close, way.edges, head), cost, rtol=0.03)
    head[2] -= 10_000
    assert fixed_cost(problem.stage, problem.close, way.edges, head) == np.inf


def test_the_best_tightened_way_comes_first_and_none_twice(problem: Problem, sampler: Sampler, ways: list[Way]) -> None:
    stage, hops, close = problem.stage, problem.hops, problem.close
    found = best_tightened(stage, hops, close, [*ways, *ways], threads=2)
    costs = [way.cost for way in found]
    assert costs == sorted(costs)
    assert costs[0] == min(tightened(stage, hops, close, way).cost for way in ways)
    assert len({(way.last, *way.edges.tolist()) for way in found}) == len(found)
    assert all(way.before is None or way.before in ways for way in found)
    assert any(way.before is not None for way in found)
    played = found[0].played(sampler.graph)
    assert (np.diff(played) > 0).all()
    assert {found[0].first, *problem.stage.jumps.into[found[0].edges].tolist()} <= set(played.tolist())


def test_leads_are_where_jumps_lead(sampler: Sampler) -> None:
    jumps, ahead = sampler.graph.jumps, 15
    for edge in np.random.default_rng(0).choice(len(jumps.out), 40, replace=False).tolist():
        into, (tx, tz, turn) = int(jumps.into[edge]), jumps.transforms[edge]
        frame = min(into + ahead, int(jumps.stops[into]))
        x, z, heading = jumps.moves[frame]
        lead, c, s = sampler.jumped[edge], np.cos(turn), np.sin(turn)
        np.testing.assert_allclose(lead[LEAD_X : LEAD_X + 2], [tx + c * x + s * z, tz - s * x + c * z])
        assert np.isclose(lead[LEAD_YAW], turn + heading)
        assert np.isclose(lead[LEAD_M], np.hypot(*(jumps.moves[frame, :2] - jumps.moves[into, :2])))
        assert np.isclose(lead[LEAD_COST] - lead[LEAD_M], jumps.efforts[frame] - jumps.efforts[into])
        assert np.isclose(np.hypot(*lead[TOWARDS_X : TOWARDS_X + 2]), 1.0) or not lead[TOWARDS_X:].any()


def test_fields_between_cells() -> None:
    z, x = np.meshgrid(np.arange(8.0), np.arange(9.0), indexing="ij")
    values = (3.0 + 0.6 * (x + 0.5) * 0.1 - 0.8 * (z + 0.5) * 0.1)[None]
    values[0, 6, 7] = np.inf
    fields = Fields(np.array([1.0, 2.0]), 0.1, values, np.zeros((1, 2)), np.zeros(1))
    rng = np.random.default_rng(0)
    for _ in range(50):
        px, pz = rng.uniform([1.06, 2.06], [1.6, 2.5])
        value, gx, gz = field_at(fields, 0, px, pz)
        assert np.allclose([value, gx, gz], [3.0 + 0.6 * (px - 1.0) - 0.8 * (pz - 2.0), 0.6, -0.8])
    assert field_at(fields, 0, 1.75, 2.65)[0] == np.inf
    beside = field_at(fields, 0, 1.67, 2.64)
    assert beside == (values[0, 6, 6], 0.0, 0.0)
    assert field_at(fields, 0, 0.9, 2.3)[0] == np.inf


def test_buckets_keep_the_best_and_none_twice() -> None:
    room = Frontier(
        items=np.zeros((1, 4), dtype=np.int64), filled=np.zeros(1, dtype=np.int64), worst=np.full(1, np.inf),
        numbers=np.zeros((500, STATE)), links=np.zeros((500, 5), dtype=np.int64), counts=np.zeros(3, dtype=np.int64),
    )  # fmt: skip
    rng = np.random.default_rng(1)
    scores = rng.uniform(0.0, 10.0, 60)
    places = np.repeat(np.arange(20.0), 3)
    for k in rng.permutation(60).tolist():
        state = np.zeros(STATE)
        state[SCORE], state[AHEAD_X] = scores[k], places[k]
        added(room, 4, state, k, -1, -1, 0, 0, 0)
    wanted = np.sort([scores[places == place].min() for place in range(20)])[:4]
    assert np.allclose(np.sort(room.numbers[room.items[0], SCORE]), wanted)
    assert room.worst[0] == wanted[-1]
