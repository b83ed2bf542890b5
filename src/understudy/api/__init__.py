"""Jobs as users ask for them: a planner and the judge bound together, so that what is called solved has been judged.

Names are imported on first use: a walk need not load what hands do.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from understudy.api.handling import HandlingTrace, carry, drop, grab, place, touch
    from understudy.api.limbs import correct, reach
    from understudy.api.performing import perform
    from understudy.api.performing_result import PerformResult
    from understudy.api.postures import between
    from understudy.api.sampling import sample_walk
    from understudy.api.streaming import stream_walk
    from understudy.api.together import Together, crowd, walk_together
    from understudy.api.walking import walk

_HOME = {
    "HandlingTrace": "understudy.api.handling",
    "carry": "understudy.api.handling",
    "drop": "understudy.api.handling",
    "grab": "understudy.api.handling",
    "place": "understudy.api.handling",
    "touch": "understudy.api.handling",
    "correct": "understudy.api.limbs",
    "reach": "understudy.api.limbs",
    "perform": "understudy.api.performing",
    "PerformResult": "understudy.api.performing_result",
    "between": "understudy.api.postures",
    "sample_walk": "understudy.api.sampling",
    "stream_walk": "understudy.api.streaming",
    "Together": "understudy.api.together",
    "crowd": "understudy.api.together",
    "walk_together": "understudy.api.together",
    "walk": "understudy.api.walking",
}

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


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
