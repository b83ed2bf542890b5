"""How wide a beam is, stretch by stretch of the path: narrow first, and wider where it got stuck.

Every level doubles the beam and lets it stray half as far again. Most of a path is easy, and one narrow corner should
not make the whole search wide: where a beam ends before the goal it is searched again, wider around that place. Where
that does not help, or where branches that arrive are of no use, it becomes wider everywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from understudy.locomotion.options import SearchOptions
from understudy.locomotion.tables import Limits
from understudy.typing import IntArray

#: Levels of width; from which one on transitions are turned both ways everywhere.
LEVELS, _BOTH_WAYS = 5, 2
#: [rad] heading error from which on transitions are tried at their widest turn, too, below that level.
_STEER_RAD = 0.4
#: [m] how far before and behind the place where a beam got stuck it becomes wider.
_BEFORE_M, _BEHIND_M = 2.5, 1.5
#: How many times wider a beam is where it begins, and before a goal at which it matters how one arrives: few clips do.
_EARLY, _LATE = 2, 8
#: [m] how near to these that is: where anything goes, and where something is asked.
_FREE_M, _BOUND_M = 1.0, 3.0
_CANDIDATES = 96
#: [m/rad] a heading error's share in progress.
PROGRESS_TURN_M = 0.4


@dataclass(frozen=True, eq=False)
class Effort:
    """How wide the next attempt is.

    Attributes:
        levels: ``(stretches,)`` level of every stretch of the path.
        attempt: How many attempts there were.
    """

    levels: IntArray
    attempt: int = 0

    @staticmethod
    def first(length_m: float, bucket_m: float, *, level: int = 0) -> Effort:
        """One level along the whole path, the narrowest unless given."""
        return Effort(np.full(int(length_m / bucket_m) + 1, level, dtype=np.int64))

    def wider(self, stuck_m: float | None, bucket_m: float) -> Effort | None:
        """The next attempt; ``None`` after the widest.

        Args:
            stuck_m: How far along the path the last one got [m]; ``None`` when it got to its end.
            bucket_m: Length of a stretch [m].
        """
        levels, lowest, top = self.levels.copy(), int(self.levels.min()), LEVELS - 1
        if stuck_m is not None:
            around = slice(max(int((stuck_m - _BEFORE_M) / bucket_m), 0), int((stuck_m + _BEHIND_M) / bucket_m) + 1)
            # One place is at most two levels ahead of the rest.
            most = min(lowest + 2, top)
            if len(levels[around]) and levels[around].min() < most:
                levels[around] = np.minimum(levels[around] + 1, most)
                return Effort(levels, self.attempt + 1)
        return None if lowest >= top else Effort(np.maximum(levels, lowest + 1), self.attempt + 1)

    def backwards(self) -> Effort:
        """The same, for a search along the path from its end."""
        return Effort(self.levels[::-1], self.attempt)

    def limits(self, options: SearchOptions, *, turned: bool, bound: bool) -> Limits:
        """How a beam is searched.

        Args:
            options: How wide, and what is kept.
            turned: Whether it begins facing elsewhere than along the path.
            bound: Whether it matters how it ends.
        """
        arcs = np.arange(len(self.levels)) * options.bucket_m
        early = arcs < (_BOUND_M if turned else _FREE_M)
        late = arcs > arcs[-1] - (_BOUND_M if bound else 0.0)
        deviations = np.asarray(options.deviation_m * 1.5**self.levels, dtype=np.float64)
        if turned:
            deviations[early] = np.maximum(options.early_deviation_m * 1.5 ** self.levels[early], deviations[early])
        return Limits(
            widths=options.width * 2**self.levels * np.where(late, _LATE, np.where(early, _EARLY, 1)),
            deviations_m=deviations,
            steers_rad=np.where(self.levels < _BOTH_WAYS, _STEER_RAD, -1.0),
            low_m=-PROGRESS_TURN_M * math.pi - float(deviations.max()),
            bucket_m=options.bucket_m,
            margin_m=options.margin_m,
            apart_m=options.apart_m,
            past_m=options.past_m,
            states=options.max_states,
            candidates=_CANDIDATES * 2 ** int(self.levels.max()),
        )
