"""Motion onto another skeleton: the same movement on other bones, feet where they belong."""

from understudy.retargeting.retargeted import Retargeted, RetargetOptions, retarget

__all__ = ["RetargetOptions", "Retargeted", "retarget"]
