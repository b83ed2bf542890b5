"""A motion that came back, as a new action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from . import curves
from .basis import Keys, basis
from .bvh import Clip
from .errors import JobError
from .rotation_modes import TURNS, turn_property, turn_values
from .sampling import numbered, rig_of, sampled
from .transfer import Sent, Wanted, wanted

#: [m] bones that end up farther from where they belong are held by something else.
_HELD_M = 1e-3


@dataclass(frozen=True)
class Brought:
    """A new action, how far its bones are from where they belong at most [m], and which bone that is."""

    action: Any
    error_m: float
    worst: str


def brought(
    context: bpy.types.Context,
    armature: bpy.types.Object,
    source: Sent,
    answer: Clip,
    *,
    first_frame: int,
    name: str,
    afresh: bool,
) -> Brought:
    """Give an armature a new action with a motion in it.

    The action it has is copied and stays as it is; in the copy the bones that came back get other curves. ``afresh``
    copies nothing. When something goes wrong everything is as before.
    """
    if rig_of(armature).names != source.rig.names:
        raise JobError(f'the bones of "{armature.name}" have changed meanwhile')
    aim = wanted(source, answer)
    frames = numbered(context.scene, first_frame, len(aim.heads), answer.fps)
    before = armature.animation_data.action if armature.animation_data else None
    slot = curves.slot_name(armature)
    copies = before is not None and not afresh
    action = curves.duplicated(armature, name) if copies else curves.empty_action(armature, name)
    try:
        curves.assign(armature, action, slot if copies else "")
        moved = _freed(armature, [source.rig.names[bone] for bone in aim.bones])
        others, places, _ = sampled(context, armature, frames)
        for keys in basis(source.rig, aim, places, others):
            _keyed(armature, source.rig.names[keys.bone], keys, frames, moved)
        result = _compared(context, armature, source, aim, frames)
    except Exception:
        curves.assign(armature, before, slot)
        bpy.data.actions.remove(action)
        raise
    if before is not None:
        before.use_fake_user = True  # else it would be gone from the saved file
    return Brought(action, *result)


def _freed(armature: Any, names: list[str]) -> set[str]:
    """Take away curves that turn or move bones; names of bones that were moved."""
    paths = {f'pose.bones["{bpy.utils.escape_identifier(name)}"].': name for name in names}
    moved = {name for name in names if armature.pose.bones[name].location.length > 0.0}
    every = curves.curves(armature)
    for curve in list(every):
        head, dot, tail = curve.data_path.rpartition(".")
        name = paths.get(head + dot)
        if name is not None and tail in ("location", *TURNS):
            moved.update({name} if tail == "location" else ())
            every.remove(curve)
    return moved


def _keyed(armature: Any, name: str, keys: Keys, frames: np.ndarray, moved: set[str]) -> None:
    bone = armature.pose.bones[name]
    path = f'pose.bones["{bpy.utils.escape_identifier(name)}"]'
    if name in moved or np.abs(keys.locations).max() > 1e-5 * max(bone.bone.length, 1e-3):
        curves.key(armature, f"{path}.location", name, frames, keys.locations)
    turned = turn_values(bone.rotation_mode, keys.rotations)
    curves.key(armature, f"{path}.{turn_property(bone.rotation_mode)}", name, frames, turned)


def _compared(
    context: bpy.types.Context, armature: Any, source: Sent, aim: Wanted, frames: np.ndarray
) -> tuple[float, str]:
    """How far bones are from where they belong: constraints, drivers or scale may hold them."""
    some = np.unique(np.linspace(0, len(frames) - 1, 12).astype(int))
    poses, places, _ = sampled(context, armature, frames[some])
    heads = (places[:, None] @ poses[:, list(aim.bones)])[..., :3, 3]
    errors = source.unit_m * np.linalg.norm(heads - aim.heads[some], axis=-1).max(axis=0)
    worst = int(np.argmax(errors))
    return float(errors[worst]), source.rig.names[aim.bones[worst]]


def held_remark(found: Brought) -> str:
    """A remark when bones are not where they belong."""
    if found.error_m <= _HELD_M:
        return ""
    return (
        f'bone "{found.worst}" is {1000 * found.error_m:.0f} mm from where it belongs: a constraint, a driver or a '
        "scale holds it; mute that to see the motion"
    )
