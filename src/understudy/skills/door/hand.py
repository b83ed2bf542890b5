"""The holding hand of a crossing: onto the lever from a little off it, and on it until it lets go."""

from __future__ import annotations

import numpy as np

from understudy.core.editing import smoothstep
from understudy.kinematics import WorldTransforms
from understudy.performer.actions.figure import Figure
from understudy.performer.actions.tracks import HandTrack
from understudy.skills.door.grip import Grip, Lever
from understudy.skills.door.timing import Timeline

#: [s] how long a reach may take, its last part straight towards the lever, a hand's rise off it, and how long it may
#: touch after letting go.
REACH_S, CLOSE_S, LEAVE_S, OFF_S = 1.4, 0.42, 0.24, 0.55
#: [m] how far a hand that lets go rises meanwhile; [s] how long it goes on as it was moved.
_RISE_M, _COAST_S = 0.085, 0.5
#: [m] how far off the lever that last part begins, and how far above it.
_OFF_M, _ABOVE_M = 0.10, 0.045
#: Share of its length to which an arm may be stretched off the lever.
_STRETCHED = 0.86


def hand_on_lever(
    figure: Figure, when: Timeline, world: WorldTransforms, grip: Grip, lever: Lever, frames: tuple[int, int]
) -> HandTrack:
    """The hand between two frames (both included): the last of the reach, and the hold.

    Args:
        figure: Who.
        when: When it takes hold and lets go.
        world: Joints in the world in those frames.
        grip: How the hand sits, from taking hold to letting go.
        lever: Where the lever is, in all frames.
        frames: First and last frame.
    """
    first = round(when.grab_s * when.fps)
    at = np.arange(frames[0], frames[1] + 1)
    held = np.clip(at - first, 0, len(grip.yaw) - 1)
    sitting = Grip(yaw=grip.yaw[held], pitch=grip.pitch[held], swivel=grip.swivel[held], cost=grip.cost, excess_rad=0.0)
    times = at / when.fps
    away = 1.0 - smoothstep((times - when.grab_s + CLOSE_S) / CLOSE_S)
    off = -_OFF_M * lever.into[at] + _ABOVE_M * np.array([0.0, 1.0, 0.0])
    # A hand that lets go rises off the lever and goes on as the leaf took it: a pulled leaf follows it.
    last = round(when.release_s * when.fps)
    gone = np.maximum(at - last, 0) / when.fps
    pace = (lever.grips[last] - lever.grips[last - 2]) * 0.5 * when.fps
    where = lever.grips[np.minimum(at, last)] + (_COAST_S * (1.0 - np.exp(-gone / _COAST_S)))[:, None] * pace
    where[:, 1] += _RISE_M * smoothstep(gone / LEAVE_S)
    return sitting.hand(figure, world, when.hand, where + away[:, None] * off, lever.into[np.minimum(at, last)])


def within_reach(figure: Figure, world: WorldTransforms, side: str, track: HandTrack, held: tuple[int, int]) -> slice:
    """The part of a track around its held frames in which the arm is not stretched."""
    shoulder = world.positions[:, figure.skeleton.humanoid[f"{side}UpperArm"]]
    far = np.linalg.norm(track.wrist - shoulder, axis=1) / figure.arm_m > _STRETCHED
    before, after = np.flatnonzero(far[: held[0]]), np.flatnonzero(far[held[1] + 1 :])
    first = int(before[-1]) + 1 if len(before) else 0
    stop = held[1] + 1 + int(after[0]) if len(after) else len(far)
    return slice(first, stop)
