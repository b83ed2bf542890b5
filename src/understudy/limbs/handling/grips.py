"""Where a hand may take hold of, touch or reach for something, preferred ways first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.errors import PlanningInputError
from understudy.limbs.handling.aims import Way
from understudy.limbs.hands import about, hand_axes, lying, turned_to
from understudy.limbs.seeds import EndTarget
from understudy.limbs.stage import Stage
from understudy.limbs.surfaces import spots
from understudy.limbs.targets import PRESSED_M, hand_point, laid, place_of
from understudy.typing import FloatArray

#: Sides from which a part of somebody may be touched.
_SIDES = 8
#: [m] room left between fingertips and the surface they are to touch.
_TOUCHING_M = 0.003


@dataclass(frozen=True, eq=False, kw_only=True)
class Orientation:
    """How a hand has to be turned: wholly, or by one of its directions only.

    Attributes:
        rotation: ``(4,)`` of the hand joint in the world; nothing unless given.
        fingers: ``(3,)`` direction in the world the fingers point in; free to turn about it.
        palm: ``(3,)`` direction the palm faces; free to turn about it.
    """

    rotation: npt.ArrayLike | None = None
    fingers: npt.ArrayLike | None = None
    palm: npt.ArrayLike | None = None

    def __post_init__(self) -> None:
        """Reject what is no rotation or direction, and more than one of them but fingers with palm."""
        if self.rotation is not None and (self.fingers is not None or self.palm is not None):
            raise PlanningInputError("orientation: give a rotation, or directions of fingers and palm, not both")
        for name, size in (("rotation", 4), ("fingers", 3), ("palm", 3)):
            value = getattr(self, name)
            if value is None:
                continue
            try:
                array = np.asarray(value, dtype=np.float64)
            except (TypeError, ValueError):
                array = np.empty(0)
            if array.shape != (size,) or not np.isfinite(array).all() or np.linalg.norm(array) < 1e-9:
                raise PlanningInputError(f"orientation: {name} is {value!r}; it needs {size} numbers, not all zero")
            object.__setattr__(self, name, array / np.linalg.norm(array))

    def rotations(self, stage: Stage, hand: str, now: FloatArray) -> FloatArray:
        """Orientations ``(n, 4)`` of the hand joint that are as asked; the nearest to ``now (4,)`` first."""
        if self.rotation is not None:
            return np.asarray(self.rotation)[None]
        fingers, palm = hand_axes(stage.body, hand)
        if self.fingers is not None and self.palm is not None:
            along, facing = np.asarray(self.fingers), np.asarray(self.palm)
            facing = facing - np.dot(facing, along) * along
            if np.linalg.norm(facing) < 1e-6:
                raise PlanningInputError("orientation: fingers and palm cannot point the same way")
            return turned_to((fingers, palm), (along, facing / np.linalg.norm(facing)))[None]
        if self.fingers is not None:
            return about(fingers, np.asarray(self.fingers), now)
        if self.palm is not None:
            return about(palm, np.asarray(self.palm), now)
        raise PlanningInputError("orientation: says nothing; leave it out to let the hand turn as it likes")


@dataclass(frozen=True, eq=False, kw_only=True)
class Grasp:
    """What a hand aims at.

    Attributes:
        name: For messages.
        tiers: Ways, preferred ones first.
        touched: What the hand may touch.
        position: ``(3,)`` [m] where the hand's point has to be.
    """

    name: str
    tiers: tuple[tuple[Way, ...], ...]
    touched: tuple[str, ...]
    position: FloatArray


def grasp_of(
    stage: Stage,
    name: str,
    handle: str,
    time_s: float,
    hand: str,
    shoulder: FloatArray,
    orientation: Orientation | None = None,
) -> Grasp:
    """Ways to take hold of an object at a time.

    The palm lies on what it holds: on a handle from the side its frame says (fingers against +Z, palm against +Y), or
    from where the handle is approached. The fingers that close around it are no part of the body.
    An object without handles, or one whose handles cannot be reached and none of which was named, is gripped where it
    is nearest to the shoulder, palm or fingers towards it; where that fails, at other places of its surface.
    """
    thing = stage.scene.object(name)
    grips = [thing.handle(handle)] if handle else list(thing.handles)
    point = hand_point(stage, hand, fingers=False)
    now = _turned_now(stage, hand, time_s)
    if not grips:
        return _from_outside(stage, name, time_s, hand, shoulder, orientation)
    tiers: list[list[Way]] = [[], [], []]
    for grip in grips:
        pose = stage.scene.handle_pose(name, grip.name, time_s)
        given, out = orientation, None
        if given is None and grip.rotation is not None:
            ahead, facing = (rot.rotate(pose.rotation, np.array(axis)) for axis in ([0.0, 0, -1.0], [0, -1.0, 0]))
            given = Orientation(fingers=ahead, palm=facing)
        ranks: tuple[FloatArray, ...] = () if given is None else (given.rotations(stage, hand, now),)
        if given is None:
            ranks, out = lying(stage.body, hand, pose.approach, now), pose.approach
        for tier, turns in zip(tiers, ranks, strict=False):
            for at, alike in laid(stage, name, time_s, hand, pose.position, out, turns):
                tier.append(Way(end=EndTarget(position=at, rotations=alike, point=point), out=pose.approach))
    label = f"{name}.{handle}" if handle else name
    every = tuple(tuple(tier) for tier in tiers if tier)
    if not handle and orientation is None:
        # What cannot be taken by a handle is taken as things without handles are.
        every += _from_outside(stage, name, time_s, hand, shoulder, None).tiers
    return Grasp(name=label, tiers=every, touched=(name,), position=every[0][0].end.position)


def reach_for(
    stage: Stage,
    target: str | Sequence[float] | npt.ArrayLike,
    time_s: float,
    hand: str,
    shoulder: FloatArray,
    orientation: Orientation | None = None,
) -> Grasp:
    """Ways to bring a hand to a point, an object, a handle or a part of somebody.

    A handle is taken hold of. An object without handles is touched with the fingertips, a part of somebody with the
    palm, from the side the shoulder is on.
    """
    if isinstance(target, str) and target.partition(".")[0] in {one.name for one in stage.scene.characters}:
        return _on_somebody(stage, target, time_s, hand, shoulder, orientation)
    place = place_of(stage, target, time_s, shoulder)
    if isinstance(target, str):
        name, _, part = target.partition(".")
        if part or stage.scene.object(name).handles:
            return grasp_of(stage, name, part, time_s, hand, shoulder, orientation)
        return _from_outside(stage, name, time_s, hand, shoulder, orientation, fingers=True)
    x, y, z = place
    turns = None if orientation is None else orientation.rotations(stage, hand, _turned_now(stage, hand, time_s))
    end = EndTarget(position=place, rotations=turns, point=hand_point(stage, hand, fingers=False))
    out = (shoulder - place) / max(float(np.linalg.norm(shoulder - place)), 1e-9)
    tiers = ((Way(end=end, out=out),),)
    return Grasp(name=f"({x:.2f}, {y:.2f}, {z:.2f})", tiers=tiers, touched=(), position=place)


def _on_somebody(
    stage: Stage, target: str, time_s: float, hand: str, shoulder: FloatArray, orientation: Orientation | None
) -> Grasp:
    place_of(stage, target, time_s)  # for its errors
    owner, _, part = target.partition(".")
    person = stage.scene.character(owner)
    body = person.fitted_body
    capsule = body.capsule(person.parts_on(part)[0])
    places, turns = person.joints([time_s])
    starts, ends = body.capsule_segments(places, turns)
    start, along = starts[0, capsule], ends[0, capsule] - starts[0, capsule]
    share = np.dot(shoulder - start, along) / max(float(np.dot(along, along)), 1e-12)
    near = start + np.clip(share, 0.35, 0.65) * along
    out = (shoulder - near) / max(float(np.linalg.norm(shoulder - near)), 1e-9)
    radius = float(stage.body.capsule_radii[stage.body.capsule(f"{hand}_hand")])
    off = float(body.capsule_radii[capsule]) + radius - PRESSED_M
    now = _turned_now(stage, hand, time_s)
    asked = None if orientation is None else orientation.rotations(stage, hand, now)
    point = hand_point(stage, hand, fingers=False)
    axis = along / max(float(np.linalg.norm(along)), 1e-9)
    angles = sorted((2.0 * np.pi * k / _SIDES for k in range(_SIDES)), key=lambda angle: 1.0 - np.cos(angle))
    outs = [rot.rotate(rot.from_axis_angle(axis, angle), out) for angle in angles]
    ways = []
    for one in outs:
        turns = np.concatenate(lying(stage.body, hand, one, now)[:2]) if asked is None else asked
        ways.append(Way(end=EndTarget(position=near + off * one, rotations=turns, point=point), out=one))
    touched = f"{owner}.{body.capsule_names[capsule]}"
    return Grasp(
        name=target, tiers=(tuple(ways[:1]), tuple(ways[1:])), touched=(touched,), position=ways[0].end.position
    )


def _from_outside(
    stage: Stage,
    name: str,
    time_s: float,
    hand: str,
    shoulder: FloatArray,
    orientation: Orientation | None,
    *,
    fingers: bool = False,
) -> Grasp:
    """The palm on a thing's surface, or the fingertips just off it."""
    now = _turned_now(stage, hand, time_s)
    radius = float(stage.body.capsule_radii[stage.body.capsule(f"{hand}_hand")])
    point, off = hand_point(stage, hand, fingers=fingers), radius + (_TOUCHING_M if fingers else -PRESSED_M)
    asked = None if orientation is None else orientation.rotations(stage, hand, now)
    turned: list[Way] = []
    rolled: list[Way] = []
    free: list[Way] = []
    for spot in spots(stage, name, time_s, shoulder, radius):
        at = spot.at + off * spot.out
        if fingers:
            turned.append(Way(end=EndTarget(position=at, rotations=asked, point=point), out=spot.out))
            continue
        if asked is not None:
            for there, alike in laid(stage, name, time_s, hand, spot.at, spot.out, asked):
                turned.append(Way(end=EndTarget(position=there, rotations=alike, point=point), out=spot.out))
            continue
        ranks = (*lying(stage.body, hand, spot.out, now)[:2], None)
        for tier, turns in zip((turned, rolled, free), ranks, strict=True):
            tier.append(Way(end=EndTarget(position=at, rotations=turns, point=point), out=spot.out))
    tiers = (turned[:1], turned[1:], rolled, free)
    return Grasp(
        name=name,
        tiers=tuple(tuple(tier) for tier in tiers if tier),
        touched=(name,),
        position=turned[0].end.position,
    )


def _turned_now(stage: Stage, hand: str, time_s: float) -> FloatArray:
    _, turns = stage.scene.character(stage.character).joint(f"{hand}_hand", [time_s])
    return np.asarray(turns[0])
