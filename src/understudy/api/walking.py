"""``understudy.walk``: the walking planner, judged."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy.typing as npt

from understudy.api.evidence import published, takes_walked
from understudy.api.stepping import Asked, dawdles, lacks_stands, quicker, stepped, steps_allowed
from understudy.api.verdict import Verdict
from understudy.core.motion import Motion
from understudy.core.planning import Result
from understudy.core.pose import Pose
from understudy.errors import OptionError
from understudy.floor import Floor
from understudy.floor.questions import floor_point
from understudy.library import Library
from understudy.locomotion import Spot, WalkOptions, WalkTrace
from understudy.locomotion import walk as plan
from understudy.locomotion.completing import completed
from understudy.locomotion.published.sampling.options import SAMPLE_METHODS
from understudy.locomotion.query import spot
from understudy.scene.scene import Scene
from understudy.verify.bars import Bars
from understudy.verify.claim import Claim, made_claim
from understudy.verify.goals import FloorGoal
from understudy.verify.judge import verify
from understudy.verify.report import Report

#: How many times each path is searched for clips, wider each time, where steps can be made instead.
_ATTEMPTS = 4


def walk(
    library: Library,
    scene: Scene | None = None,
    *,
    start: Spot | Pose | Sequence[float] | npt.ArrayLike,
    goal: Spot | Sequence[float] | npt.ArrayLike,
    via: Sequence[npt.ArrayLike] = (),
    floor: Floor | None = None,
    bars: Bars | None = None,
    options: WalkOptions | None = None,
) -> Result[WalkTrace]:
    """Walk to a goal through a scene.

    The library's clips are searched first. Where nobody stands in them, takes of setting off and stopping are made from
    the gait model. Where they do not fit, all steps are, from standing at the start to standing at the goal.
    ``trace.synthesised`` says from when to when steps were made.

    Args:
        library: The clips to walk with.
        scene: What stands in the way; ``None`` for nothing.
        start: ``(x, z)`` [m], ``(x, z, degrees)``, a :class:`understudy.locomotion.Spot` within a clip, or a
            :class:`understudy.Pose`: the walk begins there with the frame of the library that is most like it.
        goal: ``(x, z)`` [m] or ``(x, z, degrees)``; 0 degrees faces +Z, 90 faces +X.
        via: Points ``(x, z)`` the path leads through.
        floor: The scene's floor, when it was built before; saves building it again.
        bars: Bars to clear; the judge's own unless given.
        options: How to search.

    Returns:
        ``SOLVED`` only with a motion that the judge has passed: at the goal, nothing touched, feet still, seams smooth.
    """
    from understudy.api.sampling import sampled_walk, with_tight

    options = options or WalkOptions()
    if options.method in SAMPLE_METHODS:
        if isinstance(start, Pose):
            raise OptionError(f'method "{options.method}" cannot begin with a pose; "auto" and "beam" can')
        return sampled_walk(library, scene, start=start, goal=goal, via=via, bars=bars, options=options)
    begin = start if isinstance(start, Pose) else spot(start, "start")
    recorded = library
    if options.method == "auto" and lacks_stands(library, begin, options):
        library = completed(library)
    verdict = Verdict(lambda motion, trace: claim_of(library, scene, motion, trace, bars=bars))
    ask = Asked(begin, spot(goal, "goal"), [floor_point(point, f"via {k}") for k, point in enumerate(via)])
    found = None
    if options.method != "steps" and not (options.method == "auto" and lacks_stands(library, begin, options)):
        stage = scene if floor is None else floor
        attempts = _ATTEMPTS if options.method == "auto" and steps_allowed(begin, options) else math.inf
        judge = verdict.violations
        found = plan(
            library, stage, start=begin, goal=ask.goal, via=via, judge=judge, options=options, attempts=attempts
        )
    if found is None or (options.method == "auto" and steps_allowed(begin, options) and dawdles(found)):
        steps = stepped(library, scene, floor, ask, found, verdict.violations, options)
        found = steps if found is None or not found.status or quicker(steps, found) else found
    result = verdict.settled(found)
    if options.method != "auto" or options.chooses or isinstance(start, Pose):
        return result
    return with_tight(result, recorded, scene, start=start, goal=goal, via=via, bars=bars, options=options)


def claim_of(
    library: Library, scene: Scene | None, motion: Motion, trace: WalkTrace, *, bars: Bars | None = None
) -> Claim:
    """What a walk claims: it ends at its goal, and is made of these takes of the library.

    Steps of the gait model are made after the performer's published clips; who ends with them stands at the goal.
    """
    stands = not len(trace.nodes) and bool(trace.synthesised)
    goal = FloorGoal(position=trace.goal.position, heading_rad=trace.goal.heading_rad, standing=stands)
    evidence = [*published(library.skeleton, library.fps)] if stands else takes_walked(library, trace.nodes)
    return made_claim("", motion, scene, evidence=evidence, goals=[goal], bars=bars)


def report_on(
    library: Library, scene: Scene | None, motion: Motion, trace: WalkTrace, *, bars: Bars | None = None
) -> Report:
    """The judge's report on a walk."""
    return verify(claim_of(library, scene, motion, trace, bars=bars))
