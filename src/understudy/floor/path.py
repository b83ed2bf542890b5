"""A path on the floor: straight lines and arcs, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from understudy.errors import OptionError
from understudy.floor.questions import floor_points
from understudy.typing import FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class FloorPath:
    """Lines and arcs from a start to a goal that keep a clearance from every obstacle.

    Attributes:
        pieces: ``(n, 10)``, one row per line or arc: kind (0 line, 1 arc), start x z, end x z, centre x z, angle of the
            start seen from the centre [rad], signed sweep [rad] (from +X towards +Z), length [m].
        clearance_m: Distance kept from obstacles.
    """

    pieces: FloatArray
    clearance_m: float

    def __repr__(self) -> str:
        """Length and number of turns."""
        return (
            f"FloorPath({self.length_m:.3f} m, {int(self.pieces[:, 0].sum())} arcs, clearance {self.clearance_m:g} m)"
        )

    @property
    def start(self) -> FloatArray:
        """First point ``(2,)`` (x, z) [m]."""
        return self.pieces[0, 1:3]

    @property
    def goal(self) -> FloatArray:
        """Last point ``(2,)`` (x, z) [m]."""
        return self.pieces[-1, 3:5]

    @property
    def points(self) -> FloatArray:
        """Ends of the pieces ``(n + 1, 2)``: where lines and arcs meet."""
        return np.concatenate([self.pieces[:1, 1:3], self.pieces[:, 3:5]])

    @property
    def length_m(self) -> float:
        """Length [m]."""
        return float(self.pieces[:, 9].sum())

    @cached_property
    def _ends(self) -> FloatArray:
        """Arc length at the end of each piece [m]."""
        return np.cumsum(self.pieces[:, 9])

    def _at(self, arc_length_m: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """The piece at each arc length and the share of it that lies behind."""
        s = np.clip(np.asarray(arc_length_m, dtype=np.float64), 0.0, self._ends[-1])
        index = np.minimum(np.searchsorted(self._ends, s, side="right"), len(self.pieces) - 1)
        row = self.pieces[index]
        length = row[..., 9]
        share = np.where(length > 0.0, (s - (self._ends[index] - length)) / np.where(length > 0.0, length, 1.0), 0.0)
        return row, np.clip(share, 0.0, 1.0)

    def position(self, arc_length_m: npt.ArrayLike) -> FloatArray:
        """Points ``(..., 2)`` (x, z) [m] at arc lengths; lengths beyond the ends give the ends."""
        row, share = self._at(arc_length_m)
        straight = row[..., 1:3] + share[..., None] * (row[..., 3:5] - row[..., 1:3])
        angle = row[..., 7] + share * row[..., 8]
        sweep = np.abs(row[..., 8])
        radius = row[..., 9] / np.where(sweep > 0.0, sweep, 1.0)
        bent = row[..., 5:7] + radius[..., None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        return np.where(row[..., :1] == 0.0, straight, bent)

    def tangent(self, arc_length_m: npt.ArrayLike) -> FloatArray:
        """Unit directions of travel ``(..., 2)`` at arc lengths."""
        row, share = self._at(arc_length_m)
        chord = row[..., 3:5] - row[..., 1:3]
        length = np.linalg.norm(chord, axis=-1, keepdims=True)
        straight = np.where(length > 0.0, chord / np.where(length > 0.0, length, 1.0), np.array([0.0, 1.0]))
        angle, sign = row[..., 7] + share * row[..., 8], np.sign(row[..., 8:9])
        bent = sign * np.stack([-np.sin(angle), np.cos(angle)], axis=-1)
        return np.where(row[..., :1] == 0.0, straight, bent)

    def sample(self, step_m: float) -> FloatArray:
        """Points ``(n, 2)`` from start to goal, evenly spaced by at most ``step_m`` along the path.

        Raises:
            OptionError: The step is not positive.
        """
        if not (np.isfinite(step_m) and step_m > 0.0):
            raise OptionError(f"step_m is {step_m}; it must be a positive number of metres")
        count = int(np.ceil(self.length_m / step_m - 1e-9))
        return self.position(np.linspace(0.0, self.length_m, max(count, 1) + 1))

    def distance(self, points: npt.ArrayLike) -> FloatArray:
        """Distance ``(...)`` [m] of points ``(..., 2)`` from the path."""
        from understudy.floor._path_kernels import path_distances

        return path_distances(self.pieces, floor_points(points)).reshape(np.shape(points)[:-1])


def joined(legs: list[FloorPath]) -> FloorPath:
    """One path from several that follow one another."""
    return FloorPath(pieces=np.concatenate([leg.pieces for leg in legs]), clearance_m=legs[0].clearance_m)
