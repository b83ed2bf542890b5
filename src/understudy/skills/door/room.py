"""A wall with a door in it, from a few numbers: for examples, tests and benchmarks."""

from __future__ import annotations

from typing import Literal

import numpy as np

from understudy.scene.attachments import Attachment
from understudy.scene.objects import Handle, SceneObject
from understudy.scene.placements import Hinge
from understudy.scene.scene import Scene
from understudy.scene.shapes import Box

_WALL_M, _LEAF_M, _GAP_M = 0.10, 0.04, 0.006
#: [m] how far a lever stands off the leaf, its length and thickness, and its tip's distance from the leaf's edge.
_OFF_M, _LEVER_M, _THICK_M, _EDGE_M = 0.055, 0.12, 0.02, 0.065
_WALL_COLOR, _LEAF_COLOR, _LEVER_COLOR = (0.82, 0.80, 0.76), (0.55, 0.38, 0.24), (0.25, 0.25, 0.28)


def door_room(
    *,
    width_m: float = 0.9,
    handle_m: float = 1.0,
    height_m: float = 2.05,
    hinge_side: Literal["left", "right"] = "left",
    pushed: bool = True,
    most_deg: float = 110.0,
    self_closing: bool = False,
    wall_m: float = 2.0,
    name: str = "door",
) -> Scene:
    """A wall along X at z = 0 with a doorway in the middle, to be opened from -Z.

    Args:
        width_m: Clear width of the doorway [m].
        handle_m: Height of the levers [m].
        height_m: Height of the leaf [m].
        hinge_side: Side of the hinge for somebody who comes from -Z.
        pushed: Whether it opens away from -Z.
        most_deg: How far it opens [deg].
        self_closing: Whether it falls shut.
        wall_m: How far the wall reaches on both sides [m].
        name: What the door is called.
    """
    # Somebody facing +Z has +X on the left.
    left = hinge_side == "left"
    half, side = 0.5 * width_m, 1.0 if left else -1.0
    face = 0.5 * _WALL_M * (1.0 if pushed else -1.0)
    middle = face - 0.5 * _LEAF_M * (1.0 if pushed else -1.0)
    # From the hinge the leaf reaches along -side X; a turn about +Y takes -X to +Z.
    turn = side * (1.0 if pushed else -1.0)
    limit = np.radians(most_deg)
    span = (0.0, float(limit)) if turn > 0 else (-float(limit), 0.0)
    hinge = Hinge(
        axis_at=(side * half, 0.0, face),
        range_rad=span,
        closed_position=(0.0, 0.5 * height_m + 0.01, middle),
        self_closing=self_closing,
    )
    grip_x = -side * (half - _GAP_M - _EDGE_M - 0.5 * _LEVER_M)
    out = 0.5 * _LEAF_M + _OFF_M
    local_y = handle_m - (0.5 * height_m + 0.01)
    handles = tuple(
        Handle(name=which, at=(grip_x, local_y, sign * out), approach=(0.0, 0.0, sign))
        for which, sign in (("near", -1.0), ("far", 1.0))
    )
    scene = Scene(name=name).with_object(
        SceneObject(
            name=name,
            shape=Box(size_m=(width_m - 2 * _GAP_M, height_m, _LEAF_M)),
            placement=hinge,
            handles=handles,
            color=_LEAF_COLOR,
        )
    )
    for which, sign in (("near", -1.0), ("far", 1.0)):
        lever = f"{name}_lever_{which}"
        scene = scene.with_object(
            lever,
            Box(size_m=(_LEVER_M, _THICK_M, _THICK_M)),
            position=(grip_x, handle_m, middle + sign * out),
            color=_LEVER_COLOR,
        ).with_attachment(Attachment(object=lever, to=name))
    for label, sign in (("wall_left", 1.0), ("wall_right", -1.0)):
        scene = scene.with_object(
            f"{name}_{label}",
            Box(size_m=(wall_m, 2.5, _WALL_M)),
            position=(sign * (half + 0.5 * wall_m), 1.25, 0.0),
            color=_WALL_COLOR,
        )
    return scene
