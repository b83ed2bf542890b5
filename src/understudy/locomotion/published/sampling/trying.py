"""Ways become motions: unrolled, rehearsed, measured against the scene, and shown to the judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from understudy.collision import Checker
from understudy.core.motion import Motion
from understudy.core.planning import Watch
from understudy.core.violations import Violation, described
from understudy.library import Unrolled
from understudy.library.features import headings_rad
from understudy.library.leg_room import with_leg_room
from understudy.library.trials import rehearsed
from understudy.locomotion.published.sampling.clearance import touched
from understudy.locomotion.published.sampling.methods import Setting
from understudy.locomotion.published.sampling.options import SampleOptions
from understudy.locomotion.published.sampling.sampler import Sampler
from understudy.locomotion.published.sampling.trace import SampleTrace
from understudy.locomotion.published.sampling.way import Way, library_of, motion_of
from understudy.locomotion.walking import travelled_m

#: Says what is wrong with a motion, as violations that the search learns from or in words; empty when nothing is.
SampleJudge = Callable[[Motion, SampleTrace], Sequence[Violation] | str]
#: [m] a point on the way counts as passed within this.
_PASSED_M = 0.34
#: [m] what a jump costs more that was at fault.
_AT_FAULT_M = 1.0


@dataclass(frozen=True, eq=False)
class Run:
    """Everything that trying ways needs."""

    sampler: Sampler
    setting: Setting
    trace: SampleTrace
    checker: Checker | None
    judge: SampleJudge
    options: SampleOptions
    watch: Watch


@dataclass(eq=False)
class Tally:
    """What has been tried, and what was learnt.

    Attributes:
        rejected: Why motions will not do.
        avoid: What jumps cost more in the next round [m]: those at fault.
        aside: Motions whose rehearsal went wrong; they are judged last.
        judged: Stretches of the motions judged so far.
        measured: Motions measured against the scene.
        evaluations: Sequences scored, or states expanded.
        cpu_s: Processor time of all searches [s].
    """

    rejected: list[str] = field(default_factory=list)
    avoid: dict[int, float] = field(default_factory=dict)
    aside: list[Made] = field(default_factory=list)
    judged: set[bytes] = field(default_factory=set)
    measured: int = 0
    evaluations: int = 0
    cpu_s: float = 0.0

    @property
    def tries(self) -> int:
        """Motions judged."""
        return len(self.judged)

    def counts(self) -> dict[str, float]:
        """For the statistics."""
        return {
            "evaluations": self.evaluations,
            "tries": self.tries,
            "measured": self.measured,
            "search_cpu_s": self.cpu_s,
        }


@dataclass(frozen=True, eq=False)
class Made:
    """A way as a motion.

    Attributes:
        way: The way.
        whole: It, unrolled.
        trace: The trace with its numbers.
        fault: What is plainly wrong with its legs; empty for nothing.
        seam: At which of its jumps; -1 for none.
    """

    way: Way
    whole: Unrolled
    trace: SampleTrace
    fault: str
    seam: int

    @property
    def motion(self) -> Motion:
        """The motion."""
        return self.whole.motion


def is_refused(run: Run, one: Made, tally: Tally) -> bool:
    """Whether the judge refuses a motion; the jumps nearest to what is wrong are avoided from then on."""
    run.watch.stage("judge")
    tally.judged.add(one.trace.stretches.tobytes())
    violations = run.judge(one.motion, one.trace)
    run.watch.report(tally.tries / run.options.tries)
    if not violations:
        return False
    tally.rejected.append(violations if isinstance(violations, str) else described(violations))
    edges = one.way.edges
    if len(edges):
        said = [] if isinstance(violations, str) else [at.time_s for at in violations if at.time_s is not None]
        ends_s = np.cumsum(np.diff(one.trace.stretches, axis=1).ravel()[:-1]) / one.motion.fps
        at = {int(np.abs(ends_s - time_s).argmin()) for time_s in said}
        at = at or {int(np.argmax(run.sampler.graph.jumps.costs[edges]))}
        tally.avoid.update({int(edges[k]): _AT_FAULT_M for k in at})
    return True


def fitting(run: Run, ways: Sequence[Way], trace: SampleTrace, tally: Tally) -> Iterator[Made]:
    """Ways of a round as motions that touch nothing and rehearse well; those that rehearse badly are put aside."""
    run.watch.stage("unroll")
    for way in ways:
        if run.watch.interrupted() is not None:
            return
        if not tally.avoid.keys().isdisjoint(way.edges.tolist()):
            continue
        one = made(run, way, trace)
        if one.trace.stretches.tobytes() in tally.judged:
            continue
        tally.measured += 1
        fault = touched(run.checker, one.motion) or _missed(run, one.motion)
        if fault:
            tally.rejected.append(fault)
        elif one.fault:
            tally.aside.append(one)
            if one.seam >= 0:
                tally.avoid[int(way.edges[one.seam])] = _AT_FAULT_M
        else:
            yield one


def _missed(run: Run, motion: Motion) -> str:
    """Which point on the way a beam's motion does not pass, once its jumps are turned to the goal; empty for none."""
    if run.options.method != "tight":
        return ""
    roots = motion.root_positions[:, [0, 2]]
    for one in run.setting.constraints[1:-1]:
        away = float(np.linalg.norm(roots - np.array(one.position), axis=1).min())
        if away > _PASSED_M:
            return f"it passes {away:.2f} m from {one.position}"
    return ""


def made(run: Run, way: Way, trace: SampleTrace) -> Made:
    """A way as a motion, rehearsed."""
    graph, goal, walker = run.sampler.graph, trace.goal, run.sampler.walker
    clips = library_of(run.sampler.library, graph, way)
    whole = with_leg_room(walker.library.footage, walker.body_table, motion_of(clips, way))
    motion = whole.motion
    roots = motion.root_positions[:, [0, 2]]
    off = None
    if goal.heading_rad is not None:
        off = float(abs(np.angle(np.exp(1j * (headings_rad(motion)[-1] - goal.heading_rad)))))
    now = replace(
        trace,
        path=run.setting.shortest,
        nodes=np.arange(len(clips)),
        turns_rad=way.turns_rad,
        placements=whole.placements,
        stretches=way.stretches(graph),
        transition_cost_m=float(graph.rms_m[way.edges].sum()),
        length_m=travelled_m(roots, motion.fps),
        goal_error_m=float(np.hypot(*(roots[-1] - goal.point))),
        goal_error_rad=off,
    )
    return Made(way, whole, now, *rehearsed(walker.library.footage, walker.body_table, whole.way, motion))
