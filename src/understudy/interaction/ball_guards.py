"""Flying balls that stay off bodies at chosen moments, all of them at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.interaction._ball_kernels import ball_rooms
from understudy.interaction.guard_rows import APART_M, NEAR_M, BallGuard, Guard
from understudy.interaction.system import System
from understudy.typing import FloatArray


class BallGuards:
    """Guards between balls and capsules of bodies, each with its node."""

    def __init__(self, system: System, guards: Sequence[tuple[BallGuard, int]]) -> None:
        self._system, self._guards = system, [guard for guard, _ in guards]
        ways = [arc.way for arc in system.layout.arcs]
        watched, ends, least = [], [], []
        for guard, node in guards:
            way = system.play.way(guard.ball)
            number = system.play.ways.index(way)
            body = system.play.actors[guard.actor].fitted_body
            # Arcs are laid out way by way.
            first = int(np.searchsorted(ways, number))
            watched.append((first, first + ways.count(number), node))
            ends.append((body.capsule_starts[guard.part], body.capsule_ends[guard.part]))
            least.append(way.ball.radius_m + APART_M + guard.more_m + float(body.capsule_radii[guard.part]))
        self._watched = np.array(watched, dtype=np.int64).reshape(-1, 3)
        self._times = np.array([guard.time_s for guard, _ in guards], dtype=np.float64)
        self._ends = np.array(ends, dtype=np.float64).reshape(-1, 2, 3)
        self._least = np.array(least, dtype=np.float64)

    def rows(self, jacobian: FloatArray, first: int) -> list[float]:
        """Fill rows for guards that are near; returns the room of each [m]."""
        rooms = self._rooms(first, jacobian)
        return [float(room) for room in rooms if room <= NEAR_M]

    def left(self) -> list[tuple[Guard, float]]:
        """The room of every guard [m]."""
        return list(zip(self._guards, self._rooms(0, np.zeros((0, 0))).tolist(), strict=True))

    def _rooms(self, row: int, jacobian: FloatArray) -> FloatArray:
        rooms, system = np.empty(len(self._times)), self._system
        tables = (system.nodes, system.arcs, system.jets, system.bends, system.columns)
        ball_rooms(self._watched, self._times, self._ends, self._least, NEAR_M, row, *tables, rooms, jacobian)
        return rooms
