"""Feet in the air: slower knees, standing feet untouched, nobody crouches for it."""

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.performer import Person, performance
from understudy.performer.feet import FootTrack
from understudy.performer.legs import REACH, bones_m, hip_places
from understudy.performer.settling import Pelvis
from understudy.performer.swinging import calmed

FPS = 60.0


def swing(skeleton, far_of_leg):
    """A pelvis at rest and feet straight below the hips, as far away as told; both in the air but at the ends."""
    frames = len(far_of_leg)
    turn = np.tile([1.0, 0.0, 0.0, 0.0], (frames, 1))
    centre = np.tile([0.0, 1.2, 0.0], (frames, 1))
    contact = np.zeros(frames, dtype=bool)
    contact[:5] = contact[-5:] = True
    feet = {}
    for side, hip in zip(("left", "right"), hip_places(skeleton, centre, turn), strict=True):
        ankle = hip - np.outer(far_of_leg * sum(bones_m(skeleton, side)), [0.0, 1.0, 0.0])
        none = np.zeros(frames)
        feet[side] = FootTrack(ankle=ankle, turn=turn, toes=none, contact=contact, pitch=none)
    return Pelvis(centre, turn), feet


def knee_speeds(skeleton, pelvis, foot, side):
    """Knee speeds by the law of cosines, written out once more [rad/s]."""
    upper, lower = bones_m(skeleton, side)
    hip = hip_places(skeleton, *pelvis)[0 if side == "left" else 1]
    far = np.linalg.norm(foot.ankle - hip, axis=1)
    bend = np.pi - np.arccos((upper**2 + lower**2 - far**2) / (2 * upper * lower))
    return np.abs(np.diff(bend)) * FPS


def test_a_knee_that_snaps_straight_is_slowed_down_by_millimetres():
    skeleton = Person().skeleton()
    times = np.arange(60) / FPS
    far = 0.994 - 0.016 / (1.0 + np.exp((times - 0.5) * 180.0))
    pelvis, feet = swing(skeleton, far)
    out = calmed(skeleton, pelvis, feet, fps=FPS)
    for side in ("left", "right"):
        before, after = (knee_speeds(skeleton, pelvis, f[side], side) for f in (feet, out))
        assert before.max() > 6.0
        assert after.max() < 4.3
        stands = feet[side].contact
        np.testing.assert_array_equal(out[side].ankle[stands], feet[side].ankle[stands])
        assert np.linalg.norm(out[side].ankle - feet[side].ankle, axis=1).max() < 0.005


def test_a_slow_knee_is_left_alone():
    skeleton = Person().skeleton()
    pelvis, feet = swing(skeleton, 0.95 + 0.02 * np.sin(np.linspace(0.0, 6.0, 60)))
    out = calmed(skeleton, pelvis, feet, fps=FPS)
    for side in ("left", "right"):
        np.testing.assert_allclose(out[side].ankle, feet[side].ankle, atol=1e-3)


def test_a_foot_in_the_air_comes_within_reach():
    skeleton = Person().skeleton()
    far = np.full(60, 0.98)
    far[25:35] = 1.01
    pelvis, feet = swing(skeleton, far)
    out = calmed(skeleton, pelvis, feet, fps=FPS)
    hip = hip_places(skeleton, *pelvis)[0]
    reached = np.linalg.norm(out["left"].ankle - hip, axis=1) / sum(bones_m(skeleton, "left"))
    assert reached.max() < REACH + 1e-3


@pytest.mark.parametrize(("name", "most_deg"), [("sidestep_left", 33.0), ("walk_to_jog", 47.0), ("jog", 47.0)])
def test_standing_knees_are_bent_as_people_bend_them(name, most_deg):
    # Recorded medians of stances: side steps 26 to 27 degrees, jogs 41 to 45.
    made = performance(name)
    bends = []
    for side in ("left", "right"):
        joint = made.motion.skeleton.index(f"{side}LowerLeg")
        bend = np.degrees(np.linalg.norm(rot.log(made.motion.rotations[:, joint]), axis=1))
        bends.append(bend[getattr(made, f"{side}_contact")])
    assert np.median(np.concatenate(bends)) < most_deg
