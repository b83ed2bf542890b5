"""The rhythm of walking and running: steps found without any threshold on time.

The ankles pass each other once per step, so a step lasts from one extreme of their distance along the body's
heading to the next. Walking vaults over the standing leg (hips highest when the ankles pass), running bounces on it
(hips lowest then). Neither depends on the frame rate, so both can be held against it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from understudy.core.motion import Motion
from understudy.kinematics.forward import WorldTransforms, motion_world
from understudy.typing import FloatArray, IntArray

#: Share of the leg's length by which the ankles must pass each other to make a step.
STEP_SHARE = 0.35


@dataclass(frozen=True, eq=False, kw_only=True)
class Gait:
    """Successive steps of a humanoid motion.

    Attributes:
        frames: ``(steps + 1,)`` frames at which one ankle is farthest ahead of the other.
        lengths_m: ``(steps,)`` how far the hips travel over the floor in each step [m].
        bounce_m: ``(steps,)`` hips' height at the step's ends less that in its middle [m]; negative in walking.
        leg_length_m: Hip to ankle [m].
        fps: Frames per second of the motion.
    """

    frames: IntArray
    lengths_m: FloatArray
    bounce_m: FloatArray
    leg_length_m: float
    fps: float

    @property
    def durations_s(self) -> FloatArray:
        """``(steps,)`` [s]."""
        return np.asarray(np.diff(self.frames) / self.fps)


def gait_of(motion: Motion) -> Gait:
    """Find the steps of a humanoid motion; standing, sitting and lying give none.

    Raises:
        SkeletonError: The skeleton is not a humanoid.
    """
    motion.skeleton.require_humanoid()
    world = motion_world(motion)
    leg = motion.skeleton.leg_length_m()
    lead = _lead_m(motion, world)
    extremes = _turning_points(lead, swing=STEP_SHARE * leg)
    hips = world.positions[:, motion.skeleton.index("hips")]
    lengths = np.linalg.norm(np.diff(hips[extremes][:, [0, 2]], axis=0), axis=1)
    middles = np.array([_crossing(lead, a, b) for a, b in pairwise(extremes)], dtype=np.int64)
    heights = hips[:, 1]
    ends = 0.5 * (heights[extremes[:-1]] + heights[extremes[1:]])
    return Gait(
        frames=extremes,
        lengths_m=lengths,
        bounce_m=ends - heights[middles],
        leg_length_m=leg,
        fps=motion.fps,
    )


def _lead_m(motion: Motion, world: WorldTransforms) -> FloatArray:
    """``(frames,)`` how far the left ankle is ahead of the right one, along the hips' heading [m]."""
    skeleton = motion.skeleton
    left, right = (world.positions[:, skeleton.index(f"{side}Foot")] for side in ("left", "right"))
    # Ahead is square to the line between the hip joints, so it needs no convention of any rig's axes.
    across = world.positions[:, skeleton.index("leftUpperLeg")] - world.positions[:, skeleton.index("rightUpperLeg")]
    ahead = np.cross(across, [0.0, 1.0, 0.0])
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9)
    return np.einsum("fi,fi->f", left - right, ahead)


def _crossing(lead: FloatArray, first: int, last: int) -> int:
    """The frame between two extremes at which the ankles pass each other."""
    return int(first + np.abs(lead[first : last + 1]).argmin())


def _turning_points(values: FloatArray, *, swing: float) -> IntArray:
    """Alternating extremes of opposite sign, each at least ``swing`` from the one before it."""
    found: list[int] = []
    for frame, value in enumerate(values):
        if abs(value) < swing / 2:
            continue
        if found and np.sign(values[found[-1]]) == np.sign(value):
            if abs(value) > abs(values[found[-1]]):
                found[-1] = frame
        else:
            found.append(frame)
    return np.array(found, dtype=np.int64)
