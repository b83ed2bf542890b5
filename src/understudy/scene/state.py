"""What a scene says about one moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from understudy.errors import SceneError, nearest_name
from understudy.typing import FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class SceneState:
    """The whole world at one time.

    Attributes:
        time_s: When.
        names: Object names, in the scene's order.
        positions: ``(objects, 3)`` [m] of the objects' frames.
        rotations: ``(objects, 4)``.
        joints: Character -> world positions ``(joints, 3)`` [m] and rotations ``(joints, 4)``; characters without
            motion are not there.
    """

    time_s: float
    names: tuple[str, ...]
    positions: FloatArray
    rotations: FloatArray
    joints: Mapping[str, tuple[FloatArray, FloatArray]]

    def pose(self, name: str) -> tuple[FloatArray, FloatArray]:
        """Position ``(3,)`` and rotation ``(4,)`` of one object."""
        if name not in self.names:
            raise SceneError(f'no object "{name}"; {nearest_name(name, self.names)}')
        index = self.names.index(name)
        return self.positions[index], self.rotations[index]


@dataclass(frozen=True, eq=False, kw_only=True)
class HandlePose:
    """A handle in the world.

    Attributes:
        position: ``(3,)`` [m] middle of the grip.
        rotation: ``(4,)`` of the grip's frame.
        approach: ``(3,)`` unit direction away from the object, the side a hand comes from.
    """

    position: FloatArray
    rotation: FloatArray
    approach: FloatArray
