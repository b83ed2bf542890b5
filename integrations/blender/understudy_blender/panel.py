"""The panel in the sidebar of the 3D view."""

from __future__ import annotations

from typing import Any

import bpy

from .gathering import chosen_armature


class UNDERSTUDY_PT_jobs(bpy.types.Panel):  # noqa: N801
    """Everything the add-on can do."""

    bl_label = bl_category = "Understudy"
    bl_space_type, bl_region_type = "VIEW_3D", "UI"

    def draw(self, context: bpy.types.Context) -> None:
        """The armature, then a box per job."""
        layout, settings = self.layout, context.scene.understudy
        layout.use_property_split = True
        armature = chosen_armature(context)
        if armature is None:
            layout.label(text="Select an armature", icon="INFO")
            return
        action = armature.animation_data.action if armature.animation_data else None
        layout.label(text=f"{armature.name}: {action.name if action else 'no action'}", icon="ARMATURE_DATA")
        layout.prop(settings, "span")
        layout.prop(settings, "seed")
        for draw in (_walk, _correct, _reach, _perform):
            draw(layout.box(), settings)
        if settings.said:
            for line in _lines(settings.said):
                layout.label(text=line)


def _walk(box: Any, settings: Any) -> None:
    box.prop(settings, "library")
    _place(box, settings, "walk_to", "walk_object")
    box.prop(settings, "face_goal")
    box.prop(settings, "stop")
    box.operator("understudy.walk", icon="TRACKING")


def _correct(box: Any, settings: Any) -> None:
    box.prop(settings, "limbs")
    box.operator("understudy.correct", icon="MOD_PHYSICS")


def _reach(box: Any, settings: Any) -> None:
    box.prop(settings, "hand")
    _place(box, settings, "reach_for", "reach_object")
    box.operator("understudy.reach", icon="VIEW_PAN")


def _perform(box: Any, settings: Any) -> None:
    box.prop(settings, "tasks")
    box.operator("understudy.perform", icon="TEXT")


def _place(box: Any, settings: Any, kind: str, one: str) -> None:
    box.prop(settings, kind)
    if getattr(settings, kind) == "OBJECT":
        box.prop(settings, one)


def _lines(text: str, width: int = 48) -> list[str]:
    """Words in lines a sidebar can show."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
