"""A person, rooms to stand in, and random poses."""

from __future__ import annotations

import numpy as np
import pytest

from people import person
from understudy import rotations as rot
from understudy.collision import Checker, CollisionBody, Obstacle, World
from understudy.core.body import Body
from understudy.core.body_fit import fit_body
from understudy.core.pose import Pose
from understudy.scene.shapes import Box, Capsule, ConvexHull, Cylinder, HalfSpace, Sphere


@pytest.fixture(scope="session")
def body() -> Body:
    return fit_body(person())


@pytest.fixture(scope="session")
def poses(body):
    """``poses(n, seed)``: local rotations and roots of people standing about within 4 m."""

    def make(count: int, seed: int = 0, spread: float = 0.25):
        rng = np.random.default_rng(seed)
        local = rot.exp(rng.normal(scale=spread, size=(count, len(body.skeleton), 3)))
        roots = rng.uniform(-2, 2, size=(count, 3))
        roots[:, 1] = 1.0
        return local, roots

    return make


@pytest.fixture(scope="session")
def pose(body):
    def make(root, rotations=None) -> Pose:
        turns = body.skeleton.rest_rotations if rotations is None else rotations
        return Pose(skeleton=body.skeleton, root_position=root, rotations=turns)

    return make


def random_room(seed: int = 1, count: int = 30) -> list[Obstacle]:
    rng = np.random.default_rng(seed)
    makers = [
        lambda: Box(size_m=tuple(rng.uniform(0.1, 0.5, 3))),
        lambda: Capsule(radius_m=rng.uniform(0.03, 0.1), length_m=rng.uniform(0.1, 0.8)),
        lambda: Cylinder(radius_m=rng.uniform(0.05, 0.2), height_m=rng.uniform(0.1, 0.8)),
        lambda: Sphere(radius_m=rng.uniform(0.05, 0.2)),
        lambda: ConvexHull(points=rng.normal(scale=0.12, size=(12, 3))),
    ]
    things = [
        Obstacle(
            name=f"thing {k}",
            shape=makers[k % len(makers)](),
            position=rng.uniform((-2, 0.2, -2), (2, 2, 2)),
            rotation=rng.normal(size=4),
        )
        for k in range(count)
    ]
    return [Obstacle(name="floor", shape=HalfSpace(), position=(0.0, -0.3, 0.0)), *things]


@pytest.fixture(scope="session")
def checker(body) -> Checker:
    return Checker(CollisionBody(body), World(random_room()))
