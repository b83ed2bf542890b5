"""An armature as numbers: bones, their rest frames, and which bone carries the body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

#: Of all bones: a bone with fewer below it is a limb and not what carries the body.
_MOST_BONES = 0.5
#: Of the height at rest: whatever carries the body carries its feet, whose ends are this near to the ground.
_NEAR_GROUND = 0.1
#: [Blender units of the armature, as a share of its size] a bone that moves less within its parent stands still.
_STILL = 1e-4


@dataclass(frozen=True, eq=False)
class Rig:
    """Bones of an armature, parents before children.

    Attributes:
        names: Blender's bone names.
        parents: Index of each bone's parent, -1 for none.
        rest: ``(bones, 4, 4)`` rest frames in the armature's space.
        tails: ``(bones, 3)`` ends of the bones at rest, in the armature's space.
        inherits_rotation: ``(bones,)`` whether a bone turns with its parent.
        local_location: ``(bones,)`` whether a bone's location is meant along its own axes.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    rest: np.ndarray
    tails: np.ndarray
    inherits_rotation: np.ndarray
    local_location: np.ndarray

    def children(self, bone: int) -> list[int]:
        """Bones hanging on a bone."""
        return [child for child, parent in enumerate(self.parents) if parent == bone]

    def below(self, bone: int) -> list[int]:
        """A bone and everything below it, depth first."""
        found: list[int] = []
        stack = [bone]
        while stack:
            one = stack.pop()
            found.append(one)
            stack.extend(reversed(self.children(one)))
        return found


def body_root(rig: Rig, poses: np.ndarray, place: np.ndarray) -> int:
    """The bone whose path is the path of the body.

    Usually the topmost one. Game rigs put a bone on the floor above the pelvis and move both: then it is the deepest
    bone that moves within its parent and still carries most bones, feet among them.

    Args:
        rig: The armature.
        poses: ``(frames, bones, 4, 4)`` pose frames in the armature's space.
        place: ``(4, 4)`` the armature in the world, Z up.
    """
    tops = [bone for bone, parent in enumerate(rig.parents) if parent < 0]
    bone = max(tops, key=lambda top: len(rig.below(top)))
    found, whole = bone, rig.below(bone)
    heights = np.minimum(rig.rest[:, :3, 3] @ place[2, :3], rig.tails @ place[2, :3])
    ground, tall = heights[whole].min(), float(np.ptp(heights[whole])) + 1e-12
    size = float(np.ptp(rig.rest[:, :3, 3], axis=0).max()) + 1e-12
    while True:
        carrying = [
            child
            for child in rig.children(bone)
            if len(below := rig.below(child)) >= _MOST_BONES * len(whole)
            and heights[below].min() <= ground + _NEAR_GROUND * tall
        ]
        if not carrying:
            return found
        bone = carrying[0]
        heads = np.linalg.solve(poses[:, rig.parents[bone]], poses[:, bone])[:, :3, 3]
        if float(np.ptp(heads, axis=0).max()) > _STILL * size:
            found = bone
