"""Parts of programs: steps, joints between motions, snapshots, waits; each against what must hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from understudy.core.motion import Motion
from understudy.kinematics import motion_world
from understudy.kinematics.hold import hold_end
from understudy.limbs.handling import Play
from understudy.limbs.handling.play import Region
from understudy.locomotion.footsteps.bearing import borne
from understudy.locomotion.footsteps.footing import SIDES, footing_of
from understudy.locomotion.footsteps.joining import joined, leg_of
from understudy.locomotion.footsteps.moving import Going, Mover
from understudy.locomotion.footsteps.shuffling import shuffled, standing
from understudy.locomotion.footsteps.ways import Way
from understudy.performer.person import Person
from understudy.performer.style import Style
from understudy.scene import Scene, Task
from understudy.scene.characters import Character
from understudy.scene.placements import Track
from understudy.scene.shapes import Box
from understudy.scene.transforms import Transform
from understudy.skills.action import family_of
from understudy.skills.engine import deed_of, in_turn, label
from understudy.skills.program.acting import _on_feet
from understudy.skills.program.carrying import BEARINGS
from understudy.skills.program.doing import Doing
from understudy.skills.program.history import Piece, grown
from understudy.skills.program.meeting import Meetings
from understudy.skills.program.snapshot import snapshot

SKELETON = Person().skeleton()
STYLE = Style()


def mover() -> Mover:
    return Mover(skeleton=SKELETON, style=STYLE, fps=30.0, seed=0)


def along(*points: list[float]) -> Going:
    return Going(way=Way(points=np.array(points)))


def standing_for(seconds: float) -> Going:
    return Going(way=Way(points=np.zeros((2, 2))), stand_s=seconds)


def feet(motion: Motion) -> np.ndarray:
    world = motion_world(motion)
    return np.stack([world.positions[:, SKELETON.humanoid[f"{side}Foot"]] for side in SIDES], axis=1)


@pytest.mark.parametrize(("place", "heading"), [((0.0, 0.0), 2.2), ((0.0, -0.3), 0.0), ((0.25, 0.1), -0.6)])
def test_steps_end_where_they_should_with_one_foot_on_the_floor(place, heading) -> None:
    start = standing(SKELETON, np.zeros(2), 0.0, STYLE)
    made = shuffled(SKELETON, start, np.array(place), heading, STYLE, fps=30.0).performed(0)
    end = footing_of(made)
    assert np.hypot(*(end.place - place)) < 0.01
    assert abs(np.remainder(end.heading_rad - heading + np.pi, 2 * np.pi) - np.pi) < 0.05
    speeds = np.linalg.norm(np.diff(feet(made)[..., [0, 2]], axis=0), axis=-1) * 30.0
    assert (speeds.min(axis=1) < 1e-3).all()


def test_a_walk_begins_with_the_feet_where_they_stand_and_ends_on_its_goal() -> None:
    first, _ = mover().go(standing(SKELETON, np.zeros(2), 0.0, STYLE), along([0, 0], [0.4, 1.8]))
    footing = footing_of(first)
    going = Going(way=Way(points=np.array([footing.place, [2.0, 1.0]])), end_rad=1.2)
    second, arrive = mover().go(footing, going)
    for side in SIDES:
        assert np.hypot(*(footing_of(second, 0).feet[side][0] - footing.feet[side][0])) < 1e-6
    assert np.hypot(*(footing_of(second).place - [2.0, 1.0])) < 0.02
    assert arrive < second.duration_s
    whole = joined(first, second)
    assert len(whole) == len(first) + len(second) - 1
    assert np.array_equal(whole.root_positions[: len(first)], first.root_positions)
    speed = np.linalg.norm(np.diff(whole.root_positions, axis=0), axis=1) * 30.0
    seam = slice(len(first) - 4, len(first) + 4)
    # Nobody pushes off by more than 3 m/s^2.
    assert np.abs(np.diff(speed[seam])).max() < 0.1


def test_a_joint_keeps_feet_and_fades_an_arm_that_was_elsewhere() -> None:
    stand, _ = mover().go(standing(SKELETON, np.zeros(2), 0.0, STYLE), standing_for(2.0))
    raised = borne(stand, "right", None, BEARINGS[0])
    whole = joined(raised, stand, fade_s=1.0)
    moved = np.abs(feet(whole) - feet(whole)[:1]).max()
    assert moved < 0.002
    hand = SKELETON.humanoid["rightHand"]
    path = motion_world(whole).positions[:, hand]
    assert np.linalg.norm(np.diff(path, axis=0), axis=1).max() < 0.05
    assert np.allclose(path[-1], motion_world(stand).positions[-1, hand], atol=1e-9)


def handled_scene() -> Scene:
    stand, _ = mover().go(standing(SKELETON, np.zeros(2), 0.0, STYLE), standing_for(4.0))
    scene = Scene().with_character(Character(name="anna", motion=stand))
    scene = scene.with_object("cup", Box(size_m=(0.05, 0.1, 0.05)), position=(0.3, 0.9, 0.4))
    grip = Transform(position=(0.0, -0.05, 0.02))
    return scene.with_attachment("cup", "anna.right_hand", start_s=1.0, end_s=6.0, grip=grip)


def test_a_snapshot_shows_the_world_from_a_moment_on() -> None:
    scene = handled_scene()
    now = snapshot(scene, 2.0, people=("anna",))
    for later in (0.0, 0.7, 1.9):
        assert np.allclose(now.object_track("cup", [later])[0], scene.object_track("cup", [2.0 + later])[0], atol=1e-6)
    alone = snapshot(scene, 2.0)
    assert not alone.characters and not alone.holds
    assert np.allclose(alone.object_track("cup", [5.0])[0], scene.object_track("cup", [2.0])[0])


def test_what_is_put_down_twice_stays_where_it_was_in_between() -> None:
    play = Play(scene=handled_scene(), sources={"anna": handled_scene().character("anna").world_motion})
    for when, place in ((0.5, (0.4, 0.8, 0.4)), (0.7, (0.1, 0.8, 0.5))):
        start = play.scene.character("anna").end_s
        local = snapshot(play.scene, start, people=("anna",))
        base = play.motion("anna").frames(0, 61)
        held = replace(
            local.with_motion("anna", base).placed(
                "cup", Track(times_s=np.array([-1.0, when]), positions=np.array([(0, 0, 0), place]))
            ),
            attachments=tuple(
                replace(one, end_s=when, release="resume") for one in local.attachments if one.start_s < 0
            ),
        )
        play = grown(play, "anna", Piece(play=replace(play, scene=held, marks=()), base=base, end_s=1.5), start)
    first = handled_scene().character("anna").end_s
    for when, place in ((first + 0.6, (0.4, 0.8, 0.4)), (first + 1.4, (0.4, 0.8, 0.4)), (first + 2.9, (0.1, 0.8, 0.5))):
        assert np.allclose(play.scene.object_track("cup", [when])[0][0], place), when


def walking_by(name: str, z: float, start_s: float) -> Character:
    made, _ = mover().go(standing(SKELETON, np.array([-2.0, z]), 1.57, STYLE), along([-2, z], [2, z]))
    return Character(name=name, motion=made, start_s=start_s)


def test_who_would_meet_somebody_waits_just_long_enough() -> None:
    scene = Scene().with_character(walking_by("bob", 0.0, 0.0)).with_character(walking_by("anna", 5.0, 0.0))
    own, _ = mover().go(standing(SKELETON, np.array([0.0, -2.0]), 0.0, STYLE), along([0, -2], [0, 2]))
    local = Play(scene=scene.with_motion("anna", own), sources={})
    task = Task(character="anna", do="walk_to", goal=(0.0, 2.0))
    doing = Doing(piece=Piece(play=local, base=own, end_s=own.duration_s), deed=deed_of(task, local, 1.0))
    meetings = Meetings(Play(scene=scene, sources={}), "anna", [])
    wait = meetings.wait_s(doing, 0.0)
    assert wait is not None and wait > 0.0
    bob = scene.character("bob").world_motion
    times = np.arange(0.0, 8.0, 0.02)
    for extra, is_apart in ((wait, True), (wait - 0.5, False)):
        a = own.sample(np.clip(times - extra, 0, own.duration_s))[0]
        b = bob.sample(np.clip(times, 0, bob.duration_s))[0]
        near = np.hypot(*(a - b)[:, [0, 2]].T).min()
        assert (near > 0.7) == is_apart
    region = Region(name="bob", x=0.0, z=0.0, radius_m=0.8, start_s=0.0, end_s=9.0)
    later = Meetings(Play(scene=scene, sources={}), "anna", [region]).wait_s(doing, 0.0)
    assert later is not None and later > 6.0


def test_tasks_wait_for_what_they_come_after_and_are_called_by_number() -> None:
    tasks = [
        Task(character="anna", do="walk_to", goal=(0, 1), after="lunch"),
        Task(character="bob", do="walk_to", goal=(0, 2)),
        Task(character="bob", do="grab", object="cup", name="lunch"),
        Task(character="anna", do="drop"),
    ]
    assert in_turn(tasks) == [1, 2, 0, 3]
    assert label(tasks, 2) == 'task 3 of 4 "lunch" (bob: grab cup)'


def test_a_kicking_foot_leaves_from_where_it_stands_on_feet_of_different_heights() -> None:
    kick = family_of("kick", "right", SKELETON, 30.0).motions[0]
    stand = kick.frames(0, 2)
    chain = leg_of(SKELETON, "right")
    world = motion_world(stand)
    higher = world.positions[:, chain[2]] + np.array([0.02, 0.016, -0.01])
    before = hold_end(stand, chain, higher, world.rotations[:, chain[2]]).motion
    made = _on_feet(kick, before, kicks=True)
    assert np.allclose(feet(made)[0], feet(before)[-1], atol=1e-6)
    own, now = feet(kick)[:, 1], feet(made)[:, 1]
    high = own[:, 1] - own[0, 1] > 0.2
    assert high.any() and np.allclose(now[high, 1], own[high, 1], atol=1e-6)
