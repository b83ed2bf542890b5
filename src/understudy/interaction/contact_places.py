"""Where contacts are: nodes, the surfaces they stay on, and first guesses of places."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from understudy import rotations as rot
from understudy.core.reference_pose import t_pose_world
from understudy.interaction._curve_kernels import jet, new_jets
from understudy.interaction._surface_kernels import BOX, CAPSULE, NOTHING, PLANE
from understudy.interaction.actor import Actor
from understudy.interaction.play import FLOOR, Play, solid
from understudy.scene.shapes import Box, Capsule, Sphere
from understudy.typing import FloatArray

#: [m/s] a part that moves faster than this strikes with its front.
_FAST_MPS = 5.0


@dataclass(eq=False, kw_only=True)
class Node:
    """One node while a play is laid out; see the kernels' ``Nodes``. ``part`` is what is there to be touched."""

    label: str
    time: float
    point: FloatArray
    player: int = -1
    joint: int = -1
    time_column: int = -1
    point_column: int = -1
    surface: int = NOTHING
    shape: FloatArray = field(default_factory=lambda: np.zeros(8))
    has_surface_row: bool = False
    surface_row: int = -1
    still_place: FloatArray = field(default_factory=lambda: np.zeros(3))
    still_turn: FloatArray = field(default_factory=lambda: np.eye(3))
    leg: tuple[int, int] = (-1, -1)
    ends: str = ""
    offset: float = 0.0
    part: str = ""
    axis: FloatArray | None = None
    axis_column: int = -1


def put_surface(play: Play, node: Node, piece: str, radius: float) -> None:
    """Give a node the surface its ball has to stay on."""
    if node.player >= 0:
        _, start, end, thick = play.actors[node.player].part(piece)
        node.surface = CAPSULE
        node.shape = np.array([*start, *end, thick + radius, 0.0])
        return
    if piece == FLOOR:
        node.surface, node.shape = PLANE, np.array([0.0, 1.0, 0.0, 0.0, 0.0, 0.0, radius, 0.0])
        return
    thing = play.scene.object(piece)
    node.still_place, turn = solid(thing)
    node.still_turn = rot.to_matrix(turn)
    node.surface, node.shape = still_shape(thing.shape, radius)


def still_shape(shape: object, radius: float) -> tuple[int, FloatArray]:
    """Kind and numbers of an object's surface for kernels."""
    if isinstance(shape, Box):
        return BOX, np.array([*(0.5 * np.array(shape.size_m)), 0.0, 0.0, 0.0, radius, 0.0])
    if isinstance(shape, Capsule):
        half = 0.5 * shape.length_m
        return CAPSULE, np.array([0.0, -half, 0.0, 0.0, half, 0.0, shape.radius_m + radius, 0.0])
    assert isinstance(shape, Sphere)
    return CAPSULE, np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, shape.radius_m + radius, 0.0])


def guess(play: Play, node: Node, piece: str) -> FloatArray:
    """Where a ball about touches a node's surface, in the surface's frame [m].

    On top of body parts, feet towards their toes; in front of what is swung: an implement, towards its far end, or a
    part that moves fast.
    """
    swung = node.player >= 0 and piece in [one.name for one in play.actors[node.player].implements]
    up = np.array([0.0, 1.0, 0.0])
    if node.player >= 0:
        _, moving = frame_at(play, node.player, node.joint, node.time, 0.8 * node.shape[3:6] + 0.2 * node.shape[:3])
        fast = float(np.linalg.norm(moving))
        if swung or fast > _FAST_MPS:
            up = moving / max(fast, 1e-9)
    share = 0.8 if swung else 0.95 if piece.endswith("foot") else 0.5
    return _top(play, node, up, share)


def _top(play: Play, node: Node, up: FloatArray, share: float) -> FloatArray:
    """The place of a ball on a node's surface in a direction of the world, at a share of a capsule's length [m]."""
    if node.player < 0:
        away = node.still_turn.T @ up
        if node.surface == PLANE:
            return away * node.shape[6]
        if node.surface == BOX:
            reach = np.min(node.shape[:3] / np.maximum(np.abs(away), 1e-9))
            return away * (reach + node.shape[6])
    else:
        away = frame_at(play, node.player, node.joint, node.time, np.zeros(3))[0].T @ up
    start, end = node.shape[:3], node.shape[3:6]
    axis = end - start
    length = float(np.linalg.norm(axis))
    if length > 1e-9:
        away = away - (away @ axis) * axis / length**2
    size = float(np.linalg.norm(away))
    if size < 1e-6:
        return end + axis / length * node.shape[6]
    return start + share * axis + node.shape[6] * away / size


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
