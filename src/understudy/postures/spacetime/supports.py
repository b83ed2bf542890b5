"""What carries a body from frame to frame: points that rest on the floor, and pins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.kinematics import motion_world, point_positions
from understudy.postures.spacetime.chart import MovingChart
from understudy.typing import BoolArray, FloatArray, IntArray

#: [m] how near the lowest point of a frame, and [m/s] how slow, a point is that carries.
_NEAR_M, _SLOW_MPS = 0.006, 0.06
#: [s] shortest time a point carries.
_SHORTEST_S = 0.08


@dataclass(frozen=True, eq=False, kw_only=True)
class Pinned:
    """A point that stays where the motion has it.

    Attributes:
        joint: What it is fixed to.
        point: ``(3,)`` in the joint's frame [m].
        first: First frame in which it stays.
        stop: First frame in which it does not any more; ``None`` for never.
    """

    joint: int
    point: FloatArray
    first: int = 0
    stop: int | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Supports:
    """Points that must stay where the motion has them.

    Attributes:
        carriers: ``(points,)`` joints they are fixed to.
        points: ``(points, 3)`` in the joints' frames [m].
        places: ``(frames, points, 3)`` where the motion has them [m].
        held: ``(frames, points)`` whether they must stay there in a frame.
    """

    carriers: IntArray
    points: FloatArray
    places: FloatArray
    held: BoolArray


def supports_of(chart: MovingChart, pinned: Sequence[Pinned], *, floor: bool) -> Supports:
    """Capsule ends that rest on the floor while they do, and pinned points.

    Args:
        chart: The motion.
        pinned: What stays.
        floor: Whether there is one.
    """
    body, motion = chart.body, chart.motion
    carriers = np.array([pin.joint for pin in pinned], dtype=np.int64)
    points = np.array([pin.point for pin in pinned], dtype=np.float64).reshape(-1, 3)
    always = np.zeros((len(motion), len(pinned)), dtype=bool)
    for n, pin in enumerate(pinned):
        always[pin.first : pin.stop, n] = True
    if floor:
        ends = np.concatenate([body.capsule_starts, body.capsule_ends])
        joints = np.tile(body.capsule_joints, 2)
        always = np.hstack([always, _resting(chart, joints, ends)])
        carriers, points = np.concatenate([carriers, joints]), np.concatenate([points, ends])
    used = always.any(axis=0)
    carriers, points = carriers[used], points[used]
    places = point_positions(motion_world(motion), carriers, points)
    return Supports(carriers=carriers, points=points, places=places, held=always[:, used])


def _resting(chart: MovingChart, joints: IntArray, ends: FloatArray) -> BoolArray:
    """``(frames, ends)`` which capsule ends carry."""
    motion = chart.motion
    places = point_positions(motion_world(motion), joints, ends)
    low = places[..., 1] - np.tile(chart.body.capsule_radii, 2)
    speed = np.linalg.norm(np.gradient(places, 1.0 / motion.fps, axis=0), axis=-1)
    near = (low < np.maximum(low.min(axis=1, keepdims=True), 0.0) + _NEAR_M) & (low < 2.0 * _NEAR_M)
    out = near & (speed < _SLOW_MPS)
    shortest = max(round(_SHORTEST_S * motion.fps), 1)
    for column in out.T:
        edges = np.flatnonzero(np.diff(np.concatenate([[0], column.astype(np.int8), [0]])))
        for first, stop in edges.reshape(-1, 2):
            if stop - first < shortest:
                column[first:stop] = False
    return out
