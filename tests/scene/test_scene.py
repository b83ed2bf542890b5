"""Building a scene, looking into it, and every way in which its parts may not fit together."""

from __future__ import annotations

import numpy as np
import pytest

from people import person, wander
from understudy.errors import SceneError
from understudy.scene import (
    Attachment,
    Box,
    Carry,
    Character,
    Cylinder,
    HalfSpace,
    Handle,
    Hinge,
    Scene,
    SceneObject,
    Sphere,
    Static,
    Task,
    Track,
)

BOX = Box(size_m=(0.2, 0.2, 0.2))


def stage() -> Scene:
    return (
        Scene(name="kitchen")
        .with_object("cup", BOX, position=(0, 1, 0), handles=(Handle(name="ear", at=(0.1, 0, 0), approach=(2, 0, 0)),))
        .with_object("door", BOX, placement=Hinge(axis_at=(0, 0, 2), range_rad=(0, 2)))
        .with_object("cart", BOX, placement=Track(times_s=[0, 3], positions=[[0, 0, 0], [3, 0, 0]]))
        .with_character("anna", start=(0, 0))
        .with_task("anna", "grab", object="cup", handle="ear")
    )


def test_building_never_changes_a_scene() -> None:
    before = stage()
    after = before.with_object("more", BOX).moved("cup", position=(9, 9, 9)).without("anna")
    assert before == stage()
    assert [thing.name for thing in after.objects] == ["cup", "door", "cart", "more"]
    assert after.characters == after.tasks == ()
    assert after != before


def test_moving_keeps_what_is_not_said() -> None:
    scene = stage().moved("cup", rotation=(0, 0, 1, 0))
    assert scene.object("cup").placement == Static(position=(0, 1, 0), rotation=(0, 0, 1, 0))
    assert stage().moved("cup", position=(1, 2, 3)).object("cup").placement.position == (1, 2, 3)
    with pytest.raises(SceneError, match="track"):
        stage().moved("cart", position=(0, 0, 0))


def test_without_forgets_everything_said_about_a_thing() -> None:
    scene = (
        stage()
        .with_task("anna", "walk_to", goal=(1, 1), name="go")
        .with_task("anna", "touch", object="cart", after="go")
        .with_attachment("cup", "cart", start_s=1)
        .with_contact("anna.head", "cup")
    )
    left = scene.without("cup")
    assert left.attachments == left.allowed_contacts == ()
    assert [task.do for task in left.tasks] == ["walk_to", "touch"]
    assert scene.without("anna").tasks == ()
    with pytest.raises(SceneError, match='did you mean "cart"'):
        scene.without("carts")


def test_a_handle_moves_with_its_object() -> None:
    turned = stage().moved("cup", position=(1, 1, 1), rotation=(np.sqrt(0.5), 0, np.sqrt(0.5), 0))
    grip = turned.handle_pose("cup", "ear", 0.0)
    # A quarter turn about +Y takes +X to -Z.
    np.testing.assert_allclose(grip.position, [1, 1, 0.9], atol=1e-12)
    np.testing.assert_allclose(grip.approach, [0, 0, -1], atol=1e-12)


def test_the_state_holds_objects_and_joints() -> None:
    motion = wander(person())
    state = stage().with_motion("anna", motion).at(1.0)
    assert state.names == ("cup", "door", "cart")
    assert state.positions.shape == (3, 3)
    assert state.rotations.shape == (3, 4)
    assert state.joints["anna"][0].shape == (len(motion.skeleton), 3)
    np.testing.assert_allclose(state.pose("cart")[0], [1, 0, 0])


def test_names_are_looked_up_with_the_nearest_in_the_message() -> None:
    scene = stage()
    for ask, words in [
        (lambda: scene.object("cupp"), 'did you mean "cup"'),
        (lambda: scene.character("ana"), 'did you mean "anna"'),
        (lambda: scene.handle_pose("cup", "eer", 0), 'did you mean "ear"'),
        (lambda: scene.handle_pose("door", "knob", 0), "no handles"),
        (lambda: scene.object_track("dor", [0]), 'did you mean "door"'),
        (lambda: scene.at(0).pose("dor"), 'did you mean "door"'),
        (lambda: scene.with_motion("ana", wander(person())), 'did you mean "anna"'),
        (lambda: Scene().object("cup"), "no objects"),
    ]:
        with pytest.raises(SceneError, match=words):
            ask()


@pytest.mark.parametrize("time_s", [np.nan, np.inf, "soon", [[0.0]]])
def test_times_are_finite_numbers(time_s: object) -> None:
    with pytest.raises(SceneError, match="times must be"):
        stage().object_track("cup", time_s)


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(SceneError) as caught:
        Scene(
            objects=(
                SceneObject(name="a", shape=BOX),
                SceneObject(name="a", shape=BOX),
                SceneObject(name="floor", shape=BOX),
                SceneObject(name="b", shape=BOX),
                SceneObject(name="c", shape=BOX),
                SceneObject(name="d", shape=BOX),
            ),
            characters=(
                Character(name="anna", carry=(Carry(object="umbrella"),)),
                Character(name="d"),
            ),
            attachments=(
                Attachment(object="b", to="c"),
                Attachment(object="c", to="b", start_s=5.0),
                Attachment(object="c", to="a", start_s=1.0, end_s=6.0),
                Attachment(object="a", to="anna.rigt_hand"),
                Attachment(object="a", to="anna", start_s=3.0),
                Attachment(object="a", to="a"),
                Attachment(object="a", to="c", grip="in_hand", start_s=90),
            ),
            tasks=(
                Task(character="ann", do="walk_to", goal=(0, 0)),
                Task(character="anna", do="open_door", object="a"),
                Task(character="anna", do="grab", object="a", handle="knob"),
                Task(character="anna", do="touch", target="cc"),
                Task(character="anna", do="drop", after="never"),
                Task(character="anna", do="drop", name="first", after="second"),
                Task(character="anna", do="drop", name="second"),
            ),
        )
    told = "\n".join(caught.value.faults)
    for words in [
        'object "a": the name is already',
        'object "floor": the name is already used by the ground',
        'character "d": the name is already',
        'no object "umbrella"',
        'attachments run in a circle: "b" -> "c" -> "b"',
        '"c" is held by "a" and by "b" at the same time (5 s)',
        'no part "rigt_hand"; did you mean "right_hand"',
        '"anna" cannot hold anything',
        '"a" cannot hold itself',
        'grip "in_hand" needs a hand',
        'no character "ann"; did you mean "anna"',
        'object "a" has no hinge',
        'object "a" has no handle "knob"',
        'no object "cc"',
        'no task "never" to come after',
        'task "first": can never begin',
    ]:
        assert words in told, words
    assert len(caught.value.faults) == 16


@pytest.mark.parametrize("length", [2, 3, 6])
def test_rings_of_attachments_are_found(length: int) -> None:
    names = [f"o{n}" for n in range(length)]
    scene = Scene(objects=tuple(SceneObject(name=name, shape=BOX) for name in names))
    for n in range(length - 1):
        scene = scene.with_attachment(names[n], names[n + 1], start_s=0.0, end_s=10.0)
    with pytest.raises(SceneError, match="circle"):
        scene.with_attachment(names[-1], names[0], start_s=9.9, end_s=20.0)
    scene.with_attachment(names[-1], names[0], start_s=10.0, end_s=20.0).at(15.0)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Task(character="a", do="walk_too"), 'did you mean "walk_to"'),
        (lambda: Task(character="a", do="walk_to"), "exactly one of goal and object; 0 are given"),
        (lambda: Task(character="a", do="walk_to", goal=(0, 0), object="b"), "2 are given"),
        (lambda: Task(character="a", do="grab"), 'needs "object"'),
        (lambda: Task(character="a", do="grab", object="b", goal=(0, 0)), 'does not take "goal"'),
        (lambda: Task(character="a", do="walk_to", goal=(0, np.nan)), "finite"),
        (lambda: Task(character="a", do="walk_to", goal=(0, 0, 0)), "two numbers"),
        (lambda: Task(character="a", do="drop", at_s=2, by_s=1), "must be done by"),
        (lambda: Task(character="a", do="drop", hand="third"), "left or right"),
        (lambda: Attachment(object="a", to="b", start_s=1, end_s=1), "end must come after"),
        (lambda: Attachment(object="a", to="b", start_s=np.nan), "end must come after"),
        (lambda: Attachment(object="a", to="b", release="fall"), "stay, resume"),
        (lambda: Carry(object="a", hand="middle"), "left or right"),
        (lambda: SceneObject(name="", shape=BOX), "must not be empty"),
        (lambda: SceneObject(name="a.b", shape=BOX), "contain a dot"),
        (lambda: SceneObject(name="a", shape=BOX, color=(0, 0, 2)), "0..1"),
        (lambda: SceneObject(name="a", shape=BOX, handles=(Handle(name="h", at=(0, 0, 0)),) * 2), "two handles"),
        (lambda: Handle(name="h", at=(0, 0, 0), approach=(0, 0, 0)), "all zero"),
        (lambda: Scene().with_object("a"), "needs a shape"),
        (lambda: Scene().with_object("a", BOX, position=(0, 0, 0), placement=Static()), "give a placement, or"),
    ],
)
def test_impossible_parts_are_refused(make, words: str) -> None:
    with pytest.raises(SceneError, match=words):
        make()


def test_a_task_with_several_faults_tells_all() -> None:
    with pytest.raises(SceneError) as caught:
        Task(character="a", do="place", goal=(0, 0))
    assert len(caught.value.faults) == 3


def test_props_follow_their_objects_and_static_ones_have_one_key() -> None:
    scene = stage().with_object("ground", HalfSpace()).with_object("ball", Sphere(radius_m=0.1), color=(1, 0, 0))
    props = {prop.name: prop for prop in scene.props(fps=10, start_s=1.0, end_s=2.0)}
    assert len(props["cup"].times_s) == 1
    assert props["ball"].color == (1, 0, 0)
    np.testing.assert_allclose(props["cart"].times_s, np.arange(11) / 10)
    np.testing.assert_allclose(props["cart"].positions[:, 0], 1 + np.arange(11) / 10)
    assert scene.duration_s == 3.0
    assert len(scene.props(fps=10)[2].times_s) == 31
    with pytest.raises(SceneError, match="fps"):
        scene.props(fps=0)
    with pytest.raises(SceneError, match="end must not"):
        scene.props(start_s=2, end_s=1)


def test_moving_objects_are_those_that_track_swing_or_are_held() -> None:
    scene = stage().with_object("lamp", Cylinder(radius_m=0.1, height_m=1.0))
    assert scene.moving_objects().tolist() == [2]
    swinging = scene.placed("door", scene.object("door").placement.turned([0, 1], times_s=[0, 1]))
    assert swinging.with_attachment("lamp", "cart", start_s=1).moving_objects().tolist() == [1, 2, 3]
