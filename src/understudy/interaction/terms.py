"""Which law holds for which arc, contact, shadow or question of a play, and what its numbers come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from understudy.interaction import _law_kernels as law
from understudy.interaction._term_kernels import Terms
from understudy.interaction.layout import Arc, Layout
from understudy.typing import FloatArray, IntArray

_SLOTS = (law.NUMBERS - law.FROM) // 3


class Probe(NamedTuple):
    """Something of the play that is asked for.

    Attributes:
        kind: What is asked: a law of ``_law_kernels`` from ``PLACE`` on.
        which: Arc or node.
        time_s: When [s].
    """

    kind: int
    which: int
    time_s: float


def blank(count: int) -> Terms:
    """Terms of which nothing is known."""
    return Terms(
        facts=np.zeros((count, law.FACTS)),
        numbers=np.zeros((count, law.NUMBERS)),
        nodes=np.full((count, _SLOTS), -1, dtype=np.int64),
        columns=np.full((count, _SLOTS), -1, dtype=np.int64),
        clocks=np.full((count, 5, 2), -1, dtype=np.int64),
        moment=np.zeros(count),
        bounce=np.full(count, -1, dtype=np.int64),
        rows=np.full((count, 4), -1, dtype=np.int64),
        counts=np.tile(np.array([3, 3, 3, 1], dtype=np.int64), (count, 1)),
    )


class Term(NamedTuple):
    """One of several terms while they are made."""

    terms: Terms
    k: int
    layout: Layout

    def at(self, node: int, *slots: int) -> None:
        """Slots are about a node."""
        for first in slots:
            self.terms.nodes[self.k, (first - law.FROM) // 3] = node

    def unknown(self, slot: int, column: int, given: FloatArray) -> None:
        """A slot is three unknowns, or given."""
        self.terms.columns[self.k, (slot - law.FROM) // 3] = column
        self.terms.numbers[self.k, slot : slot + 3] = given

    def lasts(self, clock: int, early: int, late: int = -1) -> None:
        """A duration lasts from one node to another, or to the term's moment."""
        self.terms.clocks[self.k, clock] = late, early

    def body(self, arc: Arc, kind: int) -> None:
        """A law of a ball or capsule."""
        facts, ball = self.terms.facts[self.k], arc.ball
        across, along = ball.moments
        facts[law.LAW], facts[law.RADIUS], facts[law.HALF] = kind, ball.radius_m, 0.5 * ball.length_m
        facts[law.ACROSS_M2], facts[law.SHARE], facts[law.FRICTION] = across, along / across, ball.friction
        self.terms.numbers[self.k, law.BOUNCE] = arc.restitution

    def flies(self, arc: Arc) -> None:
        """Where an arc begins and ends, and how it turns."""
        self.at(arc.start, law.AT)
        self.at(arc.end, law.TO)
        self.lasts(law.LASTS, arc.start, arc.end)
        self.unknown(law.SPIN_OUT, arc.spin_column, arc.spin)
        if arc.rod:
            self.at(arc.start, law.AXIS)

    def leaves(self, node: int) -> None:
        """It leaves something that moves."""
        self.at(node, law.MOVING)
        self.at(node, law.SPINNING)

    def arrives(self, arc: Arc) -> None:
        """How it came to where the arc begins."""
        before = self.layout.arcs[arc.before]
        self.at(before.start, law.FROM)
        self.lasts(law.BEFORE, before.start, arc.start)
        self.unknown(law.SPIN_IN, before.spin_column, before.spin)

    def meets(self, arc: Arc) -> None:
        """The second body of a knock."""
        facts, other = self.terms.facts[self.k], self.layout.arcs[arc.other]
        before = self.layout.arcs[other.before]
        across, along = other.ball.moments
        facts[law.KIND], facts[law.THICK], facts[law.HALF2] = law.BODY, other.ball.radius_m, 0.5 * other.ball.length_m
        facts[law.MASSES] = arc.ball.mass_kg / other.ball.mass_kg
        facts[law.ACROSS2_M2], facts[law.SHARE2] = across, along / across
        # Two balls meet without friction; two bodies rub where anything has an axis.
        facts[law.FRICTION] = min(arc.ball.friction, other.ball.friction) if arc.rod else 0.0
        self.at(other.start, law.AT2)
        if arc.rod:
            self.at(other.start, law.AXIS2)
        self.at(before.start, law.FROM2)
        self.lasts(law.BEFORE2, before.start, other.start)
        self.unknown(law.SPIN2, before.spin_column, before.spin)


def row_homes(terms: Terms) -> tuple[IntArray, IntArray]:
    """Rows that laws have in a system, and where they are among the laws' own (ten of each law)."""
    homes = [
        (row + i, law.ROWS * k + 3 * group + i)
        for (k, group), row in np.ndenumerate(terms.rows)
        for i in range(terms.counts[k, group])
        if row >= 0
    ]
    found = np.array(homes, dtype=np.int64).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def arc_terms(layout: Layout) -> Terms:
    """How every arc begins."""
    terms = blank(len(layout.arcs))
    for k, arc in enumerate(layout.arcs):
        term = Term(terms, k, layout)
        term.body(arc, arc.law)
        term.flies(arc)
        if arc.law == law.GIVEN:
            term.unknown(law.MOVING, arc.given_column, arc.given)
        elif arc.law == law.KNOCKED:
            term.arrives(arc)
            term.meets(arc)
        else:
            term.leaves(arc.start)
        if arc.law == law.BOUNCED:
            term.arrives(arc)
            term.at(arc.start, law.NEAR, law.FAR)
            terms.bounce[k] = arc.restitution_column
        if arc.rod:
            free = layout.nodes[arc.end].axis_column >= 0
            terms.counts[k, 2] = terms.facts[k, law.AXIS_ROWS] = 3 if free else 2
            term.at(arc.end, *((law.AXIS_TO,) if free else (law.ACROSS, law.ACROSS2)))
        terms.rows[k] = arc.row, arc.spin_row, arc.axis_row, -1
    return terms


def touch_terms(layout: Layout) -> Terms:
    """Gaps to what is touched."""
    found = [n for n, node in enumerate(layout.nodes) if node.surface_row >= 0]
    terms = blank(len(found))
    for k, n in enumerate(found):
        arc = next(arc for arc in layout.arcs if n in (arc.start, arc.end))
        node, term, knocked = layout.nodes[n], Term(terms, k, layout), [one for one in layout.arcs if one.start == n]
        term.body(arc, law.TOUCHES)
        terms.rows[k, 3] = node.surface_row
        if node.surface is not None and node.player >= 0 and not arc.rod:
            # A ball's place on a body part is given in its frame, so nothing else matters.
            terms.facts[k, law.KIND], terms.facts[k, law.THICK] = law.ROUND, node.surface.radius_m
            terms.numbers[k, law.NEAR : law.FAR + 3] = node.surface.ends.ravel()
            term.unknown(law.AT, node.point_column, node.point)
            continue
        term.at(n, law.AT)
        if node.surface is None:
            term.meets(knocked[0])
        else:
            term.at(n, law.NEAR, law.FAR)
        if arc.rod:
            term.at(n, law.AXIS)
    return terms


def shadow_terms(layout: Layout) -> Terms:
    """How far balls are off hands just after throws and before catches."""
    terms = blank(len(layout.shadows))
    for k, (number, since, _) in enumerate(layout.shadows):
        arc, n, term = layout.arcs[number], len(layout.nodes) + k, Term(terms, k, layout)
        terms.facts[k, law.LAW] = law.LEAVES
        term.at(arc.start if since > 0.0 else arc.end, law.AT)
        term.at(arc.end if since > 0.0 else arc.start, law.TO)
        term.at(n, law.AT2, law.NEAR, law.FAR)
        term.lasts(law.LASTS, arc.start, arc.end)
        terms.numbers[k, law.SINCE] = abs(since)
    return terms


def probe_terms(layout: Layout, asked: Sequence[Probe]) -> Terms:
    """What is asked of arcs and nodes."""
    terms = blank(len(asked))
    for k, (kind, which, time_s) in enumerate(asked):
        term = Term(terms, k, layout)
        terms.facts[k, law.LAW], terms.moment[k] = kind, time_s
        if kind >= law.NODE_PLACE:
            places = {law.NODE_PLACE: law.AT, law.NODE_VELOCITY: law.MOVING, law.NODE_POINTING: law.AXIS}
            term.at(which, places.get(kind, law.SPINNING))
            continue
        arc = layout.arcs[which]
        term.body(arc, kind)
        term.flies(arc)
        term.lasts(law.SINCE, arc.start)
        if kind == law.APPROACH:
            term.arrives(arc)
            term.leaves(arc.start)
            term.at(arc.start, law.NEAR, law.FAR)
            terms.counts[k, 2] = 1
    return terms
