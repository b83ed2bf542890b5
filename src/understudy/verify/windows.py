"""Windows of contacts: a claim that two things may touch for a while speaks of one contact, and not of the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from understudy.core.violations import Violation
from understudy.scene.contacts import ContactRule
from understudy.verify.search import PairTrace

#: [s] a window may begin before and end after its contact by this much: who parts for longer touches anew.
AROUND_S = 0.15


def second_contacts(traces: Iterable[PairTrace], rules: Sequence[ContactRule]) -> Iterator[Violation]:
    """Contacts that a claim covers with the window of another."""
    for trace in traces:
        touching = trace.times_s[trace.distances_m < 0.0]
        for rule in rules:
            if not rule.covers(trace.a, trace.b):
                continue
            own = touching[(touching >= rule.start_s) & (touching <= rule.end_s)]
            apart = np.diff(own)
            if len(apart) and apart.max() > 2.0 * AROUND_S:
                again = float(own[int(apart.argmax()) + 1])
                yield Violation(
                    kind="claim",
                    value=float(apart.max()),
                    bar=2.0 * AROUND_S,
                    unit="s",
                    part=trace.a,
                    other=trace.b,
                    time_s=again,
                    detail=f"they part for {apart.max():.2f} s and touch again: that is another contact than claimed",
                )
