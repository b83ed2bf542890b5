"""A person who stands before a table, for tests of what hands do; and measurements that share no code with planning."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from understudy import rotations as rot
from understudy.core import Motion
from understudy.performer import performance
from understudy.scene import Scene
from understudy.scene.characters import Character
from understudy.scene.shapes import Box, Cylinder
from understudy.typing import FloatArray


@lru_cache
def standing() -> Motion:
    """Eight seconds of standing."""
    return performance("idle", duration_s=8.0, fps=30.0).motion


def kitchen() -> Scene:
    """A narrow table before the person with a cup on it, and a bell at the side."""
    return (
        Scene()
        .with_object("table", Box(size_m=(0.34, 1.0, 0.14)), position=(-0.3, 0.5, 0.45))
        .with_object("cup", Cylinder(radius_m=0.035, height_m=0.1), position=(-0.22, 1.05, 0.44))
        .with_object("bell", Box(size_m=(0.06, 0.06, 0.06)), position=(-0.55, 1.2, 0.2))
        .with_character(Character(name="anna", motion=standing()))
    )


def crate_stage() -> Scene:
    """A crate on a narrow stand right before the person."""
    return (
        Scene()
        .with_object("stand", Box(size_m=(0.2, 1.0, 0.12)), position=(-0.02, 0.5, 0.42))
        .with_object("crate", Box(size_m=(0.28, 0.16, 0.16)), position=(-0.02, 1.081, 0.42))
        .with_character(Character(name="anna", motion=standing()))
    )


def hand_frames(motion: Motion, hand: str) -> tuple[FloatArray, FloatArray]:
    """Positions ``(frames, 3)`` and rotations ``(frames, 4)`` of a hand joint, one frame at a time."""
    joint = motion.skeleton.humanoid[f"{hand}Hand"]
    poses = [
        motion.skeleton.placed_joints(root, turns)
        for root, turns in zip(motion.root_positions, motion.rotations, strict=True)
    ]
    return np.array([places[joint] for places, _ in poses]), np.array([turns[joint] for _, turns in poses])


def in_hand(scene: Scene, motion: Motion, name: str, hand: str, frames: FloatArray) -> tuple[FloatArray, FloatArray]:
    """An object's poses in a hand joint's frame at some frames."""
    places, turns = hand_frames(motion, hand)
    at, turned = scene.object_track(name, frames / motion.fps)
    back = rot.conjugate(turns[frames])
    return rot.rotate(back, at - places[frames]), rot.multiply(back, turned)
