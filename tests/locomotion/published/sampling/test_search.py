"""Scores against a plain twin, mutations, endings, and the search against every sequence of a tiny graph."""

from __future__ import annotations

from itertools import product

import numpy as np

from understudy.locomotion.published.sampling import Sampler
from understudy.locomotion.published.sampling._climb_kernels import climb
from understudy.locomotion.published.sampling._ending_kernels import chain_places, finish
from understudy.locomotion.published.sampling._mutation_kernels import LONGEST, is_whole, mutated, random_sequence
from understudy.locomotion.published.sampling._score_kernels import LEAST, score, start_place
from understudy.locomotion.published.sampling._volume_kernels import turned_inside
from understudy.locomotion.published.sampling.frame_graph import _hops
from understudy.locomotion.published.sampling.tables import MOST_EDGES, Problem
from understudy.locomotion.published.sampling.tight import room_for


def drawn(problem: Problem, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    chain, head = np.zeros(MOST_EDGES, dtype=np.int64), np.zeros(3, dtype=np.int64)
    state = np.array([seed], dtype=np.uint64)
    assert random_sequence(problem.stage.jumps, problem.hops, problem.targets, chain, head, state)
    return chain, head, state


def blank(problem: Problem) -> np.ndarray:
    return np.zeros((MOST_EDGES + 2, LEAST + len(problem.targets.places)))


def plain_score(problem: Problem, chain: np.ndarray, head: np.ndarray) -> float:
    """The cost of a sequence, written down frame by frame (paper, equations 1 to 7)."""
    stage, targets, weights = problem.stage, problem.targets, problem.weights
    jumps, count = stage.jumps, int(head[0])
    place = np.array(start_place(jumps.moves, jumps.stops, targets, head[1]))
    at = chain_places(stage, chain[:count], np.zeros(count), place)
    frames, places = [], []
    smooth = 0.0
    for k in range(count + 1):
        first = head[1] if k == 0 else jumps.into[chain[k - 1]]
        stop = head[2] + 1 if k == count else jumps.out[chain[k]]
        frames += list(range(first, stop))
        places += [at[k]] * (stop - first)
        smooth += weights.smooth * (jumps.efforts[stop - 1] - jumps.efforts[first])
        smooth += weights.smooth * jumps.costs[chain[k]] if k < count else 0.0
    looked = [k for k in range(len(frames)) if k % stage.step == 0 or k == len(frames) - 1]
    track = np.array([targets.start[:2]])
    least = np.full(len(targets.places), np.inf)
    collide = follow = 0.0
    for k in looked:
        frame, (x, z, yaw) = frames[k], places[k]
        rx = x + np.cos(yaw) * jumps.moves[frame, 0] + np.sin(yaw) * jumps.moves[frame, 1]
        rz = z - np.sin(yaw) * jumps.moves[frame, 0] + np.cos(yaw) * jumps.moves[frame, 1]
        track = np.vstack([track, [rx, rz]])
        hits = turned_inside(stage.volume, stage.body, frame, x, z, np.cos(yaw), np.sin(yaw), weights.margin, 10_000)
        collide += weights.collide * stage.step * hits / len(stage.body.radii)
        away = np.sum((targets.places[:, :2] - [rx, rz]) ** 2, axis=1)
        off = np.angle(np.exp(1j * (yaw + jumps.moves[frame, 2] - targets.places[:, 2])))
        each = weights.location * away + np.where(targets.kinds[:, 1], weights.orientation * off**2, 0.0)
        least[:-1] = np.minimum(least[:-1], each[:-1])
        nearest = min(away.min(), np.sum((targets.start[:2] - [rx, rz]) ** 2))
        follow += stage.step * nearest / weights.follow_m**2
        least[-1] = each[-1]
    travelled = np.linalg.norm(np.diff(track, axis=0), axis=1).sum()
    rest = np.linalg.norm(track[-1] - targets.places[-1, :2])
    travel = (weights.travel * ((travelled + rest) / targets.expected - 1.0)) ** 2
    return float(smooth + collide**2 + weights.follow * follow + least.sum() + travel)


def test_the_cost_is_that_of_the_formulas(problem: Problem) -> None:
    for seed in range(12):
        chain, head, _ = drawn(problem, seed)
        found = score(problem, chain, head, blank(problem), 0, np.inf)
        assert np.isclose(found, plain_score(problem, chain, head), rtol=1e-9)


def test_mutations_stay_whole_and_are_scored_to_the_last_bit(problem: Problem) -> None:
    jumps, changed = problem.stage.jumps, 0
    for seed in range(20):
        chain, head, state = drawn(problem, seed)
        prefix = blank(problem)
        score(problem, chain, head, prefix, 0, np.inf)
        for _ in range(25):
            other, other_head = chain.copy(), head.copy()
            begin = mutated(jumps, problem.hops, problem.targets, other, other_head, True, state)
            if begin < 0:
                continue
            assert is_whole(jumps, problem.targets, other, other_head)
            same = min(begin, head[0])
            assert (other[:same] == chain[:same]).all()
            partly = prefix.copy()
            whole = blank(problem)
            assert score(problem, other, other_head, partly, begin, np.inf) == score(
                problem, other, other_head, whole, 0, np.inf
            )
            rows = other_head[0] + 2
            assert (partly[:rows] == whole[:rows]).all()
            chain, head, prefix = other, other_head, whole
            changed += 1
    assert changed > 100


def test_costs_above_the_cutoff_are_given_up(problem: Problem) -> None:
    chain, head, _ = drawn(problem, 3)
    cost = score(problem, chain, head, blank(problem), 0, np.inf)
    assert score(problem, chain, head, blank(problem), 0, cost + 1.0) == cost
    assert score(problem, chain, head, blank(problem), 0, 0.0) == np.inf


def test_any_cutoff_gives_the_cost_or_gives_up_and_only_what_is_dearer(problem: Problem) -> None:
    rng, given_up = np.random.default_rng(0), 0
    for seed in range(30):
        chain, head, _ = drawn(problem, seed)
        cost = score(problem, chain, head, blank(problem), 0, np.inf)
        for cutoff in cost * np.array([1.0, *rng.uniform(0.02, 1.5, 8)]):
            found = score(problem, chain, head, blank(problem), 0, cutoff)
            assert found == cost or (found == np.inf and cutoff < cost)
            given_up += found == np.inf
    assert given_up > 60


def test_endings_are_exact_and_free(problem: Problem) -> None:
    found, curve = room_for(8), np.zeros((4000, 3))
    chain, head = np.zeros(MOST_EDGES, dtype=np.int64), np.full(3, -1, dtype=np.int64)
    count, rows = 0, 0
    for seed in range(5, 20):
        # One climb may end in a valley; what is asked is what the ends are like, not that each climb finds some.
        state = np.array([seed], dtype=np.uint64)
        scored, count, rows = climb(problem, 3, 24, True, 40_000, 2, state, found, curve, chain, head)
        assert scored <= 40_000 + 100
        if count:
            break
    assert count > 0
    assert (np.diff(curve[:rows, 1]) <= 0.0).all()
    jumps = problem.stage.jumps
    for k in range(count):
        size, first, last = found.heads[k].tolist()
        edges, turns = found.chains[k, :size].copy(), found.turns[k, :size].copy()
        at = chain_places(problem.stage, edges, turns, found.places[k])
        x, z, yaw = at[-1]
        ex = x + np.cos(yaw) * jumps.moves[last, 0] + np.sin(yaw) * jumps.moves[last, 1]
        ez = z - np.sin(yaw) * jumps.moves[last, 0] + np.cos(yaw) * jumps.moves[last, 1]
        assert np.hypot(ex - 1.2, ez - 5.0) <= 0.005 + 1e-9
        assert (turns >= jumps.ranges[edges, 0] - 1e-9).all()
        assert (turns <= jumps.ranges[edges, 1] + 1e-9).all()
        begins, ends = np.concatenate([[first], jumps.into[edges]]), np.concatenate([jumps.out[edges], [last]])
        for (x, z, yaw), begin, end in zip(at, begins, ends, strict=True):
            placed = x, z, np.cos(yaw), np.sin(yaw)
            for frame in range(begin, end + 1):
                assert turned_inside(problem.stage.volume, problem.stage.body, frame, *placed, 0.025, 1) == 0
        # What is at the goal already needs no turning.
        again = turns.copy()
        assert finish(problem.stage, problem.close, edges, found.heads[k], found.places[k], again)
        np.testing.assert_array_equal(again, turns)


def test_the_search_comes_near_the_best_sequence_of_a_tiny_graph(sampler: Sampler, problem: Problem) -> None:
    jumps = problem.stage.jumps
    rng = np.random.default_rng(4)
    roots = np.sort(rng.choice(jumps.roots, 40, replace=False))
    few = jumps._replace(
        roots=roots, root_first=np.searchsorted(jumps.out[roots], np.arange(len(jumps.takes) + 1)).astype(np.int64)
    )
    starts = sampler.beginnings()[::120]
    tiny = problem._replace(
        stage=problem.stage._replace(jumps=few),
        hops=_hops(few, np.where(np.isin(np.arange(len(jumps.out)), roots), -1, 0))._replace(
            child_first=np.zeros(len(jumps.out) + 1, dtype=np.int64), children=np.zeros(0, dtype=np.int64)
        ),
        targets=problem.targets._replace(starts=starts, expected=1.6),
    )
    best = np.inf
    chain = np.zeros(MOST_EDGES, dtype=np.int64)
    for size in (0, 1, 2):
        for first, *edges in product(starts.tolist(), *[roots.tolist()] * size):
            chain[:size] = edges
            entry = first if size == 0 else int(few.into[edges[-1]])
            for last in range(entry + few.least, min(int(few.stops[entry]), entry + 45) + 1, 3):
                head = np.array([size, first, last])
                begins, ends = [first, *few.into[edges]], [*few.out[edges], last]
                drawable = max(np.subtract(ends, begins)) <= LONGEST
                if drawable and is_whole(few, tiny.targets, chain, head):
                    best = min(best, score(tiny, chain, head, blank(tiny), 0, best))
    out, ended = np.zeros(MOST_EDGES, dtype=np.int64), np.full(3, -1, dtype=np.int64)
    curve = np.zeros((4000, 3))
    reached = []
    for seed in range(7, 13):
        state = np.array([seed], dtype=np.uint64)
        _, _, rows = climb(tiny, 3, 24, False, 60_000, 10**6, state, room_for(4), curve, out, ended)
        reached.append(curve[rows - 1, 1])
        assert np.isclose(score(tiny, out, ended, blank(tiny), 0, np.inf), reached[-1])
    assert np.isfinite(best)
    assert min(reached) <= 1.03 * best
