"""A quick look at a motion before the judge sees it: what touches what, and when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from understudy.collision import Checker, CollisionBody, world_of
from understudy.core.body import Body
from understudy.core.motion import Motion
from understudy.scene.contacts import FLOOR
from understudy.scene.scene import Scene


class Touch(NamedTuple):
    """A part of the body in an object.

    Attributes:
        time_s: When it is deepest [s].
        part: The capsule.
        other: The object.
        depth_m: How deep [m].
    """

    time_s: float
    part: str
    other: str
    depth_m: float


def touches(
    motion: Motion,
    scene: Scene,
    body: Body,
    *,
    character: str,
    spared: tuple[str, Sequence[str]],
    rate_hz: float = 30.0,
    room_m: float = 0.0,
) -> tuple[Touch, ...]:
    """Where a body comes nearer than ``room_m`` to a scene, deepest first; one entry per part and object.

    Args:
        motion: The motion, in the scene's time.
        scene: With the door in motion.
        body: The body.
        character: Whose motion.
        spared: A part and what it may touch, such as ``("right_hand", ["lever"])``.
        rate_hz: How often it is looked at.
        room_m: Distance that counts as touching [m].
    """
    world = world_of(scene, character=character, end_s=motion.duration_s)
    soles = [(f"{side}_{part}", FLOOR) for side in ("left", "right") for part in ("foot", "toes")]
    spares = [(spared[0], name) for name in spared[1]]
    checker = Checker(CollisionBody(body), world, allowed=[*(soles if scene.floor else []), *spares])
    step = max(1, round(motion.fps / rate_hz))
    frames = np.arange(0, len(motion), step)
    rows = checker.distances_many(motion.rotations[frames], motion.root_positions[frames], frames / motion.fps)[:, 0]
    found: dict[tuple[str, str], Touch] = {}
    for frame, row in zip(frames.tolist(), rows, strict=True):
        if not row[0] < room_m:
            continue
        pair = (checker.body.names[int(row[1])], world.names[int(row[2])])
        depth = float(room_m - row[0])
        if pair not in found or depth > found[pair].depth_m:
            found[pair] = Touch(frame / motion.fps, *pair, depth)
    return tuple(sorted(found.values(), key=lambda one: -one.depth_m))
