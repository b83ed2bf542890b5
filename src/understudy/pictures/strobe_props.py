"""Props in a strobe: moving ones are drawn once for every pose, earlier ones paler; standing ones once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy.pictures.drawing import PlacedProps
from understudy.pictures.palette import linear
from understudy.pictures.shots import outline_points
from understudy.pictures.stage import Stage, prop_track
from understudy.typing import BoolArray, FloatArray

#: [m], [rad] a prop that is never farther from its first pose than this stands still.
_STILL_M, _STILL_RAD = 0.005, 0.02
#: [m] props farther than this from where people are do not move aside with them.
_NEAR_M = 1.0
#: Earlier props go over into this colour.
_HAZE = linear("#eef1f4")


def strobe_props(
    stage: Stage, times: FloatArray, shifts: FloatArray, *, palest: float, standing: BoolArray | None = None
) -> PlacedProps:
    """The props of a strobe.

    Args:
        stage: What is shown.
        times: ``(poses,)`` [s].
        shifts: ``(poses, 3)`` [m] how far each pose is moved aside; props near people move aside with them.
        palest: How much of its colour the first pose loses.
        standing: ``(props,)`` which standing objects to draw; all unless given.
    """
    if not stage.props:
        return PlacedProps.none()
    many = _drawn_often(stage, times, shifts)
    parts: list[PlacedProps] = []
    for n, time_s in enumerate(times):
        last = n == len(times) - 1
        placed = stage.placed_props(float(time_s))
        kept = many | (last & (True if standing is None else standing))
        age = palest * (1.0 - (n + 1) / len(times))
        colors = placed.colors + age * many[:, None] * (_HAZE - placed.colors)
        poses, spheres = placed.poses.copy(), placed.spheres.copy()
        poses[many, 9:] += shifts[n]
        spheres[many, :3] += shifts[n]
        parts.append(
            replace(placed, roots=placed.roots[kept], poses=poses[kept], spheres=spheres[kept], colors=colors[kept])
        )
    return replace(
        parts[0],
        roots=np.concatenate([part.roots for part in parts]),
        poses=np.concatenate([part.poses for part in parts]),
        spheres=np.concatenate([part.spheres for part in parts]),
        colors=np.concatenate([part.colors for part in parts]),
    )


def _drawn_often(stage: Stage, times: FloatArray, shifts: FloatArray) -> BoolArray:
    """``(props,)`` whether a prop is drawn for every pose: it moves, or people who are moved aside are near it."""
    found = []
    people = outline_points(stage, times).reshape(-1, 3)[::20] if shifts.any() else np.zeros((0, 3))
    for prop in stage.props:
        positions, rotations = prop_track(prop, times)
        away = np.linalg.norm(positions - positions[0], axis=1).max()
        turned = 2.0 * np.arccos(np.clip(np.abs(np.sum(rotations * rotations[0], axis=1)), 0.0, 1.0)).max()
        near = len(people) > 0 and float(np.linalg.norm(people - positions[0], axis=1).min()) < _NEAR_M
        found.append(bool(away > _STILL_M or turned > _STILL_RAD or near))
    return np.array(found, dtype=bool)
