"""What a hand can reach for: a point, an object, a handle of it, or a part of somebody."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.collision import ShapePose, shape_distance
from understudy.core.motion import Motion
from understudy.errors import PlanningInputError, SceneError, nearest_name
from understudy.limbs.seeds import EndTarget
from understudy.limbs.stage import Stage
from understudy.limbs.surfaces import spots
from understudy.limbs.tabulate import placed
from understudy.scene.contacts import HAND_DEPTH_M, ContactRule
from understudy.scene.shapes import Sphere
from understudy.typing import FloatArray

#: [m] how deep a gripping palm is pressed into what it holds; a contact may be deeper by rounding.
PRESSED_M = 0.6 * HAND_DEPTH_M
#: Steps in which a palm comes out of what it lies on.
_STEPS = 40
#: [m] room left between fingertips and the surface they are to touch.
_TOUCHING_M = 0.003
HANDS = ("left", "right")
#: Where something is at a time [s]: ``(3,)`` [m].
Follower = Callable[[float], FloatArray]


@dataclass(frozen=True, eq=False, kw_only=True)
class Goal:
    """Where a hand has to be.

    Attributes:
        name: For messages.
        position: ``(3,)`` [m] for the middle of the palm, or the fingertips.
        touched: Objects or parts the hand may touch meanwhile.
        fingers: Whether the fingertips have to be there instead of the palm.
        out: ``(3,)`` unit direction out of the surface that is touched; nothing for points, handles and body parts.
    """

    name: str
    position: FloatArray
    touched: tuple[str, ...] = ()
    fingers: bool = False
    out: FloatArray | None = None

    def rules(self, character: str, hand: str, start_s: float, end_s: float) -> tuple[ContactRule, ...]:
        """Contacts that are meant while the hand reaches."""
        return tuple(
            ContactRule(a=f"{character}.{hand}_hand", b=name, start_s=start_s, end_s=end_s, why=f"reaches for {name}")
            for name in self.touched
        )


def goal_of(
    stage: Stage, target: str | Sequence[float] | npt.ArrayLike, time_s: float, hand: str, shoulder: FloatArray
) -> Goal:
    """Where the palm has to be for a target at a time.

    A handle is taken hold of: the palm lies on it, and the hand may touch the object.
    An object without handles is touched with the fingertips from outside, where it is nearest to the shoulder.

    Args:
        stage: The scene.
        target: ``(x, y, z)`` [m], ``"cup"``, ``"door.knob"`` or ``"bob.head"``.
        time_s: When, in the scene's time [s].
        hand: ``"left"`` or ``"right"``.
        shoulder: ``(3,)`` [m] where the reach comes from.

    Raises:
        PlanningInputError: The target is no place, or nothing of that name is in the scene.
    """
    if not isinstance(target, str):
        return _point(target)
    scene = stage.scene
    owner, _, part = target.partition(".")
    objects, people = [one.name for one in scene.objects], [one.name for one in scene.characters]
    if owner in people and part:
        person = scene.character(owner)
        try:
            position, rotation = person.joint(part, [time_s])
        except SceneError as error:
            raise PlanningInputError(f'target "{target}": {error}') from None
        return Goal(name=target, position=position[0] + rot.rotate(rotation[0], person.palm(part)), touched=(target,))
    if owner not in objects:
        raise PlanningInputError(f'nothing is called "{owner}"; {nearest_name(owner, [*objects, *people])}')
    thing = scene.object(owner)
    if part or thing.handles:
        try:
            grip = scene.handle_pose(owner, part or thing.handles[0].name, time_s)
        except SceneError as error:
            raise PlanningInputError(str(error)) from None
        at = beside(stage, owner, time_s, hand, grip.position, grip.approach) if hand else grip.position
        return Goal(name=target, position=at, touched=(owner,), out=grip.approach)
    return _surface(stage, owner, time_s, hand, shoulder)


def goals_of(
    stage: Stage, target: str | Sequence[float] | npt.ArrayLike, time_s: float, hand: str, shoulder: FloatArray
) -> list[Goal]:
    """Every place worth trying for a target at a time, the easiest first; see :func:`goal_of`.

    An object may be touched on other sides than the one that faces the shoulder, and held by any of its handles.
    """
    if not isinstance(target, str) or "." in target or target not in {one.name for one in stage.scene.objects}:
        return [goal_of(stage, target, time_s, hand, shoulder)]
    thing = stage.scene.object(target)
    if thing.handles:
        every = [goal_of(stage, f"{target}.{grip.name}", time_s, hand, shoulder) for grip in thing.handles]
        return sorted(every, key=lambda one: float(np.linalg.norm(one.position - shoulder)))
    radius = float(stage.body.capsule_radii[stage.body.capsule(f"{hand}_hand")])
    return [
        Goal(name=target, position=spot.at + (radius + _TOUCHING_M) * spot.out, fingers=True, out=spot.out)
        for spot in spots(stage, target, time_s, shoulder, radius + _TOUCHING_M)
    ]


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
    return lambda time_s: goal_of(stage, target, time_s, "", position).position


def beside(stage: Stage, name: str, time_s: float, hand: str, at: FloatArray, out: FloatArray) -> FloatArray:
    """Where the middle of a palm is ``(3,)`` [m] that lies on an object beside a place on it.

    Args:
        stage: The scene.
        name: The object.
        time_s: When [s].
        hand: Whose radius counts.
        at: ``(3,)`` [m] a place on the object or in its middle, such as a handle's.
        out: ``(3,)`` unit direction from which the palm lies on it.
    """
    radius = float(stage.body.capsule_radii[stage.body.capsule(f"{hand}_hand")])
    positions, rotations = stage.scene.object_track(name, [time_s])
    shape, here = stage.scene.object(name).shape, ShapePose(positions[0], rotations[0])
    upright, ball = np.array([1.0, 0.0, 0.0, 0.0]), Sphere(radius_m=radius)
    away = 0.0
    # Each step is as long as the ball is too deep: it never leaves the surface it comes out of.
    for _ in range(_STEPS):
        gap = shape_distance(ball, ShapePose(at + away * out, upright), shape, here).distance_m
        if gap >= -PRESSED_M:
            break
        away += max(-gap - PRESSED_M, 1e-4)
    return np.asarray(at + away * out)


def _point(target: npt.ArrayLike) -> Goal:
    try:
        position = np.asarray(target, dtype=np.float64)
    except (TypeError, ValueError):
        position = np.empty(0)
    if position.shape != (3,) or not np.isfinite(position).all():
        raise PlanningInputError(f"target is {target!r}; it must be (x, y, z) [m] or a name")
    x, y, z = position
    return Goal(name=f"({x:.2f}, {y:.2f}, {z:.2f})", position=position)


def _surface(stage: Stage, name: str, time_s: float, hand: str, shoulder: FloatArray) -> Goal:
    """The point outside an object, nearest to the shoulder, at which the fingertips touch it."""
    positions, rotations = stage.scene.object_track(name, [time_s])
    radius = float(stage.body.capsule_radii[stage.body.capsule(f"{hand}_hand")])
    at = ShapePose(positions[0], rotations[0])
    near = shape_distance(
        Sphere(radius_m=1e-4), ShapePose(shoulder, np.array([1.0, 0, 0, 0])), stage.scene.object(name).shape, at
    )
    towards = shoulder - near.on_second
    length = float(np.linalg.norm(towards))
    if near.distance_m <= 0.0 or length < 1e-9:
        raise PlanningInputError(f'"{name}" is around the shoulder at {time_s:.2f} s; there is no outside to touch')
    return Goal(name=name, position=near.on_second + towards / length * (radius + _TOUCHING_M), fingers=True)


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
