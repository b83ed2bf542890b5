"""Jumps: alike, with the carrying foot in one place, playable for ever, in trees."""

from __future__ import annotations

import numpy as np

from understudy.library.options import LibraryOptions
from understudy.library.preparation import joint_weights
from understudy.locomotion.published.sampling import Sampler
from understudy.locomotion.published.sampling._graph_kernels import LEFT_OUT, thin


def placed(points: np.ndarray, at: np.ndarray) -> np.ndarray:
    c, s = np.cos(at[2]), np.sin(at[2])
    x, z = points[..., 0], points[..., 2]
    return np.stack([at[0] + c * x + s * z, points[..., 1], at[1] - s * x + c * z], axis=-1)


def test_both_sides_of_a_jump_are_alike(sampler: Sampler) -> None:
    library, jumps = sampler.library, sampler.graph.jumps
    joints, _ = joint_weights(library.skeleton, LibraryOptions())
    world, half = library.footage.world.positions[:, joints], library.half_window
    feet, rng = library.footage.feet, np.random.default_rng(0)
    for edge in rng.choice(len(jumps.out), 40, replace=False).tolist():
        span = np.arange(-half, half + 1)
        old, new = world[jumps.out[edge] + span], placed(world[jumps.into[edge] + span], jumps.transforms[edge])
        rms = np.sqrt(((old - new) ** 2).sum(axis=-1).mean())
        assert np.isclose(rms, sampler.graph.rms_m[edge], atol=1e-4)
        assert rms <= library.threshold_m + 1e-4
        carrier = sampler.graph.carriers[edge]
        if carrier in (1, 2):
            here = feet[jumps.out[edge], carrier - 1]
            there = placed(feet[jumps.into[edge], carrier - 1], jumps.transforms[edge])
            np.testing.assert_allclose(here[[0, 2]], there[[0, 2]], atol=1e-4)
            np.testing.assert_allclose(here[[0, 2]], jumps.pivots[edge], atol=1e-4)


def test_nobody_gets_stuck(sampler: Sampler) -> None:
    jumps, rng = sampler.graph.jumps, np.random.default_rng(1)
    for start in rng.choice(sampler.beginnings(), 20).tolist():
        frame = start
        for _ in range(60):
            first = jumps.root_first[frame + jumps.least]
            last = jumps.root_first[jumps.stops[frame] + 1]
            if last == first:
                # The last bit of a run may be entered, but not left again; at least it can be played.
                assert jumps.stops[frame] - frame >= jumps.least
                break
            frame = int(jumps.into[jumps.roots[rng.integers(first, last)]])


def test_trees_hold_every_finer_edge_once(sampler: Sampler) -> None:
    jumps, hops = sampler.graph.jumps, sampler.graph.hops
    finer = np.flatnonzero(hops.parents >= 0)
    assert sorted(hops.children.tolist()) == finer.tolist()
    for edge in finer[:: max(len(finer) // 200, 1)].tolist():
        parent = hops.parents[edge]
        assert edge in hops.children[hops.child_first[parent] : hops.child_first[parent + 1]]
        assert abs(jumps.out[edge] - jumps.out[parent]) <= 32
        assert jumps.takes[jumps.out[edge]] == jumps.takes[jumps.out[parent]]
    assert (np.diff(jumps.out) >= 0).all()
    runs = int(jumps.takes.max()) + 1
    for pair in range(0, runs * runs, 5):
        listed = hops.pairs[hops.pair_first[pair] : hops.pair_first[pair + 1]]
        assert (jumps.takes[jumps.out[listed]] == pair // runs).all()
        assert (jumps.takes[jumps.into[listed]] == pair % runs).all()


def test_thinning_keeps_the_cheapest_apart() -> None:
    rng = np.random.default_rng(2)
    outs, ins = np.unravel_index(rng.choice(900, 300, replace=False), (30, 30))
    costs, takes = rng.uniform(size=300), np.repeat([0, 1], 15)
    order = np.argsort(costs)
    refined = thin(outs.astype(np.int64), ins.astype(np.int64), order, takes, np.array([3, 0]), 100)
    # A plain twin of the first level: greedy, cheapest first, in squares within one pair of takes.
    kept: list[int] = []
    for k in order.tolist():
        beside = [
            j
            for j in kept
            if max(abs(outs[j] - outs[k]), abs(ins[j] - ins[k])) <= 3
            and takes[outs[j]] == takes[outs[k]]
            and takes[ins[j]] == takes[ins[k]]
        ]
        if not beside:
            kept.append(k)
    assert sorted(kept) == np.flatnonzero(refined == -1).tolist()
    assert not (refined == LEFT_OUT).any()
    for k in np.flatnonzero(refined >= 0).tolist():
        assert refined[refined[k]] == -1
        assert max(abs(outs[k] - outs[refined[k]]), abs(ins[k] - ins[refined[k]])) <= 3
