"""A motion's postures in coordinates whose root chart moves along, so that a body may turn as often as it likes.

The coordinates are those of ``postures.space`` (limits are convex in them) with one difference: the root's rotation
vector is measured from the motion's own root rotation in that frame, so it is zero for the motion itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.motion import Motion
from understudy.postures.space import PostureSpace
from understudy.postures.tables import AT, RIGHT, TURNED, Room, SpaceArrays
from understudy.postures.world import new_room
from understudy.typing import FloatArray


@dataclass(frozen=True, eq=False)
class MovingChart:
    """Coordinates around a motion.

    Attributes:
        motion: What is changed; coordinates of the motion itself are :attr:`origin`.
        body: Who moves.
    """

    motion: Motion
    body: Body

    @cached_property
    def space(self) -> PostureSpace:
        """Coordinates of a body whose root is free."""
        return PostureSpace(body=self.body, reference=rot.identity(), root_moves=True)

    @cached_property
    def origin(self) -> FloatArray:
        """``(frames, size)`` the motion itself."""
        frames = len(self.motion)
        turns = np.array(self.body.limits.coordinates(self.motion.rotations)).reshape(frames, -1)
        turns[:, :3] = 0.0
        return np.hstack([self.motion.root_positions, turns])

    @cached_property
    def room(self) -> Room:
        """Scratch."""
        return new_room(self.space.arrays)

    def arrays(self, root: FloatArray) -> SpaceArrays:
        """The space for kernels, its root measured from the rotation ``root (4,)``."""
        joints = self.space.arrays.joints.copy()
        joints[0, RIGHT : RIGHT + 4] = root
        return self.space.arrays._replace(joints=joints)

    def placed(self, frame: int, q: FloatArray) -> tuple[SpaceArrays, FloatArray, FloatArray]:
        """Put a posture near one frame into :attr:`room`; its arrays, joint positions and world rotations."""
        from understudy.postures._placing_kernels import place

        arrays = self.arrays(self.motion.rotations[frame, 0])
        place(arrays, q, self.room)
        return arrays, self.room.joints[:, AT : AT + 3].copy(), self.room.joints[:, TURNED : TURNED + 4].copy()

    def moved(self, path: FloatArray) -> Motion:
        """The motion of coordinates ``(frames, size)``."""
        rotations = self.body.limits.rotations(path[:, 3:].reshape(len(path), -1, 3))
        rotations[:, 0] = rot.multiply(rot.exp(path[:, 3:6]), self.motion.rotations[:, 0])
        return replace(self.motion, root_positions=path[:, :3].copy(), rotations=rot.continuous(rotations))
