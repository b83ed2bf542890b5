"""The law of impact of a ball on a surface that moves as it likes, with its derivatives.

Newton's restitution along the normal, Coulomb's friction across it. With ``u`` the velocity of the ball's skin
relative to the surface, ``c = u n`` and the ball's moment of inertia ``k m r^2``::

    v' = v - (1 + e) c n + j        w' = w - (n x j) / (k r)
    j  = -u_t k / (1 + k)                     while the skin sticks,
    j  = -mu (1 + e) |c| u_t / |u_t|          when that is less: it slips.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy.compiling.kernel import njit
from understudy.interaction._small_kernels import cross
from understudy.typing import FloatArray


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
def impact(state: FloatArray, restitution: float, friction: float, inertia: float, radius: float, law: Law) -> float:
    """Apply the law; returns the approaching speed ``-c`` [m/s].

    Args:
        state: ``(5, 3)`` ball's velocity and spin, surface's velocity and spin, normal.
        restitution: ``e``.
        friction: ``mu``; 0 leaves the spin alone.
        inertia: ``k``; 0.4 for a solid ball, 2/3 for a hollow one.
        radius: [m].
        law: Filled.
    """
    v, w, s, o, n = state[0], state[1], state[2], state[3], state[4]
    out, by, by_e = law.out, law.by, law.by_restitution
    lever, u, push, side = np.empty(3), np.empty(3), np.zeros(3), np.zeros(3)
    for i in range(3):
        side[i] = w[i] - o[i]
    cross(side, n, lever)
    c = 0.0
    for i in range(3):
        u[i] = v[i] - s[i] - radius * lever[i]
        c += (v[i] - s[i]) * n[i]
    slide = 0.0
    for i in range(3):
        u[i] -= c * n[i]
        slide += u[i] * u[i]
    slide = math.sqrt(slide)
    share, grip = inertia / (1.0 + inertia), friction * (1.0 + restitution) * abs(c)
    sticks = share * slide <= grip
    for i in range(3):
        if friction > 0.0 and slide > 1e-12:
            push[i] = -share * u[i] if sticks else -grip * u[i] / slide
        out[0, i] = v[i] - (1.0 + restitution) * c * n[i] + push[i]
    cross(n, push, lever)
    for i in range(3):
        out[1, i] = w[i] - lever[i] / (inertia * radius)
        by_e[0, i], by_e[1, i] = -c * n[i], 0.0
    if friction > 0.0 and slide > 1e-12 and not sticks:
        for i in range(3):
            side[i] = -friction * abs(c) * u[i] / slide
            by_e[0, i] += side[i]
        cross(n, side, lever)
        for i in range(3):
            by_e[1, i] = -lever[i] / (inertia * radius)
    for source in range(5):
        for axis in range(3):
            _column(state, restitution, friction, inertia, radius, c, u, slide, push, source, axis, by)
    return -c


@njit(cache=True, error_model="numpy")
def _column(
    state: FloatArray,
    restitution: float,
    friction: float,
    inertia: float,
    radius: float,
    c: float,
    u: FloatArray,
    slide: float,
    push: FloatArray,
    source: int,
    axis: int,
    by: FloatArray,
) -> None:
    """One column of the derivatives: the change of the outcome when one number of ``state`` changes by 1."""
    v, w, s, o, n = state[0], state[1], state[2], state[3], state[4]
    sign = 1.0 if source < 2 else -1.0
    dv, dn, turn, dpush = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
    lever, spin = np.empty(3), np.zeros(3)
    dc = 0.0
    if source == 4:
        dn[axis] = 1.0
        dc = v[axis] - s[axis]
        for i in range(3):
            spin[i] = w[i] - o[i]
        cross(spin, dn, lever)
    elif source % 2:
        spin[axis] = sign
        cross(spin, n, lever)
    else:
        lever[:] = 0.0
        dv[axis] = sign
        dc = sign * n[axis]
    if friction > 0.0 and slide > 1e-12:
        for i in range(3):
            # u holds only the part across the normal.
            turn[i] = dv[i] - radius * lever[i] - c * dn[i]
        along = 0.0
        for i in range(3):
            along += turn[i] * n[i] + u[i] * dn[i] + 2.0 * c * dn[i] * n[i]
        for i in range(3):
            turn[i] -= along * n[i]
        share, grip = inertia / (1.0 + inertia), friction * (1.0 + restitution) * abs(c)
        if share * slide <= grip:
            for i in range(3):
                dpush[i] = -share * turn[i]
        else:
            dgrip = friction * (1.0 + restitution) * (dc if c > 0.0 else -dc)
            across = 0.0
            for i in range(3):
                across += turn[i] * u[i] / slide
            for i in range(3):
                dpush[i] = -dgrip * u[i] / slide - grip * (turn[i] - across * u[i] / slide) / slide
    for i in range(3):
        by[source, 0, i, axis] = -(1.0 + restitution) * (dc * n[i] + c * dn[i]) + dpush[i]
        by[source, 1, i, axis] = 0.0
    if source < 2:
        by[source, source, axis, axis] += 1.0
    cross(n, dpush, lever)
    cross(dn, push, turn)
    for i in range(3):
        by[source, 1, i, axis] -= (lever[i] + turn[i]) / (inertia * radius)
