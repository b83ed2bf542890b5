"""Walking up to a door and on from it where there is little room: places and headings, searched together.

Most doors are walked up to straight. Between crates somebody winds through, turns on the spot or goes a step
sideways; a body is wide at the shoulders, long in the stride, and passes over low things with arms but not with legs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from understudy.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from understudy.skills.door._geometry_kernels import Ground, Leaf, Walker

#: [m] cell, and how far around both ends is searched; headings in a full turn.
CELL_M, _AROUND_M, _HEADINGS = 0.06, 1.1, 24
#: [m] least room, room that costs nothing; [s] a turn by one heading; [m/s] walking ahead.
LEAST_M, _EASY_M, TURN_S, _WALK_MPS = 0.025, 0.14, 0.1, 1.1
#: [rad] how far from ahead a step leads at most, and how much longer it takes.
_SIDEWAYS = ((0.3, 1.0), (0.62, 1.2), (0.95, 1.6), (1.8, 2.4), (3.2, 3.2))
#: [rad] beyond this only short steps are made.
_SHORT_RAD = 0.95


class PoseField:
    """The time from a place to every place and heading around, or from all of them to it."""

    def __init__(
        self,
        things: tuple[Ground, Leaf, Walker],
        points: FloatArray,
        *,
        at: FloatArray,
        heading_rad: float | None = None,
        back: bool,
        opening_rad: float | None = None,
    ) -> None:
        """Search.

        Args:
            things: What stands, the door and who walks.
            points: ``(n, 2)`` floor points that are to be within the field (x, z) [m].
            at: Where ways begin; where they end with ``back``.
            heading_rad: Heading there; any unless given.
            back: Whether ways lead to ``at``.
            opening_rad: How far open the leaf stands; closed unless given, and not in the way with ``back``.
        """
        from understudy.skills.door._lattice_kernels import rooms, spread

        low, high = points.min(axis=0) - _AROUND_M, points.max(axis=0) + _AROUND_M
        nx, nz = (np.ceil((high - low) / CELL_M).astype(int) + 1).tolist()
        self.frame = np.array([low[0], low[1], CELL_M])
        self.at = at
        stands = (-1.0 if back else 0.0) if opening_rad is None else opening_rad
        self.room = room = rooms(*things, self.frame, (_HEADINGS, nz, nx), stands)
        seeds = np.zeros(_HEADINGS)
        if heading_rad is not None:
            away = _headings() - heading_rad
            seeds = 0.5 * np.abs(np.arctan2(np.sin(away), np.cos(away)))
        i, j = np.rint((at - low) / CELL_M).astype(int).tolist()
        limits = np.array([LEAST_M, _EASY_M, TURN_S])
        self.back = back
        self.times_s, self.parents = spread(room, moves_of(), seeds, (j, i), limits, back)

    def nearest(self, x: float, z: float, heading: float) -> tuple[float, int]:
        """Time from or to a pose [s], and the nearest searched one that has a way (-1: none)."""
        headings, nz, nx = self.times_s.shape
        i, j = round((x - self.frame[0]) / CELL_M), round((z - self.frame[1]) / CELL_M)
        h = round(heading / (2.0 * np.pi) * headings)
        best, found = np.inf, -1
        for dh, dj, di in ((0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)):
            g, b, a = (h + dh) % headings, j + dj, i + di
            if 0 <= b < nz and 0 <= a < nx:
                took = float(self.times_s[g, b, a]) + 0.1 * (abs(dh) + abs(dj) + abs(di))
                if took < best:
                    best, found = took, (g * nz + b) * nx + a
        return best, found

    def way(self, x: float, z: float, heading: float) -> FloatArray:
        """``(n, 3)`` poses (x, z, heading) between a pose and the field's place, in the order they are walked."""
        _, item = self.nearest(x, z, heading)
        _, nz, nx = self.times_s.shape
        flat: IntArray = self.parents.ravel()
        out = [(x, z, heading)]
        first = True
        while item >= 0:
            h, j, i = item // (nz * nx), item // nx % nz, item % nx
            if not first:
                out.append((self.frame[0] + i * CELL_M, self.frame[1] + j * CELL_M, 2.0 * np.pi * h / _HEADINGS))
            first = False
            item = int(flat[item])
        poses = np.array(out)
        poses[-1, :2] = self.at if len(poses) > 1 else poses[-1, :2]
        poses[:, 2] = np.unwrap(poses[:, 2])
        return poses if self.back else np.ascontiguousarray(poses[::-1])


def _headings() -> FloatArray:
    return np.asarray(np.arange(_HEADINGS) * (2.0 * np.pi / _HEADINGS), dtype=np.float64)


def moves_of() -> FloatArray:
    """``(headings, 16, 3)`` steps in cells (x, z) and their times [s]; 0 for those nobody makes."""
    steps = [(a, b) for a in range(-2, 3) for b in range(-2, 3) if {abs(a), abs(b)} in ({0, 1}, {1}, {1, 2})]
    out = np.zeros((_HEADINGS, len(steps), 3))
    for h, heading in enumerate(_headings()):
        for k, (a, b) in enumerate(steps):
            off = abs(float(np.arctan2(np.sin(np.arctan2(a, b) - heading), np.cos(np.arctan2(a, b) - heading))))
            longer = next(factor for limit, factor in _SIDEWAYS if off <= limit)
            if off > _SHORT_RAD and abs(a) + abs(b) > 2:
                continue
            out[h, k] = a, b, longer * np.hypot(a, b) * CELL_M / _WALK_MPS
    return out
