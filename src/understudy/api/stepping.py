"""Footsteps for ``understudy.walk``: when they may be used, and what they need of the library."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from understudy.core.planning import Result, Status
from understudy.core.pose import Pose
from understudy.floor import Floor
from understudy.library import Library
from understudy.locomotion import Judge, Spot, WalkOptions, WalkTrace, floor_for, walker_of
from understudy.locomotion.footsteps.manner import manner_of
from understudy.locomotion.stepping import Stepper, step_walk
from understudy.scene.scene import Scene
from understudy.typing import FloatArray

#: [m/s], [s] who gets there more slowly may have stopped on the way, or walked in circles; and what a stop takes.
_SLOW_MPS, _STOP_S = 1.0, 2.0


class Asked(NamedTuple):
    """Where to walk: from a start, past some points, to a goal."""

    start: Spot | Pose
    goal: Spot
    via: list[FloatArray]


def steps_allowed(start: Spot | Pose, options: WalkOptions) -> bool:
    """Whether somebody may stand at the start, and any steps will do."""
    return isinstance(start, Spot) and start.clip is None and not options.names_clips


def lacks_stands(library: Library, start: Spot | Pose, options: WalkOptions) -> bool:
    """Whether somebody is to begin or end standing whose library never does, and steps may be made instead."""
    still = walker_of(library).still
    begins = isinstance(start, Spot) and start.still and not still[:, 0].any()
    return steps_allowed(start, options) and (begins or (options.stop and not still[:, 1].any()))


def dawdles(found: Result[WalkTrace]) -> bool:
    """Whether a walk by clips does not get there, or more slowly than people walk."""
    if not found.status or found.motion is None or found.trace is None:
        return True
    return found.motion.duration_s > found.trace.path_length_m / _SLOW_MPS + _STOP_S


def quicker(steps: Result[WalkTrace], found: Result[WalkTrace]) -> bool:
    """Whether steps get there so much sooner than clips as a stop on the way takes."""
    if not steps.status or steps.motion is None or found.motion is None:
        return False
    return steps.motion.duration_s + _STOP_S < found.motion.duration_s


def stepped(
    library: Library,
    scene: Scene | None,
    floor: Floor | None,
    asked: Asked,
    before: Result[WalkTrace] | None,
    judge: Judge,
    options: WalkOptions,
) -> Result[WalkTrace]:
    """A walk by footsteps in the time that is left; or why neither clips nor steps get there."""
    assert isinstance(asked.start, Spot)
    if before is not None and before.status in (Status.CANCELLED, Status.TIMED_OUT):
        return before
    if before is not None and options.deadline_s is not None:
        left = options.deadline_s - before.stats.seconds
        if left <= 0.0:
            return replace(before, status=Status.TIMED_OUT, reason=f"the deadline passed; until then: {before.reason}")
        options = replace(options, deadline_s=left)
    watch = options.watch()
    watch.stage("floor")
    walker = walker_of(library)
    if floor is None:
        known = before.trace.floor if before is not None and before.trace is not None else None
        floor = known or floor_for(walker, scene, [asked.start.point, asked.goal.point, *asked.via])
    stepper = Stepper(body=walker.body, style=manner_of(library), fps=library.fps)
    found = step_walk(
        stepper,
        scene,
        floor,
        start=asked.start,
        goal=asked.goal,
        via=asked.via,
        judge=judge,
        options=options,
        watch=watch,
    )
    if before is None:
        return found
    stages = {name: before.stats.stage_seconds.get(name, 0.0) for name in before.stats.stage_seconds}
    for name, seconds in found.stats.stage_seconds.items():
        stages[name] = stages.get(name, 0.0) + seconds
    counts = {**before.stats.counts, **found.stats.counts}
    stats = replace(
        found.stats, seconds=before.stats.seconds + found.stats.seconds, stage_seconds=stages, counts=counts
    )
    reason = found.reason if found.status or not before.reason else f"{found.reason}; with clips: {before.reason}"
    return replace(found, stats=stats, reason=reason)
