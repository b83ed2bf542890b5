"""Upper bodies off the rest: on other proportions the same angles bring ribs into thighs and hands into hips."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.retargeting.clearance import Nearness, chosen_pairs, nearness, pushes, room_for
from understudy.retargeting.standing import SIDES
from understudy.typing import FloatArray

#: Joint -> parts that it carries.
_ARMS = {f"{side}UpperArm": frozenset(f"{side}_{bone}" for bone in ("upper_arm", "forearm", "hand")) for side in SIDES}
_TRUNK = frozenset({"abdomen", "ribs", "chest", "neck", "head", *(f"{side}_shoulder" for side in SIDES)})
_LEGS = frozenset(f"{side}_{bone}" for side in SIDES for bone in ("thigh", "shank", "foot", "toes"))
_PASSES = 24
#: [s] what would touch is held away this long before and after: as long as an arm's swing.
_SWING_S = 0.4
#: [rad] no joint is turned further than this.
_MOST_RAD = 0.6


def trunk_clears(motion: Motion, source: Motion) -> Motion:
    """The motion with its back straightened as far as trunk and head need to stay off the legs."""
    pairs = chosen_pairs(motion, lambda one, two: bool({one, two} & _TRUNK) and bool({one, two} & _LEGS))
    return _cleared(motion, source, pairs, {"spine": _TRUNK})


def arms_clear(motion: Motion, source: Motion) -> Motion:
    """The motion with upper arms turned as far as hands and forearms need to pass the body and each other.

    Args:
        motion: The target's.
        source: The recording: arms may touch as they do there.
    """
    pairs = chosen_pairs(motion, lambda one, two: any({one, two} & parts for parts in _ARMS.values()))
    return _cleared(motion, source, pairs, _ARMS)


def _cleared(motion: Motion, source: Motion, pairs: np.ndarray, movers: Mapping[str, frozenset[str]]) -> Motion:
    room = room_for(motion, pairs, source)
    turns, best = np.zeros((len(motion), 3 * len(movers))), motion
    for _ in range(_PASSES):
        found = nearness(best, pairs)
        push = pushes(found, room, _slopes(best, found, movers), round(_SWING_S * motion.fps))
        if push is None:
            break
        turns = np.clip(turns + push, -_MOST_RAD, _MOST_RAD)
        best = _turned(motion, turns, movers)
    return best


def _slopes(motion: Motion, found: Nearness, movers: Mapping[str, frozenset[str]]) -> FloatArray:
    """``(frames, n, 3 movers)`` [m/rad] how gaps widen by turns of joints in their parents' axes."""
    slopes = np.zeros((*found.gaps_m.shape, 3 * len(movers)))
    for place, (role, parts) in enumerate(movers.items()):
        joint = motion.skeleton.humanoid[role]
        above = rot.conjugate(found.world.rotations[:, int(motion.skeleton.parents[joint])])
        for pair, names in enumerate(found.names):
            for end, sign in ((0, 1.0), (1, -1.0)):
                if names[end] in parts:
                    arm = found.points[:, pair, end] - found.world.positions[:, joint]
                    lever = np.cross(arm, sign * found.away[:, pair])
                    slopes[:, pair, 3 * place : 3 * place + 3] += rot.rotate(above, lever)
    return slopes


def _turned(motion: Motion, turns: FloatArray, movers: Mapping[str, frozenset[str]]) -> Motion:
    rotations = motion.rotations.copy()
    for place, role in enumerate(movers):
        joint = motion.skeleton.humanoid[role]
        turn = rot.exp(turns[:, 3 * place : 3 * place + 3])
        rotations[:, joint] = rot.multiply(turn, rotations[:, joint])
    return replace(motion, rotations=rotations)
