"""One posture of a skeleton."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from understudy import rotations as rot
from understudy.core.skeleton import Skeleton
from understudy.errors import MotionError
from understudy.typing import FloatArray

if TYPE_CHECKING:
    from understudy.core.motion import Motion


@dataclass(frozen=True, eq=False, kw_only=True)
class Pose:
    """Root position and one local rotation per joint.

    Attributes:
        skeleton: The skeleton posed.
        root_position: ``(3,)`` [m].
        rotations: ``(joints, 4)`` unit quaternions, wxyz, local.
        evidence: Clips that say how this person moves, where the pose was taken from a motion.
    """

    skeleton: Skeleton
    root_position: FloatArray
    rotations: FloatArray
    evidence: tuple[Motion, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        """Check shapes and normalise."""
        position = np.array(self.root_position, dtype=np.float64)
        rotations = np.array(self.rotations, dtype=np.float64)
        if position.shape != (3,) or rotations.shape != (len(self.skeleton), 4):
            raise MotionError(
                f"a pose of {len(self.skeleton)} joints needs root_position (3,) and rotations "
                f"({len(self.skeleton)}, 4); got {position.shape} and {rotations.shape}"
            )
        if not (np.isfinite(position).all() and np.isfinite(rotations).all()):
            raise MotionError("a pose holds values that are not finite")
        if np.any(np.linalg.norm(rotations, axis=-1) < 1e-9):
            raise MotionError("a pose holds a zero quaternion")
        rotations = rot.normalize(rotations)
        position.flags.writeable = rotations.flags.writeable = False
        object.__setattr__(self, "root_position", position)
        object.__setattr__(self, "rotations", rotations)

    @classmethod
    def rest(cls, skeleton: Skeleton) -> Pose:
        """The skeleton's rest pose."""
        return cls(skeleton=skeleton, root_position=skeleton.offsets[0], rotations=skeleton.rest_rotations)

    def world(self) -> tuple[FloatArray, FloatArray]:
        """World positions ``(joints, 3)`` [m] and rotations ``(joints, 4)``."""
        return self.skeleton.placed_joints(self.root_position, self.rotations)

    def with_rotation(self, joint: str, rotation: FloatArray) -> Pose:
        """The same pose with one joint's local rotation replaced."""
        rotations = self.rotations.copy()
        rotations[self.skeleton.index(joint)] = rotation
        return replace(self, rotations=rotations)
