"""The sparse system over all knots: blocks that reach two knots on, solved within what each knot may do.

Every hard constraint (ends, pins, supports, active limits and gaps) concerns one knot, so each is met exactly by
moving in the null space of its knot's rows; what is left is symmetric, positive and block-tridiagonal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from understudy.typing import FloatArray

#: Rows whose singular value is smaller, relative to the largest, say nothing new.
_RANK = 1e-7
#: How many knots on a block reaches.
REACH = 2


@dataclass(frozen=True, eq=False)
class Blocks:
    """A quadratic ``1/2 x' H x + g' x`` over knots ``(knots, size)``.

    Attributes:
        matrix: ``(knots, 3, size, size)`` block of a knot with itself, the next, and the one after.
        gradient: ``(knots, size)``.
    """

    matrix: FloatArray
    gradient: FloatArray

    @classmethod
    def zeros(cls, knots: int, size: int) -> Blocks:
        """The quadratic that is zero."""
        return cls(np.zeros((knots, REACH + 1, size, size)), np.zeros((knots, size)))

    def add(self, first: int, rows: list[FloatArray], values: FloatArray, weight: float) -> None:
        """Add ``weight / 2 |values + sum_k rows[k] x[first + k]|^2``."""
        for a, left in enumerate(rows):
            self.gradient[first + a] += weight * (left.T @ values)
            for b in range(a, len(rows)):
                self.matrix[first + a, b - a] += weight * (left.T @ rows[b])


def allowed(rows: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """All ``x`` with ``rows x = values``: the smallest one ``(size,)`` and a basis ``(size, r)`` of what may be added.

    Rows that depend on others are left out.
    """
    size = rows.shape[1]
    if len(rows) == 0:
        return np.zeros(size), np.eye(size)
    from scipy.linalg import qr

    # rows' = Q R P': rows that depend on others come last and are left out.
    q, r, order = qr(rows.T, mode="full", pivoting=True, check_finite=False)
    diagonal = np.abs(np.diag(r))
    rank = int((diagonal > _RANK * diagonal[0]).sum()) if diagonal[0] > 0.0 else 0
    if rank == 0:
        return np.zeros(size), np.eye(size)
    least = q[:, :rank] @ np.linalg.solve(r[:rank, :rank].T, values[order[:rank]])
    return least, np.ascontiguousarray(q[:, rank:])


def minimiser(blocks: Blocks, rooms: list[tuple[FloatArray, FloatArray]]) -> FloatArray:
    """``(knots, size)`` where the quadratic is least within what :func:`allowed` leaves every knot.

    Two knots together are one unknown of a block-tridiagonal system, which is factored front to back.
    """
    from scipy.linalg import cholesky, solve_triangular

    base = np.stack([least for least, _ in rooms])
    gradient = blocks.gradient + _times(blocks, base)
    couples = [range(k, min(k + REACH, len(rooms))) for k in range(0, len(rooms), REACH)]
    factors: list[FloatArray] = []
    onward: list[FloatArray] = []
    sides: list[FloatArray] = []
    for n, couple in enumerate(couples):
        matrix = _reduced(blocks, rooms, couple, couple)
        side = -np.concatenate([rooms[k][1].T @ gradient[k] for k in couple])
        if n > 0:
            matrix -= onward[-1].T @ onward[-1]
            side -= onward[-1].T @ sides[-1]
        factor = cholesky(matrix, lower=True, check_finite=False) if len(matrix) else matrix
        factors.append(factor)
        sides.append(_forward(solve_triangular, factor, side))
        if n + 1 < len(couples):
            onward.append(_forward(solve_triangular, factor, _reduced(blocks, rooms, couple, couples[n + 1])))
    out, later = base.copy(), np.zeros(0)
    for n in range(len(couples) - 1, -1, -1):
        side = sides[n] - onward[n] @ later if n + 1 < len(couples) else sides[n]
        found = solve_triangular(factors[n], side, lower=True, trans="T", check_finite=False) if len(side) else side
        at = 0
        for k in couples[n]:
            width = rooms[k][1].shape[1]
            out[k] += rooms[k][1] @ found[at : at + width]
            at += width
        later = found
    return out


def _forward(solve: Callable[..., FloatArray], factor: FloatArray, side: FloatArray) -> FloatArray:
    return solve(factor, side, lower=True, check_finite=False) if len(factor) else side


def _reduced(blocks: Blocks, rooms: list[tuple[FloatArray, FloatArray]], rows: range, columns: range) -> FloatArray:
    """The part of the matrix between two couples of knots, in what they may do."""
    parts = []
    for a in rows:
        line = []
        for b in columns:
            left, right = rooms[a][1], rooms[b][1]
            if abs(b - a) > REACH:
                line.append(np.zeros((left.shape[1], right.shape[1])))
            elif b >= a:
                line.append(left.T @ blocks.matrix[a, b - a] @ right)
            else:
                line.append(left.T @ blocks.matrix[b, a - b].T @ right)
        parts.append(np.hstack(line))
    return np.vstack(parts)


def _times(blocks: Blocks, x: FloatArray) -> FloatArray:
    """``H x``."""
    out = np.einsum("kij,kj->ki", blocks.matrix[:, 0], x)
    for step in range(1, REACH + 1):
        if len(x) > step:
            upper = blocks.matrix[:-step, step]
            out[:-step] += np.einsum("kij,kj->ki", upper, x[step:])
            out[step:] += np.einsum("kij,ki->kj", upper, x[:-step])
    return np.asarray(out)
