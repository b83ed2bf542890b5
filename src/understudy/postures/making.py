"""The motion of planned legs: timed, smoothed, on the floor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.postures.grounding import Shift, rolled_roots
from understudy.postures.options import BetweenOptions
from understudy.postures.pacing import paced, unhurried_times
from understudy.postures.problem import Problem
from understudy.postures.smoothing import smoothed
from understudy.postures.stage import Stage
from understudy.postures.timing import duration_of, timed
from understudy.postures.trace import Leg
from understudy.typing import FloatArray, IntArray

#: Gap that the motion itself keeps [m], or this share of what its keys have.
_GAP_M, _SHARE = 0.001, 0.5


@dataclass(frozen=True, eq=False, kw_only=True)
class Made:
    """A motion that was made.

    Attributes:
        motion: The motion.
        key_times_s: ``(keys,)`` when it is at its keys [s].
        stage: Keeps the gaps wanted of it.
        least_gap_m: Least gap of its frames [m].
        smooth: Whether it could be smoothed; else it has the corners of its path.
    """

    motion: Motion
    key_times_s: FloatArray
    stage: Stage
    least_gap_m: float
    smooth: bool


def motion_through(
    problem: Problem, keys: FloatArray, legs: Sequence[Leg], options: BetweenOptions, *, shift: Shift, stretch: float
) -> Made:
    """The motion along planned legs.

    Args:
        problem: Who moves where.
        keys: ``(keys, size)`` the postures to pass through.
        legs: The ways between them.
        options: Frame rate and pace.
        shift: Where a body that rolls on the floor ends (``grounding``).
        stretch: How many times as long as its pace says it takes.
    """
    path, corners = path_of(legs)
    duration = duration_of(path, options.speed_rad_s)
    postures, times = timed(path, duration_s=duration, fps=options.fps, keys=corners)
    key_times = times[corners]
    stage = problem.stage.keeping(problem.keep(list(keys), _GAP_M, _SHARE))
    curve = smoothed(stage, postures, keys, key_times * options.fps, fps=options.fps)
    smooth = curve is not None
    if curve is None:
        curve = postures
    key_frames = np.round(key_times * options.fps).astype(np.int64)
    motion = _motion(problem, curve, options.fps, shift)
    stands = problem.has_floor and problem.body.skeleton.is_humanoid
    if stands or stretch != 1.0:
        every, least = np.arange(len(curve)), np.zeros(len(curve) - 1)
        if stands:
            least = unhurried_times(problem.body, motion, key_frames, balanced=problem.balanced)
        frames = paced(least, options.fps, rests=key_frames, stretch=stretch)
        # Between two postures within convex limits no limit is broken.
        curve = np.stack([np.interp(frames, every, numbers) for numbers in curve.T], axis=1)
        if stage.pins is not None:
            curve = np.array([stage.held(q)[0] for q in curve])
        key_frames = np.searchsorted(frames, key_frames - 1e-6)
        motion = _motion(problem, curve, options.fps, shift)
    return Made(
        motion=motion,
        key_times_s=key_frames / options.fps,
        stage=stage,
        least_gap_m=stage.look_along(curve)[1],
        smooth=smooth,
    )


def _motion(problem: Problem, curve: FloatArray, fps: float, shift: Shift) -> Motion:
    """The motion through postures ``(frames, size)``."""
    roots, rotations = problem.stage.space.poses(curve)
    rotations = rot.continuous(rotations)
    if problem.stage.space.grounded:
        roots = rolled_roots(problem.body, roots, rotations, fps=fps, shift=shift)
    return Motion(skeleton=problem.body.skeleton, fps=fps, root_positions=roots, rotations=rotations, name="between")


def played_back(problem: Problem, motion: Motion) -> Made:
    """A motion that is there."""
    gap = min(float(problem.stage.gaps(q).min()) for q in problem.keys)
    times = np.array([0.0, motion.duration_s])
    return Made(motion=motion, key_times_s=times, stage=problem.stage, least_gap_m=gap, smooth=True)


def path_of(legs: Sequence[Leg]) -> tuple[FloatArray, IntArray]:
    """All legs as one path ``(n, size)``, and the indices of its key postures."""
    path = np.concatenate([legs[0].path, *(leg.path[1:] for leg in legs[1:])])
    return path, np.cumsum([0, *(len(leg.path) - 1 for leg in legs)])
