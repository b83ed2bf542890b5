"""What others see of a streamed walk: its trace, its verdict, and where it is when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from understudy.core.motion import Motion
from understudy.core.planning import Result, Status
from understudy.locomotion.plan import Plan
from understudy.locomotion.stream_search import Searcher
from understudy.locomotion.trace import WalkTrace
from understudy.locomotion.walking import travelled_m
from understudy.scene.scene import Scene
from understudy.typing import FloatArray

#: Says why a whole walk through a scene will not do; empty when it will. What passed last may be its ``claim``.
StreamJudge = Callable[[Motion, WalkTrace, Scene | None], str]


def judged(end: Result[WalkTrace], judge: StreamJudge | None, scene: Scene | None) -> Result[WalkTrace]:
    """How a walk ended, once it has been judged."""
    if end.status is not Status.SOLVED or judge is None or end.motion is None or end.trace is None:
        return end
    fault = judge(end.motion, end.trace, scene)
    if fault:
        return replace(end, status=Status.EXHAUSTED, reason=f"the walk arrived, but {fault}")
    return replace(end, claim=getattr(judge, "claim", None))


def walk_trace(search: Searcher, settled: Plan, motion: Motion | None, rejected: Sequence[str]) -> WalkTrace:
    """How a walk came about, in the words of :func:`understudy.locomotion.walk`."""
    blocked, goal = search.blocked, search.goal
    roots: FloatArray = np.zeros((1, 2)) if motion is None else motion.root_positions[:, [0, 2]]
    return WalkTrace(
        floor=search.stage.floor,
        start=search.start,
        goal=goal,
        path=search.path,
        nodes=settled.nodes,
        turns_rad=settled.turns_rad[1:],
        placements=settled.placements,
        length_m=0.0 if motion is None else travelled_m(roots, motion.fps),
        goal_error_m=np.inf if motion is None else float(np.hypot(*(roots[-1] - goal.point))),
        goal_error_rad=settled.error_rad if settled.arrives and goal.heading_rad is not None else None,
        rejected=tuple(rejected),
        nearest_free=None if blocked is None else blocked.nearest_free,
        obstacle="" if blocked is None else blocked.obstacle,
    )


def why_not(search: Searcher, settled: Plan, rejected: Sequence[str], time_s: float) -> tuple[Status, str]:
    """How a walk ends that cannot go on, and why."""
    if search.blocked is not None:
        return search.blocked.status, search.blocked.reason
    if rejected:
        return Status.EXHAUSTED, f"no plan passed the judge; the last: {rejected[-1]}"
    if not len(settled):
        return Status.EXHAUSTED, "no clip of the library fits at the start; there is too little room"
    x, z = search.here(settled)
    where = f"({x:.2f}, {z:.2f}) after {time_s:.2f} s"
    return Status.EXHAUSTED, f"nothing can follow at {where}; more clips (turns, stops) or room may help"
