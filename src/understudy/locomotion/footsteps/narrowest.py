"""Why nobody of some width gets from one place to another: the narrowest place on the widest way, and what is there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from understudy.core.planning import Status
from understudy.floor import Floor, PathResult
from understudy.floor._segment_kernels import nearest_edge
from understudy.floor.nearest import nearest_free
from understudy.locomotion.footsteps.ways import room_at
from understudy.typing import FloatArray

#: [m] the widest way is looked at so often.
_LOOK_M = 0.02
#: Share of the widest room with which that way is surely found.
_SURE = 0.995


def no_way(floor: Floor, stops: Sequence[FloatArray], least_m: float) -> PathResult:
    """Why there is no way with the room a body needs; without a reason where there is one.

    Args:
        floor: What stands around.
        stops: Start, points to pass, and goal, ``(2,)`` (x, z) [m] each.
        least_m: Room beside the way that the body needs [m].
    """
    plain = floor.path(stops[0], stops[-1], least_m, via=stops[1:-1])
    if plain.path is not None:
        return PathResult(status=Status.EXHAUSTED, path=plain.path)
    if plain.status is not Status.EXHAUSTED:
        return plain
    half_m = min(least_m, *(floor.widest_m(a, b) for a, b in pairwise(stops)))
    if half_m <= 0.0:
        return PathResult(status=Status.EXHAUSTED, reason=f"{plain.reason}, nor with any other")
    room = _SURE * half_m
    ends = [stop if floor.free(stop[None], room)[0] else nearest_free(floor, stop, room) for stop in stops]
    first, last = ends[0], ends[-1]
    found = None if first is None or last is None else floor.path(first, last, room, via=stops[1:-1]).path
    if found is None:
        return plain
    points = found.sample(_LOOK_M)
    tight = points[int(np.argmin([room_at(floor, point) for point in points]))]
    names = " and ".join(_around(floor, tight, room))
    reason = (
        f"no way for a body {2.0 * least_m:.2f} m wide: the narrowest place is {2.0 * half_m:.2f} m wide, "
        f"at ({tight[0]:.2f}, {tight[1]:.2f}), beside {names}"
    )
    return PathResult(status=Status.EXHAUSTED, reason=reason, obstacle=_around(floor, tight, room)[0].strip('"'))


def _around(floor: Floor, place: FloatArray, room_m: float) -> list[str]:
    """Names of what is nearest to a place, and to where one would stand on its other side."""
    edge, _ = nearest_edge(floor.grid, place[0], place[1])
    a, b = floor.grid.segments[edge, :2], floor.grid.segments[edge, 2:]
    share = np.clip((place - a) @ (b - a) / max(float((b - a) @ (b - a)), 1e-12), 0.0, 1.0)
    away = place - (a + share * (b - a))
    across = place + 1.01 * away
    other, _ = nearest_edge(floor.grid, across[0], across[1])
    named = [floor.owner(int(floor.grid.owners[k])) for k in (edge, other)]
    return [f'"{name}"' for name in dict.fromkeys(named)]
