"""Explicit constraints: what has to happen where (paper §4).

A constraint is a triple of action, location and orientation, each of which may be left out. Weights are the paper's: an
error of 30 cm counts as much as one of 10 degrees, and either counts 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.errors import PlanningInputError, nearest_name
from understudy.library import Library
from understudy.locomotion.published.sampling.sampler import Sampler
from understudy.locomotion.published.sampling.tables import Targets
from understudy.locomotion.query import Spot
from understudy.typing import BoolArray, FloatArray, IntArray

#: Weights of squared errors: 30 cm and 10 degrees count 1 each [1/m^2], [1/rad^2].
LOCATION_WEIGHT, ORIENTATION_WEIGHT = 1.0 / 0.3**2, 1.0 / math.radians(10.0) ** 2


@dataclass(frozen=True, kw_only=True)
class Constraint:
    """Something a motion has to do; what is ``None`` does not matter.

    Attributes:
        position: Where, (x, z) [m].
        heading_rad: Facing where; 0 is +Z, a quarter turn +X.
        action: What is shown there: the name of a clip or a label of the library, or a footage frame by its number.
    """

    position: tuple[float, float] | None = None
    heading_rad: float | None = None
    action: str | int | None = None

    def __post_init__(self) -> None:
        """Reject constraints that ask for nothing, and numbers that are not finite."""
        if self.position is None and self.heading_rad is None and self.action is None:
            raise PlanningInputError("a constraint needs a position, a heading or an action")
        values = np.array([*(self.position or ()), self.heading_rad or 0.0], dtype=np.float64)
        if not np.isfinite(values).all() or (self.position is not None and len(self.position) != 2):
            raise PlanningInputError(f"a constraint's position must be (x, z) and its numbers finite; got {self}")

    @property
    def partial(self) -> bool:
        """Whether only its place matters."""
        return self.heading_rad is None and self.action is None


def of_spot(library: Library, spot: Spot) -> Constraint:
    """A place on the floor as a constraint; a frame within a clip is its action."""
    action = None if spot.clip is None else int(library.graph.first[spot.clip]) + spot.frame
    return Constraint(position=spot.position, heading_rad=spot.heading_rad, action=action)


def frames_of(library: Library, action: str | int) -> BoolArray:
    """``(frames,)`` which footage frames show an action.

    Raises:
        PlanningInputError: Nothing of that name is in the library.
    """
    footage, shown = library.footage, np.zeros(len(library.footage), dtype=bool)
    if isinstance(action, int):
        if not 0 <= action < len(footage):
            raise PlanningInputError(f"there is no footage frame {action}; there are 0..{len(footage) - 1}")
        shown[action] = True
        return shown
    for take, (first, stop) in zip(footage.takes, footage.bounds(), strict=True):
        shown[first:stop] = take.name == action
    if action in library.labels:
        for node in np.flatnonzero(library.graph.labels == library.labels.index(action)).tolist():
            shown[library.graph.first[node] : library.graph.last[node] + 1] = True
    if not shown.any():
        known = sorted({*library.labels, *(take.name for take in footage.takes)})
        raise PlanningInputError(f'no clip or label of the library is called "{action}"; {nearest_name(action, known)}')
    return shown


def targets_of(
    sampler: Sampler, constraints: Sequence[Constraint], waypoints: FloatArray, expected_m: float, begin_rad: float
) -> Targets:
    """Constraints for kernels.

    Args:
        sampler: Who moves.
        constraints: The first is the start, the last the goal; both have a position.
        waypoints: ``(n, 2)`` points (x, z) that the path adds between them [m].
        expected_m: Length of the way [m].
        begin_rad: Direction a start without heading sets out in [rad].
    """
    start, rest = constraints[0], constraints[1:]
    rows = [*rest[:-1], *(Constraint(position=(x, z)) for x, z in waypoints.tolist()), rest[-1]]
    shown = [frames_of(sampler.library, one.action) for one in rows if one.action is not None]
    actions = iter(range(len(shown)))
    return Targets(
        places=np.array([[*(one.position or (0.0, 0.0)), one.heading_rad or 0.0] for one in rows], dtype=np.float64),
        kinds=np.array([[one.position is not None, one.heading_rad is not None] for one in rows]),
        actions=np.array([-1 if one.action is None else next(actions) for one in rows], dtype=np.int64),
        shown=np.array(shown, dtype=bool).reshape(len(shown), len(sampler.library.footage)),
        start=np.array([*_placed(start), begin_rad if start.heading_rad is None else start.heading_rad,
                        float(start.heading_rad is not None)]),
        starts=starts_of(sampler, start),
        expected=max(expected_m, 0.1),
    )  # fmt: skip


def starts_of(sampler: Sampler, start: Constraint) -> IntArray:
    """Frames a motion may begin with.

    Raises:
        PlanningInputError: Nothing can follow any of them.
    """
    frames = sampler.beginnings()
    if start.action is None:
        return frames
    shown = frames_of(sampler.library, start.action)
    if isinstance(start.action, int):
        frames = np.array([start.action]) if start.action in frames else frames[:0]
    else:
        frames = frames[shown[frames]]
    if len(frames) == 0:
        raise PlanningInputError(f"no jump can be reached from the start's action {start.action!r}")
    return frames


def _placed(one: Constraint) -> tuple[float, float]:
    if one.position is None:
        raise PlanningInputError("the first and the last constraint need a position")
    return one.position
