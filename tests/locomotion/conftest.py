"""A small library of the built-in performer, and floors to walk on."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.floor import Floor, floor_from_polygons
from understudy.library import Library, build_library
from understudy.locomotion import Walker, walker_of
from understudy.performer import builtin_clips


@pytest.fixture(scope="session")
def library() -> Library:
    """Walking, turning, starting and stopping."""
    return build_library(builtin_clips("walk"))


@pytest.fixture(scope="session")
def walker(library: Library) -> Walker:
    """Who walks with it."""
    return walker_of(library)


@pytest.fixture(scope="session")
def cluttered() -> Floor:
    """A room of 12 m by 12 m with blocks in it."""
    rng = np.random.default_rng(4)
    rings = {}
    for k in range(9):
        centre, radius = rng.uniform(1.5, 10.5, 2), rng.uniform(0.3, 0.8)
        angles = np.sort(rng.uniform(0.0, 2.0 * np.pi, 5))
        rings[f"block {k}"] = centre + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return floor_from_polygons(rings, bounds=[0, 0, 12, 12])
