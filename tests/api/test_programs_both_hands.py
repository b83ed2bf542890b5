"""What one hand cannot hold: both take it, as low as it is, carry it and put it down; both grips are judged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from handling_stages import in_hand
from understudy import rotations as rot
from understudy.api.performing import perform
from understudy.core.body_fit import fit_body
from understudy.limbs.handling import HandlingOptions
from understudy.limbs.handling.two_holds import by_both
from understudy.performer import Person
from understudy.scene import Scene, Task
from understudy.scene.characters import Character
from understudy.scene.shapes import Box
from understudy.verify.judge import verify

BOX = (0.36, 0.25, 0.26)


def stage() -> Scene:
    return (
        Scene()
        .with_object("table", Box(size_m=(0.7, 0.6, 0.5)), position=(0.0, 0.3, 1.6))
        .with_object("bench", Box(size_m=(0.8, 0.86, 0.5)), position=(2.2, 0.43, 0.0))
        .with_object("box", Box(size_m=BOX), position=(0.0, 0.6 + 0.5 * BOX[1] + 5e-4, 1.5))
        .with_character(Character(name="anna", start=(0.1, -0.5)))
        .with_task(Task(character="anna", do="grab", object="box"))
        .with_task(Task(character="anna", do="place", object="box", target="bench"))
    )


def test_a_thing_wider_than_a_hand_takes_two_and_a_book_one() -> None:
    body, scene = fit_body(Person().skeleton()), stage().with_object("book", Box(size_m=(0.2, 0.03, 0.28)))
    assert by_both(scene.tasks[0], scene, body).hand == "both"
    assert by_both(Task(character="anna", do="grab", object="book"), scene, body).hand is None
    asked = Task(character="anna", do="grab", object="box", hand="left")
    assert by_both(asked, scene, body) is asked


def test_a_box_is_carried_by_both_palms_and_left_on_the_bench() -> None:
    result = perform(stage(), options=HandlingOptions(gaze=False, deadline_s=600.0))
    assert result.status, result.reason
    motion, scene = result.motions["anna"], result.claim.scene
    start_s, end_s = next((one.start_s, one.end_s) for one in scene.holds if one.object == "box")
    frames = np.arange(int(np.ceil(start_s * motion.fps)), int(end_s * motion.fps))
    for hand in ("right", "left"):
        at, turned = in_hand(scene, motion, "box", hand, frames)
        assert np.linalg.norm(at - at[0], axis=1).max() < 0.002
        assert np.degrees(rot.angle_between(turned, turned[:1]).max()) < 1.0
    assert end_s < motion.duration_s
    place = scene.object_track("box", [motion.duration_s])[0][0]
    assert abs(place[1] - 0.86 - 0.5 * BOX[1]) < 0.002 and abs(place[0] - 2.2) < 0.4
    # A planted fault: the left elbow bends by two degrees while both carry.
    turns, elbow = np.array(motion.rotations), motion.skeleton.humanoid["leftLowerArm"]
    middle = (frames[0] + frames[-1]) // 2
    bend = rot.exp(np.array([0.0, np.radians(2.0), 0.0]))
    turns[middle - 6 : middle + 7, elbow] = rot.multiply(turns[middle - 6 : middle + 7, elbow], bend)
    bent = replace(motion, rotations=turns)
    fault = replace(result.claim, motions=(("anna", bent),), scene=scene.with_motion("anna", bent))
    assert any("left hand" in str(one) for one in verify(fault).violations)
