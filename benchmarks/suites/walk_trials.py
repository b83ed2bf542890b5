"""Running queries by one technique, and comparing techniques on the queries that both solve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import thread_time

import numpy as np

from benchmarks.suites.walk_queries import CLEARANCE_M, Query
from understudy.floor import Floor
from understudy.locomotion import Walker, WalkOptions
from understudy.locomotion.approach import paths_to
from understudy.locomotion.plan import Plan
from understudy.locomotion.search import plans
from understudy.locomotion.walking import problem_of

#: States an A* may make; the thesis stops at 100,000 expansions.
STATES = 200_000
#: The thesis's distance at which a branch counts as arrived without inverse branch kinematics [m].
NEAR_M = 0.1


def _options(method: str, *, bent: bool = True) -> WalkOptions:
    limits = {} if bent else {"past_m": NEAR_M, "goal_m": NEAR_M}
    return WalkOptions(method=method, clearance_m=CLEARANCE_M, max_states=STATES, **limits)  # type: ignore[arg-type]


#: The thesis's techniques and ours. Without IBK a branch has to end within 10 cm by itself.
TECHNIQUES = {
    "A*": _options("astar", bent=False),
    "A* + IBK": _options("astar"),
    "channel": _options("channel", bent=False),
    "channel + IBK": _options("channel"),
    "maps": _options("maps"),
    "beam": WalkOptions(clearance_m=CLEARANCE_M),
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Trials:
    """What became of some queries; one entry each.

    Attributes:
        solved: Whether a branch arrived.
        seconds: Processor time from the path to the bent branch; other work on the machine hardly counts [s].
        length_m: How far its clips travel [m]; not a number where there is none.
        path_m: Length of the shortest path [m].
        error_m: Distance from the goal [m].
        expansions: States expanded.
    """

    solved: np.ndarray
    seconds: np.ndarray
    length_m: np.ndarray
    path_m: np.ndarray
    error_m: np.ndarray
    expansions: np.ndarray

    def row(self, case: str, method: str) -> dict[str, object]:
        """The numbers of one technique."""
        some = self.solved.any()
        return {
            "case": case,
            "method": method,
            "solved": int(self.solved.sum()),
            "total": len(self.solved),
            "median_s": float(np.median(self.seconds)),
            "p95_s": float(np.percentile(self.seconds, 95)),
            "max_s": float(self.seconds.max()),
            "solved_p95_s": float(np.percentile(self.seconds[self.solved], 95)) if some else None,
            "path_m": float(np.mean(self.path_m)),
            "length_m": float(np.nanmean(self.length_m)) if some else None,
            "length_ratio": float(np.nanmedian(self.length_m / self.path_m)) if some else None,
            "worst_goal_m": float(np.nanmax(self.error_m)) if some else None,
            "expansions": float(np.median(self.expansions)),
        }


def searched(walker: Walker, floor: Floor, query: Query, options: WalkOptions) -> tuple[Plan | None, float, float]:
    """The first branch that arrives, seconds, and the shortest path's length [m]."""
    began = thread_time()
    shortest, ways = paths_to(floor, *query, [], options.clearance_m, aimed_rad=options.aimed_rad)
    watch = options.watch()
    problems = (problem_of(walker, floor, *query, way, options) for way in ways)
    found = (one for problem in problems for one in plans(problem, watch) if one.arrives)
    branch = next(found, None)
    return branch, thread_time() - began, shortest.path.length_m if shortest.path else np.nan


def trials(walker: Walker, floor: Floor, asked: Sequence[Query], options: WalkOptions) -> Trials:
    """Run queries one after the other; compiling is not counted."""
    searched(walker, floor, asked[0], options)
    rows = np.full((len(asked), 6), np.nan)
    for k, query in enumerate(asked):
        branch, seconds, path_m = searched(walker, floor, query, options)
        rows[k, :3] = branch is not None, seconds, path_m
        if branch is not None:
            rows[k, 3:] = walker.lengths_m[branch.nodes].sum(), branch.error_m, branch.tree.expanded
    solved, seconds_, path, length, error, expanded = rows.T
    return Trials(
        solved=solved > 0,
        seconds=seconds_,
        path_m=path,
        length_m=length,
        error_m=error,
        expansions=np.nan_to_num(expanded, nan=float(STATES)),
    )


def improvement(before: Trials, after: Trials) -> dict[str, object]:
    """How much less one technique needs than another [%], over the queries both solve (thesis Table 3.3)."""
    both = before.solved & after.solved
    if not both.any():
        return {"mutual": 0, "length_pct": None, "expansions_pct": None, "time_pct": None}

    def gain(name: str) -> float:
        old, new = getattr(before, name)[both].mean(), getattr(after, name)[both].mean()
        return float(100.0 * (old - new) / old)

    return {
        "mutual": int(both.sum()),
        "length_pct": gain("length_m"),
        "expansions_pct": gain("expansions"),
        "time_pct": gain("seconds"),
    }
