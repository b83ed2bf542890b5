"""Places to touch: on the surface, out of other things, and the order in which reaches are tried."""

from __future__ import annotations

import numpy as np
import pytest

from handling_stages import standing
from understudy.errors import PlanningInputError
from understudy.limbs.handling.choices import unlike
from understudy.limbs.ik import Posture
from understudy.limbs.stage import stage_of
from understudy.limbs.surfaces import spots
from understudy.scene import Scene
from understudy.scene.shapes import Box

SHOULDER = np.array([-0.2, 1.4, 0.0])
SIZE = np.array([0.1, 0.12, 0.08])
AT = np.array([-0.3, 1.3, 0.4])


def boxed(**more) -> Scene:
    return Scene().with_object("box", Box(size_m=tuple(SIZE)), position=tuple(AT), **more)


def test_places_lie_on_the_surface_and_point_out_of_it() -> None:
    found = spots(stage_of(standing(), boxed()), "box", 1.0, SHOULDER, 0.04)
    assert len(found) > 10
    for spot in found:
        local = np.abs(spot.at - AT) / (0.5 * SIZE)
        assert local.max() == pytest.approx(1.0, abs=1e-6)  # on a face of the box
        assert (np.abs(spot.at + 1e-3 * spot.out - AT) > 0.5 * SIZE + 1e-6).any()  # and out of it
    nearest = AT + np.clip(SHOULDER - AT, -0.5 * SIZE, 0.5 * SIZE)
    assert np.linalg.norm(found[0].at - nearest) < 1e-6


def test_places_at_which_a_hand_would_be_in_something_else_are_left_out() -> None:
    board = boxed().with_object("board", Box(size_m=(0.5, 0.02, 0.5)), position=(-0.3, 1.23, 0.4))
    found = spots(stage_of(standing(), board), "box", 1.0, SHOULDER, 0.04)
    assert found and all(spot.at[1] + 0.04 * spot.out[1] > 1.24 + 0.04 - 1e-6 for spot in found)
    alone = spots(stage_of(standing(), boxed()), "box", 1.0, SHOULDER, 0.04)
    assert any(spot.at[1] + 0.04 * spot.out[1] < 1.28 for spot in alone)


def test_a_shoulder_inside_has_no_outside_to_touch() -> None:
    with pytest.raises(PlanningInputError, match="around the shoulder"):
        spots(stage_of(standing(), boxed()), "box", 1.0, AT, 0.04)


def test_postures_that_are_tried_are_unlike_each_other() -> None:
    offsets = [[0.0, 0.0], [0.1, 0.1], [0.5, 0.0], [0.52, 0.02], [0.0, -0.6]]
    postures = [Posture(offset=np.array(one), slack_m=0.01, cost_m=0.1) for one in offsets]
    assert unlike(postures, 3) == [0, 2, 4]
    assert unlike(postures, 2) == [0, 2]
