"""What a hand can reach for: a point, an object, a handle of it, or a part of somebody."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.collision import ShapePose, shape_distance
from understudy.core.motion import Motion
from understudy.errors import PlanningInputError, SceneError, nearest_name
from understudy.limbs.hands import hand_axes
from understudy.limbs.seeds import EndTarget
from understudy.limbs.stage import Stage
from understudy.limbs.surfaces import nearest_spot
from understudy.limbs.tabulate import placed
from understudy.scene.contacts import HAND_DEPTH_M
from understudy.scene.scene import Scene
from understudy.scene.shapes import Capsule, Shape, Sphere
from understudy.typing import FloatArray

#: [m] how deep a gripping palm is pressed into what it holds; a contact may be deeper, which leaves room on its way.
PRESSED_M = 0.2 * HAND_DEPTH_M
#: Steps in which a palm comes out of what it lies on.
_STEPS = 40
#: [m] palms this near to each other are at one place.
_SAME_M = 5e-4
#: Share of a hand's radius that is never in what it lies on.
_CORE = 0.5
HANDS = ("left", "right")
#: Where something is at a time [s]: ``(3,)`` [m].
Follower = Callable[[float], FloatArray]


def place_of(
    stage: Stage, target: str | Sequence[float] | npt.ArrayLike, time_s: float, shoulder: FloatArray | None = None
) -> FloatArray:
    """About where a hand has to be for a target at a time, ``(3,)`` [m].

    Args:
        stage: The scene.
        target: ``(x, y, z)`` [m], ``"cup"``, ``"door.knob"`` or ``"bob.head"``.
        time_s: When, in the scene's time [s].
        shoulder: ``(3,)`` [m] where the reach comes from: objects are touched on the side nearest to it.

    Raises:
        PlanningInputError: The target is no place, or nothing of that name is in the scene.
    """
    if not isinstance(target, str):
        return _point(target)
    scene = stage.scene
    owner, _, part = target.partition(".")
    objects, people = [one.name for one in scene.objects], [one.name for one in scene.characters]
    try:
        if owner in people and part:
            person = scene.character(owner)
            position, rotation = person.joint(part, [time_s])
            return np.asarray(position[0] + rot.rotate(rotation[0], person.palm(part)))
        if owner not in objects:
            raise PlanningInputError(f'nothing is called "{owner}"; {nearest_name(owner, [*objects, *people])}')
        thing = scene.object(owner)
        if part or thing.handles:
            return scene.handle_pose(owner, part or thing.handles[0].name, time_s).position
    except SceneError as error:
        raise PlanningInputError(f'target "{target}": {error}') from None
    middle = scene.object_track(owner, [time_s])[0][0]
    return middle if shoulder is None else nearest_spot(stage, owner, time_s, shoulder).at


def laid(
    stage: Stage, name: str, time_s: float, hand: str, at: FloatArray, out: FloatArray | None, turns: FloatArray
) -> list[tuple[FloatArray, FloatArray]]:
    """Where a palm lies on an object beside a place on it ``(3,)`` [m], and turns ``(n, 4)`` for which it is there.

    Args:
        stage: The scene.
        name: The object.
        time_s: When [s].
        hand: Which.
        at: ``(3,)`` [m] a place on the object or in its middle, such as a handle's.
        out: ``(3,)`` unit direction from which it lies on it; where the palm faces from unless given.
        turns: ``(n, 4)`` of the hand joint in the world.
    """
    _, palm = hand_axes(stage.body, hand)
    outs = [-rot.rotate(turn, palm) if out is None else out for turn in turns]
    places = np.array([beside(stage, name, time_s, hand, at, *one) for one in zip(outs, turns, strict=True)])
    _, first, same = np.unique(np.round(places / _SAME_M), axis=0, return_index=True, return_inverse=True)
    return [(places[k], turns[same.ravel() == same.ravel()[k]]) for k in np.sort(first)]


def followed(
    stage: Stage, target: str | Sequence[float] | npt.ArrayLike, position: FloatArray, at_s: float
) -> Follower:
    """Where a place ``(3,)`` [m] on a target is at other times than ``at_s`` [s]: it moves with what it is on."""
    name = target.partition(".")[0] if isinstance(target, str) else ""
    if name in {one.name for one in stage.scene.objects}:
        place, turn = stage.scene.object_track(name, [at_s])
        inside = rot.rotate(rot.conjugate(turn[0]), position - place[0])

        def on_object(time_s: float) -> FloatArray:
            at, turned = stage.scene.object_track(name, [time_s])
            return np.asarray(at[0] + rot.rotate(turned[0], inside))

        return on_object
    if not isinstance(target, str):
        return lambda time_s: position
    return lambda time_s: place_of(stage, target, time_s)


def beside(
    stage: Stage,
    name: str,
    time_s: float,
    hand: str,
    at: FloatArray,
    out: FloatArray,
    turn: FloatArray | None = None,
) -> FloatArray:
    """Where the middle of a palm is ``(3,)`` [m] that lies on an object beside a place on it.

    Args:
        stage: The scene.
        name: The object.
        time_s: When [s].
        hand: Which.
        at: ``(3,)`` [m] a place on the object or in its middle, such as a handle's.
        out: ``(3,)`` unit direction from which the palm lies on it.
        turn: ``(4,)`` of the hand joint in the world, where it is known: then the whole hand lies outside.
    """
    radius = float(stage.body.capsule_radii[stage.body.capsule(f"{hand}_hand")])
    shape, here = _solid(stage.scene, name, time_s)
    ball = (Sphere(radius_m=radius), np.array([1.0, 0.0, 0.0, 0.0]))
    shell, turned = ball if turn is None else _hand(stage, hand, turn)
    away = 0.0
    # Each step is as long as the hand is too deep: it never leaves the surface it comes out of.
    for _ in range(_STEPS):
        gap = shape_distance(shell, ShapePose(at + away * out, turned), shape, here).distance_m
        if gap >= -PRESSED_M:
            break
        away += max(-gap - PRESSED_M, 1e-4)
    return np.asarray(at + away * out)


def outward(
    stage: Stage, hand: str, joint: tuple[FloatArray, FloatArray], names: Sequence[str], time_s: float
) -> FloatArray | None:
    """The unit direction ``(3,)`` in which a hand leaves what it lies on soonest; nothing where it lies on nothing.

    Args:
        stage: The scene.
        hand: Which.
        joint: Position ``(3,)`` [m] and rotation ``(4,)`` of the hand joint.
        names: Objects, or parts of somebody, that it may lie on.
        time_s: When [s].
    """
    middle = joint[0] + rot.rotate(joint[1], hand_point(stage, hand, fingers=False))
    core, turned = _hand(stage, hand, joint[1], share=_CORE)
    off = (1.0 - _CORE) * float(stage.body.capsule_radii[stage.body.capsule(f"{hand}_hand")]) + HAND_DEPTH_M
    for name in names:
        near = shape_distance(core, ShapePose(middle, turned), *_solid(stage.scene, name, time_s))
        away = near.on_first - near.on_second
        if 0.0 < near.distance_m < off:
            return np.asarray(away / np.linalg.norm(away))
    return None


def _hand(stage: Stage, hand: str, turn: FloatArray, share: float = 1.0) -> tuple[Shape, FloatArray]:
    """A hand's capsule, of a share of its radius, and how it is turned where its joint is."""
    capsule = stage.body.capsule(f"{hand}_hand")
    along = rot.rotate(turn, stage.body.capsule_ends[capsule] - stage.body.capsule_starts[capsule])
    shape = Capsule(radius_m=share * float(stage.body.capsule_radii[capsule]), length_m=float(np.linalg.norm(along)))
    return shape, rot.shortest_arc(np.array([0.0, 1.0, 0.0]), along)


def _solid(scene: Scene, name: str, time_s: float) -> tuple[Shape, ShapePose]:
    """An object, or a part of somebody's body, where it is at a time."""
    owner, _, part = name.partition(".")
    if not part:
        positions, rotations = scene.object_track(name, [time_s])
        return scene.object(name).shape, ShapePose(positions[0], rotations[0])
    person = scene.character(owner)
    body = person.fitted_body
    capsule = body.capsule(person.parts_on(part)[0])
    starts, ends = body.capsule_segments(*person.joints([time_s]))
    along = ends[0, capsule] - starts[0, capsule]
    shape = Capsule(radius_m=float(body.capsule_radii[capsule]), length_m=float(np.linalg.norm(along)))
    turn = rot.shortest_arc(np.array([0.0, 1.0, 0.0]), along)
    return shape, ShapePose(0.5 * (starts[0, capsule] + ends[0, capsule]), turn)


def _point(target: npt.ArrayLike) -> FloatArray:
    try:
        position = np.asarray(target, dtype=np.float64)
    except (TypeError, ValueError):
        position = np.empty(0)
    if position.shape != (3,) or not np.isfinite(position).all():
        raise PlanningInputError(f"target is {target!r}; it must be (x, y, z) [m] or a name")
    return position


def checked_orientation(orientation: npt.ArrayLike | None) -> FloatArray | None:
    """A unit quaternion ``(1, 4)``, or nothing."""
    if orientation is None:
        return None
    try:
        turned = np.asarray(orientation, dtype=np.float64)
    except (TypeError, ValueError):
        turned = np.empty(0)
    if turned.shape != (4,) or not np.isfinite(turned).all() or np.linalg.norm(turned) < 1e-9:
        raise PlanningInputError(f"orientation is {orientation!r}; it must be a quaternion (w, x, y, z)")
    return rot.normalize(turned)[None]


def hand_point(stage: Stage, hand: str, *, fingers: bool) -> FloatArray:
    """The middle of a palm, or the middle of the rounded end of the fingers, ``(3,)`` [m] in the hand joint's frame."""
    capsule = stage.body.capsule(f"{hand}_hand")
    ends = np.stack([stage.body.capsule_starts[capsule], stage.body.capsule_ends[capsule]])
    if not fingers:
        return np.asarray(ends.mean(axis=0))
    return np.asarray(ends[int(np.linalg.norm(ends, axis=1).argmax())])


def missed(motion: Motion, time_s: float, hand: str, end: EndTarget) -> tuple[float, float]:
    """How far a hand is off its target at a time of the motion [m], and turned [rad]: no number where it is free."""
    pose = motion.pose_at(time_s)
    places, turns = placed(motion.skeleton, np.asarray(pose.root_position), np.asarray(pose.rotations))
    joint = motion.skeleton.humanoid[f"{hand}Hand"]
    off = places[joint] + rot.rotate(turns[joint], end.point) - end.position
    angle = float("nan") if end.rotations is None else float(rot.angle_between(turns[joint], end.rotations[0]))
    return float(np.linalg.norm(off)), angle
