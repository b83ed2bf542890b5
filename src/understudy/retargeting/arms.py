"""Arms beside the body: on other proportions the same joint angles bring a forearm into the hip."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.retargeting.clearance import Nearness, chosen_pairs, nearness, pushes, room_for
from understudy.retargeting.standing import SIDES
from understudy.typing import FloatArray

_ARM = ("upper_arm", "forearm", "hand")
_PASSES = 8
#: [s] an arm is held away this long before and after it would touch: as long as a swing.
_SWING_S = 0.4
#: [rad] no arm is turned further than this.
_MOST_RAD = 0.6


def arms_clear(motion: Motion, source: Motion) -> Motion:
    """The motion with upper arms turned as far as hands and forearms need to pass the body and each other.

    Args:
        motion: The target's.
        source: The recording: arms may touch as they do there.
    """
    pairs = chosen_pairs(motion, lambda one, two: bool(_arm(one) or _arm(two)))
    room = room_for(motion, pairs, source)
    turns, best = np.zeros((len(motion), 6)), motion
    for _ in range(_PASSES):
        found = nearness(best, pairs)
        push = pushes(found, room, _slopes(best, found), round(_SWING_S * motion.fps))
        if push is None:
            break
        turns = np.clip(turns + push, -_MOST_RAD, _MOST_RAD)
        best = _turned(motion, turns)
    return best


def _arm(part: str) -> str:
    """The side of a part of an arm; empty for other parts."""
    return next((side for side in SIDES if part in {f"{side}_{bone}" for bone in _ARM}), "")


def _slopes(motion: Motion, found: Nearness) -> FloatArray:
    """``(frames, n, 6)`` [m/rad] how gaps widen by turns of the left and right upper arm in its parent's axes."""
    slopes = np.zeros((*found.gaps_m.shape, 6))
    for place, side in enumerate(SIDES):
        joint = motion.skeleton.humanoid[f"{side}UpperArm"]
        shoulder = found.world.positions[:, joint]
        above = rot.conjugate(found.world.rotations[:, int(motion.skeleton.parents[joint])])
        for pair, names in enumerate(found.names):
            for end, sign in ((0, 1.0), (1, -1.0)):
                if _arm(names[end]) == side:
                    lever = np.cross(found.points[:, pair, end] - shoulder, sign * found.away[:, pair])
                    slopes[:, pair, 3 * place : 3 * place + 3] += rot.rotate(above, lever)
    return slopes


def _turned(motion: Motion, turns: FloatArray) -> Motion:
    rotations = motion.rotations.copy()
    for place, side in enumerate(SIDES):
        joint = motion.skeleton.humanoid[f"{side}UpperArm"]
        turn = rot.exp(turns[:, 3 * place : 3 * place + 3])
        rotations[:, joint] = rot.multiply(turn, rotations[:, joint])
    return replace(motion, rotations=rotations)
