"""``understudy.retarget``: a motion on another skeleton, judged."""

from __future__ import annotations

from dataclasses import replace

from understudy.api.verdict import concluded
from understudy.core.motion import Motion
from understudy.core.planning import Result, Status
from understudy.core.skeleton import Skeleton
from understudy.retargeting import Retargeted, RetargetOptions
from understudy.retargeting import retarget as put_on
from understudy.verify.bars import Bars
from understudy.verify.claim import made_claim
from understudy.verify.judge import verify


def retarget(
    motion: Motion, skeleton: Skeleton, *, options: RetargetOptions | None = None, bars: Bars | None = None
) -> Result[Retargeted]:
    """Play a motion on another humanoid skeleton, and have it judged there.

    The motion itself is the evidence: the other body may touch itself and jump no more than the first one does at that
    moment. A motion that a planner made brings what it was made from instead.

    Args:
        motion: Of any humanoid skeleton.
        skeleton: The humanoid skeleton to drive.
        options: See :class:`RetargetOptions`.
        bars: Bars to clear; the judge's own unless given.

    Returns:
        Always with a motion; ``SOLVED`` only when the judge has passed it, ``INFEASIBLE_START`` where it has not and
        refuses the recording itself, by itself, as well. ``trace`` says how large the other body is, and how near feet
        and hands come to their places.

    Raises:
        SkeletonError: One of the skeletons lacks humanoid roles.
    """
    found = put_on(motion, skeleton, options=options)
    result = concluded(made_claim("", found.motion, evidence=motion.evidence, bars=bars), found)
    if result.status or motion.origin.kind != "recorded":
        return result
    raw = verify(motion)
    if raw.ok:
        return result
    reason = f"the recording itself is refused: {raw.reason}; on the other body: {result.reason}"
    return replace(result, status=Status.INFEASIBLE_START, reason=reason)
