from __future__ import annotations

import numpy as np
import pytest

from people import person
from understudy import rotations as rot
from understudy.core import Motion
from understudy.core.segments import segment_distance, segments_apart
from understudy.performer import performance
from understudy.performer.legs_apart import leg_overlap_m


def test_distances_agree_with_the_plain_definition() -> None:
    rows = np.random.default_rng(0).normal(size=(200, 4, 3))
    rows[:20, 1] = rows[:20, 0]
    rows[20:40, 3] = rows[20:40, 2] + (rows[20:40, 1] - rows[20:40, 0])
    ours = segments_apart(rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3])
    assert np.allclose(ours, [segment_distance(*row) for row in rows], atol=1e-9)


def test_crossed_legs_are_seen_and_standing_legs_are_apart() -> None:
    skeleton = person()
    rotations = np.broadcast_to(skeleton.rest_rotations, (2, len(skeleton), 4)).copy()
    roots = np.tile(skeleton.offsets[0], (2, 1))
    standing = Motion(skeleton=skeleton, fps=30, root_positions=roots, rotations=rotations)
    assert leg_overlap_m(standing) <= 0.0
    rotations[1, skeleton.index("leftUpperLeg")] = rot.from_axis_angle(np.array([0.0, 0.0, 1.0]), -0.25)
    crossed = Motion(skeleton=skeleton, fps=30, root_positions=roots, rotations=rotations)
    assert leg_overlap_m(crossed) > 0.05


@pytest.mark.parametrize("name", ["u_turn_left", "u_turn_right", "sharp_right"])
@pytest.mark.parametrize("seed", [1, 4])
def test_turning_legs_do_not_pass_through_each_other(name: str, seed: int) -> None:
    assert leg_overlap_m(performance(name, seed=seed).motion) < 0.05
