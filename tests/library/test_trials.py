"""Trials of transitions: planted faults are found, clean ones are left alone, and kernels agree with plain NumPy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from walkers import walker

from understudy import rotations as rot
from understudy.core import Motion
from understudy.core.body_fit import fit_body
from understudy.core.planar import PlanarTransform
from understudy.kinematics import hold_end, motion_world
from understudy.library import Library, LibraryOptions, StandingDetector, build_library, trials, unroll
from understudy.library._leg_kernels import leg_world, placed_leg
from understudy.library.features import ankle_speeds_mps
from understudy.library.footage import Take, spliced
from understudy.library.preparation import averaged, steadied
from understudy.library.tables import Troupe
from understudy.library.trials import (
    below_the_waist,
    body_table,
    low_pass_taps,
    passing,
    rehearsed,
    seams_of,
    sound_clips,
)
from understudy.library.unroll import blended_frames
from understudy.performer import builtin_clips
from verify.plain_segments import segment_segment


@pytest.fixture(scope="module")
def performed() -> Library:
    return build_library(builtin_clips("walk"), options=LibraryOptions(trials=False))


def knock_kneed(motion: Motion, side: str, inwards_m: float) -> Motion:
    """The same walk with one foot on the other's side of the line."""
    ankle = motion_world(motion).positions[:, motion.skeleton.humanoid[f"{side}Foot"]]
    turns = motion_world(motion).rotations[:, motion.skeleton.humanoid[f"{side}Foot"]]
    leg = (f"{side}UpperLeg", f"{side}LowerLeg", f"{side}Foot")
    return hold_end(motion, leg, ankle - [inwards_m, 0.0, 0.0], turns).motion


def test_leg_kernel_puts_ankles_where_hold_end_does() -> None:
    motion = walker(turn_degps=20.0)
    world = motion_world(motion)
    planted = np.zeros((len(motion), 2), dtype=bool)
    footage = spliced(motion.skeleton, motion.fps, [Take(name="walk", source=0)], [motion], [planted])
    legs, rng = footage.legs, np.random.default_rng(3)
    for side, name in enumerate(("left", "right")):
        ankle = motion.skeleton.humanoid[f"{name}Foot"]
        places = world.positions[:, ankle] + rng.normal(scale=0.005, size=(len(motion), 3)) + [0.0, 0.06, 0.0]
        turned = rot.multiply(rot.from_yaw(np.full(len(motion), 0.1)), world.rotations[:, ankle])
        held = hold_end(motion, (f"{name}UpperLeg", f"{name}LowerLeg", f"{name}Foot"), places, turned).motion
        rotations, work = motion.rotations.copy(), np.empty((5, 7))
        for frame in range(len(motion)):
            leg_world(legs, side, motion.root_positions[frame], rotations[frame], work)
            np.testing.assert_allclose(work[4, 4:], world.positions[frame, ankle], atol=1e-9)
            assert placed_leg(legs, side, rotations[frame], places[frame], turned[frame], work) < 1e-9
        ours = motion_world(replace(motion, rotations=rotations))
        np.testing.assert_allclose(ours.positions[:, ankle], places, atol=1e-9)
        assert rot.angle_between(ours.rotations[:, ankle], turned).max() < 1e-7
        # The knee may be bent about another hinge by a hair; it is the same leg.
        knee = motion.skeleton.humanoid[f"{name}LowerLeg"]
        assert np.abs(ours.positions[:, knee] - motion_world(held).positions[:, knee]).max() < 0.02


def test_leg_distances_are_those_of_plain_segments(performed: Library) -> None:
    footage, body = performed.footage, fit_body(performed.skeleton)
    table = body_table(footage, body)
    world = footage.world
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    names = [f"{side}_{part}" for side in ("left", "right") for part in ("thigh", "shank", "foot", "toes")]
    parts = [body.capsule_names.index(name) for name in names]
    for k, (a, b) in enumerate(table.pairs.tolist()):
        one, two = parts[a], parts[b]
        plain = segment_segment(starts[:, one], ends[:, one], starts[:, two], ends[:, two])
        plain = plain - body.capsule_radii[one] - body.capsule_radii[two]
        np.testing.assert_allclose(table.gaps[:, k], plain, atol=1e-9)
    deep = np.diff(table.alike_depths)
    inside = np.setdiff1d(np.arange(len(deep)), table.alike_starts[1:-1] - 1)
    assert (deep[inside] <= 0.0).all()


def test_low_pass_has_the_gain_it_should() -> None:
    taps, fps = low_pass_taps(60.0), 60.0
    assert taps.sum() == pytest.approx(1.0)
    reach = len(taps) // 2
    for hertz, gain in ((1.0, 1.0), (6.0, 0.5), (12.0, 1 / 17)):
        response = np.sum(taps * np.cos(2 * np.pi * hertz / fps * np.arange(-reach, reach + 1)))
        assert response == pytest.approx(gain, abs=0.03)


def test_crossing_legs_are_left_out() -> None:
    narrow = knock_kneed(walker(name="narrow"), "left", 0.2)
    options = LibraryOptions(threshold_m=0.12, trials=False, foot_slack_m=0.2)
    library = build_library([walker(name="wide"), narrow], options=options)
    graph, counts = passing(library.footage, library.graph, library.half_window)
    assert counts.get("legs touch", 0) + counts["clips"] > 0
    assert graph.edges < library.graph.edges
    wide = build_library([walker(name="wide")], options=LibraryOptions(threshold_m=0.12, trials=False))
    _, clean = passing(wide.footage, wide.graph, wide.half_window)
    assert clean.get("legs touch", 0) == 0
    assert clean["clips"] == 0


def test_ranges_are_narrowed_to_turns_that_pass(performed: Library) -> None:
    graph, counts = passing(performed.footage, performed.graph, performed.half_window)
    assert counts["narrowed"] > 0
    wide = np.ptp(graph.ranges, axis=1).sum() / np.ptp(performed.graph.ranges, axis=1).sum()
    assert 0.3 < wide < 1.0
    assert (graph.ranges[:, 0] <= 0.0).all()
    assert (graph.ranges[:, 1] >= 0.0).all()


def test_walks_of_tried_transitions_rehearse_well_and_untried_ones_worse(performed: Library) -> None:
    tried = build_library(builtin_clips("walk"))
    body = fit_body(tried.skeleton)

    def share_of_faults(library: Library) -> float:
        table, faults = body_table(library.footage, body), 0
        for seed in range(60):
            rng = np.random.default_rng(seed)
            nodes, turns = [int(rng.integers(len(library)))], []
            for _ in range(6):
                edge = int(rng.integers(*library.graph.edge_starts[[nodes[-1], nodes[-1] + 1]]))
                nodes.append(int(library.graph.targets[edge]))
                turns.append(float(rng.uniform(*library.graph.ranges[edge])))
            whole = unroll(library, nodes, turns_rad=turns)
            faults += rehearsed(library.footage, table, whole.way, whole.motion)[0] != ""
        return faults / 60

    # Turned as far as possible six times in a row, legs touch in a quarter of the walks; searches rehearse theirs.
    assert share_of_faults(tried) <= min(share_of_faults(performed), 0.1)


def test_sunken_clips_are_unsound() -> None:
    sunk = walker(name="sunk")
    roots = sunk.root_positions.copy()
    roots[140:160, 1] -= 0.08 * np.hanning(20)
    library = build_library(
        [walker(name="level"), replace(sunk, root_positions=roots)], options=LibraryOptions(trials=False)
    )
    body = fit_body(library.skeleton)
    sound = sound_clips(library.footage, library.graph, body, body_table(library.footage, body).gaps)
    takes = np.array([library.take(node).name for node in range(len(library))])
    assert sound[takes == "level"].all()
    assert not sound[takes == "sunk"].all()


def test_takes_at_different_heights_are_put_on_one_floor() -> None:
    heights = (0.0, 0.05, -0.01)
    takes = [
        replace(one, root_positions=one.root_positions + np.array([0.0, height, 0.0]), name=f"{height}")
        for height in heights
        for one in [walker()]
    ]
    library = build_library(takes, options=LibraryOptions(trials=False))
    body, world = fit_body(library.skeleton), library.footage.world
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    lowest = (np.minimum(starts[..., 1], ends[..., 1]) - body.capsule_radii).min(axis=1)
    for first, stop in library.footage.bounds():
        assert np.median(lowest[first:stop]) == pytest.approx(0.0, abs=0.004)


def test_steadied_takes_lose_jitter_and_nothing_else() -> None:
    motion, rng = walker(), np.random.default_rng(0)
    shaken = motion.rotations.copy()
    toe = motion.skeleton.index("leftToes")
    shaken[:, toe] = rot.multiply(shaken[:, toe], rot.exp(rng.normal(scale=0.05, size=(len(motion), 3))))
    steady = steadied(replace(motion, rotations=shaken), 0.015)
    assert rot.angle_between(steady.rotations[:, toe], motion.rotations[:, toe]).mean() < 0.04
    assert np.abs(steady.root_positions - motion.root_positions).max() < 0.003
    assert steadied(motion, 0.0).rotations == pytest.approx(motion.rotations, abs=1e-12)
    line = np.linspace(0.0, 1.0, 50)[:, None]
    np.testing.assert_allclose(averaged(line, 3.0), line, atol=1e-12)


def test_blends_stay_inside_clips_and_takes(performed: Library) -> None:
    graph, footage = performed.graph, performed.footage
    before, after = blended_frames(footage, graph, performed.half_window, graph.sources, graph.targets)
    assert (before >= 1).all()
    assert (graph.last[graph.sources] + after < footage.starts[footage.take_of(graph.last[graph.sources]) + 1]).all()
    assert (graph.first[graph.targets] - before >= footage.starts[footage.take_of(graph.first[graph.targets])]).all()
    shorter = np.minimum((graph.last - graph.first)[graph.sources], (graph.last - graph.first)[graph.targets])
    assert (2 * np.maximum(before, after) < shorter).all()


def test_standing_is_cut_and_labelled() -> None:
    motions = {motion.name: motion for motion in builtin_clips("walk")}
    frames, labels = StandingDetector().cuts(motions["stop"])
    assert list(labels)[-2:] == ["stand", "start"]
    assert ankle_speeds_mps(motions["stop"])[frames].max() < 0.2
    assert len(StandingDetector().cuts(motions["walk"])[0]) == 0
    library = build_library(list(motions.values()))
    assert {"walk", "stand", "start"} <= set(library.labels)


def test_start_is_anywhere(performed: Library) -> None:
    moved = unroll(performed, [0, int(performed.graph.successors(0)[0])], start=PlanarTransform(x_m=2.0, yaw_rad=1.0))
    here = unroll(performed, [0, int(performed.graph.successors(0)[0])])
    placed = here.motion.placed(PlanarTransform(x_m=2.0, yaw_rad=1.0))
    np.testing.assert_allclose(motion_world(moved.motion).positions, motion_world(placed).positions, atol=1e-6)


def test_turns_tried_with_the_legs_alone_have_the_faults_of_the_whole_body(performed: Library) -> None:
    from understudy.library._check_kernels import SHAKES, tried

    footage, graph = performed.footage, performed.graph
    whole = Troupe(footage.table, footage.legs, body_table(footage, fit_body(performed.skeleton)))
    lower = below_the_waist(whole)
    assert lower.footage.rotations.shape[1] < whole.footage.rotations.shape[1]
    seams = seams_of(footage, graph, performed.half_window)
    seen = set()
    for index in range(0, graph.edges, 7):
        if tried(whole, seams, index, 0.0, footage.fps) == SHAKES:
            continue
        for turn in graph.ranges[index]:
            fault = tried(whole, seams, index, float(turn), footage.fps)
            seen.add(fault)
            assert tried(lower, seams, index, float(turn), footage.fps) == fault
    assert len(seen) > 1, "no turn of these goes wrong; the test shows nothing"


def test_recorded_depth_is_the_deepest_among_postures_alike() -> None:
    from understudy.library._closeness_kernels import ALIKE_M, recorded_depth

    narrow = knock_kneed(walker(name="narrow"), "left", 0.2)
    library = build_library([narrow], options=LibraryOptions(threshold_m=0.12, trials=False, foot_slack_m=0.2))
    table = body_table(library.footage, fit_body(library.skeleton))
    rng, found = np.random.default_rng(5), 0
    for pair in range(len(table.pairs)):
        rows = slice(table.alike_starts[pair], table.alike_starts[pair + 1])
        postures, depths = table.alike[rows], table.alike_depths[rows]
        if not len(postures):
            continue
        for _ in range(20):
            posture = postures[rng.integers(len(postures))] + rng.normal(scale=0.012, size=12)
            alike = np.linalg.norm(postures - posture, axis=1) <= ALIKE_M
            expected = depths[alike].max(initial=0.0)
            found += bool(alike.any())
            assert recorded_depth(table, pair, posture) == pytest.approx(expected, abs=1e-12)
    assert found > 5


def test_recordings_with_feet_a_little_too_deep_are_kept(monkeypatch: pytest.MonkeyPatch, performed: Library) -> None:
    body = fit_body(performed.skeleton)
    gaps = body_table(performed.footage, body).gaps
    monkeypatch.setattr(trials, "SINKS_M", -0.004)  # soles that stand count as sunk
    strict = sound_clips(performed.footage, performed.graph, body, gaps)
    lenient = sound_clips(performed.footage, performed.graph, body, gaps, allowance_m=0.03)
    assert strict.sum() < 0.5 * len(performed) < lenient.sum()
    library = build_library(builtin_clips("walk"))
    assert len(library) >= 0.5 * len(performed)
    assert any("deeper" in note for note in library.notes)


def test_nobody_is_turned_into_a_clip_without_a_step(performed: Library) -> None:
    graph, planted = performed.graph, performed.footage.planted
    stands = np.array([planted[a : b + 1].all() for a, b in zip(graph.first, graph.last, strict=True)])
    assert stands.any() and not stands.all()
    assert (graph.ranges[stands[graph.targets]] == 0.0).all()
    assert (np.ptp(graph.ranges[~stands[graph.targets]], axis=1) > 0.0).any()
