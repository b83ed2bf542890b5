"""Segmentation: cuts found by detectors or local minima, and the clips between them ([Maps]).

Detectors are robust to noise by themselves; here only cuts that would leave a clip shorter than the least are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from understudy.core.motion import Motion
from understudy.errors import OptionError
from understudy.library.features import FeatureDetector, ankle_speeds_mps
from understudy.library.footage import Footage
from understudy.typing import BoolArray, FloatArray, IntArray

#: Label of clips no detector speaks for.
UNNAMED = "other"
#: Feet that carry at a cut, as bits.
LEFT, RIGHT, BOTH = 1, 2, 3
#: [m/s] the slower foot at a cut carries up to this speed even when it never rests, as in runs.
_CARRYING_MPS = 0.4


@dataclass(frozen=True, eq=False, kw_only=True)
class Cuts:
    """Frames at which footage is cut, in order.

    Attributes:
        frames: ``(cuts,)`` frame numbers in the footage.
        labels: Label of the clip that begins at each cut.
        carriers: ``(cuts,)`` which feet carry: bits ``LEFT`` and ``RIGHT``, 0 for none.
    """

    frames: IntArray
    labels: tuple[str, ...]
    carriers: IntArray

    def __len__(self) -> int:
        """Number of cuts."""
        return len(self.frames)


@dataclass(frozen=True, eq=False, kw_only=True)
class Segments:
    """Clips between successive cuts of one take.

    Attributes:
        starts: ``(clips,)`` number of the cut a clip begins at.
        ends: ``(clips,)`` number of the cut it ends at.
    """

    starts: IntArray
    ends: IntArray

    def __len__(self) -> int:
        """Number of clips."""
        return len(self.starts)


def feature_cuts(footage: Footage, detectors: Sequence[FeatureDetector], *, least: int, margin: int) -> Cuts:
    """Cut every take where a detector fires.

    Args:
        footage: The takes.
        detectors: Asked in order; where two fire too near each other the earlier in the list wins.
        least: Shortest clip in frames.
        margin: No cut is nearer than this to a take's ends [frames], so that windows fit.
    """
    frames: list[int] = []
    labels: list[str] = []
    for first, stop in footage.bounds():
        for frame, label in _take_cuts(footage.motion(first, stop), detectors, least, margin):
            frames.append(first + frame)
            labels.append(label)
    return with_carriers(footage, np.array(frames, dtype=np.int64), labels)


def _take_cuts(motion: Motion, detectors: Sequence[FeatureDetector], least: int, margin: int) -> list[tuple[int, str]]:
    chosen: dict[int, str] = {}
    for detector in detectors:
        frames, labels = detector.cuts(motion)
        frames = _checked(frames, labels, detector, len(motion))
        for frame, label in zip(frames.tolist(), labels, strict=True):
            near = any(abs(frame - other) < least for other in chosen)
            if margin <= frame < len(motion) - margin and not near:
                chosen[frame] = label
    return sorted(chosen.items())


def _checked(frames: IntArray, labels: Sequence[str], detector: FeatureDetector, count: int) -> IntArray:
    array = np.asarray(frames, dtype=np.int64).reshape(-1)
    inside = len(array) == 0 or (array[0] >= 0 and array[-1] < count)
    if len(labels) != len(array) or not inside or (np.diff(array) <= 0).any():
        raise OptionError(
            f'the detector "{detector.name}" must give increasing frames in 0..{count - 1} and as many labels; '
            f"got {len(array)} frames and {len(labels)} labels"
        )
    return array


def minima_cuts(footage: Footage, pairs: IntArray, costs: FloatArray, *, least: int, fixed: IntArray) -> IntArray:
    """Frames to cut at so that the cheapest local minima can be used, none nearer than ``least`` to another.

    Args:
        footage: The takes.
        pairs: ``(n, 2)`` frames of local minima.
        costs: ``(n,)`` their distances.
        least: Shortest clip in frames.
        fixed: Cuts that are there already.

    Returns:
        All cuts, the fixed ones included, in order.
    """
    free = np.ones(len(footage), dtype=bool)
    chosen = np.zeros(len(footage), dtype=bool)
    for frame in fixed:
        free[max(frame - least + 1, 0) : frame + least] = False
        chosen[frame] = True
    takes = footage.take_of(pairs.reshape(-1)).reshape(-1, 2)
    order = np.argsort(costs, kind="stable")
    for pair, take in zip(pairs[order], takes[order], strict=True):
        near = take[0] == take[1] and abs(int(pair[1]) - int(pair[0])) < least
        if near or not all(free[frame] or chosen[frame] for frame in pair):
            continue
        for frame, number in zip(pair.tolist(), take.tolist(), strict=True):
            low, high = footage.starts[number], footage.starts[number + 1]
            free[max(frame - least + 1, low) : min(frame + least, high)] = False
            chosen[frame] = True
    return np.flatnonzero(chosen)


def uncovered(footage: Footage, cuts: Cuts, *, longest: int) -> BoolArray:
    """``(frames,)`` stretches between cuts, or beside a take's ends, that are longer than ``longest`` frames."""
    bare = np.zeros(len(footage), dtype=bool)
    edges = np.unique(np.concatenate([footage.starts, cuts.frames]))
    for first, stop in pairwise(edges.tolist()):
        bare[first:stop] = stop - first > longest
    return bare


def with_carriers(footage: Footage, frames: IntArray, labels: Sequence[str] | None = None) -> Cuts:
    """Cuts with the feet that carry at them: those that stand there, else the slower one unless it is fast."""
    carriers = footage.planted[frames] @ np.array([LEFT, RIGHT])
    lost = np.flatnonzero(carriers == 0)
    if len(lost):
        speeds = np.concatenate([ankle_speeds_mps(footage.motion(first, stop)) for first, stop in footage.bounds()])[
            frames[lost]
        ]
        carriers[lost] = np.where(speeds.min(axis=1) < _CARRYING_MPS, 1 + speeds.argmin(axis=1), 0)
    names = tuple(labels) if labels is not None else (UNNAMED,) * len(frames)
    return Cuts(frames=frames, labels=names, carriers=carriers.astype(np.int64))


def segments_of(footage: Footage, cuts: Cuts) -> Segments:
    """The clips between successive cuts of one take."""
    takes = footage.take_of(cuts.frames)
    starts = np.flatnonzero(takes[1:] == takes[:-1]) if len(cuts) > 1 else np.empty(0, dtype=np.int64)
    return Segments(starts=starts, ends=starts + 1)
