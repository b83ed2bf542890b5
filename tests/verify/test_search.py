"""The search over time: leaving out what is far, and measuring it loosely, changes nothing that is reported."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.scene import Box, Scene
from understudy.scene.shapes import Capsule, ConvexHull, Cylinder, Mesh, Shape, Sphere
from understudy.typing import FloatArray, IntArray
from understudy.verify._kernels import moments_near
from understudy.verify.cast import ground, things_of
from understudy.verify.forward import matrices
from understudy.verify.nearness import passing
from understudy.verify.penetration import penetration
from understudy.verify.relations import Relation, ThingAndThing
from understudy.verify.search import DEPTH_STEP_M, search
from understudy.verify.things import Thing

TIMES = np.linspace(0.0, 2.0, 81)


@dataclass(frozen=True)
class Exactly:
    """A relation that measures everything exactly, however far away."""

    relation: Relation

    @property
    def count(self) -> int:
        return self.relation.count

    def label(self, item: int) -> tuple[str, str]:
        return self.relation.label(item)

    def places(self, times_s: FloatArray, items: IntArray) -> FloatArray:
        return self.relation.places(times_s, items)

    def distances(self, times_s: FloatArray, items: IntArray, places: FloatArray, telling_m: FloatArray) -> FloatArray:
        return self.relation.distances(times_s, items, places, np.full(len(times_s), np.inf))


def free(times: FloatArray, items: IntArray, distances: FloatArray) -> FloatArray:
    """Nothing is allowed."""
    return np.zeros(len(times))


def tetrahedra(closed: bool) -> Mesh:
    """Two pyramids side by side, or all but one of their sides."""
    points = np.array([[0.0, 0.0, 0.0], [0.2, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.2]])
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    both = np.concatenate([faces, faces + 4])
    return Mesh(
        vertices=np.concatenate([points, points + np.array([0.3, 0.1, 0.0])]), faces=both if closed else both[1:]
    )


def wandering(shape: Shape, seed: int, name: str = "carried") -> Thing:
    """A shape that moves and turns about the origin."""
    rng = np.random.default_rng(seed)
    way = np.cumsum(rng.normal(scale=0.05, size=(81, 3)), axis=0) + rng.uniform(-0.4, 0.4, 3)
    turns = rot.normalize(np.cumsum(rng.normal(scale=0.1, size=(81, 4)), axis=0) + np.array([2.0, 0.0, 0.0, 0.0]))

    def poses(when: FloatArray) -> tuple[FloatArray, FloatArray]:
        places = np.stack([np.interp(when, TIMES, way[:, k]) for k in range(3)], axis=1)
        facing = np.stack([np.interp(when, TIMES, turns[:, k]) for k in range(4)], axis=1)
        return places, matrices(rot.normalize(facing))

    solid = things_of(Scene(floor=False).with_object(name, shape))[0].solid
    return Thing(name=name, solid=solid, at=poses)


SHAPES: dict[str, Shape] = {
    "box": Box(size_m=(0.3, 0.4, 0.02)),
    "cylinder": Cylinder(radius_m=0.1, height_m=0.5),
    "sphere": Sphere(radius_m=0.15),
    "capsule": Capsule(radius_m=0.05, length_m=0.3),
    "hull": ConvexHull(points=np.random.default_rng(1).normal(scale=0.1, size=(20, 3))),
    "closed mesh": tetrahedra(closed=True),
    "surface": tetrahedra(closed=False),
}


@pytest.mark.parametrize("what", SHAPES)
@pytest.mark.parametrize("seed", range(8))
def test_what_is_far_may_be_left_out_and_measured_loosely(what: str, seed: int) -> None:
    staff = wandering(Capsule(radius_m=0.01, length_m=0.2), seed)
    there = wandering(SHAPES[what], seed + 100, "there") if seed % 2 else things_of(_scene(SHAPES[what]))[0]
    relation = ThingAndThing(staff, there)
    near = passing(relation, TIMES)
    everywhere, exact = (penetration(search(Exactly(relation), TIMES, free, near=one)) for one in (None, near))
    assert penetration(search(relation, TIMES, free, near=near)) == exact
    assert exact.max_depth_m == pytest.approx(everywhere.max_depth_m, abs=DEPTH_STEP_M)
    # Only what may be the deepest is looked at closely, and what that is, is known of earlier stretches alone.
    assert exact.seconds_over_1mm == pytest.approx(everywhere.seconds_over_1mm, abs=2e-3)


def test_some_of_these_touch_and_some_pass() -> None:
    staff = [wandering(Capsule(radius_m=0.01, length_m=0.2), seed) for seed in range(8)]
    box = things_of(_scene(SHAPES["box"]))[0]
    deep = [penetration(search(ThingAndThing(one, box), TIMES, free)).max_depth_m for one in staff]
    assert max(deep) > 0.015
    assert min(deep) == 0.0


def test_the_floor_is_one_thing_that_stands_still() -> None:
    floor = ground(0.0)
    at, turns, where = floor.placed(np.array([0.0, 1.0, 1.0]))
    assert (at.shape, turns.shape, where.tolist()) == ((1, 3), (1, 3, 3), [0, 0, 0])
    assert floor.frames(np.array([0.0, 1.0]))[0].shape == (2, 3)


@pytest.mark.parametrize("seed", range(4))
def test_both_ends_of_near_intervals_are_moments(seed: int) -> None:
    near = np.random.default_rng(seed).uniform(size=(30, 4)) < 0.3
    first, stop = 3, 25
    samples, items, lefts, rights = moments_near(near, first, stop)
    intervals = {(int(samples[a]), int(items[a])) for a in lefts}
    assert intervals == {(n, k) for n, k in np.argwhere(near) if first <= n < stop - 1}
    np.testing.assert_array_equal(samples[rights], samples[lefts] + 1)
    np.testing.assert_array_equal(items[rights], items[lefts])
    assert {*lefts.tolist(), *rights.tolist()} == set(range(len(samples)))
    assert (np.diff(samples) >= 0).all()


def test_a_single_sample_is_looked_at_with_every_pair() -> None:
    samples, items, lefts, _ = moments_near(np.zeros((0, 3), dtype=np.bool_), 0, 1)
    assert (samples.tolist(), items.tolist(), len(lefts)) == ([0, 0, 0], [0, 1, 2], 0)


def _scene(shape: Shape) -> Scene:
    return Scene(floor=False).with_object("there", shape)
