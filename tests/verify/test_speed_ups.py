"""What makes the judge fast changes none of its answers: kernels, nearness, and facts that are kept."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy import rotations as rot
from understudy import verify
from understudy.core import Motion, fit_body
from understudy.scene import Box, Scene
from understudy.verify import source_facts
from understudy.verify._kernels import deepest_alike, segment_gap
from understudy.verify._nearness_kernels import box_near, pairs_near, ways_between
from understudy.verify.allowance import _grouped
from understudy.verify.cast import things_of
from understudy.verify.forward import Performer, capsule_ends, joint_frames, matrices
from understudy.verify.nearness import company_near, pairs_that_may_touch, parts_near, passing
from understudy.verify.relations import BodyAndBody, BodyAndThing, ThingAndThing, all_pairs
from understudy.verify.search import search
from understudy.verify.source_facts import fact
from understudy.verify.things import Thing
from verify.plain_segments import segment_segment


def free(times: np.ndarray, items: np.ndarray, distances: np.ndarray) -> np.ndarray:
    """Nothing is allowed."""
    return np.zeros(len(times))


@given(st.integers(0, 10_000), st.sampled_from([1.0, 1e-3, 0.0]))
@settings(max_examples=60)
def test_segment_kernel_is_its_plain_twin(seed: int, flat: float) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, 2, 3))
    b[:, 2] *= flat
    if seed % 3 == 0:
        b[1] = b[0] + (a[1] - a[0]) * rng.normal()  # parallel
    if seed % 7 == 0:
        a[1] = a[0]  # a point
    plain = segment_segment(a[:1], a[1:], b[:1], b[1:])[0]
    assert segment_gap(a, b) == pytest.approx(plain, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_pairs_near_is_what_the_bounds_say(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ends = np.cumsum(rng.normal(scale=0.03, size=(40, 5, 2, 3)), axis=0) + rng.normal(scale=0.15, size=(5, 1, 3))
    pairs = np.array([[0, 1], [0, 2], [1, 3], [2, 4], [3, 4]])
    radii = rng.uniform(0.1, 0.3, 5)
    ways = ways_between(ends, np.arange(5), 1.05)
    plain = 1.05 * np.linalg.norm(np.diff(ends, axis=0), axis=-1).max(axis=2)
    np.testing.assert_allclose(ways, plain)
    near = np.zeros((39, 5), dtype=np.bool_)
    pairs_near(ends, pairs, radii, ways, ways.max(axis=0), 0.001, near)
    gaps = np.stack(
        [
            segment_segment(ends[:, a, 0], ends[:, a, 1], ends[:, b, 0], ends[:, b, 1]) - r
            for (a, b), r in zip(pairs, radii, strict=True)
        ],
        axis=1,
    )
    bound = 0.5 * (gaps[:-1] + gaps[1:] - ways[:, pairs[:, 0]] - ways[:, pairs[:, 1]])
    least = np.minimum(bound, np.minimum(gaps[:-1], gaps[1:]))
    assert near.any() and not near.all()
    np.testing.assert_array_equal(near, least < 0.001)


@pytest.mark.parametrize(("seed", "still"), [(0, True), (1, False), (2, False)])
def test_box_near_is_what_the_bounds_say(seed: int, still: bool) -> None:
    rng = np.random.default_rng(seed)
    ends = np.cumsum(rng.normal(scale=0.03, size=(60, 3, 2, 3)), axis=0) + rng.normal(scale=0.2, size=(3, 1, 3))
    radii, count = rng.uniform(0.02, 0.05, 3), 1 if still else 60
    at = np.cumsum(rng.normal(scale=0.01, size=(count, 3)), axis=0)
    turns = matrices(
        rot.normalize(rng.normal(size=(1, 4)) + np.cumsum(rng.normal(scale=0.02, size=(count, 4)), axis=0))
    )
    box = np.array([-0.1, -0.2, -0.05]), np.array([0.1, 0.1, 0.3])
    longest = ways_between(ends, np.arange(3), 1.0).max(axis=0)
    np.testing.assert_allclose(longest, np.linalg.norm(np.diff(ends, axis=0), axis=-1).max(axis=(0, 2)))
    near = np.zeros((59, 3), dtype=np.bool_)
    box_near(ends, radii, longest, (at, turns), box, 0.001, 1.05, np.empty((2, 2, 3)), near)
    local = np.einsum("nji,nkej->nkei", np.broadcast_to(turns, (60, 3, 3)), ends - at[:, None, None])
    apart = np.maximum(np.maximum(box[0] - local.max(axis=2), local.min(axis=2) - box[1]), 0.0)
    gaps = np.linalg.norm(apart, axis=-1) - radii
    ways = 1.05 * np.linalg.norm(np.diff(local, axis=0), axis=-1).max(axis=2)
    least = np.minimum(0.5 * (gaps[:-1] + gaps[1:] - ways), np.minimum(gaps[:-1], gaps[1:]))
    assert near.any() and not near.all()
    np.testing.assert_array_equal(near, least < 0.001)


def test_joints_below_what_is_wanted_are_not_placed(swaying: Motion) -> None:
    times, joint = np.array([0.0, 0.31, 0.5]), swaying.skeleton.humanoid["leftLowerArm"]
    wanted = np.zeros(len(swaying.skeleton), dtype=bool)
    wanted[joint] = True
    some, every = joint_frames(swaying, times, wanted), joint_frames(swaying, times)
    for one, two in zip(some, every, strict=True):
        np.testing.assert_array_equal(one[:, joint], two[:, joint])
    assert np.isnan(some[0][:, swaying.skeleton.humanoid["leftHand"]]).all()


@pytest.mark.parametrize("seed", range(6))
def test_deepest_alike_is_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    known = np.cumsum(rng.normal(scale=0.02, size=(150, 12)), axis=0)
    depths = rng.uniform(0.001, 0.05, 150)
    asked = known[rng.integers(150, size=40)] + rng.normal(scale=0.015, size=(40, 12))
    best = np.zeros(40)
    deepest_alike(asked, *_grouped(known, depths), 0.06, best)
    near = np.linalg.norm(asked[:, None] - known[None], axis=-1) <= 0.06
    assert near.any(axis=1).mean() > 0.3
    np.testing.assert_array_equal(best, np.where(near, depths, 0.0).max(axis=1))


def test_remembered_samples_are_the_same_as_fresh_ones(swaying: Motion) -> None:
    body = fit_body(swaying.skeleton)
    performer = Performer(name="", motion=swaying, body=body, start_s=0.3)
    times = np.concatenate([performer.times_s[[5, 9, 200]], [0.41234, 1.7, 5.0, 0.0]])
    plain = capsule_ends(body, *joint_frames(swaying, times - 0.3))
    np.testing.assert_allclose(performer.capsules(times), plain, atol=1e-12)
    np.testing.assert_array_equal(performer.capsules(performer.times_s)[5], performer.capsules(times)[0])


def test_pairs_left_out_never_touch(swaying: Motion) -> None:
    body = fit_body(swaying.skeleton)
    performer = Performer(name="", motion=swaying, body=replace(body, capsule_radii=1.7 * body.capsule_radii))
    kept, near = pairs_that_may_touch(performer)
    every = performer.body.self_pairs
    assert 0 < len(kept) < len(every)
    full = search(BodyAndBody(performer, performer, every), performer.times_s, free)
    some = search(BodyAndBody(performer, performer, kept), performer.times_s, free, near=near)
    assert [(t.a, t.b) for t in full] == [(t.a, t.b) for t in some]
    for one, two in zip(full, some, strict=True):
        assert one.distances_m.min() == pytest.approx(two.distances_m.min(), abs=1e-9)


@pytest.mark.parametrize("aside_m", [0.2, 0.9, 3.0])
def test_people_who_pass_each_other_are_found_as_without_nearness(swaying: Motion, aside_m: float) -> None:
    along = np.arange(len(swaying))[:, None] * [0.0, 0.0, 1.5 / swaying.fps]
    body = fit_body(swaying.skeleton)
    anna, bob = (
        Performer(
            name=name, body=body, start_s=start_s, motion=replace(swaying, root_positions=swaying.root_positions + way)
        )
        for name, start_s, way in (("anna", 0.0, along), ("bob", 0.3, [aside_m, 0.0, 2.0] - along))
    )
    pairs, times = all_pairs(anna, bob), np.unique(np.concatenate([anna.times_s, bob.times_s]))
    kept, near = company_near(anna, bob, pairs, times)
    assert len(kept) < len(pairs) and near.shape == (len(times) - 1, len(kept))
    full = search(BodyAndBody(anna, bob, pairs), times, free)
    some = search(BodyAndBody(anna, bob, kept), times, free, near=near)
    assert [(t.a, t.b) for t in full] == [(t.a, t.b) for t in some]
    assert bool(full) == (aside_m < 2.0)
    for one, two in zip(full, some, strict=True):
        assert one.distances_m.min() == pytest.approx(two.distances_m.min(), abs=1e-4)


@pytest.mark.parametrize("speed_mps", [1.0, 80.0])
def test_nothing_tunnels_through_a_wall_that_is_far_most_of_the_time(swaying: Motion, speed_mps: float) -> None:
    roots = swaying.root_positions + np.arange(len(swaying))[:, None] * [0.0, 0.0, speed_mps / swaying.fps]
    motion = replace(swaying, root_positions=roots)
    performer = Performer(name="", motion=motion, body=fit_body(motion.skeleton))
    scene = Scene(floor=False).with_object("wall", Box(size_m=(4.0, 3.0, 0.01)), position=(0.0, 1.5, speed_mps))
    scene = scene.with_object("elsewhere", Box(size_m=(1.0, 1.0, 1.0)), position=(30.0, 0.5, 0.0))
    wall, elsewhere = things_of(scene)
    assert not parts_near(performer, elsewhere).any()
    near = parts_near(performer, wall)
    assert near.any() and near.mean() < 0.8
    relation = BodyAndThing(performer, wall)
    found = search(relation, performer.times_s, free, near=near)
    everywhere = search(relation, performer.times_s, free)
    assert {t.a for t in found} == {t.a for t in everywhere} != set()
    for one, two in zip(found, everywhere, strict=True):
        assert one.distances_m.min() == pytest.approx(two.distances_m.min(), abs=1e-6)


def test_facts_are_found_once_per_clip_and_body_and_forgotten_with_the_clip(swaying: Motion) -> None:
    clip = replace(swaying)
    asked: list[int] = []

    def find(source: Performer) -> int:
        asked.append(1)
        return len(source.motion)

    body = fit_body(clip.skeleton)
    fat = replace(body, capsule_radii=body.capsule_radii * 1.2)
    for one in (body, fit_body(clip.skeleton), fat):
        assert fact(Performer(name="", motion=clip, body=one), "frames", find) == len(clip)
    assert len(asked) == 2
    assert fact(Performer(name="", motion=replace(clip), body=body), "frames", find) == len(clip)
    assert len(asked) == 3
    gone = weakref.ref(clip)
    before = len(source_facts._KNOWN)
    del clip
    gc.collect()
    assert gone() is None
    assert len(source_facts._KNOWN) < before


def test_a_source_judged_before_allows_the_same(clip: Callable[[str], Motion]) -> None:
    source = clip("16_16")
    motion = source.frames(10, 200)
    first, again = verify(motion, source=source), verify(motion, source=source)
    fresh = verify(motion, source=replace(source))
    assert first.table() == again.table() == fresh.table()


@pytest.mark.parametrize("seed", range(6))
def test_what_is_carried_past_is_found_as_without_nearness(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = Scene(floor=False).with_object("box", Box(size_m=(0.2, 0.3, 0.1)))
    scene = scene.with_object("wall", Box(size_m=(1.0, 1.0, 0.02)))
    box, wall = things_of(scene)
    times = np.linspace(0.0, 2.0, 41)
    way = np.cumsum(rng.normal(scale=0.12, size=(41, 3)), axis=0) + rng.uniform(-0.6, 0.6, 3)
    turns = rot.normalize(np.cumsum(rng.normal(scale=0.2, size=(41, 4)), axis=0) + np.array([2.0, 0.0, 0.0, 0.0]))

    def poses(when: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        places = np.stack([np.interp(when, times, way[:, k]) for k in range(3)], axis=1)
        facing = np.stack([np.interp(when, times, turns[:, k]) for k in range(4)], axis=1)
        return places, matrices(rot.normalize(facing))

    carried = Thing(name=box.name, solid=box.solid, at=poses)
    relation = ThingAndThing(carried, wall)
    all_of_it = search(relation, times, free)
    near = passing(relation, times)
    found = search(relation, times, free, near=near)
    assert not near.all()
    assert [one.distances_m.min() for one in found] == pytest.approx([one.distances_m.min() for one in all_of_it])
