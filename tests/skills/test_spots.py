"""Where somebody could stand to reach a point."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.floor import build_floor
from understudy.performer.person import Person
from understudy.scene import Scene
from understudy.scene.shapes import Cylinder
from understudy.skills.program.spots import STANDING_M, shoulder_of, spots

SKELETON = Person().skeleton()


@pytest.mark.parametrize("inside_m", [0.14, 0.18, 0.22, 0.26, 0.3, 0.34])
@pytest.mark.parametrize("high_m", [0.6, 0.73, 0.8, 0.95])
def test_what_a_bent_body_reaches_over_the_edge_of_a_table_has_a_place_to_stand(inside_m: float, high_m: float) -> None:
    point = np.array([0.0, high_m + 0.05, 0.0])
    table = Scene().with_object(
        "table", Cylinder(radius_m=0.4, height_m=high_m), position=(0.0, 0.5 * high_m, 0.4 - inside_m)
    )
    floor = build_floor(table, bounds=[-3.0, -4.0, 3.0, 3.0])
    found = spots(floor, SKELETON, point[None], hand="right")
    # Shoulders come ahead by far more than this when somebody bends.
    _, arm = shoulder_of(SKELETON)
    assert inside_m + STANDING_M < arm
    assert found
    assert floor.free(np.array([one.place for one in found]), STANDING_M).all()
