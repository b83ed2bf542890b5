"""Room between the legs: planted overlaps are gone by an independent measure, and nothing else has moved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from understudy.core import Motion
from understudy.core.body_fit import fit_body
from understudy.kinematics import hold_end, motion_world
from understudy.library import Library, Unrolled, build_library, unroll
from understudy.library.leg_room import with_leg_room
from understudy.library.tables import BodyTable
from understudy.library.trials import body_table, rehearsed
from understudy.performer import builtin_clips
from verify.plain_segments import segment_segment


@pytest.fixture(scope="module")
def performed() -> Library:
    return build_library(builtin_clips("walk"))


@pytest.fixture(scope="module")
def table(performed: Library) -> BodyTable:
    return body_table(performed.footage, fit_body(performed.skeleton))


@pytest.fixture(scope="module")
def walked(performed: Library) -> Unrolled:
    """A few clips in a row, each the first that can follow."""
    nodes = [0]
    while len(nodes) < 6:
        nodes.append(int(performed.graph.successors(nodes[-1])[0]))
    return unroll(performed, nodes)


def middle_of_a_swing(whole: Unrolled, side: int) -> tuple[int, int]:
    """A swing of a foot that is neither at the beginning nor at the end."""
    swings = np.flatnonzero(np.diff(whole.timeline.planted[:, side].astype(int)))
    planted = whole.timeline.planted[:, side]
    for first, last in zip(swings[:-1].tolist(), swings[1:].tolist(), strict=True):
        if not planted[first + 1] and last - first > 0.2 * whole.motion.fps:
            return first + 1, last + 1
    raise AssertionError("no swing")


def knocked(whole: Unrolled, side: int, inwards_m: float) -> Unrolled:
    """The same with one swinging foot led inwards, nothing at lift-off and landing."""
    name = ("left", "right")[side]
    motion, world = whole.motion, motion_world(whole.motion)
    first, last = middle_of_a_swing(whole, side)
    hips = [world.positions[:, motion.skeleton.humanoid[f"{one}UpperLeg"]] for one in ("left", "right")]
    inwards = (hips[1] - hips[0]) * (1.0 if side == 0 else -1.0) * [1.0, 0.0, 1.0]
    inwards /= np.linalg.norm(inwards, axis=1, keepdims=True)
    share = np.zeros(len(motion))
    share[first:last] = np.sin(np.pi * (np.arange(first, last) - first + 1) / (last - first + 1)) ** 2
    ankle = motion.skeleton.humanoid[f"{name}Foot"]
    places = world.positions[:, ankle] + inwards_m * share[:, None] * inwards
    leg = (f"{name}UpperLeg", f"{name}LowerLeg", f"{name}Foot")
    return replace(whole, motion=hold_end(motion, leg, places, world.rotations[:, ankle]).motion)


def legs_touch(performed: Library, table: BodyTable, walked: Unrolled, side: int) -> Unrolled:
    """The way with a foot led inwards until its legs plainly touch."""
    for inwards_m in np.arange(0.01, 0.2, 0.003).tolist():
        faulty = knocked(walked, side, inwards_m)
        if rehearsed(performed.footage, table, faulty.way, faulty.motion)[0] == "legs touch":
            return faulty
    raise AssertionError("the legs never touch")


def nearest_m(motion: Motion) -> float:
    """The smallest gap between both legs' capsules at frames, by the judge's own distances."""
    body, world = fit_body(motion.skeleton), motion_world(motion)
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    legs = {k: name for k, name in enumerate(body.capsule_names) if name.endswith(("thigh", "shank", "foot", "toes"))}
    gaps = [
        segment_segment(starts[:, a], ends[:, a], starts[:, b], ends[:, b])
        - body.capsule_radii[a]
        - body.capsule_radii[b]
        for a, b in body.self_pairs.tolist()
        if a in legs and b in legs and legs[a][0] != legs[b][0]
    ]
    return float(np.min(gaps))


def test_clean_ways_stay_as_they_are(performed: Library, table: BodyTable, walked: Unrolled) -> None:
    assert rehearsed(performed.footage, table, walked.way, walked.motion, closely=True) == ("", -1)
    room = with_leg_room(performed.footage, table, walked)
    assert np.array_equal(room.motion.rotations, walked.motion.rotations)


@pytest.mark.parametrize("side", [0, 1])
def test_a_foot_led_into_the_other_leg_passes_it(
    performed: Library, table: BodyTable, walked: Unrolled, side: int
) -> None:
    faulty = legs_touch(performed, table, walked, side)
    mended = with_leg_room(performed.footage, table, faulty)
    assert rehearsed(performed.footage, table, mended.way, mended.motion, closely=True)[0] == ""
    assert nearest_m(mended.motion) > nearest_m(faulty.motion) + 0.001


@pytest.mark.parametrize("side", [0, 1])
def test_only_the_swinging_leg_moves(performed: Library, table: BodyTable, walked: Unrolled, side: int) -> None:
    faulty = legs_touch(performed, table, walked, side)
    mended = with_leg_room(performed.footage, table, faulty)
    before, after = motion_world(faulty.motion).positions, motion_world(mended.motion).positions
    moved = np.linalg.norm(after - before, axis=2)
    humanoid = faulty.motion.skeleton.humanoid
    ankles = [humanoid["leftFoot"], humanoid["rightFoot"]]
    assert moved[:, ankles[side]].max() > 0.001
    assert moved[:, ankles[1 - side]].max() < 1e-9
    standing = faulty.timeline.planted[:, side]
    assert moved[standing][:, ankles[side]].max() < 1e-9
    leg = {humanoid[f"{('left', 'right')[side]}{part}"] for part in ("UpperLeg", "LowerLeg", "Foot")}
    toes = {j for j in range(len(faulty.motion.skeleton)) if faulty.motion.skeleton.parents[j] in leg} | leg
    others = [j for j in range(len(faulty.motion.skeleton)) if j not in toes]
    assert np.array_equal(mended.motion.rotations[:, others], faulty.motion.rotations[:, others])


def test_feet_that_are_far_too_deep_are_left_alone(performed: Library, table: BodyTable, walked: Unrolled) -> None:
    faulty = knocked(walked, 0, 0.2)
    assert rehearsed(performed.footage, table, faulty.way, faulty.motion)[0] == "legs touch"
    assert with_leg_room(performed.footage, table, faulty) is faulty
