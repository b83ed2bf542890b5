"""One step of a posture towards another down its energy ([Postures], Algorithms 1 and 2).

In the working form of "Tried": towards the other posture, and where that would raise the energy along
``D - (D . g + beta) g`` with ``g`` the unit gradient. The step is bounded by 0.9 of what closes the first gap, and
accepted only when every gap is kept, the energy does not rise and the move is certified; otherwise it is halved and
bent downhill. Limits are an active set: what they block is taken out of ``D`` and ``g`` first. So is what moves a pin,
and out of the step what closes gaps that are used up, so that parts slide along each other and along the floor.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.postures._certify_kernels import certified
from understudy.postures._closing_kernels import closing_share
from understudy.postures._energy_kernels import energy
from understudy.postures._gap_kernels import gap_rows, opened
from understudy.postures._limit_kernels import clamp, slide
from understudy.postures._pin_kernels import hold_pins, pin_rows, without_pins
from understudy.postures.tables import PIN_M, PinArrays, Room, Solids, SpaceArrays, Walk
from understudy.typing import FloatArray

#: Poses looked at before a step counts as not certified.
STEP_CHECKS = 48
#: Halvings of one step, and how much further downhill each bends.
_HALVINGS, _BEND = 9, 0.35
#: [m] gaps this little above what must be kept are used up; how many are looked at.
_USED_UP_M, _TIGHT = 4e-4, 12


@njit(cache=True)
def length(step: FloatArray) -> float:
    """Euclidean length of a vector of coordinates."""
    total = 0.0
    for c in range(step.shape[0]):
        total += step[c] * step[c]
    return math.sqrt(total)


@njit(cache=True)
def _deflected(
    space: SpaceArrays, pins: PinArrays | None, beta: float, q: FloatArray, room: Room, d: FloatArray, g: FloatArray
) -> None:
    """Make ``d`` a direction that keeps limits and pins and does not climb; ``g`` becomes the unit gradient."""
    for c in range(g.shape[0]):
        g[c] = -g[c]
    slide(space.tree, space.joints, q, g)
    slide(space.tree, space.joints, q, d)
    if pins is not None:
        both = np.stack((d, g))
        _pinned(space, pins, room, both)
        d[:], g[:] = both[0], both[1]
    steep, way, along = length(g), length(d), 0.0
    for c in range(g.shape[0]):
        g[c] = -g[c] / steep if steep > 0.0 else 0.0
        d[c] = d[c] / way if way > 1e-12 else 0.0
        along += d[c] * g[c]
    if along > 0.0 or way <= 1e-12:
        for c in range(g.shape[0]):
            d[c] -= (along + beta) * g[c]


@njit(cache=True)
def _pinned(space: SpaceArrays, pins: PinArrays, room: Room, steps: FloatArray) -> None:
    """Take what moves the pins out of some directions at a placed posture."""
    rows, error = np.empty((6 * pins.indices.shape[0], steps.shape[1])), np.empty(6 * pins.indices.shape[0])
    count = pin_rows(space, pins, room, rows, error)
    for n in range(steps.shape[0]):
        without_pins(rows, count, steps[n])


@njit(cache=True)
def stepped(
    space: SpaceArrays,
    solids: Solids | None,
    pins: PinArrays | None,
    keep: FloatArray,
    walk: Walk,
    ends: FloatArray,
    room: Room,
    out: FloatArray,
) -> float:
    """One accepted step from ``ends[0]`` towards ``ends[1]`` into ``out``; its energy, negative when there is none."""
    q = ends[0]
    g, none = np.zeros(q.shape[0]), np.empty(0)
    before, left = energy(space, solids, keep[0], q, walk.falloff, room, g)
    d = ends[1] - q
    reach = min(walk.step, length(d))
    _deflected(space, pins, walk.beta, q, room, d, g)
    tight, missing, count = np.empty((_TIGHT, q.shape[0])), np.empty(_TIGHT), 0
    if left < _USED_UP_M:
        count = gap_rows(space, solids, keep[0] + _USED_UP_M, q, room, tight, missing)
        if pins is not None:
            _pinned(space, pins, room, tight[:count])
    for _ in range(_HALVINGS):
        opened(tight, count, d)
        slide(space.tree, space.joints, q, d)
        size = length(d)
        if size < 1e-9:
            break
        for c in range(q.shape[0]):
            d[c] = d[c] / size
        far = min(reach, 0.9 * closing_share(space, keep[0], room, d))
        if far > 1e-7:
            for c in range(q.shape[0]):
                out[c] = q[c] + far * d[c]
            clamp(space.tree, space.joints, out)
            held = True
            if pins is not None:
                held = hold_pins(space, pins, out, room) <= PIN_M
            after, least = energy(space, solids, keep[0], out, walk.falloff, room, none)
            good = held and least >= 0.0 and after <= before
            if good and certified(space, solids, keep[1], q, out, room, STEP_CHECKS):
                return after
        reach = 0.5 * min(reach, max(far, 1e-4))
        for c in range(q.shape[0]):
            d[c] -= _BEND * g[c]
        # Scratch belongs to the posture that was tried: measure this one again.
        energy(space, solids, keep[0], q, walk.falloff, room, none)
    return -1.0
