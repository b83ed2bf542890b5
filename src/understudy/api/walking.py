"""``understudy.walk``: the walking planner, judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from understudy.core.motion import Motion
from understudy.core.planning import Result
from understudy.core.pose import Pose
from understudy.errors import OptionError
from understudy.floor import Floor
from understudy.library import Library
from understudy.locomotion import Spot, WalkOptions, WalkTrace
from understudy.locomotion import walk as plan
from understudy.locomotion.sampling.options import SAMPLE_METHODS
from understudy.scene.scene import Scene
from understudy.typing import IntArray
from understudy.verify.bars import Bars
from understudy.verify.goals import FloorGoal
from understudy.verify.judge import verify
from understudy.verify.report import Report

#: Bars that compare a motion with the worst its sources do.
COMPARED = frozenset({"foot_skate_gmd", "foot_skate_kimodo", "stance_drift"})

_TAKES: WeakKeyDictionary[Library, dict[int, Motion]] = WeakKeyDictionary()


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
    judge = judge_for(library, scene, bars=bars)
    result = plan(
        library, scene if floor is None else floor, start=start, goal=goal, via=via, judge=judge, options=options
    )
    if options.method != "auto" or options.chooses or isinstance(start, Pose):
        return result
    return with_tight(result, library, scene, start=start, goal=goal, via=via, bars=bars, options=options)


def judge_for(
    library: Library, scene: Scene | None = None, *, bars: Bars | None = None
) -> Callable[[Motion, WalkTrace], str]:
    """The judge of walks made from a library: says why a motion will not do, or nothing."""

    def judge(motion: Motion, trace: WalkTrace) -> str:
        return fault_of(report_on(library, scene, motion, trace, bars=bars))

    return judge


def report_on(
    library: Library, scene: Scene | None, motion: Motion, trace: WalkTrace, *, bars: Bars | None = None
) -> Report:
    """The judge's report on a walk.

    Its sources are the takes its clips were cut from. Where only bars are broken that compare with the sources' worst,
    the whole library is the source: a few takes say little about how a walk of this library may skate.
    """
    goal = FloorGoal(position=trace.goal.position, heading_rad=trace.goal.heading_rad)
    used, everything = (sources_of(library, nodes) for nodes in (trace.nodes.tolist(), range(len(library))))
    report = verify(motion, scene, source=used, goals=[goal], bars=bars)
    if report.ok or len(used) == len(everything) or not set(report.broken) <= COMPARED:
        return report
    return verify(motion, scene, source=everything, goals=[goal], bars=bars)


def sources_of(library: Library, nodes: Sequence[int]) -> list[Motion]:
    """The whole takes some clips were cut from."""
    return sources_of_takes(library, np.unique(library.footage.take_of(library.graph.first[list(nodes)])))


def sources_of_takes(library: Library, takes: IntArray) -> list[Motion]:
    """Whole takes, by their numbers."""
    footage = library.footage
    # The judge remembers what it found out about a clip as long as the clip itself is there.
    known = _TAKES.setdefault(library, {})
    for take in takes.tolist():
        if take not in known:
            known[take] = footage.motion(*footage.bounds()[take], name=footage.takes[take].name)
    return [known[take] for take in takes.tolist()]


def fault_of(report: Report) -> str:
    """What is broken, in one sentence; empty when nothing is."""
    if report.ok:
        return ""
    worst = report.penetration.worst
    where = ""
    if "penetration" in report.broken and worst is not None:
        where = f" ({worst.a} in {worst.b} by {1000 * worst.depth_m:.0f} mm at {worst.time_s:.2f} s)"
    return f"the judge found {', '.join(report.broken)} broken{where}"
