"""From standing to standing, whatever clips somebody has: steps of the gait model, judged like everything else."""

from __future__ import annotations

import math

import numpy as np
import pytest

import understudy as us
from understudy.core.body_fit import fit_body
from understudy.floor import build_floor
from understudy.library.features import headings_rad
from understudy.locomotion import Spot
from understudy.locomotion.footsteps.arm_room import ArmRoom
from understudy.locomotion.footsteps.narrowest import no_way
from understudy.locomotion.footsteps.ways import half_width_m
from understudy.locomotion.stepping import Stepper
from understudy.performer.style import Style
from understudy.scene.scene import Scene
from understudy.scene.shapes import Box


@pytest.fixture(scope="module")
def straight() -> us.Library:
    """One straight walk and nothing else."""
    clip = next(one for one in us.builtin_clips("walk") if one.name.startswith("walk"))
    return us.build_library([clip])


def doorway(width_m: float) -> Scene:
    scene = Scene()
    for k, side in enumerate((-1.0, 1.0)):
        at = (side * (0.5 * width_m + 2.0), 1.1, 0.0)
        scene = scene.with_object(f"wall{k}", Box(size_m=(4.0, 2.2, 0.12)), position=at)
    return scene


@pytest.mark.parametrize("way", [(0.3, -1.6, 140.0, -0.4, 1.5, -100.0), (0.0, -1.2, 0.0, 0.9, 1.2, 60.0)])
def test_one_straight_walk_is_enough_to_go_through_a_narrow_door(straight: us.Library, way: tuple[float, ...]) -> None:
    start = Spot(position=(way[0], way[1]), heading_rad=math.radians(way[2]), still=True)
    options = us.WalkOptions(stop=True)
    result = us.walk(straight, doorway(0.70), start=start, goal=way[3:], options=options)
    assert result.status, result.reason
    assert result.motion is not None
    assert result.trace is not None
    assert result.trace.synthesised_s == pytest.approx(result.motion.duration_s)
    assert result.stats.counts["synthesised_s"] == pytest.approx(result.motion.duration_s)
    facing = headings_rad(result.motion)[[0, -1]]
    wanted = np.radians([way[2], way[5]])
    assert np.abs(np.angle(np.exp(1j * (facing - wanted)))).max() < math.radians(8.0)
    speeds = np.linalg.norm(np.diff(result.motion.root_positions[:, [0, 2]], axis=0), axis=1) * result.motion.fps
    assert speeds[[0, -1]].max() < 0.15


def test_arms_are_drawn_in_where_they_would_touch_and_swing_on_elsewhere(straight: us.Library) -> None:
    body = fit_body(straight.skeleton)
    stepper = Stepper(body=body, style=Style(), fps=30.0)
    start, goal = Spot(position=(0.0, -2.0), heading_rad=0.0), Spot(position=(0.0, 2.0), heading_rad=0.0)
    scene = doorway(0.6)
    arms = ArmRoom(body=body, scene=scene)
    way = next(iter(stepper.ways(build_floor(scene), start, goal, preferred_m=0.4)))
    plain = stepper.walked(start, goal, way, 0)
    made = arms.cleared(plain)
    for side in ("left", "right"):
        assert arms.gaps_m(made, side)[0].min() > 0.0
    assert min(arms.gaps_m(plain, side)[0].min() for side in ("left", "right")) < 0.0
    np.testing.assert_allclose(made.root_positions, plain.root_positions)
    far = np.abs(plain.root_positions[:, 2]) > 1.9
    np.testing.assert_allclose(made.rotations[far], plain.rotations[far], atol=1e-9)


def parted_room(width_m: float) -> Scene:
    """A closed room and a wall with a doorway through it."""
    scene = doorway(width_m)
    for k, x in enumerate((-4.0, 4.0)):
        scene = scene.with_object(f"side{k}", Box(size_m=(0.1, 2.2, 6.0)), position=(x, 1.1, 0.0))
    for k, z in enumerate((-3.0, 3.0)):
        scene = scene.with_object(f"end{k}", Box(size_m=(8.2, 2.2, 0.1)), position=(0.0, 1.1, z))
    return scene


def test_somebody_turns_aside_in_a_gap_narrower_than_the_shoulders(straight: us.Library) -> None:
    start = Spot(position=(0.3, -1.6), heading_rad=0.0, still=True)
    result = us.walk(straight, parted_room(0.5), start=start, goal=(0.2, 1.6, 0.0), options=us.WalkOptions(stop=True))
    assert result.status, result.reason
    assert result.motion is not None
    assert half_width_m(straight.skeleton) + 0.03 > 0.25
    facing, places = headings_rad(result.motion), result.motion.root_positions[:, 2]
    passing = np.abs(places) < 0.05
    assert np.abs(np.sin(facing[passing])).min() > math.sin(math.radians(50.0))
    far = np.abs(places) > 1.4
    assert np.cos(facing[far]).min() > math.cos(math.radians(30.0))


def test_a_gap_no_body_fits_through_is_named_with_its_width_and_where(straight: us.Library) -> None:
    scene = parted_room(0.31)
    result = us.walk(straight, scene, start=(0.0, -1.5), goal=(0.5, 1.5))
    assert not result.status
    assert "0.31 m wide, at (0.0" in result.reason.replace("-0.0", "0.0")
    assert "wall0" in result.reason
    found = no_way(build_floor(scene), [np.array([0.0, -1.5]), np.array([0.5, 1.5])], 0.25)
    assert "0.50 m wide: the narrowest place is 0.31 m wide" in found.reason


def test_a_goal_inside_something_names_the_nearest_place_that_works(straight: us.Library) -> None:
    scene = Scene().with_object("crate", Box(size_m=(1.0, 1.0, 1.0)), position=(2.0, 0.5, 0.0))
    result = us.walk(straight, scene, start=(-1.0, 0.0), goal=(2.3, 0.1, 90.0))
    assert result.status is us.Status.INFEASIBLE_GOAL
    assert result.trace is not None
    assert result.trace.nearest_free is not None
    again = us.walk(straight, scene, start=(-1.0, 0.0), goal=(*result.trace.nearest_free, 90.0))
    assert again.status, again.reason


def test_steps_are_not_made_for_who_names_the_clips(straight: us.Library) -> None:
    options = us.WalkOptions(style="*")
    result = us.walk(straight, doorway(0.6), start=(0.0, -0.6), goal=(0.4, 0.6, 180.0), options=options)
    assert result.trace is not None
    assert not result.trace.synthesised


def test_the_body_is_as_wide_as_its_shoulders(straight: us.Library) -> None:
    assert 0.2 < half_width_m(straight.skeleton) < 0.26
