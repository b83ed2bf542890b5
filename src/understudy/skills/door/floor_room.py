"""Room over the floor: distances read off a floor's grid."""

from __future__ import annotations

import numpy as np

from understudy.floor import Floor
from understudy.skills.door.grip import Room
from understudy.typing import FloatArray


def room_over(floor: Floor) -> Room:
    """Distance of floor points from obstacles, up to a metre."""
    grid = floor.distances.grid
    cell = float(grid.frame[2])
    low = grid.frame[:2] + 0.5 * cell
    values = grid.values

    def room(points: FloatArray) -> FloatArray:
        at = (points - low) / cell
        size = np.array(values.shape[::-1])
        inside = np.clip(at, 0.0, size - 1.001)
        k = inside.astype(np.int64)
        u = inside - k
        x, z = k[..., 0], k[..., 1]
        near = values[z, x] * (1 - u[..., 0]) + values[z, x + 1] * u[..., 0]
        far = values[z + 1, x] * (1 - u[..., 0]) + values[z + 1, x + 1] * u[..., 0]
        return np.asarray(near * (1 - u[..., 1]) + far * u[..., 1])

    return room
