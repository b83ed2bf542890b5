"""The nearest posture in which nothing touches and every limit holds.

Gauss-Newton steps of least norm that leave pins where they are open all gaps that are too small at once; limits clamp
after every step, pins are brought back, and what rests on the floor may go on resting. In the end the posture goes back
towards the wanted one as far as its gaps allow. The norm is that of the joints' turns.

Parts that people press on each other come apart otherwise: of all postures that open the gaps, the one is looked for
that displaces parts of the body least. An arm gives way to a thigh, not the back.
"""

from __future__ import annotations

import numpy as np

from understudy.postures.stage import Stage
from understudy.postures.tables import AT, AXIS, MIDDLE, PARENT
from understudy.typing import FloatArray

#: Rounds, longest step of one [rad], and gaps opened at once.
_ROUNDS, _STEP, _ROWS = 400, 0.1, 48
#: [m] more than wanted, so that rounds end where nothing is wanted but to touch no more.
_MORE_M = 1e-4
#: Of gaps that are open already; thighs beside each other cannot open at the hips.
_SHARE = 0.8
#: [m], [rad] how far from its pins a posture may be.
_PIN_ERROR = 5e-4
#: [m] gaps that are so much wider than wanted must not close again.
_BESIDE_M = 0.01
#: Demands that leave less room contradict each other.
_OPPOSED = 1e-9
#: What turning a joint costs, over what moving the whole body does.
_STIFF = 1e-4


def relaxed(stage: Stage, q: FloatArray, *, gap_m: float) -> FloatArray | None:
    """A posture near ``q`` that keeps ``gap_m``, or most of the gaps that ``q`` has; ``None`` when none was found.

    Args:
        stage: Body, solids and pins; its own gaps to keep only say which pairs may touch.
        q: ``(size,)``, touching or outside limits.
        gap_m: Gap wanted [m].
    """
    from understudy.postures._pin_kernels import solved_rows

    opening = _Opening(stage, q, gap_m)
    at, step = stage.clamped(q), np.empty(stage.space.size)
    for n in range(_ROUNDS):
        at, error = stage.held(at)
        if opening.done(at, error):
            return _back_towards(stage.keeping(opening.wanted), at, q)
        rows, missing, gaps = opening.rows(at, 0.0)
        if gaps == 0:
            return None
        solved_rows(rows, len(rows), missing, step)
        size = float(np.linalg.norm(step))
        # Deep overlaps can make opposite demands; a little noise breaks the tie.
        jolt = 0.02 * np.random.default_rng(n).normal(size=len(step)) if n % 40 == 39 else 0.0
        at = stage.clamped(at + step * min(1.0, _STEP / max(size, 1e-12)) + jolt * stage.arrays.movable)
    return None


def parted(stage: Stage, q: FloatArray, *, gap_m: float) -> FloatArray | None:
    """The same with parts displaced as little as can be, however far joints turn for that."""
    from scipy.optimize import nnls

    opening, scale = _Opening(stage, q, gap_m), _least_displacing(stage, q)
    at = stage.clamped(q)
    for _ in range(_ROUNDS):
        at, error = stage.held(at)
        if opening.done(at, error):
            return at
        rows, missing, gaps = opening.rows(at, _BESIDE_M)
        # The least x with A x >= b (Lawson and Hanson's LDP): gaps open at least so far, pins stay.
        bounds = rows @ scale
        least = missing + rows @ (at - q)
        bounds, least = np.concatenate([bounds, -bounds[gaps:]]), np.concatenate([least, -least[gaps:]])
        system = np.concatenate([bounds.T, least[None]])
        left = system @ nnls(system, np.eye(len(system))[-1])[0] - np.eye(len(system))[-1]
        if -left[-1] < _OPPOSED:
            return None
        step = q - scale @ (left[:-1] / left[-1]) - at
        at = stage.clamped(at + step * min(1.0, _STEP / max(float(np.linalg.norm(step)), 1e-12)))
    return None


class _Opening:
    """Gaps that have to open."""

    def __init__(self, stage: Stage, q: FloatArray, gap_m: float) -> None:
        begun = stage.gaps(stage.clamped(q))
        wanted = np.where(begun > 0.0, np.minimum(gap_m, _SHARE * begun), gap_m)
        wanted = np.where(stage.keep == -np.inf, -np.inf, wanted)
        if stage.resting is not None:
            wanted = np.where(stage.resting, np.minimum(wanted, 0.0), wanted)
        self.stage, self.wanted = stage, wanted

    def done(self, at: FloatArray, error: float) -> bool:
        """Whether a posture keeps the gaps wanted, and is on its pins."""
        kept = self.wanted > -np.inf
        return error < _PIN_ERROR and bool((self.stage.gaps(at) >= self.wanted)[kept].all())

    def rows(self, at: FloatArray, more_m: float) -> tuple[FloatArray, FloatArray, int]:
        """Gradients ``(n, size)`` of gaps and pins, what is missing, and how many are of gaps.

        Gaps that are less than ``more_m`` wider than wanted are among them.
        """
        from understudy.postures._gap_kernels import gap_rows
        from understudy.postures._pin_kernels import pin_rows

        stage = self.stage
        held = 0 if stage.pins is None else 6 * len(stage.pins.indices)
        rows, missing = np.zeros((_ROWS + held, stage.space.size)), np.zeros(_ROWS + held)
        # A little more than wanted, so that rounds end.
        aimed = 1.05 * self.wanted + _MORE_M + more_m
        gaps = gap_rows(stage.arrays, stage.solids, aimed, at, stage.room, rows[:_ROWS], missing[:_ROWS])
        missing[:gaps] -= more_m
        count = gaps
        if stage.pins is not None:
            count += pin_rows(stage.arrays, stage.pins, stage.room, rows[gaps:], missing[gaps:])
            missing[gaps:] = 0.0
        return rows[:count], missing[:count], gaps


def _least_displacing(stage: Stage, q: FloatArray) -> FloatArray:
    """``(size, size)`` steps of least norm, taken times this, displace the ends of all capsules least.

    It is the inverse of a root of ``J' J``, ``J`` the Jacobian of these ends; joints are a little stiff.
    """
    from understudy.postures._placing_kernels import place

    arrays, room = stage.arrays, stage.room
    place(arrays, q, room)
    parents, size = arrays.tree[:, PARENT], stage.space.size
    moves = np.zeros((len(arrays.carriers), 2, 3, size))
    moves[..., :3] = np.eye(3)
    for capsule, carrier in enumerate(arrays.carriers.tolist()):
        ends, joint = room.capsules[capsule, :MIDDLE].reshape(2, 3), carrier
        while joint >= 0:
            row = room.joints[joint]
            axes = row[AXIS : AXIS + 9].reshape(3, 3)
            turned = np.cross(axes[None], (ends - row[AT : AT + 3])[:, None])
            moves[capsule, :, :, 3 + 3 * joint : 6 + 3 * joint] = turned.transpose(0, 2, 1)
            joint = int(parents[joint])
    jacobian = moves.reshape(-1, size)
    metric = jacobian.T @ jacobian
    scale = float(metric.diagonal().max())
    return np.asarray(np.linalg.inv(np.linalg.cholesky(metric / scale + _STIFF * np.eye(size))).T)


def _back_towards(stage: Stage, at: FloatArray, wanted: FloatArray) -> FloatArray:
    goal = stage.clamped(wanted)
    if stage.pins is not None:
        return at
    return at + 0.98 * stage.advanced(at, goal) * (goal - at)
