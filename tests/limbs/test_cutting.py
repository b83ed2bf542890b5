"""Windows cut out of what is known of a clip are, number by number, those tabulated for themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from limb_stages import beside, crowded, walk, with_passer_by
from understudy.limbs import Stage, cutting, stage_of, window_of
from understudy.limbs.tables import WindowArrays
from understudy.scene import Scene
from understudy.scene.attachments import Attachment
from understudy.scene.shapes import Capsule


def staged(scene: Scene) -> Stage:
    return stage_of(walk(), scene.with_character("anna"), character="anna")


def arrays(stage: Stage, limb: str, first: int, last: int) -> WindowArrays:
    return window_of(stage, stage.space(limb), first, last).setting.window


def compared(one: WindowArrays, other: WindowArrays) -> None:
    for name, a, b in zip(WindowArrays._fields, one, other, strict=True):
        if name == "base":  # a rotation is its own negative
            a, b = (np.hstack([rows[:, :3], np.sign(rows[0, 3]) * rows[:, 3:]]) for rows in (a, b))
        np.testing.assert_array_equal(a, b, name)


@pytest.mark.parametrize("limb", ["right_arm", "left_leg", "left_arm_spine"])
def test_a_cut_is_what_would_have_been_tabulated(limb: str) -> None:
    stage = staged(with_passer_by(crowded(walk()), walk()))
    stretches = [(30, 90), (41, 63), (55, 90), (30, 33)]
    cutting._KNOWN.clear()
    alone = []
    for first, last in stretches:
        alone.append(arrays(stage, limb, first, last))
        cutting._KNOWN.clear()
    arrays(stage, limb, 10, 120)
    for (first, last), known in zip(stretches, alone, strict=True):
        compared(arrays(stage, limb, first, last), known)
    assert len(cutting._KNOWN) == 1  # all of them were cut out of one


def test_what_is_carried_and_what_is_ignored_is_not_mixed_up() -> None:
    scene = beside(walk()).with_object("staff", Capsule(radius_m=0.02, length_m=0.6))
    held = staged(scene).scene.with_attachment(Attachment(object="staff", to="anna.right_hand"))
    bare, carrying = staged(scene), stage_of(walk(), held, character="anna")
    ignoring = bare.ignoring(["left_forearm", "left_hand"])
    cutting._KNOWN.clear()
    whole = [arrays(stage, "right_arm", 0, 100) for stage in (bare, carrying, ignoring)]
    cuts = [arrays(stage, "right_arm", 20, 80) for stage in (bare, carrying, ignoring)]
    for table, cut in zip(whole, cuts, strict=True):
        assert table.own_radii.shape == cut.own_radii.shape and len(table.pairs) == len(cut.pairs)
    assert len(cuts[1].own_radii) > len(cuts[0].own_radii) and len(cuts[2].pairs) < len(cuts[0].pairs)


def test_another_motion_has_tables_of_its_own() -> None:
    stage = staged(beside(walk()))
    before = arrays(stage, "right_arm", 20, 80)
    turned = np.array(stage.motion.rotations)
    turned[40:60, stage.space("right_arm").joints[1]] = turned[0, stage.space("right_arm").joints[1]]
    moved = stage.with_motion(replace(stage.motion, rotations=turned))
    assert np.any(arrays(moved, "right_arm", 20, 80).coordinates != before.coordinates)


def test_few_stretches_are_remembered() -> None:
    stage = staged(beside(walk()))
    for k in range(3 * cutting._STRETCHES):
        copy = replace(stage, motion=replace(stage.motion, name=f"walk {k}"))
        arrays(copy, "right_arm", 20, 24)
    assert len(cutting._KNOWN) <= cutting._STRETCHES
