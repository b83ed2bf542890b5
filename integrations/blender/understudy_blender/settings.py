"""What a person can set: per scene in the panel, per machine in the preferences.

Blender reads the annotations of these classes, so they are not put off as elsewhere.
"""

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty

_PLACES = (
    ("CURSOR", "3D Cursor", "The 3D cursor"),
    ("OBJECT", "Object", "An object of the scene"),
)


class UnderstudySettings(bpy.types.PropertyGroup):
    """The panel's settings."""

    span: EnumProperty(
        name="Frames",
        description="Which frames of the armature are sent",
        items=(
            ("ACTION", "Action", "From the action's first key to its last"),
            ("SCENE", "Scene", "The scene's range"),
        ),
    )
    limbs: EnumProperty(
        name="Limbs",
        description="Which limbs may be changed; all of them when none is chosen",
        options={"ENUM_FLAG"},
        items=tuple(
            (f"{side}_{limb}", f"{side.title()} {limb}", f"The {side} {limb}")
            for side in ("left", "right")
            for limb in ("arm", "leg")
        ),
        default=set(),
    )
    hand: EnumProperty(
        name="Hand", items=(("left", "Left", "The left hand"), ("right", "Right", "The right hand")), default="right"
    )
    reach_for: EnumProperty(name="Target", description="What the hand reaches for", items=_PLACES)
    reach_object: PointerProperty(
        name="Object", description="The target; the active object unless given", type=bpy.types.Object
    )
    walk_to: EnumProperty(name="Goal", description="Where the walk ends", items=_PLACES)
    walk_object: PointerProperty(name="Object", description="An empty or any other object", type=bpy.types.Object)
    face_goal: BoolProperty(
        name="Face as the Goal", description="End facing the way the goal's -Y axis points", default=False
    )
    stop: BoolProperty(name="Stop There", description="End standing still", default=False)
    library: StringProperty(
        name="Library", description='A .usl file, or "builtin"', default="builtin", subtype="FILE_PATH"
    )
    tasks: PointerProperty(name="Tasks", description="A text with [[task]] entries", type=bpy.types.Text)
    seed: IntProperty(name="Seed", description="Another seed, another motion", default=0, min=0)
    said: StringProperty(name="Last Answer")


class UnderstudyPreferences(bpy.types.AddonPreferences):
    """The add-on's preferences."""

    bl_idname = __package__

    command: StringProperty(
        name="Command",
        description="The understudy command: a name on the search path, or the path of the file",
        default="understudy",
    )
    deadline: FloatProperty(
        name="Deadline", description="Stop planning after so many seconds; 0 for never", default=0.0, min=0.0
    )
    keep: BoolProperty(
        name="Keep Exchanged Files", description="Leave the files of each job in the temporary folder", default=False
    )

    def draw(self, context: bpy.types.Context) -> None:
        """The rows of the preferences."""
        for name in ("command", "deadline", "keep"):
            self.layout.prop(self, name)


def preferences(context: bpy.types.Context) -> Any:
    """The add-on's preferences; their defaults when it runs without being enabled, as in scripts."""
    addon = context.preferences.addons.get(__package__)
    if addon is not None and addon.preferences is not None:
        return addon.preferences
    return _Defaults


class _Defaults:
    command, deadline, keep = "understudy", 0.0, False
