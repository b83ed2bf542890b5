"""Legs keep their stances, carried things get through gates, and searches are led past postures that can be held."""

from __future__ import annotations

import numpy as np
import pytest

import understudy as us
from limb_stages import beside, least_distances, tetrahedron, walk
from understudy import rotations as rot
from understudy.core import Motion, Status
from understudy.limbs import stage_of, touches, window_of
from understudy.limbs.stances import stances, stands_in
from understudy.limbs.trace import Touch
from understudy.limbs.ways_out import ways_out
from understudy.scene import Scene
from understudy.scene.attachments import Attachment
from understudy.scene.shapes import Box, Capsule, Cylinder
from understudy.scene.transforms import Transform


def joint_places(motion: Motion, role: str) -> np.ndarray:
    joint = motion.skeleton.humanoid[role]
    return np.stack(
        [
            motion.skeleton.placed_joints(motion.root_positions[f], motion.rotations[f])[0][joint]
            for f in range(len(motion))
        ]
    )


@pytest.fixture(scope="module")
def tripping() -> tuple[Motion, Scene]:
    """A low box where the right foot swings through."""
    motion = walk()
    toes = joint_places(motion, "rightToes")
    swing = int(np.argmax(np.gradient(toes[40:140, 2]))) + 40
    box = Box(size_m=(0.12, 0.04, 0.08))
    return motion, Scene().with_object("low box", box, position=(float(toes[swing, 0]), 0.02, float(toes[swing, 2])))


def test_a_foot_is_lifted_over_a_low_box_and_stands_where_it_stood(tripping: tuple[Motion, Scene]) -> None:
    motion, scene = tripping
    assert touches(stage_of(motion, scene), "right_leg")
    result = us.correct(motion, scene, limbs=["right_leg"])
    assert result.status is Status.SOLVED, result.reason
    assert result.motion is not None
    assert us.verify(result.motion, scene, source=motion).ok
    changed = set(np.flatnonzero(np.any(result.motion.rotations != motion.rotations, axis=(1, 2))).tolist())
    assert changed
    for first, stop in stances(stage_of(motion, scene), "right_leg"):
        assert not changed & set(range(first, stop))
    for role in ("leftFoot", "leftToes", "rightHand"):
        np.testing.assert_array_equal(joint_places(result.motion, role), joint_places(motion, role))
    lifted = joint_places(result.motion, "rightToes")[:, 1] - joint_places(motion, "rightToes")[:, 1]
    assert lifted.max() > 0.01


def test_a_foot_that_stands_in_something_is_said_to(tripping: tuple[Motion, Scene]) -> None:
    motion, _ = tripping
    stage = stage_of(motion)
    first, stop = stances(stage, "right_leg")[0]
    toes = joint_places(motion, "rightToes")[(first + stop) // 2]
    scene = Scene().with_object("brick", Box(size_m=(0.1, 0.12, 0.1)), position=(float(toes[0]), 0.06, float(toes[2])))
    found = touches(stage_of(motion, scene), "right_leg")
    assert any(stands_in(stage, touch) for touch in found)
    result = us.correct(motion, scene, limbs=["right_leg"])
    assert not result.status
    assert "stands" in result.reason
    assert result.motion is not None
    assert np.array_equal(result.motion.rotations, motion.rotations)


def gate(motion: Motion) -> Scene:
    """A staff held away from the body, and two posts it does not fit through."""
    scene = Scene(floor=False).with_object("staff", Capsule(radius_m=0.015, length_m=0.5))
    way = motion.root_positions[len(motion) // 2]
    for k, side in enumerate((-1.0, 1.0)):
        place = (float(way[0]) + side * 0.5, 1.1, float(way[2]))
        scene = scene.with_object(f"post {k}", Cylinder(radius_m=0.04, height_m=2.2), position=place)
    pose = motion.pose(len(motion) // 2)
    _, turns = pose.world()
    hand = turns[motion.skeleton.humanoid["rightHand"]]
    outward = rot.from_axis_angle(np.array([0.0, 0.0, 1.0]), 0.5 * np.pi)
    palm = rot.rotate(rot.conjugate(hand), np.array([-0.29, -0.08, 0.0]))
    turn = rot.multiply(rot.conjugate(hand), outward)
    grip = Transform(position=tuple(palm), rotation=tuple(turn))
    scene = scene.with_character("anna", motion=motion)
    return scene.with_attachment(Attachment(object="staff", to="anna.right_hand", grip=grip))


def test_a_staff_is_carried_through_a_gate() -> None:
    motion = next(clip for clip in us.builtin_clips("walk") if clip.name == "walk").frames(0, 300)
    scene = gate(motion)
    found = [pair for touch in touches(stage_of(motion, scene), "right_arm") for pair in touch.pairs]
    assert ("staff", "post 0") in found
    result = us.correct(motion, scene, limbs=["right_arm"])
    assert result.status is Status.SOLVED, result.reason
    assert us.verify(result.motion, scene, source=motion).ok


def test_ways_out_are_free_and_can_be_held(motion: Motion, scene: Scene) -> None:
    stage = stage_of(motion, scene)
    touch = touches(stage, "right_arm")[0]
    window = window_of(stage, stage.space("right_arm"), max(touch.first - 40, 0), min(touch.last + 40, len(motion) - 1))
    found = ways_out(window, touch, 0.001)
    assert not found.blocked and len(found.hints) >= 3
    held = found.hints[::3, :-1]
    times = np.linspace(touch.start_s, touch.end_s, 60)
    for offset in held[:3]:
        distances = least_distances(stage, window.space, np.tile(offset, (len(times), 1)), times)
        assert min(distances.values()) > -1e-3


def test_a_blocked_limb_is_named_without_a_search(motion: Motion) -> None:
    x, y, z = joint_places(motion, "rightUpperArm")[90]
    scene = Scene(floor=False).with_object("block", Box(size_m=(0.5, 0.5, 0.5)), position=(x - 0.15, y, z))
    stage = stage_of(motion, scene)
    window = window_of(stage, stage.space("right_arm"), 60, 120)
    touch = Touch(limb="right_arm", start_s=1.45, end_s=1.55, pairs=(), first=87, last=93)
    found = ways_out(window, touch, 0.001)
    assert "block" in found.blocked and len(found.hints) == 0


def test_inside_a_mesh_counts_as_touching(motion: Motion) -> None:
    # A hand wholly inside a mesh whose surface it does not touch.
    x, y, z = joint_places(motion, "rightHand")[90]
    mesh = tetrahedron()
    big = type(mesh)(vertices=(mesh.vertices - mesh.vertices.mean(axis=0)) * 12.0, faces=mesh.faces)
    scene = Scene(floor=False).with_object("tent", big, position=(float(x), float(y), float(z)))
    stage = stage_of(motion, scene)
    window = window_of(stage, stage.space("right_arm"), 80, 100)
    slack, pair = window.nearest(np.zeros(len(window.space)), 1.5)
    assert slack < 0.0 and pair[1] == "tent"


def test_the_boxes_clip_is_untouched_outside_its_window(motion: Motion) -> None:
    result = us.correct(motion, beside(motion), limbs=["right_arm"])
    assert result.status is Status.SOLVED and result.motion is not None and result.trace is not None
    change = result.trace.changes[0]
    times = motion.times_s
    outside = (times <= change.start_s) | (times >= change.end_s)
    np.testing.assert_array_equal(result.motion.rotations[outside], motion.rotations[outside])
