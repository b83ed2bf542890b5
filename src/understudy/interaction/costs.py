"""What a change of the unknowns costs, and the least change that meets linear demands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from understudy.core.one_thread import one_thread
from understudy.interaction._solve_kernels import gram, whitened
from understudy.interaction.system import System
from understudy.typing import BoolArray, FloatArray, IntArray

#: Largest over smallest pivot beyond which demands contradict each other or say the same twice.
CONDITION = 1e9
#: Give of inequalities, as a share of what they cost.
_GIVE = 1e-7


@dataclass(frozen=True, eq=False, kw_only=True)
class Costs:
    """Inverse of the cost of a change, see ``_solve_kernels.whitened``; ``matrices`` is the inverse of ``inverses``."""

    firsts: IntArray
    counts: IntArray
    inverses: FloatArray
    gains: FloatArray
    matrices: FloatArray

    def price(self, change: FloatArray) -> float:
        """What a change ``(unknowns,)`` costs."""
        total, last = 0.0, 0
        for k, (first, count) in enumerate(zip(self.firsts, self.counts, strict=True)):
            part = change[first : first + count]
            last = int(first + count)
            if self.gains[first] > 0.0 and part.any():
                total += float(part @ self.matrices[k, :count, :count] @ part) / float(self.gains[first])
        rest = self.gains[last:] > 0.0
        return total + float(np.sum(change[last:][rest] ** 2 / self.gains[last:][rest]))

    def whitened(self, jacobian: FloatArray) -> FloatArray:
        """``J C^-1`` ``(rows, unknowns)`` with ``C`` what a change costs."""
        white = np.empty(jacobian.shape)
        whitened(np.ascontiguousarray(jacobian), self.firsts, self.counts, self.inverses, self.gains, white)
        return white

    @classmethod
    def of(cls, system: System, *, time_factor: float = 1.0) -> Costs:
        """Costs of a play's unknowns.

        Args:
            system: The play.
            time_factor: How much dearer changes of contact times are than usual.
        """
        firsts: list[int] = []
        counts: list[int] = []
        owners: list[tuple[int, str] | None] = []
        gains = np.ones(system.size)
        for number, actor in enumerate(system.play.actors):
            width = actor.spans + 3
            for d, weight in enumerate(actor.freedoms.weights):
                first = int(system.actor_columns[number]) + d * width
                firsts.append(first)
                counts.append(width)
                owners.append((number, actor.dof_sides[d]))
                gains[first : first + width] = 1.0 / weight
            blend = int(system.actor_columns[number + 1]) - len(actor.blends)
            for b, clip in enumerate(actor.blends):
                firsts.append(blend + b)
                counts.append(1)
                owners.append(None)
                gains[blend + b] = 1.0 / clip.unwilling
        inverses = np.zeros((len(firsts), max(counts), max(counts)))
        matrices = np.zeros_like(inverses)
        known = {
            (number, side): (inverse, np.linalg.inv(inverse))
            for number, actor in enumerate(system.play.actors)
            for side, inverse in actor.cost_inverses.items()
        }
        for k, owner in enumerate(owners):
            if owner is None:
                inverses[k, 0, 0] = matrices[k, 0, 0] = 1.0
            else:
                inverses[k, : counts[k], : counts[k]], matrices[k, : counts[k], : counts[k]] = known[owner]
        factor = np.array([time_factor if kind == "time" else 1.0 for kind in system.layout.kinds])
        if len(factor):
            gains[system.control_count :] = 1.0 / (np.array(system.layout.costs) * factor)
        return cls(
            firsts=np.array(firsts, dtype=np.int64),
            counts=np.array(counts, dtype=np.int64),
            inverses=inverses,
            gains=gains,
            matrices=matrices,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Change:
    """The answer to linear demands.

    Attributes:
        step: ``(unknowns,)``.
        active: ``(inequalities,)`` those that hold as equalities.
        condition: Largest over smallest pivot of the system solved.
    """

    step: FloatArray
    active: BoolArray
    condition: float


@one_thread()
def least_change(
    costs: Costs, jacobian: FloatArray, wanted: FloatArray, bounds: FloatArray, toward: FloatArray | None = None
) -> Change:
    """The cheapest step with ``J_eq step = wanted`` and ``bounds + J_in step >= 0``.

    Args:
        costs: What a step costs.
        jacobian: ``(equalities + inequalities, unknowns)``.
        wanted: ``(equalities,)``.
        bounds: ``(inequalities,)`` how much room each has left.
        toward: ``(unknowns,)`` a step that would cost nothing; none unless given.
    """
    equalities = len(wanted)
    equal, bounding = jacobian[:equalities], jacobian[equalities:]
    toward = np.zeros(jacobian.shape[1]) if toward is None else toward
    white, matrix = costs.whitened(equal), np.empty((equalities, equalities))
    gram(equal, white, matrix)
    demands, condition, solve = _solved(matrix, wanted - equal @ toward)
    free = toward + white.T @ demands
    step, active = free, np.zeros(len(bounds), dtype=bool)
    kept, dear = np.zeros(0, dtype=np.int64), np.zeros((0, jacobian.shape[1]))
    while True:
        # Most inequalities never come to matter: only those that a step breaks are weighed, and weighed from then on.
        short = -bounds - bounding @ step
        short[kept] = 0.0
        new = np.flatnonzero(short > 1e-12)
        if len(new) == 0:
            return Change(step=step, active=active, condition=condition)
        kept, dear = np.concatenate([kept, new]), np.concatenate([dear, costs.whitened(bounding[new])])
        across = white @ bounding[kept].T
        inner = dear @ bounding[kept].T - across.T @ solve(across)
        bought = _inequalities(inner, -bounds[kept] - bounding[kept] @ free)
        active[:] = False
        active[kept] = bought > 0.0
        step = toward + white.T @ (demands - solve(across @ bought)) + dear.T @ bought


def _inequalities(matrix: FloatArray, short: FloatArray) -> FloatArray:
    """Prices ``x >= 0`` with ``matrix x >= short`` where ``x`` is positive: the dual of the quadratic program."""
    from scipy.optimize import nnls

    # A little give keeps inequalities that contradict each other from tearing the step apart; later steps make up.
    give = _GIVE * float(np.trace(matrix)) / len(short) + 1e-12
    factor = np.linalg.cholesky(matrix + give * np.eye(len(short)))
    found, _ = nnls(factor.T, np.linalg.solve(factor, short), maxiter=20 * len(short))
    return np.asarray(found, dtype=np.float64)


def _solved(matrix: FloatArray, need: FloatArray) -> tuple[FloatArray, float, Callable[[FloatArray], FloatArray]]:
    """Solution of a symmetric system that is at least semi-definite, its condition by its pivots, and its solver."""
    from scipy.linalg import cho_solve

    if len(need) == 0:
        return need, 1.0, lambda values: values
    scale = np.sqrt(np.maximum(np.diag(matrix), 1e-300))
    scaled = matrix / scale / scale[:, None]

    def apply(inverse: Callable[[FloatArray], FloatArray]) -> Callable[[FloatArray], FloatArray]:
        return lambda values: (inverse((values.T / scale).T).T / scale).T

    try:
        factor = np.linalg.cholesky(scaled + 1e-14 * np.eye(len(need)))
        pivots = np.diag(factor)
        condition = float((pivots.max() / pivots.min()) ** 2)
        if condition < CONDITION:
            solve = apply(lambda values: cho_solve((factor, True), values, check_finite=False))
            return solve(need), condition, solve
    except np.linalg.LinAlgError:
        pass
    values, vectors = np.linalg.eigh(scaled)
    kept = values > values[-1] / CONDITION
    inverse = np.where(kept, 1.0 / np.where(kept, values, 1.0), 0.0)
    solve = apply(lambda given: vectors @ (inverse * (vectors.T @ given).T).T)
    return solve(need), float("inf"), solve
