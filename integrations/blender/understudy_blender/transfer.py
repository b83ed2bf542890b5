"""Poses of an armature as a BVH clip, and a clip as poses of the armature.

With ``C`` the turn from Z up to Y up, ``M`` the armature's place in the world, ``P`` a bone's pose frame and ``B`` its
rest frame, both in the armature's space, a joint's rotation in the world is

    D = C M P B^-1 M0^-1 C^-1

(rotation parts only; ``M0`` is ``M`` in the first frame). At rest ``D`` is the identity: joint frames are parallel to
the world, as BVH wants them. On the way back ``P`` follows from ``D``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .axes import Y_UP, pure_rotation, to_y_up, to_z_up
from .bvh import Clip
from .errors import JobError
from .names import joint_names
from .rig import Rig, body_root

#: [m] bones that move farther than this within their parents are named in a remark.
_STRETCHED_M = 1e-3


@dataclass(frozen=True, eq=False)
class Recording:
    """What an armature does.

    Attributes:
        rig: Its bones.
        poses: ``(frames, bones, 4, 4)`` pose frames in the armature's space.
        places: ``(frames, 4, 4)`` the armature in Blender's world.
        fps: Frames per second.
        unit_m: Metres per Blender unit.
    """

    rig: Rig
    poses: np.ndarray
    places: np.ndarray
    fps: float
    unit_m: float


@dataclass(frozen=True, eq=False)
class Sent:
    """A clip and the way back from it.

    Attributes:
        rig: The armature's bones.
        clip: What goes into the file.
        bones: Joint name -> bone index.
        rest_place: ``(4, 4)`` the armature in Blender's world where it counts as at rest.
        unit_m: Metres per Blender unit.
        remarks: What could not be sent as it is.
    """

    rig: Rig
    clip: Clip
    bones: dict[str, int]
    rest_place: np.ndarray
    unit_m: float
    remarks: tuple[str, ...] = ()


def sent(recording: Recording) -> Sent:
    """The recording as a clip, from the bone that carries the body downwards."""
    rig, unit_m = recording.rig, recording.unit_m
    bones = rig.below(body_root(rig, recording.poses, recording.places[0]))
    joint_of = {bone: joint for joint, bone in enumerate(bones)}
    above = [joint_of[rig.parents[bone]] for bone in bones[1:]]
    world = recording.places[:, None] @ recording.poses[:, bones]
    rest = recording.places[0] @ rig.rest[bones]
    heads = to_y_up(world[..., :3, 3], unit_m)
    whole = Y_UP @ pure_rotation(world) @ np.swapaxes(Y_UP @ pure_rotation(rest), -1, -2)
    back = np.swapaxes(whole[:, above], -1, -2)
    steps = (back @ (heads[:, 1:] - heads[:, above])[..., None])[..., 0]
    names = joint_names(rig.names[bone] for bone in bones)
    clip = Clip(
        names=tuple(names.values()),
        parents=(-1, *above),
        offsets=np.concatenate([to_y_up(rest[:1, :3, 3], unit_m), steps.mean(axis=0)]),
        tips=_tips(recording, bones),
        positions=heads[:, 0],
        rotations=np.concatenate([whole[:, :1], back @ whole[:, 1:]], axis=1),
        fps=recording.fps,
    )
    return Sent(
        rig=rig,
        clip=clip,
        bones={names[rig.names[bone]]: bone for bone in bones},
        rest_place=recording.places[0],
        unit_m=unit_m,
        remarks=_remarks(recording, bones, steps),
    )


def _tips(recording: Recording, bones: list[int]) -> dict[int, np.ndarray]:
    """Ends of bones without children, from their joints, at rest [m]."""
    rig, linear = recording.rig, recording.places[0, :3, :3]
    return {
        joint: to_y_up(linear @ (rig.tails[bone] - rig.rest[bone, :3, 3]), recording.unit_m)
        for joint, bone in enumerate(bones)
        if not rig.children(bone)
    }


def _remarks(recording: Recording, bones: list[int], steps: np.ndarray) -> tuple[str, ...]:
    """Bones that move within their parents, bones that are scaled, and bones that are not sent."""
    names = recording.rig.names
    found = []
    if len(bones) > 1 and (spread := np.ptp(steps, axis=0).max(axis=-1)).max() > _STRETCHED_M:
        worst = int(np.argmax(spread))
        found.append(
            f'bone "{names[bones[worst + 1]]}" moves within its parent by {1000 * spread[worst]:.0f} mm; '
            "its mean place is sent"
        )
    lengths = np.linalg.norm(recording.poses[:, bones, :3, :3], axis=-2)
    if (off := np.abs(lengths - 1.0).max(axis=(0, 2))).max() > 1e-3:
        found.append(f'bone "{names[bones[int(np.argmax(off))]]}" is scaled; scale is not sent')
    left_out = [name for bone, name in enumerate(names) if bone not in set(bones)]
    if left_out:
        found.append(f'{len(left_out)} bones beside or above the body are not sent ("{left_out[0]}", ...)')
    return tuple(found)


@dataclass(frozen=True, eq=False)
class Wanted:
    """Where bones are to be.

    Attributes:
        bones: Bone index of each column, parents first.
        heads: ``(frames, bones, 3)`` in Blender's world.
        rotations: ``(frames, bones, 3, 3)`` of the bones' frames in Blender's world.
    """

    bones: tuple[int, ...]
    heads: np.ndarray
    rotations: np.ndarray


def wanted(source: Sent, answer: Clip) -> Wanted:
    """A clip that came back, as bones in Blender's world.

    Raises:
        JobError: It is about other joints.
    """
    strange = [name for name in answer.names if name not in source.bones]
    if strange:
        raise JobError(f'the answer has a joint "{strange[0]}" that the armature has not')
    bones = [source.bones[name] for name in answer.names]
    places, turned = answer.world()
    rest = pure_rotation(source.rest_place @ source.rig.rest[bones])
    return Wanted(
        bones=tuple(bones),
        heads=to_z_up(places, source.unit_m),
        rotations=Y_UP.T @ turned @ Y_UP @ rest,
    )
