"""Finding a rig's hinge axes from clips: about which axis do its elbows and knees really turn?"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.reference_pose import anatomical_rotations
from understudy.typing import FloatArray

_HINGES = ("leftLowerArm", "rightLowerArm", "leftLowerLeg", "rightLowerLeg")


def hinge_axes(motions: Iterable[Motion], *, purity: float = 0.1, least_rad: float = 0.2) -> dict[str, FloatArray]:
    """Hinge axis by role, in anatomical axes, for the elbows and knees that turn about one axis only.

    Args:
        motions: Clips of one skeleton.
        purity: Largest share of turning about other axes for which a joint counts as a hinge.
        least_rad: A joint that never turns further than this tells nothing.
    """
    found: dict[str, FloatArray] = {}
    listed = list(motions)
    for role in _HINGES:
        turns = [_turns(motion, role) for motion in listed if role in motion.skeleton.humanoid]
        if not turns:
            continue
        vectors = np.concatenate(turns)
        _, size, axes = np.linalg.svd(vectors, full_matrices=False)
        along = vectors @ axes[0]
        if size[1] <= purity * size[0] and np.abs(along).max() >= least_rad:
            found[role] = axes[0] * (1.0 if along.mean() >= 0 else -1.0)
    return found


def _turns(motion: Motion, role: str) -> FloatArray:
    step = max(1, len(motion) // 500)
    joint = motion.skeleton.humanoid[role]
    return rot.log(anatomical_rotations(motion.skeleton, motion.rotations[::step])[:, joint])
