"""The scene as a distance volume: how far a point is from the nearest solid, in three dimensions.

Costs are on the body's balls at their true heights, so a low bar is passed by ducking and a narrow gap by turning
sideways (paper §7, "future work"). Solids are placed as they are at time 0. Between corners 5 cm apart distances are
interpolated, which is off by at most a centimetre or two about edges and in things thinner than a cube; the margin
covers that, and what is found is tested with exact distances.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.collision import World, world_of
from understudy.collision.extents import world_box
from understudy.locomotion.published.sampling.tables import Float32Array, Volume
from understudy.scene.scene import Scene
from understudy.scene.shapes import HalfSpace
from understudy.typing import FloatArray

#: [m] width of a cube, largest distance stored, and room above the tallest posture.
CELL_M, LIMIT_M, ABOVE_M = 0.05, 0.4, 0.15
#: Volumes that would need more corners get wider cubes.
MOST_CORNERS = 12_000_000
#: [m] solids that rise less are walked on.
_STEP_M = 0.001


def volume_of(scene: Scene | None, low: FloatArray, high: FloatArray, *, height_m: float) -> Volume:
    """The volume over a box on the floor.

    Args:
        scene: What stands in it; ``None`` for nothing.
        low: ``(2,)`` low corner (x, z) [m].
        high: ``(2,)`` high corner [m].
        height_m: Height of the tallest posture [m].
    """
    sizes = np.array([high[0] - low[0], height_m + ABOVE_M, high[1] - low[1]])
    cell = max(CELL_M, float(np.cbrt(np.prod(sizes) / MOST_CORNERS)))
    nx, ny, nz = (math.ceil(size / cell) + 2 for size in sizes)
    values = np.full((nz, nx, ny), LIMIT_M, dtype=np.float32)
    first = np.array([low[0], 0.0, low[1]])
    if scene is not None and scene.objects:
        _fill(world_of(scene), first, cell, values)
    return Volume(low=first, cell=cell, values=values, flat=_flattened(values, cell))


def _flattened(values: Float32Array, cell: float) -> Float32Array:
    """``(nz, nx)`` lower bounds of the distance at any height, also beyond what values hold [m].

    A body far from everything is told by one of these. Beyond the limit they are horizontal distances from the nearest
    corner beside a solid, which is at most half a cube's diagonal from it, or at the volume's edge.
    """
    from scipy.ndimage import distance_transform_edt

    flat = np.ascontiguousarray(values.min(axis=2))
    beside = 0.5 * math.sqrt(3.0) * cell
    open_to_all_sides = np.zeros(flat.shape, dtype=bool)
    open_to_all_sides[1:-1, 1:-1] = flat[1:-1, 1:-1] > beside
    away = cell * distance_transform_edt(open_to_all_sides) - beside
    return np.where(flat < LIMIT_M, flat, np.maximum(away, LIMIT_M)).astype(np.float32)


def _fill(world: World, low: FloatArray, cell: float, values: np.ndarray) -> None:
    from understudy.locomotion.published.sampling._volume_kernels import fill

    which, boxes = [], []
    top = low + cell * np.array([values.shape[1], values.shape[2], values.shape[0]])
    for k, obstacle in enumerate(world.obstacles):
        begin, end = world_box(obstacle.shape, world.solids.rows[k])
        on_floor = isinstance(obstacle.shape, HalfSpace) and world.solids.rows[k, 11] > 0.999
        beyond = (begin - LIMIT_M > top).any() or (end + LIMIT_M < low).any()
        if not (on_floor or beyond or end[1] <= _STEP_M):
            which.append(k)
            boxes.append(np.concatenate([begin, end]))
    if which:
        fill(world.solids, world.solids.rows, np.array(which), np.array(boxes), low, cell, values)
