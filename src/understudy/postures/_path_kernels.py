"""Many postures in a row: pulled inside limits, and looked at frame by frame."""

from __future__ import annotations

import math

from understudy.compiling.kernel import njit
from understudy.postures._certify_kernels import certified
from understudy.postures._energy_kernels import measure
from understudy.postures._limit_kernels import clamp
from understudy.postures._placing_kernels import place
from understudy.postures.tables import GAP, Room, Solids, SpaceArrays
from understudy.typing import BoolArray, FloatArray, IntArray


@njit(cache=True)
def clamp_all(tree: IntArray, joints: FloatArray, path: FloatArray) -> None:
    """Pull every posture of a path inside its limits."""
    for n in range(path.shape[0]):
        clamp(tree, joints, path[n])


@njit(cache=True)
def look_along(
    space: SpaceArrays,
    solids: Solids | None,
    keep: FloatArray,
    path: FloatArray,
    room: Room,
    checks: int,
    free: BoolArray,
) -> float:
    """Fill whether each posture and the move to the next keep their gaps; the least gap of all postures [m].

    ``keep (2, pairs)`` as in ``_step_kernels.stepped``; ``free (n,)``, of the last posture only itself.
    """
    least = math.inf
    for n in range(path.shape[0]):
        place(space, path[n], room)
        left = measure(space, solids, keep[0], room)
        for k in range(room.near.shape[0]):
            if keep[0, k] > -math.inf:
                least = min(least, room.near[k, GAP])
        free[n] = left >= 0.0
        if free[n] and n + 1 < path.shape[0]:
            free[n] = certified(space, solids, keep[1], path[n], path[n + 1], room, checks)
    return least
