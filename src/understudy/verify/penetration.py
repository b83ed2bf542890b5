"""Penetration: how deep and how long bodies overlap what they must not (docs/verification.md)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from understudy.verify.search import COUNTED_M, PairTrace

#: [m] rounding of depths compared with a bar.
ROUNDING_M = 1e-6


@dataclass(frozen=True, kw_only=True)
class Overlap:
    """Two parts at the time they overlap most.

    Attributes:
        a: One part, such as ``"anna.left_hand"``.
        b: The other part or object.
        time_s: When the overlap exceeds its allowance most.
        depth_m: How deep beyond the allowance [m].
        allowed_m: Depth allowed at that time [m].
        seconds: How long the overlap exceeds its allowance by more than 1 mm [s].
    """

    a: str
    b: str
    time_s: float
    depth_m: float
    allowed_m: float
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Penetration:
    """All overlaps of one performance.

    Attributes:
        max_depth_m: Deepest overlap beyond what is allowed [m].
        seconds_over_1mm: How long any pair overlaps by more than 1 mm beyond what is allowed [s].
        worst: The pair that overlaps most beyond its allowance; ``None`` without one.
        pairs: Every pair that overlaps beyond its allowance, worst first.
        allowed: Every pair that overlaps within what is allowed, deepest first, with how deep and for how long.
    """

    max_depth_m: float
    seconds_over_1mm: float
    worst: Overlap | None
    pairs: tuple[Overlap, ...]
    allowed: tuple[Overlap, ...] = ()

    @property
    def allowed_worst(self) -> Overlap | None:
        """The pair that overlaps deepest within what is allowed."""
        return self.allowed[0] if self.allowed else None

    @property
    def allowed_depth_m(self) -> float:
        """How deep that pair overlaps [m]."""
        return self.allowed[0].depth_m if self.allowed else 0.0

    @property
    def reaches_1mm(self) -> bool:
        """Whether the deepest overlap is a millimetre, to rounding."""
        return self.max_depth_m >= COUNTED_M - ROUNDING_M


def penetration(traces: Iterable[PairTrace]) -> Penetration:
    """Sum up the traces of all pairs."""
    faults: list[Overlap] = []
    spans: list[tuple[float, float]] = []
    meant: list[Overlap] = []
    for trace in traces:
        excess, depth = trace.excess_m, -trace.distances_m
        deepest = int(excess.argmax())
        over = trace.intervals_over(COUNTED_M)
        spans += over
        if excess[deepest] > ROUNDING_M:
            faults.append(_overlap(trace, deepest, float(excess[deepest]), sum(end - start for start, end in over)))
        within = np.minimum(depth, trace.allowed_m)
        most = int(within.argmax())
        if within[most] > ROUNDING_M:
            touching = np.flatnonzero(within > ROUNDING_M)
            lasts = float(trace.times_s[touching[-1]] - trace.times_s[touching[0]])
            meant.append(_overlap(trace, most, float(within[most]), lasts))
    meant.sort(key=lambda one: -one.depth_m)
    faults.sort(key=lambda fault: -fault.depth_m)
    return Penetration(
        max_depth_m=faults[0].depth_m if faults else 0.0,
        seconds_over_1mm=_covered(spans),
        worst=faults[0] if faults else None,
        pairs=tuple(faults),
        allowed=tuple(meant),
    )


def _overlap(trace: PairTrace, index: int, depth: float, seconds: float) -> Overlap:
    allowed = float(trace.allowed_m[index])
    return Overlap(
        a=trace.a, b=trace.b, time_s=float(trace.times_s[index]), depth_m=depth, allowed_m=allowed, seconds=seconds
    )


def _covered(spans: list[tuple[float, float]]) -> float:
    """Length of the union of intervals [s]."""
    total, reached = 0.0, -np.inf
    for start, end in sorted(spans):
        total += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return float(total)
