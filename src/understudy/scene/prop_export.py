"""A scene's objects as props: meshes with keyed motions that pictures draw and animation files hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from understudy import rotations as rot
from understudy.errors import SceneError
from understudy.formats.props import Prop
from understudy.scene.tessellation import triangles_of

if TYPE_CHECKING:
    from understudy.scene.scene import Scene


def scene_props(scene: Scene, *, fps: float, start_s: float, end_s: float | None) -> tuple[Prop, ...]:
    """See :meth:`Scene.props`."""
    if not (np.isfinite(fps) and fps > 0):
        raise SceneError(f"fps is {fps}; it must be a positive number")
    last = scene.duration_s if end_s is None else end_s
    if not (np.isfinite(start_s) and np.isfinite(last)) or (end_s is not None and end_s < start_s):
        raise SceneError(f"props from {start_s:g} s to {last:g} s: the end must not come before the start")
    moving = set(scene.moving_objects().tolist())
    count = int(np.floor(max(last - start_s, 0.0) * fps + 1e-6)) + 1
    keys = np.arange(count) / fps
    props = []
    for k, thing in enumerate(scene.objects):
        times = keys if k in moving else np.zeros(1)
        positions, rotations = scene.object_track(thing.name, start_s + times)
        vertices, faces = triangles_of(thing.shape)
        props.append(
            Prop(
                name=thing.name,
                vertices=vertices,
                faces=faces,
                times_s=times,
                positions=positions,
                rotations=rot.continuous(rotations),
                color=thing.color,
            )
        )
    return tuple(props)
