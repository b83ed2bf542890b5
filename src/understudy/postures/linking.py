"""Gauss linking integrals between a body's five linkages, the paper's measure of tangles (§5.2.2)."""

from __future__ import annotations

import numpy as np

from understudy.postures.space import PostureSpace
from understudy.postures.world import new_room
from understudy.typing import FloatArray

#: The paper's threshold: postures whose matrices differ less are held to be in one safe zone. No proof of anything.
SAFE_ZONE = 0.3


def linking_matrix(space: PostureSpace, q: FloatArray) -> FloatArray:
    """``(5, 5)`` linking integrals between left arm, right arm, torso, left leg and right leg; 0 on the diagonal.

    A value near one means that two linkages twist about each other once.
    """
    from understudy.postures import _linking_kernels as kernels
    from understudy.postures._placing_kernels import place

    room = new_room(space.arrays)
    place(space.arrays, q, room)
    joints, tips = space.linkages
    out = np.zeros((len(joints), len(joints)))
    kernels.linking_matrix(room.joints, joints, tips, np.empty((len(joints), joints.shape[1] + 1, 3)), out)
    return out
