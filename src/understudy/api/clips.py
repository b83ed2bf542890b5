"""Clips of the built-in performer, judged. They are evidence for others, so they have none themselves."""

from __future__ import annotations

from understudy.api.verdict import concluded
from understudy.core.motion import Motion
from understudy.core.planning import Result
from understudy.verify.bars import Bars
from understudy.verify.claim import Claim

#: Actions that are done at a sportsman's pace. Running is sport, too: the recordings of runners make that table.
_SPORT = ("kick", "throw_catch", "juggle", "pitch", "bat_swing")
_RUNNING = "jog"


def clip_result(motion: Motion, *, action: str = "", bars: Bars | None = None) -> Result[None]:
    """What the judge says of a clip of the performer; absolute bars hold.

    Args:
        motion: The clip.
        action: The action it is an example of; empty for walking and standing.
        bars: Bars to clear; the judge's own unless given.

    Returns:
        Always with the clip; ``SOLVED`` only when the judge has passed it.
    """
    activity = "sport" if action in _SPORT or _RUNNING in motion.name.split("_") else "everyday"
    return concluded(Claim(motions=(("", motion),), activity=activity, bars=bars or Bars()))
