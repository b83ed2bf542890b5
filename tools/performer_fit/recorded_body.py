"""Reading gait out of recorded clips: bodies freed of their rigs, and the curves they draw.

Phase and path are found in ``recorded_path``, curves in ``recorded_curves``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.reference_pose import t_pose_world
from understudy.kinematics import motion_world
from understudy.performer import curves
from understudy.typing import FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class RecordedBody:
    """World quantities of a clip, freed of the rig.

    Attributes:
        fps: Frames per second.
        leg_m: Hip to ankle [m].
        pelvis: ``(frames, 3)`` [m] middle of the hip joints, height above a flat foot's ankle.
        pelvis_turn: ``(frames, 4)`` away from the T-pose.
        turns: ``(frames, len(TURNING), 4)`` each seen from its parent part, away from the T-pose.
        ankles: ``(frames, 2, 3)`` [m], height above a flat foot's ankle.
        balls: ``(frames, 2, 3)`` [m], height above a standing ball.
        feet: ``(frames, 2, 4)`` away from the T-pose.
        toes: ``(frames, 2)`` bend of the toes [rad].
        hinges: ``(frames, 2)`` yaw of the knees' hinges in the world [rad].
    """

    fps: float
    leg_m: float
    pelvis: FloatArray
    pelvis_turn: FloatArray
    turns: FloatArray
    ankles: FloatArray
    balls: FloatArray
    feet: FloatArray
    toes: FloatArray
    hinges: FloatArray


def recorded_body(motion: Motion) -> RecordedBody:
    """What the curves are made of."""
    skeleton = motion.skeleton
    skeleton.require_humanoid()
    world = motion_world(motion)
    away = rot.multiply(world.rotations, rot.conjugate(t_pose_world(skeleton)[1]))

    def turn(role: str) -> FloatArray:
        return away[:, skeleton.index(role)]

    chest = next(role for role in ("upperChest", "chest", "spine") if role in skeleton.humanoid)
    parts = {"trunk": rot.relative(turn("hips"), turn(chest)), "head": rot.relative(turn(chest), turn("head"))}
    for side in curves.SIDES:
        above = turn(chest)
        for part in ("Shoulder", "UpperArm", "LowerArm", "Hand"):
            if f"{side}{part}" in skeleton.humanoid:
                parts[f"{side}{part}"] = rot.relative(above, turn(f"{side}{part}"))
                above = turn(f"{side}{part}")
            else:
                parts[f"{side}{part}"] = rot.identity((len(motion),))
    feet = np.stack([turn(f"{side}Foot") for side in curves.SIDES], axis=1)
    toes = np.stack([turn(f"{side}Toes") for side in curves.SIDES], axis=1)
    thighs = np.stack([turn(f"{side}UpperLeg") for side in curves.SIDES], axis=1)
    across = rot.rotate(thighs, np.array([1.0, 0.0, 0.0]))
    places = {
        bone: np.stack([world.positions[:, skeleton.index(f"{side}{bone}")] for side in curves.SIDES], axis=1)
        for bone in ("Foot", "Toes")
    }
    low = {bone: np.array([0.0, _resting_m(points, motion.fps), 0.0]) for bone, points in places.items()}
    hips = [world.positions[:, skeleton.index(f"{side}UpperLeg")] for side in curves.SIDES]
    return RecordedBody(
        fps=motion.fps,
        leg_m=skeleton.leg_length_m(),
        pelvis=0.5 * (hips[0] + hips[1]) - low["Foot"],
        pelvis_turn=turn("hips"),
        turns=np.stack([parts[joint] for joint in curves.TURNING], axis=1),
        ankles=places["Foot"] - low["Foot"],
        balls=places["Toes"] - low["Toes"],
        feet=feet,
        toes=-rot.log(rot.relative(feet, toes))[..., 0],
        hinges=np.arctan2(-across[..., 2], across[..., 0]),
    )


def _resting_m(joints: FloatArray, fps: float) -> float:
    """Height of a foot's joints ``(frames, 2, 3)`` while they stand [m]."""
    speed = np.linalg.norm(np.gradient(joints, axis=0), axis=-1) * fps
    still = joints[..., 1][speed < 0.12]
    heights = still if len(still) > 5 else np.sort(joints[..., 1].ravel())[: len(joints) // 3]
    return float(np.percentile(heights, 30))
