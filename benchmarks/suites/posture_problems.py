"""Postures to plan between: the published cases, random tangles, recorded extremes, scenes with floor and pins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

import numpy as np

from understudy.api.postures import at_pins, key_poses
from understudy.api.seats import with_seat
from understudy.core import Body, Motion, Pose, fit_body
from understudy.formats import load_motion
from understudy.performer import posture, posture_names
from understudy.postures import Pin
from understudy.postures.linking import SAFE_ZONE, linking_matrix
from understudy.postures.space import PostureSpace
from understudy.postures.stage import Stage
from understudy.postures.world import no_gaps
from understudy.scene import Box, Scene, Sphere
from understudy.typing import FloatArray, IntArray

#: The paper's cases, then their mirrored and crossed pairs.
PUBLISHED = {
    "arm fold": ("arms_folded", "arms_folded_mirror"),
    "leg cross": ("legs_crossed", "legs_crossed_mirror"),
    "yoga": ("eagle", "eagle_mirror"),
    "contortion": ("lying", "contortion"),
}
CROSSED = {
    "stand to arm fold": ("relaxed", "arms_folded"),
    "stand to yoga": ("relaxed", "eagle"),
    "arm fold to hands behind": ("arms_folded", "hands_behind_back"),
    "arm fold mirror to yoga": ("arms_folded_mirror", "eagle"),
    "leg cross to yoga mirror": ("legs_crossed", "eagle_mirror"),
    "leg cross to contortion": ("legs_crossed", "contortion"),
    "hug knees to yoga": ("hug_knees", "eagle"),
    "hug knees to contortion": ("hug_knees", "contortion"),
    "hug knees to hands behind": ("hug_knees", "hands_behind_back"),
    "contortion to yoga": ("contortion", "eagle"),
    "contortion to yoga mirror": ("contortion", "eagle_mirror"),
    "flare front to rear": ("flare_front", "flare_rear"),
}
#: Clips of acrobats, dancers and contortionists among the CMU recordings.
EXTREME = ("85_05", "85_08", "90_28", "49_06", "49_20", "88_08", "111_40")


@dataclass(frozen=True, eq=False, kw_only=True)
class PostureProblem:
    """Key postures and what stands around.

    Attributes:
        case: What it is called.
        keys: The postures.
        body: Whose.
        scene: What stands around.
        pins: What is held.
        loose: Whether the last posture has no place of its own.
    """

    case: str
    keys: tuple[Pose, ...]
    body: Body
    scene: Scene | None = None
    pins: tuple[Pin, ...] = field(default=())
    loose: bool = False


def named(cases: dict[str, tuple[str, str]]) -> list[PostureProblem]:
    """Problems between built-in postures."""
    body = fit_body(posture("relaxed").skeleton)
    found = []
    for case, names in cases.items():
        keys = [posture(name, person=body.skeleton) for name in names]
        seat = with_seat(names, keys, body)
        scene, keys = seat if seat is not None else (None, keys)
        found.append(PostureProblem(case=case, keys=tuple(keys), body=body, scene=scene, loose=seat is None))
    return found


def every_pair() -> list[PostureProblem]:
    """All pairs of built-in postures."""
    return named({f"{a} to {b}": (a, b) for a, b in combinations(posture_names(), 2)})


def around() -> list[PostureProblem]:
    """Floor, obstacles and pins."""
    ball = Scene().with_object("ball", Sphere(radius_m=0.15), position=(0.5, 1.3, 0.25))
    posts = Scene(name="posts")
    for n, (x, z) in enumerate(((0.75, 0.1), (-0.75, 0.1), (0.45, 0.55), (-0.45, 0.55))):
        posts = posts.with_object(f"post {n}", Box(size_m=(0.1, 2.0, 0.1)), position=(x, 1.0, z))
    feet = ("leftFoot", "rightFoot")
    problems = [
        ("T to arm fold, a ball between", ("t", "arms_folded"), ball, ()),
        ("arm fold, four posts", ("arms_folded", "hands_behind_back"), posts, ()),
        ("stand to yoga, four posts", ("relaxed", "eagle"), posts, ()),
        ("arm fold, both feet pinned", ("arms_folded", "arms_folded_mirror"), Scene(), feet),
        ("arms behind, posts, feet pinned", ("arms_folded", "hands_behind_back"), posts, feet),
        ("stand to yoga, right foot pinned", ("relaxed", "eagle"), Scene(), ("rightFoot",)),
        ("yoga to hug knees, right foot pinned", ("eagle", "hug_knees"), Scene(), ("rightFoot",)),
    ]
    found = []
    for case, names, scene, held in problems:
        keys, pins = key_poses(names), tuple(Pin(joint=one) for one in held)
        if pins:
            keys = [at_pins(key, keys[0], pins) for key in keys]
        body = fit_body(keys[0].skeleton)
        found.append(PostureProblem(case=case, keys=tuple(keys), body=body, scene=scene, pins=pins))
    return found


def tangles(count: int, *, seed: int) -> Iterator[PostureProblem]:
    """Random tangled pairs, grown from an open posture by certified moves: each can be untied.

    Only pairs count whose linking integrals differ by more than the paper's safe zone allows and whose straight line is
    not free.
    """
    rng = np.random.default_rng(seed)
    body = fit_body(posture("relaxed").skeleton)
    start = posture("relaxed", person=body.skeleton)
    space = PostureSpace(body=body, reference=start.rotations[0])
    stage = Stage(space=space, keep=no_gaps(space.arrays) + 5e-4)
    begin = space.coordinates(start)
    made = 0
    while made < count:
        a, b = (_tangled(stage, begin, rng) for _ in range(2))
        if np.abs(linking_matrix(space, a) - linking_matrix(space, b)).max() < SAFE_ZONE or stage.free(a, b):
            continue
        made += 1
        yield PostureProblem(case="tangles", keys=(space.pose(a), space.pose(b)), body=body)


def _tangled(stage: Stage, begin: FloatArray, rng: np.random.Generator) -> FloatArray:
    """A posture of many moves, each of a few limbs and up to contact, that bend more than they stretch."""
    q, limits = begin.copy(), stage.space.body.limits
    chains = stage.space.linkages[0]
    for _ in range(int(rng.integers(12, 25))):
        goal = q.copy()
        wild = np.zeros_like(q)
        # The ends of a joint's range are where limbs cross each other.
        share = rng.beta(0.6, 0.6, size=limits.low.shape)
        wild[3:] = (limits.low + share * (limits.high - limits.low)).ravel()
        for chain in rng.choice(len(chains), size=int(rng.integers(1, 4)), replace=False):
            for joint in chains[chain][chains[chain] > 0]:
                goal[3 + 3 * joint : 6 + 3 * joint] = wild[3 + 3 * joint : 6 + 3 * joint]
        goal = stage.clamped(goal)
        q = q + 0.97 * stage.advanced(q, goal) * (goal - q)
    return q


def recorded(folder: Path, count: int, *, seed: int) -> Iterator[PostureProblem]:
    """Random pairs of extreme postures of one clip, both at the first one's place, with all faults they have.

    Extreme are the third of a clip's postures whose parts, neighbours apart, are nearest to each other.
    """
    rng = np.random.default_rng(seed)
    clips = [load_motion(folder / f"{name}.bvh") for name in EXTREME if (folder / f"{name}.bvh").is_file()]
    bodies = [fit_body(clip.skeleton) for clip in clips]
    folded = [_folded(clip, body) for clip, body in zip(clips, bodies, strict=True)]
    for _ in range(count if clips else 0):
        which = int(rng.integers(len(clips)))
        clip = clips[which]
        first, second = (clip.pose(int(frame)) for frame in rng.choice(folded[which], size=2, replace=False))
        place = second.root_position.copy()
        place[[0, 2]] = first.root_position[[0, 2]]
        moved = replace(second, root_position=place)
        yield PostureProblem(case="recorded extremes", keys=(first, moved), body=bodies[which])


def _folded(clip: Motion, body: Body) -> IntArray:
    """Frames of a clip whose nearest ten pairs of parts are nearest, in sum."""
    space = PostureSpace(body=body, reference=clip.rotations[0, 0])
    stage = Stage(space=space, keep=no_gaps(space.arrays))
    frames = np.linspace(0, len(clip) - 1, min(len(clip), 300)).astype(np.int64)
    nearest = [np.sort(stage.gaps(space.coordinates(clip.pose(int(frame)))))[:10].sum() for frame in frames]
    return frames[np.argsort(nearest)[: len(frames) // 3]]
