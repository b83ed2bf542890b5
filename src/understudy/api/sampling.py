"""``understudy.sample_walk``: environment-aware sampling, judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import numpy.typing as npt

from understudy.api.evidence import takes_sampled
from understudy.api.verdict import Verdict
from understudy.core.motion import Motion
from understudy.core.planning import Result, Status
from understudy.errors import OptionError
from understudy.floor.questions import floor_point
from understudy.library import Library
from understudy.locomotion import Spot, WalkOptions, WalkTrace, walker_of
from understudy.locomotion.published.sampling import SAMPLE_METHODS, Constraint, SampleOptions, SampleTrace, sample
from understudy.locomotion.published.sampling.constraints import of_spot
from understudy.locomotion.query import spot
from understudy.scene.scene import Scene
from understudy.verify.bars import Bars
from understudy.verify.claim import Claim, made_claim
from understudy.verify.goals import FloorGoal


def sample_walk(
    library: Library,
    scene: Scene | None = None,
    *,
    constraints: Sequence[Constraint],
    bars: Bars | None = None,
    options: SampleOptions | None = None,
) -> Result[SampleTrace]:
    """Sample a motion through a scene, path and motion chosen together.

    Args:
        library: The clips.
        scene: What stands in the way; ``None`` for nothing.
        constraints: The start, what has to happen on the way, and the goal.
        bars: Bars to clear; the judge's own unless given.
        options: How to search.

    Returns:
        ``SOLVED`` only with a motion that the judge has passed.
    """
    verdict = Verdict(lambda motion, trace: sample_claim(library, scene, motion, trace, bars=bars))
    return verdict.settled(sample(library, scene, constraints=constraints, judge=verdict.violations, options=options))


def sampled_walk(
    library: Library,
    scene: Scene | None,
    *,
    start: Spot | Sequence[float] | npt.ArrayLike,
    goal: Spot | Sequence[float] | npt.ArrayLike,
    via: Sequence[npt.ArrayLike] = (),
    bars: Bars | None = None,
    options: WalkOptions,
) -> Result[WalkTrace]:
    """A walk by one of the sampling methods, its trace a :class:`SampleTrace`; arguments as in ``api.walking.walk``."""
    begin, end = spot(start, "start"), spot(goal, "goal")
    if begin.still:
        raise OptionError(f'method "{options.method}" cannot begin standing still; "auto" and "beam" can')
    if begin.clip is not None:
        walker_of(library).frame_in_clip(begin.clip, begin.frame)
    points = [floor_point(point, f"via {k}").tolist() for k, point in enumerate(via)]
    between = [Constraint(position=(x, z)) for x, z in points]
    method = "tight" if options.method not in SAMPLE_METHODS else options.method
    chosen = SampleOptions(
        method=method,
        margin_m=options.margin_m,
        goal_m=options.goal_m,
        goal_rad=min(options.goal_rad, np.pi),
        past_m=options.past_m,
        seed=options.seed,
        deadline_s=options.deadline_s,
        cancel=options.cancel,
        progress=options.progress,
    )
    constraints = [of_spot(library, begin), *between, of_spot(library, end)]
    found = sample_walk(library, scene, constraints=constraints, bars=bars, options=chosen)
    return cast("Result[WalkTrace]", found)


def with_tight(
    result: Result[WalkTrace],
    library: Library,
    scene: Scene | None,
    *,
    start: Spot | Sequence[float] | npt.ArrayLike,
    goal: Spot | Sequence[float] | npt.ArrayLike,
    via: Sequence[npt.ArrayLike] = (),
    bars: Bars | None = None,
    options: WalkOptions,
) -> Result[WalkTrace]:
    """A walk that was not found, searched once more by the tight method in the time that is left.

    The tight method cannot begin standing still, so who asks for that gets the first answer.
    """
    if result.status or result.status in (Status.CANCELLED, Status.TIMED_OUT) or scene is None:
        return result
    if spot(start, "start").still or result.status in (Status.INFEASIBLE_START, Status.INFEASIBLE_GOAL):
        return result
    if options.deadline_s is not None:
        left = options.deadline_s - result.stats.seconds
        if left <= 0.0:
            return replace(result, status=Status.TIMED_OUT, reason=f"the deadline passed; until then: {result.reason}")
        options = replace(options, deadline_s=left)
    found = sampled_walk(library, scene, start=start, goal=goal, via=via, bars=bars, options=options)
    if found.status in (Status.TIMED_OUT, Status.CANCELLED):
        # Whether there is a way is not known.
        return replace(result, status=found.status, reason=f"{found.reason}; until then: {result.reason}")
    return found if found.status else result


def sample_claim(
    library: Library, scene: Scene | None, motion: Motion, trace: SampleTrace, *, bars: Bars | None = None
) -> Claim:
    """What a sampled motion claims: it ends at its goal, and is made of these takes of the library."""
    goal = FloorGoal(position=trace.goal.position, heading_rad=trace.goal.heading_rad)
    return made_claim("", motion, scene, evidence=takes_sampled(library, trace.stretches), goals=[goal], bars=bars)
