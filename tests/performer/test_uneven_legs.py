"""Knees while walking, whatever the legs: recordings are often calibrated with one leg shorter than the other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import understudy as us
from understudy.core.skeleton import Skeleton
from understudy.kinematics import motion_world
from understudy.locomotion.footsteps.moving import Going, Mover
from understudy.locomotion.footsteps.shuffling import standing
from understudy.locomotion.footsteps.ways import Way
from understudy.performer import Person
from understudy.performer.legs import bones_m, flexion_rad
from understudy.performer.style import Style
from understudy.typing import FloatArray
from understudy.verify.seams import LEAST_JUMP_MPS

EVEN = Person(stature_m=1.75).skeleton()
#: [s] walking steadily, and setting off with both feet.
STEADY_S, SETTING_OFF_S = slice(90, 180), slice(0, 75)


def uneven(share: float) -> Skeleton:
    """A person whose left leg is shorter."""
    offsets = EVEN.offsets.copy()
    for role in ("leftLowerLeg", "leftFoot"):
        offsets[EVEN.humanoid[role]] *= share
    return replace(EVEN, offsets=offsets)


def walked(skeleton: Skeleton, speed: float) -> us.Motion:
    """4 m straight ahead, from standing to standing."""
    style = Style(speed=speed)
    mover = Mover(skeleton=skeleton, style=style, fps=60.0, seed=0)
    route = np.array([[0.0, 0.0], [0.0, 4.0]])
    return mover.go(standing(skeleton, np.zeros(2), 0.0, style), Going(way=Way(points=route), stand_s=0.0))[0]


def bend_rad(motion: us.Motion, side: str) -> FloatArray:
    places, roles = motion_world(motion).positions, motion.skeleton.humanoid
    far = np.linalg.norm(places[:, roles[f"{side}UpperLeg"]] - places[:, roles[f"{side}Foot"]], axis=1)
    return flexion_rad(far, *bones_m(motion.skeleton, side))


def test_the_shorter_leg_bends_as_much_as_that_of_an_even_person() -> None:
    even, other = (bend_rad(walked(who, 1.0), "left")[STEADY_S] for who in (EVEN, uneven(0.94)))
    assert np.percentile(other, 10) > np.percentile(even, 10) - np.radians(2.0)


@pytest.mark.parametrize("speed", [0.7, 0.85, 1.0, 1.15])
def test_knees_do_not_break_when_somebody_sets_off(speed: float) -> None:
    motion = walked(EVEN, speed)
    places, roles = motion_world(motion).positions, motion.skeleton.humanoid
    for side in ("left", "right"):
        knee = places[SETTING_OFF_S, roles[f"{side}LowerLeg"]]
        jumps = np.linalg.norm(np.diff(knee, n=2, axis=0), axis=1) * motion.fps
        assert jumps.max() < LEAST_JUMP_MPS
