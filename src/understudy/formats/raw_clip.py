"""What a motion file says, before units, axes and roles are settled."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from understudy import rotations as rot
from understudy.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class RawClip:
    """One character's motion in the file's own unit and axes; rest rotations are the identity.

    Attributes:
        names: Joint names, unique, parents first.
        parents: Parent of each joint, ``-1`` for joint 0 only.
        offsets: ``(joints, 3)`` in the parent's frame.
        tip_joints: ``(tips,)`` joints with an end point.
        tip_offsets: ``(tips, 3)``.
        root_positions: ``(frames, 3)``.
        rotations: ``(frames, joints, 4)`` local.
        fps: Frames per second.
        stretches: Joint name -> how far its offset varied, where only the mean was kept.
        notes: What reading assumed, dropped or repaired.
    """

    names: tuple[str, ...]
    parents: IntArray
    offsets: FloatArray
    tip_joints: IntArray
    tip_offsets: FloatArray
    root_positions: FloatArray
    rotations: FloatArray
    fps: float
    stretches: dict[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def noting(self, *sentences: str) -> RawClip:
        """The same clip with more notes."""
        return replace(self, notes=(*self.notes, *sentences))

    def rest_positions(self) -> FloatArray:
        """``(joints, 3)`` world positions of the rest pose, the root at its offset."""
        positions = np.array(self.offsets)
        for joint in range(1, len(positions)):
            positions[joint] += positions[self.parents[joint]]
        return positions

    def world_positions(self, frames: IntArray) -> FloatArray:
        """``(len(frames), joints, 3)`` world positions at some frames."""
        local = self.rotations[frames]
        turns = np.empty_like(local)
        positions = np.empty((*local.shape[:2], 3))
        turns[:, 0], positions[:, 0] = local[:, 0], self.root_positions[frames]
        for joint in range(1, len(self.names)):
            parent = self.parents[joint]
            positions[:, joint] = positions[:, parent] + rot.rotate(turns[:, parent], self.offsets[joint])
            turns[:, joint] = rot.multiply(turns[:, parent], local[:, joint])
        return positions

    def without_frames(self, count: int) -> RawClip:
        """All frames but the first ``count``."""
        return replace(self, root_positions=self.root_positions[count:], rotations=self.rotations[count:])
