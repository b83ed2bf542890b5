"""One knot of a motion, linearised: momentum, joints, supports and near pairs against its coordinates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.kinematics import centroidal_momentum_matrix
from understudy.kinematics.forward import WorldTransforms
from understudy.postures.spacetime.chart import MovingChart
from understudy.postures.spacetime.supports import Supports
from understudy.postures.tables import AXIS, SpaceArrays
from understudy.typing import FloatArray, IntArray

#: [m] pairs nearer than this are watched; most pairs watched in one posture.
NEAR_M, MOST_PAIRS = 0.03, 40


@dataclass(frozen=True, eq=False, kw_only=True)
class Knot:
    """A posture and how it answers to its coordinates.

    Attributes:
        positions: ``(joints, 3)`` [m].
        rotations: ``(joints, 4)`` in the world.
        momentum: ``(6, size)`` linear [kg m/s] and angular [kg m^2/s] momentum of coordinate rates.
        joint_rows: ``(joints, 3, size)`` of the joints' places.
        support_rows: ``(points, 3, size)`` of the supports' places.
        support_errors: ``(points, 3)`` how far they are from where they must stay [m].
        pairs: ``(near,)`` pairs of the body's own capsules that are near.
        gaps: ``(near,)`` [m].
        gap_rows: ``(near, size)`` gradients.
        low: ``(low,)`` capsule ends near the floor.
        heights: ``(ends,)`` heights of all capsule ends above the floor [m].
        low_rows: ``(low, size)`` gradients of those near it.
    """

    positions: FloatArray
    rotations: FloatArray
    momentum: FloatArray
    joint_rows: FloatArray
    support_rows: FloatArray
    support_errors: FloatArray
    pairs: IntArray
    gaps: FloatArray
    gap_rows: FloatArray
    low: IntArray
    heights: FloatArray
    low_rows: FloatArray

    def gap_of(self, pair: int) -> float:
        """Gap of a pair [m]; infinite where it is not near."""
        found = np.flatnonzero(self.pairs == pair)
        return float(self.gaps[found[0]]) if len(found) else np.inf


def knot_at(chart: MovingChart, supports: Supports, frame: int, q: FloatArray) -> Knot:
    """Linearise at coordinates ``(size,)`` near one frame."""
    from understudy.postures.spacetime._kernels import gap_rows

    arrays, positions, rotations = chart.placed(frame, q)
    momentum = _momentum(chart, positions, rotations)
    _, joint_rows = _points(chart, arrays, np.arange(len(positions)), np.zeros_like(positions))
    held = np.flatnonzero(supports.held[frame])
    places, support_rows = _points(chart, arrays, supports.carriers[held], supports.points[held])
    which, gaps = np.empty(MOST_PAIRS, dtype=np.int64), np.empty(MOST_PAIRS)
    rows = np.empty((3 * MOST_PAIRS, len(q)))
    count = gap_rows(arrays, chart.room, NEAR_M, which, gaps, rows)
    low, heights, low_rows = _low_points(chart, arrays)
    return Knot(
        positions=positions,
        rotations=rotations,
        momentum=momentum,
        joint_rows=joint_rows,
        support_rows=support_rows,
        support_errors=places - supports.places[frame, held],
        pairs=which[:count],
        gaps=gaps[:count],
        gap_rows=rows[:count].copy(),
        low=low,
        heights=heights,
        low_rows=low_rows,
    )


def _low_points(chart: MovingChart, arrays: SpaceArrays) -> tuple[IntArray, FloatArray, FloatArray]:
    """Capsule ends near the floor, heights of all of them, and how those near it answer."""
    body = chart.body
    heights = chart.room.capsules[:, :6].reshape(-1, 3)[:, 1] - np.repeat(body.capsule_radii, 2)
    low = np.flatnonzero(heights < NEAR_M)
    ends = np.stack([body.capsule_starts, body.capsule_ends], axis=1).reshape(-1, 3)
    _, rows = _points(chart, arrays, np.repeat(body.capsule_joints, 2)[low], ends[low])
    return low, heights, rows[:, 1]


def _points(
    chart: MovingChart, arrays: SpaceArrays, carriers: IntArray, points: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Places ``(n, 3)`` and Jacobians ``(n, 3, size)`` of points of the posture in the chart's room."""
    from understudy.postures.spacetime._kernels import point_rows

    places, rows = np.empty((len(carriers), 3)), np.empty((len(carriers), 3, chart.space.size))
    point_rows(arrays, chart.room, carriers, np.ascontiguousarray(points), places, rows)
    return places, rows


def _momentum(chart: MovingChart, positions: FloatArray, rotations: FloatArray) -> FloatArray:
    """Momentum of coordinate rates: what joints do in their own axes, about the axes the coordinates turn them."""
    body = chart.body
    own = centroidal_momentum_matrix(
        body.skeleton, WorldTransforms(positions, rotations), body.masses, body.coms, body.inertias
    )
    out = np.empty_like(own)
    out[:, :3] = own[:, :3]
    axes = chart.room.joints[:, AXIS : AXIS + 9].reshape(-1, 3, 3)
    turned = rot.rotate(rot.conjugate(rotations)[:, None], axes)
    count = len(positions)
    out[:, 3:] = np.einsum("mji,jki->mjk", own[:, 3:].reshape(6, count, 3), turned).reshape(6, 3 * count)
    return out
