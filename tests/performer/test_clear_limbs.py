"""Legs that pass each other and arms that hang beside the hips, of people of all sizes."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.core.body_fit import fit_body
from understudy.core.segments import segments_apart
from understudy.kinematics import motion_world
from understudy.performer import Person, performance

SIDES = ("left", "right")
PAIRS = [("left_shank", "right_shank"), *((f"{side}_foot", f"{other}_shank") for side, other in (SIDES, SIDES[::-1]))]
PAIRS += [(f"{side}_{part}", past) for side in SIDES for part in ("forearm", "hand") for past in ("pelvis", "abdomen")]
PAIRS += [(f"{side}_{part}", f"{side}_thigh") for side in SIDES for part in ("forearm", "hand")]


@pytest.mark.parametrize("name", ["walk", "sharp_left", "sharp_right", "u_turn_right", "turn_left"])
@pytest.mark.parametrize("person", [Person(), Person(stature_m=1.55, hip_width_m=0.2)])
def test_nothing_touches_where_limbs_pass(name: str, person: Person) -> None:
    motion = performance(name, person=person).motion
    body, world = fit_body(motion.skeleton), motion_world(motion)
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    for pair in PAIRS:
        one, two = (body.capsule(part) for part in pair)
        apart = segments_apart(starts[:, one], ends[:, one], starts[:, two], ends[:, two])
        assert np.min(apart - body.capsule_radii[one] - body.capsule_radii[two]) > -1e-3, pair
