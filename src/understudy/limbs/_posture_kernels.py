"""Postures of a limb that are free at a moment, or can be held while time passes: where a way may well lead."""

from __future__ import annotations

import math

from understudy.collision._shape_kernels import solid_touches
from understudy.collision.tables import BOUND, CENTRE
from understudy.compiling.kernel import njit
from understudy.core.uncounted import uncounted
from understudy.limbs._edge_kernels import edge_reaches, set_edge
from understudy.limbs._gap_kernels import solid_within
from understudy.limbs._nearest_kernels import nearest_own
from understudy.limbs._pose_kernels import breaks_limits, place_limb
from understudy.limbs.tables import FREE, Margin, Scratch, Setting
from understudy.typing import FloatArray


@uncounted
def _meets_solid(setting: Setting, scratch: Scratch, kept_m: float) -> bool:
    """Whether a placed limb is nearer to a solid than ``kept_m`` beyond what it may be; which one is not looked for."""
    window, solids, world, rows = setting.window, setting.solids, scratch.world, scratch.rows
    depths, radii, halves = window.depths, window.own_radii, window.own_halves
    for i in range(rows.shape[0]):
        for m in range(world.shape[0]):
            reach = radii[m] - depths[m, i] + kept_m
            x, y, z = (
                world[m, 6] - rows[i, CENTRE],
                world[m, 7] - rows[i, CENTRE + 1],
                world[m, 8] - rows[i, CENTRE + 2],
            )
            apart = math.sqrt(x * x + y * y + z * z) - halves[m] - rows[i, BOUND]
            if reach == -math.inf or apart >= reach:
                continue
            if reach <= 0.0:
                if solid_within(solids, rows, i, world, m, 1e-9) < reach:
                    return True
                continue
            a = world[m]
            if solid_touches(solids, rows, i, a[0], a[1], a[2], a[3], a[4], a[5], reach):
                return True
    return False


@uncounted
def posture_free(setting: Setting, scratch: Scratch, offset: FloatArray, t: float, kept_m: float) -> bool:
    """Whether a posture is within limits at a time and keeps ``kept_m`` from everything."""
    if breaks_limits(setting, scratch, offset, t) >= 0:
        return False
    place_limb(setting, scratch, offset, t)
    if nearest_own(setting, scratch, t, kept_m)[1] >= 0:
        return False
    return not _meets_solid(setting, scratch, kept_m)


@njit(cache=True, error_model="numpy")
def free_postures(
    setting: Setting, scratch: Scratch, offsets: FloatArray, t: float, kept_m: float, out: FloatArray
) -> int:
    """How many of ``offsets (n, parameters)`` are free at a time; writes them into ``out`` until it is full."""
    count = 0
    for i in range(offsets.shape[0]):
        if posture_free(setting, scratch, offsets[i], t, kept_m):
            out[count] = offsets[i]
            count += 1
            if count == out.shape[0]:
                break
    return count


@njit(cache=True, error_model="numpy")
def held_postures(
    setting: Setting,
    scratch: Scratch,
    margin: Margin,
    offsets: FloatArray,
    times: FloatArray,
    free: FloatArray,
    held: FloatArray,
) -> tuple[int, int]:
    """How many of ``offsets (n, parameters)`` are free at the second of three times, and stay so from first to third.

    Both are written, into ``free`` and ``held``, until one of these is full.
    """
    frees, helds = 0, 0
    for i in range(offsets.shape[0]):
        if not posture_free(setting, scratch, offsets[i], times[1], margin.least_m):
            continue
        free[frees] = offsets[i]
        frees += 1
        set_edge(scratch, offsets[i], offsets[i])
        _, kind, _, _, _ = edge_reaches(setting, scratch, times[0], times[2], margin, 0)
        if kind == FREE:
            held[helds] = offsets[i]
            helds += 1
        if frees == free.shape[0] or helds == held.shape[0]:
            break
    return frees, helds
