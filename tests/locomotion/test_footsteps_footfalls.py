"""Walks from rest to rest begin and end with both feet on the floor: nothing jumps where they are joined."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.core.motion import Motion
from understudy.kinematics import motion_world
from understudy.locomotion.footsteps.footfalls import walking
from understudy.locomotion.footsteps.footing import SIDES
from understudy.locomotion.footsteps.moving import Going, Mover
from understudy.locomotion.footsteps.pathing import resting, timed
from understudy.locomotion.footsteps.shuffling import shuffled, standing
from understudy.locomotion.footsteps.ways import Way
from understudy.performer.legs_apart import leg_overlap_m
from understudy.performer.person import Person
from understudy.performer.style import Style
from understudy.verify.judge import verify

SKELETON = Person().skeleton()
STYLE = Style()
FPS = 60.0
angles = st.floats(-0.5, 0.5)


def ankles(motion: Motion) -> np.ndarray:
    """``(frames, 2, 3)`` [m]."""
    return motion_world(motion).positions[:, [SKELETON.humanoid[f"{side}Foot"] for side in SIDES]]


@settings(max_examples=8, deadline=None)
@given(st.floats(0.7, 3.5), angles, angles, st.integers(0, 99))
def test_both_feet_stand_when_a_walk_begins_and_when_it_ends(length, aside, turn, seed) -> None:
    way = length * np.array([[0.0, 0.0], [0.5 * np.sin(aside), 0.5], [0.0, 1.0]])
    path = timed(way, start_rad=0.0, end_rad=turn, fps=FPS)
    start = standing(SKELETON, np.zeros(2), 0.0, STYLE)
    places = ankles(walking(path, SKELETON, STYLE, footing=start, seed=seed).performed(seed))
    rest = ankles(walking(resting(np.zeros(2), 0.0, fps=FPS, stand_s=0.2), SKELETON, STYLE, footing=start).performed(0))
    assert np.abs(places[[0, -1], :, 1] - rest[0, :, 1]).max() < 1e-3
    moving = np.linalg.norm(np.diff(places, axis=0), axis=-1) * FPS
    assert moving[:3].max() < 0.02
    assert moving[-3:].max() < 0.02


@settings(max_examples=8, deadline=None)
@given(st.floats(1.0, 2.5), st.floats(-3.0, 3.0), st.floats(-3.0, 3.0), st.integers(0, 99))
def test_no_leg_jumps_where_a_walk_is_followed_by_a_turn_and_a_stand(length, away, turn, seed) -> None:
    mover = Mover(skeleton=SKELETON, style=STYLE, fps=FPS, seed=seed)
    route = length * np.array([[0.0, 0.0], [np.sin(away), np.cos(away)]])
    start = standing(SKELETON, np.zeros(2), 0.0, STYLE)
    made, _ = mover.go(start, Going(way=Way(points=route), end_rad=turn))
    legs = [SKELETON.humanoid[f"{side}{bone}"] for side in SIDES for bone in ("UpperLeg", "LowerLeg", "Foot")]
    jumps = np.linalg.norm(np.diff(motion_world(made).positions[:, legs], n=2, axis=0), axis=-1) * FPS
    # A foot put down in one frame gives 2 to 4.5 m/s, a straight knee that snaps 1.7; landings of the gait itself 1.2.
    assert jumps.max() < 1.4


@settings(max_examples=8, deadline=None)
@given(st.floats(0.9, 3.1), st.sampled_from([-1.0, 1.0]), st.floats(-0.15, 0.15))
def test_turning_steps_keep_the_limits_of_joints(turn, side, ahead) -> None:
    start = standing(SKELETON, np.zeros(2), 0.0, STYLE)
    made = shuffled(SKELETON, start, np.array([0.0, ahead]), side * turn, STYLE, fps=FPS).performed(0)
    limits = verify(made).characters[0].joint_limits
    # The ankle alone would be twisted by up to 13 degrees too far.
    assert limits.max_excess_rad < np.radians(1.0), limits.joint


@settings(max_examples=8, deadline=None)
@given(st.floats(0.3, 3.1), st.sampled_from([-1.0, 1.0]), st.floats(-0.2, 0.3), st.floats(0.0, 0.08))
def test_feet_never_stand_in_each_other_also_of_people_whose_toes_point_in(turn, side, toe_out, width) -> None:
    style = Style(toe_out_rad=toe_out, width_m=width)
    start = standing(SKELETON, np.zeros(2), 0.0, style)
    made = shuffled(SKELETON, start, np.zeros(2), side * turn, style, fps=FPS)
    assert leg_overlap_m(made.performed(0)) < 1e-3


def test_a_corner_that_leads_back_is_turned_on_the_spot() -> None:
    mover = Mover(skeleton=Person().skeleton(), style=Style(), fps=60.0, seed=0)
    back = 2.0 * np.array([0.0, 1.0]) + 0.8 * np.array([np.sin(2.3), np.cos(2.3)])
    straight = np.stack([np.zeros(40), np.linspace(0.0, 2.0, 40)], axis=1)
    going = Going(way=Way(points=np.concatenate([straight, back[None]])), end_rad=2.3)
    made, _ = mover.go(standing(mover.skeleton, np.zeros(2), 0.0, Style()), going)
    np.testing.assert_allclose(made.root_positions[-1, [0, 2]], back, atol=0.08)
    report = verify(made)
    assert report.ok, [str(one) for one in report.violations]
