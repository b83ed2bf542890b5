"""Thorax and wrists that the common BVH conversion of CMU's recordings has lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from people import person
from understudy import rotations as rot
from understudy.core import Motion, Skeleton, fit_body
from understudy.errors import OptionError
from understudy.formats import ReadOptions, load_motion, save_motion
from understudy.inspection.lost_bones import has_lost_bones
from understudy.inspection.wrists import _steadied
from understudy.kinematics import motion_world


def test_bones_are_put_back_once_and_said(cmu_bvh: Callable[[str], Path], tmp_path: Path) -> None:
    path = cmu_bvh("69_01")
    kept, whole = load_motion(path, options=ReadOptions(bones="keep")), load_motion(path)
    assert has_lost_bones(kept.skeleton) and not has_lost_bones(whole.skeleton)
    assert any("lost bones" in note for note in whole.origin.notes)
    assert not any("lost bones" in note for note in kept.origin.notes)
    one, other = (motion_world(motion).positions for motion in (whole, kept))
    lower = [kept.skeleton.index(f"{side}{part}") for side in ("left", "right") for part in ("Foot", "Toes")]
    assert np.abs(one[:, lower] - other[:, lower]).max() < 1e-9
    again = load_motion(save_motion(whole, tmp_path / "again.bvh"))
    assert again.skeleton.humanoid == whole.skeleton.humanoid
    assert np.abs(again.skeleton.offsets[1:] - whole.skeleton.offsets[1:]).max() < 1e-6
    assert rot.angle_between(again.rotations, whole.rotations).max() < 1e-5


def test_a_person_is_as_tall_by_the_trunk_as_by_the_legs(cmu_bvh: Callable[[str], Path]) -> None:
    """Neck and head are where the legs say they should be (Winter: 0.87 and 0.491 of stature)."""
    for name in ("69_01", "16_16", "82_10"):
        skeleton = load_motion(cmu_bvh(name)).skeleton
        body, heights = fit_body(skeleton), []
        for bones in ("auto", "keep"):
            one = load_motion(cmu_bvh(name), options=ReadOptions(bones=bones)).skeleton  # type: ignore[arg-type]
            rest, _ = one.rest_world
            heights.append(float(rest[one.index("head")][1] - rest[one.index("leftUpperLeg")][1]))
        wanted = (0.87 - 0.53) * body.stature_m
        assert abs(heights[0] - wanted) < 0.05 < abs(heights[1] - wanted)


def test_other_skeletons_stay() -> None:
    assert not has_lost_bones(person())
    skeleton = person()
    offsets = skeleton.offsets.copy()
    for role in ("neck", "leftShoulder", "rightShoulder"):
        if role in skeleton.humanoid:
            offsets[skeleton.index(role)] = 0.0
    # Collar bones that begin in one point do not make a lost bone while wrists are there.
    assert not has_lost_bones(replace(skeleton, offsets=offsets))


def test_the_option_is_checked() -> None:
    with pytest.raises(OptionError, match='bones "no" is not auto or keep'):
        ReadOptions(bones="no")  # type: ignore[arg-type]


def test_wrists_that_flip_for_a_moment_are_steadied() -> None:
    turns = rot.from_axis_angle(np.array([0.0, 0.0, 1.0]), np.linspace(0.0, 0.5, 120))
    flipping = turns.copy()
    flipping[50:58] = rot.multiply(flipping[50:58], rot.from_axis_angle(np.array([0.0, 1.0, 0.0]), 1.6))
    assert rot.angle_between(_steadied(flipping, np.arange(120), 120.0), turns).max() < 0.05


def test_hands_bend_as_far_as_hands_do(cmu_bvh: Callable[[str], Path]) -> None:
    motion: Motion = load_motion(cmu_bvh("06_15"))
    skeleton: Skeleton = motion.skeleton
    hands = [skeleton.index(role) for role in ("leftHand", "rightHand")]
    assert fit_body(skeleton).limits.excess(motion.rotations)[:, hands].max() < 1e-6
    assert rot.angle_between(motion.rotations[1:, hands], motion.rotations[:-1, hands]).max() < np.radians(20.0)
