"""Runs inside a Python with Blender: ``python headless_session.py FOLDER COMMAND``; writes ``FOLDER/found.json``."""

from __future__ import annotations

import json
from dataclasses import replace

import bpy
import numpy as np
from headless_stage import COMMAND, FOLDER, box, curves_of, message, place, staged, written
from headless_window import cancelled, drawn, finished_in_a_thread
from mathutils import Vector
from understudy_blender import bringing, bvh, gathering, sampling


def round_trip():
    """An action out and in again, on an armature that is moved, turned, scaled and keyed in several ways."""
    scene, armature = staged("walk.bvh")
    armature.location, armature.rotation_euler, armature.scale = (1.0, 2.0, 0.5), (0.3, -0.2, 2.0), (1.3, 1.3, 1.3)
    scene.unit_settings.scale_length = 0.5
    names = [bone.name for bone in armature.pose.bones]
    for name, mode in zip(names[1:], ("QUATERNION", "AXIS_ANGLE", "XYZ", "YZX", "ZXY"), strict=False):
        armature.pose.bones[name].rotation_mode = mode
    armature.data.bones[names[3]].use_inherit_rotation = False
    armature.data.bones[names[0]].use_local_location = False
    armature.pose.bones[names[6]].name = "odd {name} with.everything"
    armature.keyframe_insert("location", frame=1)
    armature.location.x += 2.0
    armature.keyframe_insert("location", frame=60)
    request = gathering.gathered(bpy.context)
    before, places, _ = sampling.sampled(bpy.context, armature, request.frames)
    own, text = armature.animation_data.action, bvh.bvh_text(request.package.clip)
    curves = curves_of(own)
    bringing.brought(
        bpy.context,
        armature,
        request.source,
        bvh.read_bvh(text),
        first_frame=request.frames.start,
        name="back",
        afresh=False,
    )
    after, there, _ = sampling.sampled(bpy.context, armature, request.frames)
    return {
        "frames": len(request.frames),
        "error": float(max(np.abs(after - before).max(), np.abs(there - places).max())),
        "moves": float(np.ptp(before[:, :, :3, 3], axis=0).max()),
        "new_action": armature.animation_data.action.name,
        "untouched": curves == curves_of(own),
        "kept": own.use_fake_user,
    }


def held():
    """An arm that a constraint holds up, however it is keyed: sent held, then let go, then held again."""
    _, armature = staged("walk.bvh")
    request = gathering.gathered(bpy.context)
    hold = armature.pose.bones["leftUpperArm"].constraints.new("LIMIT_ROTATION")
    hold.use_limit_x = hold.use_limit_y = hold.use_limit_z = True
    hold.owner_space = "LOCAL"
    hold.min_x = hold.max_x = 1.5
    own, count = armature.animation_data.action, len(bpy.data.actions)
    answer = {"source": request.source, "answer": request.package.clip, "first_frame": 1, "afresh": False}
    found = bringing.brought(bpy.context, armature, name="held", **answer)
    armature.animation_data.action = own
    stranger = replace(request.source, bones={})
    refused = message(lambda: bringing.brought(bpy.context, armature, name="no", **{**answer, "source": stranger}))
    return {
        "remark": bringing.held_remark(found),
        "refused": refused,
        "action": armature.animation_data.action.name,
        "added": len(bpy.data.actions) - count,
    }


def corrected():
    """A box where the hand passes, a floor under it, a moving thing far off and a skin that is no obstacle."""
    scene, armature = staged("walk.bvh")
    own = armature.animation_data.action
    scene.frame_set(45)
    hand = place(armature, "rightHand")
    box("Box.001", 0.16, (hand.x - 0.06, hand.y, hand.z - 0.02))
    skin = box("skin", 0.5, (0, 0, 1))
    skin.parent = armature
    cart = box("cart", 0.5, (4, 0, 0.3))
    cart.keyframe_insert("location", frame=1)
    cart.location.y = -3
    cart.keyframe_insert("location", frame=60)
    armature_active = bpy.context.view_layer.objects.active
    bpy.ops.mesh.primitive_plane_add(size=20)
    bpy.context.view_layer.objects.active = armature_active
    curves = curves_of(own)
    request = written("collides")
    outcome = bpy.ops.understudy.correct()
    found = armature.animation_data.action
    written("clear")
    return {
        "outcome": sorted(outcome),
        "action": found.name,
        "said": scene.understudy.said,
        "untouched": curves == curves_of(own) and own.name in bpy.data.actions,
        "changed": curves_of(found) != curves,
        "things": sorted(one.name for one in request.package.things),
        "moving": [one.name for one in request.package.things if one.moves],
    }


def reached():
    """A place in front of the shoulder, and one nobody can reach."""
    scene, armature = staged("walk.bvh")
    scene.render.fps_base = 1.001  # 29.97 frames a second
    own, curves = armature.animation_data.action, curves_of(armature.animation_data.action)
    scene.frame_set(40)
    scene.cursor.location = place(armature, "rightUpperArm", "head") + Vector((-0.15, -0.4, -0.05))
    far = place(armature, "rightHand") - scene.cursor.location
    bpy.ops.understudy.reach()
    near = place(armature, "rightHand") - scene.cursor.location
    action = armature.animation_data.action.name
    keys = {key[0] for _, _, keys in json.loads(curves_of(armature.animation_data.action)) for key in keys}
    scene.cursor.location = (3.0, 3.0, 3.0)
    count = len(bpy.data.actions)
    return {
        "before_m": far.length,
        "after_m": near.length,
        "action": action,
        "keys": sorted(keys),
        "impossible": message(bpy.ops.understudy.reach),
        "actions_added": len(bpy.data.actions) - count,
        "untouched": curves == curves_of(own),
    }


def refused():
    """What is said when something is missing."""
    scene, armature = staged("walk.bvh")
    wishes = bpy.context.preferences.addons["understudy_blender"].preferences
    wishes.command = "no-such-understudy"
    missing = message(bpy.ops.understudy.correct)
    wishes.command = COMMAND
    no_text = message(bpy.ops.understudy.perform)
    scene.understudy.tasks = bpy.data.texts.new("empty")
    no_task = message(bpy.ops.understudy.perform)
    scene.understudy.tasks.write('[[task]]\ndo = "grab"\nobject = "nothing"\n')
    no_thing = message(bpy.ops.understudy.perform)
    armature.scale = (1, 1, 2)
    uneven = message(bpy.ops.understudy.correct)
    armature.scale = (1, 1, 1)
    armature.animation_data.action = None
    no_action = message(bpy.ops.understudy.correct)
    return {
        "missing": missing,
        "no_text": no_text,
        "no_task": no_task,
        "no_thing": no_thing,
        "uneven": uneven,
        "no_action": no_action,
        "actions": len(bpy.data.actions),
    }


def performed():
    """A cube is taken; it goes with the hand, as an action of its own."""
    scene, armature = staged("idle.bvh")
    cube = box("cube.1", 0.07, (-0.3, -0.45, 1.15))
    scene.understudy.tasks = bpy.data.texts.new("tasks")
    scene.understudy.tasks.write('[[task]]\ndo = "grab"\nobject = "cube_1"\nhand = "right"\nat = 2.5\n')
    bpy.ops.understudy.perform()
    distances, start = [], None
    for frame in (1, 76, 100, 140):
        scene.frame_set(frame)
        start = start or cube.matrix_world.translation.copy()
        distances.append((cube.matrix_world.translation - place(armature, "rightHand")).length)
    return {
        "action": armature.animation_data.action.name,
        "cube_action": cube.animation_data.action.name,
        "distances_m": distances,
        "cube_moved_m": (cube.matrix_world.translation - start).length,
        "starts": list(start),
    }


def walked():
    """A smaller armature walks round a box to an empty."""
    scene, armature = staged("walk.bvh")
    armature.scale = (0.8, 0.8, 0.8)
    own, curves = armature.animation_data.action, curves_of(armature.animation_data.action)
    box("box", 0.7, (0.1, -2.0, 0.35))
    bpy.ops.object.empty_add(location=(0.3, -4.0, 0.0))
    scene.understudy.walk_object, scene.understudy.walk_to = bpy.context.object, "OBJECT"
    bpy.context.view_layer.objects.active = armature
    scene.frame_set(10)
    begin = place(armature, "hips", "head")
    bpy.ops.understudy.walk()
    first, last = armature.animation_data.action.frame_range
    scene.frame_set(int(first))
    started = place(armature, "hips", "head")
    scene.frame_set(int(last))
    ended = place(armature, "hips", "head")
    written("walked")
    return {
        "first": first,
        "start_error_m": (started - begin).xy.length,
        "goal_error_m": (ended.xy - Vector((0.3, -4.0))).length,
        "untouched": curves == curves_of(own),
        "action": armature.animation_data.action.name,
    }


def seen():
    """What is sent of a scene full of things, and what is not."""
    scene, armature = staged("walk.bvh")
    box("box.1", 0.5, (2, 0, 0.3))
    box("hidden", 0.5, (2, 1, 0.3)).hide_set(True)
    skin = box("skin", 0.5, (0, 0, 1))
    skin.modifiers.new("bent", "ARMATURE").object = armature
    kit = bpy.data.collections.new("kit")
    chair = box("chair", 0.4, (0, 0, 0.2))
    scene.collection.objects.unlink(chair)
    kit.objects.link(chair)
    for place_x in (3.0, 5.0):
        copy = bpy.data.objects.new("copy", None)
        copy.instance_type, copy.instance_collection, copy.location = "COLLECTION", kit, (place_x, 0, 0)
        scene.collection.objects.link(copy)
    letters = bpy.data.objects.new("letters", bpy.data.curves.new("letters", "FONT"))
    letters.data.body, letters.location.z = "Hi", 1.0
    scene.collection.objects.link(letters)
    stranger = bpy.data.objects.new("stranger", bpy.data.armatures.new("stranger"))
    scene.collection.objects.link(stranger)
    coat = box("coat", 0.5, (7, 0, 1))
    coat.modifiers.new("bent", "ARMATURE").object = stranger
    bpy.context.view_layer.update()
    request = gathering.gathered(bpy.context)
    corners = {one.name: one.vertices + one.positions[0] for one in request.package.things}
    return {
        "things": sorted(corners),
        "copies_x": sorted(float(c[:, 0].mean()) for name, c in corners.items() if name.startswith("copy")),
        "remarks": request.remarks,
    }


PARTS = (drawn, seen, held, finished_in_a_thread, cancelled, round_trip, refused, corrected, reached, performed, walked)
found = {"version": bpy.app.version_string}
for part in PARTS:
    found[part.__name__] = part()
    (FOLDER / "found.json").write_text(json.dumps(found))
