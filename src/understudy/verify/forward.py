"""The judge's own forward kinematics: where every joint and capsule is at any time.

Written with rotation matrices, on purpose unlike the planners' kernels, so that a fault in one of them cannot hide in
the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from understudy.core import Body, Motion
from understudy.typing import FloatArray, IntArray

#: Every interval between frames is cut so that samples are at least this dense [Hz].
SAMPLE_RATE_HZ = 240.0


def sample_times_s(motion: Motion, *, rate_hz: float = SAMPLE_RATE_HZ) -> FloatArray:
    """Times ``(n,)`` [s] from 0 to the end that hold every frame and are at least ``rate_hz`` dense."""
    parts = max(1, int(np.ceil(rate_hz / motion.fps - 1e-9)))
    return np.arange((len(motion) - 1) * parts + 1) / (motion.fps * parts)


def matrices(quaternions: FloatArray) -> FloatArray:
    """Rotation matrices ``(..., 3, 3)`` of unit quaternions wxyz ``(..., 4)``."""
    w, x, y, z = np.moveaxis(quaternions, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def joint_frames(motion: Motion, times_s: FloatArray) -> tuple[FloatArray, FloatArray]:
    """World positions ``(n, joints, 3)`` [m] and rotation matrices ``(n, joints, 3, 3)`` at any times.

    Between frames the root moves straight and each joint turns at constant speed about one axis; times beyond the ends
    hold the end pose.
    """
    from understudy.verify._forward_kernels import placed_joints

    place = np.clip(times_s * motion.fps, 0.0, len(motion) - 1)
    nearest = np.rint(place)
    place = np.where(np.abs(place - nearest) < 1e-9, nearest, place)
    skeleton = motion.skeleton
    positions = np.empty((len(place), len(skeleton), 3))
    world = np.empty((len(place), len(skeleton), 3, 3))
    parents, offsets = _frozen(skeleton.parents, np.int64), _frozen(skeleton.offsets)
    placed_joints(
        _frozen(motion.root_positions), _frozen(motion.rotations), parents, offsets, _frozen(place), positions, world
    )
    return positions, world


def capsule_ends(body: Body, positions: FloatArray, world: FloatArray) -> FloatArray:
    """``(n, capsules, 2, 3)`` [m] both ends of every capsule's axis."""
    from understudy.verify._forward_kernels import placed_ends

    ends = np.empty((len(positions), len(body.capsule_joints), 2, 3))
    joints = _frozen(body.capsule_joints, np.int64)
    starts, stops = _frozen(body.capsule_starts), _frozen(body.capsule_ends)
    placed_ends(np.ascontiguousarray(positions), np.ascontiguousarray(world), joints, starts, stops, ends)
    return ends


def _frozen(values: np.ndarray, kind: type = np.float64) -> np.ndarray:
    """A contiguous, read-only view: writable and read-only arrays are two types to a compiled loop."""
    view: np.ndarray = np.ascontiguousarray(values, dtype=kind).view()
    view.flags.writeable = False
    return view


def _in_frames(ends: FloatArray, roots: FloatArray, turns: FloatArray) -> FloatArray:
    """Points ``(n, capsules, 2, 3)`` in frames at ``roots`` with the matrices ``turns``."""
    away = (ends - roots[:, None, None]).reshape(len(ends), -1, 3)
    return np.asarray((away @ turns).reshape(ends.shape))


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
    def _at_samples(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Capsule ends, root positions and root matrices at ``times_s``: most questions are about these times."""
        return self._worked_out(self.times_s)

    @cached_property
    def ways_m(self) -> FloatArray:
        """``(n - 1, capsules)`` how far each capsule's ends move at most between ``times_s``, along chords [m]."""
        steps = np.diff(self._at_samples[0], axis=0)
        return np.asarray(np.sqrt(np.einsum("ncei,ncei->nce", steps, steps)).max(axis=2))

    @cached_property
    def own_ways_m(self) -> FloatArray:
        """The same seen from the root: what the body moves against itself [m]."""
        steps = np.diff(self.seen_from_root(self.times_s), axis=0)
        return np.asarray(np.sqrt(np.einsum("ncei,ncei->nce", steps, steps)).max(axis=2))

    @cached_property
    def _boxes(self) -> dict[bytes | None, tuple[FloatArray, FloatArray]]:
        return {}

    def boxes_m(self, parts: IntArray | None = None) -> tuple[FloatArray, FloatArray]:
        """``(n, 3)`` lowest and highest corner of a box around the body, or parts of it, at ``times_s`` [m]."""
        key = None if parts is None else parts.tobytes()
        if key not in self._boxes:
            self._boxes[key] = self._boxes_around(parts)
        return self._boxes[key]

    def _boxes_around(self, parts: IntArray | None) -> tuple[FloatArray, FloatArray]:
        ends, radii = self._at_samples[0], self.body.capsule_radii
        if parts is not None:
            ends, radii = ends[:, parts], radii[parts]
        radius = radii.max(initial=0.0)
        return ends.min(axis=(1, 2)) - radius, ends.max(axis=(1, 2)) + radius

    def _worked_out(self, times_s: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        positions, world = joint_frames(self.motion, times_s - self.start_s)
        return capsule_ends(self.body, positions, world), positions[:, 0].copy(), world[:, 0].copy()

    def _at(self, times_s: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The same at any times."""
        if times_s is self.times_s:
            return self._at_samples
        where = np.minimum(np.searchsorted(self.times_s, times_s), len(self.times_s) - 1)
        new = np.flatnonzero(self.times_s[where] != times_s)
        if len(new) == len(times_s):
            return self._worked_out(times_s)
        ends, roots, turns = (values[where] for values in self._at_samples)
        if len(new):
            ends[new], roots[new], turns[new] = self._worked_out(times_s[new])
        return ends, roots, turns

    def capsules(self, times_s: FloatArray) -> FloatArray:
        """``(n, capsules, 2, 3)`` [m] both ends of every capsule's axis."""
        return self._at(times_s)[0]

    def capsules_at(self, times_s: FloatArray, items: IntArray) -> FloatArray:
        """``(n, 2, 3)`` ends of capsule ``items[i]`` at ``times_s[i]``."""
        unique, where = np.unique(times_s, return_inverse=True)
        return np.asarray(self.capsules(unique)[where, items])

    def seen_from_root(self, times_s: FloatArray) -> FloatArray:
        """``(n, capsules, 2, 3)`` [m] capsule ends in the root's frame."""
        if times_s is self.times_s:
            return self._seen_at_samples
        return _in_frames(*self._at(times_s))

    @cached_property
    def _seen_at_samples(self) -> FloatArray:
        return _in_frames(*self._at_samples)

    def part_name(self, capsule: int) -> str:
        """``"left_hand"``, or ``"anna.left_hand"`` for a named character."""
        part = self.body.capsule_names[capsule]
        return f"{self.name}.{part}" if self.name else part
