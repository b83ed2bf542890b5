"""Gauss linking integrals of segments and of a body's linkages (paper §5.2.2, equation 7)."""

from __future__ import annotations

import math

from understudy.compiling.kernel import njit
from understudy.postures.tables import AT, TURNED
from understudy.rotations._kernels import qrot
from understudy.typing import FloatArray, IntArray


@njit(cache=True)
def _normal(ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> tuple[float, float, float]:
    """Unit cross product; zero for parallel vectors."""
    x, y, z = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    size = math.sqrt(x * x + y * y + z * z)
    if size < 1e-15:
        return 0.0, 0.0, 0.0
    return x / size, y / size, z / size


@njit(cache=True)
def _angle(a: tuple[float, float, float], b: tuple[float, float, float]) -> float:
    return math.asin(min(max(a[0] * b[0] + a[1] * b[1] + a[2] * b[2], -1.0), 1.0))


@njit(cache=True)
def segment_linking(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> float:
    """Linking integral of the directed segments ``a -> b`` and ``c -> d``, in closed form.

    The double integral is the solid angle of the parallelogram of difference vectors over ``4 pi``: a spherical
    quadrilateral whose sides lie in the planes of the four corner vectors.
    """
    acx, acy, acz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
    adx, ady, adz = d[0] - a[0], d[1] - a[1], d[2] - a[2]
    bcx, bcy, bcz = c[0] - b[0], c[1] - b[1], c[2] - b[2]
    bdx, bdy, bdz = d[0] - b[0], d[1] - b[1], d[2] - b[2]
    n1 = _normal(acx, acy, acz, adx, ady, adz)
    n2 = _normal(adx, ady, adz, bdx, bdy, bdz)
    n3 = _normal(bdx, bdy, bdz, bcx, bcy, bcz)
    n4 = _normal(bcx, bcy, bcz, acx, acy, acz)
    solid = _angle(n1, n2) + _angle(n2, n3) + _angle(n3, n4) + _angle(n4, n1)
    ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    vx, vy, vz = d[0] - c[0], d[1] - c[1], d[2] - c[2]
    side = (vy * uz - vz * uy) * acx + (vz * ux - vx * uz) * acy + (vx * uy - vy * ux) * acz
    if side == 0.0:
        return 0.0
    return math.copysign(solid, side) / (4.0 * math.pi)


@njit(cache=True)
def chain_points(places: FloatArray, joints: IntArray, tips: FloatArray, out: FloatArray) -> int:
    """Points of a linkage: its joints (ended by -1) and its tip, given in the last joint's frame; how many."""
    count = 0
    while count < joints.shape[0] and joints[count] >= 0:
        out[count] = places[joints[count], AT : AT + 3]
        count += 1
    row = places[joints[count - 1]]
    w, x, y, z = row[TURNED], row[TURNED + 1], row[TURNED + 2], row[TURNED + 3]
    dx, dy, dz = qrot(w, x, y, z, tips[0], tips[1], tips[2])
    out[count, 0], out[count, 1], out[count, 2] = row[AT] + dx, row[AT + 1] + dy, row[AT + 2] + dz
    return count + 1


@njit(cache=True)
def linking_matrix(
    places: FloatArray, linkages: IntArray, tips: FloatArray, points: FloatArray, out: FloatArray
) -> None:
    """Linking integrals ``out (linkages, linkages)`` of a placed posture; zero on the diagonal.

    ``linkages (n, longest)`` joints, ended by -1; ``tips (n, 3)``; ``points (n, longest + 1, 3)`` scratch.
    """
    n = linkages.shape[0]
    for i in range(n):
        size = chain_points(places, linkages[i], tips[i], points[i])
        out[i, i] = size
    for i in range(n):
        for j in range(i):
            total = 0.0
            for s in range(int(out[i, i]) - 1):
                for t in range(int(out[j, j]) - 1):
                    total += segment_linking(points[i, s], points[i, s + 1], points[j, t], points[j, t + 1])
            out[j, i] = total
    for i in range(n):
        out[i, i] = 0.0
        for j in range(i):
            out[i, j] = out[j, i]
