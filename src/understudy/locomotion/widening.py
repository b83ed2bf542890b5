"""How wide a beam is, stretch by stretch of the path: narrow first, and wider where it got stuck.

Most of a path is easy, and one narrow corner should not make the whole search wide. Where a beam ends before the goal,
it is searched again, wider around that place. Only where that does not help, or where branches that arrive are of no
use, it becomes wider everywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from understudy.locomotion.options import WalkOptions
from understudy.locomotion.tables import Limits
from understudy.typing import IntArray


class Level(NamedTuple):
    """How wide a search is; the next one is wider.

    Attributes:
        width: Factor of the beam's width.
        early: The same where the walk begins.
        wider: Factor of the deviations from the path.
        steer_rad: Heading error from which on transitions are tried at their widest turn, too [rad]; negative for
            always and both ways.
    """

    width: int
    early: int
    wider: float
    steer_rad: float


#: A search whose first end is free; and one that begins with a heading.
_FREE = (
    Level(1, 3, 1.0, np.inf),
    Level(1, 3, 1.5, 0.4),
    Level(3, 9, 2.5, 0.25),
    Level(6, 18, 2.5, 0.25),
    Level(10, 30, 5.0, 0.1),
)
_GIVEN = (
    Level(1, 2, 1.0, 0.3),
    Level(1, 4, 1.5, 0.3),
    Level(2, 6, 2.5, -1.0),
    Level(4, 12, 4.0, -1.0),
    Level(10, 40, 5.0, -1.0),
)
LEVELS = len(_GIVEN)
#: [m] how far along the path a walk begins.
_EARLY_FREE_M, _EARLY_GIVEN_M = 1.0, 3.0
#: [m] how far before and behind the place where a beam got stuck it becomes wider; and how often that is tried.
_BEFORE_M, _BEHIND_M, _TIMES = 2.5, 1.5, 6
_CANDIDATES, _STOP_PAST = 96, 1.6
#: [m/rad] a heading error's share in progress.
PROGRESS_TURN_M = 0.4


@dataclass(frozen=True, eq=False)
class Widening:
    """How wide the next attempt is.

    Attributes:
        levels: ``(stretches,)`` level of every stretch of the path.
        attempt: How many attempts there were.
        local: How many of them became wider in one place only.
    """

    levels: IntArray
    attempt: int = 0
    local: int = 0

    @staticmethod
    def narrow(length_m: float, options: WalkOptions) -> Widening:
        """The first attempt."""
        return Widening(np.zeros(int(length_m / options.bucket_m) + 1, dtype=np.int64))

    @staticmethod
    def everywhere(level: int, length_m: float, options: WalkOptions) -> Widening:
        """One level along the whole path."""
        return replace(Widening.narrow(length_m, options), levels=Widening.narrow(length_m, options).levels + level)

    def wider(self, stuck_m: float | None, bucket_m: float) -> Widening | None:
        """The next attempt; ``None`` after the widest.

        Args:
            stuck_m: How far along the path the last one got [m]; ``None`` when it got to its end.
            bucket_m: Length of a stretch [m].
        """
        levels, top = self.levels.copy(), LEVELS - 1
        if stuck_m is not None and self.local < _TIMES:
            first = max(int((stuck_m - _BEFORE_M) / bucket_m), 0)
            here = levels[first : int((stuck_m + _BEHIND_M) / bucket_m) + 1]
            if len(here) and here.min() < top:
                here[:] = np.minimum(here + 1, top)
                return Widening(levels, self.attempt + 1, self.local + 1)
        if levels.min() >= top:
            return None
        return Widening(np.maximum(levels, levels.min() + 1), self.attempt + 1, self.local)

    def backwards(self) -> Widening:
        """The same, for a search along the path from its end."""
        return replace(self, levels=self.levels[::-1])

    def limits(self, options: WalkOptions, *, given: bool) -> Limits:
        """How a beam is searched; ``given`` when it begins with a heading."""
        table = np.array(_GIVEN if given else _FREE)
        width, early_width, wider, steer = table[self.levels].T
        early = np.arange(len(self.levels)) * options.bucket_m < (_EARLY_GIVEN_M if given else _EARLY_FREE_M)
        deviations = options.deviation_m * wider
        if given:
            deviations = np.where(early, np.maximum(options.early_deviation_m * wider, deviations), deviations)
        return Limits(
            widths=(options.width * np.where(early, early_width, width)).astype(np.int64),
            deviations_m=deviations,
            steers_rad=np.ascontiguousarray(steer),
            low_m=-PROGRESS_TURN_M * math.pi - float(deviations.max()),
            bucket_m=options.bucket_m,
            margin_m=options.margin_m,
            # There are few clips to stop with, so more has to be taken up by turning.
            past_m=options.past_m * (_STOP_PAST if options.stop else 1.0),
            states=options.max_states,
            candidates=_CANDIDATES * int(table[self.levels.max(), 0]),
        )
