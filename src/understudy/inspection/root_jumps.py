"""Root jumps: a body that is suddenly elsewhere."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from understudy.core.motion import Motion
from understudy.inspection.intervals import Interval, runs
from understudy.inspection.problem import Problem, frames_text
from understudy.typing import FloatArray

#: [m] change of the root's step between two frames that no body makes, for a 1.7 m skeleton ...
JUMP_M = 0.10
#: [m/s] ... and the change of speed that it may make at once, as in a landing or a tackle.
SPEED_CHANGE_MPS = 5.0
STATURE_M = 1.7
MERGE_FRAMES = 3


def jerks_m(positions: FloatArray) -> FloatArray:
    """``(frames,)`` change of the step at each frame [m]; 0 in the first and last frame."""
    result = np.zeros(len(positions))
    if len(positions) >= 3:
        result[1:-1] = np.linalg.norm(np.diff(positions, n=2, axis=0), axis=1)
    return result


def jump_bar_m(motion: Motion) -> float:
    """The change of step from which the root has jumped [m]."""
    height = motion.skeleton.height_m
    scale = height / STATURE_M if height > 1e-6 else 1.0
    return scale * (JUMP_M + SPEED_CHANGE_MPS / motion.fps)


def find_root_jumps(motion: Motion) -> list[Interval]:
    """Runs of frames at which the root jumps, as ``(first, stop)``."""
    return list(runs(_bridged(jerks_m(motion.root_positions) > jump_bar_m(motion))))


def root_jump_problems(motion: Motion) -> list[Problem]:
    """Root jumps as problems."""
    positions = motion.root_positions
    problems = []
    for first, stop in find_root_jumps(motion):
        part = positions[max(first - 1, 0) : stop + 1]
        farthest = float(np.linalg.norm(np.diff(part, axis=0), axis=1).max())
        problems.append(
            Problem(
                kind="root_jump",
                message=f"the body jumps by {farthest:.2f} m within one frame ({frames_text(first, stop - 1)})",
                joint=motion.skeleton.names[0],
                first_frame=first,
                last_frame=stop - 1,
                severity="fault",
            )
        )
    return problems


def _bridged(track: np.ndarray) -> np.ndarray:
    """The track with short gaps between its runs closed."""
    closed = track.copy()
    listed = runs(track)
    for (_, stop), (first, _) in pairwise(listed):
        if first - stop <= MERGE_FRAMES:
            closed[stop:first] = True
    return closed
