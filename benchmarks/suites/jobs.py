"""Every job of the product with problems drawn at random: what a stranger might ask for first.

``JOBS[name](seed)`` draws one problem and asks the public API. Problems that an independent test calls impossible are
drawn again, so whatever comes back unsolved is ours to answer for. Nothing is tuned on these draws: use fresh seeds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import understudy as us
from benchmarks.suites import recorded_clips
from benchmarks.suites.door_feasibility import openable
from benchmarks.suites.door_variations import feasible as passable
from benchmarks.suites.door_variations import variation
from benchmarks.suites.household import KINDS as HOUSEHOLD
from benchmarks.suites.household import household
from benchmarks.suites.limb_everyday import everyday_problem
from benchmarks.suites.limb_everyday_oracle import FEASIBLE, verdict
from benchmarks.suites.recorded_postures import drawn
from benchmarks.suites.skill_programs import KINDS as PROGRAMS
from benchmarks.suites.skill_programs import feasible as doable
from understudy import rotations as rot
from understudy.api.clips import clip_result
from understudy.errors import PlanningInputError
from understudy.limbs.handling import HandlingOptions
from understudy.performer import CLIPS, Person, performance
from understudy.scene.placements import Track
from understudy.scene.scene import Scene
from understudy.scene.shapes import Box, Cylinder

#: [s] for one program by the clock: enough on a busy machine.
_DEADLINE_S = 120.0
#: [s] after which a crowd has to be where it wants to be.
_LONGEST_S = 60.0
#: Recordings of walking, standing and using one's arms.
_EVERYDAY = ("16_16", "16_31", "69_13", "69_20", "82_10", "137_26", "141_11", "16_21", "18_01", "79_20")
#: Built-in postures that can be held.
STANDING = (
    *("relaxed", "a", "t", "arms_folded", "hands_behind_back", "eagle", "squat", "hug_knees", "lying"),
    *("sit", "legs_crossed"),
)
_PROJECTS = Path(__file__).resolve().parents[2] / "examples" / "projects"


@lru_cache
def _library(kind: str) -> us.Library:
    folder = recorded_clips()
    if kind == "performer" or folder is None:
        from understudy.api.builtin_library import builtin_library

        return builtin_library()
    return us.build_library(us.load_motions(sorted(folder.glob(f"{kind}_*.bvh"))))


def _boxes(rng: np.random.Generator, count: int) -> Scene:
    """Boxes at random within 3 m of the origin, in one direction."""
    scene = Scene()
    for k in range(count):
        height = float(rng.uniform(0.4, 1.6))
        size = (float(rng.uniform(0.3, 0.8)), height, float(rng.uniform(0.3, 0.8)))
        at = (float(rng.uniform(-2.5, 2.5)), 0.5 * height, float(rng.uniform(-3.0, 3.0)))
        scene = scene.with_object(f"box{k}", Box(size_m=size), position=at)
    return scene


def _across(rng: np.random.Generator) -> tuple[tuple[float, float], tuple[float, float]]:
    start = (float(rng.uniform(-5.0, -4.0)), float(rng.uniform(-3.0, 3.0)))
    return start, (float(rng.uniform(4.0, 5.0)), float(rng.uniform(-3.0, 3.0)))


def walks(kind: str) -> Callable[[int], Any]:
    """Walks between six boxes with the clips of somebody."""

    def job(seed: int) -> Any:
        rng = np.random.default_rng([1, seed])
        start, goal = _across(rng)
        return us.walk(_library(kind), _boxes(rng, 6), start=start, goal=goal)

    return job


def sampled(seed: int) -> Any:
    """Path and motion sampled together through four boxes, with a heading at the end."""
    rng = np.random.default_rng([2, seed])
    start, goal = _across(rng)
    ends = [us.Constraint(position=start), us.Constraint(position=goal)]
    return us.sample_walk(_library("performer"), _boxes(rng, 4), constraints=ends)


def streamed(seed: int) -> Any:
    """A walk that is handed out in pieces, past a cart that crosses."""
    rng = np.random.default_rng([3, seed])
    start, goal = _across(rng)
    stream = us.stream_walk(_library("performer"), _with_cart(_boxes(rng, 3), rng), start=start, goal=goal)
    for _ in stream:
        pass
    return stream.result


def _with_cart(scene: Scene, rng: np.random.Generator) -> Scene:
    x, pace = float(rng.uniform(-1.0, 1.0)), float(rng.uniform(0.4, 1.0))
    times = np.array([0.0, 14.0 / pace])
    track = Track(times_s=times, positions=np.array([[x, 0.4, -7.0], [x, 0.4, 7.0]]))
    return scene.with_object("cart", Box(size_m=(0.5, 0.8, 0.9)), placement=track)


def together(seed: int) -> Any:
    """Three people who cross each other."""
    rng = np.random.default_rng([4, seed])
    walks = {}
    for k, angle in enumerate(rng.uniform(0.0, 0.5) + 2.0 * np.pi * np.arange(3) / 3):
        at = 3.5 * np.array([np.sin(angle), np.cos(angle)])
        walks[f"p{k}"] = (at + rng.uniform(-0.3, 0.3, 2), -at + rng.uniform(-0.3, 0.3, 2))
    return us.walk_together(_library("performer"), Scene(), walks)


def crowded(seed: int) -> Any:
    """Four people who change sides while a cart drives through."""
    rng = np.random.default_rng([12, seed])
    crowd = us.crowd(_library("performer"), _with_cart(Scene(), rng))
    for k, angle in enumerate(rng.uniform(0.0, 1.0) + 0.5 * np.pi * np.arange(4)):
        at = 4.0 * np.array([np.sin(angle), np.cos(angle)])
        crowd.add(f"p{k}", start=at, goal=-at + rng.uniform(-0.5, 0.5, 2))
    return _played(crowd)


def crossing(seed: int) -> Any:
    """Four people from either side who cross, every other time round boxes."""
    rng = np.random.default_rng([15, seed])
    crowd = us.crowd(_library("performer"), _boxes(rng, 3 * (seed % 2)))
    rows = np.array([-3.3, -1.1, 1.1, 3.3])
    for side in (-1.0, 1.0):
        starts, goals = (rng.permutation(rows) + rng.uniform(-0.4, 0.4, 4) for _ in range(2))
        for k in range(4):
            # Goals lie behind the others' starts, so that nobody stands on somebody's way from the beginning.
            start, goal = (side * rng.uniform(4.0, 5.0), starts[k]), (-side * rng.uniform(5.7, 6.7), goals[k])
            crowd.add(f"p{side:+.0f}{k}", start=start, goal=goal)
    return _played(crowd)


def ringed(seed: int) -> Any:
    """Ten people on a circle who change places with those opposite, every other time round boxes."""
    rng = np.random.default_rng([16, seed])
    crowd = us.crowd(_library("performer"), _boxes(rng, 2 * (seed % 2)))
    for k, angle in enumerate(rng.uniform(0.0, 1.0) + 2.0 * np.pi * np.arange(10) / 10):
        at = 5.0 * np.array([np.sin(angle), np.cos(angle)]) + rng.uniform(-0.2, 0.2, 2)
        crowd.add(f"p{k}", start=at, goal=-at)
    return _played(crowd)


def _played(crowd: Any) -> Any:
    while not crowd.done and crowd.time_s < _LONGEST_S:
        crowd.step()
    return crowd.result()


def _recording(rng: np.random.Generator) -> us.Motion:
    """Some seconds of a recorded everyday clip, or of the performer's where there are none."""
    folder = recorded_clips()
    if folder is None:
        return _clip("walk")
    motion = us.load_motion(folder / f"{rng.choice(_EVERYDAY)}.bvh")
    begin = float(rng.uniform(0.0, max(0.0, motion.duration_s - 5.0)))
    return motion.slice(begin, min(begin + 5.0, motion.duration_s))


def retargeted(seed: int) -> Any:
    """A recording on somebody of another stature."""
    rng = np.random.default_rng([13, seed])
    return us.retarget(_recording(rng), Person(stature_m=float(rng.uniform(1.5, 1.95))).skeleton())


def repaired(seed: int) -> Any:
    """A recording in which a joint pops for a frame."""
    rng = np.random.default_rng([14, seed])
    motion = _recording(rng)
    turns, frame = motion.rotations.copy(), int(rng.integers(20, len(motion) - 20))
    joint = motion.skeleton.index(str(rng.choice(["leftLowerArm", "rightUpperArm", "leftLowerLeg", "head"])))
    turns[frame, joint] = rot.multiply(turns[frame, joint], rot.exp(np.array([0.0, 0.0, 0.9])))
    return us.clean(replace(motion, rotations=turns))


@lru_cache
def _clip(name: str) -> us.Motion:
    return performance(name, person=Person(), duration_s=8.0).motion


def reached(seed: int) -> Any:
    """A hand to a point beside somebody who stands or walks."""
    rng = np.random.default_rng([5, seed])
    clip, hand = _clip(("idle", "walk", "veer_left")[seed % 3]), ("left", "right")[int(rng.integers(2))]
    time_s = float(rng.uniform(2.5, 6.0))
    pose = clip.pose_at(time_s)
    places, turns = clip.skeleton.placed_joints(pose.root_position, pose.rotations)
    shoulder, hips = clip.skeleton.index(f"{hand}UpperArm"), clip.skeleton.index("hips")
    del turns, hips
    ahead = clip.pose_at(time_s + 0.2).root_position - clip.pose_at(time_s - 0.2).root_position
    ahead = np.array([ahead[0], 0.0, ahead[2]]) if np.hypot(ahead[0], ahead[2]) > 0.05 else np.array([0.0, 0.0, 1.0])
    ahead = ahead / np.linalg.norm(ahead)
    side = np.cross(ahead, [0.0, 1.0, 0.0]) * (1.0 if hand == "right" else -1.0)
    way = rng.uniform(0.3, 1.0) * ahead + rng.uniform(0.1, 0.8) * side + np.array([0.0, rng.uniform(-0.7, 0.7), 0.0])
    target = places[shoulder] + way / np.linalg.norm(way) * rng.uniform(0.32, 0.5)
    return us.reach(clip, hand=hand, target=target, at=time_s)


def corrected(seed: int) -> Any:
    """Arms past a post that stands beside a walk."""
    rng = np.random.default_rng([6, seed])
    at = (float(rng.uniform(0.3, 0.55)), 0.8, float(rng.uniform(2.0, 7.0)))
    scene = Scene().with_object("post", Box(size_m=(0.12, 1.6, 0.12)), position=at)
    return us.correct(_clip("walk"), scene, limbs=["right_arm", "left_arm"])


def handled(kind: int) -> Callable[[int], Any]:
    """Everyday things for hands, of one kind: touch, grab, or grab and place."""

    def job(seed: int) -> Any:
        for k in range(seed * 50, seed * 50 + 50):
            problem = everyday_problem(recorded_clips(), 100_000 + 4 * k + kind)
            if verdict(problem) == FEASIBLE:
                return problem.solved(HandlingOptions(deadline_s=_DEADLINE_S))
        raise PlanningInputError("no feasible problem was drawn")

    return job


def program(kind: str) -> Callable[[int], Any]:
    """A book carried to a table, or a cup poured into."""

    def job(seed: int) -> Any:
        for k in range(50):
            scene = PROGRAMS[kind](np.random.default_rng([7, seed, k]))
            if not doable(scene):
                return us.perform(scene, options=HandlingOptions(deadline_s=_DEADLINE_S))
        raise PlanningInputError("no feasible problem was drawn")

    return job


def door(pushed: bool) -> Callable[[int], Any]:
    """A door that is opened and walked through."""

    def job(seed: int) -> Any:
        for k in range(50):
            one = variation(50_000 + 50 * seed + k, pushed=pushed)
            if passable(one) and (not len(one.boxes) or openable(one)):
                person = Person().skeleton()
                return us.open_door(one.scene(), "door", start=one.start, goal=one.goal, person=person)
        raise PlanningInputError("no feasible problem was drawn")

    return job


def between(seed: int) -> Any:
    """From one built-in posture to another."""
    first, second = np.random.default_rng([8, seed]).choice(STANDING, 2, replace=False)
    return us.between(str(first), str(second))


def between_recorded(seed: int) -> Any:
    """From one recorded posture to another of the same person."""
    return us.between(*drawn(seed).keys)


def dragged(name: str) -> Callable[[int], Any]:
    """A ball of a play dragged by some centimetres."""

    def job(seed: int) -> Any:
        from understudy.batch.verbs import VERBS

        rng = np.random.default_rng([9, seed])
        ball = f"ball{rng.integers(3)}" if name == "juggling" else "ball"
        by = rng.uniform([-0.08, -0.05, -0.08], [0.08, 0.15, 0.08]).tolist()
        asked = {"project": f"{name}.toml", "ball": ball, "by": by, "time_s": float(rng.uniform(2.0, 5.0))}
        return VERBS["interact"].model_validate(asked).run(_PROJECTS, seed)

    return job


def performed(seed: int) -> Any:
    """A clip of the built-in performer, of any stature and style."""
    rng = np.random.default_rng([10, seed])
    made = performance(
        str(rng.choice(list(CLIPS))),
        seed=seed,
        person=Person(stature_m=float(rng.uniform(1.5, 1.95))),
        style=str(rng.choice(["calm", "brisk", "tired"])),
    )
    return clip_result(made.motion)


def stood_by(seed: int) -> Any:
    """Walk up to a pillar table, take the mug, carry it to another table and put it down."""
    rng = np.random.default_rng([11, seed])
    heights = rng.uniform(0.7, 1.0, 2)
    places = (np.array([-1.5, 1.5]) + rng.uniform(-0.4, 0.4, 2), np.array([1.5, 1.0]) + rng.uniform(-0.4, 0.4, 2))
    scene = Scene()
    for name, height, at in zip(("here", "there"), heights, places, strict=True):
        top = Cylinder(radius_m=float(rng.uniform(0.25, 0.4)), height_m=float(height))
        scene = scene.with_object(name, top, position=(float(at[0]), 0.5 * float(height), float(at[1])))
    mug = Cylinder(radius_m=0.04, height_m=0.1)
    scene = scene.with_object(
        "mug", mug, position=(float(places[0][0]), heights[0] + 0.0505, float(places[0][1]) - 0.15)
    )
    scene = scene.with_character("anna", start=(float(rng.uniform(-0.5, 0.5)), float(rng.uniform(-1.5, -0.8))))
    scene = scene.with_task("anna", "grab", object="mug").with_task("anna", "place", object="mug", target="there")
    return us.perform(scene, options=HandlingOptions(deadline_s=_DEADLINE_S))


JOBS: dict[str, Callable[[int], Any]] = {
    "walk": walks("performer"),
    "walk, CMU 69": walks("69"),
    "walk, CMU 16": walks("16"),
    "sample": sampled,
    "stream": streamed,
    "together": together,
    "crowd": crowded,
    "crossing": crossing,
    "ring": ringed,
    "reach": reached,
    "correct": corrected,
    "touch": handled(1),
    "grab": handled(2),
    "grab and place": handled(3),
    "mug": stood_by,
    **{f"household, {kind}": household(kind) for kind in HOUSEHOLD},
    "book": program("book"),
    "pour": program("pour"),
    "door, pushed": door(True),
    "door, pulled": door(False),
    "between": between,
    "between, recorded": between_recorded,
    "juggling": dragged("juggling"),
    "soccer": dragged("soccer"),
    "performer": performed,
    "retarget": retargeted,
    "repair": repaired,
}
