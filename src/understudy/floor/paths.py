"""Path queries and their results, with the reason if there is no path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING

from understudy.core.planning import Stats, Status
from understudy.floor import _query_kernels as queries
from understudy.floor._segment_kernels import nearest_edge
from understudy.floor.nearest import nearest_free
from understudy.floor.path import FloorPath, joined
from understudy.typing import FloatArray

if TYPE_CHECKING:
    from understudy.floor.floor import Floor


@dataclass(frozen=True, kw_only=True)
class PathResult:
    """What a path query gives back; true when solved.

    Attributes:
        status: ``SOLVED``, ``INFEASIBLE_START`` or ``INFEASIBLE_GOAL`` when that end is too close to something, or
            ``EXHAUSTED`` when no path with the clearance joins them.
        path: The path, when solved.
        reason: One sentence on why not, naming the obstacle.
        obstacle: The obstacle at fault, when an end is in or too near one.
        nearest_free: The free point (x, z) [m] nearest to that end.
        stats: Seconds and the number of lines looked at.
    """

    status: Status
    path: FloorPath | None = None
    reason: str = ""
    obstacle: str = ""
    nearest_free: tuple[float, float] | None = None
    stats: Stats = field(default_factory=Stats)

    def __bool__(self) -> bool:
        """Whether there is a path."""
        return self.status is Status.SOLVED


def search(floor: Floor, stops: Sequence[FloatArray], radius: float, clearance_m: float) -> PathResult:
    """The path through all stops, leg by leg."""
    began = perf_counter()
    legs, looked = [], 0
    for k in range(len(stops) - 1):
        code, pieces, lines = _leg(floor, stops[k], stops[k + 1], radius)
        looked += lines
        if code != queries.FOUND:
            failed = _failure(floor, code, stops, k, radius, clearance_m)
            return replace(failed, stats=Stats(seconds=perf_counter() - began, counts={"lines": looked}))
        legs.append(FloorPath(pieces=pieces, clearance_m=clearance_m))
    path = legs[0] if len(legs) == 1 else joined(legs)
    stats = Stats(seconds=perf_counter() - began, counts={"lines": looked})
    return PathResult(status=Status.SOLVED, path=path, stats=stats)


def _leg(floor: Floor, start: FloatArray, goal: FloatArray, radius: float) -> tuple[int, FloatArray, int]:
    built = floor.triangulation
    while True:
        code, pieces, lines = queries.find_path(
            built.mesh, built.corners, built.bottlenecks, floor.grid, start, goal, radius
        )
        if code != queries.NO_ROOM:
            return code, pieces, lines
        built.make_room()


def _failure(
    floor: Floor, code: int, stops: Sequence[FloatArray], leg: int, radius: float, clearance_m: float
) -> PathResult:
    """What to say about a leg that has no path."""
    names = ["start", *(f"via {k}" for k in range(len(stops) - 2)), "goal"]
    if code == queries.NOT_CONNECTED:
        reason = f"no way from {names[leg]} to {names[leg + 1]} with {clearance_m:g} m of clearance"
        return PathResult(status=Status.EXHAUSTED, reason=reason)
    end = leg if code == queries.START_BLOCKED else leg + 1
    point = stops[end]
    owner, distance = floor.owner_at(point), 0.0
    where = f'is inside "{owner}"' if owner in {one.name for one in floor.obstacles} else f"is beyond {owner}"
    if not owner:
        edge, distance = nearest_edge(floor.grid, point[0], point[1])
        index = int(floor.grid.owners[edge])
        owner = floor.owner(index if index >= 0 else len(floor.obstacles))
        quoted = f'"{owner}"' if index >= 0 else owner
        where = f"is {distance:.3f} m from {quoted}, less than the clearance of {clearance_m:g} m"
    free = nearest_free(floor, point, radius)
    hint = "" if free is None else f"; the nearest free point is ({free[0]:.3f}, {free[1]:.3f})"
    return PathResult(
        status=Status.INFEASIBLE_START if end == 0 else Status.INFEASIBLE_GOAL,
        reason=f"{names[end]} ({point[0]:g}, {point[1]:g}) {where}{hint}",
        obstacle=owner,
        nearest_free=free if free is None else (float(free[0]), float(free[1])),
    )
