"""What was guessed of a clip, and how sure that is: whose motion it is, how tall they are, where the floor is."""

from __future__ import annotations

import numpy as np

from understudy.core.body_fit import stature_m
from understudy.core.humanoid import REQUIRED_ROLES
from understudy.core.motion import Motion
from understudy.kinematics.forward import motion_world

#: [m] statures of adults: from the 1st percentile of women to the 99th of men, with shoes (ISO 7250 surveys).
ADULTS_M = (1.45, 2.05)
#: Share of leg length: hands lower than this above the feet bear weight.
_LOW_HAND = 0.15
#: Share of leg length: hips higher than this above the feet are not those of somebody who lies.
_STANDING = 0.5
#: Share of the frames in which they do that makes four legs of two.
_ON_FOURS = 0.7


def doubts(motion: Motion) -> list[str]:
    """One sentence for each thing about a clip that is not sure; empty when everything is."""
    skeleton = motion.skeleton
    if not skeleton.is_humanoid:
        return [_no_person(motion)]
    found = []
    if not skeleton.leg_length_m() > 1e-6:
        return ["its legs have no length"]
    height = stature_m(skeleton)
    if not ADULTS_M[0] <= height <= ADULTS_M[1]:
        who = "a child" if 0.9 <= height < ADULTS_M[0] else "nobody"
        guess = ", or the unit is not what was guessed (--in-units)" if motion.origin.unit_guessed else ""
        found.append(f"{height:.2f} m tall: {who}{guess}")
    world, roles = motion_world(motion).positions, skeleton.humanoid
    feet = np.minimum(world[:, roles["leftFoot"], 1], world[:, roles["rightFoot"], 1])
    hands = np.maximum(world[:, roles["leftHand"], 1], world[:, roles["rightHand"], 1])
    leg = skeleton.leg_length_m()
    standing = world[:, roles["hips"], 1] - feet > _STANDING * leg
    if np.mean((hands - feet < _LOW_HAND * leg) & standing) > _ON_FOURS:
        found.append("both hands are down at the feet: an animal, or a person on all fours")
    return found


def _no_person(motion: Motion) -> str:
    """Why a skeleton is nobody's, and what would help."""
    known = motion.skeleton.humanoid
    missing = [role for role in REQUIRED_ROLES if role not in known]
    if not known:
        return "not a person: no legs, trunk and arms were found; a person's joints can be named (--mapping)"
    named = ", ".join(missing[:4]) + (" ..." if len(missing) > 4 else "")
    return f"not sure to be a person: no joint was found for {named}; name them in a file (--mapping)"
