"""What a limb's plan is made of: legs from knot to knot, and what planning them came to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy.core.motion import Motion
from understudy.core.planning import Status
from understudy.limbs.search import Found
from understudy.limbs.space import LimbSpace
from understudy.limbs.trace import Change, Touch
from understudy.limbs.window import Window
from understudy.typing import FloatArray, IntArray


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
