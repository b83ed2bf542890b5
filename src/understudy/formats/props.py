"""Things beside the characters that an animation file can hold: meshes that stand or move."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from understudy import rotations as rot
from understudy.errors import FormatError
from understudy.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Prop:
    """A named triangle mesh with a keyed rigid motion.

    Attributes:
        name: Shown in the file's outliner.
        vertices: ``(vertices, 3)`` [m] in the prop's own frame.
        faces: ``(triangles, 3)`` vertex indices, counter-clockwise from outside.
        times_s: ``(keys,)`` strictly increasing; one key means it stands still.
        positions: ``(keys, 3)`` [m].
        rotations: ``(keys, 4)``.
        color: Linear red, green, blue in [0, 1].
    """

    name: str
    vertices: FloatArray
    faces: IntArray
    times_s: FloatArray = field(default_factory=lambda: np.zeros(1))
    positions: FloatArray = field(default_factory=lambda: np.zeros((1, 3)))
    rotations: FloatArray = field(default_factory=lambda: rot.identity((1,)))
    color: tuple[float, float, float] = (0.6, 0.6, 0.62)

    def __post_init__(self) -> None:
        """Check that arrays fit each other."""
        keys = len(self.times_s)
        if keys == 0 or self.positions.shape != (keys, 3) or self.rotations.shape != (keys, 4):
            raise FormatError(f'prop "{self.name}": times, positions and rotations must have the same length >= 1')
        if keys > 1 and not (np.diff(self.times_s) > 0).all():
            raise FormatError(f'prop "{self.name}": key times must increase')
        arrays = (self.vertices, self.times_s, self.positions, self.rotations)
        if not all(np.isfinite(array).all() for array in arrays) or not np.any(self.rotations, axis=1).all():
            raise FormatError(f'prop "{self.name}": holds values that are not finite, or a zero quaternion')
        if self.vertices.ndim != 2 or self.vertices.shape[1] != 3 or self.faces.ndim != 2 or self.faces.shape[1] != 3:
            raise FormatError(f'prop "{self.name}": needs vertices (n, 3) and faces (m, 3)')
        if len(self.faces) == 0 or self.faces.min() < 0 or self.faces.max() >= len(self.vertices):
            raise FormatError(f'prop "{self.name}": has no faces, or faces that use missing vertices')
