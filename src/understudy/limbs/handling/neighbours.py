"""What an object rests on or lies beside when it changes hands: contacts that planning with covers must not mind."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.collision import ShapePose, shape_distance
from understudy.collision.covers import Cover, cover
from understudy.errors import PlanningInputError
from understudy.scene.characters import Character
from understudy.scene.contacts import FLOOR, TOUCH_DEPTH_M, ContactRule
from understudy.scene.scene import Scene
from understudy.scene.shapes import Capsule, HalfSpace, Shape
from understudy.typing import FloatArray

#: [m] part of an overlap with what an object touches that the judge does not mind.
_SLACK_M = 0.002
#: [m] the same for planning, whose covers are larger than what they cover.
_PLANNED_M = 0.0024
#: Directions in which something may be moved out of something else.
_WAYS = np.array([way for way in np.ndindex(3, 3, 3) if way != (1, 1, 1)], dtype=np.float64) - 1.0
#: [s] how long before and after a moment an object may still touch what it rested on, and its cover may: a little less
#: than the judge allows, whose looks at a file that was rounded see a contact one look later.
_AROUND_S, _COVER_S = 0.14, 0.5


def neighbour_rules(
    scene: Scene,
    name: str,
    pose: tuple[FloatArray, FloatArray],
    time_s: float,
    *,
    owner: str,
    also: tuple[str, ...] = (),
) -> tuple[tuple[ContactRule, ...], tuple[ContactRule, ...]]:
    """Contacts of an object at a pose and time with what is near it.

    Args:
        scene: Everything.
        name: The object.
        pose: Where it is then.
        time_s: When [s].
        owner: Who handles it; parts of its own body count only when named in ``also``.
        also: Names whose contact is meant: what the object is put on.

    Returns:
        Rules for everybody: what really touches; and for planning: what a cover of the object touches.

    Raises:
        PlanningInputError: The object is in something: no motion takes it out of there, or puts it there.
    """
    shape = scene.object(name).shape
    covering = _capsules_at(cover(shape), pose)
    rim = float(max(capsule.radius_m for capsule, _ in covering)) + _SLACK_M
    rules, planning = [], []
    for other, solid, at in (*solids_of(scene, time_s, but=name), *_people(scene, time_s)):
        if other.startswith(f"{owner}.") and other not in also:
            continue
        gap = shape_distance(shape, ShapePose(*pose), solid, at).distance_m
        if gap > rim:
            continue
        if gap <= 0.0 and other not in also and _deep((shape, pose), (solid, at)):
            raise PlanningInputError(f"{name} is in {other} at {time_s:.2f} s")
        when, long = ({"start_s": time_s - span, "end_s": time_s + span} for span in (_AROUND_S, _COVER_S))
        if gap < _SLACK_M or other in also:
            depth = max(-gap, 0.0) + _SLACK_M
            rules.append(ContactRule(a=name, b=other, max_depth_m=depth, why="rests there", **when))
        deep = max(-min(shape_distance(part, there, solid, at).distance_m for part, there in covering), 0.0)
        planning.append(ContactRule(a=name, b=other, max_depth_m=deep + _PLANNED_M, why="rests there", **long))
    return tuple(rules), tuple(planning)


def _deep(one: tuple[Shape, tuple[FloatArray, FloatArray]], other: tuple[Shape, ShapePose]) -> bool:
    """Whether two shapes overlap by more than things that touch: no small step leads out."""
    steps = (TOUCH_DEPTH_M * way / np.linalg.norm(way) for way in _WAYS)
    shape, (at, turn) = one
    return all(shape_distance(shape, ShapePose(at + step, turn), *other).distance_m <= 0.0 for step in steps)


def _capsules_at(around: Cover, pose: tuple[FloatArray, FloatArray]) -> list[tuple[Capsule, ShapePose]]:
    """A cover's capsules in the world."""
    found = []
    for start, end, radius in zip(around.starts, around.ends, around.radii, strict=True):
        first, last = (pose[0] + rot.rotate(pose[1], point) for point in (start, end))
        length = float(np.linalg.norm(last - first))
        turn = rot.shortest_arc(np.array([0.0, 1.0, 0.0]), last - first) if length > 1e-9 else rot.identity(())
        shape = Capsule(radius_m=float(radius), length_m=length)
        found.append((shape, ShapePose(0.5 * (first + last), turn)))
    return found


def solids_of(scene: Scene, time_s: float, *, but: str = "") -> list[tuple[str, Shape, ShapePose]]:
    """Objects and the floor at a time."""
    found: list[tuple[str, Shape, ShapePose]] = []
    if scene.floor:
        found.append((FLOOR, HalfSpace(), ShapePose(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))))
    for thing in scene.objects:
        if thing.name != but:
            positions, rotations = scene.object_track(thing.name, [time_s])
            found.append((thing.name, thing.shape, ShapePose(positions[0], rotations[0])))
    return found


def _people(scene: Scene, time_s: float) -> list[tuple[str, Shape, ShapePose]]:
    return [one for person in scene.characters if person.motion is not None for one in capsules_of(person, time_s)]


def capsules_of(person: Character, time_s: float) -> list[tuple[str, Shape, ShapePose]]:
    """Somebody's capsules at a time."""
    body = person.fitted_body
    places, turns = person.joints([time_s])
    starts, ends = body.capsule_segments(places, turns)
    found: list[tuple[str, Shape, ShapePose]] = []
    for c, part in enumerate(body.capsule_names):
        along = ends[0, c] - starts[0, c]
        length = float(np.linalg.norm(along))
        turn = rot.shortest_arc(np.array([0.0, 1.0, 0.0]), along) if length > 1e-9 else rot.identity(())
        shape = Capsule(radius_m=float(body.capsule_radii[c]), length_m=length)
        found.append((f"{person.name}.{part}", shape, ShapePose(0.5 * (starts[0, c] + ends[0, c]), turn)))
    return found
