"""From one posture to a distant one by energy ([Postures])."""

from understudy.postures.between import between
from understudy.postures.faults import Overlap, PostureFaults
from understudy.postures.options import BetweenOptions
from understudy.postures.pins import Pin
from understudy.postures.trace import BetweenTrace, Borne, Leg, Relaxed

__all__ = [
    "BetweenOptions",
    "BetweenTrace",
    "Borne",
    "Leg",
    "Overlap",
    "Pin",
    "PostureFaults",
    "Relaxed",
    "between",
]
