"""Objects of a scene over time, by the judge's own kinematics.

Who holds what, from when on and how, is the scene's to say; where that takes an object is worked out here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from understudy.scene.body_parts import joint_index
from understudy.scene.keys import between
from understudy.scene.placements import Placement, Track
from understudy.scene.scene import Scene
from understudy.scene.timeline import Held
from understudy.typing import FloatArray, IntArray
from understudy.verify.distances.solids import Solid
from understudy.verify.forward import distinct, frozen, joint_frames, matrices


@dataclass(frozen=True, eq=False, kw_only=True)
class Thing:
    """An object of the scene over time.

    Attributes:
        name: Its name.
        solid: Its shape, ready to be measured.
        at: Times ``(n,)`` [s] -> positions ``(n, 3)`` [m] and matrices ``(n, 3, 3)``.
        still: Whether it is in one place at all times.
    """

    name: str
    solid: Solid
    at: Callable[[FloatArray], tuple[FloatArray, FloatArray]]
    still: bool = False
    _asked: list[tuple[FloatArray, FloatArray, FloatArray]] = field(default_factory=list, repr=False)

    def frames(self, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Positions ``(n, 3)`` and matrices ``(n, 3, 3)``; equal times are asked once."""
        positions, turns, where = self.placed(times_s)
        return positions[where], turns[where]

    def placed(self, times_s: FloatArray) -> tuple[FloatArray, FloatArray, IntArray]:
        """Positions ``(m, 3)`` and matrices ``(m, 3, 3)``, and which of them holds at each time ``(n,)``."""
        if self.still:
            return *self._known_or_asked(times_s[:1]), np.zeros(len(times_s), dtype=np.int64)
        unique, where = distinct(times_s)
        return *self._known_or_asked(unique), where

    def frames_or_still(self, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The same at times that rise; one position and matrix only where the object stands still all the while."""
        if self.still:
            return self._known_or_asked(times_s[:1])
        positions, turns = self._known_or_asked(times_s)
        if (positions == positions[0]).all() and (turns == turns[0]).all():
            positions, turns = positions[:1], turns[:1]
        return positions, turns

    def _known_or_asked(self, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Poses at rising times, those of the first times asked for by heart: what is carried takes long to follow."""
        if not self._asked:
            self._asked.append((times_s, *self.at(times_s)))
            return self._asked[0][1:]
        known, places, turns = self._asked[0]
        if self.still or times_s is known:
            return places, turns
        where = np.minimum(np.searchsorted(known, times_s), max(len(known) - 1, 0))
        new = np.flatnonzero(known[where] != times_s) if len(known) else np.arange(len(times_s))
        if len(new) == len(times_s):
            return self.at(times_s)
        positions, matrix = places[where], turns[where]
        if len(new):
            positions[new], matrix[new] = self.at(times_s[new])
        return positions, matrix


def object_frames(scene: Scene, name: str, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Positions ``(n, 3)`` [m] and matrices ``(n, 3, 3)`` of an object at times ``(n,)``."""
    segments = scene.timeline.segments(name)
    if len(segments) == 1:
        return state_frames(scene, segments[0].state, times_s)
    which = np.searchsorted([segment.start_s for segment in segments], times_s, side="right") - 1
    positions, turns = np.empty((len(times_s), 3)), np.empty((len(times_s), 3, 3))
    for k in np.unique(which).tolist():
        inside = which == k
        positions[inside], turns[inside] = state_frames(scene, segments[k].state, times_s[inside])
    return positions, turns


def state_frames(scene: Scene, state: Placement | Held, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The same while an object is placed or held in one way."""
    if isinstance(state, Track):
        return _along(state, times_s)
    if not isinstance(state, Held):
        positions, rotations = state.poses(times_s)
        return np.ascontiguousarray(positions), np.ascontiguousarray(matrices(np.asarray(rotations)))
    positions, turns = _holder(scene, state.to, times_s)
    place, turn = state.grip
    return positions + turns @ place, turns @ matrices(turn)


def _along(track: Track, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
    """An object on its way from key to key: straight, and turning at constant speed about one axis."""
    from understudy.verify._forward_kernels import turns_between

    before, after, share = between(track.times_s, times_s, loop=track.loop)
    start, turns = track.positions[before], np.empty((len(times_s), 3, 3))
    turns_between(frozen(track.rotations), before, after, share, turns)
    return start + share[:, None] * (track.positions[after] - start), turns


def _holder(scene: Scene, to: str, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where a holder is: another object, or a joint of a character before, in and after its motion."""
    if any(one.name == to for one in scene.objects):
        return object_frames(scene, to, times_s)
    owner, _, part = to.partition(".")
    person = scene.character(owner)
    motion = person.world_motion
    joint = joint_index(motion.skeleton, part)
    wanted = np.zeros(len(motion.skeleton), dtype=np.bool_)
    wanted[joint] = True
    positions, turns = joint_frames(motion, times_s - person.start_s, wanted)
    return positions[:, joint], turns[:, joint]


def carried(scene: Scene | None, character: str) -> frozenset[str]:
    """Objects that a character holds at any time, directly or through other objects: they move as it does."""
    if scene is None:
        return frozenset()
    names: set[str] = set()
    grown = True
    while grown:
        held = {one.object for one in scene.holds if one.to.partition(".")[0] in {character, *names}}
        grown = not held <= names
        names |= held
    return frozenset(names)
