"""Furnished rooms at random, by two generators that share no idea.

``furnished(rng)`` scatters furniture in two rooms with a doorway between them. ``flat(rng)`` splits a rectangle again
and again into rooms with doorways, and puts cupboards along walls and round things anywhere. Nothing is tuned on it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from understudy import rotations as rot
from understudy.floor import Floor, build_floor
from understudy.scene.scene import Scene
from understudy.scene.shapes import Box, Cylinder
from understudy.typing import FloatArray

_WALL_M, _HIGH_M = 0.1, 2.4
_DOOR_M = (0.70, 0.90)
#: Name, width, depth and height of furniture [m].
_FURNITURE = (
    ("sofa", 2.0, 0.9, 0.8),
    ("shelf", 1.2, 0.35, 1.9),
    ("cupboard", 0.6, 0.5, 1.9),
    ("low table", 1.1, 0.6, 0.42),
    ("chair", 0.45, 0.45, 0.9),
    ("chair", 0.45, 0.45, 0.9),
)
#: [m] least distance of start and goal.
_APART_M = 2.0


class Trip(NamedTuple):
    """Where to walk in a scene: (x, z, degrees) of start and goal, and the narrowest doorway [m]."""

    scene: Scene
    floor: Floor
    start: tuple[float, float, float]
    goal: tuple[float, float, float]


def _block(scene: Scene, name: str, size: tuple[float, float, float], at: tuple[float, float], deg: float) -> Scene:
    where = (at[0], 0.5 * size[1], at[1])
    turn = rot.from_yaw(np.radians(deg))
    return scene.with_object(f"{name} {len(scene.objects)}", Box(size_m=size), position=where, rotation=turn)


def _wall(scene: Scene, a: FloatArray, b: FloatArray) -> Scene:
    middle, along = 0.5 * (a + b), b - a
    deg = float(np.degrees(np.arctan2(-along[1], along[0])))
    size = (float(np.hypot(*along)), _HIGH_M, _WALL_M)
    return _block(scene, "wall", size, (float(middle[0]), float(middle[1])), deg)


def _outer(scene: Scene, low: FloatArray, high: FloatArray) -> Scene:
    corners = [low, np.array([high[0], low[1]]), high, np.array([low[0], high[1]])]
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        scene = _wall(scene, a, b)
    return scene


def _parted(scene: Scene, a: FloatArray, b: FloatArray, door: float, width: float) -> Scene:
    """A wall with a doorway in it, its middle at a share of the wall's length."""
    length = float(np.hypot(*(b - a)))
    along, middle = (b - a) / length, np.clip(door * length, width, length - width)
    scene = _wall(scene, a, a + (middle - 0.5 * width) * along)
    return _wall(scene, a + (middle + 0.5 * width) * along, b)


def furnished(rng: np.random.Generator) -> Scene:
    """Two rooms with a doorway between them, and furniture where it falls."""
    wide, deep = rng.uniform(6.0, 8.0), rng.uniform(4.5, 6.0)
    low, high = np.array([-0.5 * wide, -0.5 * deep]), np.array([0.5 * wide, 0.5 * deep])
    scene = _outer(Scene(), low, high)
    x = float(rng.uniform(-0.8, 0.8))
    scene = _parted(scene, np.array([x, low[1]]), np.array([x, high[1]]), rng.uniform(0.2, 0.8), rng.uniform(*_DOOR_M))
    for _ in range(int(rng.integers(4, 8))):
        name, w, d, h = _FURNITURE[int(rng.integers(len(_FURNITURE)))]
        at = rng.uniform(low + 0.6, high - 0.6)
        scene = _block(
            scene, name, (w, h, d), (float(at[0]), float(at[1])), 90.0 * rng.integers(4) + 5.0 * rng.normal()
        )
    at, deg = rng.uniform(low + 1.0, high - 1.0), float(rng.uniform(0.0, 180.0))
    c, s = np.cos(np.radians(deg)), np.sin(np.radians(deg))
    for a, b in ((-0.65, -0.35), (0.65, -0.35), (-0.65, 0.35), (0.65, 0.35)):
        foot = (float(at[0] + a * c + b * s), float(at[1] - a * s + b * c))
        scene = _block(scene, "leg", (0.05, 0.72, 0.05), foot, deg)
    top = (float(at[0]), 0.74, float(at[1]))
    turn = rot.from_yaw(np.radians(deg))
    return scene.with_object("table top", Box(size_m=(1.4, 0.04, 0.8)), position=top, rotation=turn)


def flat(rng: np.random.Generator) -> Scene:
    """A flat: a rectangle split again and again, cupboards along walls, round things anywhere."""
    low, high = np.zeros(2), rng.uniform(6.0, 9.0, 2)
    scene = _outer(Scene(), low, high)
    rooms = [(low, high)]
    for _ in range(int(rng.integers(1, 4))):
        k = int(np.argmax([np.prod(b - a) for a, b in rooms]))
        a, b = rooms.pop(k)
        axis = int((b - a)[1] > (b - a)[0])
        cut = float(a[axis] + rng.uniform(0.38, 0.62) * (b - a)[axis])
        ends = [a.copy(), b.copy()]
        for end in ends:
            end[axis] = cut
        scene = _parted(scene, ends[0], ends[1], rng.uniform(0.15, 0.85), rng.uniform(*_DOOR_M))
        rooms += [(a, ends[1]), (ends[0], b)]
    for a, b in rooms:
        side = int(rng.integers(4))
        size = (float(rng.uniform(0.5, 1.6)), float(rng.uniform(0.7, 2.0)), float(rng.uniform(0.3, 0.6)))
        axis, far = side % 2, side // 2
        at = rng.uniform(a + 0.9, b - 0.9)
        at[axis] = (b[axis] - 0.5 * size[2] - 0.06) if far else (a[axis] + 0.5 * size[2] + 0.06)
        scene = _block(scene, "cupboard", size, (float(at[0]), float(at[1])), 90.0 if axis == 0 else 0.0)
        for _ in range(int(rng.integers(0, 3))):
            radius, height = float(rng.uniform(0.1, 0.45)), float(rng.uniform(0.3, 1.3))
            at = rng.uniform(a + radius, b - radius)
            where = (float(at[0]), 0.5 * height, float(at[1]))
            shape = Cylinder(radius_m=radius, height_m=height)
            scene = scene.with_object(f"round {len(scene.objects)}", shape, position=where)
    return scene


GENERATORS: dict[str, Callable[[np.random.Generator], Scene]] = {"furnished": furnished, "flat": flat}


def trip(generator: str, seed: int, room_m: float) -> Trip:
    """A trip for which a way with some room exists; scenes without one are drawn anew."""
    rng = np.random.default_rng([seed, sorted(GENERATORS).index(generator)])
    while True:
        scene = GENERATORS[generator](rng)
        floor = build_floor(scene, head_height_m=1.9, step_height_m=0.001)
        low, high = floor.bounds.min(axis=0), floor.bounds.max(axis=0)
        for _ in range(100):
            a, b = rng.uniform(low, high, (2, 2))
            if np.hypot(*(a - b)) > _APART_M and _inside(scene, a, b) and floor.connected(a, b, room_m):
                first, last = rng.uniform(-180.0, 180.0, 2)
                start, goal = (float(a[0]), float(a[1]), float(first)), (float(b[0]), float(b[1]), float(last))
                return Trip(scene, floor, start, goal)


def _inside(scene: Scene, *points: FloatArray) -> bool:
    """Whether points lie within the outer walls."""
    walls = np.array([one.placement.position for one in scene.objects if one.name.startswith("wall")])[:4]
    low, high = walls[:, [0, 2]].min(axis=0), walls[:, [0, 2]].max(axis=0)
    return all(bool(((point > low) & (point < high)).all()) for point in points)


def door(
    width_m: float, rng: np.random.Generator
) -> tuple[Scene, tuple[float, float, float], tuple[float, float, float]]:
    """A closed room parted by a wall with one doorway, and a trip through it."""
    low, high = np.array([-2.5, -2.5]), np.array([2.5, 2.5])
    scene = _outer(Scene(), low, high)
    scene = _parted(scene, np.array([-2.5, 0.0]), np.array([2.5, 0.0]), rng.uniform(0.25, 0.75), width_m)
    ends = [
        (*(float(v) for v in rng.uniform([-2.0, 0.5], [2.0, 2.0])), float(rng.uniform(-180, 180))) for _ in range(2)
    ]
    (x, z, deg), goal = ends
    return scene, (x, -z, deg), goal
