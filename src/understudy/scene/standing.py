"""How objects stand on surfaces: their base, whether it carries their weight, and where on a surface it fits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

import numpy as np

from understudy import rotations as rot
from understudy.scene.levels import EVEN_M, Level, centre_of_mass, levels_of
from understudy.scene.scene import Scene
from understudy.scene.shapes import HalfSpace, Shape
from understudy.scene.tessellation import triangles_of
from understudy.typing import FloatArray

#: A quaternion (wxyz).
Turn: TypeAlias = tuple[float, float, float, float]
#: Places tried along each side of a surface.
_PLACES = 5
#: [m] by which an outline may be beyond another and still count as within it.
_EXACT_M = 1e-4
#: [m] of floor around something that is looked at.
_AROUND_M = 5.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Base:
    """What an object stands on when it is turned in some way.

    Attributes:
        outline: ``(n, 2)`` convex outline of its lowest part (x, z) [m].
        middle: ``(3,)`` the middle of that, on its lowest point, from the object's origin [m].
        weight: ``(2,)`` the floor point below its centre of mass (x, z) [m].
        height_m: From its lowest point to its highest [m].
    """

    outline: FloatArray
    middle: FloatArray
    weight: FloatArray
    height_m: float

    @property
    def polygon(self) -> Any:
        """The outline as a polygon, a line or a point."""
        import shapely

        return shapely.MultiPoint(self.outline).convex_hull

    @property
    def within(self) -> Any:
        """The outline, a hair smaller."""
        import shapely

        middle = self.middle[[0, 2]]
        arms = self.outline - middle
        lengths = np.maximum(np.linalg.norm(arms, axis=1, keepdims=True), _EXACT_M)
        return shapely.MultiPoint(middle + arms * (1.0 - _EXACT_M / lengths)).convex_hull

    @property
    def steady(self) -> bool:
        """Whether it carries the object's weight."""
        import shapely

        return bool(self.polygon.distance(shapely.Point(self.weight)) < _EXACT_M)

    def at(self, place: FloatArray) -> Base:
        """The base with its middle somewhere, ``(3,)`` [m]."""
        by = (place - self.middle)[[0, 2]]
        return replace(self, outline=self.outline + by, middle=place, weight=self.weight + by)

    def inside_m(self, area: Any) -> float:
        """How far inside what carries it the object's weight is [m]; negative where it would fall."""
        import shapely

        carried, weight = area.intersection(self.polygon).convex_hull, shapely.Point(self.weight)
        if carried.is_empty:
            return -np.inf
        return float(carried.boundary.distance(weight) if carried.covers(weight) else -carried.distance(weight))

    def steady_on(self, area: Any) -> bool:
        """Whether the object stays on an area."""
        return self.inside_m(area) > -_EXACT_M


def base_of(shape: Shape, turn: FloatArray) -> Base:
    """The base of a shape turned by ``(4,)``, seen from its origin."""
    import shapely

    vertices = rot.rotate(turn, triangles_of(shape)[0])
    low = float(vertices[:, 1].min())
    hull = shapely.MultiPoint(vertices[vertices[:, 1] < low + EVEN_M][:, [0, 2]]).convex_hull
    weight = rot.rotate(turn, np.array(centre_of_mass(shape)))[[0, 2]]
    return Base(
        outline=shapely.get_coordinates(hull),
        middle=np.array([hull.centroid.x, low, hull.centroid.y]),
        weight=weight,
        height_m=float(np.ptp(vertices[:, 1])),
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class Room:
    """Where one thing may stand on another.

    Attributes:
        bases: Of the thing, one for each way it may be turned.
        surfaces: Level surfaces of the other, seen from its origin.
        places: ``(n, 2)`` floor points to try on each surface (x, z) [m].
        inner: Regions of each surface to which the nearest point is tried, too.
    """

    bases: tuple[Base, ...]
    surfaces: tuple[Level, ...]
    places: tuple[FloatArray, ...]
    inner: tuple[tuple[Any, ...], ...]

    def stands(self, near: FloatArray) -> Iterator[tuple[int, FloatArray]]:
        """Which bases may stand where: their numbers and the places ``(3,)`` of their middles [m].

        Places for the whole base, the nearest to ``near`` (3,) first; only where there are none, places at which part
        of the base carries the weight.
        """
        tried = [*self._nearest(near), *self._spread]
        some = False
        for level, place in sorted(tried, key=lambda one: float(np.linalg.norm(one[1] - near))):
            for index in self._steady:
                if self.surfaces[level].area.covers(self.bases[index].at(place).within):
                    some = True
                    yield index, place
        if not some:
            yield from sorted(self._partly, key=lambda one: float(np.linalg.norm(one[1] - near)))

    @cached_property
    def _steady(self) -> list[int]:
        return [index for index, base in enumerate(self.bases) if base.steady]

    @cached_property
    def _spread(self) -> list[tuple[int, FloatArray]]:
        """Numbers of surfaces and places on them."""
        return [
            (level, np.array([x, surface.height_m, z]))
            for level, surface in enumerate(self.surfaces)
            for x, z in self.places[level].tolist()
        ]

    @cached_property
    def _partly(self) -> list[tuple[int, FloatArray]]:
        """Where part of a base carries the weight, at least half as well as anywhere."""
        found = [
            (self.bases[index].at(place).inside_m(self.surfaces[level].area), index, place)
            for level, place in self._spread
            for index in self._steady
        ]
        enough = 0.5 * max((one[0] for one in found), default=0.0)
        return [(index, place) for inside, index, place in found if inside > 0.0 and inside >= enough]

    def _nearest(self, near: FloatArray) -> Iterator[tuple[int, FloatArray]]:
        import shapely

        point = shapely.Point(near[[0, 2]])
        for level, surface in enumerate(self.surfaces):
            for region in self.inner[level]:
                x, z = shapely.shortest_line(region, point).coords[0]
                yield level, np.array([x, surface.height_m, z])


@lru_cache(maxsize=256)
def room_on(shape: Shape, turns: tuple[Turn, ...], other: Shape, turned: Turn) -> Room:
    """Where a shape, turned in one of several ways, may stand on another one that is turned in some way."""
    import shapely

    bases = tuple(base_of(shape, np.array(turn)) for turn in turns)
    surfaces = levels_of(other, np.array(turned), headroom_m=bases[0].height_m)
    outer = max(float(np.linalg.norm(base.outline - base.middle[[0, 2]], axis=1).max()) for base in bases)
    narrow = min(_inner_m(base) for base in bases)
    places, inner = [], []
    for surface in surfaces:
        shapely.prepare(surface.area)
        # Within the first any turn fits, outside the second none; where both are empty the base is too large.
        regions = [surface.area.buffer(-inset) for inset in (outer, narrow)]
        regions = [one for one in regions if not one.is_empty] or [surface.area]
        places.append(np.concatenate([_grid(one) for one in regions]))
        inner.append(tuple(regions))
    return Room(bases=bases, surfaces=surfaces, places=tuple(places), inner=tuple(inner))


def _inner_m(base: Base) -> float:
    """How far the middle of a base is inside its outline [m]."""
    import shapely

    return float(base.polygon.boundary.distance(shapely.Point(base.middle[[0, 2]])))


def _grid(region: Any) -> FloatArray:
    """Points ``(n, 2)`` of a region, in rows along its sides."""
    import shapely

    found = []
    for part in shapely.get_parts(region):
        corners = shapely.get_coordinates(part.minimum_rotated_rectangle)
        if len(corners) < 5:
            found.append(np.array(part.centroid.coords))
            continue
        shares = np.linspace(0.0, 1.0, _PLACES)
        along, across = corners[1] - corners[0], corners[3] - corners[0]
        points = np.array([corners[0] + a * along + b * across for a in shares for b in shares])
        inside = shapely.distance(part, shapely.points(points)) < _EXACT_M
        found.append(points[inside])
    return np.concatenate(found)


def under(scene: Scene, name: str, point: FloatArray, time_s: float) -> Any:
    """The area (x, z) [m] of everything level at the height of a point ``(3,)``, but for one object itself."""
    import shapely

    x, y, z = (float(value) for value in point)
    around = shapely.box(x - _AROUND_M, z - _AROUND_M, x + _AROUND_M, z + _AROUND_M)
    areas = [around] if scene.floor and abs(y) <= EVEN_M else []
    for thing in scene.objects:
        if thing.name == name:
            continue
        at, turn = (part[0] for part in scene.object_track(thing.name, [time_s]))
        if isinstance(thing.shape, HalfSpace):
            up = rot.rotate(turn, np.array([0.0, 1.0, 0.0]))
            areas += [around] if up[1] > 1.0 - 1e-6 and abs(at[1] - y) <= EVEN_M else []
            continue
        levels = (one.moved(at) for one in levels_of(thing.shape, turn))
        areas += [one.area for one in levels if abs(one.height_m - y) <= EVEN_M]
    return shapely.union_all(areas)


def along_rad(shape: Shape, turn: FloatArray, other: Shape, turned: FloatArray) -> float:
    """The turn about the vertical [rad] by which a side of a shape's base runs along one of the other's surface."""
    surfaces = levels_of(other, turned)
    if not surfaces:
        return 0.0
    largest = max(surfaces, key=lambda one: float(one.area.area))
    return _side_rad(largest.area) - _side_rad(base_of(shape, turn).polygon)


def _side_rad(area: Any) -> float:
    """How far one side of the rectangle around an area is turned, as yaw turns +Z towards +X."""
    import shapely

    corners = shapely.get_coordinates(area.minimum_rotated_rectangle)
    side = corners[1 % len(corners)] - corners[0]
    return float(np.arctan2(side[0], side[1]))
