"""Where a motion is frame by frame that differs from its source in some joints and frames: only that is worked out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from understudy.typing import FloatArray
from understudy.verify.changed import Changed
from understudy.verify.forward import Performer, capsule_ends, joint_frames
from understudy.verify.source_facts import fact


class Moves(NamedTuple):
    """A motion at its own frames.

    Attributes:
        changed: What differs from the source.
        positions: ``(frames, joints, 3)`` [m].
        points: ``(frames, 2 capsules, 3)`` [m] ends of capsules that are elsewhere than in the source.
    """

    changed: Changed
    positions: FloatArray
    points: FloatArray


def moves_of(performer: Performer, source: Performer, changed: Changed) -> Moves:
    """A motion that differs from a source of the same frames: only what does is worked out."""
    positions, points = fact(source, "frames", _at_frames)
    parts = changed.capsules(performer.body)
    points = points.reshape(len(points), -1, 2, 3)[:, parts]
    if changed:
        first, stop = changed.span(len(performer.motion), more=0)
        places, turns = joint_frames(performer.motion, performer.motion.times_s[first:stop], changed.moved)
        positions = positions.copy()
        positions[first:stop, changed.moved] = places[:, changed.moved]
        points[first:stop] = capsule_ends(performer.body, places, turns, parts)
    return Moves(changed, positions, points.reshape(len(points), -1, 3))


def _at_frames(source: Performer) -> tuple[FloatArray, FloatArray]:
    """Joints ``(frames, joints, 3)`` and ends of capsules ``(frames, 2 capsules, 3)`` of a clip [m]."""
    places, turns = joint_frames(source.motion, source.motion.times_s)
    ends = capsule_ends(source.body, places, turns)
    return places, np.ascontiguousarray(ends.reshape(len(ends), -1, 3))
