"""What it takes to walk on, straight ahead on an open floor, from every frame of a library and in every heading.

The cost to go of the sampling's own cost (jumps, effort, detours), by value iteration over the frame graph, fading with
time since no scene stays open. It is found once for a library, in a fraction of a second.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from understudy.locomotion.published.sampling.tables import Jumps
from understudy.typing import FloatArray

#: Headings all round, and sweeps over all frames.
HEADINGS, SWEEPS = 48, 24
#: [s] over which costs fade.
FADES_S = 3.0
#: Share of their ranges jumps may be turned by.
STEER = 0.5
#: [m] cost where a take ends without a jump.
_DEAD_M = 1.5


class Onward(NamedTuple):
    """Cost to go on.

    Attributes:
        costs: ``(frames, HEADINGS)`` from a frame on, of a take that lies turned by so much from straight ahead [m].
        begin: ``(frames, HEADINGS)`` the same where the frame was just jumped to [m].
        rate: What a metre costs beyond itself, jumps and effort included.
        leaving: ``(frames, HEADINGS)`` the least that jumping and going on take in a sector of headings [m]; infinite
            where no jump leaves a frame.
        jumping: ``(frames,)`` the least that a jump itself costs [m].
    """

    costs: FloatArray
    begin: FloatArray
    rate: float
    leaving: FloatArray
    jumping: FloatArray


def onward_of(jumps: Jumps, fps: float) -> Onward:
    """The cost to go of a library."""
    from understudy.locomotion.published.sampling._onward_kernels import leaving, sweep

    kept = float(np.exp(-1.0 / (FADES_S * fps)))
    steps = np.zeros((len(jumps.moves), 3))
    inside = np.flatnonzero(jumps.stops > np.arange(len(jumps.moves)))
    steps[inside, 0] = jumps.arcs[inside + 1] - jumps.arcs[inside] + jumps.efforts[inside + 1] - jumps.efforts[inside]
    steps[inside, 1:] = jumps.moves[inside + 1, :2] - jumps.moves[inside, :2]
    least = np.zeros_like(steps)
    for k in range(jumps.least - 1, -1, -1):
        least[: len(steps) - k] += kept**k * steps[k:]
    playing = np.zeros((len(steps), HEADINGS))
    entered, rate, into = np.zeros_like(playing), 0.2, jumps.into[jumps.roots]
    for _ in range(SWEEPS):
        sweep(jumps, steps, least, kept, rate, STEER, _DEAD_M, entered, playing)
        # Where walking on for ever costs just what it is worth the best place to be costs nothing more.
        rate = max(0.0, rate + 0.5 * float(entered[into].min()) / (1.2 * FADES_S))
    return Onward(
        playing,
        entered,
        rate,
        leaving(jumps, entered, STEER),
        leaving(jumps, np.zeros_like(entered), STEER)[:, 0].copy(),
    )
