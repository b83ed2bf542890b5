"""From a scene to a scene file's values."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

from understudy.errors import SceneError
from understudy.scene.attachments import Attachment, Carry, Grip
from understudy.scene.characters import Character
from understudy.scene.contacts import ContactRule
from understudy.scene.file_objects import yaw_turn
from understudy.scene.file_version import VERSION
from understudy.scene.objects import GREY, Handle, SceneObject
from understudy.scene.performed import Performed
from understudy.scene.placements import Hinge, Placement, Static
from understudy.scene.scene import Scene
from understudy.scene.shapes import Box, Capsule, ConvexHull, Cylinder, HalfSpace, Mesh, Shape, Sphere
from understudy.scene.tasks import Task, is_set
from understudy.scene.transforms import IDENTITY, Transform


def file_values(scene: Scene, folder: Path) -> dict[str, Any]:
    """The values of a scene file that lies in ``folder``.

    Raises:
        SceneError: A character's motion is in no file.
    """
    values: dict[str, Any] = {"version": VERSION, **({"name": scene.name} if scene.name else {})}
    if not scene.floor:
        values["floor"] = False
    tables = {
        "object": [_object(thing, folder) for thing in scene.objects],
        "character": [_character(person, folder) for person in scene.characters],
        "attachment": [_attachment(one) for one in scene.attachments],
        "contact": [_contact(rule) for rule in scene.allowed_contacts],
        "task": [_task(task) for task in scene.tasks],
    }
    return values | {table: entries for table, entries in tables.items() if entries}


def _object(thing: SceneObject, folder: Path) -> dict[str, Any]:
    values: dict[str, Any] = {"name": thing.name, "shape": _shape(thing.shape, folder)}
    values |= _placement(thing.placement)
    if thing.handles:
        values["handles"] = [_handle(handle) for handle in thing.handles]
    if thing.color != GREY:
        values["color"] = list(thing.color)
    return values


def _shape(shape: Shape, folder: Path) -> dict[str, Any]:
    match shape:
        case Sphere():
            return {"kind": "sphere", "radius": shape.radius_m}
        case Box():
            return {"kind": "box", "size": list(shape.size_m)}
        case Capsule():
            return {"kind": "capsule", "radius": shape.radius_m, "length": shape.length_m}
        case Cylinder():
            return {"kind": "cylinder", "radius": shape.radius_m, "height": shape.height_m}
        case HalfSpace():
            return {"kind": "halfspace"}
        case ConvexHull():
            return {"kind": "hull", "points": shape.points.tolist()}
        case Mesh() if shape.file:
            scale = {} if shape.scale == 1.0 else {"scale": shape.scale}
            return {"kind": "mesh", "file": _relative(shape.file, folder), **scale}
        case Mesh():
            return {"kind": "mesh", "vertices": shape.vertices.tolist(), "faces": shape.faces.tolist()}


def _placement(placement: Placement) -> dict[str, Any]:
    if isinstance(placement, Static):
        return {"at": list(placement.position), **_turn(placement.rotation)}
    if isinstance(placement, Hinge):
        place = {"at": list(placement.closed_position), **_turn(placement.closed_rotation)}
        return {**place, "hinge": _hinge(placement)}
    track = {"times": placement.times_s.tolist(), "positions": placement.positions.tolist()}
    if any(tuple(turn) != IDENTITY for turn in placement.rotations.tolist()):
        track["rotations"] = placement.rotations.tolist()
    return {"track": {**track, **({"loop": True} if placement.loop else {})}}


def _turn(rotation: tuple[float, float, float, float]) -> dict[str, Any]:
    """``yaw_deg`` where it stands for exactly this rotation, else the quaternion."""
    if rotation == IDENTITY:
        return {}
    yaw = round(math.degrees(2.0 * math.atan2(rotation[2], rotation[0])), 9)
    if yaw_turn(yaw) == rotation:
        return {"yaw_deg": _tidy(yaw)}
    return {"rotation": list(rotation)}


def _hinge(hinge: Hinge) -> dict[str, Any]:
    values: dict[str, Any] = {"axis_at": list(hinge.axis_at)}
    if hinge.axis != (0.0, 1.0, 0.0):
        values["axis"] = list(hinge.axis)
    values["range_deg"] = [degrees(angle) for angle in hinge.range_rad]
    angles = [degrees(angle) for angle in hinge.angles_rad or ()]
    if hinge.times_s == (0.0,):
        values["angle_deg"] = angles[0]
    else:
        values |= {"times": list(hinge.times_s), "angles_deg": angles}
    return {**values, **({"self_closing": True} if hinge.self_closing else {})}


def _handle(handle: Handle) -> dict[str, Any]:
    turn = {} if handle.rotation is None else {"rotation": list(handle.rotation)}
    return {"name": handle.name, "at": list(handle.at), "approach": list(handle.approach), **turn}


def _character(person: Character, folder: Path) -> dict[str, Any]:
    if person.motion is not None and not person.motion_file and person.performed is None:
        raise SceneError(
            f'character "{person.name}": its motion is not in a file; call save_motion and name the file as motion_file'
        )
    values: dict[str, Any] = {"name": person.name}
    if person.library:
        values["library"] = _relative(person.library, folder)
    if person.motion_file:
        values["motion"] = _relative(person.motion_file, folder)
    if person.performed is not None:
        values["motion"] = _performed(person.performed)
    if person.start is not None:
        values["start"] = list(person.start)
    if person.heading_rad is not None:
        values["heading_deg"] = degrees(person.heading_rad)
    if person.start_s:
        values["from"] = person.start_s
    if person.carry:
        values["carry"] = [_carry(one) for one in person.carry]
    return values


def _performed(one: Performed) -> dict[str, Any]:
    values = {"clip": one.clip, "duration": one.duration_s, "speed": one.speed_mps}
    given = {key: value for key, value in values.items() if value is not None}
    return {
        **given,
        **({"style": one.style} if one.style != "calm" else {}),
        **({"seed": one.seed} if one.seed else {}),
    }


def _carry(carry: Carry) -> dict[str, Any]:
    values = {"object": carry.object, "hand": carry.hand, **_until(carry.until_s)}
    return values if carry.grip == "in_hand" else {**values, "grip": _grip(carry.grip)}


def _attachment(one: Attachment) -> dict[str, Any]:
    values = {"object": one.object, "to": one.to, "from": one.start_s, **_until(one.end_s)}
    if one.grip != "as_is":
        values["grip"] = _grip(one.grip)
    return values if one.release == "stay" else {**values, "release": one.release}


def _contact(rule: ContactRule) -> dict[str, Any]:
    values: dict[str, Any] = {"a": rule.a, "b": rule.b}
    if math.isfinite(rule.start_s):
        values["from"] = rule.start_s
    values |= _until(rule.end_s)
    return {**values, **({"depth": rule.max_depth_m} if math.isfinite(rule.max_depth_m) else {})}


def _task(task: Task) -> dict[str, Any]:
    from understudy.scene.file_models import PARAMETERS, TASK_KEYS

    values: dict[str, Any] = {"character": task.character, "do": task.do}
    values |= {key: value for name, key in TASK_KEYS.items() if is_set(value := getattr(task, name))}
    for name, value in task.given().items():
        values[PARAMETERS[name][0]] = degrees(value) if name.endswith("_rad") else _listed(value)
    return values


def _listed(value: object) -> object:
    return [_listed(one) for one in value] if isinstance(value, tuple) else value


def _grip(grip: Grip) -> Any:
    return {"at": list(grip.position), "rotation": list(grip.rotation)} if isinstance(grip, Transform) else grip


def _until(end_s: float) -> dict[str, Any]:
    return {"until": end_s} if math.isfinite(end_s) else {}


def degrees(angle_rad: float) -> float | int:
    """The shortest number of degrees that is this angle; to the last bit where there is one."""
    rough = math.degrees(angle_rad)
    near = (round(rough, 9), rough, math.nextafter(rough, math.inf), math.nextafter(rough, -math.inf))
    return _tidy(next((angle for angle in near if math.radians(angle) == angle_rad), rough))


def _tidy(value: float) -> float | int:
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def _relative(file: str, folder: Path) -> str:
    try:
        return Path(os.path.relpath(file, folder.resolve())).as_posix()
    except ValueError:  # another drive
        return Path(file).as_posix()
