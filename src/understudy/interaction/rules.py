"""What must stay true while a play is edited: the order of events, dwell, empty hands, balls that approach, weights.

Without them an edit "succeeds" wrongly: a ball caught before it was thrown, or struck while it flies away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from understudy.interaction._law_kernels import APPROACH, BOUNCED
from understudy.interaction.balancing import BalanceGuard, balance_room
from understudy.interaction.guard_rows import BallGuard, GapGuard, Guard, ReachGuard, TurnGuard, still_room
from understudy.interaction.pair_guards import PairGuards
from understudy.interaction.play import Hold
from understudy.interaction.system import System
from understudy.interaction.terms import Probe
from understudy.interaction.turn_guards import TurnGuards
from understudy.typing import FloatArray

#: [s] a hand holds a ball at least this long, is empty at least this long, and a flight lasts at least this long.
DWELL_S, VACANT_S, FLIGHT_S = 0.08, 0.03, 0.06
#: [m/s] a ball comes to what it bounces off at least this fast; slower than the second, it is watched.
APPROACH_MPS, _WATCHED_MPS = 0.3, 1.5
#: [m] a ball is off the hand at least so far just after a throw and before a catch; nearer than the second, watched.
APART_M, _WATCHED_M = 0.0, 0.03
#: [m] by which a hand may still be in the ball after a step; the next step sees to it.
_HAND_M = 5e-3
#: Rules with more room than this [s, or of a weight] are left out of a step.
_NEAR = 0.15
#: Blend weights stay within these.
_WEIGHT = (0.0, 1.25)


@dataclass(frozen=True, eq=False, kw_only=True)
class Linear:
    """``sum(signs * unknowns[columns]) + constant >= 0``."""

    columns: tuple[int, ...]
    signs: tuple[float, ...]
    constant: float
    label: str

    def room(self, unknowns: FloatArray) -> float:
        """How much is left; negative when it is broken."""
        return sum(s * unknowns[c] for c, s in zip(self.columns, self.signs, strict=True)) + self.constant


class Rules:
    """All inequalities of a play; ``guards`` come with their nodes."""

    def __init__(self, system: System, guards: Sequence[tuple[Guard, range]] = ()) -> None:
        self._system, self._guard_count = system, len(guards)
        self._turns = TurnGuards(system, [guard for guard, _ in guards if isinstance(guard, TurnGuard)])
        self._pairs = PairGuards(system, [(guard, nodes) for guard, nodes in guards if _is_pair(guard)])
        self._still = [guard for guard, _ in guards if isinstance(guard, BallGuard) and guard.thing]
        self._balances = [(guard, nodes[0]) for guard, nodes in guards if isinstance(guard, BalanceGuard)]
        self.linear = [
            *_flights(system),
            *_dwells(system),
            *_vacancies(system),
            *_spans(system),
            *_strides(system),
            *_weights(system),
        ]
        # A rule about one unknown has a second of sign 0.
        pairs = [((*rule.columns, rule.columns[0])[:2], (*rule.signs, 0.0)[:2]) for rule in self.linear]
        self._columns = np.array([columns for columns, _ in pairs], dtype=np.int64).reshape(-1, 2)
        self._signs = np.array([signs for _, signs in pairs]).reshape(-1, 2)
        self._constants = np.array([rule.constant for rule in self.linear])
        self._bounces = [k for k, arc in enumerate(system.layout.arcs) if arc.law == BOUNCED and not arc.rod]

    def count(self) -> int:
        """Most rows they can take."""
        return len(self.linear) + len(self._bounces) + len(self._system.layout.shadows) + self._guard_count

    def rows(self, unknowns: FloatArray, jacobian: FloatArray, first: int) -> FloatArray:
        """Fill rows from ``first`` on, zero before, for the unknowns that are loaded; returns the room of each.

        Rules with plenty of room take no part.
        """
        rooms, room, row = self._rooms(unknowns), [], first
        for k in np.flatnonzero(rooms < _NEAR):
            rule = self.linear[k]
            for column, sign in zip(rule.columns, rule.signs, strict=True):
                jacobian[row, column] = sign
            room.append(float(rooms[k]))
            row += 1
        for arc in self._bounces:
            asked = Probe(APPROACH, arc, 0.0)
            if self._system.probed(asked)[0] < _WATCHED_MPS:
                room.append(float(self._system.probed(asked, row, jacobian)[0]) - APPROACH_MPS)
                row += 1
        apart = self._system.separated(_WATCHED_M, row, jacobian)
        room += (apart[apart < _WATCHED_M] - APART_M).tolist()
        room += self._turns.rows(jacobian, first + len(room))
        room += self._pairs.rows(jacobian, first + len(room))
        for guard in self._still:
            left = still_room(self._system, guard, first + len(room), jacobian)
            if left is not None:
                room.append(left)
        for balance, node in self._balances:
            room.append(balance_room(self._system, balance, node, first + len(room), jacobian))
        return np.array(room)

    def shortfall(self) -> float:
        """By how much the worst guard is broken [rad or m], for the unknowns loaded."""
        return max([0.0, *(-room for _, room in self._left())])

    def kept(self, slack: float) -> list[Guard]:
        """Guards that hold but for ``slack`` [rad or m], for the unknowns loaded."""
        return [guard for guard, room in self._left() if room >= -slack]

    def _left(self) -> Iterator[tuple[Guard, float]]:
        """Every guard and its room [rad or m], nought where it guards nothing."""
        yield from (*self._turns.left(), *self._pairs.left())
        for guard in self._still:
            yield guard, still_room(self._system, guard, 0, None) or 0.0
        for balance, node in self._balances:
            yield balance, balance_room(self._system, balance, node, 0, None)

    def _rooms(self, unknowns: FloatArray) -> FloatArray:
        """Room of every linear rule."""
        return np.asarray(np.sum(self._signs * unknowns[self._columns], axis=1) + self._constants)

    def broken(self, unknowns: FloatArray, *, slack: float = 1e-6) -> list[str]:
        """Names of the rules that do not hold; the unknowns must be loaded."""
        found = [rule.label for rule in self.linear if rule.room(unknowns) < -slack]
        for arc in self._bounces:
            if self._system.probed(Probe(APPROACH, arc, 0.0))[0] < APPROACH_MPS - 1e-3:
                label = self._system.layout.nodes[self._system.layout.arcs[arc].start].label
                found.append(f"{label}: the ball does not come to it")
        for shadow in np.flatnonzero(self._system.separated() < APART_M - max(slack, _HAND_M)):
            found.append(self._system.layout.shadows[shadow][2].label)
        return found


def _is_pair(guard: Guard) -> bool:
    return isinstance(guard, GapGuard | ReachGuard) or (isinstance(guard, BallGuard) and not guard.thing)


def _after(system: System, early: int, late: int, least: float, label: str) -> Linear | None:
    """The late node is at least so much later than the early one; ``None`` when both times are given."""
    columns, signs, constant = [], [], -least
    for node, sign in ((late, 1.0), (early, -1.0)):
        own = system.layout.nodes[node]
        if own.time_column >= 0:
            columns.append(own.time_column)
            signs.append(sign)
        else:
            constant += sign * own.time
    if not columns:
        return None
    return Linear(columns=tuple(columns), signs=tuple(signs), constant=constant, label=label)


def _flights(system: System) -> list[Linear]:
    rules = [
        _after(system, arc.start, arc.end, FLIGHT_S, f"{system.layout.nodes[arc.end].label}: too soon after the last")
        for arc in system.layout.arcs
    ]
    return [rule for rule in rules if rule is not None]


def _dwells(system: System) -> list[Linear]:
    rules = []
    for early, late in pairwise(range(len(system.layout.nodes))):
        one, two = system.layout.nodes[early], system.layout.nodes[late]
        if one.leg == two.leg and one.ends == "catch" and two.ends == "release":
            rules.append(_after(system, early, late, DWELL_S, f"{two.label}: held too briefly"))
    return [rule for rule in rules if rule is not None]


def _vacancies(system: System) -> list[Linear]:
    """A hand that has let go of a ball before it catches another keeps doing so."""
    nodes = system.layout.nodes
    released: dict[str, list[int]] = {}
    caught: dict[str, list[int]] = {}
    for n, node in enumerate(nodes):
        if node.ends:
            leg = system.play.ways[node.leg[0]].legs[node.leg[1]]
            assert isinstance(leg, Hold)
            (released if node.ends == "release" else caught).setdefault(leg.part, []).append(n)
    rules = []
    for part, catches in caught.items():
        for catch in catches:
            before = [n for n in released.get(part, []) if nodes[n].time < nodes[catch].time]
            if before:
                last = max(before, key=lambda n: nodes[n].time)
                rules.append(_after(system, last, catch, VACANT_S, f"{nodes[catch].label}: the hand is not empty"))
    return [rule for rule in rules if rule is not None]


def _spans(system: System) -> list[Linear]:
    """Contacts stay within the motion."""
    rules, end = [], system.play.duration_s
    for node in system.layout.nodes:
        if node.time_column >= 0:
            column = (node.time_column,)
            rules.append(Linear(columns=column, signs=(1.0,), constant=0.0, label=f"{node.label}: before the start"))
            rules.append(Linear(columns=column, signs=(-1.0,), constant=end, label=f"{node.label}: after the end"))
    return rules


def _strides(system: System) -> list[Linear]:
    """A leg strikes only while its foot is in the air in the source: a planted leg is not the edit's to move."""
    rules = []
    for number, actor in enumerate(system.play.actors):
        skeleton = actor.motion.skeleton
        for side in ("left", "right"):
            joints = set(skeleton.descendants(skeleton.humanoid[f"{side}UpperLeg"]))
            for node in system.layout.nodes:
                if node.player != number or node.joint not in joints or node.time_column < 0:
                    continue
                down = np.flatnonzero(actor.stances[side].stands) / actor.motion.fps
                before, after = down[down <= node.time], down[down > node.time]
                if len(before) and node.time - before[-1] < 2.0 / actor.motion.fps:
                    continue
                label = f"{node.label}: the foot stands"
                column = (node.time_column,)
                if len(before):
                    rules.append(Linear(columns=column, signs=(1.0,), constant=-float(before[-1]), label=label))
                if len(after):
                    rules.append(Linear(columns=column, signs=(-1.0,), constant=float(after[0]), label=label))
    return rules


def _weights(system: System) -> list[Linear]:
    rules = []
    for number, actor in enumerate(system.play.actors):
        first = int(system.actor_columns[number + 1]) - len(actor.blends)
        for b, blend in enumerate(actor.blends):
            for sign, bound in ((1.0, -_WEIGHT[0]), (-1.0, _WEIGHT[1])):
                label = f'{actor.name}: weight of blend "{blend.name}"'
                rules.append(Linear(columns=(first + b,), signs=(sign,), constant=bound, label=label))
    for k, kind in enumerate(system.layout.kinds):
        if kind == "restitution":
            for sign, bound in ((1.0, 0.0), (-1.0, 1.0)):
                column = (system.layout.first + k,)
                rules.append(
                    Linear(
                        columns=column, signs=(sign,), constant=bound, label=f"{system.layout.labels[k]}: restitution"
                    )
                )
    return rules
