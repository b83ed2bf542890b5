"""How a hand sits on a lever while a door swings: yaw, pitch and elbow by dynamic programming, then smoothed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.segments import segments_apart
from understudy.kinematics import WorldTransforms, forward
from understudy.limbs.space import limb_space
from understudy.performer.actions.figure import Figure
from understudy.performer.actions.tracks import HandTrack
from understudy.performer.smoothing import gaussian
from understudy.skills.door.reach import grip_turn, palm_point
from understudy.typing import FloatArray, IntArray

_YAWS = np.radians([-75.0, -50.0, -25.0, 0.0, 25.0, 50.0, 75.0])
_PITCHES = np.radians([-80.0, -50.0, -20.0, 10.0, 40.0])
_SWIVELS = np.array([-1.1, -0.7, -0.3, 0.1, 0.5])
#: [s] between the moments at which the grip is decided, and smoothing of what is decided.
_EVERY_S, _SMOOTH_S = 0.14, 0.14
#: [m] wrist to the fingers' tips.
_FINGERS_M = 0.15
#: [m] room elbow and wrist keep from the leaf, and the elbow from walls.
_ELBOW_M, _WRIST_M, _WALL_M = 0.075, 0.045, 0.10


#: Distance of floor points ``(n, 2)`` from what does not move [m].
Room = Callable[[FloatArray], FloatArray]


class Lever(NamedTuple):
    """A lever over all frames: its middle ``(n, 3)`` [m], level directions ``(n, 3)`` to the leaf, and what is near."""

    grips: FloatArray
    into: FloatArray
    room: Room


@dataclass(frozen=True, eq=False, kw_only=True)
class Grip:
    """A hand on a lever over frames.

    Attributes:
        yaw: ``(n,)`` [rad] see :func:`understudy.skills.door.reach.grip_turn`.
        pitch: ``(n,)`` [rad].
        swivel: ``(n,)`` [rad] elbow's turn away from where it would go by nature; positive lifts it.
        cost: Mean discomfort.
        excess_rad: How far the worst joint is out of its limits [rad].
    """

    yaw: FloatArray
    pitch: FloatArray
    swivel: FloatArray
    cost: float
    excess_rad: float

    def hand(self, figure: Figure, world: WorldTransforms, side: str, grips: FloatArray, into: FloatArray) -> HandTrack:
        """The hand's track ``(n,)`` on grips ``(n, 3)`` [m] with the leaf in directions ``(n, 3)``."""
        turn = grip_turn(side, into, self.yaw, self.pitch)
        wrist = grips - rot.rotate(turn, palm_point(figure.skeleton, side))
        return HandTrack(wrist=wrist, turn=turn, pole=swung_pole(figure, world, side, wrist, self.swivel))


def swung_pole(figure: Figure, world: WorldTransforms, side: str, wrist: FloatArray, swivel: FloatArray) -> FloatArray:
    """``(n, 3)`` where the elbow goes, turned about the line from shoulder to wrist; positive lifts it."""
    shoulder = world.positions[:, figure.skeleton.humanoid[f"{side}UpperArm"]]
    axis = wrist - shoulder
    axis /= np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-9)
    sign = 1.0 if side == "left" else -1.0
    return rot.rotate(rot.from_axis_angle(axis, sign * swivel), figure.pole(world, side, wrist))


def grip_of(figure: Figure, motion: Motion, frames: tuple[int, int], side: str, lever: Lever) -> Grip:
    """Decide how the hand sits from one frame to another (both included).

    Args:
        figure: Who.
        motion: The body without the arm's part, trunk already helping.
        frames: First and last frame of holding.
        side: Which hand.
        lever: What it holds.
    """
    first, last = frames
    step = max(1, round(_EVERY_S * motion.fps))
    keys = np.unique(np.append(np.arange(first, last + 1, step), last))
    options = np.stack([one.ravel() for one in np.meshgrid(_YAWS, _PITCHES, _SWIVELS, indexing="ij")], axis=1)
    costs, coordinates = _costs(figure, motion, keys, side, lever, options)
    chosen = _cheapest(
        costs, np.concatenate([coordinates, np.broadcast_to(options, (len(keys), *options.shape))], axis=2)
    )
    picked = options[chosen]
    at = np.arange(first, last + 1)
    smooth = [gaussian(np.interp(at, keys, picked[:, n]), _SMOOTH_S * motion.fps) for n in range(3)]
    best = costs[np.arange(len(keys)), chosen]
    return Grip(
        yaw=smooth[0],
        pitch=smooth[1],
        swivel=smooth[2],
        cost=float(best.mean()),
        excess_rad=float(np.maximum(best - 100.0, 0.0).max() / 1000.0),
    )


def _costs(
    figure: Figure,
    motion: Motion,
    keys: IntArray,
    side: str,
    lever: Lever,
    options: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Costs ``(keys, options)`` and arm coordinates ``(keys, options, 9)``."""
    count, many = len(keys), len(options)
    rows = np.repeat(keys, many)
    local = np.array(motion.rotations)[rows]
    world = forward(motion.skeleton, motion.root_positions[rows], local)
    yaw, pitch, swivel = np.tile(options, (count, 1)).T
    grip, leaf = np.repeat(lever.grips[keys], many, axis=0), np.repeat(lever.into[keys], many, axis=0)
    sitting = Grip(yaw=yaw, pitch=pitch, swivel=swivel, cost=0.0, excess_rad=0.0)
    hand = sitting.hand(figure, world, side, grip, leaf)
    figure.put_arm(local, world, side, hand)
    space = limb_space(figure.body, f"{side}_arm")
    at = space.coordinates(local)
    excess = space.excess(at / 0.92).max(axis=1)
    placed = forward(motion.skeleton, motion.root_positions[rows], local)
    roles = motion.skeleton.humanoid
    elbow, wrist = (placed.positions[:, roles[f"{side}{bone}"]] for bone in ("LowerArm", "Hand"))
    missed = np.linalg.norm(wrist - hand.wrist, axis=1)
    off = [np.sum((point - grip) * -leaf, axis=1) + 0.055 for point in (elbow, wrist)]
    tight = np.maximum(_ELBOW_M - off[0], 0.0) / 0.02 + np.maximum(_WRIST_M - off[1], 0.0) / 0.02
    tight = tight + np.maximum(0.006 - _trunk_room(figure, placed, side), 0.0) / 0.012
    tight = tight + np.maximum(_WALL_M - lever.room(elbow[:, [0, 2]]), 0.0) / 0.02
    sign = 1.0 if side == "left" else -1.0
    fingers = rot.rotate(hand.facing, np.array([sign, 0.0, 0.0]))
    forearm = (wrist - elbow) / np.linalg.norm(wrist - elbow, axis=1, keepdims=True)
    bend = np.arccos(np.clip(np.sum(fingers * forearm, axis=1), -1.0, 1.0))
    cost = 1.5 * np.maximum(bend / 0.6 - 0.3, 0.0) ** 2 + 0.25 * (yaw / 0.8) ** 2 + 0.5 * (swivel / 0.5) ** 2
    cost += 0.15 * np.maximum(np.abs(pitch + 0.3) - 0.4, 0.0) ** 2
    # Fingers lie along the leaf rather than in it.
    tip = wrist + _FINGERS_M * fingers
    deep = np.sum((tip - grip) * leaf, axis=1) + 0.032 - 0.055
    cost += 0.2 * (np.maximum(deep, 0.0) / 0.02) ** 2
    cost += 2.0 * tight**2 + 1000.0 * excess + 100.0 * (excess > 1e-6) + 3000.0 * np.maximum(missed - 5e-4, 0.0)
    return cost.reshape(count, many), at.reshape(count, many, -1)


def _trunk_room(figure: Figure, world: WorldTransforms, side: str) -> FloatArray:
    """``(n,)`` room between an arm and the trunk [m]."""
    body = figure.body
    starts, ends = body.capsule_segments(world.positions, world.rotations)
    room = np.full(len(starts), np.inf)
    for limb in ("upper_arm", "forearm", "hand"):
        i = body.capsule(f"{side}_{limb}")
        # The upper arm begins in the shoulder, next to the chest.
        begin = starts[:, i] + (0.45 if limb == "upper_arm" else 0.0) * (ends[:, i] - starts[:, i])
        for part in ("pelvis", "abdomen", "ribs", "chest"):
            j = body.capsule(part)
            apart = segments_apart(begin, ends[:, i], starts[:, j], ends[:, j])
            room = np.minimum(room, apart - body.capsule_radii[i] - body.capsule_radii[j])
    return room


def _cheapest(costs: FloatArray, coordinates: FloatArray) -> IntArray:
    """The option of each key on the cheapest way through all keys (Viterbi)."""
    count = len(costs)
    total = costs[0]
    back = np.zeros(costs.shape, dtype=np.int64)
    for k in range(1, count):
        jump = coordinates[k][:, None, :] - coordinates[k - 1][None, :, :]
        jump = (jump + np.pi) % (2.0 * np.pi) - np.pi
        paid = total[None, :] + 6.0 * np.sum(jump**2, axis=2)
        back[k] = np.argmin(paid, axis=1)
        total = costs[k] + paid[np.arange(len(paid)), back[k]]
    chosen = np.zeros(count, dtype=np.int64)
    chosen[-1] = int(np.argmin(total))
    for k in range(count - 1, 0, -1):
        chosen[k - 1] = back[k][chosen[k]]
    return chosen
