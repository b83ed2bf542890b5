"""Balance on the way: the centre of mass stays above the line between two postures, and comes to rest in time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.core import Body
from understudy.kinematics import WorldTransforms, centre_of_mass, forward, pose_world
from understudy.performer.postures import posture
from understudy.postures.bearing import SIDES, bearing_of
from understudy.postures.pacing import GRAVITY_MPS2, _foot_times, balance_times
from understudy.postures.pins import KEY_M, Pin, distance_to_path, with_lines
from understudy.postures.problem import problem_of
from understudy.postures.reaching import reached
from understudy.postures.stations import held_feet, standing
from understudy.postures.stepping import placements
from understudy.postures.tables import CENTRE, PIN_M
from understudy.typing import FloatArray


def centres_of(body: Body, roots: FloatArray, rotations: FloatArray) -> FloatArray:
    return centre_of_mass(forward(body.skeleton, roots, rotations), body.masses, body.coms)


def _leaning(body: Body) -> tuple[FloatArray, FloatArray]:
    """Root positions and rotations of somebody who leans out beside both feet."""
    pose = posture("relaxed", person=body.skeleton)
    feet = bearing_of(body, pose).feet
    middle = np.mean([foot.middle for foot in feet.values()], axis=0)
    out = []
    for way in np.linspace(0.0, 0.3, 31):
        found = reached(body, pose, held_feet(body, feet), centre=middle + np.array([way, 0.0, 0.0]))
        if found is not None:
            out.append(found)
    return np.stack([one.root_position for one in out]), np.stack([one.rotations for one in out])


def test_the_centre_of_mass_stays_above_its_line(body: Body) -> None:
    first, second = (posture(name, person=body.skeleton) for name in ("relaxed", "arms_folded"))
    pins = [Pin(joint="leftFoot", turn=True), Pin(joint="rightFoot", turn=True)]
    stage = problem_of([first, second], None, pins, body, relax=True).stage
    assert stage.pins is not None
    q = stage.space.coordinates(first)
    line = centres_of(body, *stage.space.poses(q[None]))[0] + np.array([[0.0, 0.0, 0.0], [0.03, 0.0, 0.02]])
    pinned = replace(stage, pins=with_lines(stage.pins, body, {CENTRE: line * [1.0, 0.0, 1.0]}, {}))
    rng = np.random.default_rng(7)
    for _ in range(5):
        bent = stage.clamped(q + 0.1 * rng.normal(size=len(q)) * stage.arrays.movable)
        held, error = pinned.held(bent)
        assert error < PIN_M
        centre = centres_of(body, *stage.space.poses(held[None]))[0] * [1.0, 0.0, 1.0]
        assert distance_to_path(centre, line * [1.0, 0.0, 1.0]) < 2.0 * PIN_M
        foot = body.skeleton.index("leftFoot")
        assert pose_world(stage.space.pose(held)).positions[foot] == pytest.approx(
            pose_world(first).positions[foot], abs=1e-3
        )


def test_a_foot_on_a_line_keeps_its_turn(body: Body) -> None:
    pose = posture("relaxed", person=body.skeleton)
    stage = problem_of([pose, pose], None, [Pin(joint="leftFoot", turn=True)], body, relax=True).stage
    assert stage.pins is not None
    foot = body.skeleton.humanoid["rightFoot"]
    world = pose_world(pose)
    line = world.positions[foot] + np.array([[0.0, 0.0, 0.0], [0.0, 0.05, 0.0]])
    turn = world.rotations[foot]
    q = stage.space.coordinates(pose)
    bent = stage.clamped(q + 0.1 * np.random.default_rng(3).normal(size=len(q)) * stage.arrays.movable)

    def turned_rad(turns: dict[int, FloatArray]) -> float:
        pinned = replace(stage, pins=with_lines(stage.pins, body, {foot: line}, turns))
        held, error = pinned.held(bent)
        assert error < PIN_M
        return float(rot.angle_between(pose_world(stage.space.pose(held)).rotations[foot], turn))

    assert turned_rad({foot: turn}) < 2e-3
    assert turned_rad({}) > 0.02, "the ankle alone leaves the toes free"


def test_feet_are_slow_above_the_higher_of_two_floors(body: Body) -> None:
    """One foot rests 1 cm higher than the other, as on recordings of uneven halls; near its floor it is slow, too."""
    pose = posture("relaxed", person=body.skeleton)
    world = pose_world(pose)
    balls = [body.skeleton.humanoid[f"{side}Toes"] for side in SIDES]
    feet = [body.skeleton.humanoid[f"{side}Foot"] for side in SIDES]

    def times(higher_m: float) -> FloatArray:
        positions = np.repeat(world.positions[None], 3, axis=0)
        positions[:, [balls[1], feet[1]], 1] += higher_m
        positions[1, [balls[1], feet[1]]] += [0.0, 0.06, 0.05]
        moved = WorldTransforms(positions=positions, rotations=np.repeat(world.rotations[None], 3, axis=0))
        return _foot_times(body, moved, np.array([0, 2]))

    assert times(0.01) == pytest.approx(times(0.0))


def test_whoever_comes_to_rest_outside_slows_down(body: Body) -> None:
    roots, rotations = _leaning(body)
    times = balance_times(body, forward(body.skeleton, roots, rotations), [0, len(roots) - 1])
    centres = centres_of(body, roots, rotations)
    velocity = np.diff(centres[:, 0]) / np.maximum(times, 1e-9)
    fall_s = np.sqrt(centres[:-1, 1] / GRAVITY_MPS2)
    capture = centres[:-1, 0] + fall_s * velocity
    slow = times > 1e-6
    assert slow[-1]
    assert capture[slow].max() < centres[-1, 0] + KEY_M, "the capture point does not run past the end"
    back = balance_times(body, forward(body.skeleton, roots[::-1], rotations[::-1]), [0, len(roots) - 1])
    assert back.sum() < 0.5 * times.sum(), "inwards there is nothing to be careful about"


def test_nobody_slows_down_between_two_feet(body: Body) -> None:
    pose = posture("relaxed", person=body.skeleton)
    roots, rotations = np.repeat(pose.root_position[None], 11, axis=0), np.repeat(pose.rotations[None], 11, axis=0)
    roots[:, 0] += np.linspace(0.0, 0.02, 11)
    assert balance_times(body, forward(body.skeleton, roots, rotations), [0, 10]).sum() < 0.6


def test_feet_on_the_way_stand_on_the_floor(body: Body) -> None:
    own = posture("relaxed", person=body.skeleton)
    far = type(own)(
        skeleton=own.skeleton, root_position=own.root_position + np.array([0.4, 0.012, 1.5]), rotations=own.rotations
    )
    pairs = placements(body, bearing_of(body, own).feet, bearing_of(body, far).feet)
    assert len(pairs) > 2
    for feet in pairs[1:-2]:
        pose = standing(body, feet)
        assert pose is not None
        world = pose_world(pose)
        for side in SIDES:
            ball = world.positions[body.skeleton.index(f"{side}Toes"), 1]
            assert ball == pytest.approx(body.capsule_radii[body.capsule(f"{side}_toes")], abs=2e-3)
