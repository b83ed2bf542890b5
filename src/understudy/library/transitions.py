"""Transitions: which cut may follow which, where the next clip is put down, and how far it may be turned (M4).

Two cuts are compared over short windows centred on them. Where the same foot carries at both, the next clip is put
down so that this foot coincides and turned about it to the best match; the foot then need not move at all. Where both
feet carry, they alone decide the turn, so that they hardly have to move and waiting does not twist the legs. Without
a common carrying foot the windows' centroids coincide, which is Kovar's optimum.

About a fixed pivot the squared distance at a turn ``theta`` away from the best one is
``C - 2 M cos(theta)``, so the range of turns below the threshold has a closed form (the thesis steps through angles).

Deviations from the thesis (§3.4, §3.8): centred windows, alignment by and rotation about the carrying foot instead of
the root.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.library.distance import Windows
from understudy.library.footage import Footage
from understudy.library.planar_arrays import ComplexArray, floor_points, packed
from understudy.library.segmentation import BOTH, LEFT, RIGHT, Cuts
from understudy.typing import BoolArray, FloatArray, IntArray

#: Share of the window in which one clip's foot may stand while the other's moves.
OUT_OF_STEP_SHARE = 0.5
#: Pivot of a transition: the windows' centroids, the left foot, the right foot, the middle of both.
CENTROID = 0
PIVOTS = (CENTROID, LEFT, RIGHT, BOTH)


@dataclass(frozen=True, eq=False, kw_only=True)
class CutPairs:
    """Pairs of cuts, as matrices ``(out cut, in cut)``.

    Attributes:
        rms_m: Distance at the best turn [m]; inf where the carrying feet differ or a foot would be off too far.
        yaws_rad: That turn, from the in clip's axes to the out clip's [rad].
        pivots: Kind of pivot, see :data:`PIVOTS`.
        swings: ``M`` of the module's formula, divided by the window's weight [m^2].
        places: ``(cuts, 4)`` floor points ``z + i x`` of every kind of pivot at every cut [m].
    """

    rms_m: FloatArray
    yaws_rad: FloatArray
    pivots: IntArray
    swings: FloatArray
    places: ComplexArray

    def transforms(self, outs: IntArray, ins: IntArray) -> FloatArray:
        """Rows ``(n, 3)`` that put the in clips down where the out clips are; of matrices of all cuts."""
        kinds, yaw = self.pivots[outs, ins], self.yaws_rad[outs, ins]
        return packed(self.places[outs, kinds] - np.exp(1j * yaw) * self.places[ins, kinds], yaw)

    def half_ranges_rad(self, outs: IntArray, ins: IntArray, threshold_m: float) -> FloatArray:
        """``(n,)`` how far the in clips may be turned either way about the pivot [rad]."""
        room = threshold_m**2 - self.rms_m[outs, ins] ** 2
        return turn_within(room, self.swings[outs, ins])


def turn_within(room: FloatArray, swing: FloatArray) -> FloatArray:
    """Largest turn [rad] that raises a mean squared distance by at most ``room`` [m^2].

    ``C - 2 M cos(theta)`` grows by ``2 M (1 - cos(theta)) = 4 M sin(theta / 2)^2``.
    """
    share = np.maximum(room, 0.0) / np.maximum(4.0 * swing, 1e-300)
    return np.asarray(2.0 * np.arcsin(np.sqrt(np.minimum(share, 1.0))))


def cut_pairs(
    footage: Footage,
    points: Windows,
    cuts: Cuts,
    *,
    foot_slack_m: float,
    foot_turn_rad: float = np.pi,
    by_feet: bool = True,
    outs: IntArray | None = None,
) -> CutPairs:
    """Compare cuts with every other.

    Args:
        footage: The takes.
        points: Their windows.
        cuts: Where they are cut; every window must be valid.
        foot_slack_m: Largest distance a carrying foot may be off [m].
        foot_turn_rad: Largest turn it may be off [rad].
        by_feet: Whether carrying feet are made to coincide; otherwise the centroids always are.
        outs: ``(rows,)`` the out cuts that are compared, by number; all unless given.
    """
    count = len(cuts)
    rows = np.arange(count) if outs is None else outs
    carriers = cuts.carriers if by_feet else np.zeros(count, dtype=np.int64)
    kinds = carriers[rows, None] & carriers[None]
    allowed = (kinds > 0) | ((carriers[rows, None] == 0) & (carriers[None] == 0))
    places = _pivot_places(footage, points, cuts)
    shape = (len(rows), count)
    rms, yaws, swings = np.full(shape, np.inf), np.zeros(shape), np.zeros(shape)
    for kind in PIVOTS:
        has = (carriers & kind) == kind
        grid = np.ix_(has[rows], has)
        wanted = allowed[grid] & (kinds[grid] == kind)
        if not wanted.any():
            continue
        squares, turn, size = _compared(points, cuts.frames, places[:, kind], rows[has[rows]], np.flatnonzero(has))
        if kind == BOTH:
            soles = _soles(footage, cuts)
            best, turn = turn, np.angle(soles[rows[has[rows]]] @ soles[has].conj().T)
            squares += 2.0 * size * (1.0 - np.cos(turn - best))
        rms[grid] = np.where(wanted, np.sqrt(np.maximum(squares, 0.0)), rms[grid])
        yaws[grid] = np.where(wanted, turn, yaws[grid])
        swings[grid] = np.where(wanted, size, swings[grid])
    pairs = CutPairs(rms_m=rms, yaws_rad=yaws, pivots=kinds, swings=swings, places=places)
    if by_feet:
        rms[_feet_off(footage, cuts, rows, pairs, foot_slack_m, foot_turn_rad)] = np.inf
        rms[_out_of_step(footage, cuts, rows, half=points.half)] = np.inf
    return pairs


def _compared(
    points: Windows, frames: IntArray, pivots: ComplexArray, outs: IntArray, ins: IntArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mean squared distance, best turn and swing of pairs of windows about their pivots."""
    here, tall = _seen_from(points, frames[outs], pivots[outs])
    there, high = _seen_from(points, frames[ins], pivots[ins])
    gram = here @ there.conj().T
    energies = [(np.abs(flat) ** 2).sum(axis=1) + (up**2).sum(axis=1) for flat, up in ((here, tall), (there, high))]
    size = np.abs(gram)
    squares = energies[0][:, None] + energies[1][None] - 2.0 * (tall @ high.T) - 2.0 * size
    squares[outs[:, None] == ins[None]] = 0.0
    return squares / points.total, np.angle(gram), size / points.total


def _seen_from(points: Windows, frames: IntArray, pivots: ComplexArray) -> tuple[ComplexArray, FloatArray]:
    """Windows around frames as rows: floor points seen from the pivots, and heights."""
    around = frames[:, None] + np.arange(-points.half, points.half + 1)
    flat = points.points[around] - pivots[:, None, None] * points.roots
    return flat.reshape(len(frames), -1), points.heights[around].reshape(len(frames), -1)


def _pivot_places(footage: Footage, points: Windows, cuts: Cuts) -> ComplexArray:
    """``(cuts, 4)`` where every kind of pivot is."""
    feet = floor_points(footage.feet[cuts.frames])
    places = np.empty((len(cuts), 4), dtype=np.complex128)
    places[:, CENTROID] = points.sums[cuts.frames] / points.total
    places[:, LEFT], places[:, RIGHT], places[:, BOTH] = feet[:, 0], feet[:, 1], feet.mean(axis=1)
    return places


def _soles(footage: Footage, cuts: Cuts) -> ComplexArray:
    """``(cuts, 4)`` ankles and balls of both feet, seen from their middle."""
    ends = floor_points(footage.foot_ends[cuts.frames]).reshape(len(cuts), 4)
    return np.asarray(ends - ends.mean(axis=1, keepdims=True))


def _feet_off(
    footage: Footage, cuts: Cuts, rows: IntArray, pairs: CutPairs, slack_m: float, turn_rad: float
) -> BoolArray:
    """Pairs whose common carrying feet would be off too far, in ankle or ball seen from the pivot, or in heading."""
    ends = floor_points(footage.foot_ends[cuts.frames])
    turn = np.exp(1j * pairs.yaws_rad)
    off = np.zeros(pairs.rms_m.shape, dtype=bool)
    for kind in (LEFT, RIGHT, BOTH):
        arms = ends - pairs.places[:, kind][:, None, None]
        of_kind = pairs.pivots == kind
        for side, bit in ((0, LEFT), (1, RIGHT)):
            if not kind & bit or not of_kind.any():
                continue
            soles = ends[:, side, 1] - ends[:, side, 0]
            askew = np.abs(np.angle(soles[rows, None] * np.conj(turn * soles[None])))
            off |= of_kind & (askew > turn_rad)
            for end in (0, 1):
                gap = np.abs(arms[rows, side, end][:, None] - turn * arms[:, side, end][None])
                off |= of_kind & (gap > slack_m)
    return off


def _out_of_step(footage: Footage, cuts: Cuts, rows: IntArray, *, half: int) -> BoolArray:
    """Pairs in which some foot stands in one clip and moves in the other for too much of the window."""
    span = np.arange(-half, half + 1)
    stands = footage.planted[cuts.frames[:, None] + span].astype(np.float64)
    off = np.zeros((len(rows), len(cuts)), dtype=bool)
    for side in range(2):
        one = stands[..., side]
        differ = one[rows] @ (1.0 - one).T + (1.0 - one[rows]) @ one.T
        off |= differ > OUT_OF_STEP_SHARE * len(span)
    return off
