"""Problems for limbs: fixed scenes, a mesh of 30,000 triangles, and random clips with random obstacles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

import understudy as us
from understudy import rotations as rot
from understudy.core import Motion
from understudy.limbs import limb_space, stage_of, touches
from understudy.limbs.targets import hand_point
from understudy.performer import builtin_clips
from understudy.scene import Scene
from understudy.scene.attachments import Attachment
from understudy.scene.placements import Track
from understudy.scene.shapes import Box, Capsule, Cylinder, Mesh, Shape, Sphere
from understudy.scene.transforms import Transform
from understudy.typing import FloatArray

#: Recorded walks that are used where they are at hand.
RECORDED = ("16_16", "16_21", "16_31", "16_32", "16_58", "35_01", "69_01")
#: [s] how much of a clip is used, and how long it has to be.
_LONG_S, _SHORT_S = 5.0, 3.2


@dataclass(frozen=True, eq=False, kw_only=True)
class LimbProblem:
    """One thing to ask of a limb.

    Attributes:
        case: Its name.
        motion: The clip.
        scene: What surrounds it.
        limbs: What to correct; empty for a reach.
        hand: Which hand reaches.
        target: ``(3,)`` [m] or a name.
        at_s: When.
        orientation: ``(4,)`` of the hand, or ``None``.
    """

    case: str
    motion: Motion
    scene: Scene
    limbs: tuple[str, ...] = ()
    hand: str = "right"
    target: str | tuple[float, ...] = ""
    at_s: float = 0.0
    orientation: FloatArray | None = None

    def solved(self, options: us.LimbOptions) -> us.Result[us.LimbTrace]:
        """What Understudy makes of it."""
        if self.limbs:
            return us.correct(self.motion, self.scene, limbs=list(self.limbs), options=options)
        return us.reach(
            self.motion,
            self.scene,
            hand=self.hand,
            target=self.target,
            at=self.at_s,
            orientation=self.orientation,
            options=options,
        )


def joint_at(motion: Motion, role: str, time_s: float) -> FloatArray:
    """Where a joint is [m]."""
    pose = motion.pose_at(time_s)
    places, _ = motion.skeleton.placed_joints(pose.root_position, pose.rotations)
    return np.asarray(places[motion.skeleton.humanoid[role]])


def as_point(place: FloatArray) -> tuple[float, float, float]:
    """A place as scenes have it [m]."""
    return float(place[0]), float(place[1]), float(place[2])


@lru_cache
def clips(folder: Path | None) -> tuple[Motion, ...]:
    """The performer's walks and idles, and recorded walks."""
    made = [clip for kind in ("walk", "idle") for clip in builtin_clips(kind)]
    found = [folder / f"{name}.bvh" for name in RECORDED] if folder is not None else []
    made += [us.load_motion(path) for path in found if path.is_file()]
    long = [clip for clip in made if clip.duration_s > _SHORT_S]
    return tuple(clip.frames(0, min(len(clip), int(_LONG_S * clip.fps))) for clip in long)


def walk() -> Motion:
    """Five seconds of the performer's walk."""
    return next(clip for clip in builtin_clips("walk") if clip.name == "walk").frames(0, 300)


def scenes() -> Iterator[LimbProblem]:
    """The fixed scenes; a person walks towards +Z, its right side is -X."""
    motion = walk()
    hand = joint_at(motion, "rightHand", 2.5)
    yield LimbProblem(
        case="box beside a walk",
        motion=motion,
        scene=Scene().with_object(
            "box", Box(size_m=(0.1, 0.16, 0.16)), position=as_point(hand + np.array([-0.04, 0.0, 0.0]))
        ),
        limbs=("right_arm",),
    )
    yield staff_and_posts(motion, 1)
    yield staff_and_posts(motion, 2)
    yield low_box(motion)
    yield reach_on_shelf(motion)
    yield ring(next(clip for clip in builtin_clips("idle") if clip.duration_s > 4.0), "idling")
    yield triangles(motion)
    yield ring(motion, "walking")


def staff_and_posts(motion: Motion, posts: int) -> LimbProblem:
    """A staff held away from the body, and one post or a narrow gate of two that it does not fit through."""
    scene = Scene().with_object("staff", Capsule(radius_m=0.015, length_m=0.6))
    way = motion.root_positions[150]
    for k, side in enumerate((-1.0, 1.0)[:posts]):
        place = (float(way[0]) + side * (0.55 if posts == 1 else 0.48), 1.1, float(way[2]))
        scene = scene.with_object(f"post {k + 1}", Cylinder(radius_m=0.05, height_m=2.2), position=place)
    scene = scene.with_character("anna", motion=motion)
    pose = motion.pose_at(2.5)
    _, turns = pose.world()
    hand = motion.skeleton.humanoid["rightHand"]
    outward = rot.from_axis_angle(np.array([0.0, 0.0, 1.0]), 0.5 * np.pi)
    palm = rot.rotate(rot.conjugate(turns[hand]), np.array([-0.34, -0.08, 0.0]))
    turn = rot.multiply(rot.conjugate(turns[hand]), outward)
    w, x, y, z = (float(value) for value in turn)
    grip = Transform(position=as_point(palm), rotation=(w, x, y, z))
    scene = scene.with_attachment(Attachment(object="staff", to="anna.right_hand", grip=grip))
    case = "staff past one post" if posts == 1 else "staff between two posts"
    return LimbProblem(case=case, motion=motion, scene=scene, limbs=("right_arm",))


def low_box(motion: Motion) -> LimbProblem:
    """A low box where the right foot swings through."""
    foot = np.stack([joint_at(motion, "rightToes", t) for t in motion.times_s])
    swing = int(np.argmax(np.gradient(foot[60:240, 2]))) + 60
    box = Box(size_m=(0.12, 0.04, 0.08))
    scene = Scene().with_object("low box", box, position=(float(foot[swing, 0]), 0.02, float(foot[swing, 2])))
    return LimbProblem(case="low box, foot", motion=motion, scene=scene, limbs=("right_leg",))


def reach_on_shelf(motion: Motion) -> LimbProblem:
    """A point above a shelf board."""
    shoulder = joint_at(motion, "rightUpperArm", 2.9)
    target = shoulder + np.array([-0.3, -0.15, 0.15])
    board = Box(size_m=(0.3, 0.03, 0.4))
    scene = Scene().with_object("board", board, position=as_point(target + np.array([-0.1, -0.12, 0.0])))
    return LimbProblem(case="reach over a shelf", motion=motion, scene=scene, target=as_point(target), at_s=2.9)


def ring(motion: Motion, doing: str) -> LimbProblem:
    """A ball in the middle of a ring of boxes that moves along."""
    at_s = 2.4
    shoulder = joint_at(motion, "rightUpperArm", at_s)
    middle = shoulder + np.array([-0.18, -0.32, 0.22])
    scene = Scene()
    along = np.array([0.0, 0.0, 0.25])
    times = np.array([0.0, at_s, motion.duration_s])
    moved = [middle + along * (t - at_s) for t in times]
    for k in range(8):
        angle = 2.0 * np.pi * k / 8
        spoke = 0.19 * np.array([0.0, np.cos(angle), np.sin(angle)])
        turn = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), angle)
        track = Track(times_s=times, positions=np.array(moved) + spoke, rotations=np.tile(turn, (3, 1)))
        scene = scene.with_object(f"ring {k}", Box(size_m=(0.05, 0.03, 0.16)), placement=track)
    return LimbProblem(case=f"ring while {doing}", motion=motion, scene=scene, target=as_point(middle), at_s=at_s)


def round_mesh(radius_m: float, triangles_wanted: int) -> Mesh:
    """A closed, dented ball of about that many triangles."""
    around = int(np.sqrt(triangles_wanted))
    rows = around // 2 + 1
    rise, turn = np.linspace(-0.5 * np.pi, 0.5 * np.pi, rows)[1:-1], np.linspace(0, 2 * np.pi, around, endpoint=False)
    flat, lifted = np.meshgrid(turn, rise)
    dent = radius_m * (1.0 + 0.1 * np.sin(7 * flat) * np.cos(lifted) ** 2)
    ball = np.stack([dent * np.cos(lifted) * np.cos(flat), dent * np.sin(lifted), dent * np.cos(lifted) * np.sin(flat)])
    points = np.concatenate([ball.reshape(3, -1).T, [[0.0, -radius_m, 0.0]], [[0.0, radius_m, 0.0]]])
    faces = []
    for row in range(rows - 3):
        a = row * around + np.arange(around)
        b = row * around + (np.arange(around) + 1) % around
        faces += [np.stack([a, a + around, b], axis=1), np.stack([b, a + around, b + around], axis=1)]
    first, last, top = np.arange(around), (rows - 3) * around + np.arange(around), len(points)
    faces.append(np.stack([np.full(around, top - 2), first, np.roll(first, -1)], axis=1))
    faces.append(np.stack([last, np.full(around, top - 1), np.roll(last, -1)], axis=1))
    return Mesh(vertices=points, faces=np.concatenate(faces).astype(np.int64))


def triangles(motion: Motion) -> LimbProblem:
    """A mesh of 30,000 triangles where the right hand swings."""
    hand = joint_at(motion, "rightHand", 2.5)
    shape = round_mesh(0.09, 30_000)
    scene = Scene().with_object("boulder", shape, position=as_point(hand + np.array([-0.08, 0.0, 0.0])))
    return LimbProblem(case="30,000 triangles", motion=motion, scene=scene, limbs=("right_arm",))


def _shape(rng: np.random.Generator) -> Shape:
    size = rng.uniform(0.06, 0.2, 3)
    kind = rng.integers(3)
    if kind == 0:
        return Box(size_m=as_point(size))
    if kind == 1:
        return Sphere(radius_m=float(0.5 * size[0]))
    return Cylinder(radius_m=float(size[0] / 3.0), height_m=float(2.0 * size[1]))


def random_problem(folder: Path | None, seed: int) -> LimbProblem:
    """A random clip with random obstacles: an arm that swings into one, or a hand that has to get past some."""
    rng = np.random.default_rng([7, seed])
    every = clips(folder)
    motion = every[int(rng.integers(len(every)))]
    side = ("left", "right")[int(rng.integers(2))]
    at_s = float(rng.uniform(1.6, motion.duration_s - 1.2))
    reaching = bool(seed % 2)
    shoulder, hips = joint_at(motion, f"{side}UpperArm", at_s), joint_at(motion, "hips", at_s)
    scene = Scene()
    if not reaching:
        hand = joint_at(motion, f"{side}Hand", at_s) + rng.normal(0.0, 0.05, 3)
        scene = scene.with_object("obstacle 0", _shape(rng), position=as_point(hand))
    for k in range(1, 1 + int(rng.integers(1, 4))):
        place, shape = shoulder + rng.normal(0.0, 0.4, 3), _shape(rng)
        more = scene.with_object(f"obstacle {k}", shape, position=as_point(place))
        apart = float(np.hypot(*(place - hips)[[0, 2]])) > 0.38
        stage = stage_of(motion, more)
        if apart and (not reaching or not touches(stage, f"{side}_arm")):
            scene = more
    case = f"random {seed}"
    if not reaching:
        return LimbProblem(case=case, motion=motion, scene=scene, limbs=(f"{side}_arm",))
    target, turn = _reachable(motion, side, at_s, rng)
    wanted = turn if rng.uniform() < 0.2 else None
    return LimbProblem(
        case=case, motion=motion, scene=scene, hand=side, target=as_point(target), at_s=at_s, orientation=wanted
    )


def _reachable(motion: Motion, side: str, at_s: float, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Where the palm is, and how the hand is turned, in a random posture of the arm within its limits."""
    stage = stage_of(motion)
    space = limb_space(stage.body, f"{side}_arm")
    pose = motion.pose_at(at_s)
    while True:
        own = space.coordinates(pose.rotations) + rng.normal(0.0, 0.45, len(space)) @ space.spread.T
        if space.excess(own).max() <= 0.0:
            break
    places, turns = motion.skeleton.placed_joints(pose.root_position, space.with_coordinates(pose.rotations, own))
    joint = motion.skeleton.humanoid[f"{side}Hand"]
    return places[joint] + rot.rotate(turns[joint], hand_point(stage, side, fingers=False)), turns[joint]
