"""Motion strobe: several poses in one picture, earlier ones paler, with the path of the hips on the floor.

Carried and moving objects are drawn with every pose.
"""

from __future__ import annotations

import numpy as np
from PIL import Image

from understudy.errors import OptionError
from understudy.pictures.camera import checked_size, framing, looking_from, view_axes
from understudy.pictures.cutaway import SEEN_THROUGH, hidden_points
from understudy.pictures.drawing import CapsuleGroup, assembled, ribbon
from understudy.pictures.lettering import HEADING_PX, PAPER, draw_heading
from understudy.pictures.palette import linear, to_srgb_bytes
from understudy.pictures.raycaster import Look, cast_light
from understudy.pictures.sheet import moments
from understudy.pictures.shots import facing_rad, outline_points, prop_points, travel_m
from understudy.pictures.stage import Stage
from understudy.pictures.strobe_props import strobe_props
from understudy.typing import FloatArray

#: [m] poses closer together than this hide each other; where more than this share of them do, they are laid out side by
#: side instead.
_CROWDED_M, _FEW = 0.33, 0.34
_SIDE_BY_SIDE_M = 0.95
#: How much of its colour the first pose loses.
_PALEST = 0.72


def strobe(
    stage: Stage,
    *,
    poses: int = 7,
    size_px: tuple[int, int] = (1600, 720),
    view: str | None = None,
    captions: bool = True,
    title: str | None = None,
    look: Look | None = None,
) -> Image.Image:
    """One picture of several moments.

    Args:
        stage: What to show.
        poses: Number of moments; the last one has full colours.
        size_px: Width and height.
        view: See :data:`understudy.pictures.camera.VIEWS`; by default from the side of the path, a little ahead.
        captions: Whether to write name, facts and legend into the picture.
        title: Instead of the motions' names.
        look: Light and colours.
    """
    if not 1 <= poses <= 60:
        raise OptionError(f"poses is {poses}; it must lie in 1..60")
    times = moments(stage, poses)
    axes = view_axes(view, facing_rad=facing_rad(stage)) if view else _path_axes(stage)
    shifts = _shifts(stage, times, axes[0])
    points = outline_points(stage, times) + shifts[:, None, :]
    people = points.reshape(-1, 3)
    around = np.concatenate([people, prop_points(stage, people[::50])])
    width, height = checked_size(size_px)
    band = HEADING_PX if captions and height > 2 * HEADING_PX else 0
    camera = framing(around, axes, size_px=(width, height - band), margin=0.07, parallel=view == "top")
    groups = _poses(stage, times, shifts)
    if not shifts.any():
        groups += _paths(stage)
    light = cast_light(assembled(groups, strobe_props(stage, times, shifts, palest=_PALEST)), camera, look=look)
    hiding = np.asarray(hidden_points(stage, float(times[-1]), camera, people[::20]).any(axis=1))
    if hiding.any():
        others = strobe_props(stage, times, shifts, palest=_PALEST, standing=~hiding)
        free = cast_light(assembled(groups, others), camera, look=look)
        light = light + (1.0 - SEEN_THROUGH) * (free - light)
    picture = Image.new("RGB", (width, height), PAPER)
    picture.paste(Image.fromarray(to_srgb_bytes(light)), (0, band))
    if band:
        draw_heading(picture, stage, pad_px=18, title=title)
    return picture


def _poses(stage: Stage, times: FloatArray, shifts: FloatArray) -> list[CapsuleGroup]:
    groups = []
    for n, time_s in enumerate(times):
        age = 1.0 - (n + 1) / len(times)
        for group in stage.groups(float(time_s)):
            moved = group.capsules + np.concatenate([shifts[n], shifts[n], [0.0]])
            groups.append(CapsuleGroup(moved, group.colors, casts=1.0 - _PALEST * age, fade=_PALEST * age))
    return groups


def _paths(stage: Stage) -> list[CapsuleGroup]:
    """The hips' paths, drawn on the floor as flat ribbons."""
    lines = []
    for actor in stage.actors:
        times = np.linspace(0.0, actor.motion.duration_s, 97)
        path = actor.root_path(times)
        path[:, 1] = 0.0
        if np.ptp(path, axis=0).max() > 0.05:
            lines += ribbon(path, radius_m=0.009, color=linear("#4a5568"))
    return lines


def _shifts(stage: Stage, times: FloatArray, right: FloatArray) -> FloatArray:
    """``(times, 3)`` how far each pose is moved aside [m].

    Zero when the motion itself spreads them, and for people who go about among things, which cannot move with them.
    """
    if len(times) < 2 or not stage.actors:
        return np.zeros((len(times), 3))
    path = np.mean([actor.root_path(times) for actor in stage.actors], axis=0) * [1.0, 0.0, 1.0]
    if stage.props and np.ptp(path, axis=0).max() > _SIDE_BY_SIDE_M:
        return np.zeros((len(times), 3))
    apart = np.linalg.norm(path[:, None] - path[None], axis=2) + 1e9 * np.eye(len(times))
    if np.mean(apart.min(axis=1) < _CROWDED_M) <= _FEW:
        return np.zeros((len(times), 3))
    slots = np.arange(len(times)) - 0.5 * (len(times) - 1)
    return path.mean(axis=0) - path + _SIDE_BY_SIDE_M * len(stage.actors) * slots[:, None] * right


def _path_axes(stage: Stage) -> tuple[FloatArray, FloatArray, FloatArray]:
    """From the side of the walked path and a little ahead of it; three-quarter if nobody gets far."""
    way = travel_m(stage)
    if np.linalg.norm(way) < 1.0 or not stage.actors:
        return view_axes("front", facing_rad=facing_rad(stage))
    return looking_from(float(np.arctan2(way[0], way[1])) - np.radians(68.0), np.radians(13.0))
