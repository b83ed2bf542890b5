"""What Blender keys for a bone: its frame relative to where rest and parent alone would put it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .axes import pure_rotation
from .rig import Rig
from .transfer import Wanted


@dataclass(frozen=True, eq=False)
class Keys:
    """What to key for one bone.

    Attributes:
        bone: Its index.
        locations: ``(frames, 3)`` in the armature's units.
        rotations: ``(frames, 3, 3)``.
    """

    bone: int
    locations: np.ndarray
    rotations: np.ndarray


def basis(rig: Rig, aim: Wanted, places: np.ndarray, others: np.ndarray) -> list[Keys]:
    """Keys of every bone that is wanted somewhere.

    Args:
        rig: The armature.
        aim: Where bones are to be in Blender's world.
        places: ``(frames, 4, 4)`` the armature in Blender's world.
        others: ``(frames, bones, 4, 4)`` pose frames in the armature's space of bones nobody wants anywhere.
    """
    back = np.linalg.inv(places)[:, None]
    columns = list(aim.bones)
    own = np.tile(np.eye(4), (*aim.heads.shape[:2], 1, 1))
    own[..., :3, :3] = np.swapaxes(pure_rotation(places), -1, -2)[:, None] @ aim.rotations
    own[..., :3, 3] = (back[..., :3, :3] @ aim.heads[..., None])[..., 0] + back[..., :3, 3]
    poses = others.copy()
    poses[:, columns] = own
    return [_keys(rig, bone, poses) for bone in columns]


def _keys(rig: Rig, bone: int, poses: np.ndarray) -> Keys:
    """Keys of one bone, by the rules with which Blender lets a bone follow its parent."""
    parent, rest = rig.parents[bone], rig.rest[bone]
    carried = np.broadcast_to(rest, poses[:, bone].shape)
    axes = np.broadcast_to(np.eye(3), carried[:, :3, :3].shape)
    if parent >= 0:
        carried = poses[:, parent] @ np.linalg.solve(rig.rest[parent], rest)
        axes = poses[:, parent, :3, :3]
    turned = carried[:, :3, :3] if rig.inherits_rotation[bone] else np.broadcast_to(rest[:3, :3], axes.shape)
    moved = carried[:, :3, :3] if rig.local_location[bone] else axes
    away = (poses[:, bone, :3, 3] - carried[:, :3, 3])[..., None]
    return Keys(
        bone=bone,
        locations=np.linalg.solve(moved, away)[..., 0],
        rotations=pure_rotation(np.linalg.solve(turned, poses[:, bone, :3, :3])),
    )
