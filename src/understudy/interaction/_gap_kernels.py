"""Pairs of capsules of one body that stay apart, many at once: room, and rows of the Jacobian."""

from __future__ import annotations

import math

import numpy as np

from understudy.compiling.kernel import njit
from understudy.interaction._curve_kernels import Jets
from understudy.interaction._row_kernels import Bends, Columns, Nodes, Weights, scatter
from understudy.typing import FloatArray, IntArray


@njit(cache=True, error_model="numpy")
def capsule_ends(n: int, ends: FloatArray, nodes: Nodes, jets: Jets, out: FloatArray) -> None:
    """World ends ``(2, 3)`` of a capsule fixed to a node's joint."""
    for e in range(2):
        for i in range(3):
            out[e, i] = jets.place[n, i]
            for k in range(3):
                out[e, i] += jets.frame[n, i, k] * (ends[e, k] - nodes.point[n, k])


@njit(cache=True, error_model="numpy")
def nearest_points(a: FloatArray, b: FloatArray, one: FloatArray, two: FloatArray) -> float:
    """Nearest points of two segments ``(2, 3)``, and their distance."""
    uu, vv, uv, uw, vw = 1e-18, 1e-18, 0.0, 0.0, 0.0
    for i in range(3):
        u, v, w = a[1, i] - a[0, i], b[1, i] - b[0, i], a[0, i] - b[0, i]
        uu += u * u
        vv += v * v
        uv += u * v
        uw += u * w
        vw += v * w
    scale = uu * vv - uv * uv
    s = min(max((uv * vw - vv * uw) / scale, 0.0), 1.0) if scale > 1e-12 * uu * vv else 0.5
    t = min(max((uv * s + vw) / vv, 0.0), 1.0)
    s = min(max((uv * t - uw) / uu, 0.0), 1.0)
    total = 0.0
    for i in range(3):
        one[i] = a[0, i] + s * (a[1, i] - a[0, i])
        two[i] = b[0, i] + t * (b[1, i] - b[0, i])
        total += (one[i] - two[i]) ** 2
    return math.sqrt(total)


@njit(cache=True, error_model="numpy")
def gap_rooms(
    first: IntArray,
    ends: FloatArray,
    least: FloatArray,
    near: float,
    row: int,
    nodes: Nodes,
    jets: Jets,
    bends: Bends,
    columns: Columns,
    rooms: FloatArray,
    out: FloatArray,
) -> int:
    """Room of pairs of capsules [m]; rows from ``row`` on for those nearer than ``near``; how many.

    Args:
        first: ``(n,)`` node of the first capsule's joint; the second's is the next one.
        ends: ``(n, 2, 2, 3)`` ends of both capsules in their joints' frames [m].
        least: ``(n,)`` least distance of their axes [m].
        near: [m].
        row: First row; two rows after the last must be there, and stay zero.
        nodes: All nodes.
        jets: Their jets.
        bends: Their normals.
        columns: Where controls are.
        rooms: Filled, ``(n,)``.
        out: The Jacobian; left alone when it has no rows.
    """
    a, b, one, two = np.empty((2, 3)), np.empty((2, 3)), np.empty(3), np.empty(3)
    weights = Weights(np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)))
    arm = np.empty(3)
    taken = 0
    for k in range(first.shape[0]):
        n = first[k]
        capsule_ends(n, ends[k, 0], nodes, jets, a)
        capsule_ends(n + 1, ends[k, 1], nodes, jets, b)
        far = nearest_points(a, b, one, two)
        rooms[k] = far - least[k]
        if out.shape[0] == 0 or rooms[k] > near or far < 1e-9:
            continue
        for side in range(2):
            m, sign, point = (n, 1.0, one) if side == 0 else (n + 1, -1.0, two)
            for i in range(3):
                weights.place[0, i] = sign * (one[i] - two[i]) / far
                arm[i] = point[i] - jets.place[m, i]
            # Nearest points slide along their capsules, but that does not change a distance at first order.
            jets.arm[m] += arm
            scatter(m, weights, row + taken, nodes, jets, bends, columns, out)
            jets.arm[m] -= arm
        taken += 1
    return taken
