"""Seats for built-in postures that need one: a stool is put under them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.core.body import Body
from understudy.core.pose import Pose
from understudy.performer.postures import needs_seat
from understudy.postures.placing import placed_before, placed_on_seat
from understudy.postures.stations import seat_place
from understudy.scene.scene import Scene
from understudy.scene.shapes import Box

SEAT = "seat"
#: [m] width and depth of a stool, and the gap below who sits on it.
_WIDTH_M, _DEPTH_M, _GAP_M = 0.36, 0.22, 0.002
#: Parts that sit on it.
_SITS = ("pelvis", "left_thigh", "right_thigh")
_POINTS = 9


def with_seat(names: Sequence[str | None], keys: Sequence[Pose], body: Body) -> tuple[Scene, list[Pose]] | None:
    """A scene with a stool under the first built-in posture that needs one, and all postures where they belong to it.

    Args:
        names: Of built-in postures; ``None`` for others.
        keys: The postures.
        body: Whose.

    Returns:
        Scene and postures; ``None`` where no posture needs a seat.
    """
    sits = [name is not None and needs_seat(name) for name in names]
    if not any(sits):
        return None
    anchor = keys[sits.index(True)]
    placed = [
        placed_on_seat(body, key, anchor) if own else placed_before(body, key, anchor)
        for key, own in zip(keys, sits, strict=True)
    ]
    height = min(_under_m(body, key) for key, own in zip(placed, sits, strict=True) if own)
    centre = seat_place(body, anchor)
    scene = Scene(name="with a seat").with_object(
        SEAT, Box(size_m=(_WIDTH_M, height, _DEPTH_M)), position=(float(centre[0]), 0.5 * height, float(centre[2]))
    )
    return scene, placed


def _under_m(body: Body, pose: Pose) -> float:
    """Height of a stool under a posture [m]."""
    starts, ends = body.capsule_segments(*pose.world())
    middle = seat_place(body, pose)
    lowest = np.inf
    for name in _SITS:
        part = body.capsule(name)
        points = starts[part] + np.linspace(0.0, 1.0, _POINTS)[:, None] * (ends[part] - starts[part])
        over = np.abs(points[:, 2] - middle[2]) < 0.5 * _DEPTH_M + float(body.capsule_radii[part])
        lowest = min(lowest, float((points[over, 1] - body.capsule_radii[part]).min(initial=np.inf)))
    return lowest - _GAP_M
