from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.suites.library import added_drift_mm

from understudy import rotations as rot
from understudy.core import Motion, PlanarTransform
from understudy.errors import PlanningInputError
from understudy.inspection import foot_contacts
from understudy.kinematics import motion_world
from understudy.library import Library, LibraryOptions, build_library, unroll
from understudy.library.footage import foot_ends


def random_way(library: Library, seed: int, clips: int, *, turned: bool) -> tuple[list[int], list[float]]:
    rng = np.random.default_rng(seed)
    nodes, turns = [int(rng.integers(len(library)))], []
    for _ in range(clips):
        nodes.append(int(rng.choice(library.graph.successors(nodes[-1]))))
        low, high = library.graph.ranges[library.graph.edge(nodes[-2], nodes[-1])]
        turns.append(float(rng.uniform(low, high)) if turned else 0.0)
    return nodes, turns


def stance_travel_m(motion: Motion) -> np.ndarray:
    """Largest horizontal travel of ankle and ball in every stance, by contacts found anew in the motion."""
    contacts = foot_contacts(motion)
    ends = foot_ends(motion.skeleton, motion_world(motion).positions)
    out = []
    for side, name in enumerate(("left", "right")):
        for first, stop in contacts.stances(name):
            carrier = ends[first:stop, side, :, 1].mean(axis=0).argmin()
            flat = ends[first:stop, side, carrier][:, [0, 2]]
            out.append(np.linalg.norm(flat[:, None] - flat[None], axis=-1).max())
    return np.array(out)


def successive(library: Library) -> list[int]:
    """The longest run of clips that follow each other in one take."""
    graph = library.graph
    best: list[int] = []
    for node in range(graph.nodes):
        run = [node]
        while True:
            following = np.flatnonzero(graph.first == graph.last[run[-1]])
            if not len(following) or following[0] in run:
                break
            run.append(int(following[0]))
        best = max(best, run, key=len)
    return best


def test_successive_clips_give_the_recording_back(library: Library) -> None:
    run = successive(library)
    assert len(run) > 3
    unrolled = unroll(library, run)
    first, last = int(library.graph.first[run[0]]), int(library.graph.last[run[-1]])
    recorded = library.footage.motion(first, last + 1).placed(library.to_node(run[0]))
    assert motion_world(unrolled.motion).positions == pytest.approx(motion_world(recorded).positions, abs=1e-4)
    assert unrolled.foot_error_m < 1e-9


@pytest.mark.parametrize("turned", [False, True])
def test_planted_feet_do_not_slide(library: Library, turned: bool) -> None:
    """The synthetic walkers' feet stand perfectly still, so all travel is added by us."""
    for seed in range(4):
        nodes, turns = random_way(library, seed, 15, turned=turned)
        unrolled = unroll(library, nodes, turns_rad=turns)
        assert unrolled.foot_error_m < 1e-6
        assert stance_travel_m(unrolled.motion).max() < 0.005


@pytest.mark.parametrize("turned", [False, True])
def test_feet_stand_whenever_the_recording_says_so(library: Library, turned: bool) -> None:
    """By the clips' own contacts: a foot that slid fast would not count as planted in the result."""
    for seed in range(4):
        nodes, turns = random_way(library, seed, 15, turned=turned)
        assert added_drift_mm(library, unroll(library, nodes, turns_rad=turns)).max() < 5.0


def test_the_measure_of_drift_sees_a_planted_fault(library: Library) -> None:
    unrolled = unroll(library, random_way(library, 2, 6, turned=False)[0])
    roots = unrolled.motion.root_positions.copy()
    roots[:, 0] += 0.02 * np.sin(np.arange(len(roots)) / 5.0)
    shaken = replace(unrolled, motion=replace(unrolled.motion, root_positions=roots))
    assert added_drift_mm(library, shaken).max() > 20.0


def test_foot_hold_is_what_holds_the_feet(library: Library) -> None:
    nodes, turns = random_way(library, 1, 15, turned=True)
    loose = stance_travel_m(unroll(library, nodes, turns_rad=turns, hold_feet=False).motion).max()
    assert stance_travel_m(unroll(library, nodes, turns_rad=turns).motion).max() < 0.5 * loose


def test_seams_are_continuous(library: Library, walks: list[Motion]) -> None:
    def turn_steps(motion: Motion) -> np.ndarray:
        """Change of angular velocity from frame to frame [rad/s]."""
        rate = rot.log(rot.relative(motion.rotations[:-1], motion.rotations[1:])) * motion.fps
        return np.linalg.norm(np.diff(rate, axis=0), axis=-1)

    usual = max(turn_steps(walk).max() for walk in walks)
    for seed in range(3):
        nodes, turns = random_way(library, seed, 12, turned=True)
        motion = unroll(library, nodes, turns_rad=turns).motion
        assert turn_steps(motion).max() < 2.0 * usual
        assert (np.einsum("fjk,fjk->fj", motion.rotations[1:], motion.rotations[:-1]) > 0.9).all()


def test_clips_end_where_the_graph_says(library: Library) -> None:
    nodes, turns = random_way(library, 5, 9, turned=True)
    start = PlanarTransform(x_m=2.0, z_m=-1.0, yaw_rad=1.2)
    unrolled = unroll(library, nodes, turns_rad=turns, start=start)
    lengths = library.graph.last[nodes] - library.graph.first[nodes]
    assert len(unrolled.motion) == lengths.sum() + 1
    middles = np.concatenate([[0], np.cumsum(lengths)[:-1]]) + lengths // 2
    for place, (node, frame) in enumerate(zip(nodes, middles, strict=True)):
        x, z, yaw = unrolled.placements[place]
        at = PlanarTransform(x_m=x, z_m=z, yaw_rad=yaw)
        wanted = at.floor_points(library.root_path(node)[lengths[place] // 2])
        assert unrolled.motion.root_positions[frame, [0, 2]] == pytest.approx(wanted, abs=2e-3)


def test_the_same_way_gives_the_same_bytes(library: Library) -> None:
    nodes, turns = random_way(library, 7, 8, turned=True)
    one, two = (unroll(library, nodes, turns_rad=turns).motion for _ in range(2))
    assert np.array_equal(one.rotations, two.rotations) and np.array_equal(one.root_positions, two.root_positions)


def test_impossible_ways_are_refused(library: Library) -> None:
    node = 0
    stranger = next(n for n in range(len(library)) if n not in library.graph.successors(node))
    with pytest.raises(PlanningInputError, match="cannot follow"):
        unroll(library, [node, stranger])
    with pytest.raises(PlanningInputError, match="clips out of"):
        unroll(library, [len(library)])
    with pytest.raises(PlanningInputError, match="clips out of"):
        unroll(library, [])
    following = int(library.graph.successors(node)[0])
    with pytest.raises(PlanningInputError, match="allowed"):
        unroll(library, [node, following], turns_rad=[2.0])
    with pytest.raises(PlanningInputError, match="transitions"):
        unroll(library, [node, following], turns_rad=[0.0, 0.0])


def test_bent_clips_turn_and_keep_their_feet(walks: list[Motion]) -> None:
    options = LibraryOptions(bends_degps=(-20.0, 20.0), threshold_m=0.06)
    library = build_library(walks[:1], options=options)
    rates = np.degrees(library.graph.moves[:, 2] / library.lengths())
    bends = np.degrees([library.take(node).bend_radps for node in range(len(library))])
    assert set(np.round(bends)) == {-20.0, 0.0, 20.0}
    assert rates == pytest.approx(bends, abs=0.5)
    for seed in range(3):
        nodes, turns = random_way(library, seed, 12, turned=False)
        assert stance_travel_m(unroll(library, nodes, turns_rad=turns).motion).max() < 0.005


def test_bends_that_drift_are_left_out(walks: list[Motion]) -> None:
    gentle = build_library(walks[:1], options=LibraryOptions(bends_degps=(20.0,), bend_drift_m=0.0001))
    assert all(take.bend_radps == 0.0 for take in gentle.footage.takes)


@pytest.mark.parametrize("turned", [False, True])
def test_recorded_walks_keep_their_feet(recorded_library: Library, recorded: list[Motion], turned: bool) -> None:
    """No stance travels farther than 5 mm more than the worst of the recording, nor strays as far from its own."""
    own = max(stance_travel_m(motion.resampled(60.0)).max() for motion in recorded)
    for seed in range(4):
        nodes, turns = random_way(recorded_library, seed, 25, turned=turned)
        unrolled = unroll(recorded_library, nodes, turns_rad=turns)
        assert unrolled.foot_error_m < 1e-4
        assert stance_travel_m(unrolled.motion).max() < own + 0.005
        assert added_drift_mm(recorded_library, unrolled).max() < 5.0
