"""The independent judge: measures any motion anew and says which bars it breaks.

The room and its one job share a name: ``understudy.verify(motion)`` judges, and ``from understudy.verify import
Report`` imports, because this module can be called.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from understudy.verify.ballistics import Ballistics, Bounce, Flight
from understudy.verify.bars import Bars
from understudy.verify.foot_skate import FootSkate
from understudy.verify.goals import FloorGoal, GoalError, HandGoal, HingeGoal, Route
from understudy.verify.joint_limits import LimitExcess
from understudy.verify.judge import verify as _verify
from understudy.verify.penetration import Overlap, Penetration
from understudy.verify.report import CharacterReport, Report
from understudy.verify.seams import Seam
from understudy.verify.smoothness import Smoothness

if TYPE_CHECKING:
    from understudy.verify.judge import verify


class _Judge(ModuleType):
    """This module, callable."""

    __wrapped__ = staticmethod(_verify)

    def __call__(self, *args: Any, **kwargs: Any) -> Report:
        return _verify(*args, **kwargs)


sys.modules[__name__].__class__ = _Judge
if not TYPE_CHECKING:
    # The import system writes the module over any function of this name in ``understudy``; so both are one.
    verify = sys.modules[__name__]

__all__ = [
    "Ballistics",
    "Bars",
    "Bounce",
    "CharacterReport",
    "Flight",
    "FloorGoal",
    "FootSkate",
    "GoalError",
    "HandGoal",
    "HingeGoal",
    "LimitExcess",
    "Overlap",
    "Penetration",
    "Report",
    "Route",
    "Seam",
    "Smoothness",
    "verify",
]
