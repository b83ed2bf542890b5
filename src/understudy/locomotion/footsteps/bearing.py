"""Where an arm is held that does not swing: carrying something, or drawn in beside furniture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.kinematics import WorldTransforms, motion_world
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
    """

    name: str
    ahead: float
    below: float
    aside: float
    swing: float = 0.25


def borne(motion: Motion, hand: str, turn: FloatArray | None, bearing: Bearing) -> Motion:
    """The motion with one arm held somewhere.

    Args:
        motion: A walk, or somebody who stands.
        hand: ``"left"`` or ``"right"``.
        turn: ``(4,)`` how the hand is turned in the body's frame, away from the T-pose; natural unless given.
        bearing: Where it is held.
    """
    sign = 1.0 if hand == "left" else -1.0
    world, skeleton = motion_world(motion), motion.skeleton
    wrist, shoulder = (world.positions[:, skeleton.humanoid[f"{hand}{part}"]] for part in ("Hand", "UpperArm"))
    own = wrist - shoulder
    sway = bearing.swing * (own - own.mean(axis=0)) * np.array([0.0, 0.6, 0.0])
    facing = chest_facing(motion, world)
    held = rot.multiply(facing, np.broadcast_to(natural_turn(hand) if turn is None else turn, facing.shape))
    offset = np.array([sign * bearing.aside, -bearing.below, bearing.ahead])
    local = with_wrist(motion, world, hand, facing, offset, sway_m=sway, turn=held)
    return replace(motion, rotations=rot.continuous(rot.normalize(local)))


def chest_facing(motion: Motion, world: WorldTransforms) -> FloatArray:
    """``(frames, 4)`` yaw of the chest, without the twist of single steps."""
    return rot.from_yaw(_smooth_yaw(_figure(motion.skeleton).chest_turn(world), motion.fps))


def with_wrist(
    motion: Motion,
    world: WorldTransforms,
    hand: str,
    facing: FloatArray,
    offset: FloatArray,
    *,
    sway_m: FloatArray | float = 0.0,
    turn: FloatArray | None = None,
) -> FloatArray:
    """Local rotations ``(frames, joints, 4)`` with a wrist held beside its shoulder.

    Args:
        motion: Whose arm.
        world: The motion's joints.
        hand: ``"left"`` or ``"right"``.
        facing: ``(frames, 4)`` where ahead is.
        offset: ``(3,)`` or ``(frames, 3)`` from shoulder to wrist in arm lengths: to the left, up and ahead.
        sway_m: Added to that [m].
        turn: ``(frames, 4)`` of the hand; in line with the forearm unless given.
    """
    figure = _figure(motion.skeleton)
    shoulder = world.positions[:, motion.skeleton.humanoid[f"{hand}UpperArm"]]
    wrist = shoulder + rot.rotate(facing, np.broadcast_to(figure.arm_m * offset, shoulder.shape)) + sway_m
    local = motion.rotations.copy()
    figure.put_arm(local, world, hand, HandTrack(wrist=wrist, turn=turn, pole=figure.pole(world, hand, wrist)))
    return local


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
