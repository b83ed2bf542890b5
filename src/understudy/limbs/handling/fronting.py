"""Where two hands carry an object: in front of the chest, without the body's sway."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.limbs.stage import Stage
from understudy.scene.transforms import Pose
from understudy.typing import FloatArray, IntArray

#: [s] how long lifting and putting down take, and [m] how much an object is lifted on its way.
MOVE_S, LIFT_M = 1.2, 0.06
#: [s] smoothing of the body's own sway in what is carried.
_CALM_S = 0.5


def carried_path(
    stage: Stage, frames: IntArray, pose: Pose, carry: tuple[float, float]
) -> tuple[FloatArray, FloatArray]:
    """Poses of the object from where it is taken to in front of the chest, and with the body from then on."""
    times = stage.start_s + frames / stage.motion.fps
    positions, yaws = front(stage, times, carry)
    first_yaw = yaws[0]
    turns = rot.multiply(rot.from_yaw(yaws - first_yaw), np.broadcast_to(pose[1], (len(times), 4)))
    share = eased((times - times[0]) / MOVE_S)
    found = blended(pose, (positions, turns), share)
    lift = LIFT_M * np.sin(np.pi * np.clip((times - times[0]) / MOVE_S, 0.0, 1.0)) ** 2
    found[0][:, 1] += lift
    return found


def before_chest(stage: Stage, since: int, pose: Pose) -> tuple[FloatArray, FloatArray]:
    """Poses of an object that goes with the chest from a frame on: as far before it and below it as it is then."""
    times = stage.start_s + np.arange(len(stage.motion)) / stage.motion.fps
    positions, yaws = (part[since:] for part in front(stage, times, (0.0, 0.0)))
    back = rot.from_yaw(-yaws[0])
    inside = rot.rotate(back, pose[0] - positions[0])
    turns = rot.from_yaw(yaws)
    return positions + rot.rotate(turns, inside), rot.multiply(rot.multiply(turns, back), pose[1])


def front(stage: Stage, times: FloatArray, carry: tuple[float, float]) -> tuple[FloatArray, FloatArray]:
    """``(n, 3)`` [m] in front of the chest, and ``(n,)`` [rad] where the body faces, both without its sway."""
    person = stage.scene.character(stage.character)
    humanoid = stage.motion.skeleton.humanoid
    trunk = next(role for role in ("upperChest", "chest", "spine") if role in humanoid)
    chest = _calmed(person.joint(trunk, times)[0], stage.motion.fps)
    facing = np.unwrap([person.facing_rad(float(time)) for time in times])
    yaws = _calmed(np.asarray(facing)[:, None], stage.motion.fps)[:, 0]
    ahead = np.stack([np.sin(yaws), np.zeros_like(yaws), np.cos(yaws)], axis=1)
    return chest + carry[0] * ahead + np.array([0.0, carry[1], 0.0]), yaws


def _calmed(values: FloatArray, fps: float) -> FloatArray:
    """Values ``(n, k)`` averaged over a bell, straight on beyond their ends."""
    if len(values) < 2:
        return values
    half = max(int(0.5 * _CALM_S * fps), 1)
    bell = np.cos(0.5 * np.pi * np.arange(-half, half + 1) / (half + 1)) ** 2
    bell /= bell.sum()
    step = max(min(half, len(values) - 1), 1)
    slopes = (values[step] - values[0]) / step, (values[-1] - values[-1 - step]) / step
    back = values[0] - np.arange(half, 0, -1)[:, None] * slopes[0]
    on = values[-1] + np.arange(1, half + 1)[:, None] * slopes[1]
    longer = np.concatenate([back, values, on])
    return np.stack([np.convolve(column, bell, mode="valid") for column in longer.T], axis=1)


def blended(first: Pose, last: tuple[FloatArray, FloatArray], share: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Poses ``(n, ...)`` from one pose into a path, by shares ``(n,)`` that go from 0 to 1."""
    positions = first[0] + share[:, None] * (last[0] - first[0])
    return positions, rot.slerp(np.broadcast_to(first[1], last[1].shape), last[1], share)


def eased(share: FloatArray) -> FloatArray:
    """0 to 1 with neither speed nor acceleration at the ends."""
    s = np.clip(share, 0.0, 1.0)
    return np.asarray(s**3 * (10.0 - 15.0 * s + 6.0 * s**2))
