from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import understudy as us
from people import person, random_frames, wander, with_joint_frames, with_rest_pose, world_positions
from understudy import rotations as rot
from understudy.core import Motion, Skeleton, fit_body
from understudy.errors import OptionError, SkeletonError
from understudy.formats import load_motion
from understudy.formats.glb_rig import load_rig, write_rig
from understudy.inspection import foot_contacts
from understudy.inspection.contacts import stance_drift_m
from understudy.kinematics import motion_world
from understudy.performer import Person, performance
from understudy.retargeting import RetargetOptions, retarget
from understudy.retargeting.arms import trunk_clears
from understudy.retargeting.clearance import chosen_pairs, nearness
from understudy.retargeting.planting import planted, stances_of
from understudy.retargeting.standing import standing

BENT = {"leftLowerLeg": 0.5, "rightLowerLeg": 0.5, "leftUpperLeg": -0.3, "rightUpperLeg": -0.3}


def rig(skeleton: Skeleton, *, seed: int) -> Skeleton:
    """The same person as an A-posed rig with arbitrary joint axes that faces sideways."""
    z = np.array([0.0, 0.0, 1.0])
    arms = {"leftUpperArm": rot.from_axis_angle(z, -0.8), "rightUpperArm": rot.from_axis_angle(z, 0.8)}
    posed = with_rest_pose(skeleton, arms)
    return with_joint_frames(posed, random_frames(posed, seed))


def stroll(skeleton: Skeleton, *, frames: int = 90) -> Motion:
    """A slow motion with bent knees, so that legs of other lengths can follow it."""
    motion = wander(skeleton, frames=frames, seed=5, size_rad=0.15)
    rotations = motion.rotations.copy()
    for name, angle in BENT.items():
        joint = skeleton.index(name)
        rotations[:, joint] = rot.multiply(rotations[:, joint], rot.from_axis_angle(np.array([1.0, 0, 0]), angle))
    rotations = fit_body(skeleton).limits.clamped(rotations)
    return Motion(skeleton=skeleton, fps=30.0, root_positions=motion.root_positions, rotations=rotations)


@settings(max_examples=15)
@given(st.integers(0, 1000))
def test_another_rig_of_the_same_person_moves_the_same(seed: int) -> None:
    source = stroll(person(), frames=20)
    result = retarget(source, rig(person(), seed=seed), options=RetargetOptions(feet="free"))
    ours, theirs = world_positions(source), world_positions(result.motion)
    assert result.scale == pytest.approx(1.0)
    # Heights may be shifted as a whole: the clip is put on the floor.
    shift = (theirs - ours)[0, 0]
    assert np.allclose(shift[[0, 2]], 0.0, atol=1e-9)
    assert np.allclose(theirs - ours, shift, atol=1e-7)


@pytest.mark.parametrize("scale", [0.6, 1.3])
def test_a_scaled_person_makes_the_scaled_motion(scale: float) -> None:
    source = performance("walk", duration_s=4.0).motion
    result = retarget(source, source.skeleton.scaled(scale))
    assert result.scale == pytest.approx(scale, rel=0.02)
    assert result.foot_error_m < 1e-9
    ours, theirs = world_positions(source), world_positions(result.motion)
    # Directions of all bones agree; lengths follow the scale. Shins give feet room over the floor.
    for role, most in (("leftHand", 5.0), ("rightLowerArm", 5.0), ("head", 1.0), ("leftLowerLeg", 15.0)):
        joint = source.skeleton.index(role)
        parent = source.skeleton.parents[joint]
        bone, other = ours[:, joint] - ours[:, parent], theirs[:, joint] - theirs[:, parent]
        cosine = np.sum(bone * other, axis=1) / np.linalg.norm(bone, axis=1) / np.linalg.norm(other, axis=1)
        assert cosine.min() > np.cos(np.radians(most)), role


def test_planted_feet_rest_where_the_source_put_them_though_legs_differ() -> None:
    source = performance("walk", duration_s=4.0).motion
    target = person(leg_scale=1.15)
    result = retarget(source, target)
    ours, theirs = world_positions(source), world_positions(result.motion)
    for side in ("left", "right"):
        toes = theirs[:, target.index(f"{side}Toes")]
        wanted = result.scale * ours[:, source.skeleton.index(f"{side}Toes")]
        for first, stop in foot_contacts(source).stances(side):
            own = toes[first:stop]
            assert np.ptp(own[:, [0, 2]], axis=0).max() < 0.004
            assert np.linalg.norm((own - wanted[first:stop])[:, [0, 2]], axis=1).max() < 0.03


def test_feet_that_drift_and_float_while_they_stand_rest_on_the_floor() -> None:
    clean_walk = performance("walk", duration_s=4.0).motion
    drifting, skeleton = clean_walk.rotations.copy(), clean_walk.skeleton
    hip = skeleton.index("leftUpperLeg")
    sway = 0.008 * np.sin(np.linspace(0.0, 12.0, len(drifting)))[:, None] * np.array([1.0, 0.0, 0.3])
    drifting[:, hip] = rot.multiply(rot.exp(sway), drifting[:, hip])
    source = replace(clean_walk, rotations=drifting)
    result = retarget(source, skeleton.scaled(1.1)).motion
    drift = {
        name: max(map(np.max, stance_drift_m(m, foot_contacts(source)).values()))
        for name, m in (("before", source), ("after", result))
    }
    assert drift["after"] < 0.5 * drift["before"]


def test_a_foot_that_slides_on_its_way_does_not_rest() -> None:
    frames, fps = 121, 60.0
    places = np.stack([0.12 * np.arange(frames) / fps, np.zeros(frames), np.zeros(frames)], axis=1)
    assert stances_of(places, ((0, frames),), fps).wide == ()
    assert stances_of(0.1 * places, ((0, frames),), fps).wide == ((0, frames),)


@pytest.mark.parametrize("stature_m", [1.52, 1.93])
def test_a_walk_passes_the_judge_on_people_of_other_statures(stature_m: float) -> None:
    walk = performance("walk", duration_s=4.0).motion
    assert us.retarget(walk, Person(stature_m=stature_m).skeleton()).status is us.Status.SOLVED


@pytest.mark.parametrize("clip", ["16_16", "69_20", "79_20", "82_10"])
def test_a_recording_passes_the_judge_on_the_performer(cmu_bvh: Callable[[str], Path], clip: str) -> None:
    source = load_motion(cmu_bvh(clip)).slice(0.0, 4.0)
    result = us.retarget(source, Person(stature_m=1.7).skeleton())
    assert result.status is us.Status.SOLVED, result.reason


def test_a_motion_on_its_own_skeleton_is_itself() -> None:
    source = stroll(person())
    assert retarget(source, person()).motion is source


def test_arms_are_held_away_from_a_body_that_is_wider() -> None:
    walk = performance("walk", duration_s=4.0).motion
    broad = walk.skeleton
    offsets = broad.offsets.copy()
    for side in ("left", "right"):
        offsets[broad.index(f"{side}UpperLeg"), 0] *= 1.5
    broad = replace(broad, offsets=offsets)
    pairs = chosen_pairs(replace(walk, skeleton=broad), lambda a, b: "forearm" in a + b and "pelvis" in a + b)
    copied = replace(walk, skeleton=broad)
    assert nearness(copied, pairs).gaps_m.min() < -0.01
    assert nearness(retarget(walk, broad).motion, pairs).gaps_m.min() > -0.001


def test_hands_reach_scaled_places_only_when_asked() -> None:
    source = stroll(person())
    target = with_rest_pose(person(0.9), {})
    held = retarget(source, target, options=RetargetOptions(hands="hold"))
    wanted = held.scale * world_positions(source)[:, source.skeleton.index("rightHand")][:, [0, 2]]
    there = world_positions(held.motion)[:, target.index("rightHand")][:, [0, 2]]
    assert np.linalg.norm(there - wanted, axis=1).max() <= held.hand_error_m + 1e-6


def test_too_short_legs_lower_the_pelvis_smoothly_instead_of_losing_the_floor() -> None:
    skeleton = person()
    # Straight legs in a wide stance: the target's narrower reach must come from the pelvis.
    rotations = np.broadcast_to(skeleton.rest_rotations, (60, len(skeleton), 4)).copy()
    spread = 0.5 * np.sin(np.linspace(0, np.pi, 60)) ** 2
    for side, sign in (("left", 1.0), ("right", -1.0)):
        rotations[:, skeleton.index(f"{side}UpperLeg")] = rot.exp(spread[:, None] * np.array([0.0, 0.0, sign]))
    source = Motion(skeleton=skeleton, fps=30, root_positions=np.tile([0.0, 0.95, 0.0], (60, 1)), rotations=rotations)
    result = retarget(source, person(leg_scale=0.8))
    assert result.foot_error_m < 1e-6
    drop = np.diff(result.motion.root_positions[:, 1])
    assert np.abs(np.diff(drop)).max() < 0.01


def test_one_frame_and_options() -> None:
    assert len(retarget(stroll(person()).frames(0, 1), person(0.8)).motion) == 1
    with pytest.raises(OptionError):
        RetargetOptions(feet="glue")  # type: ignore[arg-type]
    with pytest.raises(OptionError):
        RetargetOptions(scale=-1.0)
    with pytest.raises(SkeletonError, match="humanoid roles"):
        retarget(stroll(person()), person().with_humanoid({}))


def test_trunks_with_fewer_joints_end_as_upright_as_the_source() -> None:
    full = person()
    short = full.with_humanoid({k: v for k, v in full.humanoid.items() if k not in ("chest", "upperChest")})
    source = stroll(full)
    result = retarget(source, short, options=RetargetOptions(feet="free")).motion
    top = motion_world(source).rotations[:, full.index("upperChest")]
    spine = motion_world(result).rotations[:, short.index("spine")]
    assert rot.angle_between(spine, top).max() < 1e-6


def test_a_foot_that_shuffles_on_does_so_as_it_was_recorded() -> None:
    """It creeps by 8 cm from one place to the next without ever leaving the floor: it must not leap there."""
    share = np.clip((np.arange(240) - 60) / 100.0, 0.0, 1.0)
    places = np.stack([0.08 * share, np.zeros(240), np.zeros(240)], axis=1)
    stances = stances_of(places, ((0, 110), (111, 240)), 120.0)
    rested = planted(places, stances, floor_m=0.0, moved_m=np.zeros((240, 2)))
    assert np.abs(np.diff(rested[:, 0], axis=0)).max() < 2.0 * 0.08 / 100.0


def test_backs_straighten_where_ribs_would_meet_thighs() -> None:
    skeleton = person()
    rotations = np.broadcast_to(skeleton.rest_rotations, (60, len(skeleton), 4)).copy()
    bend = np.sin(np.linspace(0, np.pi, 60))[:, None] * np.array([1.0, 0.0, 0.0])
    for side in ("left", "right"):
        rotations[:, skeleton.index(f"{side}UpperLeg")] = rot.exp(-1.9 * bend)
    rotations[:, skeleton.index("spine")] = rot.exp(1.4 * bend)
    bent = Motion(skeleton=skeleton, fps=30, root_positions=np.tile([0.0, 0.95, 0.0], (60, 1)), rotations=rotations)
    pairs = chosen_pairs(bent, lambda one, two: {one, two} & {"ribs", "chest"} != set() and "thigh" in one + two)
    upright = replace(bent, rotations=rotations[:1].repeat(60, 0))
    before, after = (nearness(one, pairs).gaps_m.min() for one in (bent, trunk_clears(bent, upright)))
    assert before < -0.02
    assert after > -0.001


def test_toes_do_not_dip_into_the_floor_at_push_off() -> None:
    source = performance("walk", duration_s=4.0).motion
    rotations, toes = source.rotations.copy(), source.skeleton.index("leftToes")
    rotations[:, toes] = rot.multiply(rotations[:, toes], rot.exp(np.array([0.9, 0.0, 0.0])))
    result = retarget(replace(source, rotations=rotations), person(1.1)).motion
    body, world = fit_body(result.skeleton), motion_world(result)
    _, ends = body.capsule_segments(world.positions, world.rotations)
    part = body.capsule("left_toes")
    assert (ends[:, part, 1] - body.capsule_radii[part]).min() > -0.04


def test_a_recording_that_is_refused_itself_is_said_to_be(cmu_bvh: Callable[[str], Path]) -> None:
    """Its feet are 2 cm to 6 cm in the ground they stand on, and it runs at twice its speed."""
    result = us.retarget(load_motion(cmu_bvh("141_11")), Person(stature_m=1.7).skeleton())
    assert result.status is us.Status.INFEASIBLE_START
    assert result.reason.startswith("the recording itself is refused")
    assert result.motion is not None


CLIPS = ("16_16", "16_21", "16_17", "16_08")


@pytest.mark.parametrize("clip", CLIPS)
def test_subject_16_on_subject_69(cmu_bvh: Callable[[str], Path], clip: str) -> None:
    source, target = load_motion(cmu_bvh(clip)), load_motion(cmu_bvh("69_01")).skeleton
    result = retarget(source, target)
    assert result.foot_error_m < 0.001
    _assert_planted_feet_stay(source, result.motion, added_m=0.002)
    contacts = foot_contacts(result.motion)
    assert abs(contacts.ground_m - np.mean(list(standing(target).ball_height_m.values()))) < 0.02


@pytest.mark.parametrize("asset", ["CesiumMan", "RiggedFigure"])
@pytest.mark.parametrize("clip", CLIPS)
def test_subject_16_on_a_users_rig(
    cmu_bvh: Callable[[str], Path], shared_assets: Path, tmp_path: Path, clip: str, asset: str
) -> None:
    user = load_rig(shared_assets / "khronos" / asset / f"{asset}.glb")
    source = load_motion(cmu_bvh(clip))
    result = retarget(source, user.skeleton)
    _assert_planted_feet_stay(source, result.motion, added_m=0.005)
    world = motion_world(result.motion).positions
    skeleton = user.skeleton
    assert (world[:, skeleton.humanoid["head"], 1] > world[:, skeleton.humanoid["hips"], 1] + 0.3).all()
    assert world[..., 1].min() > -0.05
    written = write_rig(user, result.motion, tmp_path / "out.glb")
    again = load_motion(written)
    assert len(again) == len(source)
    assert np.abs(motion_world(again).positions - world).max() < 1e-4


def _assert_planted_feet_stay(source: Motion, target: Motion, *, added_m: float) -> None:
    """Within each flat stance of the source, the target's foot slides hardly further than the source's own."""
    contacts = foot_contacts(source)
    ours, theirs = motion_world(source).positions, motion_world(target).positions
    checked = 0
    for side in ("left", "right"):
        ankle, toes = f"{side}Foot", f"{side}Toes"
        for first, stop in contacts.stances(side):
            low = ours[first:stop, source.skeleton.index(ankle), 1]
            flat = first + np.flatnonzero(low < low.min() + 0.005)
            for role in (ankle, toes):
                own = _travel(ours[flat, source.skeleton.index(role)])
                new = _travel(theirs[flat, target.skeleton.index(role)])
                assert new <= own + added_m, (side, role, first, stop)
                checked += 1
    assert checked >= 4


def _travel(points: np.ndarray) -> float:
    flat = points[:, [0, 2]]
    return float(np.linalg.norm(flat[:, None] - flat[None], axis=-1).max())
