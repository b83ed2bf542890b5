"""How a hand sits on a lever while a door swings: yaw, pitch and elbow by dynamic programming, then smoothed.

The palm lies on the lever exactly, comes to it along the way it leaves it, away from what it presses, and comes to rest
there: that way is part of the grip.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.kinematics import WorldTransforms, forward
from understudy.limbs.space import limb_space
from understudy.performer.actions.figure import Figure
from understudy.performer.actions.tracks import HandTrack
from understudy.performer.smoothing import gaussian
from understudy.skills.arm_room import ArmRoom
from understudy.skills.door.reach import PRESSED_M, grip_turn, hand_axis, held_m
from understudy.typing import FloatArray, IntArray

_YAWS = np.radians([-75.0, -50.0, -25.0, 0.0, 25.0, 50.0, 75.0])
_PITCHES = np.radians([-80.0, -55.0, -30.0, -5.0, 20.0, 45.0])
_SWIVELS = np.array([-1.2, -0.8, -0.4, 0.0, 0.4, 0.8])
#: [s] between the moments at which the grip is decided, and smoothing of what is decided.
_EVERY_S, _SMOOTH_S = 0.16, 0.12
#: [s] how long a hand comes to a lever and leaves it, and [m] how far off it that begins and ends.
NEARS_S, _OFF_M = 0.25, 0.05
#: [m] gap that is wanted while holding, and from which a posture will not do.
_WANTED_M, _LEAST_M = 0.025, 0.004


class Lever(NamedTuple):
    """A lever over frames.

    Attributes:
        grips: ``(n, 3)`` its middle [m].
        into: ``(n, 3)`` level unit direction to the leaf.
        edge: ``(n, 3)`` level unit direction along the lever, to the leaf's edge.
        thick_m: How thick it is [m].
    """

    grips: FloatArray
    into: FloatArray
    edge: FloatArray
    thick_m: float

    def at(self, frames: IntArray) -> Lever:
        """The lever at some of its frames."""
        return Lever(self.grips[frames], self.into[frames], self.edge[frames], self.thick_m)


@dataclass(frozen=True, eq=False, kw_only=True)
class Grip:
    """A hand on a lever over frames.

    Attributes:
        yaw: ``(n,)`` [rad] see :func:`understudy.skills.door.reach.grip_turn`.
        pitch: ``(n,)`` [rad].
        swivel: ``(n,)`` [rad] elbow's turn away from where it would go by nature; positive lifts it.
        off_m: ``(n,)`` how far the palm is off the lever [m].
        cost: Mean discomfort.
        gap_m: Least distance of the arm from anything but the lever [m].
        excess_rad: How far the worst joint is out of its limits [rad].
    """

    yaw: FloatArray
    pitch: FloatArray
    swivel: FloatArray
    off_m: FloatArray
    cost: float = 0.0
    gap_m: float = np.inf
    excess_rad: float = 0.0

    def hand(self, figure: Figure, world: WorldTransforms, side: str, lever: Lever) -> HandTrack:
        """The hand's track ``(n,)`` on, or a little off, a lever."""
        turn = grip_turn(side, lever.into, self.yaw, self.pitch)
        axis, _, radius = hand_axis(figure.skeleton, side)
        held = axis[0] + held_m(figure.skeleton, self.yaw, self.pitch)[:, None] * axis[1]
        away = _away(turn, axis[1], lever)
        into = np.sum(away * lever.into, axis=1, keepdims=True)
        # As far off as the hand is thick, and the lever in that direction; from there without coming to the leaf.
        thick = 0.5 * lever.thick_m * (np.abs(into) + np.abs(away[:, 1:2]))
        free = away - np.maximum(into, 0.0) * (lever.into - np.array([0.0, 1.0, 0.0]))
        place = lever.grips + (radius + thick - PRESSED_M) * away + self.off_m[:, None] * free
        wrist = place - rot.rotate(turn, held)
        return HandTrack(wrist=wrist, turn=turn, pole=swung_pole(figure, world, side, wrist, self.swivel))

    def at(self, frames: IntArray) -> Grip:
        """The same hand at some of its frames; before the first and after the last it sits as it does there."""
        k = np.clip(frames, 0, len(self.yaw) - 1)
        return Grip(yaw=self.yaw[k], pitch=self.pitch[k], swivel=self.swivel[k], off_m=self.off_m[k])


def _away(turn: FloatArray, fingers: FloatArray, lever: Lever) -> FloatArray:
    """``(n, 3)`` unit directions from a lever to the hand that crosses it, at a right angle to both."""
    away = np.cross(rot.rotate(turn, fingers), lever.edge)
    away /= np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
    # Palms face the floor in the T-pose.
    palm = rot.rotate(turn, np.array([0.0, -1.0, 0.0]))
    return np.asarray(np.where(np.sum(away * palm, axis=1, keepdims=True) > 0.0, -away, away))


def off_lever_m(frames: IntArray, hold: tuple[int, int], fps: float) -> FloatArray:
    """How far off a lever a palm is that holds it between two frames [m]: it brakes evenly until it is there."""
    away = np.maximum(hold[0] - frames, frames - hold[1]) / (NEARS_S * fps)
    return np.asarray(_OFF_M * np.maximum(away, 0.0) ** 2)


def swung_pole(figure: Figure, world: WorldTransforms, side: str, wrist: FloatArray, swivel: FloatArray) -> FloatArray:
    """``(n, 3)`` where the elbow goes, turned about the line from shoulder to wrist; positive lifts it."""
    shoulder = world.positions[:, figure.skeleton.humanoid[f"{side}UpperArm"]]
    axis = wrist - shoulder
    axis /= np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-9)
    sign = 1.0 if side == "left" else -1.0
    return rot.rotate(rot.from_axis_angle(axis, sign * swivel), figure.pole(world, side, wrist))


def grip_of(figure: Figure, motion: Motion, frames: tuple[int, int], lever: Lever, room: ArmRoom) -> Grip:
    """Decide how the hand sits from one frame to another (both included).

    Args:
        figure: Who.
        motion: The body without the arm's part, trunk already helping.
        frames: First and last frame of holding; the grip begins :data:`NEARS_S` before and ends as much after.
        lever: What it holds.
        room: What is around the arm.
    """
    from understudy.skills._arm_kernels import cheapest

    first, last = frames
    step, near = max(1, round(_EVERY_S * motion.fps)), round(NEARS_S * motion.fps)
    held = np.arange(first, last + 1, step)
    keys = np.unique(np.concatenate([[first - near], held, [last, last + near]]))
    options = np.stack([one.ravel() for one in np.meshgrid(_YAWS, _PITCHES, _SWIVELS, indexing="ij")], axis=1)
    off = off_lever_m(keys, frames, motion.fps)
    costs, coordinates, gaps, excess = _costs(figure, motion, keys, lever.at(keys), off, options, room)
    both = np.concatenate([coordinates, np.broadcast_to(options, (len(keys), *options.shape))], axis=2)
    chosen = cheapest(np.ascontiguousarray(both), costs, np.maximum(np.diff(keys), 1) / motion.fps, 2.5, 0.4)
    picked, rows = options[chosen], np.arange(len(keys))
    at = np.arange(first - near, last + near + 1)
    smooth = [gaussian(np.interp(at, keys, picked[:, n]), _SMOOTH_S * motion.fps) for n in range(3)]
    return Grip(
        yaw=smooth[0],
        pitch=smooth[1],
        swivel=smooth[2],
        off_m=off_lever_m(at, frames, motion.fps),
        cost=float(costs[rows, chosen].mean()),
        gap_m=float(gaps[rows, chosen].min()),
        excess_rad=float(excess[rows, chosen].max()),
    )


def _costs(
    figure: Figure,
    motion: Motion,
    keys: IntArray,
    lever: Lever,
    off_m: FloatArray,
    options: FloatArray,
    room: ArmRoom,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Costs ``(keys, options)``, arm coordinates ``(keys, options, 9)``, gaps [m] and excess of limits [rad]."""
    count, many, side = len(keys), len(options), room.side
    body = forward(motion.skeleton, motion.root_positions[keys], motion.rotations[keys])
    world = WorldTransforms(np.repeat(body.positions, many, axis=0), np.repeat(body.rotations, many, axis=0))
    local = np.repeat(motion.rotations[keys], many, axis=0)
    yaw, pitch, swivel = np.tile(options, (count, 1)).T
    grip = Grip(yaw=yaw, pitch=pitch, swivel=swivel, off_m=np.repeat(off_m, many))
    hand = grip.hand(figure, world, side, lever.at(np.repeat(np.arange(count), many)))
    shoulder = world.positions[:, figure.skeleton.humanoid[f"{side}UpperArm"]]
    far = np.linalg.norm(hand.wrist - shoulder, axis=1) / figure.arm_m
    figure.put_arm(local, world, side, hand)
    space = limb_space(figure.body, f"{side}_arm")
    at = space.coordinates(local)
    excess = space.excess(at / 0.94).max(axis=1)
    postures = local.reshape(count, many, *local.shape[1:])
    near = room.gaps(
        motion.root_positions[keys],
        motion.rotations[keys],
        keys / motion.fps,
        postures,
        holding=True,
    )
    gap = near.min(axis=2).reshape(-1)
    wrist = space.joints[-1]
    bend = np.linalg.norm(rot.log(local[:, wrist]), axis=1)
    cost = 1.2 * np.maximum(bend / 0.6 - 0.4, 0.0) ** 2 + 0.25 * (yaw / 0.8) ** 2 + 0.4 * (swivel / 0.5) ** 2
    cost += 0.15 * np.maximum(np.abs(pitch + 0.3) - 0.4, 0.0) ** 2
    cost += 3.0 * np.maximum(_WANTED_M - gap, 0.0) / _WANTED_M + 80.0 * np.maximum(_LEAST_M - gap, 0.0) / 0.01
    cost += 1000.0 * excess + 100.0 * (excess > 1e-6) + 400.0 * np.maximum(far - 0.962, 0.0)
    return (
        cost.reshape(count, many),
        at.reshape(count, many, -1),
        gap.reshape(count, many),
        excess.reshape(count, many),
    )
