"""Guards between two things: parts, balls and standing feet, all of them at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.interaction import _law_kernels as law
from understudy.interaction.guard_rows import APART_M, NEAR_M, BallGuard, GapGuard, Guard, ReachGuard, leg_m
from understudy.interaction.system import System
from understudy.interaction.terms import Term, blank
from understudy.typing import BoolArray, FloatArray


class PairGuards:
    """Gap guards, reach guards and guards of balls off bodies and balls, each with its nodes."""

    def __init__(self, system: System, guards: Sequence[tuple[Guard, range]]) -> None:
        self._system, self._guards = system, [guard for guard, _ in guards]
        self._terms = blank(len(guards))
        self._terms.facts[:, law.LAW] = law.APART
        self._terms.moment[:] = [guard.time_s for guard in self._guards]
        #: Distance of the axes that a guard keeps [m], and 1, or -1 where it is the largest.
        self._bounds, self._signs = np.zeros(len(guards)), np.ones(len(guards))
        #: Which guard's first or second thing flies, and on which arcs.
        self._flights: list[tuple[int, bool]] = []
        self._own = np.zeros((0, len(system.layout.arcs)), dtype=bool)
        for k, (guard, nodes) in enumerate(guards):
            self._set(k, guard, nodes)
        self._starts = np.array([arc.start for arc in system.layout.arcs], dtype=np.int64)
        self._ends = np.array([arc.end for arc in system.layout.arcs], dtype=np.int64)

    def rows(self, jacobian: FloatArray, first: int) -> list[float]:
        """Fill rows for guards that are near; returns the room of each [m]."""
        rooms = self._rooms()
        near = np.flatnonzero(rooms <= NEAR_M)
        if len(near):
            rows = first + np.arange(len(near))
            self._terms.rows[near, 3] = rows
            self._system.values(self._terms, jacobian)
            self._terms.rows[near, 3] = -1
            jacobian[rows] *= self._signs[near, None]
        return rooms[near].tolist()

    def left(self) -> list[tuple[Guard, float]]:
        """The room of every guard [m], infinite where something does not fly that was to fly."""
        return list(zip(self._guards, self._rooms().tolist(), strict=True))

    def _rooms(self) -> FloatArray:
        if not self._guards:
            return np.zeros(0)
        down = self._taken_off()
        rooms = self._signs * (self._system.values(self._terms)[:, 9] - self._bounds)
        return np.where(down, np.inf, rooms)

    def _taken_off(self) -> BoolArray:
        """Put what flies on its arc of the moment; whether one of a guard's things does not fly then."""
        down = np.zeros(len(self._guards), dtype=bool)
        if not self._flights:
            return down
        times, moments = self._system.nodes.time, self._terms.moment[[k for k, _ in self._flights], None]
        flown = self._own & (times[self._starts] < moments) & (moments < times[self._ends])
        for (k, second), arcs in zip(self._flights, flown, strict=True):
            arc = int(arcs.argmax())
            term, start, end = Term(self._terms, k, self._system.layout), int(self._starts[arc]), int(self._ends[arc])
            down[k] |= not arcs[arc]
            term.at(start, law.AT2 if second else law.AT)
            term.at(end, law.TO2 if second else law.TO)
            term.lasts(law.BEFORE2 if second else law.LASTS, start, end)
            term.lasts(law.SINCE2 if second else law.SINCE, start)
        return down

    def _set(self, k: int, guard: Guard, nodes: range) -> None:
        """Both things of a guard, and how far they stay apart."""
        system = self._system
        if isinstance(guard, ReachGuard):
            self._terms.numbers[k, law.AT2 : law.AT2 + 3] = guard.ankle
            Term(self._terms, k, system.layout).at(nodes[0], law.AT)
            self._bounds[k], self._signs[k] = leg_m(system.play.actors[guard.actor], guard.side), -1.0
        elif isinstance(guard, GapGuard):
            self._bounds[k] = guard.least_m
            self._fixed(k, False, guard.first, nodes[0])
            self._fixed(k, True, guard.second, nodes[1])
        else:
            assert isinstance(guard, BallGuard)
            self._bounds[k] = APART_M + guard.more_m
            self._flying(k, False, guard.ball)
            if guard.actor >= 0:
                actor = system.play.actors[guard.actor]
                self._fixed(k, True, f"{actor.name}.{actor.fitted_body.capsule_names[guard.part]}", nodes[0])
            elif nodes:
                self._fixed(k, True, guard.other, nodes[0])
            else:
                self._flying(k, True, guard.other)

    def _fixed(self, k: int, second: bool, name: str, node: int) -> None:
        """A body part, or a ball that is held."""
        system, term = self._system, Term(self._terms, k, self._system.layout)
        if "." not in name:
            term.at(node, law.AT2 if second else law.AT)
            self._bounds[k] += system.play.way(name).ball.radius_m
            return
        player, _, piece = system.play.surface_of(name)
        self._terms.facts[k, law.THING2 if second else law.THING] = law.SEGMENT
        term.at(node, *((law.NEAR2, law.FAR2) if second else (law.NEAR, law.FAR)))
        self._bounds[k] += system.play.actors[player].part(piece)[3]

    def _flying(self, k: int, second: bool, ball: str) -> None:
        way = self._system.play.way(ball)
        self._terms.facts[k, law.THING2 if second else law.THING] = law.FLIGHT
        self._flights.append((k, second))
        own = [self._system.play.ways[arc.way] is way for arc in self._system.layout.arcs]
        self._own = np.vstack([self._own, own])
        self._bounds[k] += way.ball.radius_m
