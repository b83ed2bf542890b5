"""Objects that are taken, passed on and put down, against hand-written matrices and a brute-force play-through."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from people import person, wander
from scene.matrices import assert_same_pose, matrix
from understudy import rotations as rot
from understudy.core import Motion, fit_body
from understudy.scene import Attachment, Box, Carry, Handle, Scene, SceneObject, Sphere, Static, Track, Transform

BOX = Box(size_m=(0.2, 0.1, 0.3))


def hand_matrix(motion: Motion, joint: str, time_s: float) -> np.ndarray:
    """The joint's world matrix by the plain definition, one pose at a time."""
    positions, rotations = motion.pose_at(float(np.clip(time_s, 0, motion.duration_s))).world()
    index = motion.skeleton.index(joint)
    return matrix(positions[index], rotations[index])


def a_scene(motion: Motion) -> Scene:
    cup = SceneObject(name="cup", shape=BOX, placement=Static(position=(0.3, 1.0, 0.4), rotation=(0.6, 0.8, 0, 0)))
    return Scene().with_object(cup).with_character("anna", motion=motion)


def test_a_grip_is_the_objects_pose_in_the_hands_frame() -> None:
    motion = wander(person(), seed=1)
    grip = Transform(position=(0.01, 0.05, -0.02), rotation=(0.5, 0.5, -0.5, 0.5))
    scene = a_scene(motion).with_attachment("cup", "anna.right_hand", start_s=0.5, end_s=1.5, grip=grip)
    for time_s in (0.5, 0.77, 1.2, 1.499):
        state = scene.at(time_s)
        expected = hand_matrix(motion, "rightHand", time_s) @ matrix(grip.position, grip.rotation)
        assert_same_pose(*state.pose("cup"), expected)


def test_as_is_keeps_the_pose_at_the_moment_of_taking() -> None:
    motion = wander(person(), seed=2)
    scene = a_scene(motion).with_attachment("cup", "anna.leftHand", start_s=0.4, end_s=1.1)
    own = matrix((0.3, 1.0, 0.4), (0.6, 0.8, 0, 0))
    grip = np.linalg.inv(hand_matrix(motion, "leftHand", 0.4)) @ own
    assert_same_pose(*scene.at(0.4).pose("cup"), own)
    assert_same_pose(*scene.at(0.9).pose("cup"), hand_matrix(motion, "leftHand", 0.9) @ grip)
    left = hand_matrix(motion, "leftHand", 1.1) @ grip
    for time_s in (1.1, 1.5, 99.0):
        assert_same_pose(*scene.at(time_s).pose("cup"), left)


def test_nothing_jumps_when_it_is_taken_passed_on_and_left() -> None:
    motion = wander(person(), seed=3)
    scene = (
        a_scene(motion)
        .with_object("tray", BOX, placement=Track(times_s=[0, 2], positions=[[0, 1, 0], [1, 1.2, 0.5]]))
        .with_attachment("cup", "anna.right_hand", start_s=0.3, end_s=0.8)
        .with_attachment("cup", "anna.left_hand", start_s=0.8, end_s=1.2)
        .with_attachment("cup", "tray", start_s=1.4, end_s=1.7)
    )
    for moment in (0.3, 0.8, 1.2, 1.4, 1.7):
        positions, rotations = scene.object_track("cup", [moment - 1e-9, moment, moment + 1e-9])
        assert np.abs(np.diff(positions, axis=0)).max() < 1e-7
        assert rot.angle_between(rotations[:-1], rotations[1:]).max() < 1e-6


def test_resume_gives_the_object_back_to_its_track() -> None:
    track = Track(times_s=[0, 4], positions=[[0, 0, 0], [4, 0, 0]])
    scene = (
        Scene()
        .with_object("cart", BOX, placement=track)
        .with_object("post", BOX, position=(0, 5, 0))
        .with_attachment("cart", "post", start_s=1, end_s=2, release="resume")
    )
    positions, _ = scene.object_track("cart", [0.5, 1.5, 2.0, 3.0])
    np.testing.assert_allclose(positions[:, 0], [0.5, 1.0, 2.0, 3.0])


def test_chains_of_holders_follow_each_other() -> None:
    motion = wander(person(), seed=4)
    scene = (
        a_scene(motion)
        .with_object("tray", BOX, position=(0.2, 0.9, 0.4))
        .with_attachment("cup", "tray", start_s=0.2)
        .with_attachment("tray", "anna.right_hand", start_s=0.5, end_s=1.0)
    )
    tray_in_hand = np.linalg.inv(hand_matrix(motion, "rightHand", 0.5)) @ matrix((0.2, 0.9, 0.4), (1, 0, 0, 0))
    cup_on_tray = np.linalg.inv(matrix((0.2, 0.9, 0.4), (1, 0, 0, 0))) @ matrix((0.3, 1.0, 0.4), (0.6, 0.8, 0, 0))
    for time_s, held_s in ((0.7, 0.7), (0.99, 0.99), (1.6, 1.0)):
        tray = hand_matrix(motion, "rightHand", held_s) @ tray_in_hand
        assert_same_pose(*scene.at(time_s).pose("tray"), tray)
        assert_same_pose(*scene.at(time_s).pose("cup"), tray @ cup_on_tray)


def test_two_things_may_swap_roles_at_one_instant() -> None:
    scene = (
        Scene()
        .with_object("a", BOX, placement=Track(times_s=[0, 4], positions=[[0, 0, 0], [4, 0, 0]]))
        .with_object("b", BOX, placement=Track(times_s=[0, 4], positions=[[0, 1, 0], [0, 1, 4]]))
        .with_attachment("a", "b", start_s=0, end_s=1)
        .with_attachment("b", "a", start_s=1, end_s=2)
    )
    assert_same_pose(*scene.at(1.5).pose("a"), matrix((0, 0, 1), (1, 0, 0, 0)))
    assert_same_pose(*scene.at(1.5).pose("b"), matrix((0, 1, 1), (1, 0, 0, 0)))


def test_a_carried_object_has_its_handle_in_the_palm_at_all_times() -> None:
    motion = wander(person(), seed=5)
    umbrella = SceneObject(name="umbrella", shape=BOX, handles=(Handle(name="crook", at=(0.0, -0.4, 0.02)),))
    scene = Scene(
        objects=(umbrella,),
        characters=(_carrier(motion, Carry(object="umbrella", hand="left", until_s=1.4)),),
    )
    body = fit_body(motion.skeleton)
    capsule = body.capsule("left_hand")
    palm = 0.5 * (body.capsule_starts[capsule] + body.capsule_ends[capsule])
    for time_s in (-3.0, 0.0, 0.6, 1.3):
        handle = scene.handle_pose("umbrella", "crook", time_s)
        expected = hand_matrix(motion, "leftHand", time_s) @ np.array([*palm, 1.0])
        np.testing.assert_allclose(handle.position, expected[:3], atol=1e-9)
    np.testing.assert_allclose(scene.at(1.4).positions, scene.at(50.0).positions)


def test_a_carried_object_starts_upright_facing_the_characters_way() -> None:
    still = wander(person(), seed=0, size_rad=0.0)
    scene = Scene(objects=(SceneObject(name="sign", shape=BOX),), characters=(_carrier(still, Carry(object="sign")),))
    turned = Scene(
        objects=scene.objects, characters=(_carrier(still, Carry(object="sign"), start=(1, 2), heading_rad=0.7),)
    )
    np.testing.assert_allclose(scene.at(0).rotations[0], rot.identity(), atol=1e-12)
    np.testing.assert_allclose(turned.at(0).rotations[0], rot.from_yaw(0.7), atol=1e-12)


def test_without_a_motion_a_carried_object_keeps_its_own_place() -> None:
    scene = Scene().with_object("cup", BOX, position=(1, 2, 3)).with_character("anna", carry=(Carry(object="cup"),))
    assert np.array_equal(scene.at(0.0).positions, [[1, 2, 3]])
    assert scene.at(0.0).joints == {}


def _carrier(motion: Motion, carry: Carry, **fields):
    from understudy.scene import Character

    return Character(name="anna", motion=motion, carry=(carry,), **fields)


times = st.integers(0, 12).map(lambda n: n / 4)


@st.composite
def holding_plans(draw):
    """Objects a..d on random tracks, each held by later letters for random intervals: never a cycle."""
    names = "abcd"
    attachments = []
    for k, name in enumerate(names[:-1]):
        cuts = sorted(draw(st.sets(times, min_size=0, max_size=6)))
        for start, end in zip(cuts[::2], cuts[1::2], strict=False):
            to = draw(st.sampled_from(names[k + 1 :]))
            explicit = draw(st.booleans())
            grip = Transform(position=(0.1, 0.2, 0.3 * k), rotation=(0.8, 0, 0.6, 0)) if explicit else "as_is"
            release = draw(st.sampled_from(["stay", "resume"]))
            attachments.append(Attachment(object=name, to=to, start_s=start, end_s=end, grip=grip, release=release))
    return attachments, draw(st.integers(0, 1000))


def _played_through(scene: Scene, last: float) -> dict[str, np.ndarray]:
    """World matrices at ``last``, by walking through all instants and carrying matrices along."""
    moments = sorted({0.0, last} | {t for a in scene.attachments for t in (a.start_s, a.end_s) if t <= last})

    def own(name: str, time_s: float) -> np.ndarray:
        positions, rotations = scene.object(name).placement.poses(np.array([time_s]))
        return matrix(positions[0], rotations[0])

    # State of an object: ("own",), ("rest", matrix) or ("held", holder, grip).
    state: dict[str, tuple] = {thing.name: ("own",) for thing in scene.objects}

    def world(name: str, time_s: float) -> np.ndarray:
        kind = state[name]
        if kind[0] == "own":
            return own(name, time_s)
        return kind[1] if kind[0] == "rest" else world(kind[1], time_s) @ kind[2]

    for now in moments:
        change: dict[str, tuple] = {}
        for one in scene.attachments:
            if one.end_s == now:
                change[one.object] = ("own",) if one.release == "resume" else ("rest", world(one.object, now))
        for one in scene.attachments:
            if one.start_s == now:
                if isinstance(one.grip, Transform):
                    grip = matrix(one.grip.position, one.grip.rotation)
                else:
                    grip = np.linalg.inv(world(one.to, now)) @ world(one.object, now)
                change[one.object] = ("held", one.to, grip)
        state |= change
    return {thing.name: world(thing.name, last) for thing in scene.objects}


@given(plan=holding_plans(), last=st.one_of(times, st.floats(0, 4)))
@settings(max_examples=120)
def test_any_plan_agrees_with_playing_it_through(plan, last: float) -> None:
    attachments, seed = plan
    rng = np.random.default_rng(seed)
    scene = Scene(
        objects=tuple(
            SceneObject(
                name=name,
                shape=Sphere(radius_m=0.1),
                placement=Track(
                    times_s=[0, 1, 3],
                    positions=rng.normal(size=(3, 3)),
                    rotations=rot.normalize(rng.normal(size=(3, 4))),
                ),
            )
            for name in "abcd"
        ),
        attachments=tuple(attachments),
    )
    state = scene.at(last)
    for name, expected in _played_through(scene, last).items():
        assert_same_pose(*state.pose(name), expected, within=1e-8)


@pytest.mark.parametrize("count", [1, 50])
def test_tracks_of_many_times_are_the_states_one_by_one(count: int) -> None:
    motion = wander(person(), seed=6)
    scene = a_scene(motion).with_attachment("cup", "anna.right_hand", start_s=0.5, end_s=1.2)
    when = np.random.default_rng(0).uniform(-1, 3, count)
    positions, rotations = scene.object_tracks(when)
    for k, time_s in enumerate(when):
        state = scene.at(time_s)
        np.testing.assert_allclose(positions[k], state.positions, atol=1e-12)
        np.testing.assert_allclose(rotations[k], state.rotations, atol=1e-12)


def test_an_attachment_may_last_for_ever() -> None:
    motion = wander(person(), seed=7)
    scene = a_scene(motion).with_attachment("cup", "anna.right_hand", start_s=0.5)
    assert scene.attachments[0].end_s == math.inf
    assert scene.duration_s == pytest.approx(motion.duration_s)
