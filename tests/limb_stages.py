"""Stages for limb planning tests, and what an independent measurement says about limbs on them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from understudy import rotations as rot
from understudy.core import Motion
from understudy.limbs import LimbSpace, Stage
from understudy.performer import builtin_clips
from understudy.scene import Character, Scene
from understudy.scene.placements import Track
from understudy.scene.shapes import Box, Capsule, ConvexHull, Cylinder, Mesh, Sphere
from understudy.typing import FloatArray, IntArray
from understudy.verify.cast import things_of
from understudy.verify.forward import Performer
from understudy.verify.relations import BodyAndBody, BodyAndThing, Relation


@lru_cache
def walk() -> Motion:
    """Three seconds of the performer's walk."""
    return next(clip for clip in builtin_clips("walk") if clip.name == "walk").frames(60, 240).renamed("walk")


@lru_cache
def long_walk() -> Motion:
    """Six seconds of it."""
    return next(clip for clip in builtin_clips("walk") if clip.name == "walk")


def beside(motion: Motion) -> Scene:
    """A floating box where the right hand swings in the middle of a walk."""
    hand = motion.skeleton.humanoid["rightHand"]
    frame = len(motion) // 2
    places, _ = motion.skeleton.placed_joints(motion.root_positions[frame], motion.rotations[frame])
    x, y, z = (float(value) for value in places[hand])
    return Scene().with_object("box", Box(size_m=(0.1, 0.16, 0.16)), position=(x - 0.04, y, z))


def crowded(motion: Motion, *, floor: bool = True) -> Scene:
    """All kinds of solids on both sides of a walk along +Z, some of them moving, and somebody walking towards it."""
    middle = motion.root_positions[len(motion) // 2]
    turn = tuple(rot.from_axis_angle(np.array([0.3, 1.0, 0.2]), 0.7))
    corners = np.array([[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3], [0.2, 0.2, 0.2]]) - 0.1

    def at(x: float, y: float, z: float) -> tuple[float, float, float]:
        return (float(middle[0] + x), y, float(middle[2] + z))

    scene = Scene(floor=floor)
    scene = scene.with_object("box", Box(size_m=(0.2, 0.3, 0.15)), position=at(-0.5, 1.0, 0.3), rotation=turn)
    scene = scene.with_object("post", Cylinder(radius_m=0.06, height_m=2.0), position=at(-0.45, 1.0, -0.5))
    scene = scene.with_object("pole", Capsule(radius_m=0.04, length_m=1.0), position=at(0.5, 1.0, 0.4), rotation=turn)
    scene = scene.with_object("rock", ConvexHull(points=corners), position=at(-0.55, 0.8, 0.9))
    scene = scene.with_object("tetra", tetrahedron(), position=at(0.45, 1.1, -0.2))
    times = (0.0, 1.5, 3.0)
    ball = Track(times_s=times, positions=(at(-0.8, 1.2, -0.5), at(-0.3, 1.1, 0.3), at(-0.9, 1.3, 0.8)))
    return scene.with_object("ball", Sphere(radius_m=0.1), placement=ball)


def tetrahedron() -> Mesh:
    """A closed mesh."""
    points = np.array([[0, 0, 0], [0.25, 0, 0], [0, 0.3, 0], [0, 0, 0.25]]) - 0.08
    return Mesh(vertices=points, faces=np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]))


def with_passer_by(scene: Scene, motion: Motion) -> Scene:
    """The scene with a second person walking beside the first, in the other direction."""
    end = motion.root_positions[-1]
    person = Character(name="bob", motion=motion, start=(float(end[0] - 0.75), float(end[2])), heading_rad=np.pi)
    return scene.with_character(person)


def bent(stage: Stage, space: LimbSpace, offsets: FloatArray, times_s: FloatArray) -> Motion:
    """The motion with a limb's parameters changed at dense times, as a motion of its own."""
    roots, local = stage.motion.sample(times_s - stage.start_s)
    step = float(times_s[1] - times_s[0])
    return Motion(
        skeleton=stage.motion.skeleton,
        fps=1.0 / step,
        root_positions=roots,
        rotations=space.with_offsets(local, offsets),
    )


def _measured(relation: Relation, times_s: FloatArray, items: IntArray) -> FloatArray:
    """Distances ``(n,)`` [m] of pairs at times, exact however far."""
    return relation.distances(times_s, items, relation.places(times_s, items), np.full(len(times_s), np.inf))


def least_distances(stage: Stage, space: LimbSpace, offsets: FloatArray, times_s: FloatArray) -> dict[str, float]:
    """Smallest distance [m] of a limb to every object, person and (less what the source shows) to the body itself.

    Measured by the judge's own geometry, which shares no code with planning.
    """
    motion = bent(stage, space, offsets, times_s)
    source = bent(stage, space, np.zeros_like(offsets), times_s)
    body, start = stage.body, float(times_s[0])
    me = Performer(name="me", motion=motion, body=body, start_s=start)
    was = Performer(name="me", motion=source, body=body, start_s=start)
    parts = np.flatnonzero(np.isin(body.capsule_joints, space.moved))
    times = np.clip(times_s, start, start + motion.duration_s)
    found = {}
    flat = np.tile(parts, len(times)), np.repeat(times, len(parts))
    for thing in things_of(stage.scene):
        gaps = _measured(BodyAndThing(me, thing), flat[1], flat[0])
        if thing.name == "floor":
            continue
        found[thing.name] = float(gaps.min())
    for person in stage.scene.characters:
        if person.name != stage.character and person.motion is not None:
            other = Performer(
                name=person.name, motion=person.world_motion, body=person.fitted_body, start_s=person.start_s
            )
            pairs = np.array([(a, b) for a in parts for b in range(len(other.body.capsule_names))])
            which = np.tile(np.arange(len(pairs)), len(times)), np.repeat(times, len(pairs))
            found[person.name] = float(_measured(BodyAndBody(me, other, pairs), which[1], which[0]).min())
    own = body.self_pairs[np.isin(body.self_pairs, parts).any(axis=1)]
    which = np.tile(np.arange(len(own)), len(times)), np.repeat(times, len(own))
    now = _measured(BodyAndBody(me, me, own), which[1], which[0])
    then = _measured(BodyAndBody(was, was, own), which[1], which[0])
    found["itself"] = float((now - np.minimum(then, 0.0)).min())
    return found
