"""The small dense system behind every step, from a Jacobian whose rows are mostly zero."""

from __future__ import annotations

import numpy as np

from understudy.compiling.kernel import njit
from understudy.typing import FloatArray, IntArray


@njit(cache=True, error_model="numpy")
def whitened(
    jacobian: FloatArray, firsts: IntArray, counts: IntArray, inverses: FloatArray, gains: FloatArray, out: FloatArray
) -> None:
    """``out = J C^-1`` with ``C`` what a change costs.

    ``C^-1`` is, for the ``k``-th run of unknowns (``counts[k]`` from column ``firsts[k]``), ``inverses[k]`` scaled by
    ``gains`` of its first column, and for all other columns the diagonal ``gains``.

    Args:
        jacobian: ``(rows, n)``.
        firsts: ``(runs,)`` rising, without gaps from 0 on.
        counts: ``(runs,)``.
        inverses: ``(runs, most, most)``.
        gains: ``(n,)``.
        out: Filled, ``(rows, n)``.
    """
    rows, n = jacobian.shape
    for r in range(rows):
        last = 0
        for k in range(firsts.shape[0]):
            first, count = firsts[k], counts[k]
            last = first + count
            for j in range(count):
                out[r, first + j] = 0.0
            for i in range(count):
                amount = jacobian[r, first + i]
                if amount != 0.0:
                    amount *= gains[first]
                    for j in range(count):
                        out[r, first + j] += amount * inverses[k, i, j]
        for j in range(last, n):
            out[r, j] = jacobian[r, j] * gains[j]


@njit(cache=True, error_model="numpy")
def gram(jacobian: FloatArray, white: FloatArray, out: FloatArray) -> None:
    """``out = J C^-1 J^T`` ``(rows, rows)``, skipping the zeros of ``J``."""
    rows, n = jacobian.shape
    columns = np.empty(n, dtype=np.int64)
    for a in range(rows):
        count = 0
        for j in range(n):
            if jacobian[a, j] != 0.0:
                columns[count] = j
                count += 1
        for b in range(a + 1):
            total = 0.0
            for m in range(count):
                total += jacobian[a, columns[m]] * white[b, columns[m]]
            out[a, b] = total
            out[b, a] = total
