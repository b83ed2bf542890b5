"""An armature as numbers: bones, their rest frames, and which bone carries the body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

#: Of all bones: a bone with fewer below it is a limb and not what carries the body.
_MOST_BONES = 0.6
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


def body_root(rig: Rig, poses: np.ndarray) -> int:
    """The bone whose path is the path of the body.

    Usually the topmost one. Game rigs put a bone on the floor above the pelvis and move both: then it is the deepest
    bone that moves within its parent and still has most bones below it.

    Args:
        rig: The armature.
        poses: ``(frames, bones, 4, 4)`` pose frames in the armature's space.
    """
    tops = [bone for bone, parent in enumerate(rig.parents) if parent < 0]
    bone = max(tops, key=lambda top: len(rig.below(top)))
    found, size = bone, float(np.ptp(rig.rest[:, :3, 3], axis=0).max()) + 1e-12
    enough = _MOST_BONES * len(rig.below(bone))
    while True:
        larger = [child for child in rig.children(bone) if len(rig.below(child)) >= enough]
        if not larger:
            return found
        bone = larger[0]
        heads = np.linalg.solve(poses[:, rig.parents[bone]], poses[:, bone])[:, :3, 3]
        if float(np.ptp(heads, axis=0).max()) > _STILL * size:
            found = bone
