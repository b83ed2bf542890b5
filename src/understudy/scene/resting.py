"""Where an object can rest: upright on a point, on top of another object, or on a part of somebody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.errors import PlanningInputError, SceneError, nearest_name
from understudy.scene.body_parts import joint_index, part_name
from understudy.scene.scene import Scene
from understudy.scene.shapes import HalfSpace, Shape
from understudy.scene.standing import Room, along_rad, base_of, room_on, under
from understudy.scene.tessellation import triangles_of
from understudy.scene.transforms import Pose, seen_from
from understudy.typing import FloatArray

#: Turns about the vertical that are tried where none is asked for.
_YAWS = 12
#: Rotation vectors [rad] by which what is put on a body part may lean there.
_TILTS = ((0.0, 0.0, 0.0), (0.3, 0.0, 0.0), (0.0, 0.0, 0.3), (0.0, 0.0, -0.3), (-0.3, 0.0, 0.0))


class NoRestError(PlanningInputError):
    """An object cannot stand where it is to be put."""


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
    *,
    let_go: bool = True,
) -> Iterator[Rest]:
    """Poses in which an object may rest on a target at a time, those nearest to somewhere first.

    Its whole base stands on the target where that is large enough; else as much of it as carries its weight.

    Args:
        scene: Everything.
        name: The object.
        target: A point ``(x, y, z)`` [m] its base stands on, an object, or a body part (``"anna.head"``).
        time_s: When [s].
        near: ``(3,)`` [m] where it is easy to put things.
        heading_rad: How far it is turned about the vertical from how it first stood; any will do unless given.
        upright: ``(4,)`` how it first stood.
        let_go: Whether it is left there, so that something must carry it at a point, too.

    Raises:
        PlanningInputError: The target is no place to put things.
        NoRestError: The object cannot stand there.
    """
    shape = scene.object(name).shape
    if isinstance(shape, HalfSpace):
        raise PlanningInputError(f'"{name}" has no bounds; it cannot be put anywhere')
    yaws = [0.0 if heading_rad is None else heading_rad]
    if heading_rad is None:
        step = 2.0 * np.pi / _YAWS
        first = _along(scene, shape, target, time_s, upright) % step
        yaws = sorted((first + step * k - np.pi for k in range(_YAWS)), key=abs)
    if isinstance(target, str) and "." in target:
        yield from _on_part(scene, triangles_of(shape)[0], target, time_s, upright, yaws)
        return
    turns = [rot.multiply(rot.from_yaw(yaw), upright) for yaw in yaws]
    if isinstance(target, str):
        found = _on_object(scene, name, target, time_s, near, turns)
    else:
        found = _at_point(scene, name, target, time_s, turns, let_go)
    some = False
    for rest in found:
        some = True
        yield rest
    if not some:
        raise NoRestError(_why_not(scene, name, target, time_s, turns))


def _along(scene: Scene, shape: Shape, target: str | Sequence[float], time_s: float, upright: FloatArray) -> float:
    """The turn [rad] by which a base lies along the sides of the object it is put on."""
    if not isinstance(target, str) or target not in [one.name for one in scene.objects]:
        return 0.0
    solid = scene.object(target).shape
    if isinstance(solid, HalfSpace):
        return 0.0
    return along_rad(shape, upright, solid, scene.object_track(target, [time_s])[1][0])


def _on_object(
    scene: Scene, name: str, target: str, time_s: float, near: FloatArray, turns: Sequence[FloatArray]
) -> Iterator[Rest]:
    """On the level surfaces of another object."""
    at, _ = scene.object_track(target, [time_s])
    room = _room(scene, name, target, time_s, turns)
    for index, place in room.stands(near - at[0]):
        yield _held(scene, (at[0] + place - room.bases[index].middle, turns[index]), target, time_s)


def _at_point(
    scene: Scene,
    name: str,
    target: Sequence[float],
    time_s: float,
    turns: Sequence[FloatArray],
    let_go: bool,
) -> Iterator[Rest]:
    """Exactly where it is asked for."""
    point = np.asarray(target, dtype=np.float64)
    if point.shape != (3,) or not np.isfinite(point).all():
        raise PlanningInputError(f"target is {target!r}; it must be (x, y, z) [m] or a name")
    area = under(scene, name, point, time_s) if let_go else None
    for turn in turns:
        base = base_of(scene.object(name).shape, turn)
        at = point - np.array([0.0, base.middle[1], 0.0])
        if not let_go or base.at(at + base.middle).steady_on(area):
            yield Rest(pose=(at, turn))


def _held(scene: Scene, pose: Pose, to: str, time_s: float) -> Rest:
    if not to:
        return Rest(pose=pose)
    positions, rotations = scene.object_track(to, [time_s])
    at, turn = seen_from(positions[0], rotations[0], *pose)
    return Rest(pose=pose, to=to, grip=(at, turn))


def _room(scene: Scene, name: str, target: str, time_s: float, turns: Sequence[FloatArray]) -> Room:
    """Where an object may stand on another at a time, seen from the other's origin."""
    names = [one.name for one in scene.objects]
    if target not in names:
        raise PlanningInputError(f'nothing is called "{target}"; {nearest_name(target, names)}')
    solid = scene.object(target).shape
    if isinstance(solid, HalfSpace):
        raise PlanningInputError(f'"{target}" has no bounds; give a point to put things on')
    turned = scene.object_track(target, [time_s])[1][0]
    shape = scene.object(name).shape
    return room_on(shape, tuple(tuple(turn.tolist()) for turn in turns), solid, tuple(turned.tolist()))


def _why_not(scene: Scene, name: str, target: str | Sequence[float], time_s: float, turns: Sequence[FloatArray]) -> str:
    """Why an object cannot stand somewhere, in one sentence."""
    base = base_of(scene.object(name).shape, turns[0])
    if not base.steady:
        return f'"{name}" does not stand by itself as it first stood: its weight is not above its base'
    if not isinstance(target, str):
        return f'nothing carries "{name}" at ({target[0]:.2f}, {target[1]:.3f}, {target[2]:.2f}); it would fall'
    if not _room(scene, name, target, time_s, turns).surfaces:
        return f'"{target}" has no level surface with {base.height_m:.2f} m of room above it to put "{name}" on'
    wide, deep = sorted(np.ptp(base.outline, axis=0).tolist(), reverse=True)
    return f'the base of "{name}" ({wide:.2f} by {deep:.2f} m) does not fit on "{target}"'


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
