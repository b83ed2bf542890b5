"""Whether the end of a limb has room at a place at all, whatever the rest of the limb does."""

from __future__ import annotations

import math

from understudy.collision._placing_kernels import place_moving
from understudy.collision.tables import BOUND, CENTRE
from understudy.compiling.kernel import njit
from understudy.limbs._gap_kernels import solid_within
from understudy.limbs.tables import Scratch, Setting
from understudy.typing import BoolArray, FloatArray, IntArray


@njit(cache=True, error_model="numpy")
def blocked_ends(
    setting: Setting,
    scratch: Scratch,
    part: int,
    ends: FloatArray,
    t: float,
    least_m: float,
    blame: IntArray,
    free: BoolArray,
    one_is_enough: bool,
) -> None:
    """Whether a part is nearer than ``least_m`` to some solid with each of ``ends (n, 6)`` at a time.

    ``least_m`` [m] counts from the part's surface and may be negative; ``blame (solids,)`` counts what is in the way.
    ``free (n,)`` is set where nothing is; stops at the first of these when ``one_is_enough``.
    """
    window, solids, world, rows = setting.window, setting.solids, scratch.world, scratch.rows
    place_moving(setting.tracks, t, rows)
    radius, half = window.own_radii[part], window.own_halves[part]
    for n in range(ends.shape[0]):
        for i in range(6):
            world[part, i] = ends[n, i]
        for i in range(3):
            world[part, 6 + i] = 0.5 * (ends[n, i] + ends[n, 3 + i])
        found = -1
        for s in range(rows.shape[0]):
            need = radius - window.depths[part, s] + least_m
            if need == -math.inf:
                continue
            x = world[part, 6] - rows[s, CENTRE]
            y = world[part, 7] - rows[s, CENTRE + 1]
            z = world[part, 8] - rows[s, CENTRE + 2]
            if math.sqrt(x * x + y * y + z * z) - half - rows[s, BOUND] >= need:
                continue
            if solid_within(solids, rows, s, world, part, max(need, 0.0) + 1e-9) < need:
                found = s
                break
        free[n] = found < 0
        if found >= 0:
            blame[found] += 1
        elif one_is_enough:
            return
