"""One edit step: a Newton correction of every contact plus a capped drag, then back onto the contacts.

Deviation from the paper ([Interaction]): it simulates forward through all impacts and differentiates that; here every
flight is an arc between contacts whose times and places are unknowns themselves. A contact cannot be lost, and an
error does not grow thirtyfold with every impact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from understudy.core.planning import Options, limited
from understudy.errors import PlanningInputError
from understudy.interaction.clashes import starts_inside
from understudy.interaction.contact_places import Node
from understudy.interaction.costs import Change, Costs, least_change
from understudy.interaction.guard_rows import Guard, guard_nodes
from understudy.interaction.handles import AxisAt, BallAt, Handle, held_node, probe_of, watched_node
from understudy.interaction.play import Play
from understudy.interaction.rules import Rules
from understudy.interaction.system import System
from understudy.typing import FloatArray


@dataclass(frozen=True, kw_only=True)
class EditOptions(Options):
    """How an edit goes.

    Attributes:
        drag_m: Farthest a handle is moved in one step [m].
        anchor: Share of the way back to the motion before the edit that each step goes, as far as contacts allow.
        time_factor: How much dearer changes of contact times are than usual; raise it to acquire a rhythm.
        rest_m: Contacts closer than this are at rest [m].
        settle_steps: Most Newton steps to come to rest.
        guard_rounds: Most times a finished edit is solved again because of joint limits and body parts in each other.
        seed: Unused; edits draw nothing.
    """

    drag_m: float = limited(0.1, low=1e-3, high=0.5, unit="m")
    anchor: float = limited(0.25, low=0.0, high=1.0)
    time_factor: float = limited(1.0, low=1e-3, high=1e4)
    rest_m: float = limited(1e-8, low=1e-12, high=1e-3, unit="m")
    settle_steps: int = limited(30, low=1, high=1000)
    guard_rounds: int = limited(8, low=0, high=50)


@dataclass(frozen=True, eq=False, kw_only=True)
class Pin:
    """A handle that has to be somewhere.

    Attributes:
        handle: What.
        target: ``(3,)`` where [m] (or how fast [m/s]).
        axes: Which of the three coordinates count.
    """

    handle: Handle
    target: FloatArray
    axes: tuple[int, ...] = (0, 1, 2)


@dataclass(eq=False)
class Bench:
    """A play on the workbench: its system, rules, costs and the pins that are set.

    Attributes:
        system: The equations.
        rules: The inequalities.
        costs: What changes cost.
        pins: What has to be somewhere.
        watched: Handles with nodes of their own.
    """

    system: System
    rules: Rules
    costs: Costs
    pins: tuple[Pin, ...] = ()
    watched: dict[Handle, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        play: Play,
        pins: tuple[Pin, ...] = (),
        *,
        unknowns: FloatArray | None = None,
        time_factor: float = 1.0,
        guards: Sequence[Guard] = (),
    ) -> Bench:
        """Lay a play out; with ``unknowns`` handles are found where balls are now."""
        plain = System(play)
        plain.load(plain.start() if unknowns is None else unknowns)
        nodes: list[Node] = []
        watched: dict[Handle, int] = {}
        for pin in pins:
            node = watched_node(play, pin.handle)
            if node is None and isinstance(pin.handle, BallAt | AxisAt):
                node = held_node(plain, pin.handle)
            if node is not None:
                watched[pin.handle] = plain.watched_from + len(nodes)
                nodes.append(node)
        posted = []
        for guard in guards:
            own = guard_nodes(plain, guard)
            if own is not None:
                first = plain.watched_from + len(nodes)
                posted.append((guard, range(first, first + len(own))))
                nodes += own
        system = System(play, nodes) if nodes else plain
        return cls(system, Rules(system, posted), Costs.of(system, time_factor=time_factor), pins, watched)

    def value(self, handle: Handle) -> FloatArray:
        """Where a pinned handle is, for the unknowns loaded."""
        return self.system.probed(probe_of(self.system, handle, self.watched))


@dataclass(frozen=True, eq=False, kw_only=True)
class Errors:
    """How far a state is from what is asked.

    Attributes:
        contacts_m: Largest miss of a contact [m].
        pins_m: Largest distance of a pin from its target [m].
        worst: Which contact or pin.
    """

    contacts_m: float
    pins_m: float
    worst: str

    @property
    def largest_m(self) -> float:
        """The larger of both [m]."""
        return max(self.contacts_m, self.pins_m)


def corrected(
    bench: Bench, unknowns: FloatArray, targets: list[FloatArray], toward: FloatArray | None = None
) -> tuple[FloatArray, Change]:
    """One Newton step towards contacts that fit and pins at ``targets``, bent as far as possible along ``toward``."""
    system, rules = bench.system, bench.rules
    spare = 3 * len(bench.pins) + rules.count()
    residual, jacobian = system.linearised(unknowns, spare=spare)
    wanted, rows, row = [-residual], [np.arange(system.rows)], system.rows
    for pin, target in zip(bench.pins, targets, strict=True):
        value = system.probed(probe_of(system, pin.handle, bench.watched), row, jacobian)
        axes = np.array(pin.axes)
        wanted.append((target - value)[axes])
        rows.append(row + axes)
        row += 3
    room = rules.rows(unknowns, jacobian, row)
    rows.append(row + np.arange(len(room)))
    # Where pins leave no coordinate out, the rows follow each other and need no copy.
    whole = all(len(pin.axes) == 3 for pin in bench.pins)
    chosen = jacobian[: row + len(room)] if whole else jacobian[np.concatenate(rows)]
    change = least_change(bench.costs, chosen, np.concatenate(wanted), room, toward)
    return on_surfaces(system, unknowns + change.step), change


def on_surfaces(system: System, unknowns: FloatArray) -> FloatArray:
    """The same with every contact's place put exactly onto its surface."""
    for node in system.layout.nodes:
        if node.has_surface_row and node.surface is not None and node.axis is None:
            place = unknowns[node.point_column : node.point_column + 3]
            off, normal = node.surface.off(place)
            place -= (off - system.play.ways[node.leg[0]].ball.radius_m) * normal
    return unknowns


def errors(bench: Bench, unknowns: FloatArray, targets: list[FloatArray] | None = None) -> Errors:
    """How far unknowns are from contacts that fit and pins at their targets."""
    residual = np.abs(bench.system.residual(unknowns))
    worst = bench.system.row_label(int(residual.argmax())) if len(residual) else ""
    contacts = float(residual.max()) if len(residual) else 0.0
    pins = 0.0
    for k, pin in enumerate(bench.pins):
        target = pin.target if targets is None else targets[k]
        far = float(np.linalg.norm((target - bench.value(pin.handle))[list(pin.axes)]))
        if far > pins:
            pins = far
            worst = str(pin.handle) if far > contacts else worst
    return Errors(contacts_m=contacts, pins_m=pins, worst=worst)


def check_start(bench: Bench, unknowns: FloatArray) -> None:
    """Refuse a play whose times already break the rules, or in which balls begin inside something.

    Raises:
        PlanningInputError: Naming them.
    """
    bench.system.load(unknowns)
    broken = [rule.label for rule in bench.rules.linear if rule.room(unknowns) < -1e-9]
    if broken:
        raise PlanningInputError(f"the play contradicts itself: {'; '.join(broken[:4])}")
    inside = starts_inside(bench.system)
    if inside:
        raise PlanningInputError("; ".join(inside[:4]))


def why(bench: Bench, left: Errors, broken: list[str]) -> str:
    """What keeps an edit from coming to rest: pins that contradict each other, rules, or one contact."""
    off = [
        str(pin.handle)
        for pin in bench.pins
        if np.linalg.norm((pin.target - bench.value(pin.handle))[list(pin.axes)]) > 1e-4
    ]
    if len(off) > 1:
        return f"these contradict each other or are out of reach together: {', '.join(off[:4])}"
    if broken:
        return f"it would break: {'; '.join(dict.fromkeys(broken[:3]))}"
    return f"{left.worst} is off by {left.largest_m:.4f} m and comes no nearer"
