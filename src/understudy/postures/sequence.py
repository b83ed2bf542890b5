"""Limbs one after the other: legs and trunk first, then arms (named as future work by the paper, §10)."""

from __future__ import annotations

from understudy.postures.relaxing import relaxed
from understudy.postures.stage import Stage
from understudy.typing import FloatArray

_ARMS = ("left_arm", "right_arm")
#: [m] gap of a stopover.
_GAP_M = 0.004


def stopover(stage: Stage, a: FloatArray, b: FloatArray) -> FloatArray | None:
    """The posture with legs, trunk and root of ``b`` and arms of ``a``, relaxed; ``None`` when there is none."""
    skeleton = stage.space.skeleton
    if not skeleton.is_humanoid or stage.pins is not None:
        return None
    middle = b.copy()
    for limb in _ARMS:
        for joint in skeleton.limb(limb):
            middle[3 + 3 * joint : 6 + 3 * joint] = a[3 + 3 * joint : 6 + 3 * joint]
    if stage.keeps(middle):
        return middle
    near = relaxed(stage, middle, gap_m=_GAP_M)
    return near if near is not None and stage.keeps(near) else None
