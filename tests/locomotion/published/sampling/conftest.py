"""A small library of the built-in performer at 30 fps, its jumps, and a scene to move through."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.core import Motion
from understudy.library import Library, LibraryOptions, build_library
from understudy.locomotion.published.sampling import Sampler, sampler_of
from understudy.locomotion.published.sampling.constraints import Constraint, targets_of
from understudy.locomotion.published.sampling.tables import Close, Problem, Weights
from understudy.locomotion.published.sampling.volume import volume_of
from understudy.performer import builtin_clips
from understudy.scene import Box, Scene


@pytest.fixture(scope="session")
def clips() -> list[Motion]:
    """A walk and turns to both sides."""
    names = ("walk_slow", "turn_left", "turn_right", "sharp_left", "sharp_right")
    return [motion for name in names for motion in builtin_clips(name)]


@pytest.fixture(scope="session")
def library(clips: list[Motion]) -> Library:
    """The clips at the paper's frame rate."""
    return build_library(clips, options=LibraryOptions(fps=30.0))


@pytest.fixture(scope="session")
def sampler(library: Library) -> Sampler:
    """Who is sampled."""
    return sampler_of(library)


@pytest.fixture(scope="session")
def scene() -> Scene:
    """A tall box in the way, a low one beside it, and a lintel overhead."""
    stage = Scene(name="boxes")
    stage = stage.with_object("pillar", Box(size_m=(0.5, 1.9, 0.5)), position=(0.0, 0.95, 2.2))
    stage = stage.with_object("crate", Box(size_m=(0.6, 0.4, 0.4)), position=(-1.4, 0.2, 2.6))
    return stage.with_object("lintel", Box(size_m=(4.0, 0.2, 0.3)), position=(0.0, 2.2, 1.0))


@pytest.fixture(scope="session")
def problem(sampler: Sampler, scene: Scene) -> Problem:
    """What a Monte-Carlo search minimises: to a goal beyond the pillar, past a point on the way."""
    constraints = (Constraint(position=(0.0, 0.0), heading_rad=0.0), Constraint(position=(1.2, 5.0)))
    targets = targets_of(sampler, constraints, np.array([[0.6, 2.2]]), 5.2, 0.0)
    weights = Weights(
        location=1 / 0.09, orientation=30.0, smooth=1.0, collide=5.0, travel=6.0, follow=0.5, follow_m=0.6, margin=0.025
    )
    volume = volume_of(scene, np.array([-3.0, -3.0]), np.array([3.0, 7.5]), height_m=sampler.height_m)
    close = Close(goal=np.array([1.2, 5.0, 0.0, 0.0]), errors=np.array([0.005, 0.04]), margin=0.025, past_m=0.5)
    hops = sampler.graph.hops
    return Problem(stage=sampler.stage(volume), hops=hops, targets=targets, weights=weights, close=close)
