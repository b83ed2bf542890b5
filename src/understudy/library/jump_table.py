"""Jumps between any two frames of a library that look alike, found once and saved with it.

They are found by :mod:`understudy.locomotion.published.sampling`; here is what of them lies in a library's file.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.library.array_tables import beyond
from understudy.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class JumpTable:
    """Jumps, sorted by the frame they leave, in arrays that may lie in a file.

    Attributes:
        least: Fewest frames between two jumps.
        out: ``(jumps,)`` frame a jump leaves.
        into: ``(jumps,)`` frame it leads to.
        transforms: ``(jumps, 3)`` where the entered take lies in the axes of the left one.
        pivots: ``(jumps, 2)`` floor point in the left take's axes about which the rest may be turned [m].
        ranges: ``(jumps, 2)`` lowest and highest such turn [rad].
        costs: ``(jumps,)`` what a jump costs [m].
        rms_m: ``(jumps,)`` distance of the two windows [m].
        carriers: ``(jumps,)`` carrying feet: bits 1 left, 2 right; 0 none.
        parents: ``(jumps,)`` the coarser jump this one refines; -1 for root jumps.
        runs: ``(frames,)`` run of playable frames a frame belongs to; -1 for none.
        stops: ``(frames,)`` last frame of that run.
    """

    least: int
    out: IntArray
    into: IntArray
    transforms: FloatArray
    pivots: FloatArray
    ranges: FloatArray
    costs: FloatArray
    rms_m: FloatArray
    carriers: IntArray
    parents: IntArray
    runs: IntArray
    stops: IntArray

    def __len__(self) -> int:
        """Number of jumps."""
        return len(self.out)

    @property
    def nbytes(self) -> int:
        """Size of all arrays [bytes]."""
        return sum(getattr(self, name).nbytes for name in TYPES)


#: Type and shape of every array, with "j" for jumps and "f" for frames.
TYPES: dict[str, tuple[str, tuple[str | int, ...]]] = {
    "out": ("<i8", ("j",)),
    "into": ("<i8", ("j",)),
    "transforms": ("<f8", ("j", 3)),
    "pivots": ("<f8", ("j", 2)),
    "ranges": ("<f8", ("j", 2)),
    "costs": ("<f8", ("j",)),
    "rms_m": ("<f8", ("j",)),
    "carriers": ("<i8", ("j",)),
    "parents": ("<i8", ("j",)),
    "runs": ("<i8", ("f",)),
    "stops": ("<i8", ("f",)),
}


def fault_in(table: JumpTable, frames: int, starts: IntArray) -> str:
    """What contradicts itself in a table that came out of a file, or does not fit its footage; empty for nothing.

    Args:
        table: The jumps; the arrays' shapes are as :data:`TYPES` says.
        frames: Frames of the footage.
        starts: ``(takes + 1,)`` where its takes begin.
    """
    count = len(table)
    if count == 0 or not 1 <= table.least <= frames:
        return "the number of jumps"
    numbers = (table.transforms, table.pivots, table.ranges, table.costs, table.rms_m)
    if any(beyond(values) for values in numbers) or (table.costs < 0.0).any():
        return "a number"
    if min(table.out.min(), table.into.min()) < 0 or max(table.out.max(), table.into.max()) >= frames:
        return "a jump's frame"
    if (np.diff(table.out) < 0).any() or (table.ranges[:, 0] > table.ranges[:, 1]).any():
        return "the order of jumps"
    own = np.arange(count)
    if (table.parents < -1).any() or (table.parents >= count).any() or (table.parents == own).any():
        return "a finer jump's parent"
    if ((table.carriers < 0) | (table.carriers > 3)).any():
        return "a carrier"
    return _fault_in_runs(table, frames, starts)


def _fault_in_runs(table: JumpTable, frames: int, starts: IntArray) -> str:
    """Runs are numbered in order, each within one take, and jumps join frames of runs."""
    runs, stops, every = table.runs, table.stops, np.arange(frames)
    if (runs < -1).any() or runs.max() > frames or (runs[table.out] < 0).any() or (runs[table.into] < 0).any():
        return "a run"
    if (stops < every).any() or (stops >= frames).any() or (runs[stops] != runs).any():
        return "the end of a run"
    takes = np.searchsorted(starts, every, side="right")
    return "a run over two takes" if (takes[stops] != takes).any() else ""
