"""Looking only at what differs from the source finds what looking at everything finds there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import understudy as us
from limb_stages import crowded, walk, with_passer_by
from understudy import rotations as rot
from understudy.core import Motion
from understudy.scene import Scene
from understudy.scene.attachments import Attachment
from understudy.scene.shapes import Capsule
from understudy.scene.transforms import Transform
from understudy.verify.changed import carried, changed_from


def turned(motion: Motion, role: str, *, angle_rad: float, first: int, last: int) -> Motion:
    """The motion with a joint turned away and back between two frames."""
    rotations = np.array(motion.rotations)
    frames = np.arange(first, last + 1)
    bump = np.sin(np.pi * (frames - first + 1) / (last - first + 2)) ** 4
    joint = motion.skeleton.humanoid[role]
    turn = rot.from_axis_angle(np.array([0.2, 0.3, 1.0]), angle_rad * bump)
    rotations[frames, joint] = rot.multiply(rotations[frames, joint], turn)
    return replace(motion, rotations=rotations)


def test_what_differs_is_found_to_the_frame(motion: Motion) -> None:
    other = turned(motion, "rightLowerArm", angle_rad=0.5, first=40, last=80)
    found = changed_from(other, motion)
    names = motion.skeleton.roles
    assert (found.first, found.last) == (40, 80)
    assert [names[j] for j in np.flatnonzero(found.joints)] == ["rightLowerArm"]
    assert {names.get(j) for j in np.flatnonzero(found.moved)} >= {"rightLowerArm", "rightHand"}
    assert not found.moved[motion.skeleton.humanoid["rightUpperArm"]]
    assert not changed_from(motion, motion)
    roots = np.array(motion.root_positions)
    roots[7, 1] += 1e-9
    assert changed_from(replace(motion, root_positions=roots), motion).moved.all()


@pytest.fixture(scope="module")
def motion() -> Motion:
    return walk()


@pytest.mark.parametrize(
    ("role", "angle_rad"), [("rightUpperArm", 1.2), ("leftUpperArm", -0.9), ("rightUpperLeg", 0.7), ("spine", 0.5)]
)
def test_the_report_is_that_of_the_whole_less_what_the_source_does_anyway(
    motion: Motion, role: str, angle_rad: float
) -> None:
    scene = with_passer_by(crowded(motion), motion).with_character("anna")
    other = turned(motion, role, angle_rad=angle_rad, first=50, last=130)
    judged = [("anna", other)]
    source = {"anna": motion}
    whole = us.verify(judged, scene, source=source)
    part = us.verify(judged, scene, source=source, changes_only=True)
    assert part.characters[0].joint_limits == whole.characters[0].joint_limits
    assert part.characters[0].foot_skate == whole.characters[0].foot_skate
    ours, theirs = part.characters[0].smoothness, whole.characters[0].smoothness
    assert dict(ours.limbs) == {name: pytest.approx(pair) for name, pair in theirs.limbs.items()}
    assert ours.jerk_ratio == pytest.approx(theirs.jerk_ratio)
    assert [(seam.part, seam.jump_mps) for seam in ours.seams] == [(s.part, s.jump_mps) for s in theirs.seams]
    moved = {f"anna.{n}" for n in np.array(us.fit_body(motion.skeleton).capsule_names)[changed_parts(other, motion)]}
    known = {frozenset((one.a, one.b)): one for one in part.penetration.pairs}
    wanted = [
        one
        for one in whole.penetration.pairs
        if moved & {one.a, one.b} and 50 / 60 <= one.time_s <= 130 / 60 and one.depth_m > 2e-4
    ]
    assert wanted
    for one in wanted:
        assert known[frozenset((one.a, one.b))].depth_m == pytest.approx(one.depth_m, abs=3e-4)
    for one in part.penetration.pairs:
        assert 49 / 60 - 1e-9 <= one.time_s <= 131 / 60 + 1e-9


def changed_parts(other: Motion, motion: Motion) -> np.ndarray:
    return changed_from(other, motion).capsules(us.fit_body(motion.skeleton))


def test_a_planted_jump_is_seen(motion: Motion) -> None:
    rotations = np.array(motion.rotations)
    joint = motion.skeleton.humanoid["leftUpperArm"]
    rotations[90, joint] = rot.multiply(rotations[90, joint], rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.2))
    report = us.verify(replace(motion, rotations=rotations), Scene(), source=motion, changes_only=True)
    assert "seams" in report.broken
    assert report.characters[0].smoothness.seams[0].time_s == pytest.approx(90 / motion.fps, abs=1.5 / motion.fps)


def test_what_is_carried_is_looked_at_with_all_of_the_body(motion: Motion) -> None:
    scene = Scene(floor=False).with_object("staff", Capsule(radius_m=0.02, length_m=1.6))
    scene = scene.with_object("flag", Capsule(radius_m=0.02, length_m=0.2))
    scene = scene.with_character("anna", motion=motion)
    across = Transform(rotation=(np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0))
    scene = scene.with_attachment(Attachment(object="staff", to="anna.right_hand", grip=across))
    scene = scene.with_attachment(Attachment(object="flag", to="staff"))
    assert carried(scene, "anna") == {"staff", "flag"}
    other = turned(motion, "rightHand", angle_rad=1.4, first=30, last=150)
    whole, part = (us.verify(other, scene, source=motion, changes_only=only) for only in (False, True))
    legs = [{one.a.split(".")[-1] for one in report.penetration.pairs if one.b == "staff"} for report in (whole, part)]
    assert legs[0] == legs[1] != set()
