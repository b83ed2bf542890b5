"""Floors from scenes and from polygons."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from understudy.errors import OptionError, SceneError, nearest_name
from understudy.floor.floor import Floor
from understudy.floor.footprint import footprint
from understudy.floor.obstacle import Obstacle, bounds_ring, ring_of
from understudy.scene.scene import Scene

#: [m] most people pass under higher things (doors are 2 m) and step over lower ones.
HEAD_HEIGHT_M, STEP_HEIGHT_M = 1.9, 0.03


def build_floor(
    scene: Scene,
    *,
    bounds: npt.ArrayLike | None = None,
    time_s: float = 0.0,
    head_height_m: float = HEAD_HEIGHT_M,
    step_height_m: float = STEP_HEIGHT_M,
    ignore: Collection[str] = (),
) -> Floor:
    """The floor of a scene as it stands at one time.

    Args:
        scene: Its objects become obstacles; characters do not.
        bounds: ``(x_min, z_min, x_max, z_max)`` or an outline ``(n, 2)`` [m]; 5 m around all objects unless given.
        time_s: When; moving objects stand where they are then [s].
        head_height_m: What hangs higher is walked under [m].
        step_height_m: Lower things are stepped over [m].
        ignore: Objects that are not in the way, such as what the walker carries.

    Raises:
        OptionError: The heights are not in order.
        SceneError: An ignored object is unknown, or the bounds enclose no area.
    """
    if not (0.0 <= step_height_m < head_height_m < np.inf):
        raise OptionError(
            f"step_height_m is {step_height_m} and head_height_m {head_height_m}; allowed: 0 <= step < head, finite"
        )
    names = [thing.name for thing in scene.objects]
    for name in ignore:
        if name not in names:
            raise SceneError(f'ignore: no object "{name}"; {nearest_name(name, names)}')
    now = scene.at(time_s)
    given = None if bounds is None else bounds_ring(bounds, ())
    found: list[Obstacle | None] = []
    for k, thing in enumerate(scene.objects):
        if thing.name not in ignore:
            at, turn = now.positions[k], now.rotations[k]
            heights = (step_height_m, head_height_m)
            found.append(footprint(thing.name, thing.shape, at, turn, heights_m=heights, bounds=given))
    obstacles = tuple(one for one in found if one is not None)
    return Floor(obstacles, bounds_ring(bounds, obstacles))


def floor_from_polygons(
    polygons: Mapping[str, npt.ArrayLike] | Sequence[npt.ArrayLike], *, bounds: npt.ArrayLike | None = None
) -> Floor:
    """A floor with polygons ``(n, 2)`` of floor points (x, z) [m] as obstacles, by name or numbered.

    They need not be convex and may touch and overlap; two points are a thin wall.
    """
    named = polygons.items() if isinstance(polygons, Mapping) else ((str(k), ring) for k, ring in enumerate(polygons))
    obstacles = tuple(Obstacle(name=name, rings=(ring_of(ring, f'obstacle "{name}"'),)) for name, ring in named)
    return Floor(obstacles, bounds_ring(bounds, obstacles))
