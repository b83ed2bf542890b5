"""Why things could not be done, and which of many reasons says most."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.core.planning import Status


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """One way in which a task could not be done.

    Attributes:
        status: What kind of failure.
        reason: One sentence.
        hopeless: Whether no other way can be better: something was wrong in what was asked.
        hasty: Whether all that is wrong is that the limb would be too fast or too late.
        late: Whether it is too late at its pace, or does not get out of the way in time.
        time_s: About when it fails [s]; no number where that is not known.
    """

    status: Status
    reason: str
    hopeless: bool = False
    hasty: bool = False
    late: bool = False
    time_s: float = float("nan")


class Notes:
    """What went wrong on the way, most telling last."""

    def __init__(self) -> None:
        self.refusals: list[Refusal] = []

    def add(self, refusal: Refusal) -> None:
        """Keep a refusal."""
        if refusal.reason:
            self.refusals.append(refusal)

    @property
    def best(self) -> Refusal:
        """The refusal that says most: what came nearest to working, haste aside, and among these the first.

        That a hand is too late is said of the first, short windows of much that fails for another reason.
        """
        order = (Status.EXHAUSTED, Status.INFEASIBLE_GOAL, Status.INFEASIBLE_START, Status.TIMED_OUT, Status.CANCELLED)
        if not self.refusals:
            return Refusal(status=Status.INFEASIBLE_GOAL, reason="there is no moment at which it could be done")
        return min(self.refusals, key=lambda one: (order.index(one.status), one.hasty))
