"""Stillness: how long somebody stands as still as a statue between two movements.

People who stand sway: some joint always turns. A moment is still if none turns faster than 2 degrees a second and the
root stays where it is. Recorded people have such moments for less than a tenth of a second (docs/pace.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from understudy.core import Motion
from understudy.verify.feet import runs
from understudy.verify.low_pass import low_passed_rows
from understudy.verify.smoothness import Turns, limb_turns

#: [rad/s] joints and [m/s] roots that are slower are still.
STILL_RADPS, STILL_MPS = float(np.radians(2.0)), 0.01


@dataclass(frozen=True, kw_only=True)
class Stillness:
    """The longest time in which nothing moves.

    Attributes:
        longest_s: How long it lasts [s]; motions may begin and end at rest, so times at their ends do not count.
        time_s: When it begins, from the motion's first frame [s].
        share: Share of the whole motion that is still, its ends among it.
    """

    longest_s: float
    time_s: float
    share: float


def stillness(motion: Motion, turns: Mapping[str, Turns] | None = None) -> Stillness:
    """Measure how still somebody stands in the middle of a motion; ``turns`` of its limbs if they are known."""
    if len(motion) < 2:
        return Stillness(longest_s=0.0, time_s=0.0, share=0.0)
    speeds = np.max([one[0] for one in (turns or limb_turns(motion)).values()], axis=0)
    velocities = np.ascontiguousarray((np.diff(motion.root_positions, axis=0) * motion.fps).T)
    still = (speeds < STILL_RADPS) & (np.linalg.norm(low_passed_rows(velocities, motion.fps), axis=0) < STILL_MPS)
    inner = [(stop - first, first) for first, stop in runs(still) if first > 0 and stop < len(still)]
    longest, first = max(inner, default=(0, 0))
    return Stillness(longest_s=longest / motion.fps, time_s=first / motion.fps, share=float(still.mean()))
