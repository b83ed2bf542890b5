"""Dropped frames: frames in the rest pose or all zero amid motion, and frames that repeat the one before."""

from __future__ import annotations

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.inspection.intervals import Interval, runs
from understudy.inspection.problem import Problem, frames_text
from understudy.typing import BoolArray, FloatArray

#: [s] longer runs are pauses or missing takes, not dropped frames.
LONGEST_S = 0.5
#: A body of fewer joints takes its rest pose by chance.
MIN_JOINTS = 4
#: [rad] mean turn per joint by which a rest-pose frame must differ from its neighbours.
REST_JUMP_RAD = float(np.radians(2.0))
#: [rad] mean turn per joint and frame around a repeat, and its share of the clip's median, to be amid motion.
MOVING_RAD, MOVING_SHARE = float(np.radians(0.05)), 0.3

_SAME = 1e-9


def find_dropped(motion: Motion) -> list[Interval]:
    """Runs of dropped frames as ``(first, stop)``, in order."""
    steps = _mean_turns(motion.rotations[:-1], motion.rotations[1:])
    resting = _resting(motion)
    frozen = _frozen(motion, steps)
    longest = max(1, round(LONGEST_S * motion.fps))
    found = [run for run in runs(resting) if run[1] - run[0] <= longest and _stands_out(motion, run)]
    found += [run for run in runs(frozen & ~resting) if run[1] - run[0] <= longest and _amid_motion(run, steps)]
    return sorted(found)


def dropped_problems(motion: Motion) -> list[Problem]:
    """Dropped frames as problems."""
    resting = _resting(motion)
    return [
        Problem(
            kind="dropped_frames",
            message=f"{frames_text(first, stop - 1)} "
            + (
                "show the rest pose between other poses"
                if resting[first]
                else "repeat the previous frame during motion"
            ),
            joint=None,
            first_frame=first,
            last_frame=stop - 1,
            severity="fault",
        )
        for first, stop in find_dropped(motion)
    ]


def _mean_turns(a: FloatArray, b: FloatArray) -> FloatArray:
    """``(frames,)`` mean angle over all joints between two sets of poses [rad]."""
    return np.asarray(rot.angle_between(a, b).mean(axis=-1))


def _resting(motion: Motion) -> BoolArray:
    """``(frames,)`` whether every joint but the root is exactly at rest, or at zero."""
    rotations = motion.rotations[:, 1:]
    if len(motion.skeleton) < MIN_JOINTS:
        return np.zeros(len(motion), dtype=bool)
    zero = np.abs(rotations[..., 0]) > 1 - _SAME
    rest = np.abs(np.einsum("fji,ji->fj", rotations, motion.skeleton.rest_rotations[1:])) > 1 - _SAME
    resting: BoolArray = zero.all(axis=1) | rest.all(axis=1)
    # A clip that mostly rests is a character without animation.
    return resting & (resting.mean() < 0.5)


def _stands_out(motion: Motion, run: Interval) -> bool:
    first, stop = run
    sides = [(first - 1, first)] * (first > 0) + [(stop - 1, stop)] * (stop < len(motion))
    turns = [float(_mean_turns(motion.rotations[a : a + 1], motion.rotations[b : b + 1])[0]) for a, b in sides]
    return bool(turns) and min(turns) > REST_JUMP_RAD


def _frozen(motion: Motion, steps: FloatArray) -> BoolArray:
    """``(frames,)`` whether a frame equals the one before it."""
    frozen = np.zeros(len(motion), dtype=bool)
    moved = np.abs(np.diff(motion.root_positions, axis=0)).max(axis=1, initial=0.0)
    frozen[1:] = (steps < _SAME) & (moved < _SAME)
    same = np.flatnonzero(frozen)
    # angle_between loses digits near zero, so the few candidates are compared outright.
    frozen[same] = np.abs(motion.rotations[same] - motion.rotations[same - 1]).max(axis=(1, 2), initial=0.0) < _SAME
    return frozen


def _amid_motion(run: Interval, steps: FloatArray) -> bool:
    """Whether the body moves right before and right after a run of repeats; ``steps[f]`` leads from f to f + 1."""
    first, stop = run
    if first < 2 or stop > len(steps):
        return False
    needed = max(MOVING_RAD, MOVING_SHARE * float(np.median(steps[steps > _SAME], axis=0))) if steps.any() else np.inf
    return bool(steps[first - 2] > needed and steps[stop - 1] > needed)
