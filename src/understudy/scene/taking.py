"""Who holds what from now on: scenes in which an object is taken, put down, put on something, or let fall."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from understudy.errors import PlanningInputError
from understudy.scene.attachments import Attachment
from understudy.scene.holds import Hold
from understudy.scene.placements import Hinge, Static, Track
from understudy.scene.scene import Scene
from understudy.scene.transforms import Transform
from understudy.typing import FloatArray

#: [s] two keys this far apart stand for a jump; nobody sees the object in between, it is in a hand.
_INSTANT_S = 1e-6


def holder_at(scene: Scene, name: str, time_s: float) -> Hold | None:
    """What an object follows at a time."""
    found = [hold for hold in scene.holds if hold.object == name and hold.start_s <= time_s < hold.end_s]
    return found[-1] if found else None


def held_by(scene: Scene, character: str, hand: str, time_s: float) -> tuple[str, ...]:
    """Objects that a hand holds at a time."""
    to = f"{character}.{hand}_hand"
    return tuple(hold.object for hold in scene.holds if hold.to == to and hold.start_s <= time_s < hold.end_s)


def taken(scene: Scene, name: str, to: str, time_s: float, grip: tuple[FloatArray, FloatArray]) -> Scene:
    """The scene in which an object follows ``to`` from a time on, at a pose in that holder's frame."""
    position, rotation = (tuple(float(value) for value in part) for part in grip)
    freed = let_go(scene, name, time_s)
    return freed.with_attachment(
        Attachment(object=name, to=to, start_s=time_s, grip=Transform(position=position, rotation=rotation))  # type: ignore[arg-type]
    )


def let_go(scene: Scene, name: str, time_s: float, *, resume: bool = False) -> Scene:
    """The scene in which whatever holds an object at a time lets go of it then; later holds are gone."""
    release = "resume" if resume else "stay"
    attachments = []
    for one in scene.attachments:
        if one.object != name or one.end_s <= time_s:
            attachments.append(one)
        elif one.start_s < time_s:
            attachments.append(replace(one, end_s=time_s, release=release))  # type: ignore[arg-type]
    people = []
    for person in scene.characters:
        carry = tuple(
            replace(one, until_s=time_s) if one.object == name and one.until_s > time_s else one for one in person.carry
        )
        people.append(replace(person, carry=carry))
    return replace(scene, attachments=tuple(attachments), characters=tuple(people))


def put_down(scene: Scene, name: str, keys: tuple[FloatArray, FloatArray, FloatArray]) -> Scene:
    """The scene in which an object is let go and then moves through keys: times, positions and rotations.

    What carried it before has it until the first key; from then on it follows its own placement, which is what it was
    before it was taken the last time, and then the keys: where it rested between two holds it still does.
    """
    times, positions, rotations = keys
    holds = [hold.start_s for hold in scene.holds if hold.object == name and hold.start_s <= float(times[0])]
    since = max(holds, default=math.inf)
    own = scene.object(name).placement
    if isinstance(own, Hinge):
        raise PlanningInputError(f'object "{name}" hangs on a hinge; it cannot be carried away')
    known = [np.array([])] if not np.isfinite(since) else [_own_times(own, min(since, float(times[0]) - _INSTANT_S))]
    before = own.poses(known[0]) if len(known[0]) else (np.empty((0, 3)), np.empty((0, 4)))
    track = Track(
        times_s=np.concatenate([known[0], times]),
        positions=np.concatenate([before[0], positions]),
        rotations=np.concatenate([before[1], rotations]),
    )
    carried = any(one.object == name for person in scene.characters for one in person.carry)
    freed = let_go(_as_attachments(scene, name) if carried else scene, name, float(times[0]), resume=True)
    return freed.placed(name, track)


def _own_times(own: Static | Track, until_s: float) -> FloatArray:
    if isinstance(own, Static):
        return np.array([until_s])
    earlier = own.times_s[own.times_s < until_s]
    return np.concatenate([earlier, [until_s]])


def _as_attachments(scene: Scene, name: str) -> Scene:
    """The same scene with what is carried from the start written as an attachment, which can be resumed from."""
    found: list[Attachment] = []
    people = []
    for person in scene.characters:
        for one in person.carry:
            if one.object == name:
                holder = person.joint(f"{one.hand}_hand", [person.start_s])
                from understudy.scene.transforms import seen_from

                pose = scene.object_track(name, [person.start_s])
                at, turned = seen_from(*holder, *pose)
                grip = Transform(position=tuple(at[0]), rotation=tuple(turned[0]))
                found.append(
                    Attachment(
                        object=name,
                        to=f"{person.name}.{one.hand}_hand",
                        start_s=min(person.start_s, 0.0) - 1e3,
                        end_s=one.until_s,
                        grip=grip,
                    )
                )
        people.append(replace(person, carry=tuple(one for one in person.carry if one.object != name)))
    return replace(scene, characters=tuple(people), attachments=(*found, *scene.attachments))
