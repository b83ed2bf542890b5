"""Where every object is at any time, with everything that is picked up, passed on and put down.

Each object's time is cut into segments: it follows its own placement, rests where it was left, or is held. The
poses at which things are taken and left are worked out once, in the order of time; what happens at one instant
depends only on segments that began before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

import numpy as np

from understudy import rotations as rot
from understudy.scene.characters import Character
from understudy.scene.holds import Hold
from understudy.scene.objects import SceneObject
from understudy.scene.placements import Placement, Static
from understudy.scene.transforms import Transform, compose, seen_from
from understudy.typing import FloatArray

Poses: TypeAlias = tuple[FloatArray, FloatArray]


@dataclass(frozen=True)
class Held:
    """Being held.

    Attributes:
        to: The holder: an object, or a part of a character.
        grip: Position ``(3,)`` [m] and rotation ``(4,)`` in the holder's frame.
    """

    to: str
    grip: Poses


@dataclass(frozen=True)
class Segment:
    """What an object follows from some moment on.

    Attributes:
        start_s: When that begins [s]; it ends where the next one begins.
        state: Its own placement, the place where it was left, or its holder.
    """

    start_s: float
    state: Placement | Held


class Timeline:
    """Poses of a scene's objects over time.

    Objects held by a character that has no motion yet keep to their own placement.

    Args:
        objects: Objects with unique names.
        characters: Characters with unique names.
        holds: Valid holds: known names, no cycles, one holder at a time.
    """

    def __init__(self, objects: Sequence[SceneObject], characters: Sequence[Character], holds: Sequence[Hold]) -> None:
        self._objects: Mapping[str, SceneObject] = {thing.name: thing for thing in objects}
        self._characters: Mapping[str, Character] = {person.name: person for person in characters}
        self._segments = {thing.name: [Segment(-np.inf, thing.placement)] for thing in objects}
        real = [hold for hold in holds if self._can_hold(hold.to)]
        # Two moments per hold; ends come first, so that an object that is handed over is held, not put down.
        moments = [(hold.end_s, 0, hold) for hold in real if np.isfinite(hold.end_s)]
        moments += [(hold.start_s, 1, hold) for hold in real]
        moments.sort(key=lambda moment: moment[:2])
        for time_s, group in groupby(moments, key=lambda moment: moment[0]):
            self._pass(time_s, [(bool(begins), hold) for _, begins, hold in group])

    def poses(self, name: str, times_s: FloatArray) -> Poses:
        """Positions ``(n, 3)`` and rotations ``(n, 4)`` of one object at times ``(n,)``."""
        segments = self._segments[name]
        if len(segments) == 1:
            return self._in_state(segments[0].state, times_s)
        starts = np.array([segment.start_s for segment in segments])
        which = np.maximum(np.searchsorted(starts, times_s, side="right") - 1, 0)
        positions, rotations = np.empty((len(times_s), 3)), np.empty((len(times_s), 4))
        for k in np.unique(which):
            inside = which == k
            positions[inside], rotations[inside] = self._in_state(segments[k].state, times_s[inside])
        return positions, rotations

    def segments(self, name: str) -> tuple[Segment, ...]:
        """What an object follows one after the other, from before all times on."""
        return tuple(self._segments[name])

    def is_ever_held(self, name: str) -> bool:
        """Whether anything ever moves the object away from its own placement."""
        return len(self._segments[name]) > 1

    def _in_state(self, state: Placement | Held, times_s: FloatArray) -> Poses:
        if isinstance(state, Held):
            return compose(*self._holder(state.to, times_s), *state.grip)
        return state.poses(times_s)

    def _can_hold(self, to: str) -> bool:
        if to in self._objects:
            return True
        person = self._characters.get(to.partition(".")[0])
        return person is not None and person.motion is not None

    def _holder(self, to: str, times_s: FloatArray) -> Poses:
        if to in self._objects:
            return self.poses(to, times_s)
        name, _, part = to.partition(".")
        return self._characters[name].joint(part, times_s)

    def _pass(self, time_s: float, events: list[tuple[bool, Hold]]) -> None:
        """Append the segments that begin at one instant; all of them see the world just before it."""
        begun: dict[str, Segment] = {}
        for begins, hold in events:
            if begins:
                begun[hold.object] = Segment(time_s, Held(hold.to, self._grip(hold)))
            elif hold.release == "resume":
                begun[hold.object] = Segment(time_s, self._objects[hold.object].placement)
            else:
                positions, rotations = self.poses(hold.object, np.array([time_s]))
                left = Static(position=tuple(positions[0]), rotation=tuple(rotations[0]))
                begun[hold.object] = Segment(time_s, left)
        for name, segment in begun.items():
            self._segments[name].append(segment)

    def _grip(self, hold: Hold) -> Poses:
        """The object's pose in its holder's frame."""
        if isinstance(hold.grip, Transform):
            return np.array(hold.grip.position), np.array(hold.grip.rotation)
        name, _, part = hold.to.partition(".")
        # An object carried from the start is taken up in the character's first pose.
        when = hold.start_s if np.isfinite(hold.start_s) else self._characters[name].start_s
        times = np.array([when])
        pose = self.poses(hold.object, times)
        holder = self._holder(hold.to, times)
        if hold.grip == "in_hand":
            return self._in_hand(hold, self._characters[name], part, pose, holder, when)
        positions, rotations = seen_from(*holder, *pose)
        return positions[0], rotations[0]

    def _in_hand(self, hold: Hold, person: Character, part: str, pose: Poses, holder: Poses, when: float) -> Poses:
        handles = self._objects[hold.object].handles
        point = np.array(handles[0].at if handles else (0.0, 0.0, 0.0))
        upright = rot.multiply(rot.from_yaw(person.facing_rad(when)), pose[1][0])
        rotation = rot.multiply(rot.conjugate(holder[1][0]), upright)
        return person.palm(part) - rot.rotate(rotation, point), rotation
