"""What contacts say of a claim: a window covers one contact and not the next, and no door turns by itself."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from functools import partial

import numpy as np

from understudy.core.violations import Violation
from understudy.scene.contacts import ContactRule
from understudy.scene.placements import Hinge
from understudy.typing import FloatArray
from understudy.verify.claim import Claim
from understudy.verify.forward import SAMPLE_RATE_HZ
from understudy.verify.goals import HingeGoal
from understudy.verify.search import COUNTED_M, PairTrace
from understudy.verify.things import carried

#: [s] a window may begin before and end after its contact by this much: who parts for longer touches anew.
AROUND_S = 0.15
#: [s] the judge looks at least 240 times a second.
_ROUNDING_S = 1.0 / SAMPLE_RATE_HZ


def contact_violations(
    claim: Claim, traces: Sequence[PairTrace], judged: Collection[str], clock_s: tuple[float, float]
) -> Iterator[Violation]:
    """What is wrong with the contacts of a claim; ``judged``: whose; ``clock_s``: when their performance lasts [s]."""
    declared = () if claim.scene is None else claim.scene.allowed_contacts
    for rule in (*claim.contacts, *declared):
        owners = {side.partition(".")[0] for side in (rule.a, rule.b) if "." in side}
        if owners and owners.isdisjoint(judged):
            continue  # what others touch is no part of this claim
        # A caller may say of two that they may touch at any time; who made a motion knows when they do.
        if rule.claimed or rule.start_s > -math.inf or rule.end_s < math.inf:
            touched = [one.times_s[one.distances_m < COUNTED_M] for one in traces if rule.covers(one.a, one.b)]
            times = np.sort(np.concatenate([np.empty(0), *touched]))
            times = times[(times >= rule.start_s) & (times <= rule.end_s)]
            yield from _longer(rule, times, clock_s)
    for goal in claim.goals:
        if isinstance(goal, HingeGoal) and goal.character:
            yield from _by_itself(claim, goal, traces)


def _longer(rule: ContactRule, touching: FloatArray, clock_s: tuple[float, float]) -> Iterator[Violation]:
    """A window and the moments in it at which the two touch: it covers one contact and hardly more."""
    if not rule.claimed and not len(touching):
        return  # a caller's leave, of which no use was made
    found = partial(Violation, kind="claim", unit="s", part=rule.a, other=rule.b)
    start_s, end_s = max(rule.start_s, clock_s[0]), min(rule.end_s, clock_s[1])
    if not len(touching) and end_s - start_s > 2.0 * AROUND_S + _ROUNDING_S:
        yield found(value=end_s - start_s, bar=0.0, time_s=start_s, detail="they never touch while the claim says so")
    if not len(touching):
        return  # what strikes something touches it for a moment between two looks
    apart = np.diff(touching)
    if len(apart) and apart.max() > 2.0 * AROUND_S:
        again = float(touching[int(apart.argmax()) + 1])
        label = f"they part for {apart.max():.2f} s and touch again: that is another contact than claimed"
        yield found(value=float(apart.max()), bar=2.0 * AROUND_S, time_s=again, detail=label)
    for beyond, time_s, word in (
        (touching[0] - start_s, start_s, "before they touch"),
        (end_s - touching[-1], end_s, "after they parted"),
    ):
        if rule.claimed and beyond > AROUND_S + _ROUNDING_S:
            yield found(value=float(beyond), bar=AROUND_S, time_s=time_s, detail=f"claimed {beyond:.2f} s {word}")


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
