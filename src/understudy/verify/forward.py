"""The judge's own forward kinematics: where every joint and capsule is at any time.

Written with rotation matrices, on purpose unlike the planners' kernels, so that a fault in one of them cannot hide in
the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from understudy.core import Body, Motion
from understudy.typing import BoolArray, FloatArray, IntArray

#: Every interval between frames is cut so that samples are at least this dense [Hz].
SAMPLE_RATE_HZ = 240.0
#: [s] times this near are the same.
_ROUNDING_S = 1e-9


def sample_times_s(motion: Motion, *, rate_hz: float = SAMPLE_RATE_HZ) -> FloatArray:
    """Times ``(n,)`` [s] from 0 to the end that hold every frame and are at least ``rate_hz`` dense."""
    parts = samples_per_frame(motion.fps, rate_hz=rate_hz)
    return np.arange((len(motion) - 1) * parts + 1) / (motion.fps * parts)


def samples_per_frame(fps: float, *, rate_hz: float = SAMPLE_RATE_HZ) -> int:
    """Into how many parts the time between two frames is cut."""
    return max(1, int(np.ceil(rate_hz / fps - 1e-9)))


def distinct(times_s: FloatArray) -> tuple[FloatArray, IntArray]:
    """Times without repetitions, rising, and where in them each of the given ones is."""
    steps = np.diff(times_s)
    if len(times_s) == 0 or (steps < 0.0).any():
        unique, where = np.unique(times_s, return_inverse=True)
        return unique, where
    new = np.concatenate([[True], steps > 0.0])
    return times_s[new], np.cumsum(new) - 1


def matrices(quaternions: FloatArray) -> FloatArray:
    """Rotation matrices ``(..., 3, 3)`` of unit quaternions wxyz ``(..., 4)``."""
    w, x, y, z = np.moveaxis(quaternions, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def joint_frames(motion: Motion, times_s: FloatArray, joints: BoolArray | None = None) -> tuple[FloatArray, FloatArray]:
    """World positions ``(n, joints, 3)`` [m] and rotation matrices ``(n, joints, 3, 3)`` at any times.

    Between frames the root moves straight and each joint turns at constant speed about one axis; times beyond the ends
    hold the end pose.

    Args:
        motion: Whose.
        times_s: ``(n,)`` from the motion's beginning [s].
        joints: ``(joints,)`` which are wanted; those that are not are nowhere (NaN) unless they are above one that is.
            All unless given.
    """
    from understudy.verify._forward_kernels import placed_joints

    place = places_of(motion, times_s)
    skeleton = motion.skeleton
    every = joints is None
    positions = np.empty((len(place), len(skeleton), 3)) if every else np.full((len(place), len(skeleton), 3), np.nan)
    world = np.empty((len(place), len(skeleton), 3, 3))
    parents, offsets = frozen(skeleton.parents, np.int64), frozen(skeleton.offsets)
    wanted = (
        np.arange(len(skeleton))
        if joints is None
        else joints_with_all_above(skeleton.parents.tolist(), np.flatnonzero(joints).tolist())
    )
    moves = (frozen(motion.root_positions), frozen(motion.rotations))
    placed_joints(moves, parents, offsets, frozen(wanted, np.int64), place, positions, world)
    return positions, world


def places_of(motion: Motion, times_s: FloatArray) -> FloatArray:
    """Times as frames and shares of the way to the next, within the motion; what is all but a frame is one."""
    place = np.minimum(np.maximum(times_s * motion.fps, 0.0), len(motion) - 1.0)
    nearest = np.rint(place)
    return np.where(np.abs(place - nearest) < 1e-9, nearest, place)


def joints_with_all_above(parents: Sequence[int], joints: Sequence[int]) -> IntArray:
    """Indices of some joints and of every joint above them, and the root's, rising."""
    wanted = {0}
    for joint in joints:
        while joint >= 0 and joint not in wanted:
            wanted.add(joint)
            joint = parents[joint]
    return np.array(sorted(wanted), dtype=np.int64)


def capsule_ends(body: Body, positions: FloatArray, world: FloatArray, parts: IntArray | None = None) -> FloatArray:
    """``(n, capsules, 2, 3)`` [m] both ends of every capsule's axis, or of some capsules'."""
    from understudy.verify._forward_kernels import placed_ends

    every = (body.capsule_joints, body.capsule_starts, body.capsule_ends)
    joints, starts, stops = every if parts is None else tuple(values[parts] for values in every)
    ends = np.empty((len(positions), len(joints), 2, 3))
    frames = np.ascontiguousarray(positions), np.ascontiguousarray(world)
    placed_ends(*frames, frozen(joints, np.int64), frozen(starts), frozen(stops), ends)
    return ends


def frozen(values: np.ndarray, kind: type = np.float64) -> np.ndarray:
    """A contiguous, read-only view: writable and read-only arrays are two types to a compiled loop."""
    view: np.ndarray = np.ascontiguousarray(values, dtype=kind).view()
    view.flags.writeable = False
    return view


def _in_frames(ends: FloatArray, roots: FloatArray, turns: FloatArray) -> FloatArray:
    """Points ``(n, capsules, 2, 3)`` in frames at ``roots`` with the matrices ``turns``."""
    from understudy.verify._forward_kernels import in_frames

    out = np.empty(ends.shape)
    in_frames(np.ascontiguousarray(ends), np.ascontiguousarray(roots), np.ascontiguousarray(turns), out)
    return out


#: Capsule ends ``(n, capsules, 2, 3)``, root positions ``(n, 3)`` and root matrices ``(n, 3, 3)``.
Samples: TypeAlias = tuple[FloatArray, FloatArray, FloatArray]


@dataclass(frozen=True, eq=False, kw_only=True)
class Performer:
    """One character's body in motion, for any times.

    Attributes:
        name: Whose capsules these are; empty for the only character.
        motion: What it does.
        body: Its capsules.
        start_s: When the motion begins in the scene's time [s]; before and after it the character stands still.
    """

    name: str
    motion: Motion
    body: Body
    start_s: float = 0.0

    @cached_property
    def times_s(self) -> FloatArray:
        """``(n,)`` all frames and enough times between them, in the scene's time [s]."""
        return self.start_s + sample_times_s(self.motion)

    @cached_property
    def samples(self) -> Samples:
        """Where the body is at ``times_s``: most questions are about these times."""
        return self._worked_out(self.times_s)

    @cached_property
    def longest_ways(self) -> FloatArray:
        """``(capsules,)`` how far the ends of each capsule move at most from one of ``times_s`` to the next [m]."""
        from understudy.verify._nearness_kernels import ways_between

        ends = np.ascontiguousarray(self.samples[0])
        return np.asarray(ways_between(ends, np.arange(ends.shape[1]), 1.0).max(axis=0, initial=0.0))

    def _worked_out(self, times_s: FloatArray) -> Samples:
        positions, world = joint_frames(self.motion, times_s - self.start_s)
        return capsule_ends(self.body, positions, world), positions[:, 0].copy(), world[:, 0].copy()

    def _at(self, times_s: FloatArray) -> Samples:
        """The same at any times."""
        if times_s is self.times_s:
            return self.samples
        where, new = self._sample_at(times_s)
        if len(new) == len(times_s):
            return self._worked_out(times_s)
        ends, roots, turns = (values[where] for values in self.samples)
        if len(new):
            ends[new], roots[new], turns[new] = self._worked_out(times_s[new])
        return ends, roots, turns

    def _sample_at(self, times_s: FloatArray) -> tuple[IntArray, IntArray]:
        """The sample at each of some times, and which of them are none."""
        # Times that were moved from one clock to another are the same but for rounding.
        where = np.minimum(np.searchsorted(self.times_s, times_s - _ROUNDING_S), len(self.times_s) - 1)
        return where, np.flatnonzero(np.abs(self.times_s[where] - times_s) > _ROUNDING_S)

    def capsules(self, times_s: FloatArray) -> FloatArray:
        """``(n, capsules, 2, 3)`` [m] both ends of every capsule's axis."""
        return self._at(times_s)[0]

    def capsules_at(self, times_s: FloatArray, items: IntArray) -> FloatArray:
        """``(n, 2, 3)`` ends of capsule ``items[i]`` at ``times_s[i]``."""
        unique, where = distinct(times_s)
        sample, new = self._sample_at(unique)
        if len(new) == 0:
            return np.asarray(self.samples[0][sample[where], items])
        return np.asarray(self.capsules(unique)[where, items])

    def seen_from_root(self, times_s: FloatArray) -> FloatArray:
        """``(n, capsules, 2, 3)`` [m] capsule ends in the root's frame."""
        if times_s is self.times_s:
            return self._seen_at_samples
        return _in_frames(*self._at(times_s))

    @cached_property
    def _seen_at_samples(self) -> FloatArray:
        return _in_frames(*self.samples)

    def part_name(self, capsule: int) -> str:
        """``"left_hand"``, or ``"anna.left_hand"`` for a named character."""
        part = self.body.capsule_names[capsule]
        return f"{self.name}.{part}" if self.name else part
