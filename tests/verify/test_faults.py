"""The judge passes clean motion and names every planted fault, with its time and place."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from understudy import rotations as rot
from understudy.core import Motion, PlanarTransform, fit_body
from understudy.errors import OptionError
from understudy.formats import load_motion
from understudy.scene import Scene
from understudy.scene.characters import Character
from understudy.scene.objects import SceneObject
from understudy.scene.placements import Track
from understudy.scene.shapes import Box, Capsule, Mesh, Sphere
from understudy.scene.transforms import Transform
from understudy.verify import Bars, Flight, FloorGoal, HandGoal
from understudy.verify.forward import Performer
from understudy.verify.judge import verify

CLEAN = ["16_16", "16_35", "16_05", "69_01", "69_51", "69_56", "26_09", "06_15", "49_06", "124_01"]
CLEAN_WALKS = ["16_16", "16_35", "69_01", "69_56", "82_10", "06_15", "115_01", "49_20"]


def hand_capsule(motion: Motion, frame: int, part: str = "left_hand") -> tuple[np.ndarray, np.ndarray, float]:
    """Both ends and the radius of a capsule at a frame."""
    body = fit_body(motion.skeleton)
    capsule = body.capsule(part)
    start, end = body.capsule_segments(*motion.pose(frame).world())
    return start[capsule], end[capsule], float(body.capsule_radii[capsule])


def wall_at(x: float, *, thickness: float = 0.1) -> Scene:
    """A wall whose near face is at x, on the far side of the person's left."""
    position = (x + 0.5 * thickness, 1.0, 0.0)
    return Scene(floor=True).with_object("wall", Box(size_m=(thickness, 4.0, 4.0)), position=position)


@pytest.mark.parametrize("name", CLEAN)
def test_clean_clips_pass_beside_themselves(clip: Callable[[str], Motion], name: str) -> None:
    motion = clip(name)
    report = verify(motion, source=motion)
    assert report.ok, report.table()
    assert report.penetration.max_depth_m < 1e-4


@pytest.mark.parametrize("name", CLEAN_WALKS)
def test_clean_recordings_pass_by_themselves(clip: Callable[[str], Motion], name: str) -> None:
    report = verify(clip(name))
    assert report.ok, report.table()
    assert any("no claim" in note for note in report.notes)
    assert any("own ground" in note for note in report.notes)


def test_clean_clip_passes_among_many_sources(clip: Callable[[str], Motion]) -> None:
    motion = clip("69_01")
    other = replace(clip("69_03"), skeleton=motion.skeleton)
    placed = motion.placed(PlanarTransform(x_m=2.0, z_m=1.0, yaw_rad=2.0)).frames(30, 400)
    report = verify(placed, source=[other, motion])
    assert report.ok, report.table()


def lowest_reach(motion: Motion) -> float:
    """The farthest x any part reaches [m], at frames and between."""
    body = fit_body(motion.skeleton)
    who = Performer(name="", motion=motion, body=body)
    return float((who.capsules(who.times_s)[..., 0].max(axis=2) + body.capsule_radii).max())


@pytest.mark.parametrize("depth_m", [0.001, 0.0015])
def test_one_millimetre_for_one_frame(swaying: Motion, depth_m: float) -> None:
    scene = wall_at(lowest_reach(swaying) + 0.0005)
    assert verify(swaying, scene, source=swaying).ok
    roots = swaying.root_positions.copy()
    roots[130, 0] += _missing(swaying, 130, lowest_reach(swaying) + 0.0005) + depth_m
    report = verify(replace(swaying, root_positions=roots), scene, source=swaying)
    assert "penetration" in report.broken
    assert report.penetration.worst is not None
    assert report.penetration.worst.time_s == pytest.approx(130 / 120, abs=1e-9)
    assert report.penetration.worst.a == "performer.left_hand"
    assert report.penetration.worst.b == "wall"
    assert report.penetration.max_depth_m == pytest.approx(depth_m, abs=1e-6)
    assert report.penetration.seconds_over_1mm < 2 / 120


def _missing(motion: Motion, frame: int, x: float) -> float:
    start, end, radius = hand_capsule(motion, frame)
    return float(x - max(start[0], end[0]) - radius)


def test_half_a_millimetre_is_no_fault(swaying: Motion) -> None:
    report = verify(swaying, wall_at(lowest_reach(swaying) - 0.0005), source=swaying)
    assert report.ok
    assert report.penetration.max_depth_m == pytest.approx(0.0005, abs=1e-6)


def test_two_millimetres_of_foot_slide(clip: Callable[[str], Motion]) -> None:
    motion = clip("69_01")
    from understudy.verify.feet import feet_of

    side, first, stop = max(feet_of(motion).stances(), key=lambda stance: stance[2] - stance[1])
    ease = np.clip((np.arange(len(motion)) - first) / (stop - first), 0.0, 1.0)
    slide = 0.002 * ease * ease * (3 - 2 * ease)
    roots = motion.root_positions + slide[:, None] * np.array([0.6, 0.0, 0.8])
    report = verify(replace(motion, root_positions=roots), source=motion)
    assert report.broken == ("foot_slide",)
    feet = report.characters[0].foot_skate
    assert feet is not None and feet.added is not None and feet.added.slide is not None
    assert feet.added.slide.way_mm == pytest.approx(2.0, abs=0.05)
    assert feet.added.slide.time_s == pytest.approx(first / motion.fps)
    assert feet.added.slide.foot == ("left", "right")[side]


def test_half_a_degree_over_a_limit(clip: Callable[[str], Motion]) -> None:
    motion = clip("69_01")
    body = fit_body(motion.skeleton)
    joint = motion.skeleton.index("leftLowerLeg")
    coordinates = body.limits.coordinates(motion.rotations[300:301])
    coordinates[0, joint, 0] = body.limits.high[joint, 0] + np.radians(0.5)
    rotations = motion.rotations.copy()
    rotations[300, joint] = body.limits.rotations(coordinates)[0, joint]
    for source in (motion, None):
        report = verify(replace(motion, rotations=rotations), source=source)
        assert "joint_limits" in report.broken
        limits = report.characters[0].joint_limits
        assert limits.joint == motion.skeleton.names[joint]
        assert limits.time_s == pytest.approx(300 / motion.fps)
        assert limits.max_excess_rad == pytest.approx(np.radians(0.5), abs=1e-5)


def test_one_frame_velocity_spike(clip: Callable[[str], Motion], turned: Callable[..., Motion]) -> None:
    motion = clip("16_16")
    spiked = turned(motion, "leftLowerArm", 250, rot.from_axis_angle(np.array([0.0, 1.0, 0.0]), np.radians(3.0)))
    report = verify(spiked, source=motion)
    assert "seams" in report.broken
    seam = report.characters[0].smoothness.seams[0]
    assert seam.time_s == pytest.approx(250 / motion.fps, abs=1.01 / motion.fps)
    assert seam.part.startswith("left_")
    alone = turned(motion, "leftUpperArm", 250, rot.from_axis_angle(np.array([0.0, 0.0, 1.0]), np.radians(60.0)))
    assert "seams" in verify(alone).broken


def test_tunnelling_between_two_frames_through_a_thin_wall(swaying: Motion) -> None:
    """At frame 119 the person is on one side of a sheet of 2 mm, at frame 120 on the other."""
    roots = swaying.root_positions.copy()
    roots[:120, 0] -= 3.0
    roots[120:, 0] += 3.0
    jumper = replace(swaying, root_positions=roots)
    scene = Scene().with_object("sheet", Box(size_m=(0.002, 4.0, 4.0)), position=(0.0, 1.0, 0.0))
    report = verify(jumper, scene)
    assert "penetration" in report.broken
    assert report.penetration.worst is not None
    assert 119 / 120 < report.penetration.worst.time_s < 120 / 120
    assert report.penetration.worst.b == "sheet"


def test_fast_small_ball_between_samples(swaying: Motion) -> None:
    """A ball that flies through a still hand at 100 m/s, between two samples."""
    start, end, _ = hand_capsule(swaying, 0)
    middle = 0.5 * (start + end)
    still = replace(swaying, rotations=np.repeat(swaying.rotations[:1], len(swaying), axis=0))
    when = 100.37 / 240
    away = np.array([0.0, 1.0, 0.2]) * 2.0
    track = Track(times_s=np.array([when - 0.02, when + 0.02]), positions=np.array([middle + away, middle - away]))
    scene = Scene().with_object("ball", Sphere(radius_m=0.005), placement=track)
    report = verify(still, scene)
    assert "penetration" in report.broken
    assert report.penetration.worst is not None
    assert report.penetration.worst.time_s == pytest.approx(when, abs=5e-4)


def test_swallowed_whole_by_a_closed_mesh(swaying: Motion) -> None:
    corners = np.array([[x, y, z] for x in (-3, 3) for y in (-1, 4) for z in (-3, 3)], dtype=float)
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]]
    faces += [[2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    block = Mesh(vertices=corners, faces=np.array(faces))
    assert block.closed
    report = verify(swaying, Scene(floor=False).with_object("block", block))
    assert "penetration" in report.broken
    assert report.penetration.worst is not None
    assert report.penetration.worst.b == "block"
    assert report.penetration.max_depth_m > 1.0
    assert len(report.penetration.pairs) == len(fit_body(swaying.skeleton).capsule_names)
    opened = Mesh(vertices=corners, faces=np.array(faces[:-1]))
    assert verify(swaying, Scene(floor=False).with_object("room", opened)).ok


def flight(*, off_m: float = 0.0) -> Flight:
    times = np.linspace(0.0, 0.8, 97)
    positions = np.array([0.1, 1.2, 0.0]) + times[:, None] * np.array([0.4, 3.9, 0.2])
    positions[:, 1] += -0.5 * 9.81 * times**2
    drift = np.clip((times - 0.4) / 0.4, 0.0, 1.0)
    positions[:, 0] += off_m * drift
    return Flight(object="ball", times_s=times, positions=positions)


def test_object_that_leaves_its_parabola(swaying: Motion) -> None:
    assert verify(swaying, flights=[flight()]).ok
    report = verify(swaying, flights=[flight(off_m=0.002)])
    assert report.broken == ("ballistics",)
    assert report.ballistics is not None
    assert report.ballistics.max_residual_mm == pytest.approx(2.0, abs=1e-6)
    assert (report.ballistics.object, report.ballistics.time_s) == ("ball", pytest.approx(0.8))


def test_sinking_into_the_floor_names_the_part_that_sinks(swaying: Motion) -> None:
    assert verify(swaying, Scene()).ok
    sunk = replace(swaying, root_positions=swaying.root_positions - np.array([0.0, 0.04, 0.0]))
    report = verify(sunk, Scene())
    assert report.penetration.worst is not None
    assert (report.penetration.worst.b, report.broken) == ("floor", ("penetration",))
    parts = {pair.a.removeprefix("performer.") for pair in report.penetration.pairs}
    assert parts == {f"{side}_{part}" for side in ("left", "right") for part in ("foot", "toes", "shank")}
    assert verify(sunk, Scene(floor=False)).ok
    assert verify(sunk, floor=True).broken == ("penetration",)
    assert verify(sunk).ok  # without a scene the clip stands on its own ground


def test_own_overlap_of_a_source_is_allowed_and_reported_apart(clip: Callable[[str], Motion]) -> None:
    motion = clip("16_16")
    report = verify(motion, source=motion)
    assert report.penetration.allowed_depth_m > 0.03
    assert report.penetration.allowed_worst is not None
    assert report.penetration.allowed_worst.a == "pelvis"
    assert not verify(motion, bars=Bars(self_overlap_m=0.0)).ok


def test_an_arm_pushed_into_the_chest_is_a_self_overlap(swaying: Motion) -> None:
    rotations = swaying.rotations.copy()
    arm, forearm = swaying.skeleton.index("leftUpperArm"), swaying.skeleton.index("leftLowerArm")
    rotations[:, arm] = rot.from_axis_angle(np.array([0.0, 0.0, 1.0]), -1.2)
    rotations[:, forearm] = rot.from_axis_angle(np.array([0.0, 0.0, 1.0]), -2.2)
    report = verify(replace(swaying, rotations=rotations), source=swaying)
    assert "penetration" in report.broken
    assert report.penetration.worst is not None
    assert "left_" in report.penetration.worst.a + report.penetration.worst.b


def test_other_people_are_obstacles_and_may_be_allowed(swaying: Motion) -> None:
    near = swaying.placed(PlanarTransform(x_m=0.9))
    scene = Scene().with_character("anna").with_character("ben")
    pair = [("anna", swaying), ("ben", near)]
    report = verify(pair, scene)
    assert report.penetration.worst is not None
    assert report.penetration.worst.a.startswith("anna.left_")
    assert report.penetration.worst.b.startswith("ben.right_")
    deep = verify(pair, scene.with_contact("anna", "ben", max_depth_m=0.1))
    assert not deep.penetration.pairs
    assert deep.broken == ("claim",)
    alone = [("anna", swaying), ("ben", swaying.placed(PlanarTransform(x_m=3.0)))]
    assert verify(alone, scene).ok
    assert [one.name for one in report.characters] == ["anna", "ben"]
    # One of them handed in, the other only in the scene.
    assert verify([("anna", swaying)], scene.with_motion("ben", near)).broken == ("penetration",)


def test_carried_objects_must_clear_the_scene(swaying: Motion) -> None:
    start, end, _ = hand_capsule(swaying, 0)
    hand = 0.5 * (start + end)
    out = hand + np.array([0.30, 0.0, 0.0])
    stage = Scene().with_character("anna").with_object("stick", Capsule(radius_m=0.01, length_m=0.3))
    lying = rot.exp(np.array([0.0, 0.0, 0.5 * np.pi]))
    stage = stage.moved("stick", position=0.5 * (hand + out), rotation=lying).with_attachment("stick", "anna.left_hand")
    stage = stage.with_object("post", Box(size_m=(0.05, 3.0, 0.05)), position=tuple(out + np.array([0.0, 0.0, 0.1])))
    report = verify(swaying, stage)
    assert report.penetration.worst is not None
    assert {report.penetration.worst.a, report.penetration.worst.b} == {"stick", "post"}
    assert verify(swaying, stage.without("post")).ok


def test_goals(swaying: Motion) -> None:
    root = swaying.root_positions[-1]
    _, world = swaying.pose(120).world()
    hand = swaying.skeleton.index("leftHand")
    at = swaying.pose(120).world()[0][hand]
    good = [
        FloorGoal(position=(float(root[0]), float(root[2])), heading_rad=0.0),
        HandGoal(hand="left", position=tuple(at), time_s=1.0, rotation=tuple(world[hand])),
    ]
    report = verify(swaying, goals=good)
    assert report.ok
    assert [error.position_m for error in report.goals] == pytest.approx([0.0, 0.0], abs=1e-9)
    far = FloorGoal(position=(float(root[0]) + 0.011, float(root[2])))
    askew = FloorGoal(position=(float(root[0]), float(root[2])), heading_rad=np.radians(5.1))
    missed = HandGoal(hand="left", position=tuple(at + np.array([0.0, 0.0011, 0.0])), time_s=1.0)
    for goal in (far, askew, missed):
        assert verify(swaying, goals=[goal]).broken == ("goals",)
    with pytest.raises(OptionError, match="lasts from 0"):
        verify(swaying, goals=[HandGoal(hand="left", position=(0, 0, 0), time_s=9.0)])


def test_json_holds_the_promised_keys(swaying: Motion) -> None:
    document = verify(swaying, wall_at(0.3)).to_json()
    text = json.loads(json.dumps(document, allow_nan=False))
    assert set(text) >= {"ok", "broken", "penetration", "foot_skate", "joint_limits", "smoothness", "goals"}
    assert text["ok"] is False
    assert text["broken"] == ["penetration"]
    assert set(text["penetration"]) >= {"max_depth_m", "seconds_over_1mm", "worst"}
    assert set(text["penetration"]["worst"]) >= {"time_s", "a", "b"}
    assert set(text["foot_skate"]) >= {"gmd", "kimodo", "stance_drift_mm"}
    assert "max_excess_rad" in text["joint_limits"]


def test_table_names_what_is_broken(swaying: Motion) -> None:
    broken = verify(swaying, wall_at(0.3)).table()
    assert broken.startswith("BROKEN: penetration")
    assert "wall" in broken
    assert verify(swaying, source=swaying).table().startswith("ok")


def test_tightened_bars_and_bad_bars(clip: Callable[[str], Motion]) -> None:
    motion = clip("16_16")
    assert "velocity" in verify(motion, source=motion, bars=Bars(velocity_ratio=0.5)).broken
    with pytest.raises(OptionError, match="gmd"):
        Bars(gmd=-1.0)


def test_creatures_without_roles_are_judged_as_far_as_possible(swaying: Motion) -> None:
    creature = replace(swaying, skeleton=swaying.skeleton.with_humanoid({}))
    report = verify(creature, wall_at(0.3))
    assert report.broken == ("penetration",)
    assert report.characters[0].foot_skate is None
    assert json.dumps(report.to_json(), allow_nan=False)


def test_wrong_names_are_refused(swaying: Motion) -> None:
    two = Scene().with_character("anna").with_character("ben")
    with pytest.raises(OptionError, match="anna, ben"):
        verify(swaying, two)
    with pytest.raises(OptionError, match="no motion"):
        verify([])
    with pytest.raises(OptionError, match="one character"):
        verify([("anna", swaying), ("anna", swaying)], two)
    with pytest.raises(OptionError, match="carl"):
        verify([("anna", swaying)], two, goals=[FloorGoal(position=(0, 0), character="carl")])


def test_single_frames_and_slow_rates_are_judged(swaying: Motion) -> None:
    assert verify(swaying.frames(0, 1)).ok
    assert verify(swaying.frames(0, 2)).ok
    slow = swaying.resampled(8.0)
    report = verify(slow, source=slow)
    assert report.ok, report.table()
    assert any("6 Hz" in note for note in report.notes)


def test_a_cart_that_runs_into_somebody_who_has_arrived_is_found(swaying: Motion) -> None:
    """A performance is judged until its last motion ends; whoever has ended before stands there."""
    short, longer = swaying.frames(0, 60), swaying.placed(PlanarTransform(x_m=8.0))
    ways = Track(
        times_s=np.array([0.0, 1.0, 2.0]),
        positions=np.array([[0.0, 0.5, -3.0], [0.0, 0.5, -3.0], [0.0, 0.5, 0.0]]),
        rotations=np.tile([1.0, 0.0, 0.0, 0.0], (3, 1)),
    )
    scene = Scene(floor=True).with_object(SceneObject(name="cart", shape=Box(size_m=(0.6, 1.0, 0.6)), placement=ways))
    alone = verify([("ann", short)], scene, source=swaying)
    assert "penetration" not in alone.broken, alone.table()
    both = verify([("ann", short), ("bob", longer)], scene, source=swaying)
    assert "penetration" in both.broken
    assert {both.penetration.worst.a, both.penetration.worst.b} & {"cart"}
    late = scene.with_character(Character(name="ann", start_s=2.5))
    assert "penetration" in verify([("ann", short), ("bob", longer)], late, source=swaying).broken


def test_a_thing_that_jumps_into_its_grip_is_found(swaying: Motion) -> None:
    """Held things stay in their grips to 2 mm and 1 degree, also when they are taken."""
    stage = Scene(floor=True).with_character("anna", motion=swaying)
    at, turn = stage.character("anna").joint("right_hand", [1.0])
    cup = at[0] - np.array([0.0, 0.05, 0.0])
    stage = stage.with_object("cup", Sphere(radius_m=0.03), position=cup)
    taken = stage.with_attachment("cup", "anna.right_hand", start_s=1.0)
    assert "claim" not in verify([("anna", swaying)], taken, source=swaying).broken
    back = rot.conjugate(turn[0])
    for beside, found in ((0.001, False), (0.005, True)):
        place = rot.rotate(back, cup + np.array([0.0, beside, 0.0]) - at[0])
        grip = Transform(position=tuple(place), rotation=tuple(back))
        moved = stage.with_attachment("cup", "anna.right_hand", start_s=1.0, grip=grip)
        report = verify([("anna", swaying)], moved, source=swaying)
        assert ("claim" in report.broken) is found, report.reason


@pytest.mark.parametrize("start_s", [0.0, 1.0])
@pytest.mark.parametrize(("beside_m", "found"), [(0.0, False), (0.12, True)])
def test_nobody_moves_things_without_touching_them(
    swaying: Motion, start_s: float, beside_m: float, found: bool
) -> None:
    stage = Scene(floor=True).with_character("anna", motion=swaying)
    at, _ = stage.character("anna").joint("right_hand", [start_s])
    stage = stage.with_object("cup", Sphere(radius_m=0.03), position=at[0] - np.array([0.0, 0.05 + beside_m, 0.0]))
    report = verify([("anna", swaying)], stage.with_attachment("cup", "anna.right_hand", start_s=start_s))
    assert ("it moves with anna.right_hand" in report.reason) is found


def test_a_drift_is_no_larger_than_the_clips_own_and_than_anybody_may(swaying: Motion) -> None:
    """The larger of both, not their sum: a clip that drifts by 4 mm does not let others drift by 9."""
    share = np.clip(swaying.times_s - 0.5, 0.0, 1.0)[:, None] * [1.0, 0.0, 0.0]
    clip = replace(swaying, root_positions=swaying.root_positions + 0.004 * share)
    for way_m, found in ((0.0045, False), (0.006, True)):
        made = replace(swaying, root_positions=swaying.root_positions + way_m * share).made_from((clip, clip))
        assert ("stance_drift" in verify(made, source=(clip, clip)).broken) is found


def test_what_was_made_without_evidence_may_not_jump_as_recordings_do(swaying: Motion) -> None:
    """A trunk that stops dead for a moment is no noise of a recording."""
    roots = swaying.root_positions + np.maximum(swaying.times_s - 1.0, 0.0)[:, None] * [0.0, 0.0, 0.9]
    jolted = replace(swaying, root_positions=roots)
    assert "seams" not in verify(jolted).broken
    assert "seams" in verify(jolted.made_from(())).broken


def test_the_ground_of_somebody_who_lies_is_not_where_their_heels_are(shared_motion: Path) -> None:
    path = shared_motion / "cmu_more" / "113_08.bvh"
    if not path.is_file():
        pytest.skip("the recording is not there")
    lying = load_motion(path).frames(980, 1040)
    assert verify(lying).ok, "a recording of somebody who lies is no motion through the ground"
