"""Keeping a body on the floor: its height follows its lowest point, and what carries it does not slide."""

from __future__ import annotations

from typing import Literal

import numpy as np

from understudy.core.body import Body
from understudy.kinematics import forward
from understudy.postures.timing import minimum_jerk
from understudy.typing import FloatArray

Shift = Literal["free", "ends", "none"]
#: [s] half window over which the height is smoothed; [m] how near the floor a part carries the body.
_WINDOW_S, _CARRY_M = 0.12, 0.006


def heights(ground: FloatArray, *, fps: float) -> FloatArray:
    """A smooth height ``(frames,)`` [m] that is nowhere below ``ground`` and equal to it at both ends.

    The highest over a window, averaged over half of it: every average is of values that were highest over windows that
    hold its own frame. Windows shrink towards the ends.
    """
    frames = np.arange(len(ground))
    width = np.minimum(round(_WINDOW_S * fps), np.minimum(frames, len(ground) - 1 - frames))
    highest = np.array([ground[n - w : n + w + 1].max() for n, w in zip(frames, width, strict=True)])
    out = np.empty(len(ground))
    for n, w in enumerate(width // 2):
        weights = (1.0 - (np.arange(-w, w + 1) / (w + 1.0)) ** 2) ** 2
        out[n] = weights @ highest[n - w : n + w + 1] / weights.sum()
    return out


def grounded_roots(
    body: Body, roots: FloatArray, rotations: FloatArray, *, above: FloatArray, fps: float, shift: Shift
) -> FloatArray:
    """Root positions ``(frames, 3)`` [m] of a body that stays on the floor.

    Args:
        body: Whose.
        roots: ``(frames, 3)`` as planned; the height is replaced.
        rotations: ``(frames, joints, 4)``.
        above: ``(frames,)`` height of the lowest point above the floor [m].
        fps: Frames per second.
        shift: ``"free"`` moves the body over the floor so that what carries it does not slide; ``"ends"`` does so
            too, but brings the last root back to its planned place; ``"none"`` leaves it where it was planned.
    """
    flat = roots * np.array([1.0, 0.0, 1.0])
    points, low = _low_points(body, flat, rotations)
    ground = -low.min(axis=1)
    out = flat.copy()
    out[:, 1] = heights(ground, fps=fps) + above
    if shift == "none":
        return out
    carried = np.exp(-(low + ground[:, None]) / _CARRY_M)
    carried = 0.5 * (carried[1:] + carried[:-1])
    carried /= carried.sum(axis=1, keepdims=True)
    slide = np.einsum("fp,fpi->fi", carried, np.diff(points[..., [0, 2]], axis=0))
    # In the air nothing holds.
    slide *= np.exp(-np.maximum(above[1:, None], 0.0) / 0.05)
    walked = -np.concatenate([np.zeros((1, 2)), np.cumsum(slide, axis=0)])
    if shift == "ends":
        walked -= minimum_jerk(np.linspace(0.0, 1.0, len(walked)))[:, None] * walked[-1]
    out[:, [0, 2]] += walked
    return out


def seated_roots(body: Body, roots: FloatArray, rotations: FloatArray, *, fps: float) -> FloatArray:
    """Root positions ``(frames, 3)`` [m] of a body that something else carries: as planned, lifted where it must be."""
    _, low = _low_points(body, roots, rotations)
    # What is in the floor in a key posture may stay as deep.
    depth = np.minimum(np.linspace(low[0].min(), low[-1].min(), len(low)), 0.0)
    out = roots.copy()
    out[:, 1] += heights(np.maximum(depth - low.min(axis=1), 0.0), fps=fps)
    return out


def _low_points(body: Body, roots: FloatArray, rotations: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Ends of all capsules ``(frames, ends, 3)`` [m] and the height of the lowest point there."""
    world = forward(body.skeleton, roots, rotations)
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    points = np.concatenate([starts, ends], axis=1)
    return points, points[..., 1] - np.tile(body.capsule_radii, 2)
