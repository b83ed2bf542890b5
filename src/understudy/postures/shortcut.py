"""Shorter paths of the same kind: from each posture straight to the farthest one that still connects.

Greedy doubling and bisection, forwards and backwards in turn, on paths cut into pieces so that
corners are cut too. Connections keep the gaps of their own stage, which asks for more than planning did.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from understudy.postures.stage import Stage
from understudy.typing import FloatArray

#: A round that gains less than this share is the last.
_LEAST_GAIN = 2e-3


def path_length(path: FloatArray) -> float:
    """Length of a path of postures [rad]."""
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())


def in_pieces(path: FloatArray, piece: float) -> FloatArray:
    """The same path with no edge longer than ``piece`` [rad]."""
    parts = [path[:1]]
    for a, b in pairwise(path):
        count = max(1, int(np.ceil(np.linalg.norm(b - a) / piece)))
        parts.append(a + np.linspace(0.0, 1.0, count + 1)[1:, None] * (b - a))
    return np.concatenate(parts)


def shortened(stage: Stage, path: FloatArray, *, rounds: int = 6, piece: float = 0.3) -> FloatArray:
    """Cut a path short; edges that cannot be replaced stay as they are.

    Args:
        stage: Keeps the gaps wanted of shortcuts.
        path: ``(n, size)``.
        rounds: Most passes, each in the other direction.
        piece: Length of the pieces corners are cut at [rad].
    """
    for n in range(rounds):
        before = path_length(path)
        way = path if n == 0 or stage.pins is not None else in_pieces(path, piece)
        path = _once(stage, way[::-1])[::-1] if n % 2 else _once(stage, way)
        if n > 0 and path_length(path) > (1.0 - _LEAST_GAIN) * before:
            break
    return np.ascontiguousarray(path)


def _once(stage: Stage, path: FloatArray) -> FloatArray:
    path = np.ascontiguousarray(path)
    out, here = [path[:1]], 0
    while here < len(path) - 1:
        here, found = _farthest(stage, path, here)
        out.append(found)
    return np.concatenate(out)


def _farthest(stage: Stage, path: FloatArray, here: int) -> tuple[int, FloatArray]:
    """Farthest posture of a path that connects straight with one, and the connection."""
    last = len(path) - 1
    good, best, bad, jump = here + 1, path[here + 1 : here + 2], last + 1, 2
    while good < last and bad > last:
        at = min(here + jump, last)
        found = stage.bridge(path[here], path[at])
        if found is None:
            bad = at
        else:
            good, best = at, found
        jump *= 2
    while bad - good > 1 and good < last:
        at = (good + bad) // 2
        found = stage.bridge(path[here], path[at])
        if found is None:
            bad = at
        else:
            good, best = at, found
    return good, best
