"""Feet of a motion beside those of evidence with the same frames: what each foot does that its evidence does not.

The same foot is compared at the same time. A recording whose foot shuffles, or swings low over the floor, lets the
motion do so in that moment, and in no other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.typing import FloatArray
from understudy.verify.feet import SIDES, SOLE_M, Feet, ground_height_m, runs

#: [m/s] a low foot that is faster skates (Kimodo).
SKATES_MPS = 0.2
_PLANE = (0, 2)


@dataclass(frozen=True, kw_only=True)
class Worst:
    """The foot that does something most.

    Attributes:
        way_mm: How far [mm].
        time_s: When that begins [s].
        foot: ``"left"`` or ``"right"``; empty where none does.
    """

    way_mm: float = 0.0
    time_s: float = 0.0
    foot: str = ""


@dataclass(frozen=True, kw_only=True)
class Added:
    """What feet do beyond evidence with the same frames.

    Attributes:
        slide: Over a stance of the evidence, against its foot as the same body has it; ``None`` for another body.
        drift: Travel over a stance of either, above the evidence's own travel in that time.
        skate: Way in one go of a low foot that is faster than :data:`SKATES_MPS`, above the evidence's own, by how low
            both are: see :func:`skating_mps`.
    """

    slide: Worst | None
    drift: Worst
    skate: Worst


def added_by(now: Feet, before: Feet, *, scale: float | None = None) -> Added:
    """Compare a motion's feet with those of its evidence.

    Args:
        now: The motion's.
        before: The evidence's, in as many frames.
        scale: The motion's stature over the evidence's; ``None`` for the same body.
    """
    if now.ankles.shape != before.ankles.shape or now.toes.shape != before.toes.shape:
        endless = Worst(way_mm=float("inf"))
        return Added(slide=endless, drift=endless, skate=endless)
    return Added(
        slide=_slide(now, before) if scale is None else None,
        drift=_drift(now, before, scale or 1.0),
        skate=_skate(now, before, scale or 1.0),
    )


def _slide(now: Feet, before: Feet) -> Worst:
    """Against the evidence's own foot over one of its stances.

    The evidence is carried along by the planar move that takes its root to the motion's root in the middle of the
    stance, so a motion placed or turned over the floor as a whole slides by nothing.
    """
    worst = Worst()
    for side, first, stop in before.stances():
        middle = (first + stop) // 2
        angle = now.yaws_rad[middle] - before.yaws_rad[middle]
        # A turn about +Y takes +Z towards +X.
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        for one, two in ((before.ankles, now.ankles), (before.toes, now.toes)):
            was, after = (points[first:stop, side][:, _PLANE] for points in (one, two))
            way = 1000.0 * spread_m(after - was @ turn.T)
            if way > worst.way_mm:
                worst = Worst(way_mm=way, time_s=first / now.fps, foot=SIDES[side])
    return worst


def _drift(now: Feet, before: Feet, scale: float) -> Worst:
    worst = Worst()
    for side, first, stop in {*now.stances(), *before.stances()}:
        own, other = (spread_m(feet.carrier(side, first, stop)[:, _PLANE]) for feet in (now, before))
        way = 1000.0 * (own - scale * other)
        if way > worst.way_mm:
            worst = Worst(way_mm=way, time_s=first / now.fps, foot=SIDES[side])
    return worst


def _skate(now: Feet, before: Feet, scale: float) -> Worst:
    fast, lows = skating_mps(now, np.full(2, now.ground_m))
    # Both feet of one recording may rest at heights a few centimetres apart.
    grounds = [ground_height_m(before.ankles[:, [k]], before.toes[:, [k]], before.fps) for k in range(2)]
    usual, usual_lows = skating_mps(before, np.maximum(grounds, before.ground_m))
    beyond = np.where(fast > SKATES_MPS, fast * lows - scale * usual * usual_lows, 0.0)
    worst = Worst()
    for side in range(2):
        for first, stop in runs(beyond[:, side] > 0.0):
            way = 1000.0 * float(beyond[first:stop, side].sum()) / now.fps
            if way > worst.way_mm:
                worst = Worst(way_mm=way, time_s=first / now.fps, foot=SIDES[side])
    return worst


def skating_mps(feet: Feet, grounds_m: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How fast balls of feet move over the floor [m/s], and how low they are, ``(frames - 1, 2)`` each.

    A foot a sole's thickness above its rest is not low.

    Args:
        feet: Whose.
        grounds_m: ``(2,)`` height at which either foot rests [m].
    """
    speeds = np.linalg.norm(np.diff(feet.toes[..., _PLANE], axis=0), axis=-1) * feet.fps
    heights = np.maximum(feet.toes[:-1, :, 1], feet.toes[1:, :, 1]) - grounds_m
    return speeds, lowness(heights, SOLE_M)


def lowness(heights_m: FloatArray, highest_m: float) -> FloatArray:
    """How low something is: 1 at rest and 0 from ``highest_m`` on, ``2 - 2^(h/H)``.

    The weight of skating in Zhang et al., Mode-Adaptive Neural Networks for Quadruped Motion Control, 2018.
    """
    return np.asarray(np.clip(2.0 - 2.0 ** (heights_m / highest_m), 0.0, 1.0))


def spread_m(points: FloatArray) -> float:
    """Largest distance between two of the points ``(n, 2)`` [m]; very long curves are thinned to 500 points."""
    from understudy.verify._measure_kernels import widest

    return float(widest(np.ascontiguousarray(points[:: max(1, len(points) // 500)])))
