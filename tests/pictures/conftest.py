"""A person who walks, and boxes to put beside them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from people import person
from understudy import rotations as rot
from understudy.core import Motion
from understudy.formats.props import Prop


def walking(*, frames: int = 31, fps: float = 30.0, heading_rad: float = 0.0, speed_mps: float = 1.2) -> Motion:
    """Arms down, legs swinging about X, the root travelling the way it faces."""
    skeleton = person()
    times = np.arange(frames) / fps
    rotations = np.tile(rot.identity((len(skeleton),)), (frames, 1, 1))
    swing = 0.4 * np.sin(2.0 * np.pi * times)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        rotations[:, skeleton.index(f"{side}UpperLeg")] = rot.exp(np.outer(sign * swing, [1.0, 0.0, 0.0]))
        rotations[:, skeleton.index(f"{side}UpperArm")] = rot.exp(np.array([0.0, 0.0, -sign * 1.35]))
    rotations[:, 0] = rot.from_yaw(np.full(frames, heading_rad))
    way = np.array([np.sin(heading_rad), 0.0, np.cos(heading_rad)])
    roots = skeleton.offsets[0] + np.outer(speed_mps * times, way)
    return Motion(skeleton=skeleton, fps=fps, root_positions=roots, rotations=rotations, name="walking")


def box_prop(
    name: str = "box",
    *,
    size: tuple[float, float, float] = (1.0, 1.0, 1.0),
    at: tuple[float, float, float] = (0.0, 0.5, 0.0),
    yaw_rad: float = 0.0,
    color: tuple[float, float, float] = (0.5, 0.3, 0.15),
) -> Prop:
    """A box that stands still; faces counter-clockwise from outside."""
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * size
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = np.array([f for a, b, c, d in quads for f in ((a, b, c), (a, c, d))])
    return Prop(
        name=name,
        vertices=corners,
        faces=faces,
        positions=np.array([at]),
        rotations=rot.from_yaw(np.array([yaw_rad])),
        color=color,
    )


@pytest.fixture
def walk() -> Callable[..., Motion]:
    return walking


@pytest.fixture
def box() -> Callable[..., Prop]:
    return box_prop
