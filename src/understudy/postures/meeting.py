"""Two postures that walk towards each other down their energies until they can be joined ([Postures], Alg. 1, 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.core.planning import Watch
from understudy.postures.linking import linking_matrix
from understudy.postures.stage import Stage
from understudy.postures.tables import Walk
from understudy.typing import FloatArray

#: Steps after which neither energy nor distance may have stayed (the paper's window), and by which share they fell.
_WINDOW, _PROGRESS = 50, 2e-3
#: Steps between two tries of a direct connection.
_EVERY = 10


@dataclass(frozen=True, eq=False, kw_only=True)
class Meeting:
    """How two walks ended.

    Attributes:
        met: Whether they joined.
        first: ``(n, size)`` postures of the first, and when met on to the end of the second.
        second: ``(m, size)`` postures of the second, from its own start.
        steps: Steps made by both.
    """

    met: bool
    first: FloatArray
    second: FloatArray
    steps: int

    @property
    def path(self) -> FloatArray:
        """The whole way from the first start to the second."""
        return np.concatenate([self.first, self.second[::-1][1:]])


def meet(
    stage: Stage, a: FloatArray, b: FloatArray, *, walk: Walk, steps: int, zone: float = 0.0, watch: Watch | None = None
) -> Meeting:
    """Walk two valid postures together.

    Args:
        stage: Where.
        a: First posture; both keep every gap and pin.
        b: Second posture.
        walk: How to step.
        steps: Most steps of both together.
        zone: Linking difference below which a connection is tried at once (the paper's safe zone); 0 for never.
        watch: Asked now and then whether to stop.
    """
    ways = ([a], [b])
    heights = [stage.energy(q, walk.falloff)[0] for q in (a, b)]
    stuck = [False, False]
    seen = (np.inf, np.inf)
    made = 0
    while made < steps:
        first, second = ways[0][-1], ways[1][-1]
        apart = float(np.linalg.norm(first - second))
        if made % _EVERY == 0 or apart < 2.0 * walk.step or _in_zone(stage, first, second, zone):
            joined = stage.bridge(first, second)
            if joined is not None:
                return _ended(ways, made, joined)
        if made % _WINDOW == _WINDOW - 1:
            if max(heights) > (1.0 - _PROGRESS) * seen[0] and apart > (1.0 - _PROGRESS) * seen[1]:
                break
            seen = (max(heights), apart)
            if watch is not None and watch.interrupted() is not None:
                break
        h = 0 if heights[0] >= heights[1] else 1
        h = 1 - h if stuck[h] else h
        if stuck[h]:
            break
        found = stage.step(ways[h][-1], ways[1 - h][-1], walk)
        made += 1
        if found is None:
            stuck[h] = True
            continue
        ways[h].append(found[0])
        heights[h] = found[1]
        stuck[1 - h] = False
    return _ended(ways, made, None)


def _in_zone(stage: Stage, first: FloatArray, second: FloatArray, zone: float) -> bool:
    if zone <= 0.0 or stage.solids is not None:
        return False
    return float(np.abs(linking_matrix(stage.space, first) - linking_matrix(stage.space, second)).max()) < zone


def _ended(ways: tuple[list[FloatArray], list[FloatArray]], steps: int, joined: FloatArray | None) -> Meeting:
    first, second = (np.array(way) for way in ways)
    if joined is not None:
        first = np.concatenate([first, joined])
    return Meeting(met=joined is not None, first=first, second=second, steps=steps)
