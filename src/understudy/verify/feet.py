"""Feet over time: their joints, the height they rest at, and when they stand (docs/verification.md's "planted")."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from understudy.core import Motion, Skeleton, fit_body
from understudy.typing import BoolArray, FloatArray
from understudy.verify.forward import joint_frames

SIDES = ("left", "right")

#: [m/s] and [m] within which a foot counts as standing, and [s] how long at least.
PLANTED_SPEED_MPS = 0.10
PLANTED_HEIGHT_M = 0.03
PLANTED_TIME_S = 0.1

#: [m] how far the sole lies below the ball of the foot.
SOLE_M = 0.025


@dataclass(frozen=True, eq=False, kw_only=True)
class Feet:
    """Both feet of one motion.

    Attributes:
        fps: Frames per second.
        ankles: ``(frames, 2, 3)`` [m] left and right ankle.
        toes: ``(frames, 2, 3)`` [m] balls of the feet: toe joints, or the body's own where a skeleton has none.
        ground_m: Height at which the lower joints of slow feet rest in this clip [m].
        yaws_rad: ``(frames,)`` how far the root is turned about the vertical [rad].
    """

    fps: float
    ankles: FloatArray
    toes: FloatArray
    ground_m: float
    yaws_rad: FloatArray

    @property
    def sole_m(self) -> float:
        """Height of the floor the clip stands on: its ground height less the foot's thickness at the ball [m]."""
        return self.ground_m - SOLE_M

    def stances(self) -> list[tuple[int, int, int]]:
        """``(side, first, stop)`` frames of every stance of either foot."""
        planted = planted_frames(self.ankles, self.toes, self.ground_m, self.fps)
        least = max(1, round(PLANTED_TIME_S * self.fps))
        found = []
        for side in range(2):
            for first, stop in runs(planted[:, side]):
                if stop - first > least:  # n frames last n - 1 intervals
                    found.append((side, first, stop))
        return found

    def carrier(self, side: int, first: int, stop: int) -> FloatArray:
        """``(stop - first, 3)`` the joint that carries a stance: the lower one on average."""
        ankle, toe = self.ankles[first:stop, side], self.toes[first:stop, side]
        return toe if toe[:, 1].mean() <= ankle[:, 1].mean() else ankle


def feet_of(motion: Motion) -> Feet:
    """The feet of a humanoid motion at its own frames.

    Raises:
        SkeletonError: The skeleton is not a humanoid.
    """
    motion.skeleton.require_humanoid()
    joints = [motion.skeleton.humanoid[f"{side}Foot"] for side in SIDES]
    ankles = _placed(motion, motion.times_s, joints)[0]
    toes = toes_at(motion, motion.times_s)
    ground_m = ground_height_m(ankles, toes, motion.fps)
    return Feet(fps=motion.fps, ankles=ankles, toes=toes, ground_m=ground_m, yaws_rad=_yaws_rad(motion))


def _yaws_rad(motion: Motion) -> FloatArray:
    w, x, y, z = motion.rotations[:, 0].T
    upright = np.abs(w) + np.abs(y) > 1e-6
    return np.asarray(np.where(upright, 2.0 * np.arctan2(y, w), np.arctan2(2.0 * x * z, 1.0 - 2.0 * x * x)))


def toes_at(motion: Motion, times_s: FloatArray) -> FloatArray:
    """``(n, 2, 3)`` [m] balls of the feet of a humanoid at any times ``(n,)`` of its motion."""
    joints, balls = _balls(motion.skeleton)
    places, turns = _placed(motion, times_s, joints)
    return np.asarray(places + np.einsum("nkij,kj->nki", turns, balls))


@lru_cache(maxsize=64)
def _balls(skeleton: Skeleton) -> tuple[list[int], FloatArray]:
    """Joints that carry the balls of both feet, and where those are in the joints' frames ``(2, 3)`` [m]."""
    toes = [skeleton.humanoid.get(f"{side}Toes") for side in SIDES]
    if None not in toes:
        return [joint for joint in toes if joint is not None], np.zeros((2, 3))
    body = fit_body(skeleton)
    feet = [body.capsule(f"{side}_foot") for side in SIDES]
    return body.capsule_joints[feet].tolist(), body.capsule_ends[feet]


def _placed(motion: Motion, times_s: FloatArray, joints: list[int]) -> tuple[FloatArray, FloatArray]:
    """Positions ``(n, k, 3)`` [m] and matrices ``(n, k, 3, 3)`` of some joints."""
    wanted = np.zeros(len(motion.skeleton), dtype=np.bool_)
    wanted[joints] = True
    places, turns = joint_frames(motion, times_s, wanted)
    return places[:, joints], turns[:, joints]


def speeds_mps(points: FloatArray, fps: float) -> FloatArray:
    """``(frames, ...)`` speeds of points ``(frames, ..., 3)`` by central differences."""
    if len(points) < 2:
        return np.zeros(points.shape[:-1])
    return np.asarray(np.linalg.norm(np.gradient(points, 1.0 / fps, axis=0), axis=-1))


def lower_joint(ankles: FloatArray, toes: FloatArray, fps: float) -> tuple[FloatArray, FloatArray]:
    """Heights [m] and speeds [m/s] ``(frames, 2)`` of the lower of ankle and toe, frame by frame."""
    toe_lower = toes[..., 1] <= ankles[..., 1]
    heights = np.where(toe_lower, toes[..., 1], ankles[..., 1])
    return heights, np.where(toe_lower, speeds_mps(toes, fps), speeds_mps(ankles, fps))


def ground_height_m(ankles: FloatArray, toes: FloatArray, fps: float) -> float:
    """Height at which slow feet rest [m]: the median of slow samples within 3 cm of their lowest fifth."""
    heights, speeds = lower_joint(ankles, toes, fps)
    slow = heights[speeds < PLANTED_SPEED_MPS]
    if len(slow) < 3:
        return float(np.percentile(heights, 5))
    low = np.percentile(slow, 20)
    near = slow[np.abs(slow - low) <= PLANTED_HEIGHT_M]
    # Between feet at two heights lies a fifth that nobody is near.
    return float(np.median(near if len(near) else slow[slow < low]))


def planted_frames(ankles: FloatArray, toes: FloatArray, ground_m: float, fps: float) -> BoolArray:
    """``(frames, 2)`` slow and near the ground; how long a stance must last is asked later."""
    heights, speeds = lower_joint(ankles, toes, fps)
    return np.asarray((speeds < PLANTED_SPEED_MPS) & (np.abs(heights - ground_m) < PLANTED_HEIGHT_M))


def runs(flags: BoolArray) -> list[tuple[int, int]]:
    """``(first, stop)`` of every run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return [(int(first), int(stop)) for first, stop in zip(edges[::2], edges[1::2], strict=True)]
