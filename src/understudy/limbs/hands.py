"""Hands as things that grip: which way fingers and palm point, and orientations that point them somewhere."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from understudy import rotations as rot
from understudy.core.body import Body
from understudy.core.reference_pose import t_pose_world
from understudy.limbs.seeds import posed
from understudy.limbs.space import LimbSpace
from understudy.limbs.stage import Stage
from understudy.typing import FloatArray

#: Turns about a given direction that are tried where only that direction is given.
_TURNS = 12
#: [rad] how far a palm that lies on something may be rolled about its fingers, and its fingers lifted or lowered.
_ROLLS_RAD, _TILTS_RAD = (0.7, -0.7), (0.5, -0.5)


@lru_cache(maxsize=64)
def hand_axes(body: Body, hand: str) -> tuple[FloatArray, FloatArray]:
    """Unit directions ``(3,)`` of the fingers and out of the palm, in the hand joint's frame.

    In the reference pose, arms spread, palms face the floor.
    """
    joint = body.skeleton.humanoid[f"{hand}Hand"]
    capsule = body.capsule(f"{hand}_hand")
    ends = np.stack([body.capsule_starts[capsule], body.capsule_ends[capsule]])
    far = ends[int(np.linalg.norm(ends, axis=1).argmax())]
    fingers = far / np.linalg.norm(far)
    _, turns = t_pose_world(body.skeleton)
    down = rot.rotate(rot.conjugate(turns[joint]), np.array([0.0, -1.0, 0.0]))
    palm = down - np.dot(down, fingers) * fingers
    return fingers, palm / np.linalg.norm(palm)


def turned_to(own: tuple[FloatArray, FloatArray], world: tuple[FloatArray, FloatArray]) -> FloatArray:
    """The rotation ``(4,)`` that takes two own unit directions at right angles to two world ones."""
    frames = [np.stack([a, b, np.cross(a, b)], axis=-1) for a, b in (own, world)]
    return rot.from_matrix(frames[1] @ frames[0].T)


def about(own: FloatArray, world: FloatArray, first: FloatArray) -> FloatArray:
    """Orientations ``(..., n, 4)`` that point ``own (3,)`` along ``world (..., 3)`` and are free to turn about it.

    Args:
        own: Unit direction in the joint's frame.
        world: Unit directions it has to take.
        first: ``(4,)`` an orientation; the nearest to it comes first.
    """
    nearest = rot.multiply(rot.shortest_arc(rot.rotate(first, own), world), first)
    angles = 2.0 * np.pi * np.arange(_TURNS) / _TURNS
    order = np.argsort(np.minimum(angles, 2.0 * np.pi - angles), kind="stable")
    turns = rot.from_axis_angle(np.asarray(world)[..., None, :], angles[order])
    return rot.multiply(turns, nearest[..., None, :])


def lying(body: Body, hand: str, out: FloatArray, now: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Orientations ``(n, 4)`` of a hand joint whose palm lies on a surface: flat, rolled to a side, and tilted.

    Args:
        body: Whose hand.
        hand: Which.
        out: ``(3,)`` unit direction out of the surface.
        now: ``(4,)`` an orientation; those nearest to it come first.
    """
    fingers, palm = hand_axes(body, hand)
    flat = about(palm, -out, now)
    rolled, tilted = (
        np.concatenate([rot.multiply(flat, rot.exp(turn * axis)) for turn in turns])
        for turns, axis in ((_ROLLS_RAD, fingers), (_TILTS_RAD, np.cross(palm, fingers)))
    )
    return flat, rolled, tilted


def hand_pose(
    stage: Stage, space: LimbSpace, hand: str, time_s: float, offset: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """World position ``(3,)`` and rotation ``(4,)`` of a hand joint at a time, perhaps with its limb's offset."""
    pose = posed(stage, time_s)
    joint = stage.motion.skeleton.humanoid[f"{hand}Hand"]
    if offset is None:
        return pose.places[joint], pose.turns[joint]
    local, offsets = space.with_offsets(pose.local, offset), stage.motion.skeleton.offsets
    place, turn = pose.places[space.parent], pose.turns[space.parent]
    for k in space.joints:
        place, turn = place + rot.rotate(turn, offsets[k]), rot.multiply(turn, local[k])
    return place, turn
