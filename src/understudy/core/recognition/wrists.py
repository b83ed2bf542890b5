"""Which joint of a wrist is the hand: Acclaim's models turn the forearm in one and bend the hand in the next."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from understudy.core.recognition.joint_tree import JointTree
from understudy.typing import FloatArray

#: Acclaim's models put the wrist half a forearm beyond the joint that turns it; files round to five digits.
BEYOND = 0.5
_ROUNDING = 1e-3


def with_wrists_that_bend(found: Mapping[str, int], tree: JointTree, positions: FloatArray) -> dict[str, int]:
    """The roles, with hands in the joints that bend them.

    Such a joint lies half a forearm beyond the one that turns the forearm, or in its point where a conversion has lost
    the bone between them.

    Args:
        found: Roles by name.
        tree: The hierarchy.
        positions: ``(joints, 3)`` rest positions, any unit.
    """
    roles = dict(found)
    for side in ("left", "right"):
        hand, elbow = (found.get(f"{side}{part}") for part in ("Hand", "LowerArm"))
        if hand is None or elbow is None or tree.parents[hand] != elbow:
            continue
        forearm = positions[hand] - positions[elbow]
        slack = _ROUNDING * float(np.linalg.norm(forearm))
        bending = [
            child
            for child in tree.children[hand]
            if child not in roles.values() and tree.children[child]
            for share in (0.0, BEYOND)
            if np.linalg.norm(positions[child] - positions[hand] - share * forearm) < slack
        ]
        if len(bending) == 1:
            roles[f"{side}Hand"] = bending[0]
    return roles
