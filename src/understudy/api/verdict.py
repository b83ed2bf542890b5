"""The one place where a planner's proposal becomes a verdict: ``SOLVED`` if and only if ``verify(claim).ok``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from understudy.core.motion import Motion
from understudy.core.planning import Result, Status
from understudy.core.violations import Violation
from understudy.verify.claim import Claim
from understudy.verify.judge import verify
from understudy.verify.report import Report

Trace = TypeVar("Trace")


class Verdict:
    """Judges what a planner proposes and remembers the last claim that passed.

    Args:
        claim_of: Makes the claim of a proposal: a motion, and what the planner says of it.
    """

    def __init__(self, claim_of: Callable[..., Claim]) -> None:
        self._claim_of = claim_of
        self.claim: Claim | None = None
        self.report: Report | None = None

    def __call__(self, motion: Motion, *said: object) -> str:
        """Why a proposal will not do, in words for people; empty when it will."""
        return self.of(self._claim_of(motion, *said)).reason

    def violations(self, motion: Motion, *said: object) -> Sequence[Violation]:
        """The same as values."""
        return self.of(self._claim_of(motion, *said)).violations

    def of(self, claim: Claim) -> Report:
        """The report on a claim."""
        report = verify(claim)
        if report.ok:
            self.claim, self.report = claim, report
        return report

    def settled(self, result: Result[Trace]) -> Result[Trace]:
        """A planner's result with the claim that passed, its motion marked as made.

        A planner that calls something solved which was not judged in this form is not believed.
        """
        motion, claim = result.motion, self.claim
        if motion is None or not result.status:
            return result
        if claim is None or all(one is not motion for _, one in claim.motions):
            report = self.of(self._claim_of(motion, result.trace))
            if not report.ok:
                return replace(result, status=Status.EXHAUSTED, reason=report.reason)
            claim = self.claim
        assert claim is not None
        claim = marked(claim)
        return replace(result, motion=claim.motions[0][1], claim=claim)


def concluded(claim: Claim, trace: Trace | None = None) -> Result[Trace]:
    """The result of a claim about one motion that was made without a search: always with its motion and its claim."""
    report, claim = verify(claim), marked(claim)
    return Result(
        status=Status.SOLVED if report.ok else Status.EXHAUSTED,
        motion=claim.motions[0][1],
        trace=trace,
        reason=report.reason,
        claim=claim,
    )


def marked(claim: Claim) -> Claim:
    """A claim whose motions say that they were made, and from which clips."""
    motions = []
    for name, motion in claim.motions:
        clips = claim.evidence.get(name, ())
        # A recording in which nothing had to be changed is still a recording, and a published clip is published.
        kept = any(motion is clip for clip in clips) or (not clips and motion.origin.kind == "performer")
        made = motion if kept else motion.made_from(clips)
        motions.append((name, made))
    return replace(claim, motions=tuple(motions))
