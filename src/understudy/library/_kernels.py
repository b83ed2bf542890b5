"""Numba kernels of the distance image ([Maps], docs/papers.md).

Rows and columns of a tile are frames; its points carry a rim of ``half`` frames at both ends.
"""

import math

import numpy as np

from understudy.compiling.kernel import njit


@njit(cache=True, nogil=True)
def tile_squares(
    rows: np.ndarray,
    cols: np.ndarray,
    row_energy: np.ndarray,
    col_energy: np.ndarray,
    row_sum: np.ndarray,
    col_sum: np.ndarray,
    total: float,
    half: int,
    out: np.ndarray,
) -> None:
    """Write the summed squared distance of every pair of windows of one tile, at the best planar alignment.

    The Gram matrices are made row by row in a ring of one window's length, rather than by a matrix product: their
    whole tile is never needed at once, and threads of a matrix library cost more here than they gain.

    Args:
        rows: ``(3, rows + 2 half, joints)`` z, x and height of the weighted points [m], with a rim of ``half`` frames.
        cols: ``(3, joints, cols + 2 half)`` the same of the columns, transposed.
        row_energy: ``(rows,)`` window sum of ``w |p|^2 + w y^2`` less ``|row_sum|^2 / total``; inf where invalid.
        col_energy: ``(cols,)``.
        row_sum: ``(2, rows)`` window sum of ``w z`` and ``w x``.
        col_sum: ``(2, cols)``.
        total: Sum of all weights of a window.
        half: Half of the window in frames.
        out: ``(rows, cols)`` [m^2] times weight; rounding may leave it a hair below zero.
    """
    count, width = out.shape
    span = 2 * half + 1
    ring = np.zeros((3, span + 1, width + 2 * half))
    sums, moved = np.zeros((3, width)), np.zeros((3, width))
    for i in range(count + 2 * half):
        entering = i % (span + 1)
        _gram_row(rows, cols, i, ring[0, entering], ring[1, entering], ring[2, entering])
        row = i - 2 * half
        if row < 0:
            continue
        if row == 0:
            for j in range(width):
                _window_sum(ring, 0, j, span, sums)
        else:
            leaving = (i - span) % (span + 1)
            # A window's sum is its diagonal predecessor's plus the frame that enters less the one that leaves.
            for part in range(3):
                new, old = ring[part, entering], ring[part, leaving]
                for j in range(1, width):
                    moved[part, j] = sums[part, j - 1] + new[j + span - 1] - old[j - 1]
            sums, moved = moved, sums
            _window_sum(ring, row, 0, span, sums)
        mean_z, mean_x = row_sum[0, row] / total, row_sum[1, row] / total
        for j in range(width):
            real = sums[0, j] - (mean_z * col_sum[0, j] + mean_x * col_sum[1, j])
            imag = sums[1, j] - (mean_x * col_sum[0, j] - mean_z * col_sum[1, j])
            size = math.sqrt(real * real + imag * imag)
            out[row, j] = row_energy[row] + col_energy[j] - 2.0 * (sums[2, j] + size)


@njit(cache=True, nogil=True)
def _gram_row(rows: np.ndarray, cols: np.ndarray, i: int, real: np.ndarray, imag: np.ndarray, tall: np.ndarray) -> None:
    """One row of ``sum_joints p_i conj(p_j)``, its real and imaginary part, and of the heights' products."""
    real[:] = 0.0
    imag[:] = 0.0
    tall[:] = 0.0
    for k in range(rows.shape[2]):
        z, x, y = rows[0, i, k], rows[1, i, k], rows[2, i, k]
        other_z, other_x, other_y = cols[0, k], cols[1, k], cols[2, k]
        for j in range(real.shape[0]):
            real[j] += z * other_z[j] + x * other_x[j]
            imag[j] += x * other_z[j] - z * other_x[j]
            tall[j] += y * other_y[j]


@njit(cache=True, nogil=True)
def _window_sum(ring: np.ndarray, first: int, j: int, span: int, out: np.ndarray) -> None:
    """Sum of one window along its diagonal, straight from the ring."""
    for part in range(3):
        value = 0.0
        for k in range(span):
            value += ring[part, (first + k) % (span + 1), j + k]
        out[part, j] = value


@njit(cache=True, nogil=True)
def local_minima(squares: np.ndarray, rim: int, limit: float) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns of local minima not above ``limit``, at least ``rim`` cells from the tile's border.

    A minimum is not above any of the cells within ``rim`` rows and columns; of equal neighbours the first counts.
    """
    rows, cols = squares.shape
    found_rows = np.empty(rows * cols // (rim + 1) + 1, dtype=np.int64)
    found_cols = np.empty_like(found_rows)
    count = 0
    for i in range(rim, rows - rim):
        for j in range(rim, cols - rim):
            value = squares[i, j]
            if value <= limit and _is_lowest(squares, i, j, rim):
                found_rows[count] = i
                found_cols[count] = j
                count += 1
    return found_rows[:count].copy(), found_cols[:count].copy()


@njit(cache=True, nogil=True)
def _is_lowest(squares: np.ndarray, i: int, j: int, rim: int) -> bool:
    value = squares[i, j]
    for di in range(-rim, rim + 1):
        for dj in range(-rim, rim + 1):
            other = squares[i + di, j + dj]
            if other < value or (other == value and (di < 0 or (di == 0 and dj < 0))):
                return False
    return True
