"""Stillness: how long somebody stands as still as a statue between two movements.

People who stand sway: some joint always turns. A moment is still if none turns faster than 2 degrees a second and the
root stays where it is. Recorded people have such moments for less than a tenth of a second (docs/pace.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from understudy.core import Motion
from understudy.verify.feet import runs
from understudy.verify.forward import Performer
from understudy.verify.low_pass import low_passed_rows
from understudy.verify.smoothness import Turns, limb_turns
from understudy.verify.source_facts import fact

#: [rad/s] joints and [m/s] roots that are slower are still.
STILL_RADPS, STILL_MPS = float(np.radians(2.0)), 0.01


@dataclass(frozen=True, kw_only=True)
class Stillness:
    """The longest time in which nothing moves.

    Attributes:
        longest_s: How long it lasts [s]; motions may begin and end at rest, so times at their ends do not count, nor do
            frames in which evidence with the same frames is still.
        time_s: When it begins, from the motion's first frame [s].
        share: Share of the whole motion that is still, its ends among it.
        known: First and stop of stretches of frames in which the evidence is still.
    """

    longest_s: float
    time_s: float
    share: float
    known: tuple[tuple[int, int], ...] = ()


def stillness(motion: Motion, known: Sequence[tuple[int, int]] = ()) -> Stillness:
    """How still somebody stands in the middle of a motion, beside evidence that is still in ``known`` frames."""
    still = np.zeros(len(motion) + 1, dtype=np.bool_)
    found = still_frames(motion)
    for first, stop in found:
        still[first:stop] = first > 0 and stop < len(motion) - 1
    for first, stop in known:
        still[first:stop] = False
    longest, first = max(((stop - first, first) for first, stop in runs(still)), default=(0, 0))
    share = sum(stop - first for first, stop in found) / max(len(motion) - 1, 1)
    return Stillness(longest_s=longest / motion.fps, time_s=first / motion.fps, share=share, known=tuple(known))


def still_frames(motion: Motion, turns: Mapping[str, Turns] | None = None) -> tuple[tuple[int, int], ...]:
    """First and stop of stretches of frames in which nothing moves; ``turns`` of its limbs if they are known."""
    if len(motion) < 2:
        return ()
    speeds = np.max([one[0] for one in (turns or limb_turns(motion)).values()], axis=0)
    velocities = np.ascontiguousarray((np.diff(motion.root_positions, axis=0) * motion.fps).T)
    slow = np.linalg.norm(low_passed_rows(velocities, motion.fps), axis=0) < STILL_MPS
    return tuple(runs((speeds < STILL_RADPS) & slow))


def still_sources(sources: Sequence[Performer], *, in_step: bool) -> tuple[tuple[int, int], ...]:
    """The frames in which the only source is still, where it has the same frames; else none."""
    if not in_step:
        return ()
    return fact(sources[0], "still frames", lambda one: still_frames(one.motion), of_body=False)
