"""Where limbs touch: a cheap look first must not miss anything that looking at the whole clip finds."""

from __future__ import annotations

import numpy as np
import pytest

from limb_stages import beside, crowded, walk, with_passer_by
from understudy import rotations as rot
from understudy.limbs import Stage, finding, stage_of, touches, window_of
from understudy.scene import Box, Scene
from understudy.scene.attachments import Attachment
from understudy.scene.shapes import Capsule, Sphere
from understudy.scene.transforms import Transform, seen_from


def stretches(found: list[finding.Touch]) -> list[tuple[int, int]]:
    return [(one.first, one.last) for one in found]


def looked_at_whole(stage: Stage, limb: str) -> list[tuple[int, int]]:
    window = window_of(stage, stage.space(limb), 0, len(stage.motion) - 1)
    return stretches(finding.merged(finding._in_window(window, limb), 0.5 / stage.motion.fps))


def carrying(scene: Scene, rng: np.random.Generator, *, to: str = "anna.right_hand") -> Scene:
    turn = rot.normalize(rng.normal(size=4))
    grip = Transform(position=tuple(rng.normal(0.0, 0.1, 3)), rotation=tuple(turn))
    return scene.with_attachment(Attachment(object="thing", to=to, grip=grip))


@pytest.mark.parametrize("limb", ["right_arm", "left_leg"])
def test_nothing_is_missed_beside_solids(limb: str) -> None:
    motion = walk()
    stage = stage_of(motion, with_passer_by(crowded(motion), motion).with_character("anna"), character="anna")
    assert stretches(touches(stage, limb)) == looked_at_whole(stage, limb)


def test_nothing_that_is_carried_is_missed() -> None:
    motion, rng, body, solids = walk(), np.random.default_rng(5), 0, 0
    for shape in (Capsule(radius_m=0.02, length_m=0.7), Box(size_m=(0.1, 0.3, 0.05)), Sphere(radius_m=0.06)) * 4:
        scene = crowded(motion).with_object("thing", shape).with_character("anna", motion=motion)
        stage = stage_of(motion, carrying(scene, rng), character="anna")
        found = touches(stage, "right_arm")
        assert stretches(found) == looked_at_whole(stage, "right_arm")
        with_body = [pair for one in found for pair in one.pairs if pair[1] in stage.body.capsule_names]
        body, solids = body + len(with_body), solids + sum(len(one.pairs) for one in found) - len(with_body)
    assert body and solids


def test_what_is_carried_is_where_the_scene_has_it() -> None:
    motion, rng = walk(), np.random.default_rng(6)
    scene = beside(motion).with_object("thing", Capsule(radius_m=0.02, length_m=0.7))
    scene = scene.with_object("tray", Box(size_m=(0.2, 0.02, 0.2))).with_character("anna", motion=motion)
    on_tray = Attachment(object="tray", to="anna.right_hand", grip="in_hand")
    lying = scene.with_attachment(Attachment(object="thing", to="anna.right_hand", grip="as_is"))
    for held in (carrying(scene, rng), carrying(scene.with_attachment(on_tray), rng, to="tray"), lying):
        stage = stage_of(motion, held, character="anna")
        hand = motion.skeleton.humanoid["rightHand"]
        load = next(one for one in stage.loads([hand], 0.0, stage.end_s) if one.name == "thing")
        for time_s in (0.4, 2.0):
            joint = stage.scene.character("anna").joint(motion.skeleton.names[hand], [time_s])
            place, turn = seen_from(*joint, *stage.scene.object_track("thing", [time_s]))
            ends = place + rot.rotate(turn, np.array([[0.0, -0.35, 0.0], [0.0, 0.35, 0.0]]))
            np.testing.assert_allclose(np.vstack([load.starts, load.ends]), ends, atol=1e-9)
