"""The motion of planned legs: timed, smoothed, on the floor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.pose import Pose
from understudy.postures.grounding import OnFloor, Shift, grounded_roots, height_above, sunk_depth
from understudy.postures.landing import without_dragging
from understudy.postures.options import BetweenOptions
from understudy.postures.problem import Problem
from understudy.postures.smoothing import smoothed
from understudy.postures.stage import Stage
from understudy.postures.support import carries_itself
from understudy.postures.tables import PIN_JOINT
from understudy.postures.timing import duration_of, minimum_jerk, timed
from understudy.postures.trace import BetweenTrace
from understudy.typing import FloatArray

#: Gap that the motion itself keeps [m], or this share of what its keys have.
_GAP_M, _SHARE = 0.001, 0.5


def motion_stage(problem: Problem, trace: BetweenTrace) -> Stage:
    """The stage that keeps the gaps wanted of a motion through a trace's keys."""
    return problem.stage.keeping(problem.keep(list(trace.keys), _GAP_M, _SHARE))


def motion_through(
    problem: Problem, trace: BetweenTrace, options: BetweenOptions, *, loose: bool
) -> tuple[Motion, BetweenTrace]:
    """The motion along the legs of a trace, and the trace with its key times.

    Args:
        problem: Who moves where.
        trace: Its keys and legs.
        options: Duration and frame rate.
        loose: Whether the last posture may end elsewhere on the floor.
    """
    path = np.concatenate([trace.legs[0].path, *(leg.path[1:] for leg in trace.legs[1:])])
    corners = np.cumsum([0, *(len(leg.path) - 1 for leg in trace.legs)])
    duration = options.duration_s or duration_of(path, corners, options.speed_rad_s)
    postures, times = timed(path, duration_s=duration, fps=options.fps)
    key_times = times[corners]
    stage = motion_stage(problem, trace)
    curve = smoothed(stage, postures, trace.keys, key_times * options.fps, fps=options.fps)
    if curve is None:
        curve = postures
    rotations = rot.continuous(problem.stage.space.rotations(curve))
    roots = curve[:, :3]
    if problem.stage.space.grounded:
        roots = _on_the_floor(problem, trace.keys, curve, rotations, key_times, options, loose=loose)
    motion = Motion(
        skeleton=problem.body.skeleton, fps=options.fps, root_positions=roots, rotations=rotations, name="between"
    )
    return motion, replace(trace, key_times_s=key_times, least_gap_m=stage.look_along(curve)[1])


def undragged(problem: Problem, motion: Motion, trace: BetweenTrace) -> Motion:
    """The motion with feet that leave the floor and come back to it without sliding; the same without a floor."""
    if not problem.has_floor or trace.key_times_s is None or not problem.body.skeleton.is_humanoid:
        return motion
    pins = problem.stage.pins
    held = [] if pins is None else [int(row[PIN_JOINT]) for row in pins.indices]
    frames = [min(round(float(time) * motion.fps), len(motion) - 1) for time in trace.key_times_s]
    return without_dragging(problem.body, motion, frames, held=held)


def _on_the_floor(
    problem: Problem,
    keys: FloatArray,
    curve: FloatArray,
    rotations: FloatArray,
    key_times: FloatArray,
    options: BetweenOptions,
    *,
    loose: bool,
) -> FloatArray:
    space, body = problem.stage.space, problem.body
    roots, turns = space.poses(keys)
    clock = np.arange(len(curve)) / options.fps
    place = np.interp(clock, key_times, np.arange(len(keys)))
    leg = np.minimum(place.astype(np.int64), len(keys) - 2)
    share = minimum_jerk(place - leg)
    poses = [Pose(skeleton=body.skeleton, root_position=p, rotations=q) for p, q in zip(roots, turns, strict=True)]
    above = np.array([height_above(body, pose) for pose in poses])
    sunk = np.array([sunk_depth(body, pose) for pose in poses])
    stands = np.array([carries_itself(body, pose) for pose in poses])
    floor = OnFloor(
        above=above[leg] + share * (above[leg + 1] - above[leg]),
        sunk=sunk[leg] + share * (sunk[leg + 1] - sunk[leg]),
        carried=stands[leg] & stands[leg + 1],
        fps=options.fps,
    )
    planned = curve[:, :3].copy()
    planned[:, 1] = roots[leg, 1] + share * (roots[leg + 1, 1] - roots[leg, 1])
    # Among solids everything was planned at its own place.
    shift: Shift = "none" if problem.stage.solids is not None else "free" if loose else "ends"
    return grounded_roots(body, planned, rotations, floor, shift=shift)
