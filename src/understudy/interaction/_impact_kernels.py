"""The law of impact of a ball on a surface that moves as it likes, with its derivatives.

Newton's restitution along the normal, Coulomb's friction across it. With ``u`` the velocity of the ball's skin
relative to the surface, ``c = u n`` and the ball's moment of inertia ``k m r^2``::

    v' = v - (1 + e) c n + j        w' = w - (n x j) / (k r)
    j  = -u_t k / (1 + k)                     while the skin sticks,
    j  = -mu (1 + e) |c| u_t / |u_t|          when that is less: it slips.

It is written in complex arithmetic and differentiated by steps along the imaginary axis: exact to rounding.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from understudy.compiling.kernel import njit
from understudy.interaction._small_kernels import cross
from understudy.typing import FloatArray

Numbers: TypeAlias = npt.NDArray[np.complex128]
_STEP = 1e-30


class Law(NamedTuple):
    """Outcome and derivatives of one impact.

    Attributes:
        out: ``(2, 3)`` velocity and spin after it.
        by: ``(5, 2, 3, 3)`` their derivatives by the ball's velocity and spin, the surface's velocity (at the ball's
            centre, as if fixed to it) and spin, and the normal.
        by_restitution: ``(2, 3)``.
    """

    out: FloatArray
    by: FloatArray
    by_restitution: FloatArray


@njit(cache=True, error_model="numpy")
def impact(state: FloatArray, restitution: float, friction: float, inertia: float, radius: float, law: Law) -> None:
    """Apply the law.

    Args:
        state: ``(5, 3)`` ball's velocity and spin, surface's velocity and spin, normal.
        restitution: ``e``.
        friction: ``mu``; 0 leaves the spin alone.
        inertia: ``k``; 0.4 for a solid ball, 2/3 for a hollow one.
        radius: [m].
        law: Filled.
    """
    z, after, work = state.astype(np.complex128), np.empty((2, 3), np.complex128), np.empty((2, 3), np.complex128)
    _after(z, complex(restitution, _STEP), friction, inertia, radius, work, after)
    law.out[:] = after.real
    law.by_restitution[:] = after.imag / _STEP
    for source in range(5):
        for axis in range(3):
            z[source, axis] += _STEP * 1j
            _after(z, complex(restitution, 0.0), friction, inertia, radius, work, after)
            z[source, axis] = state[source, axis]
            for part in range(2):
                for i in range(3):
                    law.by[source, part, i, axis] = after[part, i].imag / _STEP


@njit(cache=True, error_model="numpy")
def _after(
    z: Numbers, restitution: complex, friction: float, inertia: float, radius: float, work: Numbers, out: Numbers
) -> None:
    """Velocity and spin after an impact ``(2, 3)``; ``work`` has the same size."""
    v, w, s, o, n = z[0], z[1], z[2], z[3], z[4]
    u, lever = work[0], work[1]
    for i in range(3):
        u[i] = w[i] - o[i]
    cross(u, n, lever)
    c = 0.0j
    for i in range(3):
        u[i] = v[i] - s[i] - radius * lever[i]
        c += (v[i] - s[i]) * n[i]
    square = 0.0j
    for i in range(3):
        u[i] -= c * n[i]
        square += u[i] * u[i]
    slide = np.sqrt(square)
    share, grip = inertia / (1.0 + inertia), friction * (1.0 + restitution) * (c if c.real > 0.0 else -c)
    push = 0.0j
    if friction > 0.0 and slide.real > 1e-12:
        push = -share + 0.0j if share * slide.real <= grip.real else -grip / slide
    for i in range(3):
        u[i] *= push
        out[0, i] = v[i] - (1.0 + restitution) * c * n[i] + u[i]
    cross(n, u, lever)
    for i in range(3):
        out[1, i] = w[i] - lever[i] / (inertia * radius)
