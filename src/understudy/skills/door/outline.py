"""Somebody who walks, seen from above: discs of trunk, stride, head and legs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from understudy.typing import FloatArray

if TYPE_CHECKING:
    from understudy.skills.door._geometry_kernels import Walker

#: Share of width and stride that is left of somebody who makes room, and [m] how much thinner everything is.
_DRAWN_IN, _THINNER_M = 0.85, 0.015
#: How far ahead shoulders come, as a share of the head; [m] the head from which somebody is bowed.
_SHOULDERS, _BOWED_M = 0.55, 0.36


def discs_of(stature_m: float, ahead_m: float) -> tuple[FloatArray, int, int]:
    """A walker from above: discs ``(n, 4)`` as ``Walker`` has them, how many are as high as a lever and how many outer.

    Args:
        stature_m: Standing height.
        ahead_m: How far ahead the head is when the hand is on the lever.
    """
    scale = stature_m / 1.72
    trunk = [[0.0, 0.15, 0.14, 1.0], [0.0, 0.0, 0.15, 1.0], [0.0, -0.15, 0.14, 1.0]]
    stride = [[0.18, 0.0, 0.13, 0.0], [-0.15, 0.0, 0.11, 0.0], [0.25, 0.0, 0.12, 0.0]]
    legs = [[0.0, 0.07, 0.12, 0.0], [0.0, -0.07, 0.12, 0.0]]
    discs = np.array([*trunk, *stride, [0.0, 0.0, 0.115 / scale, 1.0], *legs])
    discs[:, :3] *= scale
    discs[6, 0] = 1.15 * ahead_m + 0.08
    return discs, 3, 7


def bowed_of(walker: Walker) -> Walker:
    """Somebody whose hand is on the handle: where the head comes ahead, shoulders come along."""
    head = walker.outer - 1
    if walker.discs[head, 0] < _BOWED_M:
        return walker
    trunk = walker.discs[walker.high - 1]
    ahead = _SHOULDERS * walker.discs[head, 0]
    shoulders = [[ahead, side * abs(trunk[1]), 0.8 * trunk[2], 1.0] for side in (1.0, -1.0)]
    discs = np.concatenate([walker.discs[:head], shoulders, walker.discs[head:]])
    return walker._replace(discs=np.ascontiguousarray(discs), outer=walker.outer + 2)


def slim_of(walker: Walker) -> Walker:
    """Somebody who draws the arms in and takes short steps."""
    discs = walker.discs.copy()
    discs[:, :2] *= _DRAWN_IN
    discs[:, 2] -= _THINNER_M
    # The head stays where it is.
    discs[walker.outer - 1] = walker.discs[walker.outer - 1]
    return walker._replace(discs=discs)
