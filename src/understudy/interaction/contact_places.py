"""Where contacts are: nodes, the surfaces they stay on, and first guesses of places."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from understudy import rotations as rot
from understudy.core.reference_pose import t_pose_world
from understudy.interaction._curve_kernels import jet, new_jets
from understudy.interaction.actor import Actor
from understudy.interaction.play import Play
from understudy.interaction.surfaces import Surface, surface_of
from understudy.typing import FloatArray

#: [m/s] a part that moves faster than this strikes with its front.
_FAST_MPS = 5.0


@dataclass(eq=False, kw_only=True)
class Node:
    """One node while a play is laid out; see the kernels' ``Nodes``."""

    label: str
    time: float
    point: FloatArray
    player: int = -1
    joint: int = -1
    time_column: int = -1
    point_column: int = -1
    surface: Surface | None = None
    has_surface_row: bool = False
    surface_row: int = -1
    still_place: FloatArray = field(default_factory=lambda: np.zeros(3))
    still_turn: FloatArray = field(default_factory=lambda: np.eye(3))
    leg: tuple[int, int] = (-1, -1)
    ends: str = ""
    offset: float = 0.0
    axis: FloatArray | None = None
    axis_column: int = -1


def put_surface(play: Play, node: Node, part: str) -> None:
    """Give a node the surface its ball has to stay on."""
    node.surface = surface_of(play, part)
    node.still_place, node.still_turn = node.surface.place, node.surface.turn


def guess(play: Play, node: Node, piece: str, radius: float) -> FloatArray:
    """Where a ball about touches a node's surface, in the surface's frame [m].

    On top of body parts, feet towards their toes; in front of what is swung: an implement, towards its far end, or a
    part that moves fast.
    """
    assert node.surface is not None
    swung = node.player >= 0 and piece in [one.name for one in play.actors[node.player].implements]
    up = np.array([0.0, 1.0, 0.0])
    if node.player >= 0:
        near, far = node.surface.ends
        _, moving = frame_at(play, node.player, node.joint, node.time, 0.8 * far + 0.2 * near)
        fast = float(np.linalg.norm(moving))
        if swung or fast > _FAST_MPS:
            up = moving / max(fast, 1e-9)
    share = 0.8 if swung else 0.95 if piece.endswith("foot") else 0.5
    return _top(play, node, up, share, radius)


def _top(play: Play, node: Node, up: FloatArray, share: float, radius: float) -> FloatArray:
    """The place of a ball on a node's surface in a direction of the world, at a share of a capsule's length [m]."""
    surface = node.surface
    assert surface is not None
    if node.player < 0:
        away = surface.turn.T @ up
        if surface.flat:
            return away * radius
        if surface.half is not None:
            reach = np.min(surface.half / np.maximum(np.abs(away), 1e-9))
            return np.asarray(away * (reach + radius))
    else:
        away = frame_at(play, node.player, node.joint, node.time, np.zeros(3))[0].T @ up
    start, end = surface.ends
    axis = end - start
    length = float(np.linalg.norm(axis))
    if length > 1e-9:
        away = away - (away @ axis) * axis / length**2
    size, thick = float(np.linalg.norm(away)), surface.radius_m + radius
    if size < 1e-6:
        return np.asarray(end + axis / length * thick)
    return np.asarray(start + share * axis + thick * away / size)


def frame_at(play: Play, player: int, joint: int, time_s: float, point: FloatArray) -> tuple[FloatArray, FloatArray]:
    """World rotation ``(3, 3)`` of an actor's joint in its base motion, and velocity ``(3,)`` of a point of it."""
    arrays = play.actors[player].player
    jets = new_jets(1, arrays.chains.shape[1], len(arrays.weights))
    jet(arrays, time_s, joint, np.ascontiguousarray(point), jets, 0)
    return jets.frame[0], jets.velocity[0]


def default_grip(play: Play, player: int, piece: str, radius: float) -> FloatArray:
    """:func:`grip_on` of one of a play's actors."""
    return grip_on(play.actors[player], piece, radius)


def grip_on(actor: Actor, piece: str, radius: float) -> FloatArray:
    """A ball lying on the palm side of a hand, or on top of another part, in the joint's frame [m].

    In the T-pose palms face down, so that is where a hand holds a ball.
    """
    joint, start, end, thick = actor.part(piece)
    side = np.array([0.0, -1.0 if piece.endswith("hand") else 1.0, 0.0])
    away = rot.rotate(rot.conjugate(t_pose_world(actor.motion.skeleton)[1][joint]), side)
    axis = end - start
    away = away - (away @ axis) * axis / max(float(axis @ axis), 1e-12)
    return 0.5 * (start + end) + (thick + radius) * away / np.linalg.norm(away)


def axis_in(actor: Actor, piece: str) -> FloatArray:
    """How a capsule lies in a hand: across it, in the plane of the palm; direction in the joint's frame."""
    _, start, end, _ = actor.part(piece)
    away = grip_on(actor, piece, 0.0) - 0.5 * (start + end)
    axis = np.cross(end - start, away)
    return np.asarray(axis / np.linalg.norm(axis))
