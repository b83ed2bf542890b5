"""Everyday problems for hands: somebody stands, walks past or turns, and takes, touches or puts down something near.

What a user would set up without thinking twice: a thing on a board, a table, a shelf or in the air, 0.4 to 1.8 m high,
at either side, and one moment at which the hand has to be there. Furniture that the clip itself would run into is drawn
again; whether the arm can do it at all is for ``limb_everyday_oracle`` to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np

import understudy as us
from benchmarks.suites.limb_problems import joint_at
from understudy import rotations as rot
from understudy.collision import ShapePose, shape_distance
from understudy.core import Motion
from understudy.core.planning import Result
from understudy.limbs.handling import HandlingOptions
from understudy.performer import builtin_clips
from understudy.scene import Scene
from understudy.scene.objects import Handle
from understudy.scene.shapes import Box, Cylinder, Shape, Sphere
from understudy.typing import FloatArray
from understudy.verify import verify

#: The performer's clips that are used, and recorded ones where they are at hand.
MADE = (
    "idle",
    "walk",
    "walk_slow",
    "walk_fast",
    "veer_left",
    "turn_right",
    "sharp_left",
    "u_turn_right",
    "stop",
    "start",
)
RECORDED = ("16_16", "16_31", "16_33", "16_11", "16_18", "16_20", "69_13", "69_20", "82_10", "137_26")
KINDS = ("reach", "touch", "grab", "grab and place")
STANDS = ("air", "board", "table", "shelf")
#: [s] how much of a clip is used, and how far from its ends the moment lies.
_LONG_S, _ROOM_S = 6.0, 1.3
#: Share of the arm's length at which things are.
_NEAR, _FAR = 0.45, 0.92
#: [s] between taking something and putting it down.
_CARRIED_S = 1.6


@dataclass(frozen=True, eq=False, kw_only=True)
class EverydayProblem:
    """One thing for a hand to do.

    Attributes:
        case: Its number and kind.
        motion: The clip.
        scene: Furniture and the ``thing``.
        kind: One of ``KINDS``.
        stand: One of ``STANDS``.
        hand: Which.
        at_s: When; nothing for as soon as possible.
        place: Where the thing is put down, for those that are.
        place_s: When.
    """

    case: str
    motion: Motion
    scene: Scene
    kind: str
    stand: str
    hand: str
    at_s: float | None
    place: tuple[float, float, float] = (0.0, 0.0, 0.0)
    place_s: float = 0.0

    def solved(self, options: HandlingOptions | None = None) -> Result:
        """What Understudy makes of it."""
        asked = {"hand": self.hand, "at": self.at_s, "options": options}
        if self.kind == "reach":
            return us.reach(self.motion, self.scene, target="thing", hand=self.hand, at=self.at_s, options=options)
        if self.kind == "touch":
            return us.touch(self.motion, self.scene, "thing", **asked)
        if self.kind == "grab":
            return us.grab(self.motion, self.scene, "thing", **asked)
        scene = self.scene.with_character("anna", motion=self.motion)
        scene = scene.with_task("anna", "grab", object="thing", hand=self.hand, at_s=self.at_s)
        scene = scene.with_task("anna", "place", object="thing", target=self.place, at_s=self.place_s)
        return us.perform(scene, options=options)


@lru_cache
def clips(folder: Path | None) -> tuple[Motion, ...]:
    """The performer's clips and recorded ones, cut to a few seconds."""
    made = [clip for name in MADE for clip in builtin_clips(name) if clip.name == name]
    found = [folder / f"{name}.bvh" for name in RECORDED] if folder is not None else []
    made += [us.load_motion(path) for path in found if path.is_file()]
    return tuple(clip.frames(0, min(len(clip), int(_LONG_S * clip.fps))) for clip in made if clip.duration_s > 2.9)


def everyday_problem(folder: Path | None, seed: int) -> EverydayProblem:
    """A problem whose furniture nobody runs into."""
    rng = np.random.default_rng([11, seed])
    every = clips(folder)
    while True:
        problem = _drawn(every[int(rng.integers(len(every)))], seed, rng)
        if problem is not None:
            return problem


def _drawn(motion: Motion, seed: int, rng: np.random.Generator) -> EverydayProblem | None:
    """One try at a problem; nothing where the clip runs into it or the arm is plainly too short."""
    kind, stand = KINDS[seed % len(KINDS)], STANDS[(seed // len(KINDS)) % len(STANDS)]
    hand = ("left", "right")[int(rng.integers(2))]
    last = motion.duration_s - _ROOM_S - (_CARRIED_S if kind == "grab and place" else 0.0)
    if last < _ROOM_S:
        return None
    at_s = float(np.round(rng.uniform(_ROOM_S, last) * 30) / 30)
    at = _beside(motion, hand, at_s, float(rng.uniform(0.4, 1.8)), rng)
    if at is None:
        return None
    ahead = _facing(motion, at_s)
    shape, handles = _thing(rng)
    scene = _furnished(stand, at, _half_height(shape), ahead, rng, _away(motion, at, at_s))
    turn = rot.from_axis_angle(np.array([0.0, 1.0, 0.0]), ahead)
    scene = scene.with_object("thing", shape, position=_floats(at), rotation=turn, handles=handles)
    if _runs_into(motion, scene):
        return None
    place, place_s = (0.0, 0.0, 0.0), 0.0
    if kind == "grab and place":
        place_s = float(np.round((at_s + _CARRIED_S) * 30) / 30)
        put = _beside(motion, hand, place_s, float(at[1]) + float(rng.uniform(-0.15, 0.15)), rng)
        if put is None:
            return None
        base = put - np.array([0.0, _half_height(shape), 0.0])
        ahead = _facing(motion, place_s)
        scene = _with_board(scene, "there", base, 0.03, (0.26, 0.22), ahead, _away(motion, put, place_s), 0.05)
        place = _floats(base)
        if _runs_into(motion, scene) or _overlap(scene, "thing", "there"):
            return None
    return EverydayProblem(
        case=f"{seed} {motion.name} {kind} {stand} {hand}",
        motion=motion,
        scene=scene,
        kind=kind,
        stand=stand,
        hand=hand,
        at_s=at_s,
        place=place,
        place_s=place_s,
    )


def _floats(point: FloatArray) -> tuple[float, float, float]:
    return float(point[0]), float(point[1]), float(point[2])


def _facing(motion: Motion, time_s: float) -> float:
    """Heading of the shoulders at a time [rad], 0 towards +Z."""
    across = joint_at(motion, "leftUpperArm", time_s) - joint_at(motion, "rightUpperArm", time_s)
    return float(np.arctan2(-across[2], across[0]))


def _beside(motion: Motion, hand: str, time_s: float, height: float, rng: np.random.Generator) -> FloatArray | None:
    """A point in front of a shoulder or at its side, at a height [m]; nothing where the arm does not reach so low."""
    shoulder = joint_at(motion, f"{hand}UpperArm", time_s)
    names = (f"{hand}UpperArm", f"{hand}LowerArm", f"{hand}Hand")
    joints = [joint_at(motion, name, time_s) for name in names]
    arm = sum(float(np.linalg.norm(b - a)) for a, b in pairwise(joints)) + 0.07
    away = float(rng.uniform(_NEAR, _FAR)) * arm
    level2 = away**2 - (height - shoulder[1]) ** 2
    if level2 < 0.15**2:
        return None
    side = 1.0 if hand == "left" else -1.0
    angle = _facing(motion, time_s) + side * np.radians(rng.uniform(-15.0, 95.0))
    level = np.sqrt(level2)
    return np.array([shoulder[0] + level * np.sin(angle), height, shoulder[2] + level * np.cos(angle)])


def _away(motion: Motion, point: FloatArray, time_s: float) -> FloatArray:
    """Unit direction ``(2,)`` on the floor from the hips to a point."""
    hips = joint_at(motion, "hips", time_s)
    to = (point - hips)[[0, 2]]
    return np.asarray(to / max(float(np.linalg.norm(to)), 1e-9))


def _thing(rng: np.random.Generator) -> tuple[Shape, tuple[Handle, ...]]:
    size = rng.uniform(0.05, 0.1, 3)
    kind = int(rng.integers(4))
    if kind == 0:
        return Box(size_m=_floats(size)), ()
    if kind == 1:
        return Sphere(radius_m=float(0.5 * size[0])), ()
    if kind == 2:
        return Cylinder(radius_m=float(0.5 * size[0]), height_m=float(2.0 * size[1])), ()
    up = Handle(name="top", at=(0.0, float(0.5 * size[1]) + 0.03, 0.0), approach=(0.0, 1.0, 0.0))
    return Box(size_m=_floats(size)), (up,)


def _half_height(shape: Shape) -> float:
    if isinstance(shape, Box):
        return 0.5 * shape.size_m[1]
    if isinstance(shape, Cylinder):
        return 0.5 * shape.height_m
    assert isinstance(shape, Sphere)
    return shape.radius_m


def _with_board(
    scene: Scene,
    name: str,
    top: FloatArray,
    thick: float,
    size: tuple[float, float],
    heading: float,
    away: FloatArray,
    inset: float,
) -> Scene:
    """A board under a point, its near edge ``inset`` [m] before it, as seen by who stands in front."""
    along = np.arctan2(away[0], away[1])
    # Boards stand along walls: square to where people look, by the nearer quarter.
    quarter = heading + np.round((along - heading) / (0.5 * np.pi)) * 0.5 * np.pi
    outward = np.array([np.sin(quarter), 0.0, np.cos(quarter)])
    middle = top + outward * (0.5 * size[1] - inset) - np.array([0.0, 0.5 * thick + 5e-4, 0.0])
    turn = rot.from_axis_angle(np.array([0.0, 1.0, 0.0]), quarter)
    return scene.with_object(name, Box(size_m=(size[0], thick, size[1])), position=_floats(middle), rotation=turn)


def _furnished(
    stand: str, at: FloatArray, half: float, heading: float, rng: np.random.Generator, away: FloatArray
) -> Scene:
    scene, base = Scene(), at - np.array([0.0, half, 0.0])
    inset, wide = float(rng.uniform(0.05, 0.12)), float(rng.uniform(0.3, 0.7))
    if stand == "air":
        return scene
    deep = {"board": 0.2, "table": 0.5, "shelf": 0.28}[stand]
    scene = _with_board(scene, stand, base, 0.03, (wide, deep), heading, away, inset)
    if stand == "shelf":
        scene = _with_board(
            scene, "upper board", base + np.array([0.0, 0.42, 0.0]), 0.03, (wide, deep), heading, away, inset
        )
    if stand == "table":
        post = Cylinder(radius_m=0.04, height_m=max(float(base[1]) - 0.05, 0.05))
        foot = base + np.array([away[0], 0.0, away[1]]) * 0.25
        scene = scene.with_object(
            "leg", post, position=(float(foot[0]), 0.5 * max(float(base[1]) - 0.05, 0.05), float(foot[2]))
        )
    return scene


def _overlap(scene: Scene, one: str, other: str) -> bool:
    """Whether two things are in each other from the beginning."""
    tracks = [scene.object_track(name, [0.0]) for name in (one, other)]
    here, there = (ShapePose(at[0], turn[0]) for at, turn in tracks)
    return shape_distance(scene.object(one).shape, here, scene.object(other).shape, there).distance_m <= 0.0


def _runs_into(motion: Motion, scene: Scene) -> bool:
    """Whether the clip itself touches anything."""
    report = verify(motion, scene, source=motion)
    names = {thing.name for thing in scene.objects}
    return any(pair.a in names or pair.b in names for pair in report.penetration.pairs)
