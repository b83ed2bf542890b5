"""Links: which clips may follow which, found block by block, so that memory grows with the clips and not their square.

Every clip's end is compared with every clip's beginning, some hundred ends at a time, and only pairs that may be joined
are kept: of each clip no more successors than asked for, the nearest ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np

from understudy.library.distance import Windows
from understudy.library.footage import Footage
from understudy.library.options import LibraryOptions
from understudy.library.planar_arrays import ComplexArray, packed
from understudy.library.segmentation import Cuts, Segments
from understudy.library.transitions import CutPairs, cut_pairs, turn_within
from understudy.typing import BoolArray, FloatArray, IntArray

#: Numbers of one matrix of a block: some ten matrices of 8 MB.
_BLOCK = 1_000_000

#: Out cuts, in cuts -> which pairs may be joined at all.
Usable = Callable[[IntArray, IntArray], BoolArray]


@dataclass(frozen=True, eq=False, kw_only=True)
class Links:
    """Transitions between clips, sorted by the clip they leave.

    Attributes:
        sources: ``(n,)`` clip that is left.
        targets: ``(n,)`` clip that follows.
        rms_m: ``(n,)`` distance at the best turn [m].
        yaws_rad: ``(n,)`` that turn, from the in clip's axes to the out clip's [rad].
        pivots: ``(n,)`` kind of pivot.
        swings: ``(n,)`` see :class:`understudy.library.transitions.CutPairs` [m^2].
        out_places: ``(n,)`` the pivot in the out clip's axes [m].
        in_places: ``(n,)`` the pivot in the in clip's axes [m].
    """

    sources: IntArray
    targets: IntArray
    rms_m: FloatArray
    yaws_rad: FloatArray
    pivots: IntArray
    swings: FloatArray
    out_places: ComplexArray
    in_places: ComplexArray

    def transforms(self) -> FloatArray:
        """Rows ``(n, 3)`` that put the in clips down where the out clips are."""
        return packed(self.out_places - np.exp(1j * self.yaws_rad) * self.in_places, self.yaws_rad)

    def half_ranges_rad(self, threshold_m: float) -> FloatArray:
        """``(n,)`` how far the in clips may be turned either way about the pivot [rad]."""
        return turn_within(threshold_m**2 - self.rms_m**2, self.swings)


def linked(
    footage: Footage,
    points: Windows,
    cuts: Cuts,
    segments: Segments,
    options: LibraryOptions,
    *,
    threshold_m: float,
    usable: Usable | None = None,
    progress: Callable[[float], None] | None = None,
) -> Links:
    """Compare every clip's end with every clip's beginning.

    Args:
        footage: The takes.
        points: Their windows.
        cuts: Where they are cut.
        segments: The clips.
        options: Slack of feet, kind of graph, and how many successors a clip may have.
        threshold_m: Largest distance [m].
        usable: Which pairs may be joined at all; all unless given.
        progress: Told the share done after every block.
    """
    step = max(1, _BLOCK // max(len(cuts), 1))
    found = []
    for first in range(0, max(len(segments), 1), step):
        sources = np.arange(first, min(first + step, len(segments)))
        pairs = cut_pairs(
            footage,
            points,
            cuts,
            foot_slack_m=options.foot_slack_m,
            foot_turn_rad=float(np.radians(options.foot_turn_deg)),
            by_feet=options.graph != "standard",
            outs=segments.ends[sources],
        )
        kept = pairs.rms_m[:, segments.starts] <= threshold_m
        if usable is not None:
            kept &= usable(segments.ends[sources], segments.starts)
        found.append(_picked(pairs, sources, segments, _nearest(pairs, segments, kept, options.successors)))
        if progress is not None:
            progress(min(1.0, (first + step) / max(len(segments), 1)))
    return Links(**{item.name: np.concatenate([getattr(one, item.name) for one in found]) for item in fields(Links)})


def _nearest(pairs: CutPairs, segments: Segments, kept: BoolArray, most: int) -> BoolArray:
    """The pairs that are kept, of each row only so many."""
    crowded = np.flatnonzero(kept.sum(axis=1) > most)
    if len(crowded):
        costs = np.where(kept[crowded], pairs.rms_m[crowded][:, segments.starts], np.inf)
        nearest = np.argpartition(costs, most - 1, axis=1)[:, :most]
        kept[crowded] = False
        kept[crowded[:, None], nearest] = True
    return kept


def _picked(pairs: CutPairs, sources: IntArray, segments: Segments, kept: BoolArray) -> Links:
    rows, targets = np.nonzero(kept)
    ins = segments.starts[targets]
    kinds = pairs.pivots[rows, ins]
    return Links(
        sources=sources[rows],
        targets=targets,
        rms_m=pairs.rms_m[rows, ins],
        yaws_rad=pairs.yaws_rad[rows, ins],
        pivots=kinds,
        swings=pairs.swings[rows, ins],
        out_places=pairs.places[segments.ends[sources[rows]], kinds],
        in_places=pairs.places[ins, kinds],
    )


def minima_only(cuts: Cuts, minima: IntArray) -> Usable:
    """Pairs of cuts that are local minima, and every cut with itself: the recording goes on.

    Args:
        cuts: Where the footage is cut.
        minima: ``(n, 2)`` frames of the local minima.
    """
    count = len(cuts)
    where = np.minimum(np.searchsorted(cuts.frames, minima), max(count - 1, 0))
    known = (cuts.frames[where] == minima).all(axis=1) if count else np.zeros(len(minima), dtype=bool)
    a, b = where[known].T
    keys = np.unique(np.concatenate([a * count + b, b * count + a, np.arange(count) * (count + 1)]))

    def usable(outs: IntArray, ins: IntArray) -> BoolArray:
        return np.isin(outs[:, None] * count + ins[None], keys)

    return usable
