"""A body, its space, and postures to try things on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.collision import Obstacle, World
from understudy.core import Body, fit_body
from understudy.performer import posture
from understudy.postures.space import PostureSpace
from understudy.postures.stage import Stage
from understudy.postures.world import no_gaps, solids_of
from understudy.scene import Box, Capsule, Sphere
from understudy.scene.shapes import HalfSpace


@pytest.fixture(scope="session")
def body() -> Body:
    return fit_body(posture("relaxed").skeleton)


@pytest.fixture(scope="session")
def obstacles() -> World:
    return World(
        [
            Obstacle(name="floor", shape=HalfSpace(), position=(0.0, -0.05, 0.0)),
            # Nothing is parallel: where a whole axis is equally near, a distance has no gradient.
            Obstacle(
                name="crate",
                shape=Box(size_m=(0.3, 0.4, 0.3)),
                position=(0.1, 0.25, 0.6),
                rotation=rot.from_axis_angle([0.5, 1.0, 0.2], 0.4),
            ),
            Obstacle(name="ball", shape=Sphere(radius_m=0.1), position=(0.6, 1.7, 0.2)),
            Obstacle(
                name="rail",
                shape=Capsule(radius_m=0.05, length_m=0.6),
                position=(-0.7, 1.0, 0.1),
                rotation=rot.from_axis_angle([1.0, 0.0, 0.0], 0.7),
            ),
        ]
    )


@pytest.fixture(scope="session")
def stage_of(body: Body) -> Callable[..., Stage]:
    """``stage_of(world, grounded=..., root_moves=...)`` without gaps to keep."""

    def make(world: World | None = None, *, grounded: bool = False, root_moves: bool = True) -> Stage:
        space = PostureSpace(
            body=body, reference=rot.from_yaw(0.3), grounded=grounded, root_moves=root_moves or world is not None
        )
        solids = None if world is None else solids_of(world)
        return Stage(space=space, keep=no_gaps(space.arrays, solids), solids=solids)

    return make


@pytest.fixture(scope="session")
def some_postures(stage_of: Callable[..., Stage]) -> Callable[[int, int], list[np.ndarray]]:
    """Postures grown from an open one by moves that stop before contact; every second one ends near it."""

    def grow(seed: int, count: int) -> list[np.ndarray]:
        rng = np.random.default_rng(seed)
        stage = stage_of()
        limits = stage.space.body.limits
        start = stage.space.coordinates(posture("a", person=stage.space.skeleton))
        found = []
        while len(found) < count:
            q = start.copy()
            for _ in range(3):
                goal = q.copy()
                goal[6:] = rng.uniform(limits.low, limits.high)[1:].ravel()
                goal = stage.clamped(goal)
                share = stage.advanced(q, goal)
                q = q + (0.98 if len(found) % 2 else 0.6) * share * (goal - q)
            found.append(q)
        return found

    return grow
