"""What contacts say of a claim: a window covers one contact and not the next, and no door turns by itself."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from understudy.core.violations import Violation
from understudy.scene.placements import Hinge
from understudy.verify.claim import Claim
from understudy.verify.goals import HingeGoal
from understudy.verify.search import COUNTED_M, PairTrace
from understudy.verify.things import carried

#: [s] a window may begin before and end after its contact by this much: who parts for longer touches anew.
AROUND_S = 0.15


def contact_violations(claim: Claim, traces: Sequence[PairTrace]) -> Iterator[Violation]:
    """What is wrong with the contacts of a claim."""
    declared = () if claim.scene is None else claim.scene.allowed_contacts
    rules = [one for one in (*claim.contacts, *declared) if one.start_s > -math.inf or one.end_s < math.inf]
    for trace in traces:
        touching = trace.times_s[trace.distances_m < COUNTED_M]
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
    for goal in claim.goals:
        if isinstance(goal, HingeGoal) and goal.character:
            yield from _by_itself(claim, goal, traces)


def _by_itself(claim: Claim, goal: HingeGoal, traces: Sequence[PairTrace]) -> Iterator[Violation]:
    """A hinge that somebody was to turn begins to turn when they touch it, or what is fixed to it."""
    hinge = (
        next((one.placement for one in claim.scene.objects if one.name == goal.object), None) if claim.scene else None
    )
    if not isinstance(hinge, Hinge) or not hinge.moves:
        return
    begins_s = hinge.times_s[int(np.flatnonzero(np.diff(np.array(hinge.angles_rad)))[0])]
    parts = {goal.object, *carried(claim.scene, goal.object)}
    touched = [
        np.abs(trace.times_s[trace.distances_m < COUNTED_M] - begins_s).min(initial=math.inf)
        for trace in traces
        if trace.b in parts and trace.a.partition(".")[0] == goal.character
    ]
    if min(touched, default=math.inf) > AROUND_S:
        yield Violation(
            kind="claim",
            value=1.0,
            bar=0.0,
            character=goal.character,
            part=goal.object,
            time_s=begins_s,
            detail="it begins to turn though nobody touches it",
        )
