"""Random armatures, posed by Blender's own rule for bones that follow their parents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from integrations.blender.understudy_blender.rig import Rig
from scipy.spatial.transform import Rotation


@dataclass(frozen=True, eq=False)
class Posed:
    """A rig, what is keyed for each bone, and where that puts it."""

    rig: Rig
    keys: np.ndarray  # (frames, bones, 4, 4)
    poses: np.ndarray  # (frames, bones, 4, 4) in the armature's space
    places: np.ndarray  # (frames, 4, 4) in the world


def frame(rotation: Rotation, location: np.ndarray, scale: float = 1.0) -> np.ndarray:
    """A 4x4 matrix."""
    result = np.eye(4)
    result[:3, :3] = scale * rotation.as_matrix()
    result[:3, 3] = location
    return result


def random_rig(seed: int, bones: int) -> Rig:
    """Bones with any rest frames, in a tree of any shape; the first one is the only one without a parent."""
    draw = np.random.default_rng(seed)
    parents = (-1, *(int(draw.integers(0, bone)) for bone in range(1, bones)))
    turns = Rotation.random(bones, random_state=seed)
    heads = draw.normal(size=(bones, 3))
    rest = np.stack([frame(turns[bone], heads[bone]) for bone in range(bones)])
    return Rig(
        names=tuple(f"bone {bone}" for bone in range(bones)),
        parents=parents,
        rest=rest,
        tails=heads + draw.normal(size=(bones, 3)),
        inherits_rotation=draw.random(bones) < 0.8,
        local_location=draw.random(bones) < 0.8,
    )


def posed(rig: Rig, seed: int, frames: int, *, scale: float) -> Posed:
    """The rig with random keys, the first bone moving, in a place that moves and turns."""
    draw = np.random.default_rng(seed)
    bones = len(rig.names)
    keys = np.tile(np.eye(4), (frames, bones, 1, 1))
    keys[:, :, :3, :3] = Rotation.random(frames * bones, random_state=seed).as_matrix().reshape(frames, bones, 3, 3)
    keys[:, 0, :3, 3] = draw.normal(size=(frames, 3))
    turns = Rotation.random(frames, random_state=seed + 1)
    places = np.stack([frame(turns[one], draw.normal(size=3), scale) for one in range(frames)])
    return Posed(rig, keys, evaluated(rig, keys), places)


def evaluated(rig: Rig, keys: np.ndarray) -> np.ndarray:
    """Pose frames as Blender's manual describes them, one bone and one frame at a time."""
    poses = np.empty_like(keys)
    for row in range(len(keys)):
        for bone, parent in enumerate(rig.parents):
            rest, key = rig.rest[bone], keys[row, bone]
            if parent < 0:
                carried, axes = rest, np.eye(3)
            else:
                carried = poses[row, parent] @ np.linalg.inv(rig.rest[parent]) @ rest
                axes = poses[row, parent, :3, :3]
            turned = carried if rig.inherits_rotation[bone] else rest
            moved = carried[:3, :3] if rig.local_location[bone] else axes
            pose = turned @ key
            pose[:3, 3] = carried[:3, 3] + moved @ key[:3, 3]
            poses[row, bone] = pose
    return poses
