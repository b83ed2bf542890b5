"""Curves of actions, in Blenders with slots (4.4 and later) and without."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np


def duplicated(owner: bpy.types.Object, name: str) -> Any:
    """A copy of an object's action under another name; its own stays as it is."""
    copy = owner.animation_data.action.copy()
    copy.name = name
    return copy


def empty_action(owner: bpy.types.Object, name: str) -> Any:
    """A new action for an object."""
    action = bpy.data.actions.new(name)
    if hasattr(action, "slots"):
        action.slots.new(id_type="OBJECT", name=owner.name)
    return action


def assign(owner: bpy.types.Object, action: Any, slot_name: str = "") -> None:
    """Let an object play an action, from the slot of that identifier where it has one."""
    data = owner.animation_data_create()
    data.action = action
    if action is not None and hasattr(action, "slots") and len(action.slots):
        slots = [slot for slot in action.slots if slot.target_id_type in ("OBJECT", "UNSPECIFIED")]
        data.action_slot = next((slot for slot in slots if slot.identifier == slot_name), slots[0] if slots else None)


def slot_name(owner: bpy.types.Object) -> str:
    """The identifier of the slot an object plays; nothing where there are no slots."""
    slot = getattr(owner.animation_data, "action_slot", None) if owner.animation_data else None
    return slot.identifier if slot is not None else ""


def curves(owner: bpy.types.Object) -> Any:
    """The collection of curves an object plays; curves can be made and removed there."""
    return _bag(owner).fcurves


def _bag(owner: bpy.types.Object) -> Any:
    """What holds an object's curves and their groups."""
    action = owner.animation_data.action
    if not hasattr(action, "layers"):
        return action
    layer = action.layers[0] if len(action.layers) else action.layers.new("Layer")
    strip = layer.strips[0] if len(layer.strips) else layer.strips.new(type="KEYFRAME")
    return strip.channelbag(owner.animation_data.action_slot, ensure=True)


def key(owner: bpy.types.Object, path: str, group: str, frames: np.ndarray, values: np.ndarray) -> None:
    """Curves of a property, with one straight key a frame.

    Args:
        owner: Whose action it is.
        path: Of the property.
        group: Name under which people find the curves.
        frames: ``(n,)``.
        values: ``(n, parts)``.
    """
    bag = _bag(owner)
    groups = bag.groups
    named = groups.get(group) or groups.new(group)
    straight = bpy.types.Keyframe.bl_rna.properties["interpolation"].enum_items["LINEAR"].value
    for part in range(values.shape[1]):
        curve = bag.fcurves.new(path, index=part)
        curve.group = named
        curve.keyframe_points.add(len(frames))
        curve.keyframe_points.foreach_set("co", np.stack([frames, values[:, part]], axis=1).astype(np.float32).ravel())
        curve.keyframe_points.foreach_set("interpolation", np.full(len(frames), straight, dtype=np.int32))
        curve.update()
