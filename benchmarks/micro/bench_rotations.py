"""Rotations of a clip-sized batch: NumPy functions, numba loops over scalar kernels, scipy as the peer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit
from scipy.spatial.transform import Rotation

from benchmarks.timing import measure
from understudy import rotations as rot
from understudy.rotations._kernels import qmul, qrot, qslerp, qswing_twist_coords


@njit(cache=True)
def _multiply_loop(a, b, out):
    for i in range(a.shape[0]):
        w, x, y, z = qmul(a[i, 0], a[i, 1], a[i, 2], a[i, 3], b[i, 0], b[i, 1], b[i, 2], b[i, 3])
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = w, x, y, z


@njit(cache=True)
def _rotate_loop(q, v, out):
    for i in range(q.shape[0]):
        x, y, z = qrot(q[i, 0], q[i, 1], q[i, 2], q[i, 3], v[i, 0], v[i, 1], v[i, 2])
        out[i, 0], out[i, 1], out[i, 2] = x, y, z


@njit(cache=True)
def _slerp_loop(a, b, t, out):
    for i in range(a.shape[0]):
        w, x, y, z = qslerp(a[i, 0], a[i, 1], a[i, 2], a[i, 3], b[i, 0], b[i, 1], b[i, 2], b[i, 3], t)
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = w, x, y, z


@njit(cache=True)
def _coordinates_loop(q, out):
    for i in range(q.shape[0]):
        s1, s2, twist = qswing_twist_coords(q[i, 0], q[i, 1], q[i, 2], q[i, 3], 0.0, 1.0, 0.0, 1.0, 0.0, 0.0)
        out[i, 0], out[i, 1], out[i, 2] = s1, s2, twist


def _cases(n: int) -> list[tuple[str, str, Callable[[], object]]]:
    rng = np.random.default_rng(0)
    a, b = rot.normalize(rng.normal(size=(2, n, 4)))
    v = rng.normal(size=(n, 3))
    out4, out3 = np.empty((n, 4)), np.empty((n, 3))
    scipy_a, scipy_b = (Rotation.from_quat(q, scalar_first=True) for q in (a, b))
    matrices = rot.to_matrix(a)
    along, first = [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]
    return [
        ("multiply", "numpy", lambda: rot.multiply(a, b)),
        ("multiply", "numba", lambda: _multiply_loop(a, b, out4)),
        ("multiply", "scipy", lambda: scipy_a * scipy_b),
        ("rotate", "numpy", lambda: rot.rotate(a, v)),
        ("rotate", "numba", lambda: _rotate_loop(a, v, out3)),
        ("rotate", "scipy", lambda: scipy_a.apply(v)),
        ("slerp", "numpy", lambda: rot.slerp(a, b, 0.3)),
        ("slerp", "numba", lambda: _slerp_loop(a, b, 0.3, out4)),
        ("log", "numpy", lambda: rot.log(a)),
        ("log", "scipy", lambda: scipy_a.as_rotvec()),
        ("to_euler ZYX", "numpy", lambda: rot.to_euler(a, "ZYX")),
        ("to_euler ZYX", "scipy", lambda: scipy_a.as_euler("ZYX")),
        ("from_matrix", "numpy", lambda: rot.from_matrix(matrices)),
        ("from_matrix", "scipy", lambda: Rotation.from_matrix(matrices)),
        ("swing_twist_coordinates", "numpy", lambda: rot.swing_twist_coordinates(a, along, first)),
        ("swing_twist_coordinates", "numba", lambda: _coordinates_loop(a, out3)),
    ]


def rows(quick: bool) -> list[dict[str, object]]:
    """One row per function and implementation; ``n`` rotations a call (300 frames of 31 joints)."""
    n = 310 if quick else 9300
    repeat = 5 if quick else 50
    return [
        {"case": case, "method": method, "n": n, **measure(call, repeat=repeat)} for case, method, call in _cases(n)
    ]
