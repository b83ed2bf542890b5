"""Jobs as users ask for them: a planner and the judge bound together, so that what is called solved has been judged."""

from __future__ import annotations

from understudy.api.handling import HandlingTrace, carry, drop, grab, place, touch
from understudy.api.limbs import correct, reach
from understudy.api.performing import perform
from understudy.api.performing_result import PerformResult
from understudy.api.postures import between
from understudy.api.sampling import sample_walk
from understudy.api.streaming import stream_walk
from understudy.api.together import Together, crowd, walk_together
from understudy.api.walking import walk

__all__ = [
    "HandlingTrace",
    "PerformResult",
    "Together",
    "between",
    "carry",
    "correct",
    "crowd",
    "drop",
    "grab",
    "perform",
    "place",
    "reach",
    "sample_walk",
    "stream_walk",
    "touch",
    "walk",
    "walk_together",
]
