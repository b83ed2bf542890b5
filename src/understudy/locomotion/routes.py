"""Routes a streamed walk may go on by: the shortest, those that reach the goal's heading, and ways round."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from understudy.floor import Floor, FloorPath, PathResult
from understudy.locomotion.approach import paths_to
from understudy.locomotion.query import Spot
from understudy.typing import FloatArray

#: [m] how far from the goal ways round come in, and from how many sides.
_ROUND_M, _SIDES = (1.3, 2.6), 6


def routes(
    floor: Floor, here: FloatArray, goal: Spot, via: Sequence[FloatArray], clearance_m: float
) -> tuple[PathResult, Iterator[FloorPath]]:
    """The shortest path from a point, and paths worth following, best first.

    Where somebody stands a little too close to a wall the path begins with what room there is.
    """
    start = Spot(position=(float(here[0]), float(here[1])))
    for share in (1.0, 0.5, 0.1):
        found, ways = paths_to(floor, start, goal, via, share * clearance_m)
        if found.path is not None or share == 0.1:
            return found, ways
    raise AssertionError("unreachable")


def ways_round(floor: Floor, here: FloatArray, goal: Spot, clearance_m: float) -> Iterator[FloorPath]:
    """Paths that come to the goal from other sides: longer, so that there are more clips to choose."""
    first = math.atan2(*(here - goal.point))
    for radius in _ROUND_M:
        for k in range(_SIDES):
            angle = first + math.tau * (k + 0.5) / _SIDES
            corner = goal.point + radius * np.array([math.sin(angle), math.cos(angle)])
            found = floor.path(here, goal.point, clearance_m, via=[corner])
            if found.path is not None:
                yield found.path
