"""How a simulated state changes with every control, through flights, impacts, grasps and contact times.

The arcs of a simulated play are as many equations as there are things a simulation finds out (contact times and
places, spins, ends). Their derivatives by the controls follow from one linear system, without any long chain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.errors import PlanningInputError
from understudy.interaction._law_kernels import GIVEN
from understudy.interaction.editing import Bench, Pin
from understudy.interaction.handles import Handle, probe_of
from understudy.interaction.layout import Layout
from understudy.interaction.play import Play
from understudy.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Sensitivity:
    """A state and its derivatives.

    Attributes:
        value: ``(3,)`` the handle's place [m] or velocity [m/s].
        by_controls: ``(3, controls)`` by the unknowns that are controls: every actor's control points and blend
            weights, release times, initial places and velocities, restitutions.
        controls: ``(controls,)`` which of the system's unknowns these are.
    """

    value: FloatArray
    by_controls: FloatArray
    controls: IntArray


def sensitivity(play: Play, handle: Handle, unknowns: FloatArray | None = None) -> Sensitivity:
    """Value and exact derivatives of a handle in a simulated play.

    Args:
        play: What :func:`understudy.interaction.simulation.simulate` returned, or any play whose contacts fit.
        handle: What is asked for.
        unknowns: The system's unknowns; as the play says unless given.

    Raises:
        PlanningInputError: The play's equations do not determine its contacts (a catch at a given grip, for example,
            is a demand and not an outcome).
    """
    bench = Bench.of(play, (Pin(handle=handle, target=np.zeros(3)),), unknowns=unknowns)
    system = bench.system
    at = system.start() if unknowns is None else unknowns
    found = outcomes(system.layout)
    outcome = np.zeros(system.size, dtype=bool)
    outcome[system.control_count :] = found
    if outcome.sum() != system.rows:
        raise PlanningInputError(
            f"the play has {system.rows} equations for {int(outcome.sum())} outcomes; sensitivities need a simulation"
        )
    _, jacobian = system.linearised(at, spare=3)
    value = system.probed(probe_of(system, handle, bench.watched), system.rows, jacobian)
    equations, asked = jacobian[: system.rows], jacobian[system.rows :]
    controls = np.flatnonzero(~outcome).astype(np.int64)
    moved = np.linalg.solve(equations[:, outcome], -equations[:, controls])
    return Sensitivity(value=value, by_controls=asked[:, controls] + asked[:, outcome] @ moved, controls=controls)


def outcomes(layout: Layout) -> BoolArray:
    """``(contact unknowns,)`` those that a simulation finds out."""
    found = np.zeros(len(layout.values), dtype=bool)
    for node in layout.nodes:
        if node.time_column >= 0 and node.ends != "release":
            found[node.time_column - layout.first] = True
        free_start = node.point_column >= 0 and node.leg[1] == 0
        if node.point_column >= 0 and not free_start:
            found[node.point_column - layout.first : node.point_column - layout.first + 3] = True
        if node.axis_column >= 0 and node.leg[1] > 0:
            found[node.axis_column - layout.first : node.axis_column - layout.first + 3] = True
    for arc in layout.arcs:
        if arc.spin_column >= 0 and arc.law != GIVEN:
            found[arc.spin_column - layout.first : arc.spin_column - layout.first + 3] = True
    return found
