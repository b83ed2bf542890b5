"""What limb planning did, for people and reports."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.core.planning import Status
from understudy.scene.contacts import ContactRule
from understudy.typing import FloatArray


@dataclass(frozen=True, kw_only=True)
class Touch:
    """A limb of the clip in something, over a stretch of time.

    Attributes:
        limb: Which limb.
        start_s: From when [s], in the scene's time.
        end_s: Until when [s].
        pairs: Names of what touches what.
        first: First frame that touches.
        last: Last frame that touches.
    """

    limb: str
    start_s: float
    end_s: float
    pairs: tuple[tuple[str, str], ...]
    first: int
    last: int

    def __str__(self) -> str:
        """One line for people."""
        what = ", ".join(f"{a} in {b}" for a, b in self.pairs)
        return f"{what} from {self.start_s:.2f} to {self.end_s:.2f} s"


@dataclass(frozen=True, eq=False, kw_only=True)
class Change:
    """One stretch that was planned, or could not be.

    Attributes:
        limb: The linkage that was planned; ``"right_arm_spine"`` where the arm alone could not.
        start_s: First moment that may differ from the clip [s].
        end_s: Last moment [s].
        status: How it ended.
        reason: Why it failed; empty when it did not.
        because: What touched there before.
        path: ``(n, parameters + 1)`` offsets from the clip and times, as searched.
        nodes: ``(m, parameters + 1)`` both trees.
        width_s: Width of the smoothing kernel [s].
    """

    limb: str
    start_s: float
    end_s: float
    status: Status
    reason: str = ""
    because: tuple[Touch, ...] = ()
    path: FloatArray | None = None
    nodes: FloatArray | None = None
    width_s: float = 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class LimbTrace:
    """What was changed and what was not.

    Attributes:
        character: Whose motion.
        changes: Every stretch, in the order in which they were planned.
        left: What still touches.
        planned: Limbs that were changed.
        allow: Contacts that were meant.
        position: ``(3,)`` [m] where a reaching hand had to be.
        rotation: ``(4,)`` how it had to be turned; ``None`` where it was free.
        point: ``(3,)`` [m] of the hand that had to be there.
        time_s: When, in the motion's time [s].
        hand: ``"left"`` or ``"right"``; empty for corrections.
        error_m: How far it is off [m].
        error_rad: And turned [rad].
        rejected: What the judge said of motions that did not pass.
    """

    character: str = ""
    changes: tuple[Change, ...] = ()
    left: tuple[Touch, ...] = ()
    planned: tuple[str, ...] = ()
    allow: tuple[ContactRule, ...] = ()
    position: FloatArray | None = None
    rotation: FloatArray | None = None
    point: FloatArray | None = None
    time_s: float = 0.0
    hand: str = ""
    error_m: float = float("nan")
    error_rad: float = float("nan")
    rejected: tuple[str, ...] = ()

    @property
    def changed_s(self) -> float:
        """How much of the motion was changed [s]."""
        spans = sorted((one.start_s, one.end_s) for one in self.changes if one.status)
        total, reached = 0.0, -np.inf
        for start, end in spans:
            total, reached = total + max(0.0, end - max(start, reached)), max(reached, end)
        return float(total)
