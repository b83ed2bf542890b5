"""Where an object can rest: upright on a point, on top of another object, or on a part of somebody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.errors import PlanningInputError, SceneError, nearest_name
from understudy.limbs.handling.aims import Pose
from understudy.scene.body_parts import joint_index, part_name
from understudy.scene.scene import Scene
from understudy.scene.shapes import HalfSpace
from understudy.scene.tessellation import triangles_of
from understudy.scene.transforms import seen_from
from understudy.typing import FloatArray

#: Turns about the vertical that are tried where none is asked for.
_YAWS = 12
#: Rotation vectors [rad] by which what is put on a body part may lean there.
_TILTS = ((0.0, 0.0, 0.0), (0.3, 0.0, 0.0), (0.0, 0.0, 0.3), (0.0, 0.0, -0.3), (-0.3, 0.0, 0.0))
#: Places tried along each side of a surface.
_PLACES = 5


@dataclass(frozen=True, eq=False, kw_only=True)
class Rest:
    """A pose in which an object rests.

    Attributes:
        pose: In the world, at the moment it is put there.
        to: What it follows from then on, an object or a body part; empty where it just stands.
        grip: Its pose in that holder's frame.
    """

    pose: Pose
    to: str = ""
    grip: Pose | None = None


def rests(
    scene: Scene,
    name: str,
    target: str | Sequence[float],
    time_s: float,
    near: FloatArray,
    heading_rad: float | None,
    upright: FloatArray,
) -> Iterator[Rest]:
    """Poses in which an object may rest on a target at a time, those nearest to somewhere first.

    Args:
        scene: Everything.
        name: The object.
        target: A point ``(x, y, z)`` [m] its base stands on, an object, or a body part (``"anna.head"``).
        time_s: When [s].
        near: ``(3,)`` [m] where it is easy to put things.
        heading_rad: How far it is turned about the vertical from how it first stood; any will do unless given.
        upright: ``(4,)`` how it first stood.

    Raises:
        PlanningInputError: The target is no place to put things.
    """
    shape = scene.object(name).shape
    if isinstance(shape, HalfSpace):
        raise PlanningInputError(f'"{name}" has no bounds; it cannot be put anywhere')
    vertices, _ = triangles_of(shape)
    yaws = [0.0 if heading_rad is None else heading_rad]
    if heading_rad is None:
        yaws = sorted((2.0 * np.pi * k / _YAWS - np.pi for k in range(_YAWS)), key=abs)
    if isinstance(target, str) and "." in target:
        yield from _on_part(scene, vertices, target, time_s, upright, yaws)
        return
    for base in _bases(scene, vertices, target, time_s, near):
        for yaw in yaws:
            turn = rot.multiply(rot.from_yaw(yaw), upright)
            low = float(rot.rotate(turn, vertices)[:, 1].min())
            pose = (base - np.array([0.0, low, 0.0]), turn)
            yield _held(scene, pose, target if isinstance(target, str) else "", time_s)


def _held(scene: Scene, pose: Pose, to: str, time_s: float) -> Rest:
    if not to:
        return Rest(pose=pose)
    positions, rotations = scene.object_track(to, [time_s])
    at, turn = seen_from(positions[0], rotations[0], *pose)
    return Rest(pose=pose, to=to, grip=(at, turn))


def _bases(
    scene: Scene, vertices: FloatArray, target: str | Sequence[float], time_s: float, near: FloatArray
) -> list[FloatArray]:
    """Points ``(3,)`` an object's base may stand on, nearest first."""
    if not isinstance(target, str):
        point = np.asarray(target, dtype=np.float64)
        if point.shape != (3,) or not np.isfinite(point).all():
            raise PlanningInputError(f"target is {target!r}; it must be (x, y, z) [m] or a name")
        return [point]
    names = [one.name for one in scene.objects]
    if target not in names:
        raise PlanningInputError(f'nothing is called "{target}"; {nearest_name(target, names)}')
    solid = scene.object(target).shape
    if isinstance(solid, HalfSpace):
        raise PlanningInputError(f'"{target}" has no bounds; give a point to put things on')
    positions, rotations = scene.object_track(target, [time_s])
    corners = positions[0] + rot.rotate(rotations[0], triangles_of(solid)[0])
    top = float(corners[:, 1].max())
    rim = corners[corners[:, 1] > top - 0.005]
    low, high = rim.min(axis=0), rim.max(axis=0)
    inset = 0.5 * float(np.ptp(vertices[:, [0, 2]], axis=0).max())
    spans = []
    for axis in (0, 2):
        first, last = low[axis] + inset, high[axis] - inset
        spans.append(np.linspace(first, last, _PLACES) if last > first else np.array([0.5 * (low + high)[axis]]))
    found = [np.array([x, top, z]) for x in spans[0] for z in spans[1]]
    return sorted(found, key=lambda point: float(np.linalg.norm(point - near)))


def _on_part(
    scene: Scene, vertices: FloatArray, target: str, time_s: float, upright: FloatArray, yaws: Sequence[float]
) -> Iterator[Rest]:
    """On top of a body part: the base on the upper end of its capsule, along it."""
    owner, _, part = target.partition(".")
    person = scene.character(owner)
    body = person.fitted_body
    try:
        joint = joint_index(body.skeleton, part)
        capsule = body.capsule(part_name(part))
    except SceneError as error:
        raise PlanningInputError(f'target "{target}": {error}') from None
    places, turns = person.joints([time_s])
    starts, ends = body.capsule_segments(places, turns)
    pair = sorted((starts[0, capsule], ends[0, capsule]), key=lambda end: float(end[1]))
    along = pair[1] - pair[0]
    length = float(np.linalg.norm(along))
    axis = along / length if length > 1e-6 else np.array([0.0, 1.0, 0.0])
    top = pair[1] + float(body.capsule_radii[capsule]) * axis
    lean = rot.shortest_arc(np.array([0.0, 1.0, 0.0]), axis)
    facing = person.facing_rad(time_s)
    for tilt, yaw in ((tilt, yaw) for tilt in _TILTS for yaw in yaws):
        turn = rot.multiply(rot.exp(np.array(tilt)), rot.multiply(rot.from_yaw(facing + yaw), upright))
        low = float(rot.rotate(turn, vertices)[:, 1].min())
        turned = rot.multiply(lean, turn)
        pose = (top - axis * low, turned)
        at, relative = seen_from(places[0, joint], turns[0, joint], *pose)
        yield Rest(pose=pose, to=target, grip=(at, relative))
