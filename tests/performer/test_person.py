from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.core.body_fit import stature_m
from understudy.core.humanoid import ROLE_PARENTS
from understudy.core.reference_pose import t_pose
from understudy.errors import OptionError
from understudy.performer import Person


@given(stature=st.floats(1.2, 2.1), leg=st.floats(0.46, 0.56), width=st.floats(0.25, 0.5))
@settings(max_examples=20)
def test_proportions_are_met_and_soles_rest_on_the_floor(stature: float, leg: float, width: float) -> None:
    skeleton = Person(stature_m=stature, leg_share=leg, shoulder_width_m=width).skeleton()
    positions, rotations = skeleton.rest_world
    tips = skeleton.tip_positions(positions, rotations)
    assert tips[:, 1].max() == pytest.approx(stature)
    assert positions[skeleton.index("leftUpperLeg"), 1] == pytest.approx(leg * stature)
    arms = positions[skeleton.index("leftUpperArm")] - positions[skeleton.index("rightUpperArm")]
    assert arms[0] == pytest.approx(width)
    toes = tips[[list(skeleton.tip_joints).index(skeleton.index(f"{side}Toes")) for side in ("left", "right")]]
    np.testing.assert_allclose(toes[:, 1], 0.025 * stature / 1.72, atol=1e-9)
    assert stature_m(skeleton) == pytest.approx(stature, rel=0.06)


def test_rest_pose_is_the_t_pose_and_the_tree_is_vrm() -> None:
    skeleton = Person().skeleton()
    np.testing.assert_allclose(t_pose(skeleton), skeleton.rest_rotations, atol=1e-12)
    for role, joint in skeleton.humanoid.items():
        parent = ROLE_PARENTS[role]
        assert (
            (skeleton.parents[joint] == -1) if parent is None else (skeleton.names[skeleton.parents[joint]] == parent)
        )


@pytest.mark.parametrize("values", [{"stature_m": 3.0}, {"leg_share": 0.2}, {"foot_share": float("nan")}])
def test_impossible_people_are_refused(values: dict[str, float]) -> None:
    with pytest.raises(OptionError):
        Person(**values)
