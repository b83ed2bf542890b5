"""The floor: built once from obstacles, asked many times, rebuilt quickly when something moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from understudy.core.planar import PlanarTransform
from understudy.errors import SceneError, nearest_name
from understudy.floor import _query_kernels as queries
from understudy.floor._segment_kernels import capsule_hit
from understudy.floor._triangle_kernels import obstacle_at, widest_passage
from understudy.floor.channel import Channel, channel_of
from understudy.floor.distances import Distances, distances_of, redone
from understudy.floor.obstacle import Obstacle
from understudy.floor.path import FloorPath
from understudy.floor.paths import PathResult, search
from understudy.floor.questions import floor_point, floor_points, planned_radius
from understudy.floor.segments import Outline, grid_of, outline_of, ring_segments
from understudy.floor.tables import SegmentGrid
from understudy.floor.triangulation import Triangulation, triangulate
from understudy.typing import BoolArray, FloatArray, IntArray

#: What messages call the floor's own edge.
EDGE = "the edge of the floor"


@dataclass(frozen=True, eq=False)
class Floor:
    """Obstacles on a bounded floor; immutable, every change gives a new floor.

    Everything is in floor points (x, z) [m]. Structures are built on first use and kept.

    Attributes:
        obstacles: The obstacles on it; they may touch and overlap.
        bounds: Its own outline ``(n, 2)``; paths keep their clearance from it as from any wall.
    """

    obstacles: tuple[Obstacle, ...]
    bounds: FloatArray
    _stale: tuple[Distances, FloatArray] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Reject names that occur twice."""
        names = [one.name for one in self.obstacles]
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise SceneError(f'two obstacles are called "{twice}"')

    # What is built.

    @cached_property
    def outline(self) -> Outline:
        """All edges."""
        return outline_of([one.segments for one in self.obstacles], ring_segments([self.bounds]))

    @cached_property
    def grid(self) -> SegmentGrid:
        """All edges in cells, for kernels."""
        return grid_of(self.outline)

    @cached_property
    def triangulation(self) -> Triangulation:
        """Triangles, corners and narrowest passages, for kernels."""
        return triangulate(self.outline, self.grid)

    @cached_property
    def distances(self) -> Distances:
        """Distance to the nearest obstacle on a fine grid."""
        if self._stale is not None:
            return redone(self._stale[0], self.outline, self._stale[1])
        return distances_of(self.outline)

    def build(self) -> Floor:
        """Build everything a path query needs now, and return the floor."""
        _ = self.triangulation
        return self

    # Changing it.

    def with_obstacle(self, obstacle: Obstacle) -> Floor:
        """The floor with one more obstacle."""
        return self._changed((*self.obstacles, obstacle), obstacle.segments)

    def without(self, name: str) -> Floor:
        """The floor without an obstacle."""
        gone = self.obstacle(name)
        return self._changed(tuple(one for one in self.obstacles if one is not gone), gone.segments)

    def moved(self, name: str, transform: PlanarTransform) -> Floor:
        """The floor with one obstacle turned and moved."""
        old = self.obstacle(name)
        return self.replaced(old.moved(transform))

    def replaced(self, obstacle: Obstacle) -> Floor:
        """The floor with another obstacle in place of the one of the same name."""
        old = self.obstacle(obstacle.name)
        things = tuple(obstacle if one is old else one for one in self.obstacles)
        return self._changed(things, np.concatenate([old.segments, obstacle.segments]))

    def _changed(self, obstacles: tuple[Obstacle, ...], edges: FloatArray) -> Floor:
        ends = edges.reshape(-1, 2)
        low, high = ends.min(axis=0), ends.max(axis=0)
        known: Distances | None = self.__dict__.get("distances")
        if known is None and self._stale is not None:
            # Changes since the grid was last filled add up.
            known, before = self._stale
            low, high = np.minimum(low, before[:2]), np.maximum(high, before[2:])
        return Floor(obstacles, self.bounds, None if known is None else (known, np.concatenate([low, high])))

    def obstacle(self, name: str) -> Obstacle:
        """The obstacle of a name; an unknown one is a :class:`SceneError` that names the nearest."""
        for one in self.obstacles:
            if one.name == name:
                return one
        names = [one.name for one in self.obstacles]
        raise SceneError(f'no obstacle "{name}"; {nearest_name(name, names) or "the floor is empty"}')

    # Asking it.

    def path(
        self,
        start: npt.ArrayLike,
        goal: npt.ArrayLike,
        clearance_m: float,
        *,
        via: Sequence[npt.ArrayLike] = (),
    ) -> PathResult:
        """The shortest path that keeps a clearance.

        Exact up to 1,000 turning corners; on larger floors the shortest near a channel, at most a few per cent longer.

        Args:
            start: (x, z) [m].
            goal: (x, z) [m].
            clearance_m: Distance to keep from every obstacle and the floor's edge [m], >= 0.
            via: Points to pass on the way, in this order.

        Raises:
            PlanningInputError: A point is not two finite numbers.
            OptionError: The clearance is negative or not finite.
        """
        stops = [floor_point(start, "start"), *(floor_point(p, f"via {k}") for k, p in enumerate(via))]
        return search(self, [*stops, floor_point(goal, "goal")], planned_radius(clearance_m), float(clearance_m))

    def connected(self, start: npt.ArrayLike, goal: npt.ArrayLike, clearance_m: float) -> bool:
        """Whether any path with a clearance joins two points; a few microseconds for any clearance."""
        radius = planned_radius(clearance_m)
        ends = np.stack([floor_point(start, "start"), floor_point(goal, "goal")])
        if not self.free(ends, clearance_m).all():
            return False
        return self.widest_m(*ends) >= radius

    def widest_m(self, start: FloatArray, goal: FloatArray) -> float:
        """Half the width of the narrowest passage on the widest way from one point to another [m]; 0 without a way."""
        a, b = self.triangles_at(np.stack([start, goal]))
        return 0.0 if min(a, b) < 0 else 0.5 * float(widest_passage(self.triangulation.bottlenecks, a, b))

    def channel(self, path: FloorPath) -> Channel:
        """The triangles a path runs through: the corridor that searches keep to and pictures show."""
        return channel_of(self.triangulation.mesh, path, int(self.triangles_at(path.start[None])[0]))

    def free(self, points: npt.ArrayLike, clearance_m: float = 0.0) -> BoolArray:
        """Which points ``(n, 2)`` have that distance from everything, exactly."""
        flat = floor_points(points)
        return queries.free_points(self.triangulation.mesh, self.grid, flat, planned_radius(clearance_m))

    def segment_free(self, start: npt.ArrayLike, end: npt.ArrayLike, clearance_m: float) -> bool:
        """Whether a disc may roll straight from one free point to another."""
        a, b = floor_point(start, "start"), floor_point(end, "end")
        return bool(capsule_hit(self.grid, a[0], a[1], b[0], b[1], planned_radius(clearance_m) - 1e-7) < 0)

    def triangles_at(self, points: npt.ArrayLike) -> IntArray:
        """Index of the triangle that holds each point ``(n, 2)``; -1 far outside."""
        mesh, grid = self.triangulation.mesh, self.grid
        return np.array([queries.locate(mesh, grid, x, z) for x, z in floor_points(points)], dtype=np.int64)

    def owner_at(self, point: FloatArray) -> str:
        """The obstacle a point is inside; empty when it is free."""
        outline = self.outline
        index = obstacle_at(outline.segments, outline.first, outline.boxes, point[0], point[1])
        return self.owner(index)

    def owner(self, index: int) -> str:
        """The name an obstacle index stands for; the floor's edge comes after the obstacles."""
        if index < 0:
            return ""
        return self.obstacles[index].name if index < len(self.obstacles) else EDGE
