"""One problem's stage: a body's space, what stands around, the gaps and pins to keep, and what may be asked of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from understudy.kinematics._inputs import frozen
from understudy.postures.space import PostureSpace
from understudy.postures.tables import PinArrays, Room, Solids, SpaceArrays, Walk
from understudy.postures.world import gaps_at, new_room
from understudy.typing import BoolArray, FloatArray

#: Poses looked at before a straight move counts as not free.
MOVE_CHECKS = 600
#: [rad] joints that differ less are the same.
_SAME_RAD = 1e-3
#: [rad] between the postures of a connection with pins, and the longest step their projection may make of that.
_PINNED_STEP, _PINNED_MOST = 0.05, 0.2


@dataclass(frozen=True, eq=False, kw_only=True)
class Stage:
    """Where postures are planned; queries change nothing but scratch.

    Attributes:
        space: The body's coordinates.
        keep: ``(pairs,)`` gaps that postures keep [m] (``tables``).
        solids: What stands around; ``None`` for nothing.
        pins: What is pinned; ``None`` for nothing.
        movable: ``(size,)`` 1 where the energy may move a coordinate; the space's own unless given.
        resting: ``(pairs,)`` pairs whose gaps are kept by postures but not certified along moves.
    """

    space: PostureSpace
    keep: FloatArray
    solids: Solids | None = None
    pins: PinArrays | None = None
    movable: FloatArray | None = None
    resting: BoolArray | None = None

    @cached_property
    def arrays(self) -> SpaceArrays:
        """The space for kernels."""
        arrays = self.space.arrays
        return arrays if self.movable is None else arrays._replace(movable=self.movable)

    @cached_property
    def _both(self) -> FloatArray:
        """Gaps of postures, and gaps certified along moves."""
        along = self.keep if self.resting is None else np.where(self.resting, -np.inf, self.keep)
        return np.stack([self.keep, along])

    @property
    def along(self) -> FloatArray:
        """``(pairs,)`` gaps certified along moves [m]."""
        return np.asarray(self._both[1])

    @cached_property
    def room(self) -> Room:
        """Scratch."""
        return new_room(self.arrays, self.solids)

    def keeping(self, keep: FloatArray) -> Stage:
        """The same stage with other gaps to keep."""
        return replace(self, keep=np.ascontiguousarray(keep))

    def sparing(self, a: FloatArray, b: FloatArray) -> Stage | None:
        """The same stage in which limbs that two postures share stay as they are; ``None`` when there are none."""
        movable = self.arrays.movable.copy()
        for chain in self.space.linkages[0]:
            own = np.concatenate([np.arange(3 + 3 * joint, 6 + 3 * joint) for joint in chain[chain > 0]])
            if np.abs(a[own] - b[own]).max() < _SAME_RAD:
                movable[own] = 0.0
        # Frozen like the space's own: kernels are compiled for one kind of array.
        return replace(self, movable=frozen(movable)) if (movable != self.arrays.movable).any() else None

    def gaps(self, q: FloatArray) -> FloatArray:
        """Every gap of a posture [m]."""
        return gaps_at(self.arrays, self.solids, q)

    def keeps(self, q: FloatArray) -> bool:
        """Whether a posture keeps every gap."""
        return bool((self.gaps(q) >= self.keep).all())

    def energy(self, q: FloatArray, falloff: int) -> tuple[float, float]:
        """Energy of a posture, and its least gap above what must be kept [m]."""
        from understudy.postures._energy_kernels import energy

        return energy(self.arrays, self.solids, self.keep, q, falloff, self.room, np.empty(0))

    def gradient(self, q: FloatArray, falloff: int) -> FloatArray:
        """Gradient of the energy ``(size,)``."""
        from understudy.postures._energy_kernels import energy

        out = np.zeros(self.space.size)
        energy(self.arrays, self.solids, self.keep, q, falloff, self.room, out)
        return out

    def step(self, q: FloatArray, goal: FloatArray, walk: Walk) -> tuple[FloatArray, float] | None:
        """A step towards another posture down the energy, and the energy there; ``None`` when none is accepted."""
        from understudy.postures._step_kernels import stepped

        out = np.empty(self.space.size)
        ends = np.stack([q, goal])
        height = stepped(self.arrays, self.solids, self.pins, self._both, walk, ends, self.room, out)
        return None if height < 0.0 else (out, height)

    def free(self, a: FloatArray, b: FloatArray, checks: int = MOVE_CHECKS) -> bool:
        """Whether a straight move keeps every gap, certified."""
        from understudy.postures._certify_kernels import certified

        return bool(certified(self.arrays, self.solids, self._both[1], a, b, self.room, checks))

    def advanced(self, a: FloatArray, b: FloatArray, checks: int = 200) -> float:
        """Share of a straight move, from its start, that keeps every gap."""
        from understudy.postures._certify_kernels import advanced

        return float(advanced(self.arrays, self.solids, self._both[1], a, b, self.room, checks))

    def held(self, q: FloatArray) -> tuple[FloatArray, float]:
        """The posture brought onto its pins, and the largest error left [m or rad]."""
        if self.pins is None:
            return q, 0.0
        from understudy.postures._pin_kernels import hold_pins

        out = q.copy()
        return out, float(hold_pins(self.arrays, self.pins, out, self.room))

    def clamped(self, q: FloatArray) -> FloatArray:
        """The posture pulled inside its limits."""
        from understudy.postures._limit_kernels import clamp

        out = q.copy()
        clamp(self.arrays.tree, self.arrays.joints, out)
        return out

    def clamped_all(self, path: FloatArray) -> FloatArray:
        """Every posture of a path ``(n, size)`` pulled inside its limits."""
        from understudy.postures._path_kernels import clamp_all

        out = np.ascontiguousarray(path).copy()
        clamp_all(self.arrays.tree, self.arrays.joints, out)
        return out

    def look_along(self, path: FloatArray) -> tuple[BoolArray, float]:
        """``(n,)`` whether each posture of a path and the move to the next keep their gaps, and the least gap [m]."""
        from understudy.postures._path_kernels import look_along

        free = np.zeros(len(path), dtype=np.bool_)
        least = look_along(self.arrays, self.solids, self._both, path, self.room, 64, free)
        return free, float(least)

    def bridge(self, a: FloatArray, b: FloatArray) -> FloatArray | None:
        """Postures after ``a`` up to ``b`` of a direct connection that keeps every gap and pin; ``None`` if none."""
        if self.pins is None and self.resting is None:
            return b[None] if self.free(a, b) else None
        from understudy.postures.tables import PIN_M

        count = max(1, int(np.ceil(np.linalg.norm(b - a) / _PINNED_STEP)))
        out = a + np.linspace(0.0, 1.0, count + 1)[1:, None] * (b - a)
        before = a
        for n in range(count):
            if n < count - 1:
                out[n], error = self.held(out[n])
                if error > PIN_M:
                    return None
            if np.linalg.norm(out[n] - before) > _PINNED_MOST or not self.free(before, out[n], 64):
                return None
            if self.resting is not None and not self.keeps(out[n]):
                return None
            before = out[n]
        return out
