"""The nearest posture in which nothing touches and every limit holds.

Gauss-Newton steps of least norm that leave pins where they are open all gaps that are too small at once; limits clamp
after every step, pins are brought back, and what rests on the floor may go on resting. In the end the posture goes back
towards the wanted one as far as its gaps allow.
"""

from __future__ import annotations

import numpy as np

from understudy.postures.stage import Stage
from understudy.typing import FloatArray

#: Rounds, longest step of one [rad], and gaps opened at once.
_ROUNDS, _STEP, _ROWS = 400, 0.1, 48
#: [m] more than wanted, so that rounds end where nothing is wanted but to touch no more.
_MORE_M = 1e-4
#: Of gaps that are open already; thighs beside each other cannot open at the hips.
_SHARE = 0.8


def relaxed(stage: Stage, q: FloatArray, *, gap_m: float) -> FloatArray | None:
    """A posture near ``q`` that keeps ``gap_m``, or most of the gaps that ``q`` has; ``None`` when none was found.

    Args:
        stage: Body, solids and pins; its own gaps to keep only say which pairs may touch.
        q: ``(size,)``, touching or outside limits.
        gap_m: Gap wanted [m].
    """
    from understudy.postures._gap_kernels import gap_rows
    from understudy.postures._pin_kernels import pin_rows, solved_rows

    begun = stage.gaps(stage.clamped(q))
    wanted = np.where(begun > 0.0, np.minimum(gap_m, _SHARE * begun), gap_m)
    wanted = np.where(stage.keep == -np.inf, -np.inf, wanted)
    if stage.resting is not None:
        wanted = np.where(stage.resting, np.minimum(wanted, 0.0), wanted)
    # A little more than wanted, so that rounds end.
    aimed = 1.05 * wanted + _MORE_M
    held = 0 if stage.pins is None else 6 * len(stage.pins.indices)
    rows, missing = np.empty((_ROWS + held, stage.space.size)), np.empty(_ROWS + held)
    at, step = stage.clamped(q), np.empty(stage.space.size)
    for n in range(_ROUNDS):
        at, error = stage.held(at)
        count = gap_rows(stage.arrays, stage.solids, aimed, at, stage.room, rows[:_ROWS], missing[:_ROWS])
        least = float((stage.gaps(at) - wanted)[wanted > -np.inf].min(initial=np.inf))
        if least >= 0.0 and error < 5e-4:
            return _back_towards(stage.keeping(wanted), at, q)
        if count == 0:
            return None
        if stage.pins is not None:
            still = missing[count:]
            count += pin_rows(stage.arrays, stage.pins, stage.room, rows[count:], still)
            still[:] = 0.0
        solved_rows(rows, count, missing, step)
        size = float(np.linalg.norm(step))
        # Deep overlaps can make opposite demands; a little noise breaks the tie.
        jolt = 0.02 * np.random.default_rng(n).normal(size=len(step)) if n % 40 == 39 else 0.0
        at = stage.clamped(at + step * min(1.0, _STEP / max(size, 1e-12)) + jolt * stage.arrays.movable)
    return None


def _back_towards(stage: Stage, at: FloatArray, wanted: FloatArray) -> FloatArray:
    goal = stage.clamped(wanted)
    if stage.pins is not None:
        return at
    return at + 0.98 * stage.advanced(at, goal) * (goal - at)
