from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np
import pytest

import understudy
from people import person as rig
from people import random_frames, with_joint_frames
from understudy import rotations as rot
from understudy.core import fit_body
from understudy.errors import OptionError, SkeletonError, UnderstudyError
from understudy.kinematics import motion_world
from understudy.performer import CLIPS, SETS, STYLES, Person, Style, builtin_clips, performance
from understudy.performer.legs_apart import leg_overlap_m
from understudy.verify.foot_skate import foot_skate

#: [deg/s] 99.9th percentile of knee speeds in the recordings the model was fitted to (benchmarks/suites/performer.py).
WALKING_KNEE_DEGPS, ANY_KNEE_DEGPS = 540.0, 595.0
#: Clips that a style's gains break first.
OFTEN_BROKEN = ("walk", "stop", "backward", "jog", "jog_veer_right", "sharp_left", "u_turn_right", "sidestep_left")


@lru_cache(maxsize=64)
def made_once(name: str, style: str = "calm", seed: int = 0):
    """A clip many tests look at and none changes."""
    return performance(name, style=style, seed=seed)


def ball(made, side: str) -> np.ndarray:
    return motion_world(made.motion).positions[:, made.motion.skeleton.index(f"{side}Toes")]


def knee_flexion_deg(motion) -> np.ndarray:
    skeleton = motion.skeleton
    turns = [motion.rotations[:, skeleton.index(f"{side}LowerLeg")] for side in ("left", "right")]
    return np.degrees(np.stack([np.linalg.norm(rot.log(turn), axis=1) for turn in turns], axis=1))


@pytest.mark.parametrize("name", CLIPS)
def test_the_judge_finds_planted_feet_and_no_skating(name: str) -> None:
    judged = foot_skate(made_once(name).motion)
    assert judged.stance_drift_mm <= 1.0
    assert judged.gmd == 0.0


@pytest.mark.parametrize("name", CLIPS)
def test_knees_never_pop_and_nothing_sinks_into_the_floor(name: str) -> None:
    made = made_once(name)
    flexion = knee_flexion_deg(made.motion)
    limit = ANY_KNEE_DEGPS if "jog" in name else WALKING_KNEE_DEGPS
    assert np.abs(np.diff(flexion, axis=0)).max() * made.motion.fps < limit
    assert flexion.min() > 3.0
    for side in ("left", "right"):
        assert ball(made, side)[:, 1].min() > 0.0245


@pytest.mark.parametrize("name", ["walk", "turn_left", "sidestep_right", "backward", "turn_in_place_left"])
def test_true_contacts_hold_the_ball_of_the_foot(name: str) -> None:
    made = made_once(name)
    for side, contact in (("left", made.left_contact), ("right", made.right_contact)):
        flat = contact & (ball(made, side)[:, 1] < 0.0255)
        speed = np.linalg.norm(np.diff(ball(made, side)[:, [0, 2]], axis=0), axis=1) * made.motion.fps
        both = flat[1:] & flat[:-1]
        assert both.sum() > 10
        assert np.median(speed[both]) < 1e-3
        assert not contact.all() or name == "idle"


def test_phase_is_an_integer_where_the_left_foot_has_landed() -> None:
    made = made_once("walk")
    speed = [np.linalg.norm(np.gradient(ball(made, side), axis=0), axis=1) for side in ("left", "right")]
    lead = speed[0] - speed[1]
    crossings = np.flatnonzero((lead[:-1] > 0) & (lead[1:] <= 0))
    phases = made.phase[crossings]
    assert len(phases) >= 3
    assert np.abs(phases - np.round(phases)).max() < 0.08


def test_paths_go_where_they_should() -> None:
    walk = performance("walk", speed_mps=1.2, duration_s=5.0)
    assert walk.motion.root_positions[-1, 2] - walk.motion.root_positions[0, 2] == pytest.approx(6.0, rel=0.03)
    for name, degrees in (("turn_left", 90), ("sharp_right", -90), ("u_turn_left", 180), ("turn_in_place_right", -180)):
        assert np.degrees(made_once(name).heading[-1]) == pytest.approx(degrees, abs=3.0)
    aside = made_once("sidestep_left").motion.root_positions
    assert aside[-1, 0] - aside[0, 0] > 1.2
    assert made_once("backward").motion.root_positions[-1, 2] < -1.5
    assert np.ptp(made_once("idle").motion.root_positions[:, [0, 2]], axis=0).max() < 0.1


def test_turning_in_place_keeps_the_feet_apart() -> None:
    for name in ("turn_in_place_left", "turn_in_place_right"):
        made = made_once(name)
        both = made.left_contact & made.right_contact
        world = motion_world(made.motion).positions
        at = made.motion.skeleton.index
        ends = {side: (world[both, at(f"{side}Foot")], world[both, at(f"{side}Toes")]) for side in ("left", "right")}
        shares = np.linspace(0, 1.5, 13)[:, None, None]
        left, right = (ankle + shares * (toe - ankle) for ankle, toe in ends.values())
        apart = np.linalg.norm((left[:, None] - right[None])[..., [0, 2]], axis=-1)
        assert apart.min() >= 0.10


@pytest.mark.parametrize("name", [name for name in CLIPS if "in_place" not in name])
def test_legs_stay_apart(name: str) -> None:
    """Soft parts may press against each other a little, as recorded thighs and calves do (up to three centimetres)."""
    assert leg_overlap_m(made_once(name).motion) <= 0.025


@pytest.mark.parametrize("name", CLIPS)
def test_every_clip_stands_before_the_judge_alone(name: str) -> None:
    report = understudy.verify(made_once(name).motion)
    assert report.ok, report.broken


def test_fast_walkers_have_a_moment_on_both_feet() -> None:
    made = made_once("walk_fast")
    assert (made.left_contact & made.right_contact).any()
    assert (made.left_contact | made.right_contact).all()


def test_the_ball_of_a_landing_foot_comes_down_on_its_own_place() -> None:
    """Feet turn and tilt while they stand, but only about the point that carries them."""
    made = made_once("sharp_left")
    for side, contact in (("left", made.left_contact), ("right", made.right_contact)):
        at = ball(made, side)
        low = contact & (at[:, 1] < 0.0252)
        edges = np.flatnonzero(np.diff(low.astype(int)))
        for first, last in pairwise(edges):
            if low[first + 1]:
                assert np.ptp(at[first + 1 : last + 1][:, [0, 2]], axis=0).max() < 1e-3


def test_the_head_leads_into_a_turn() -> None:
    made = performance("sharp_left", style=Style(variation=0.0))
    world = motion_world(made.motion).rotations
    head = np.unwrap(rot.yaw(world[:, made.motion.skeleton.index("head")]))
    times = made.motion.times_s
    when = [np.interp(np.radians(45), np.maximum.accumulate(angle), times) for angle in (head, made.heading)]
    assert 0.03 < when[1] - when[0] < 0.6


def test_weight_shifts_over_the_standing_foot_before_the_first_step() -> None:
    made = performance("start", style=Style(variation=0.0))
    lifted = min(int(np.argmin(contact)) for contact in (made.left_contact, made.right_contact) if not contact.all())
    stands = ball(made, "left" if made.left_contact[lifted] else "right")[0, 0]
    hips = made.motion.root_positions[:, 0]
    assert (hips[lifted] - hips[0]) * np.sign(stands) > 0.008


def test_same_seed_same_bytes_and_no_two_steps_alike() -> None:
    first, again, other = (performance("walk", seed=seed).motion.rotations for seed in (5, 5, 6))
    assert first.tobytes() == again.tobytes()
    assert not np.allclose(first, other)
    made = performance("walk", seed=0, duration_s=12.0)
    tops = [knee_flexion_deg(made.motion)[(made.phase >= k) & (made.phase < k + 1), 0].max() for k in range(2, 9)]
    assert np.ptp(tops) > 0.2
    still = performance("walk", seed=0, style=Style(variation=0.0), duration_s=12.0)
    assert np.ptp(np.diff(still.phase)) < np.ptp(np.diff(made.phase))


def test_idle_breathes_but_stands_still() -> None:
    made = made_once("idle")
    assert made.left_contact.all()
    assert made.right_contact.all()
    chest = motion_world(made.motion).positions[:, made.motion.skeleton.index("neck")]
    assert 0.002 < np.ptp(chest[:, 2]) < 0.15


@pytest.mark.parametrize("name", OFTEN_BROKEN)
@pytest.mark.parametrize("style", [style for style in STYLES if style != "calm"])
def test_styles_stay_sound(name: str, style: str) -> None:
    """A style's gains bend no joint too far and drag no foot."""
    motion = made_once(name, style, seed=1).motion
    judged = foot_skate(motion)
    assert judged.gmd == 0.0
    assert judged.stance_drift_mm <= 1.0
    assert fit_body(motion.skeleton).limits.excess(motion.rotations).max() <= 1e-9


def test_styles_differ_in_speed_within_what_was_recorded() -> None:
    lengths = [made_once("walk", style, seed=1).motion.path_length_m() for style in ("tired", "brisk")]
    assert lengths[0] < made_once("walk", seed=1).motion.path_length_m() < lengths[1]
    low, high = CLIPS["jog"].range_mps
    going = made_once("jog", "tired", seed=1).motion
    assert low * going.duration_s * 0.97 < going.path_length_m() < high * going.duration_s * 1.1


def test_lively_arms_swing_further_about_the_same_middle() -> None:
    """A jogger's elbows stay as bent, however lively the arms."""
    lively, calm = (
        performance("jog", style=Style(arm_swing=swing, variation=0.0)).motion.rotations[
            :, Person().skeleton().index("leftLowerArm")
        ]
        for swing in (1.5, 1.0)
    )
    bends = [np.linalg.norm(rot.log(turn), axis=1) for turn in (lively, calm)]
    assert np.ptp(bends[0]) > 1.2 * np.ptp(bends[1])
    assert abs(bends[0].mean() - bends[1].mean()) < 0.12


def test_any_humanoid_rig_performs() -> None:
    """The same person with other joint axes moves the same way."""
    plain = rig()
    twisted = with_joint_frames(plain, random_frames(plain, 3))
    a, b = (performance("walk", person=skeleton, duration_s=4.0).motion for skeleton in (plain, twisted))
    np.testing.assert_allclose(motion_world(a).positions, motion_world(b).positions, atol=1e-6)


@pytest.mark.parametrize("name", ["turn_left", "stop"])
@pytest.mark.parametrize("stature", [1.2, 1.95])
def test_small_and_tall_people_walk_soundly(stature: float, name: str) -> None:
    made = performance(name, person=Person(stature_m=stature, leg_share=0.5))
    judged = foot_skate(made.motion)
    assert judged.stance_drift_mm <= 1.0
    assert ball(made, "left")[:, 1].min() > 0.024 * stature / 1.72


def test_frame_rates_agree() -> None:
    slow, fast = (performance("walk", fps=fps, style=Style(variation=0.0)).motion for fps in (30.0, 120.0))
    np.testing.assert_allclose(slow.root_positions, fast.root_positions[::4], atol=0.02)


def test_sets_and_names() -> None:
    clips = understudy.builtin_clips("walk", fps=30)
    assert [clip.name for clip in clips] == list(SETS["walk"])
    assert set(SETS["locomotion"]) == set(CLIPS) - {"walk_to_jog"}
    (one,) = builtin_clips("jog")
    assert one.name == "jog"


@pytest.mark.parametrize(
    "call",
    [
        lambda: builtin_clips("wlak"),
        lambda: performance("nothing"),
        lambda: performance("walk", style="angry"),
        lambda: performance("walk", fps=0.0),
        lambda: performance("walk", speed_mps=float("nan")),
        lambda: performance("walk", duration_s=-1.0),
        lambda: performance("walk", seed=-1),
        lambda: Style(arm_swing=99.0),
    ],
)
def test_bad_requests_are_refused(call) -> None:
    with pytest.raises(OptionError):
        call()


def test_skeletons_without_roles_are_refused() -> None:
    with pytest.raises(SkeletonError):
        performance("walk", person=rig().with_humanoid({}))
    assert issubclass(SkeletonError, UnderstudyError)


@pytest.mark.parametrize(("name", "stature_m", "seed"), [("u_turn_right", 1.7995, 50036), ("sharp_left", 1.75, 50044)])
def test_feet_turn_only_on_their_balls(name: str, stature_m: float, seed: int) -> None:
    """A foot whose heel is down does not pivot: the heel would scrape over the floor."""
    motion = performance(name, seed=seed, person=Person(stature_m=stature_m)).motion
    body = fit_body(motion.skeleton)
    pose = motion_world(motion)
    for side in ("left", "right"):
        capsule = body.capsule(f"{side}_foot")
        joint = body.capsule_joints[capsule]
        places, turns = pose.positions[:, joint], pose.rotations[:, joint]
        heel, ball = (places + rot.rotate(turns, ends[capsule]) for ends in (body.capsule_starts, body.capsule_ends))
        flat = (np.maximum(heel, ball)[:, 1] - body.capsule_radii[capsule]) < 0.003
        yaw = np.unwrap(np.arctan2(*(ball - heel)[:, [0, 2]].T))
        edges = np.flatnonzero(np.diff(np.concatenate([[False], flat, [False]]).astype(int)))
        for first, stop in edges.reshape(-1, 2):
            assert np.ptp(yaw[first:stop]) < np.radians(1.0)
