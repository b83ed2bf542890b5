"""Where two hands take hold of one object."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from understudy import rotations as rot
from understudy.collision import ShapePose, shape_distance
from understudy.core.body import Body
from understudy.limbs.handling.play import Play, Span
from understudy.limbs.hands import hand_axes, turned_to
from understudy.limbs.stage import Stage
from understudy.limbs.targets import PRESSED_M, hand_point
from understudy.scene.contacts import HAND_DEPTH_M
from understudy.scene.scene import Scene
from understudy.scene.shapes import HalfSpace, Sphere
from understudy.scene.tasks import Task
from understudy.scene.tessellation import triangles_of
from understudy.scene.transforms import Pose, seen_from
from understudy.typing import FloatArray

#: [m] palms sit this much nearer to the body than the middle of a side, so that forearms stay clear of it.
_NEARER_M = 0.05
#: Shares of something's depth and height by which they do where it is farther off.
NEARER, HIGHER = 0.3, 0.25
_UP = np.array([0.0, 1.0, 0.0])
#: [rad] how far fingers point up, and inwards, in turn.
_TILTS, _TOES = (0.0, -0.5, 0.5, -1.0), (0.0, 0.3)
#: [m] by which a hand that holds something may move on it, and moments at which that is looked at.
_STILL_M, _MOMENTS = 0.002, 25


def held_by_two(scene: Scene) -> tuple[Span, ...]:
    """Stretches in which somebody's other hand lies still on what one hand holds: both hold it."""
    found = []
    for hold in scene.holds:
        owner, _, part = hold.to.partition(".")
        if part not in ("left_hand", "right_hand") or scene.character(owner).motion is None:
            continue
        person, other = scene.character(owner), "right_hand" if part == "left_hand" else "left_hand"
        start_s, end_s = max(hold.start_s, person.start_s), min(hold.end_s, person.end_s)
        if start_s >= end_s:
            continue
        times = np.linspace(start_s, end_s, _MOMENTS, endpoint=False)
        at, turned = scene.object_track(hold.object, times)
        joints, turns = person.joint(other, times)
        palms = joints + rot.rotate(turns, person.palm(other))
        own = rot.rotate(rot.conjugate(turned), palms - at)
        body = person.fitted_body
        ball = Sphere(radius_m=float(body.capsule_radii[body.capsule(other)]))
        thing = scene.object(hold.object).shape
        gap_m = shape_distance(ball, ShapePose(palms[0]), thing, ShapePose(at[0], turned[0])).distance_m
        if np.linalg.norm(own - own[0], axis=1).max() < _STILL_M and gap_m < HAND_DEPTH_M:
            found.append(
                Span(character=owner, hands=("right", "left"), start_s=start_s, end_s=end_s, object=hold.object)
            )
    return tuple(found)


def by_both(task: Task, scene: Scene, body: Body) -> Task:
    """A task with both hands where one cannot hold what it takes: wider than a hand is long, and without a handle.

    Args:
        task: What is to be done.
        scene: With the thing.
        body: Whose hands.
    """
    if task.do != "grab" or task.hand is not None or task.object not in [one.name for one in scene.objects]:
        return task
    thing = scene.object(task.object)
    if thing.handles or isinstance(thing.shape, HalfSpace):
        return task
    hand = body.capsule("right_hand")
    along = float(np.linalg.norm(body.capsule_ends[hand] - body.capsule_starts[hand]))
    long_m = along + 2.0 * float(body.capsule_radii[hand])
    narrow_m = float(np.ptp(triangles_of(thing.shape)[0], axis=0).min())
    return replace(task, hand="both") if narrow_m > long_m else task


@dataclass(frozen=True, eq=False, kw_only=True)
class TwoHold:
    """Where both hand joints sit on an object: side -> pose in the object's frame."""

    grips: dict[str, Pose]


def two_holds(play: Play, name: str, character: str, time_s: float, pose: Pose) -> Iterator[TwoHold]:
    """Ways of holding an object from both sides: at its handles, or palms flat on its sides."""
    stage = play.stage(character)
    thing = play.scene.object(name)
    facing = play.scene.character(character).facing_rad(time_s)
    left = np.array([np.cos(facing), 0.0, -np.sin(facing)])
    ahead = np.array([np.sin(facing), 0.0, np.cos(facing)])
    if len(thing.handles) >= 2:
        grips = sorted(
            (play.scene.handle_pose(name, handle.name, time_s) for handle in thing.handles),
            key=lambda one: float(np.dot(one.position, left)),
        )
        yield from _turned(
            stage, pose, {"right": (grips[0].position, -left), "left": (grips[-1].position, left)}, ahead
        )
        return
    size = np.ptp(rot.rotate(pose[1], triangles_of(thing.shape)[0]) @ np.stack([ahead, _UP]).T, axis=0)
    for nearer_m, higher_m in ((_NEARER_M, 0.0), (NEARER * float(size[0]), HIGHER * float(size[1]))):
        spots = {}
        for side, out in (("right", -left), ("left", left)):
            far = ShapePose(pose[0] + 2.0 * out)
            near = shape_distance(Sphere(radius_m=1e-4), far, thing.shape, ShapePose(*pose))
            radius = float(stage.body.capsule_radii[stage.body.capsule(f"{side}_hand")])
            side_m = float(np.dot(near.on_second - pose[0], out)) + radius - PRESSED_M
            spots[side] = (pose[0] + side_m * out - nearer_m * ahead + higher_m * _UP, out)
        yield from _turned(stage, pose, spots, ahead)


def _turned(
    stage: Stage, pose: Pose, spots: dict[str, tuple[FloatArray, FloatArray]], ahead: FloatArray
) -> Iterator[TwoHold]:
    """Hands at places on two sides, fingers ahead, up or down; flat, or on their fingers, which leaves wrists room."""
    for toe, tilt in ((toe, tilt) for toe in _TOES for tilt in _TILTS):
        along = np.cos(tilt) * ahead + np.sin(tilt) * _UP
        grips_of = {}
        for side, (at, out) in spots.items():
            fingers, palm = np.cos(toe) * along - np.sin(toe) * out, -np.cos(toe) * out - np.sin(toe) * along
            turn = turned_to(hand_axes(stage.body, side), (fingers, palm))
            hand = stage.body.capsule(f"{side}_hand")
            half_m = 0.5 * float(np.linalg.norm(stage.body.capsule_ends[hand] - stage.body.capsule_starts[hand]))
            joint = at + half_m * np.sin(toe) * out - rot.rotate(turn, hand_point(stage, side, fingers=False))
            grips_of[side] = seen_from(*pose, joint, turn)
        yield TwoHold(grips=grips_of)
