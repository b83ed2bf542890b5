"""Ways past a leaf that opens only half because something stands behind it: with it as far as it goes, then round it.

Where to take the handle, how to go along with the leaf and where to let go of it is searched over places, headings and
openings together; so are the ways to the handle and on from it, past the leaf where it has come to stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from understudy.skills.door.keyed import opened_along, roomy
from understudy.skills.door.lattice import CELL_M, LEAST_M, TURN_S, PoseField, moves_of
from understudy.skills.door.outline import bowed_of, slim_of
from understudy.skills.door.passing import BEFORE_S, HANDS, STEP_RAD, STEP_S, Passage, Search
from understudy.skills.door.winding import smoothed, timed
from understudy.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from understudy.skills.door._hold_kernels import Holds

#: [m] around the doorway that a handle is held in; steps of the opening between two that are looked at.
_AROUND_M, _STRIDE = 1.05, 2
#: [rad] further than this no leaf has to stand open; [rad/s] how fast it is opened there, and how fast one turns.
_ENOUGH_RAD, _OPENS_RADPS, _TURNS_RADPS = float(np.radians(85.0)), 0.7, 1.0
#: Most ways that are told; [m], [rad] how far apart two of them let go at least.
_TOLD, _APART = 60, np.array([0.15, 0.15, 0.4])
#: Rounds of smoothing, fewer where the first leave no room.
_ROUNDS = (20, 8, 3)
#: [m/s] at the handle; [s] longer than planned that it may be held; discomfort in which it is taken at most.
_ARRIVES_MPS, _LONGER_S, _BEGINS = 0.42, 0.6, 2.5
#: [m] an opening by one radian counts as this much of a way.
_OPENING_M = 0.25


class _Told(NamedTuple):
    """A way: cost, hand, poses and openings ``(n, 4)`` while it is held."""

    cost: float
    hand: int
    held: FloatArray


class HalfOpen:
    """The ways past a leaf that is opened as far as it goes, cheapest first."""

    def __init__(self, search: Search, *, slim: bool = False) -> None:
        """Remember what the search knows; nothing is searched before it is asked for.

        Args:
            search: The usual ways.
            slim: Whether somebody draws the arms in and takes short steps.
        """
        self.search = search
        self.walker = slim_of(search.walker) if slim else search.walker
        self.bowed = bowed_of(self.walker)
        most = min((search.openings - 1) * STEP_RAD, _ENOUGH_RAD)
        self.openings = int(most / (_STRIDE * STEP_RAD) + 1e-6) + 1
        self.rows: FloatArray = np.empty((0, 13))
        self.told: list[_Told] = []

    def ways(self) -> list[tuple[float, int, int]]:
        """Cost, row and hand of ways that let go of the leaf in different places, cheapest first."""
        from understudy.skills.door._hold_kernels import along

        search, question = self.search, self.search.question
        things = (search.ground, search.leaf, self.walker)
        points = np.stack([question.start, question.door.middle, question.goal])
        self.up = PoseField(things, points, at=question.start, heading_rad=question.start_heading_rad, back=False)
        stands = (self.openings - 1) * _STRIDE * STEP_RAD
        self.on = PoseField(things, points, at=question.goal, back=True, opening_rad=stands)
        holds, part = self._holds()
        self.told = []
        for hand in [k for k, name in enumerate(HANDS) if name in question.hands]:
            costs, parents = along((search.ground, search.leaf, self.bowed), holds, hand, search.swing)
            self.told += _various(costs, parents, self.on.times_s[part], holds.frame, hand)
        self.told = sorted(self.told, key=lambda one: one.cost)[:_TOLD]
        self.rows = np.zeros((len(self.told), 13))
        for row, one in zip(self.rows, self.told, strict=True):
            row[:3], row[3:6] = one.held[0, :3], one.held[-1, :3]
        return [(one.cost, k, one.hand) for k, one in enumerate(self.told)]

    def _holds(self) -> tuple[Holds, tuple[slice, slice, slice]]:
        """Where the handle may be held, and which part of the fields that is."""
        from understudy.skills.door._hold_kernels import Holds
        from understudy.skills.door._lattice_kernels import rooms

        frame, shape = self.up.frame, self.up.times_s.shape
        middle = self.search.question.door.middle
        low = np.maximum(np.rint((middle - _AROUND_M - frame[:2]) / CELL_M).astype(int), 0)
        high = np.rint((middle + _AROUND_M - frame[:2]) / CELL_M).astype(int) + 1
        part = (slice(None), slice(low[1], min(high[1], shape[1])), slice(low[0], min(high[0], shape[2])))
        arrival = np.ascontiguousarray(self.up.times_s[part])
        origin = np.array([*(frame[:2] + low * CELL_M), CELL_M])
        room = rooms(self.search.ground, self.search.leaf, self.bowed, origin, arrival.shape, -1.0)
        open_s = _STRIDE * STEP_RAD / _OPENS_RADPS
        limits = (LEAST_M, TURN_S, open_s, _BEGINS)
        return Holds(origin, room, arrival, moves_of(), self.openings, _STRIDE, *limits), part

    def passage(self, row: int, hand: int) -> Passage | None:
        """One of the ways in full, the leaf swung as is best on it; ``None`` when rounded corners leave no room."""
        for rounds in _ROUNDS:
            keys, release_s = self._keys(self.told[row].held, rounds)
            if not roomy(self.search, self.walker, keys):
                continue
            until = round(BEFORE_S / STEP_S) + round((release_s + _LONGER_S) / STEP_S)
            count = round((BEFORE_S + release_s + _LONGER_S + 2.5) / STEP_S)
            found = opened_along(self.search, self.walker, keys, hand, row=self.rows[row], until=until, count=count)
            if found is not None:
                return found
        return None

    def _keys(self, held: FloatArray, rounds: int) -> tuple[FloatArray, float]:
        """``(n, 4)`` time from taking hold, x, z and heading from start to goal; and when it is let go [s]."""
        up, on = self.up.way(*held[0, :3].tolist()), self.on.way(*held[-1, :3].tolist())
        still, stands = np.zeros(len(up)), np.full(len(on), held[-1, 3])
        poses = np.concatenate([np.column_stack([up, still])[:-1], held, np.column_stack([on, stands])[1:]])
        poses[:, 2] = np.unwrap(poses[:, 2])
        poses[:, 3] *= _OPENING_M / 0.3
        smooth = smoothed(poses, rounds)
        opening = smooth[:, 3] * 0.3 / _OPENING_M
        grab = int(np.flatnonzero(opening > 1e-3)[0])
        let_go = int(np.flatnonzero(opening < opening[-1] - 1e-3)[-1]) + 1
        least_s = np.maximum(np.diff(opening) / _OPENS_RADPS, np.abs(np.diff(smooth[:, 2])) / _TURNS_RADPS)
        up_s = timed(smooth[: grab + 1, :3], last_mps=_ARRIVES_MPS, least_s=least_s[:grab])
        on_s = timed(smooth[grab:, :3], first_mps=_ARRIVES_MPS, least_s=least_s[grab:])
        times = np.concatenate([up_s - up_s[-1], on_s[1:]])
        return np.column_stack([times, smooth[:, :3]]), float(on_s[let_go - grab])


def _various(costs: FloatArray, parents: IntArray, onward: FloatArray, frame: FloatArray, hand: int) -> list[_Told]:
    """Ways that end in different poses with the leaf as far open as it goes."""
    total = costs[-1] + onward
    order = np.argsort(total, axis=None)
    headings, nz, nx = total.shape
    told: list[_Told] = []
    ends: list[FloatArray] = []
    for item in order[: int(np.isfinite(total).sum())].tolist():
        h, j, i = item // (nz * nx), item // nx % nz, item % nx
        end = np.array([frame[0] + i * frame[2], frame[1] + j * frame[2], 2.0 * np.pi * h / headings])
        if any((np.abs(end - one) < _APART).all() for one in ends):
            continue
        ends.append(end)
        last = (len(costs) - 1) * headings * nz * nx + item
        told.append(_Told(float(total[h, j, i]), hand, _traced(parents, last, frame)))
        if len(told) >= _TOLD:
            break
    return told


def _traced(parents: IntArray, item: int, frame: FloatArray) -> FloatArray:
    """``(n, 4)`` x, z, heading and opening from taking hold to letting go."""
    _, headings, nz, nx = parents.shape
    flat, out = parents.ravel(), []
    while item >= 0:
        o, rest = divmod(item, headings * nz * nx)
        h, j, i = rest // (nz * nx), rest // nx % nz, rest % nx
        turn = 2.0 * np.pi * h / headings
        out.append((frame[0] + i * frame[2], frame[1] + j * frame[2], turn, o * _STRIDE * STEP_RAD))
        item = int(flat[item])
    poses = np.array(out[::-1])
    poses[:, 2] = np.unwrap(poses[:, 2])
    return poses
