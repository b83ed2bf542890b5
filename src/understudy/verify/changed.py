"""What of a motion differs from the clip it was made from, bit for bit: the judge finds out, nobody tells it.

A planner that changes one arm for two seconds leaves everything else as it was. What is the same as in the source
cannot be worse than the source, so only what differs has to be looked at anew.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from understudy.core import Body, Motion
from understudy.scene.scene import Scene
from understudy.typing import BoolArray, IntArray
from understudy.verify.forward import Performer, frozen, samples_per_frame


@dataclass(frozen=True, eq=False, kw_only=True)
class Changed:
    """Where a motion differs from its source.

    Attributes:
        joints: ``(joints,)`` whether a joint's own rotation differs in any frame; of the root also its position.
        moved: ``(joints,)`` whether a joint is elsewhere in the world: it or one above it differs.
        first: First frame that differs; one past ``last`` when none does.
        last: Last frame that differs.
    """

    joints: BoolArray
    moved: BoolArray
    first: int
    last: int

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return self.last >= self.first

    def capsules(self, body: Body) -> IntArray:
        """Capsules that are elsewhere."""
        return np.flatnonzero(self.moved[body.capsule_joints])

    def stretch(self, performer: Performer, *, more: int = 1) -> Performer:
        """The performer over the frames that differ and ``more`` on either side."""
        first, stop = self.span(len(performer.motion), more=more)
        part = performer.motion.frames(first, stop)
        return replace(performer, motion=part, start_s=performer.start_s + first / performer.motion.fps)

    def span(self, frames: int, *, more: int = 1) -> tuple[int, int]:
        """First frame and stop of the frames that differ and ``more`` on either side."""
        return max(self.first - more, 0), min(self.last + more + 1, frames)

    def samples(self, motion: Motion, *, more: int = 1) -> slice:
        """Where the dense samples of these frames are among those of a motion."""
        first, stop = self.span(len(motion), more=more)
        rate = samples_per_frame(motion.fps)
        return slice(first * rate, (stop - 1) * rate + 1)


def changed_from(motion: Motion, source: Motion) -> Changed:
    """Compare a motion with a source of the same frames and skeleton."""
    from understudy.verify._measure_kernels import differing

    joints = np.zeros(len(motion.skeleton), dtype=np.bool_)
    other = np.any(motion.root_positions != source.root_positions, axis=1)
    joints[0] = other.any()
    differing(frozen(motion.rotations), frozen(source.rotations), joints, other)
    frames = np.flatnonzero(other)
    moved = joints.copy()
    for joint, parent in enumerate(motion.skeleton.parents.tolist()):
        if parent >= 0:
            moved[joint] |= moved[parent]
    first, last = (int(frames[0]), int(frames[-1])) if len(frames) else (len(motion), len(motion) - 1)
    return Changed(joints=joints, moved=moved, first=first, last=last)


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
