"""Understudy in Blender: walk, correct, reach and perform, through the ``understudy`` command.

Modules without Blender in them can be imported anywhere; this one registers the rest when Blender asks for it.
"""

from __future__ import annotations

bl_info = {
    "name": "Understudy",
    "author": "The Understudy authors",
    "version": (0, 1, 0),
    "blender": (4, 2, 0),
    "location": "3D View > Sidebar > Understudy",
    "description": "Verified motion for the selected armature: walk, correct, reach, perform",
    "category": "Animation",
}


def register() -> None:
    """Add classes and settings."""
    import bpy

    from .operators import OPERATORS
    from .panel import UNDERSTUDY_PT_jobs
    from .settings import UnderstudyPreferences, UnderstudySettings

    for one in (UnderstudySettings, UnderstudyPreferences, *OPERATORS, UNDERSTUDY_PT_jobs):
        bpy.utils.register_class(one)
    bpy.types.Scene.understudy = bpy.props.PointerProperty(type=UnderstudySettings)


def unregister() -> None:
    """Take them away again."""
    import bpy

    from .operators import OPERATORS
    from .panel import UNDERSTUDY_PT_jobs
    from .settings import UnderstudyPreferences, UnderstudySettings

    del bpy.types.Scene.understudy
    for one in (UNDERSTUDY_PT_jobs, *reversed(OPERATORS), UnderstudyPreferences, UnderstudySettings):
        bpy.utils.unregister_class(one)
