"""Guards between two things: parts, balls and standing feet, all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from understudy.interaction._pair_kernels import Pairs, pair_rooms
from understudy.interaction.guard_rows import APART_M, NEAR_M, BallGuard, GapGuard, Guard, ReachGuard, leg_m
from understudy.interaction.system import System
from understudy.typing import FloatArray


class _Side(NamedTuple):
    """One of both: the node it is fixed to (-1 for none), the arcs it flies, ends ``(2, 3)`` and radius [m]."""

    node: int
    arcs: tuple[int, int]
    ends: FloatArray
    radius_m: float


class PairGuards:
    """Gap guards, reach guards and guards of balls off bodies and balls, each with its nodes."""

    def __init__(self, system: System, guards: Sequence[tuple[Guard, range]]) -> None:
        self._system, self._guards = system, [guard for guard, _ in guards]
        both, bounds, signs = [], [], []
        for guard, nodes in guards:
            one, two, bound, sign = _pair(system, guard, nodes)
            both.append((one, two))
            bounds.append(bound)
            signs.append(sign)
        self._pairs = Pairs(
            nodes=np.array([[side.node for side in pair] for pair in both], dtype=np.int64).reshape(-1, 2),
            arcs=np.array([[side.arcs for side in pair] for pair in both], dtype=np.int64).reshape(-1, 2, 2),
            ends=np.array([[side.ends for side in pair] for pair in both], dtype=np.float64).reshape(-1, 2, 2, 3),
            times=np.array([guard.time_s for guard in self._guards], dtype=np.float64),
            bounds=np.array(bounds, dtype=np.float64),
            signs=np.array(signs, dtype=np.float64),
        )

    def rows(self, jacobian: FloatArray, first: int) -> list[float]:
        """Fill rows for guards that are near, with two spare ones after them; returns the room of each [m]."""
        return [float(room) for room in self._rooms(first, jacobian) if room <= NEAR_M]

    def left(self) -> list[tuple[Guard, float]]:
        """The room of every guard [m]."""
        return list(zip(self._guards, self._rooms(0, np.zeros((0, 0))).tolist(), strict=True))

    def _rooms(self, row: int, jacobian: FloatArray) -> FloatArray:
        rooms, system = np.empty(len(self._guards)), self._system
        tables = (system.nodes, system.arcs, system.jets, system.bends, system.columns)
        pair_rooms(self._pairs, NEAR_M, row, *tables, rooms, jacobian)
        return rooms


def _pair(system: System, guard: Guard, nodes: range) -> tuple[_Side, _Side, float, float]:
    """Both sides of a guard, the distance of their axes that it keeps [m], and 1, or -1 where it is the largest."""
    if isinstance(guard, ReachGuard):
        hip = _Side(nodes[0], (0, 0), np.zeros((2, 3)), 0.0)
        ankle = _Side(-1, (0, 0), np.tile(guard.ankle, (2, 1)), 0.0)
        return hip, ankle, leg_m(system.play.actors[guard.actor], guard.side), -1.0
    if isinstance(guard, GapGuard):
        one, two = (_fixed(system, name, n) for name, n in zip((guard.first, guard.second), nodes, strict=True))
        return one, two, one.radius_m + two.radius_m + guard.least_m, 1.0
    assert isinstance(guard, BallGuard)
    one = _flying(system, guard.ball)
    if guard.actor >= 0:
        actor = system.play.actors[guard.actor]
        two = _fixed(system, f"{actor.name}.{actor.fitted_body.capsule_names[guard.part]}", nodes[0])
    else:
        two = _fixed(system, guard.other, nodes[0]) if nodes else _flying(system, guard.other)
    return one, two, one.radius_m + two.radius_m + APART_M + guard.more_m, 1.0


def _fixed(system: System, name: str, node: int) -> _Side:
    """A body part, or a ball that is held."""
    if "." not in name:
        return _Side(node, (0, 0), np.tile(system.nodes.point[node], (2, 1)), system.play.way(name).ball.radius_m)
    player, _, piece = system.play.surface_of(name)
    _, start, end, radius = system.play.actors[player].part(piece)
    return _Side(node, (0, 0), np.stack([start, end]), radius)


def _flying(system: System, ball: str) -> _Side:
    way = system.play.way(ball)
    # Arcs are laid out way by way.
    own = [k for k, arc in enumerate(system.layout.arcs) if system.play.ways[arc.way] is way]
    return _Side(-1, (own[0], own[-1] + 1), np.zeros((2, 3)), way.ball.radius_m)
