"""Action example sets: they hit what they aim at, stand still on their feet, and stay in balance and within limits."""

import itertools
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from scipy.spatial import Delaunay

from understudy import rotations as rot
from understudy.core import fit_body
from understudy.errors import OptionError
from understudy.performer import Person, action_examples, action_names, builtin_clips
from understudy.performer.actions.acceptance import flaws
from understudy.performer.actions.balance import settle
from understudy.performer.actions.figure import Figure, hand_turn
from understudy.performer.actions.paths import GRAVITY

ACTIONS = action_names()
SLOW = ("reach", "point", "pour")
COUNT = 3


@lru_cache(maxsize=16)
def made(action):
    return action_examples(action, count=COUNT, seed=3)


@lru_cache(maxsize=64)
def placed(action, index):
    """World positions and rotations of every frame by the plain definition of forward kinematics."""
    motion = made(action)[index].motion
    rows = [
        motion.skeleton.placed_joints(root, turns)
        for root, turns in zip(motion.root_positions, motion.rotations, strict=True)
    ]
    return np.stack([row[0] for row in rows]), np.stack([row[1] for row in rows])


def cases():
    return [(action, index) for action in ACTIONS for index in range(COUNT)]


def point_path(example, world, event):
    joint = example.motion.skeleton.humanoid[event.joint]
    return world[0][:, joint] + rot.rotate(world[1][:, joint], event.point)


@pytest.mark.parametrize(("action", "index"), cases())
def test_events_are_hit_to_a_millimetre(action, index):
    example, world = made(action)[index], placed(action, index)
    assert example.events
    for event in example.events:
        frame = event.time_s * example.motion.fps
        assert frame == pytest.approx(round(frame), abs=1e-6)
        path = point_path(example, world, event)
        assert np.linalg.norm(path[round(frame)] - event.position) < 1e-3
        if event.name in ("release", "strike"):
            speed = 0.5 * example.motion.fps * (path[round(frame) + 1] - path[round(frame) - 1])
            assert np.linalg.norm(speed - event.velocity) < 0.08 * np.linalg.norm(event.velocity)


@pytest.mark.parametrize(("action", "index"), cases())
def test_standing_feet_do_not_drift(action, index):
    example, (positions, _) = made(action)[index], placed(action, index)
    for side, contact in (("left", example.left_contact), ("right", example.right_contact)):
        toes = positions[:, example.motion.skeleton.humanoid[f"{side}Toes"]]
        frames = np.flatnonzero(contact)
        for run in np.split(frames, np.flatnonzero(np.diff(frames) > 1) + 1):
            assert np.ptp(toes[run], axis=0).max() < 1e-3
        assert positions[:, example.motion.skeleton.humanoid[f"{side}Foot"], 1].min() > 0.04


@pytest.mark.parametrize(("action", "index"), cases())
def test_the_centre_of_mass_stays_over_the_feet(action, index):
    example, (positions, turns) = made(action)[index], placed(action, index)
    body = fit_body(example.motion.skeleton)
    centre = np.einsum("j,fji->fi", body.masses, positions + rot.rotate(turns, body.coms)) / body.mass_kg
    contacts = {"left": example.left_contact, "right": example.right_contact}
    for frame in np.flatnonzero(example.balanced)[::7]:
        outline = []
        for side in (side for side, contact in contacts.items() if contact[frame]):
            for part in ("foot", "toes"):
                capsule = body.capsule(f"{side}_{part}")
                joint, radius = body.capsule_joints[capsule], body.capsule_radii[capsule]
                for end in (body.capsule_starts[capsule], body.capsule_ends[capsule]):
                    at = positions[frame, joint] + rot.rotate(turns[frame, joint], end)
                    angles = np.linspace(0.0, 2 * np.pi, 12, endpoint=False)
                    outline += [at[[0, 2]] + radius * np.array([np.cos(a), np.sin(a)]) for a in angles]
        assert Delaunay(np.array(outline)).find_simplex(centre[frame, [0, 2]]) >= 0


GRIPS = ({"left_hand", "right_hand"}, {"left_hand", "right_forearm"}, {"right_hand", "left_forearm"})


@pytest.mark.parametrize(("action", "index"), cases())
def test_joints_stay_within_limits_and_parts_apart(action, index):
    example, (positions, turns) = made(action)[index], placed(action, index)
    body = fit_body(example.motion.skeleton)
    assert body.limits.excess(example.motion.rotations).max() <= 1e-9
    start, end = body.capsule_segments(positions[::5], turns[::5])
    u = np.linspace(0.0, 1.0, 33)[:, None]
    for i, j in body.self_pairs:
        names = {body.capsule_names[i], body.capsule_names[j]}
        if action == "bat_swing" and names in GRIPS:
            continue  # Straight hands cannot lie around one bat without touching.
        points = start[:, i, None] + u * (end[:, i] - start[:, i])[:, None]
        bone = (end[:, j] - start[:, j])[:, None]
        share = np.sum((points - start[:, j, None]) * bone, axis=-1) / np.maximum(np.sum(bone * bone, axis=-1), 1e-18)
        away = points - start[:, j, None] - np.clip(share, 0.0, 1.0)[..., None] * bone
        gap = np.linalg.norm(away, axis=-1).min() - body.capsule_radii[i] - body.capsule_radii[j]
        assert gap > 0.0, (body.capsule_names[i], body.capsule_names[j])


@pytest.mark.parametrize(("action", "index"), cases())
def test_nothing_jumps(action, index):
    positions, _ = placed(action, index)
    fps = made(action)[index].motion.fps
    speed = np.linalg.norm(np.diff(positions, axis=0), axis=-1) * fps
    push = np.linalg.norm(np.diff(positions, n=2, axis=0), axis=-1) * fps**2
    most_speed, most_push = (2.5, 45.0) if action in SLOW else (14.0, 600.0)
    assert speed.max() < most_speed
    assert push.max() < most_push
    # A one-frame spike is far above both neighbours.
    middle = speed[1:-1]
    assert (middle - np.maximum(speed[:-2], speed[2:])).max() < 0.12 * max(speed.max(), 1.0)


@pytest.mark.parametrize("action", ACTIONS)
def test_the_seed_decides_and_the_count_does_not(action):
    again = action_examples(action, count=1, seed=3)
    other = action_examples(action, count=1, seed=4)[0]
    for one, two in zip(again, made(action), strict=False):
        assert np.array_equal(one.motion.rotations, two.motion.rotations)
        assert np.array_equal(one.target, two.target)
    assert not np.allclose(other.target, again[0].target)


@pytest.mark.parametrize("action", ["reach", "pour", "kick"])
def test_targets_on_the_left_use_the_left_limb(action):
    for example in made(action):
        side = "left" if example.target[0] > 0 else "right"
        assert all(event.joint.startswith(side) for event in example.events)


def test_bending_is_mirrored_for_mirrored_targets():
    figure = Figure(Person().skeleton())
    place = np.array([0.45, 0.7, 0.45])
    left = settle(figure, {"left": place})
    right = settle(figure, {"right": place * [-1.0, 1.0, 1.0]})
    swapped = right[[0, 1, 2, 3, 4, 5, 8, 9, 6, 7]] * [-1, 1, -1, -1, 1, 1, 1, 1, 1, 1]
    assert np.allclose(left, swapped, atol=2e-3)


def test_near_things_need_no_bending_and_far_ones_never_raise_the_pelvis():
    figure = Figure(Person().skeleton())
    near = settle(figure, {"right": np.array([-0.2, 1.15, 0.35])})
    low = settle(figure, {"right": np.array([-0.25, 0.45, 0.5])})
    assert np.abs(near[:3]).max() < 0.12
    assert low[1] > 0.3
    for example in made("reach"):
        assert np.ptp(example.motion.root_positions[:, 1]) < 0.5
        assert example.motion.root_positions[:, 1].max() < example.motion.root_positions[0, 1] + 0.006


def test_a_pointing_hand_is_on_a_line_to_its_target():
    for index, example in enumerate(made("point")):
        event = example.event("point")
        frame = round(event.time_s * example.motion.fps)
        wrist = placed("point", index)[0][frame, example.motion.skeleton.humanoid[event.joint]]
        tip = point_path(example, placed("point", index), event)[frame]
        line = (tip - wrist) / np.linalg.norm(tip - wrist)
        away = example.target - wrist
        assert np.linalg.norm(away - (away @ line) * line) < 1e-3


def test_the_eyes_are_on_the_target_before_the_hand():
    for index, example in enumerate(made("reach")):
        joint = example.motion.skeleton.humanoid["head"]
        frame = round((example.event("reach").time_s - 0.2) * example.motion.fps)
        positions, turns = placed("reach", index)
        facing = rot.rotate(turns[frame, joint], np.array([0.0, 0.0, 1.0]))
        away = example.target - positions[frame, joint]
        assert facing @ away / np.linalg.norm(away) > np.cos(np.radians(40.0))


def test_thrown_balls_fly_freely_from_release_to_catch():
    for action in ("throw_catch", "juggle"):
        for example in made(action):
            leaving = [event for event in example.events if event.name == "release"]
            arriving = [event for event in example.events if event.name == "catch"]
            assert len(leaving) == len(arriving)
            for out, back in zip(leaving, arriving, strict=True):
                u = back.time_s - out.time_s
                assert np.allclose(out.position + u * out.velocity + 0.5 * u * u * GRAVITY, back.position, atol=1e-9)
                assert out.thing == back.thing


def test_a_pitched_ball_meets_the_target():
    for example in made("pitch"):
        out = example.event("release")
        u = (example.target[2] - out.position[2]) / out.velocity[2]
        assert np.allclose(out.position + u * out.velocity + 0.5 * u * u * GRAVITY, example.target, atol=1e-9)


def test_juggling_hands_hold_one_ball_at_a_time_and_keep_shannons_theorem():
    for example in made("juggle"):
        holds = {"leftHand": [], "rightHand": []}
        for event in example.events:
            holds[event.joint].append(event)
        dwell, period = [], []
        for events in holds.values():
            names = [event.name for event in events[events[0].name == "catch" :]]
            steady = [event for event in events if event.time_s > events[1].time_s - 1e-9]
            releases = [event.time_s for event in events if event.name == "release"]
            period += list(np.diff(releases))
            assert "releaserelease" not in "".join(names[2:])
            for one, two in itertools.pairwise(steady):
                if one.name == "catch" and two.name == "release":
                    assert one.thing == two.thing
                    dwell.append(two.time_s - one.time_s)
        first = next(event for event in example.events if event.name == "release")
        flight = next(e.time_s for e in example.events if e.name == "catch" and e.thing == first.thing) - first.time_s
        assert np.ptp(dwell) < 1e-9 and min(dwell) > 0.08
        assert (flight + dwell[0]) * 2 == pytest.approx(period[0] * 3, abs=1e-9)


@pytest.mark.parametrize(
    "person", [Person(stature_m=1.25), Person(stature_m=1.95, leg_share=0.56, shoulder_width_m=0.45)]
)
def test_other_proportions_act_too(person):
    for action in ACTIONS:
        example = action_examples(action, count=1, seed=5, person=person)[0]
        skeleton = example.motion.skeleton
        event = example.events[0]
        frame = round(event.time_s * example.motion.fps)
        positions, turns = skeleton.placed_joints(example.motion.root_positions[frame], example.motion.rotations[frame])
        joint = skeleton.humanoid[event.joint]
        assert np.linalg.norm(positions[joint] + rot.rotate(turns[joint], event.point) - event.position) < 1e-3


def test_given_targets_are_used_and_impossible_ones_refused():
    example = action_examples("reach", targets=np.array([[-0.3, 1.2, 0.4]]))[0]
    assert np.array_equal(example.target, [-0.3, 1.2, 0.4])
    with pytest.raises(OptionError, match="out of reach by"):
        action_examples("reach", targets=np.array([[-0.3, 1.2, 3.0]]))
    with pytest.raises(OptionError, match="targets must be"):
        action_examples("reach", targets=np.array([1.0, 2.0]))


def test_bad_names_and_numbers_are_refused():
    with pytest.raises(OptionError, match="juggle"):
        action_examples("jugle")
    for options in ({"count": 0}, {"fps": 5.0}, {"seed": -1}):
        with pytest.raises(OptionError):
            action_examples("reach", **options)


def test_actions_are_sets_of_builtin_clips():
    clips = builtin_clips("point", seed=3)
    assert len(clips) == 12
    for clip, example in zip(clips, made("point"), strict=False):
        assert np.array_equal(clip.rotations, example.motion.rotations)


@pytest.mark.parametrize("side", ["left", "right"])
def test_hand_turn_points_fingers_and_palm(side):
    fingers, palm = np.array([0.0, 0.6, 0.8]), np.array([1.0, 0.0, 0.0])
    turn = hand_turn(side, fingers, palm)
    out = np.array([1.0 if side == "left" else -1.0, 0.0, 0.0])
    assert np.allclose(rot.rotate(turn, out), fingers)
    assert np.allclose(rot.rotate(turn, np.array([0.0, -1.0, 0.0])), palm)


def test_a_planted_fault_is_a_flaw():
    example = made("reach")[0]
    body = fit_body(example.motion.skeleton)
    assert flaws(example, body) == 0.0
    rotations = example.motion.rotations.copy()
    rotations[:, example.motion.skeleton.index("leftLowerLeg")] = rot.from_axis_angle([1.0, 0.0, 0.0], -1.0)
    assert flaws(replace(example, motion=replace(example.motion, rotations=rotations)), body) > 0.5
    moved = replace(example.events[0], position=example.events[0].position + np.array([0.0, 0.001, 0.0]))
    assert flaws(replace(example, events=[moved]), body) == pytest.approx(0.001, rel=0.5)
