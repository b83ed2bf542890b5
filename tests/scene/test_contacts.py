"""Which contacts a scene allows, and when."""

from __future__ import annotations

import math

import pytest

from people import person, wander
from understudy.errors import SceneError
from understudy.scene import Box, Carry, ContactRule, Handle, Hinge, Scene, contact_rules

BOX = Box(size_m=(0.2, 0.2, 0.2))


def allowed(scene: Scene, a: str, b: str, time_s: float = 0.0) -> bool:
    return any(rule.allows(a, b, time_s) for rule in contact_rules(scene))


def stage() -> Scene:
    return (
        Scene()
        .with_object("cup", BOX, position=(0, 1, 0))
        .with_object("table", BOX, position=(0, 0.5, 0))
        .with_object(
            "door", BOX, placement=Hinge(axis_at=(0, 0, 2), range_rad=(0, 2)), handles=(Handle(name="k", at=(0, 0, 0)),)
        )
        .with_character("anna")
        .with_character("bob")
    )


def test_soles_stand_on_the_floor_and_nothing_else_does() -> None:
    scene = stage()
    assert allowed(scene, "anna.left_foot", "floor")
    assert allowed(scene, "floor", "bob.rightToes")
    assert not allowed(scene, "anna.left_shank", "floor")
    assert not allowed(scene, "anna.left_hand", "floor")
    assert not allowed(scene, "anna.left_foot", "table")
    assert all(0 < rule.max_depth_m < 0.1 for rule in contact_rules(scene))
    assert contact_rules(Scene(characters=scene.characters, floor=False)) == ()


def test_a_held_object_touches_its_hand_only_while_held() -> None:
    scene = stage().with_attachment("cup", "anna.rightHand", start_s=1.0, end_s=2.0)
    assert allowed(scene, "cup", "anna.right_hand", 1.5)
    assert not allowed(scene, "cup", "anna.right_hand", 0.5)
    assert not allowed(scene, "cup", "anna.right_hand", 2.5)
    assert not allowed(scene, "cup", "anna.left_hand", 1.5)
    assert not allowed(scene, "cup", "anna.right_forearm", 1.5)


def test_what_is_carried_from_the_start_touches_its_hand_until_it_is_let_go() -> None:
    scene = stage().without("anna").with_character("anna", carry=(Carry(object="cup", hand="left", until_s=3.0),))
    assert allowed(scene, "anna.left_hand", "cup", -10.0)
    assert not allowed(scene, "anna.left_hand", "cup", 3.1)


def test_a_holder_without_capsule_stands_for_the_part_that_has_one() -> None:
    scene = stage().with_motion("anna", wander(person())).with_attachment("cup", "anna.leftHand", start_s=0.0)
    assert allowed(scene, "cup", "anna.left_hand", 1.0)
    on_table = stage().with_attachment("cup", "table", start_s=0.0)
    assert allowed(on_table, "table", "cup", 1.0)


@pytest.mark.parametrize("do", ["grab", "touch", "press"])
def test_hand_tasks_allow_their_hand_from_their_moment_on(do: str) -> None:
    scene = stage().with_task("anna", do, object="cup", hand="right", at_s=2.0)
    assert allowed(scene, "anna.right_hand", "cup", 2.5)
    assert not allowed(scene, "anna.right_hand", "cup", 1.9)
    assert not allowed(scene, "anna.left_hand", "cup", 2.5)
    assert not allowed(scene, "bob.right_hand", "cup", 2.5)


def test_an_open_hand_means_either_and_open_times_mean_always() -> None:
    scene = stage().with_task("anna", "open_door", object="door")
    for hand in ("left_hand", "right_hand"):
        assert allowed(scene, f"anna.{hand}", "door", 0.0)
    assert not allowed(scene, "anna.chest", "door", 0.0)


def test_what_is_placed_may_touch_what_it_is_placed_on() -> None:
    scene = stage().with_task("anna", "place", object="cup", target="table", at_s=4.0)
    assert allowed(scene, "cup", "table", 4.0)
    assert not allowed(scene, "anna.right_hand", "table", 4.0)
    assert not allowed(scene, "cup", "table", 3.0)


def test_a_touch_ends_when_it_has_been_held() -> None:
    scene = stage().with_task("anna", "touch", object="cup", at_s=1.0, hold_s=0.5)
    assert allowed(scene, "anna.left_hand", "cup", 1.5)
    assert not allowed(scene, "anna.left_hand", "cup", 1.6)


def test_walking_and_pouring_allow_nothing_at_the_target() -> None:
    scene = stage().with_task("anna", "walk_to", object="table").with_task("anna", "pour", object="cup", target="table")
    assert not allowed(scene, "anna.right_hand", "table")
    assert allowed(scene, "anna.right_hand", "cup")


def test_a_declared_rule_covers_all_parts_of_a_character_in_either_order() -> None:
    scene = stage().with_contact("anna", "bob.left_hand", start_s=1.0, end_s=2.0)
    assert allowed(scene, "bob.left_hand", "anna.chest", 1.0)
    assert allowed(scene, "anna.chest", "bob.leftHand", 2.0)
    assert not allowed(scene, "bob.right_hand", "anna.chest", 1.5)
    assert not allowed(scene, "bob.left_hand", "annabel.chest", 1.5)
    assert not allowed(scene, "bob.left_hand", "anna.chest", 2.01)


def test_impossible_rules_are_refused() -> None:
    with pytest.raises(SceneError, match="end must not come before"):
        ContactRule(a="a", b="b", start_s=2, end_s=1)
    with pytest.raises(SceneError, match="negative"):
        ContactRule(a="a", b="b", max_depth_m=-1)
    with pytest.raises(SceneError, match="end must not come before"):
        ContactRule(a="a", b="b", start_s=math.nan)
