"""Objects of a scene over time, as the judge asks for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from understudy.typing import FloatArray, IntArray
from understudy.verify.distances.solids import Solid
from understudy.verify.forward import distinct


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
