"""Armatures and objects over time, out of Blender."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import bpy
import numpy as np

from .errors import JobError
from .rig import Rig


def rig_of(armature: bpy.types.Object) -> Rig:
    """The bones of an armature object, parents first."""
    bones: list[Any] = []
    stack = [bone for bone in reversed(armature.data.bones) if bone.parent is None]
    while stack:
        bones.append(stack.pop())
        stack.extend(reversed(bones[-1].children))
    if not bones:
        raise JobError(f'the armature "{armature.name}" has no bones')
    index = {bone.name: place for place, bone in enumerate(bones)}
    return Rig(
        names=tuple(index),
        parents=tuple(-1 if bone.parent is None else index[bone.parent.name] for bone in bones),
        rest=np.array([bone.matrix_local for bone in bones], dtype=np.float64),
        tails=np.array([bone.tail_local for bone in bones], dtype=np.float64),
        inherits_rotation=np.array([bone.use_inherit_rotation for bone in bones]),
        local_location=np.array([bone.use_local_location for bone in bones]),
    )


def frames_of(context: bpy.types.Context, armature: bpy.types.Object, span: str) -> range:
    """Whole frames of the armature's action, or of the scene when ``span`` is ``"SCENE"``.

    Raises:
        JobError: There is no action.
    """
    if span == "SCENE":
        return range(context.scene.frame_start, context.scene.frame_end + 1)
    action = armature.animation_data.action if armature.animation_data else None
    if action is None:
        raise JobError(f'the armature "{armature.name}" has no action; give it one, or choose the scene\'s frames')
    first, last = action.curve_frame_range
    return range(int(np.floor(first + 1e-3)), int(np.ceil(last - 1e-3)) + 1)


def sampled(
    context: bpy.types.Context, armature: bpy.types.Object, frames: Sequence[float], others: Sequence[Any] = ()
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Poses and places at frames.

    Returns:
        Pose frames ``(frames, bones, 4, 4)`` in the armature's space, bones in the order of :func:`rig_of`; places of
        the armature ``(frames, 4, 4)`` and of other objects ``(frames, others, 4, 4)`` in Blender's world.
    """
    names = rig_of(armature).names
    poses = np.empty((len(frames), len(names), 4, 4))
    places, elsewhere = np.empty((len(frames), 4, 4)), np.empty((len(frames), len(others), 4, 4))
    for row, graph in _played(context, frames):
        seen = armature.evaluated_get(graph)
        poses[row] = [seen.pose.bones[name].matrix for name in names]
        places[row] = seen.matrix_world
        for column, one in enumerate(others):
            elsewhere[row, column] = one.evaluated_get(graph).matrix_world
    return poses, places, elsewhere


def sampled_object(context: bpy.types.Context, one: Any, frames: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """Places ``(frames, 4, 4)`` of an object in Blender's world, and its own part in them without its parents."""
    places, own = np.empty((len(frames), 4, 4)), np.empty((len(frames), 4, 4))
    for row, graph in _played(context, frames):
        seen = one.evaluated_get(graph)
        places[row], own[row] = seen.matrix_world, seen.matrix_basis
    return places, own


def _played(context: bpy.types.Context, frames: Sequence[float]) -> Iterator[tuple[int, Any]]:
    """The scene at each frame, and afterwards as it was."""
    scene = context.scene
    before = scene.frame_current, scene.frame_subframe
    try:
        for row, frame in enumerate(frames):
            whole = int(np.floor(frame))
            scene.frame_set(whole, subframe=float(frame) - whole)
            yield row, context.evaluated_depsgraph_get()
    finally:
        scene.frame_set(before[0], subframe=before[1])


def frame_rate(scene: bpy.types.Scene) -> float:
    """Frames per second."""
    return scene.render.fps / scene.render.fps_base


def numbered(scene: bpy.types.Scene, first: int, count: int, fps: float) -> np.ndarray:
    """Frames ``(count,)`` of the scene for those of a motion with another rate; whole where they nearly are."""
    frames = first + np.arange(count) * frame_rate(scene) / fps
    whole = np.round(frames)
    return np.where(np.abs(frames - whole) < 0.01, whole, frames)


def unit_of(scene: bpy.types.Scene) -> float:
    """Metres per Blender unit."""
    return 1.0 if scene.unit_settings.system == "NONE" else float(scene.unit_settings.scale_length)
