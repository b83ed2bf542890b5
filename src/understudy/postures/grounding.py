"""Keeping a body on the floor: its height follows its lowest point, and what carries it does not slide.

Soles may be a little in the floor, because feet are not capsules: as deep as the key postures have them.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from understudy.core.body import Body
from understudy.core.pose import Pose
from understudy.kinematics.forward import forward
from understudy.postures.averaging import averaged, envelope
from understudy.postures.timing import minimum_jerk
from understudy.scene.contacts import SOLE_DEPTH_M
from understudy.typing import BoolArray, FloatArray

Shift = Literal["free", "ends", "none"]
#: [s] half of the time in which the body's speed over the floor follows what carries it.
_PASSING_S = 0.12
#: [m] height above the floor at which nothing holds any more.
_LEAVING_M = 0.05
#: [s] half window over which the height is smoothed; [m] how near the floor a part carries the body.
_WINDOW_S, _CARRY_M = 0.2, 0.006
_SOLES = ("left_foot", "left_toes", "right_foot", "right_toes")


def soles_of(body: Body) -> BoolArray:
    """``(capsules,)`` which capsules are soles."""
    return np.isin(body.capsule_names, _SOLES)


def sunk_depth(body: Body, pose: Pose) -> float:
    """How deep a posture's soles are in the floor [m], at most as deep as soles may be."""
    _, low = _low_points(body, pose.root_position[None], pose.rotations[None])
    soles = np.tile(soles_of(body), 2)
    return float(np.clip(-low[0, soles].min(initial=np.inf), 0.0, SOLE_DEPTH_M))


def floor_depths(body: Body, pose: Pose) -> FloatArray:
    """``(capsules,)`` how deep each part of a posture is in the floor beyond what soles may be [m]; 0 above it."""
    _, low = _low_points(body, pose.root_position[None], pose.rotations[None])
    lowest = low[0].reshape(2, -1).min(axis=0) + np.where(soles_of(body), SOLE_DEPTH_M, 0.0)
    return np.maximum(-lowest, 0.0)


def height_above(body: Body, pose: Pose) -> float:
    """Height of a posture's lowest point above the floor [m], soles as deep in it as they may be."""
    _, low = _low_points(body, pose.root_position[None], pose.rotations[None], np.array([sunk_depth(body, pose)]))
    return float(low.min())


class OnFloor(NamedTuple):
    """How a motion stands on the floor.

    Attributes:
        above: ``(frames,)`` height of the lowest point [m].
        sunk: ``(frames,)`` how deep soles may be in the floor [m].
        carried: ``(frames,)`` whether the floor carries the body; else something unknown does, such as a chair.
        fps: Frames per second.
    """

    above: FloatArray
    sunk: FloatArray
    carried: BoolArray
    fps: float


def grounded_roots(body: Body, roots: FloatArray, rotations: FloatArray, floor: OnFloor, *, shift: Shift) -> FloatArray:
    """Root positions ``(frames, 3)`` [m] of a body on the floor, or above it where something else carries it.

    Args:
        body: Whose.
        roots: ``(frames, 3)`` as planned; heights are replaced where the floor carries the body, else raised at need.
        rotations: ``(frames, joints, 4)``.
        floor: How it stands.
        shift: ``"free"`` moves the body over the floor so that what carries it does not slide; ``"ends"`` does so
            too, but brings the last root back to its planned place; ``"none"`` leaves it where it was planned.
    """
    flat = roots * np.array([1.0, 0.0, 1.0])
    points, low = _low_points(body, flat, rotations, floor.sunk)
    ground = -low.min(axis=1)
    lifted = np.maximum(roots[:, 1], ground + np.minimum(floor.above, 0.0))
    out = flat.copy()
    out[:, 1] = envelope(np.where(floor.carried, ground + floor.above, lifted), _WINDOW_S * floor.fps)
    if shift == "none":
        return out
    weights = np.exp(-(low + ground[:, None]) / _CARRY_M)
    weights = 0.5 * (weights[1:] + weights[:-1])
    weights /= weights.sum(axis=1, keepdims=True)
    slide = np.einsum("fp,fpi->fi", weights, np.diff(points[..., [0, 2]], axis=0))
    # In the air nothing holds.
    slide *= (floor.carried[1:] * np.exp(-np.maximum(floor.above[1:], 0.0) / _LEAVING_M))[:, None]
    # Weight passes from one part to another in a moment, the body's speed does not.
    frames = np.arange(len(slide))
    slide = averaged(slide, np.minimum(_PASSING_S * floor.fps, np.minimum(frames, len(slide) - 1 - frames)))
    walked = -np.concatenate([np.zeros((1, 2)), np.cumsum(slide, axis=0)])
    if shift == "ends":
        walked -= minimum_jerk(np.linspace(0.0, 1.0, len(walked)))[:, None] * walked[-1]
    out[:, [0, 2]] += walked
    return out


def _low_points(
    body: Body, roots: FloatArray, rotations: FloatArray, sunk: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Ends of all capsules ``(frames, ends, 3)`` [m] and how high they reach down, of soles ``sunk`` less deep."""
    world = forward(body.skeleton, roots, rotations)
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    points = np.concatenate([starts, ends], axis=1)
    low = points[..., 1] - np.tile(body.capsule_radii, 2)
    return points, low if sunk is None else low + sunk[:, None] * np.tile(soles_of(body), 2)
