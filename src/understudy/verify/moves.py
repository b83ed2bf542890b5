"""Where a motion is frame by frame that differs from its source in some joints and frames: only that is worked out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from understudy.typing import FloatArray, IntArray
from understudy.verify.changed import Changed
from understudy.verify.forward import Performer, capsule_ends, joint_frames, samples_per_frame
from understudy.verify.known import Placed
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


def moves_of(performer: Performer, source: Performer, changed: Changed, placed: Placed | None = None) -> Moves:
    """A motion that differs from a source of the same frames: only what does is worked out.

    Args:
        performer: Who is judged.
        source: The same body doing the source.
        changed: What differs.
        placed: The performer at the dense samples of the frames that differ and one on either side, if that is known.
    """
    positions, points = fact(source, "frames", _at_frames)
    parts = changed.capsules(performer.body)
    points = points.reshape(len(points), -1, 2, 3)[:, parts]
    if changed:
        first, stop = changed.span(len(performer.motion), more=0)
        positions = positions.copy()
        positions[first:stop, changed.moved], points[first:stop] = _differing(performer, changed, parts, placed)
    return Moves(changed, positions, points.reshape(len(points), -1, 3))


def _differing(
    performer: Performer, changed: Changed, parts: IntArray, placed: Placed | None
) -> tuple[FloatArray, FloatArray]:
    """Joints that have moved and capsules on them in the frames that differ: ``(frames, moved, 3)`` and ends [m]."""
    motion = performer.motion
    if placed is not None:
        begin, part = changed.samples(motion).start, changed.samples(motion, more=0)
        frames = slice(part.start - begin, part.stop - begin, samples_per_frame(motion.fps))
        return placed.joints[frames], placed.ends[frames, parts]
    first, stop = changed.span(len(motion), more=0)
    places, turns = joint_frames(motion, motion.times_s[first:stop], changed.moved)
    return places[:, changed.moved], capsule_ends(performer.body, places, turns, parts)


def _at_frames(source: Performer) -> tuple[FloatArray, FloatArray]:
    """Joints ``(frames, joints, 3)`` and ends of capsules ``(frames, 2 capsules, 3)`` of a clip [m]."""
    places, turns = joint_frames(source.motion, source.motion.times_s)
    ends = capsule_ends(source.body, places, turns)
    return places, np.ascontiguousarray(ends.reshape(len(ends), -1, 3))
