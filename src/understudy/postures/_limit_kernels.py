"""Joint limits in coordinates: boxes and ellipses, both convex."""

from __future__ import annotations

import math

from understudy.compiling.kernel import njit
from understudy.postures.tables import AXES, ELLIPSE, HIGH, KIND, LOW
from understudy.typing import FloatArray, IntArray

#: Share of an ellipse, and [rad] from an interval's end, at which a limit counts as reached.
_EDGE = 1e-7


@njit(cache=True)
def _ellipse(row: FloatArray, c: int, q: FloatArray) -> tuple[float, float, float]:
    """Share of the ellipse's radius and the outward normal (not unit) of a joint's swing."""
    rx, ry = 0.5 * (row[HIGH] - row[LOW]), 0.5 * (row[HIGH + 1] - row[LOW + 1])
    x = (q[c] - 0.5 * (row[HIGH] + row[LOW])) / rx
    y = (q[c + 1] - 0.5 * (row[HIGH + 1] + row[LOW + 1])) / ry
    return math.sqrt(x * x + y * y), x / rx, y / ry


@njit(cache=True)
def clamp(tree: IntArray, joints: FloatArray, q: FloatArray) -> None:
    """Pull a posture inside its limits."""
    for j in range(1, joints.shape[0]):
        c = 3 + 3 * j
        if tree[j, KIND] == AXES:
            for k in range(3):
                q[c + k] = min(max(q[c + k], joints[j, LOW + k]), joints[j, HIGH + k])
        elif tree[j, KIND] == ELLIPSE:
            q[c + 2] = min(max(q[c + 2], joints[j, LOW + 2]), joints[j, HIGH + 2])
            share, _, _ = _ellipse(joints[j], c, q)
            if share > 1.0:
                for k in range(2):
                    centre = 0.5 * (joints[j, HIGH + k] + joints[j, LOW + k])
                    q[c + k] = centre + (q[c + k] - centre) / share


@njit(cache=True)
def slide(tree: IntArray, joints: FloatArray, q: FloatArray, step: FloatArray) -> None:
    """Take out of a step what would leave the limits that are reached (the active set)."""
    for j in range(1, joints.shape[0]):
        c = 3 + 3 * j
        kind = tree[j, KIND]
        first = 0 if kind == AXES else 2
        if kind != AXES and kind != ELLIPSE:
            continue
        for k in range(first, 3):
            above, below = q[c + k] >= joints[j, HIGH + k] - _EDGE, q[c + k] <= joints[j, LOW + k] + _EDGE
            if (above and step[c + k] > 0.0) or (below and step[c + k] < 0.0):
                step[c + k] = 0.0
        if kind == ELLIPSE:
            share, nx, ny = _ellipse(joints[j], c, q)
            out = nx * step[c] + ny * step[c + 1]
            if share >= 1.0 - _EDGE and out > 0.0:
                size = nx * nx + ny * ny
                step[c] -= out * nx / size
                step[c + 1] -= out * ny / size
