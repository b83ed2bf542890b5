"""Where a body stands and which way it faces."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from .bvh import Clip
from .errors import JobError


def stands(clip: Clip, roles: Mapping[str, str], frame: int) -> tuple[float, float, float]:
    """The floor point x, z [m] under the hips, and the heading [deg]: 0 faces +Z, 90 faces +X.

    Args:
        clip: The motion.
        roles: Humanoid role -> joint name.
        frame: Which frame.

    Raises:
        JobError: The hips of the body are not known.
    """
    try:
        left, right = (clip.names.index(roles[f"{side}UpperLeg"]) for side in ("left", "right"))
    except (KeyError, ValueError):
        raise JobError("the armature is no humanoid that understudy recognises: no upper legs were found") from None
    places, _ = clip.world()
    across = places[frame, left] - places[frame, right]
    middle = 0.5 * (places[frame, left] + places[frame, right])
    ahead = np.cross(across, (0.0, 1.0, 0.0))
    return float(middle[0]), float(middle[2]), math.degrees(math.atan2(ahead[0], ahead[2]))
