"""A scene in Blender with a clip on an armature, for ``headless_session.py``.

Armatures come from Blender's own BVH importer, so that their rest frames are nobody's choice here.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import bpy

FOLDER, COMMAND = Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "integrations" / "blender"))

from understudy_blender import bvh, gathering  # noqa: E402
from understudy_blender.errors import JobError  # noqa: E402


def staged(file: str, **importing):
    """A new scene with the clip on an armature, and the add-on enabled."""
    import addon_utils  # there once bpy is

    bpy.ops.wm.read_factory_settings(use_empty=True)
    addon_utils.enable("understudy_blender", default_set=True)
    if not hasattr(bpy.types, "IMPORT_ANIM_OT_bvh"):
        addon_utils.enable("io_anim_bvh")
    bpy.context.preferences.addons["understudy_blender"].preferences.command = COMMAND
    scene = bpy.context.scene
    scene.render.fps, scene.frame_end = 30, 60
    options = {"use_fps_scale": True, "rotate_mode": "NATIVE", "axis_forward": "-Z", "axis_up": "Y", **importing}
    bpy.ops.import_anim.bvh(filepath=str(FOLDER / file), **options)
    return scene, bpy.context.view_layer.objects.active


def box(name, size, location):
    armature = bpy.context.view_layer.objects.active
    bpy.ops.mesh.primitive_cube_add(size=size, location=location)
    made = bpy.context.object
    made.name = name
    bpy.context.view_layer.objects.active = armature
    return made


def place(armature, bone, end="tail"):
    return armature.matrix_world @ getattr(armature.pose.bones[bone], end)


def curves_of(action):
    """Everything in an action, as text."""
    bags = (
        [b for one in action.layers for s in one.strips for b in s.channelbags]
        if hasattr(action, "layers")
        else [action]
    )
    return json.dumps(
        [
            (curve.data_path, curve.array_index, [(*key.co, key.interpolation) for key in curve.keyframe_points])
            for bag in bags
            for curve in bag.fcurves
        ]
    )


def message(operator):
    """What somebody complains about."""
    try:
        operator()
    except (RuntimeError, JobError) as error:
        return str(error)
    return ""


def written(name):
    """The armature as it is now and its surroundings, as files for ``understudy verify``."""
    request = gathering.gathered(bpy.context)
    (FOLDER / f"{name}.bvh").write_text(bvh.bvh_text(request.package.clip))
    scene = Path(request.package.scene())
    for path in (scene, *sorted(scene.with_suffix("").glob("*.obj"))):
        target = FOLDER / name / path.relative_to(scene.parent)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    return request
