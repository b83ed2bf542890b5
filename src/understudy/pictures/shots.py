"""Choosing cameras for a stage: which way people face, what must be in the picture, following or standing still."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from understudy import rotations as rot
from understudy.pictures.camera import Camera, framing, view_axes
from understudy.pictures.stage import Actor, Stage, prop_track
from understudy.typing import FloatArray

#: The camera at a time [s].
Shot: TypeAlias = Callable[[float], Camera]

_SAMPLES = 48
#: [s] how much a following camera smooths the path of the hips.
_SMOOTHING_S = 0.6
#: [m] props farther than this from every character do not widen a picture.
_PROP_REACH_M = 4.0


def sample_times(stage: Stage, count: int = _SAMPLES) -> FloatArray:
    """``(count,)`` even times over the whole stage, one when nothing moves [s]."""
    return np.linspace(0.0, stage.duration_s, count) if stage.duration_s > 0 else np.zeros(1)


def facing_rad(stage: Stage) -> float:
    """Which way the characters mostly face: 0 is +Z, positive turns towards +X.

    The mean of their hips' facing; the first moment decides when turns cancel it.
    """
    ways = [_facings(actor, sample_times(stage)) for actor in stage.actors if actor.motion.skeleton.is_humanoid]
    if not ways:
        return 0.0
    total = sum((way.mean(axis=0) for way in ways), np.zeros(2))
    if np.linalg.norm(total) < 0.5 * len(ways):
        total = sum((way[0] for way in ways), np.zeros(2))
    return float(np.arctan2(total[0], total[1]))


def travel_m(stage: Stage) -> FloatArray:
    """``(2,)`` how far the characters get over the floor from start to end, on average (x, z) [m]."""
    path = anchors(stage, np.array([0.0, stage.duration_s]))
    return np.asarray(path[1] - path[0])[[0, 2]]


def anchors(stage: Stage, times_s: FloatArray) -> FloatArray:
    """``(times, 3)`` the floor point below the middle of all characters, smoothed over time [m]."""
    if not stage.actors:
        return np.zeros((len(times_s), 3))
    window = np.linspace(-0.5, 0.5, 9) * _SMOOTHING_S
    spread = np.clip(times_s[:, None] + window, 0.0, stage.duration_s).ravel()
    paths = [actor.root_path(spread) for actor in stage.actors]
    middle = np.mean(paths, axis=0).reshape(len(times_s), len(window), 3).mean(axis=1)
    middle[:, 1] = 0.0
    return np.asarray(middle)


def outline_points(stage: Stage, times_s: FloatArray) -> FloatArray:
    """``(times, n, 3)`` points around all characters' capsules [m]."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.7
    clouds = [np.zeros((len(times_s), 0, 3))]
    for actor in stage.actors:
        rows = actor.capsules(times_s)
        ends = np.concatenate([rows[..., 0:3], rows[..., 3:6]], axis=1)
        radii = np.concatenate([rows[..., 6], rows[..., 6]], axis=1)
        around = ends[:, :, None, :] + radii[:, :, None, None] * corners
        clouds.append(around.reshape(len(times_s), -1, 3))
    return np.concatenate(clouds, axis=1)


def prop_points(stage: Stage, near: FloatArray) -> FloatArray:
    """``(n, 3)`` corners of the props close to points ``near`` ``(m, 3)``, over their whole tracks [m]."""
    found = [np.zeros((0, 3))]
    for prop in stage.props:
        low, high = prop.vertices.min(axis=0), prop.vertices.max(axis=0)
        box = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
        positions, turns = prop_track(prop, sample_times(stage))
        corners = (positions[:, None] + rot.rotate(turns[:, None], box)).reshape(-1, 3)
        if len(near) == 0 or np.linalg.norm(near[:, None] - corners.mean(axis=0), axis=2).min() < _PROP_REACH_M:
            found.append(corners)
    return np.concatenate(found)


def fixed_shot(
    stage: Stage, *, view: str = "three-quarter", size_px: tuple[int, int] = (960, 540), margin: float = 0.06
) -> Shot:
    """A camera that stands still and sees everything that happens."""
    times = sample_times(stage)
    people = outline_points(stage, times).reshape(-1, 3)
    points = np.concatenate([people, prop_points(stage, anchors(stage, times) if stage.actors else people)])
    camera = framing(
        points,
        view_axes(view, facing_rad=facing_rad(stage)),
        size_px=size_px,
        margin=margin,
        parallel=view == "top",
    )
    return lambda time_s: camera


def following_shot(
    stage: Stage, *, view: str = "three-quarter", size_px: tuple[int, int] = (960, 540), margin: float = 0.06
) -> Shot:
    """A camera that travels with the characters without turning; everyone is in view all the time."""
    if not stage.actors:
        return fixed_shot(stage, view=view, size_px=size_px, margin=margin)
    times = sample_times(stage)
    points = outline_points(stage, times) - anchors(stage, times)[:, None]
    camera = framing(
        points.reshape(-1, 3),
        view_axes(view, facing_rad=facing_rad(stage)),
        size_px=size_px,
        margin=margin,
        parallel=view == "top",
    )
    return lambda time_s: camera.moved(anchors(stage, np.array([time_s]))[0])


def _facings(actor: Actor, times_s: FloatArray) -> FloatArray:
    """``(times, 2)`` unit (x, z) the pelvis faces: the character's left crossed with up."""
    ends = actor.joint_paths(["leftUpperLeg", "rightUpperLeg"], times_s)
    left = ends[:, 0] - ends[:, 1]
    ways = np.stack([-left[:, 2], left[:, 0]], axis=1)
    return np.asarray(ways / np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-9))
