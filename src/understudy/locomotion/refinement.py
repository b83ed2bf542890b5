"""What a search learns from the judge: transitions that were at fault are not taken again.

A violation says when; the transition nearest to that time is at fault. Where none says so it is the dearest. The search
begins anew without it, which takes far less time than judging another walk that would be refused for the same. Walks
are rehearsed before they are judged, for legs that pass through each other; that is quick, and most often right. Only
when nothing else is left, walks are proposed that look wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from understudy.core.violations import Violation
from understudy.library import Unrolled
from understudy.library.trials import rehearsed
from understudy.locomotion.plan import Plan
from understudy.locomotion.walker import Walker

#: Walks that are rehearsed for one that is judged, at most.
_REHEARSALS = 4


class Refinement:
    """Transitions at fault, by the clips before and after them.

    Args:
        tries: Most walks that are judged; each of them may come after a few that were only rehearsed.
    """

    def __init__(self, tries: int = 1) -> None:
        self.faults: set[tuple[int, int]] = set()
        self._left = _REHEARSALS * tries
        self._anew = self._all = False
        self._judged: set[bytes] = set()

    def proposals(self, walker: Walker, search: Callable[[Walker], Iterator[Plan]]) -> Iterator[Plan]:
        """Plans of a search without transitions at fault, begun anew with every lesson; in the end those with some."""
        while True:
            self._anew = False
            for plan in search(self.taught(walker)):
                if not self.is_refused(plan):
                    yield plan
                if self._anew:
                    break
            if not self._anew or self._left <= 0:
                if self._all or not self.faults:
                    return
                self._all = True

    def taught(self, walker: Walker) -> Walker:
        """The same walker without the transitions at fault."""
        return walker.without(self.faults) if self.faults and not self._all else walker

    def is_refused(self, plan: Plan) -> bool:
        """Whether a plan was judged before."""
        return plan.nodes.tobytes() in self._judged

    def rehearsed(self, walker: Walker, plan: Plan, whole: Unrolled) -> bool:
        """Whether a walk looks wrong before it is judged; not asked any more once nothing else is left."""
        if self._all:
            return False
        fault, seam = rehearsed(walker.library.footage, walker.body_table, whole.way, whole.motion)
        if fault and seam >= 0:
            self._learn({plan.seams[seam]})
        return bool(fault)

    def refused(
        self,
        walker: Walker,
        plan: Plan,
        violations: Sequence[Violation] | str,
        *,
        since_s: float = 0.0,
        settled: Plan | None = None,
    ) -> None:
        """Learn from what the judge says of a walk.

        Args:
            walker: Who walks.
            plan: The clips that may still be others.
            violations: What is wrong.
            since_s: When what was judged begins, on the clock of the plan [s].
            settled: Clips before the plan, if any.
        """
        self._judged.add(plan.nodes.tobytes())
        whole = plan if settled is None or not len(settled) else settled.first(len(settled)).then(plan)
        first = len(whole) - len(plan)
        seams, begins_s = whole.seams[max(first - 1, 0) :], whole.starts_s[max(first, 1) :]
        if not seams:
            return
        said = [] if isinstance(violations, str) else [one.time_s for one in violations if one.time_s is not None]
        at = {int(np.abs(begins_s - since_s - time_s).argmin()) for time_s in said}
        at = at or {int(np.argmax([walker.cost_between(*pair) for pair in seams]))}
        self._learn({seams[k] for k in at})

    def _learn(self, faults: set[tuple[int, int]]) -> None:
        if not self._all and not faults <= self.faults:
            self.faults |= faults
            self._anew, self._left = True, self._left - 1
