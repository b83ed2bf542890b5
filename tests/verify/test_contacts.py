"""Contacts that are meant: how deep, and for how long."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from understudy.core import Motion, fit_body
from understudy.performer import performance
from understudy.scene import ContactRule, Scene
from understudy.scene.attachments import Attachment
from understudy.scene.objects import SceneObject
from understudy.scene.placements import Track
from understudy.scene.shapes import Box, Sphere
from understudy.verify.claim import Claim
from understudy.verify.judge import verify
from understudy.verify.report import Report


@pytest.mark.parametrize(("part", "most_m"), [("anna.left_hand", 0.005), ("anna.pelvis", 0.03)])
def test_what_a_scene_declares_is_as_shallow_as_what_is_claimed(swaying: Motion, part: str, most_m: float) -> None:
    scene = Scene().with_character("anna").with_object("table", Box(size_m=(0.5, 0.5, 0.5)), position=(5.0, 0.25, 5.0))
    assert verify([("anna", swaying)], scene.with_contact(part, "table", max_depth_m=most_m)).ok
    report = verify([("anna", swaying)], scene.with_contact(part, "table", max_depth_m=most_m + 0.001))
    assert report.broken == ("claim",)
    assert "mm deep at most" in report.reason


def test_the_window_of_one_contact_does_not_cover_the_next(swaying: Motion) -> None:
    """A knob is in the hand by 3 mm for a moment, leaves, and comes back while the claim still speaks of it."""
    body, hand = fit_body(swaying.skeleton), fit_body(swaying.skeleton).capsule("left_hand")
    start, end = (ends[hand] for ends in body.capsule_segments(*swaying.pose(0).world()))
    radius = float(body.capsule_radii[hand])
    still = replace(
        swaying,
        root_positions=np.repeat(swaying.root_positions[:1], len(swaying), 0),
        rotations=np.repeat(swaying.rotations[:1], len(swaying), 0),
    )
    out = (end - start) / np.linalg.norm(end - start)
    at, away = end + (radius + 0.02 - 0.003) * out, end + 0.3 * out

    def report(times: list[float], places: list[np.ndarray], *rules: ContactRule) -> Report:
        track = Track(times_s=np.array(times), positions=np.array(places))
        knob = SceneObject(name="knob", shape=Sphere(radius_m=0.02), placement=track)
        scene = Scene().with_character("anna").with_object(knob)
        return verify(Claim(motions=(("anna", still),), scene=scene, contacts=rules))

    rule = ContactRule(a="anna.left_hand", b="knob", start_s=0.0, end_s=2.0)
    once = report([0.0, 0.5, 0.6, 2.0], [at, at, away, away], rule)
    assert "claim" not in once.broken and "penetration" not in once.broken
    moments, twice_there = [0.0, 0.3, 0.6, 1.2, 1.5, 2.0], [at, at, away, away, at, at]
    twice = report(moments, twice_there, rule)
    assert "claim" in twice.broken
    assert "another contact" in twice.reason
    halves = (replace(rule, end_s=0.9), replace(rule, start_s=0.9))
    assert "claim" not in report(moments, twice_there, *halves).broken
    # A caller says that the two may touch, whoever made the motion that they do: to 0.15 s.
    made = replace(rule, why="grasps")
    first, again = ([0.0, 0.5, 0.6, 2.0], [at, at, away, away]), ([0.0, 0.8, 0.9, 2.0], [away, away, at, at])
    assert "claim" not in report(*first, replace(made, end_s=0.64)).broken
    assert "after they parted" in report(*first, replace(made, end_s=0.8)).reason
    assert "after they parted" in report(*first, replace(made, start_s=-np.inf, end_s=1.9)).reason
    assert "claim" not in report(*again, replace(made, start_s=0.76)).broken
    assert "before they touch" in report(*again, replace(made, start_s=0.6)).reason
    assert "never touch" in report(*first, replace(made, start_s=1.0, end_s=1.4)).reason
    # Who made a motion knows when its parts touch.
    assert "after they parted" in report(*first, replace(made, start_s=-np.inf, end_s=np.inf)).reason
    # What others touch is no part of a claim about her.
    of_others = replace(made, a="ben.left_hand", start_s=1.0, end_s=1.4)
    assert "claim" not in report(*first, replace(made, end_s=0.64), of_others).broken
    # The end of the performance ends a contact as well.
    assert "claim" not in report(*again, replace(made, start_s=0.76, end_s=9.0)).broken


@pytest.mark.parametrize(("deep_m", "seen"), [(0.005, False), (0.02, True)])
def test_soles_sink_no_deeper_than_floors_are_known(deep_m: float, seen: bool) -> None:
    standing = performance("idle", duration_s=4.0, fps=60.0).motion
    sunk = replace(standing, root_positions=standing.root_positions - np.array([0.0, deep_m, 0.0]))
    claim = Claim(motions=(("anna", sunk),), scene=Scene().with_character("anna"))
    assert ("penetration" in verify(claim).broken) is seen


def test_what_is_put_on_something_later_is_no_part_of_it(swaying: Motion) -> None:
    """A plate is fixed to a box, 1 cm deep in it: from the beginning, or from half a second on."""
    scene = Scene().with_character("anna").with_object("box", Box(size_m=(0.5, 0.5, 0.5)), position=(5.0, 0.25, 5.0))
    scene = scene.with_object("plate", Box(size_m=(0.2, 0.04, 0.2)), position=(5.0, 0.51, 5.0))
    for start_s, found in ((0.0, False), (0.5, True)):
        fixed = replace(scene, attachments=(Attachment(object="plate", to="box", start_s=start_s),))
        pairs = verify(Claim(motions=(("anna", swaying),), scene=fixed)).penetration.pairs
        assert any({one.a, one.b} == {"plate", "box"} for one in pairs) is found


@pytest.mark.parametrize(("size_m", "found"), [((0.04, 0.1, 0.04), False), ((0.3, 0.1, 0.3), True)])
def test_a_hand_closes_around_a_shaft_and_not_around_a_box(
    swaying: Motion, size_m: tuple[float, float, float], found: bool
) -> None:
    """Both are held from the beginning, 2 cm deep in the hand."""
    scene = Scene().with_character("anna", motion=swaying).with_object("thing", Box(size_m=size_m))
    body = fit_body(swaying.skeleton)
    hand = body.capsule("right_hand")
    start, end = body.capsule_segments(*swaying.pose(0).world())
    out = 0.5 * size_m[0] + body.capsule_radii[hand] - 0.02
    at = 0.5 * (start[hand] + end[hand]) + np.array([-out, 0.0, 0.0])
    scene = scene.moved("thing", position=at).with_attachment("thing", "anna.right_hand")
    pairs = verify([("anna", swaying)], scene).penetration.pairs
    assert any({one.a, one.b} == {"thing", "anna.right_hand"} for one in pairs) is found
