"""Whether there is room for a capsule at places in the world, whatever the rest of a limb does."""

from __future__ import annotations

import math

from understudy.collision.tables import SolidArrays
from understudy.compiling.kernel import njit
from understudy.limbs._gap_kernels import ball_apart, solid_within
from understudy.typing import FloatArray, IntArray


@njit(cache=True, error_model="numpy")
def in_the_way(
    solids: SolidArrays,
    rows: FloatArray,
    depths: FloatArray,
    segments: FloatArray,
    need: float,
    one_is_enough: bool,
    out: IntArray,
) -> None:
    """The first solid nearer than ``need`` [m] to each of ``segments (n, 9)``: both ends and the middle; or -1.

    ``depths (solids,)`` [m] is how deep they may be in each. Stops at the first with room when ``one_is_enough``.
    """
    for c in range(segments.shape[0]):
        half, out[c] = 0.0, -1
        for i in range(3):
            half += (segments[c, i] - segments[c, 6 + i]) ** 2
        for s in range(rows.shape[0]):
            least = need - depths[s]
            if least == -math.inf or out[c] >= 0:
                continue
            if ball_apart(segments, c, math.sqrt(half), rows, s) >= least:
                continue
            if solid_within(solids, rows, s, segments, c, max(least, 0.0) + 1e-9) < least:
                out[c] = s
        if one_is_enough and out[c] < 0:
            return
