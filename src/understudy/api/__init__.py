"""Jobs as users ask for them: a planner and the judge bound together, so that what is called solved has been judged."""

from __future__ import annotations

from understudy.api.limbs import correct, reach
from understudy.api.postures import between
from understudy.api.sampling import sample_walk
from understudy.api.streaming import stream_walk
from understudy.api.together import Together, crowd, walk_together
from understudy.api.walking import walk

__all__ = [
    "Together",
    "between",
    "correct",
    "crowd",
    "reach",
    "sample_walk",
    "stream_walk",
    "walk",
    "walk_together",
]
