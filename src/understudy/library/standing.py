"""Standing still: where people rest between walks, so that walks can begin and end there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.core.motion import Motion
from understudy.inspection.intervals import runs
from understudy.library.features import ankle_speeds_mps
from understudy.library.footage import Footage
from understudy.typing import BoolArray, IntArray

#: [m/s] both ankles and the root of somebody who stands are slower.
ANKLE_MPS, ROOT_MPS = 0.2, 0.15


@dataclass(frozen=True, kw_only=True)
class StandingDetector:
    """Cuts a little after a rest begins and a little before it ends: what is before stops, what is after starts.

    Attributes:
        rest_s: Shortest rest [s].
        settled_s: How far inside the rest the cuts are [s].
        name: Short name.
    """

    rest_s: float = 0.4
    settled_s: float = 0.15
    name: str = "standing"

    def cuts(self, motion: Motion) -> tuple[IntArray, Sequence[str]]:
        """Frames in rests; ``"stand"`` begins at the first of a rest and ``"start"`` at its last."""
        inside, least = round(self.settled_s * motion.fps), round(self.rest_s * motion.fps)
        found: dict[int, str] = {}
        for first, stop in runs(stands_still(motion)):
            if stop - first < max(least, 2 * inside + 1):
                continue
            found[first + inside] = "stand"
            found[stop - 1 - inside] = "start"
        frames = sorted(found)
        return np.array(frames, dtype=np.int64), [found[frame] for frame in frames]


def stands_still(motion: Motion) -> BoolArray:
    """``(frames,)`` whether both ankles and the root all but rest."""
    if len(motion) < 3:
        return np.zeros(len(motion), dtype=bool)
    root = np.linalg.norm(np.gradient(motion.root_positions, 1.0 / motion.fps, axis=0), axis=1)
    return np.asarray((ankle_speeds_mps(motion).max(axis=1) < ANKLE_MPS) & (root < ROOT_MPS))


def still_frames(footage: Footage) -> BoolArray:
    """``(frames,)`` the same over all takes."""
    return np.concatenate([stands_still(footage.motion(first, stop)) for first, stop in footage.bounds()])
