"""Vectors of complex numbers for the laws of flight and impact: tuples, which take no room."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from understudy.core.uncounted import uncounted

Numbers: TypeAlias = npt.NDArray[np.complex128]
Vector: TypeAlias = tuple[complex, complex, complex]


@uncounted
def at_slot(z: Numbers, first: int) -> Vector:
    """Three numbers of a law from one on."""
    return z[first], z[first + 1], z[first + 2]


@uncounted
def dot(a: Vector, b: Vector) -> complex:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@uncounted
def cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@uncounted
def along(a: Vector, share: complex, b: Vector) -> Vector:
    """``a + share b``."""
    return a[0] + share * b[0], a[1] + share * b[1], a[2] + share * b[2]


@uncounted
def times(share: complex, a: Vector) -> Vector:
    return share * a[0], share * a[1], share * a[2]


@uncounted
def clipped(x: complex) -> complex:
    return 0.0 + 0.0j if x.real < 0.0 else (1.0 + 0.0j if x.real > 1.0 else x)


@uncounted
def nearest(p: Vector, u: Vector, q: Vector, v: Vector) -> tuple[complex, Vector]:
    """Share of the first of two segments ``p + s u`` and ``q + t v`` where they are nearest; the way to it there."""
    w = along(p, -1.0, q)
    uu, vv, uv, uw, vw = dot(u, u), dot(v, v), dot(u, v), dot(u, w), dot(v, w)
    scale = uu * vv - uv * uv
    s, t = 0.5 + 0.0j, 0.0 + 0.0j
    if scale.real > 1e-12 * uu.real * vv.real and scale.real > 1e-18:
        s = clipped((uv * vw - vv * uw) / scale)
    if vv.real > 1e-18:
        t = clipped((uv * s + vw) / vv)
    if uu.real > 1e-18:
        s = clipped((uv * t - uw) / uu)
    return s, along(along(w, s, u), -t, v)
