"""One search of a limb problem as every planner is asked it: a window, where to begin and end, and when."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from benchmarks.suites.limb_problems import LimbProblem
from benchmarks.suites.ompl_peer import ArrayProblem
from understudy.limbs import LimbOptions, Window, goal_postures, pace, stage_of, touches, window_of
from understudy.limbs.finding import MERGED_S, merged, window_frames
from understudy.limbs.handling.grips import reach_for
from understudy.limbs.legs import Found, Leg
from understudy.limbs.plan import shrink_s
from understudy.limbs.search import search, search_arrays
from understudy.limbs.speeds import joint_limits_rad_s
from understudy.typing import FloatArray

#: [rad/s] as good as no limit.
_UNLIMITED = 1e3
#: [s] before and after a touch, and around a reach.
_PAD_S, _LEAD_S = 0.65, 1.5
#: [m] part of the room at both ends that is not used.
_ROUNDING_M = 2e-4


@dataclass(frozen=True, eq=False, kw_only=True)
class LimbQuery:
    """A search.

    Attributes:
        window: Where.
        start: ``(parameters + 1,)`` offsets from the clip and time.
        goal: The same.
        speeds: ``(joints,)`` [rad/s] limits of the offset's speed.
        options: How ours searches.
    """

    window: Window
    start: FloatArray
    goal: FloatArray
    speeds: FloatArray
    options: LimbOptions

    @property
    def unlimited(self) -> FloatArray:
        """Speed limits that limit nothing."""
        return np.full(len(self.speeds), _UNLIMITED)

    def ours(self, speeds: FloatArray, *, seed: int) -> Found:
        """Search with our planner, shortened."""
        (*start, start_s), (*goal, goal_s) = self.start, self.goal
        leg = Leg(window=self.window, start=np.array(start), start_s=start_s, end=np.array(goal), end_s=goal_s)
        return search(leg, speeds, self.options, seed=seed)

    def as_arrays(self, speeds: FloatArray, *, whole_edges: bool, margin_m: float | None = None) -> ArrayProblem:
        """The same for OMPL: time is one more dimension and must rise along every motion.

        Args:
            speeds: Speed limits.
            whole_edges: Whether motions are certified by our compiled check; else poses are looked at one by one.
            margin_m: Distance to keep; what ours keeps unless given.
        """
        from understudy.limbs._edge_kernels import edge_reaches, set_edge
        from understudy.limbs._sampling_kernels import needed_s
        from understudy.limbs.tables import FREE

        window, keep = self.window, self.options.margin_m if margin_m is None else margin_m
        # As ours has it: what is kept more than the source keeps begins and ends with the search.
        margin = window.margin(keep)._replace(start_s=float(self.start[-1]), end_s=float(self.goal[-1]))
        space = window.space
        arrays = search_arrays(window, speeds, self.options)
        square = np.zeros(len(arrays.speeds))
        clip = window.parameters(np.linspace(self.start[-1], self.goal[-1], 50))
        low, high = space.low - clip.max(axis=0), space.high - clip.min(axis=0)

        def valid(state: FloatArray) -> bool:
            if window.limits_broken(state[:-1], float(state[-1])):
                return False
            return window.nearest(state[:-1], float(state[-1]), within_m=keep + 0.01)[0] >= keep

        def joins(one: FloatArray, other: FloatArray) -> bool:
            seconds = other[-1] - one[-1]
            if seconds <= 1e-6 or needed_s(arrays.groups, arrays.speeds, one, other, square) > seconds * (1 + 1e-9):
                return False
            if whole_edges:
                set_edge(window.scratch, one, other)
                found = edge_reaches(window.setting, window.scratch, float(one[-1]), float(other[-1]), margin, 0)
                return bool(found[1] == FREE)
            count = max(2, int(np.ceil(seconds * 240.0)) + 1)
            return all(valid(one + share * (other - one)) for share in np.linspace(0.0, 1.0, count))

        return ArrayProblem(
            low=np.array([*np.minimum(low, 0.0), self.start[-1]]),
            high=np.array([*np.maximum(high, 0.0), self.goal[-1]]),
            start=self.start,
            goal=self.goal,
            valid=valid,
            joins=joins,
        )


def query_of(problem: LimbProblem, options: LimbOptions) -> LimbQuery | None:
    """The first search a problem asks for; ``None`` when there is nothing to plan or nowhere to go."""
    stage = stage_of(problem.motion, problem.scene)
    if problem.limbs:
        space = stage.space(problem.limbs[0])
        found = merged(touches(stage, problem.limbs[0]), MERGED_S)
        if not found:
            return None
        first, last = window_frames(stage, space, found[0], found, _PAD_S)
        window = window_of(stage, space, first, last)
        room = shrink_s(window.end_s - window.start_s)
        start_s, goal_s, offset = window.start_s + room, window.end_s - room, np.zeros(len(space))
    else:
        space = stage.space(f"{problem.hand}_arm")
        motion = problem.motion
        first = max(int((problem.at_s - _LEAD_S) * motion.fps), 0)
        window = window_of(stage, space, first, min(int((problem.at_s + 0.1) * motion.fps) + 1, len(motion) - 1))
        turned = None if problem.orientation is None else problem.orientation[None]
        goal = reach_for(stage, problem.target, problem.at_s, problem.hand, np.zeros(3)).tiers[0][0].end
        end = replace(goal, rotations=turned)
        postures = goal_postures(window, problem.at_s, end, clear_m=2.0 * _ROUNDING_M)
        if not postures.found:
            return None
        start_s, goal_s, offset = window.start_s + 0.1, problem.at_s, postures.found[0].offset
    still = np.zeros(len(space))
    # Everybody keeps the same distance: that of both ends where they have less room than usual.
    room = min(window.nearest(still, start_s)[0], window.nearest(offset, goal_s)[0]) - _ROUNDING_M
    if not start_s < goal_s or room <= 0.0:
        return None
    options = replace(options, margin_m=min(options.margin_m, room))
    bars = pace([stage.source], space)
    return LimbQuery(
        window=window,
        start=np.array([*still, start_s]),
        goal=np.array([*offset, goal_s]),
        speeds=joint_limits_rad_s(space, bars, options.speed_share),
        options=options,
    )
