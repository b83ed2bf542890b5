"""Objects that stand between the camera and somebody are drawn see-through: walls of rooms, shelves, tall boxes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from understudy import rotations as rot
from understudy.pictures.camera import Camera
from understudy.pictures.drawing import PlacedProps, assembled
from understudy.pictures.palette import to_srgb_bytes
from understudy.pictures.raycaster import Look, cast_light
from understudy.pictures.stage import Stage, prop_track
from understudy.typing import BoolArray, FloatArray

#: Opacity of what hides people.
SEEN_THROUGH = 0.35


def cast_stage(stage: Stage, time_s: float, camera: Camera, *, look: Look | None = None) -> npt.NDArray[np.uint8]:
    """The picture ``(height, width, 3)`` of a stage at a time, as sRGB bytes.

    What hides people loses opacity with the share of them that is hidden, so nothing blinks in videos.
    """
    groups, props = stage.groups(time_s), stage.placed_props(time_s)
    light = cast_light(assembled(groups, props), camera, look=look)
    if stage.props and groups:
        people = np.concatenate([group.capsules[:, :6].reshape(-1, 3) for group in groups])
        hidden = hidden_points(stage, time_s, camera, people)
        in_front = np.asarray(hidden.any(axis=1))
        if in_front.any():
            free = cast_light(assembled(groups, _without(props, in_front)), camera, look=look)
            share = float(hidden.any(axis=0).mean())
            light = light + share * (1.0 - SEEN_THROUGH) * (free - light)
    return to_srgb_bytes(light)


def hidden_points(stage: Stage, time_s: float, camera: Camera, points: FloatArray) -> BoolArray:
    """``(props, n)`` whether the box around a prop lies between the camera and a point of ``(n, 3)``."""
    eyes = points - camera.depths(points)[:, None] * camera.forward if camera.parallel else camera.position
    found = np.zeros((len(stage.props), len(points)), dtype=bool)
    for k, prop in enumerate(stage.props):
        positions, turns = prop_track(prop, time_s)
        back = rot.conjugate(turns[0])
        start = rot.rotate(back, np.broadcast_to(eyes, points.shape) - positions[0])
        way = rot.rotate(back, points - positions[0]) - start
        way = np.where(np.abs(way) < 1e-12, 1e-12, way)
        one = (prop.vertices.min(axis=0) - start) / way
        other = (prop.vertices.max(axis=0) - start) / way
        enters, leaves = np.minimum(one, other).max(axis=1), np.maximum(one, other).min(axis=1)
        found[k] = (enters <= leaves) & (leaves > 0.0) & (enters < 1.0)
    return found


def _without(props: PlacedProps, left_out: BoolArray) -> PlacedProps:
    kept = ~left_out
    return replace(
        props,
        roots=props.roots[kept],
        poses=props.poses[kept],
        spheres=props.spheres[kept],
        colors=props.colors[kept],
    )
