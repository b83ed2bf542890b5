"""Where an arm is held that does not swing: carrying something, or drawn in beside furniture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.kinematics import motion_world
from understudy.performer.actions.figure import Figure, hand_turn
from understudy.performer.actions.tracks import HandTrack
from understudy.performer.smoothing import gaussian
from understudy.typing import FloatArray


@dataclass(frozen=True, kw_only=True)
class Bearing:
    """Where a hand is held, seen from the shoulder, in shares of the arm's length.

    Attributes:
        name: What to call it.
        ahead: How far ahead of the shoulder the wrist is.
        below: How far below it.
        aside: How far to the outside.
        swing: Share of the arm's own swing that is left.
        in_line: Whether the hand is in line with the forearm, unless a turn is given.
    """

    name: str
    ahead: float
    below: float
    aside: float
    swing: float = 0.25
    in_line: bool = False


def borne(motion: Motion, hand: str, turn: FloatArray | None, bearing: Bearing) -> Motion:
    """The motion with one arm held somewhere.

    Args:
        motion: A walk, or somebody who stands.
        hand: ``"left"`` or ``"right"``.
        turn: ``(4,)`` how the hand is turned in the body's frame, away from the T-pose; natural unless given.
        bearing: Where it is held.
    """
    figure = _figure(motion.skeleton)
    sign = 1.0 if hand == "left" else -1.0
    world = motion_world(motion)
    skeleton = motion.skeleton
    shoulder = world.positions[:, skeleton.humanoid[f"{hand}UpperArm"]]
    facing = rot.from_yaw(_smooth_yaw(figure.chest_turn(world), motion.fps))
    offset = figure.arm_m * np.array([sign * bearing.aside, -bearing.below, bearing.ahead])
    own = world.positions[:, skeleton.humanoid[f"{hand}Hand"]] - shoulder
    sway = bearing.swing * (own - own.mean(axis=0)) * np.array([0.0, 0.6, 0.0])
    wrist = shoulder + rot.rotate(facing, np.broadcast_to(offset, shoulder.shape)) + sway
    held = None
    if turn is not None or not bearing.in_line:
        given = natural_turn(hand) if turn is None else turn
        held = rot.multiply(facing, np.broadcast_to(given, facing.shape))
    local = motion.rotations.copy()
    track = HandTrack(
        wrist=wrist,
        turn=held,
        pole=figure.pole(world, hand, wrist),
    )
    figure.put_arm(local, world, hand, track)
    return replace(motion, rotations=rot.continuous(rot.normalize(local)))


def natural_turn(hand: str) -> FloatArray:
    """Fingers ahead, palm inwards."""
    sign = 1.0 if hand == "left" else -1.0
    return hand_turn(hand, np.array([[0.0, 0.1, 1.0]]), np.array([[-sign, 0.0, 0.0]]))[0]


@lru_cache(maxsize=32)
def _figure(skeleton: Skeleton) -> Figure:
    """Whose arms; a figure solves its posture at ease once."""
    return Figure(skeleton)


def _smooth_yaw(turns: FloatArray, fps: float) -> FloatArray:
    return gaussian(np.unwrap(rot.yaw(turns)), 0.15 * fps)
