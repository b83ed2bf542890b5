"""Stances of a clip's feet, and how far the feet of a motion with the same frames slide against them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.core import Motion
from understudy.typing import FloatArray
from understudy.verify.feet import SIDES, Feet


@dataclass(frozen=True, eq=False, kw_only=True)
class Stance:
    """One foot that stands for a while.

    Attributes:
        side: 0 for left, 1 for right.
        first: First frame.
        yaw_rad: Where the clip's root is turned to in the middle of the stance [rad].
        ankles: ``(frames, 2)`` where the ankle is over the floor (x, z) [m].
        toes: ``(frames, 2)`` where the ball of the foot is (x, z) [m].
    """

    side: int
    first: int
    yaw_rad: float
    ankles: FloatArray
    toes: FloatArray

    @property
    def stop(self) -> int:
        """The frame after the last."""
        return self.first + len(self.ankles)

    @property
    def middle(self) -> int:
        """The frame in the middle."""
        return (self.first + self.stop) // 2


def stances_of(motion: Motion, feet: Feet) -> tuple[Stance, ...]:
    """Every stance of a clip whose feet are known."""
    return tuple(
        Stance(
            side=side,
            first=first,
            yaw_rad=root_yaw_rad(motion, (first + stop) // 2),
            ankles=feet.ankles[first:stop, side][:, [0, 2]],
            toes=feet.toes[first:stop, side][:, [0, 2]],
        )
        for side, first, stop in feet.stances()
    )


def slide_mm(motion: Motion, feet: Feet, stances: Sequence[Stance]) -> tuple[float, float, str]:
    """Largest slide against a clip's own foot over one of its stances [mm], its start [s], and which foot.

    The clip is carried along by the planar move that takes its root to the motion's root in the middle of the stance,
    so a motion placed or turned over the floor as a whole slides by nothing.
    """
    worst = (0.0, 0.0, "")
    for one in stances:
        if one.stop > len(motion):
            return float("inf"), one.first / feet.fps, SIDES[one.side]
        angle = root_yaw_rad(motion, one.middle) - one.yaw_rad
        # A turn about +Y takes +Z towards +X.
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        for before, now in ((one.ankles, feet.ankles), (one.toes, feet.toes)):
            after = now[one.first : one.stop, one.side][:, [0, 2]]
            slide = 1000.0 * spread_m(after - before @ turn.T)
            if slide > worst[0]:
                worst = (slide, one.first / feet.fps, SIDES[one.side])
    return worst


def spread_m(points: FloatArray) -> float:
    """Largest distance between two of the points ``(n, 2)`` [m]; very long curves are thinned to 500 points."""
    from understudy.verify._measure_kernels import widest

    return float(widest(np.ascontiguousarray(points[:: max(1, len(points) // 500)])))


def root_yaw_rad(motion: Motion, frame: int) -> float:
    """How far the root is turned about the vertical [rad]."""
    w, x, y, z = motion.rotations[frame, 0]
    return float(2.0 * np.arctan2(y, w)) if abs(w) + abs(y) > 1e-6 else float(np.arctan2(2 * (x * z), 1 - 2 * x * x))
