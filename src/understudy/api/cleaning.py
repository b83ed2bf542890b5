"""``understudy.clean``: pops, dropped frames and root jumps of a recording repaired, judged."""

from __future__ import annotations

from understudy.api.verdict import concluded
from understudy.core.motion import Motion
from understudy.core.planning import Result
from understudy.inspection import CleanResult
from understudy.inspection import clean as repaired
from understudy.verify.bars import Bars
from understudy.verify.claim import Planned, made_claim


def clean(motion: Motion, *, bars: Bars | None = None) -> Result[CleanResult]:
    """Repair a recording, and have it judged.

    The recording itself is the evidence; joints that were repaired are forgiven nothing while they were.

    Args:
        motion: The recording.
        bars: Bars to clear; the judge's own unless given.

    Returns:
        Always with a motion; ``SOLVED`` only when the judge has passed it. ``trace`` lists the repairs.
    """
    found = repaired(motion)
    planned = [
        Planned(
            joints=motion.skeleton.names if one.joint is None else (one.joint,),
            start_s=one.first_frame / motion.fps,
            end_s=one.last_frame / motion.fps,
        )
        for one in found.repairs
    ]
    return concluded(made_claim("", found.motion, evidence=motion.evidence, planned=planned, bars=bars), found)
