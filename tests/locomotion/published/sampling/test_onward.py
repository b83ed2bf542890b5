"""What it takes to walk on, on an open floor: against a plain twin, and as the beam needs it."""

from __future__ import annotations

import numpy as np

from understudy.locomotion.published.sampling import Sampler
from understudy.locomotion.published.sampling._ending_kernels import TURNING_M
from understudy.locomotion.published.sampling._onward_kernels import TURNS, between, leaving, sector, steered, sweep
from understudy.locomotion.published.sampling.onward import HEADINGS, onward_of
from understudy.locomotion.published.sampling.tables import Jumps
from understudy.locomotion.published.sampling.tight import is_straight


def test_rows_are_read_between_headings_all_round() -> None:
    row = np.random.default_rng(0).normal(size=HEADINGS)
    yaws = np.random.default_rng(1).uniform(-10.0, 10.0, 50)
    wanted = np.interp(yaws, 2.0 * np.pi * np.arange(HEADINGS) / HEADINGS, row, period=2.0 * np.pi)
    assert np.allclose([between(row, yaw) for yaw in yaws], wanted)


def test_a_sweep_is_what_a_plain_twin_says(sampler: Sampler) -> None:
    jumps, rng, headings = sampler.graph.jumps, np.random.default_rng(2), 8
    frames = len(jumps.moves)
    steps, least = rng.uniform(0.0, 0.1, (frames, 3)), rng.uniform(0.0, 1.0, (frames, 3))
    playing = rng.uniform(0.0, 1.0, (frames, headings))
    before, entered, kept, rate, steer, dead = playing.copy(), np.zeros((frames, headings)), 0.97, 0.2, 0.5, 1.5
    sweep(jumps, steps, least, kept, rate, steer, dead, entered, playing)
    yaws = 2.0 * np.pi * np.arange(headings) / headings
    for f in rng.choice(frames, 30, replace=False).tolist():
        after = f + jumps.least
        whole = jumps.takes[f] >= 0 and after <= jumps.stops[f]
        rest = kept**jumps.least * before[after] if whole else np.full(headings, dead)
        ahead = np.cos(yaws) * least[f, 2] - np.sin(yaws) * least[f, 1]
        assert np.allclose(entered[f], least[f, 0] - (1.0 + rate) * ahead + rest)
        best = np.full(headings, dead)
        if f < jumps.stops[f]:
            ahead = np.cos(yaws) * steps[f, 2] - np.sin(yaws) * steps[f, 1]
            best = steps[f, 0] - (1.0 + rate) * ahead + kept * playing[f + 1]
        for edge in jumps.roots[jumps.root_first[f] : jumps.root_first[f + 1]]:
            for part in TURNS:
                turn = steer * part * abs(jumps.ranges[edge, 1 if part > 0 else 0])
                into = yaws + turn + jumps.transforms[edge, 2]
                row = np.interp(into, yaws, entered[jumps.into[edge]], period=2.0 * np.pi)
                best = np.minimum(best, jumps.costs[edge] + TURNING_M * abs(turn) + row)
        assert np.allclose(playing[f], best)


def test_walking_ahead_costs_less_than_walking_away(sampler: Sampler) -> None:
    jumps = sampler.graph.jumps
    onward = onward_of(jumps, sampler.library.fps)
    assert 0.0 < onward.rate < 1.0
    into = np.unique(jumps.into[jumps.roots])
    later = np.minimum(into + 30, jumps.stops[into])
    moved = jumps.moves[later, :2] - jumps.moves[into, :2]
    steps = np.round(-np.arctan2(moved[:, 0], moved[:, 1]) * HEADINGS / (2.0 * np.pi)).astype(int)
    ahead, away = onward.begin[into, steps % HEADINGS], onward.begin[into, (steps + HEADINGS // 2) % HEADINGS]
    far = np.hypot(*moved.T) > 0.5
    assert (ahead[far] < away[far] - 0.5).all()


def test_ways_are_straight_by_how_much_they_bend() -> None:
    assert is_straight(np.array([[0.0, 0.0], [0.0, 8.0]]))
    assert is_straight(np.array([[0.0, 0.0], [0.5, 4.0], [0.0, 8.0]]))
    assert not is_straight(np.array([[0.0, 0.0], [0.0, 3.0], [3.0, 3.0], [3.0, 6.0]]))


def turned_least(jumps: Jumps, entered: np.ndarray, edge: int, yaw: float) -> tuple[float, float]:
    low, high = 0.5 * jumps.ranges[edge]
    return steered(entered[jumps.into[edge]], yaw + jumps.transforms[edge, 2], low, high)


def test_jumps_are_turned_to_where_going_on_takes_least(sampler: Sampler) -> None:
    jumps, rng = sampler.graph.jumps, np.random.default_rng(4)
    entered = rng.uniform(-0.2, 2.0, (len(jumps.moves), HEADINGS))
    turned = []
    for edge, yaw in zip(rng.choice(jumps.roots, 80), rng.uniform(-7.0, 7.0, 80), strict=True):
        turn, least = turned_least(jumps, entered, edge, yaw)
        row, into = entered[jumps.into[edge]], yaw + jumps.transforms[edge, 2]
        each = {t: TURNING_M * abs(t) + between(row, into + t) for t in (0.0, *(0.5 * jumps.ranges[edge]))}
        assert np.isclose(least, min(each.values())) and np.isclose(each[turn], least)
        turned.append(turn != 0.0)
    assert 0.2 < np.mean(turned) < 0.95


def test_no_jump_takes_less_than_its_sector_says(sampler: Sampler) -> None:
    jumps, rng = sampler.graph.jumps, np.random.default_rng(3)
    entered = rng.uniform(-0.2, 2.0, (len(jumps.moves), HEADINGS))
    bound = leaving(jumps, entered, 0.5)
    gaps = []
    for f in rng.choice(len(jumps.moves), 60, replace=False).tolist():
        edges = jumps.roots[jumps.root_first[f] : jumps.root_first[f + 1]]
        if len(edges) == 0:
            assert np.isinf(bound[f]).all()
            continue
        for yaw in rng.uniform(-7.0, 7.0, 20):
            each = [jumps.costs[e] + turned_least(jumps, entered, e, yaw)[1] for e in edges]
            gaps.append(min(each) - bound[f, sector(yaw, HEADINGS)])
    assert min(gaps) >= -1e-12 and np.median(gaps) < 0.5
