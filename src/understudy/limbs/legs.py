"""What a limb's plan is made of: legs from knot to knot, and what planning them came to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy.core.motion import Motion
from understudy.core.planning import Status
from understudy.limbs.space import LimbSpace
from understudy.limbs.tables import Margin
from understudy.limbs.trace import Change, Touch
from understudy.limbs.window import Window
from understudy.typing import FloatArray, IntArray

#: [m] part of the room at a start or goal that is not used.
_ROUNDING_M = 2e-4


@dataclass(frozen=True, eq=False, kw_only=True)
class Found:
    """What a search came to.

    Attributes:
        path: ``(n, parameters + 1)`` offsets from the clip [rad] and times [s]; empty when none was found.
        raw: The same before it was shortened.
        iterations: Samples drawn.
        checks: Poses looked at.
        nodes: Both trees' nodes, for people to look at.
        stuck: Whether the limb finds no way out of its goal at the pace it has, wherever it is to go afterwards.
        late: Whether even the straight way takes longer at that pace than there is.
    """

    path: FloatArray
    raw: FloatArray
    iterations: int
    checks: int
    nodes: FloatArray
    stuck: bool = False
    late: bool = False

    def __bool__(self) -> bool:
        """Whether there is a path."""
        return len(self.path) > 0

    def then(self, other: Found) -> Found:
        """What another search found after this one found nothing; both were work."""
        return replace(
            other,
            iterations=self.iterations + other.iterations,
            checks=self.checks + other.checks,
            nodes=np.concatenate([self.nodes, other.nodes]) if len(self.nodes) else other.nodes,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Leg:
    """One stretch of a plan, from a knot to the next.

    Attributes:
        window: The limb and its world there; its frames hold both knots.
        start_s: When it begins [s].
        end_s: When it ends [s].
        start: ``(parameters,)`` [rad] offset from the clip there.
        end: The same at its end.
        leaving: ``(n, parameters + 1)`` offsets and times to leave the start by, if free; none unless given.
        arriving: The same to arrive at the end by, from the end backwards in time.
        soft: Whether the end is only on the way and may be smoothed over.
        hints: ``(n, parameters + 1)`` offsets and times that a way may well lead past.
        margin_m: Distance kept while searching [m], where it is less than the options': beside what is touched.
        path: ``(n, parameters + 1)`` offsets and times of the way itself where it is known: it is not searched.
    """

    window: Window
    start_s: float
    end_s: float
    start: FloatArray
    end: FloatArray
    leaving: FloatArray | None = None
    arriving: FloatArray | None = None
    soft: bool = False
    hints: FloatArray | None = None
    margin_m: float | None = None
    path: FloatArray | None = None

    @property
    def ends(self) -> tuple[FloatArray, FloatArray]:
        """``(parameters + 1,)`` where it begins and where it ends, the times last."""
        return np.array([*self.start, self.start_s]), np.array([*self.end, self.end_s])

    def margin(self, least_m: float) -> Margin:
        """The distance to keep [m]; where the ends have less room than that, their own room is kept."""
        room = [self.window.nearest(one[:-1], one[-1], within_m=least_m + 0.01)[0] for one in self.ends]
        start_m, end_m = (max(min(slack - _ROUNDING_M, least_m), 0.0) for slack in room)
        margin = self.window.margin(least_m, start_m=start_m, end_m=end_m)
        return margin._replace(start_s=float(self.start_s), end_s=float(self.end_s))


def windows_of(legs: Sequence[Leg]) -> list[Window]:
    """The legs' windows, one that several legs share once."""
    return list({id(leg.window): leg.window for leg in legs}.values())


@dataclass(frozen=True, eq=False, kw_only=True)
class Plan:
    """What planning came to.

    Attributes:
        status: ``SOLVED`` when the offsets are certified and keep the pace.
        space: The limb.
        first: First frame of ``offsets``.
        offsets: ``(frames, parameters)`` [rad] to add to the clip; empty without a solution.
        reason: Why there is none.
        found: What the searches found, leg by leg.
        width_s: Width of the smoothing kernel [s].
        hasty: Whether all that is wrong with it is that the limb would be too fast.
        failed_s: The middle of the leg that no way was found for [s]; no number where one was found for all.
    """

    status: Status
    space: LimbSpace
    first: int = 0
    offsets: FloatArray
    reason: str = ""
    hasty: bool = False
    found: tuple[Found, ...] = ()
    width_s: float = 0.0
    failed_s: float = float("nan")

    def applied(self, motion: Motion) -> Motion:
        """The motion with the plan's offsets; frames without an offset are untouched bit for bit."""
        return replace(motion, rotations=changed_rotations(motion, self.space, self.first, self.offsets))

    def change(self, start_s: float, end_s: float, because: tuple[Touch, ...] = ()) -> Change:
        """What the plan changes from one time to another [s] and why, for traces."""
        return Change(
            limb=self.space.name,
            start_s=start_s,
            end_s=end_s,
            status=self.status,
            because=because,
            path=np.concatenate([one.path for one in self.found]),
            nodes=np.concatenate([one.nodes for one in self.found]),
            width_s=self.width_s,
        )


def changed_rotations(motion: Motion, space: LimbSpace, first: int, offsets: FloatArray) -> FloatArray:
    """Rotations of a motion with offsets added to a limb from frame ``first`` on."""
    return with_offsets(motion.rotations, space, first, offsets)


def with_offsets(rotations: FloatArray, space: LimbSpace, first: int, offsets: FloatArray) -> FloatArray:
    """Rotations ``(frames, joints, 4)`` with offsets added to a limb from frame ``first`` on."""
    made = np.array(rotations)
    offset_chain(made, np.array(space.joints, dtype=np.int64), space, first, offsets)
    return made


def offset_chain(rotations: FloatArray, chain: IntArray, space: LimbSpace, first: int, offsets: FloatArray) -> None:
    """The same in place, of rotations that hold the limb's joints at the places ``chain``."""
    from understudy.limbs._offset_kernels import add_offsets

    rows = np.flatnonzero(offsets.any(axis=1))
    add_offsets(space.arrays, chain, first + rows, np.ascontiguousarray(offsets[rows]), rotations)


def failed_plan(space: LimbSpace, found: Sequence[Found], reason: str) -> Plan:
    """A plan that came to nothing, and why."""
    return Plan(
        status=Status.EXHAUSTED,
        space=space,
        offsets=np.empty((0, len(space))),
        reason=reason,
        found=tuple(found),
    )
