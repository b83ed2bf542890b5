"""Scenes of the sampling suite: Chen and Steed's corridor and clutter, walls with a gap, a low bar.

Where the paper is silent (start, goal, the corridor's size) values are ours.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from understudy.scene import Box, Scene

Point = tuple[float, float]


class Problem(NamedTuple):
    """A scene with a start and a goal on its floor (x, z) [m], and where start and goal face [deg]; 0 is +Z.

    A goal without a heading may be reached facing anywhere.
    """

    scene: Scene
    start: Point
    goal: Point
    facing_deg: float = 0.0
    arriving_deg: float | None = None


def with_wall(scene: Scene, name: str, low: Point, high: Point, *, top_m: float = 2.0, bottom_m: float = 0.0) -> Scene:
    """A box over a rectangle of the floor."""
    size = (high[0] - low[0], top_m - bottom_m, high[1] - low[1])
    middle = (0.5 * (low[0] + high[0]), 0.5 * (top_m + bottom_m), 0.5 * (low[1] + high[1]))
    return scene.with_object(name, Box(size_m=size), position=middle)


def corridor(width_m: float = 1.5, *, leg_m: float = 3.0) -> Problem:
    """A corridor with a turn to the left and one to the right."""
    half, thick, end = 0.5 * width_m, 0.2, leg_m + leg_m + 1.0
    walls = {
        "wall 1": ((-half - thick, -1.0), (-half, leg_m + half + thick)),
        "wall 2": ((half, -1.0), (half + thick, leg_m - half)),
        "wall 3": ((-half - thick, leg_m + half), (leg_m - half, leg_m + half + thick)),
        "wall 4": ((half, leg_m - half - thick), (leg_m + half + thick, leg_m - half)),
        "wall 5": ((leg_m - half - thick, leg_m + half), (leg_m - half, end)),
        "wall 6": ((leg_m + half, leg_m - half), (leg_m + half + thick, end)),
    }
    scene = Scene(name="two-corner turning")
    for name, (low, high) in walls.items():
        scene = with_wall(scene, name, low, high)
    return Problem(scene, (0.0, 0.0), (leg_m, 2.0 * leg_m), 0.0)


def clutter(gap_m: float, *, height_m: float = 0.4, seed: int | None = None) -> Problem:
    """A grid of 4 x 3 boxes of 40 cm with gaps between them; with a seed every box is resized, turned and moved.

    The start is before the middle of the grid, the goal behind one of its outer columns, so the way leads across; the
    start faces the goal.
    """
    rng = np.random.default_rng(seed) if seed is not None else None
    pitch = 0.4 + gap_m
    scene = Scene(name="object-cluttered space")
    for column in range(4):
        for row in range(3):
            x, z = (column - 1.5) * pitch, 1.2 + 0.2 + row * pitch
            width, depth, yaw = 0.4, 0.4, 0.0
            if rng is not None:
                width, depth = rng.uniform(0.25, 0.65, 2)
                yaw = rng.uniform(0.0, np.pi / 2.0)
                x, z = np.array([x, z]) + rng.uniform(-0.25, 0.25, 2) * gap_m
            scene = scene.with_object(
                f"box {column} {row}",
                Box(size_m=(float(width), height_m, float(depth))),
                position=(float(x), 0.5 * height_m, float(z)),
                rotation=(float(np.cos(yaw / 2.0)), 0.0, float(np.sin(yaw / 2.0)), 0.0),
            )
    goal = (0.5 * pitch, 2.8 + 2.0 * pitch)
    return Problem(scene, (-0.5 * pitch, 0.0), goal, float(np.degrees(np.arctan2(pitch, goal[1]))))


def gap(width_m: float, *, height_m: float = 2.0) -> Problem:
    """A closed room with a wall across that has one gap."""
    half, length, thick = 2.5, 4.3, 0.2
    scene = Scene(name="gap")
    scene = with_wall(scene, "left", (-half, -0.15), (-0.5 * width_m, 0.15), top_m=height_m)
    scene = with_wall(scene, "right", (0.5 * width_m, -0.15), (half, 0.15), top_m=height_m)
    scene = with_wall(scene, "west", (-half - thick, -length), (-half, length))
    scene = with_wall(scene, "east", (half, -length), (half + thick, length))
    scene = with_wall(scene, "south", (-half, -length - thick), (half, -length))
    scene = with_wall(scene, "north", (-half, length), (half, length + thick))
    return Problem(scene, (-0.3, -2.6), (0.3, 2.6))


def bar(height_m: float) -> Problem:
    """A closed room with a bar across at a height."""
    closed = gap(4.9, height_m=0.5)
    scene = Scene(name="low bar")
    for name in ("west", "east", "south", "north"):
        thing = closed.scene.object(name)
        scene = scene.with_object(name, thing.shape, position=thing.placement.position)
    scene = with_wall(scene, "bar", (-2.5, -0.1), (2.5, 0.1), top_m=height_m + 0.2, bottom_m=height_m)
    return Problem(scene, (0.0, -3.0), (0.0, 3.4))


def shelves(gap_m: float, *, low_m: float = 0.62, high_m: float = 0.98) -> Problem:
    """A closed room with a wall across whose only way through narrows at the height of hanging hands."""
    closed = gap(1.4, height_m=2.0)
    scene = closed.scene
    scene = with_wall(scene, "left shelf", (-0.7, -0.5), (-0.5 * gap_m, 0.5), top_m=high_m, bottom_m=low_m)
    scene = with_wall(scene, "right shelf", (0.5 * gap_m, -0.5), (0.7, 0.5), top_m=high_m, bottom_m=low_m)
    return Problem(scene, (0.0, -3.0), (0.0, 3.4))
