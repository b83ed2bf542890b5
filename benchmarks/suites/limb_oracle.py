"""Whether a limb problem can be solved at all, by other means than ours: many postures, SciPy, OMPL with a long budget.

It is asked only about what ours did not solve. Its answer is one-sided where it relies on search: "not shown feasible"
means that nobody found a way, not that there is none.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.optimize import least_squares

from benchmarks.suites.limb_problems import LimbProblem
from benchmarks.suites.limb_queries import LimbQuery
from benchmarks.suites.ompl_peer import asked, available
from understudy import rotations as rot
from understudy.limbs import LimbOptions, Window, pace, stage_of, touches, window_of
from understudy.limbs.finding import MERGED_S, merged, window_frames
from understudy.limbs.handling.grips import reach_for
from understudy.limbs.plan import shrink_s
from understudy.limbs.speeds import joint_limits_rad_s
from understudy.typing import FloatArray

FEASIBLE = "feasible"
#: Random postures at every moment of a touch, and starts of the inverse kinematics.
_POSTURES, _STARTS = 4000, 60
#: [m] distance that counts as free.
_CLEAR_M = 0.0015


def verdict(problem: LimbProblem, *, limit_s: float) -> str:
    """``FEASIBLE``, or why nobody could do it."""
    return _correction(problem, limit_s) if problem.limbs else _reach(problem, limit_s)


def _free(window: Window, offset: FloatArray, time_s: float) -> bool:
    if window.limits_broken(offset, time_s):
        return False
    return window.nearest(offset, time_s, within_m=0.02)[0] >= _CLEAR_M


def _some_posture(window: Window, time_s: float, rng: np.random.Generator) -> bool:
    clip = window.parameters(np.array([time_s]))[0]
    wide = rng.uniform(window.space.low, window.space.high, (_POSTURES // 2, len(window.space))) - clip
    near = rng.normal(0.0, 0.5, (_POSTURES // 2, len(window.space)))
    return any(_free(window, offset, time_s) for offset in np.concatenate([near, wide]))


def _correction(problem: LimbProblem, limit_s: float) -> str:
    stage = stage_of(problem.motion, problem.scene)
    limb, rng = problem.limbs[0], np.random.default_rng(0)
    space = stage.space(limb)
    found = merged(touches(stage, limb), MERGED_S)
    for touch in found:
        first, last = window_frames(stage, space, touch, found, 1.5)
        window = window_of(stage, space, first, last)
        room = shrink_s(window.end_s - window.start_s)
        start_s, goal_s, still = window.start_s + room, window.end_s - room, np.zeros(len(space))
        for when in (start_s, goal_s):
            if not _free(window, still, when):
                return "the clip touches at the ends of every window"
        for when in np.linspace(touch.start_s, touch.end_s, 7):
            if not _some_posture(window, float(np.clip(when, window.start_s, window.end_s)), rng):
                return "no free posture"
        query = _query(window, still, start_s, still, goal_s)
        if not _way(query, limit_s):
            return "not shown feasible"
    return FEASIBLE


def _reach(problem: LimbProblem, limit_s: float) -> str:
    stage = stage_of(problem.motion, problem.scene)
    space = stage.space(f"{problem.hand}_arm")
    last = min(int((problem.at_s + 0.1) * problem.motion.fps) + 1, len(problem.motion) - 1)
    window = window_of(stage, space, 0, last)
    postures = [offset for offset in _postures(problem, window) if _free(window, offset, problem.at_s)]
    if not postures:
        return "no free posture"
    still, start_s = np.zeros(len(space)), window.start_s + 0.06
    if not _free(window, still, start_s):
        return "the clip touches where it begins"
    queries = [_query(window, still, start_s, one, problem.at_s) for one in postures[:4]]
    seconds = [
        float((np.linalg.norm((space.spread @ q.goal[:-1]).reshape(-1, 3), axis=1) / q.speeds).max()) for q in queries
    ]
    if min(seconds) > problem.at_s - start_s:
        return "too fast for its pace"
    return FEASIBLE if any(_way(query, limit_s / len(queries)) for query in queries) else "not shown feasible"


def _postures(problem: LimbProblem, window: Window) -> list[FloatArray]:
    """Offsets that put the palm on its target, by SciPy from random starts."""
    stage, space, rng = window.stage, window.space, np.random.default_rng(1)
    pose = problem.motion.pose_at(problem.at_s)
    goal = reach_for(stage, problem.target, problem.at_s, problem.hand, np.zeros(3)).tiers[0][0].end
    point, end = goal.point, space.joints[-1]
    clip = space.parameters(pose.rotations)

    def missing(offset: FloatArray) -> FloatArray:
        local = space.with_offsets(pose.rotations, offset)
        places, turns = problem.motion.skeleton.placed_joints(pose.root_position, local)
        off = places[end] + rot.rotate(turns[end], point) - goal.position
        if problem.orientation is None:
            return np.asarray(off)
        turn = rot.log(rot.multiply(turns[end], rot.conjugate(problem.orientation)))
        return np.concatenate([off, 0.1 * turn])

    found: list[FloatArray] = []
    for _ in range(_STARTS):
        start = rng.uniform(space.low, space.high) - clip
        solved = least_squares(missing, start, bounds=(space.low - clip - 1e-9, space.high - clip + 1e-9), max_nfev=60)
        if np.linalg.norm(solved.fun) < 5e-4:
            found.append(np.asarray(solved.x))
    return sorted(found, key=lambda one: float(np.linalg.norm(one)))


def _query(window: Window, start: FloatArray, start_s: float, goal: FloatArray, goal_s: float) -> LimbQuery:
    paces = pace([window.stage.source], window.space)
    # Planners go calmly; whoever asks what is possible at all may go as fast as the bar.
    bars = {name: replace(one, calm=one.speed) for name, one in paces.items()}
    return LimbQuery(
        window=window,
        start=np.array([*start, start_s]),
        goal=np.array([*goal, goal_s]),
        speeds=joint_limits_rad_s(window.space, bars, 1.0),
        options=LimbOptions(),
    )


def _way(query: LimbQuery, limit_s: float) -> bool:
    """Whether OMPL finds a way at the limb's full pace, and at no more than a hair's distance."""
    if not available():
        return True
    problem = query.as_arrays(query.speeds, whole_edges=True, margin_m=_CLEAR_M)
    return asked(problem, "RRTConnect", limit_s=limit_s, seed=0).path is not None
