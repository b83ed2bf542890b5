"""Naturalness of a route: how much longer it is than it had to be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.core import Motion
from understudy.errors import OptionError
from understudy.verify.low_pass import low_passed


@dataclass(frozen=True, kw_only=True)
class Route:
    """Length of a walk against the shortest one.

    Attributes:
        length_m: How far the root travels over the floor, without its sway from step to step [m].
        shortest_m: The shortest path with clearance [m].
        ratio: Their quotient.
    """

    length_m: float
    shortest_m: float
    ratio: float


def route(motion: Motion, *, shortest_m: float) -> Route:
    """Measure how far a motion travels.

    Args:
        motion: The walk; its root's way is low-passed at 1 Hz, because hips sway with every step.
        shortest_m: Length of the shortest path with clearance between its ends [m].
    """
    if not (np.isfinite(shortest_m) and shortest_m > 0):
        raise OptionError(f"shortest_m is {shortest_m}; it must be a positive length")
    floor = low_passed(motion.root_positions[:, [0, 2]], motion.fps, cutoff_hz=1.0)
    length = float(np.linalg.norm(np.diff(floor, axis=0), axis=1).sum())
    return Route(length_m=length, shortest_m=shortest_m, ratio=length / shortest_m)
