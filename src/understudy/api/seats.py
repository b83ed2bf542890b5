"""Seats for built-in postures that need one: a stool is put under them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.collision import ShapePose, shape_distance
from understudy.core.body import Body
from understudy.core.pose import Pose
from understudy.performer.postures import needs_seat
from understudy.postures.bearing import Placement
from understudy.postures.placing import placed_before, placed_on_seat
from understudy.postures.stations import seat_place
from understudy.scene.scene import Scene
from understudy.scene.shapes import Box, Sphere
from understudy.typing import FloatArray

SEAT = "seat"
#: [m] width and depth of a stool, and the gap below who sits on it.
_WIDTH_M, _DEPTH_M, _GAP_M = 0.36, 0.22, 0.002
#: [m] seats are of one height that differ less, and others stand so far beside each other.
_ALIKE_M, _BESIDE_M = 0.01, 0.8
#: Parts that sit on it.
_SITS = ("pelvis", "left_thigh", "right_thigh")
#: Balls that a part is taken for.
_POINTS = 25


def with_seat(names: Sequence[str | None], keys: Sequence[Pose], body: Body) -> tuple[Scene, list[Pose]] | None:
    """A scene with a stool for built-in postures that need one, and all postures where they belong to it.

    Postures that sit higher or lower than the first have a stool of their own beside it.

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
    scene, stools = Scene(name="with a seat"), list[tuple[FloatArray, list[Pose]]]()
    for n in np.flatnonzero(sits).tolist():
        at = seat_place(body, placed[n])
        k = next((k for k, (other, _) in enumerate(stools) if abs(at[1] - other[1]) < _ALIKE_M), len(stools))
        if k == len(stools):
            stools.append((at, []))
        placed[n] = Placement(yaw=0.0, shift=np.array([k * _BESIDE_M, 0.0, 0.0])).pose(placed[n])
        stools[k][1].append(placed[n])
    for k, (at, seated) in enumerate(stools):
        middle = at + np.array([k * _BESIDE_M, 0.0, 0.0])
        shape, place = _stool(_height_m(body, seated, middle), middle)
        name = SEAT if k == 0 else f"{SEAT}_{k + 1}"
        scene = scene.with_object(name, shape, position=(float(place[0]), float(place[1]), float(place[2])))
    return scene, placed


def _stool(height_m: float, middle: FloatArray) -> tuple[Box, FloatArray]:
    """A stool of some height, and where its middle is [m]."""
    return Box(size_m=(_WIDTH_M, height_m, _DEPTH_M)), np.array([middle[0], 0.5 * height_m, middle[2]])


def _height_m(body: Body, keys: Sequence[Pose], middle: FloatArray) -> float:
    """Height of the highest stool that keeps its gap from everybody who sits on it [m]."""
    parts = [
        (Sphere(radius_m=float(body.capsule_radii[part])), start + share * (end - start))
        for key in keys
        for starts, ends in [body.capsule_segments(*key.world())]
        for part in map(body.capsule, _SITS)
        for start, end in [(starts[part], ends[part])]
        for share in np.linspace(0.0, 1.0, _POINTS)
    ]
    upright = np.array([1.0, 0.0, 0.0, 0.0])

    def gap_m(height_m: float) -> float:
        stool, at = _stool(height_m, middle)
        under = ShapePose(at, upright)
        return min(shape_distance(ball, ShapePose(place, upright), stool, under).distance_m for ball, place in parts)

    low, high = 0.01, max(float(place[1]) for _, place in parts)
    while high - low > 1e-4:
        half = 0.5 * (low + high)
        low, high = (half, high) if gap_m(half) > _GAP_M else (low, half)
    return low
