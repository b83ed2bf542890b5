"""Ways become motions: unrolled, rehearsed, measured against the scene, and shown to the judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from understudy.collision import Checker
from understudy.core.motion import Motion
from understudy.core.planning import Watch
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
from understudy.typing import IntArray

#: Says why a motion will not do; empty when it will.
SampleJudge = Callable[[Motion, SampleTrace], str]
#: Jumps a round's rehearsals blame at most, before the next round goes round them.
_BLAMED = 3
#: Ways that share more of the footage they play than this are alike.
_ALIKE = 0.6
#: [m] a point on the way counts as passed within this.
_PASSED_M = 0.34
#: [m] what a jump costs more that spoilt a motion, and one that may have.
_SPOILT_M, _DOUBTED_M = 1.0, 0.3


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
    """What has been tried.

    Attributes:
        rejected: Why motions will not do.
        avoid: What jumps cost more in the next round [m].
        refused: Frames that refused motions play, and the jump that is to blame; -1 for any of them.
        aside: Motions whose rehearsal went wrong; they are judged last.
        tries: Motions judged.
        measured: Motions measured against the scene.
        evaluations: Sequences scored, or states expanded.
        cpu_s: Processor time of all searches [s].
    """

    rejected: list[str] = field(default_factory=list)
    avoid: dict[int, float] = field(default_factory=dict)
    refused: list[tuple[IntArray, int]] = field(default_factory=list)
    aside: list[Made] = field(default_factory=list)
    tries: int = 0
    measured: int = 0
    evaluations: int = 0
    cpu_s: float = 0.0

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


def judged(run: Run, one: Made, tally: Tally) -> str:
    """Why the judge refuses a motion; empty when it does not."""
    run.watch.stage("judge")
    tally.tries += 1
    fault = run.judge(one.motion, one.trace)
    run.watch.report(tally.tries / run.options.tries)
    if fault:
        tally.rejected.append(fault)
        # The judge does not say where; the jump that looks worst is the likeliest.
        walker, whole = run.sampler.walker, one.whole
        _, seam = rehearsed(walker.library.footage, walker.body_table, whole.way, whole.motion, closely=True)
        blamed = one.way.edges if seam < 0 else one.way.edges[[seam]]
        tally.refused.append((one.way.played(run.sampler.graph), -1 if seam < 0 else int(blamed[0])))
        for edge in blamed.tolist():
            tally.avoid[edge] = max(tally.avoid.get(edge, 0.0), _DOUBTED_M if seam < 0 else _SPOILT_M)
    return fault


def worth_judging(run: Run, ways: Sequence[Way], trace: SampleTrace, tally: Tally, most: int) -> Iterator[Made]:
    """Motions that touch nothing and rehearse well, up to so many tries; those that rehearse badly are put aside."""
    blamed: set[int] = set()
    for way in ways:
        if run.watch.interrupted() is not None or tally.tries >= most or len(blamed) >= _BLAMED:
            break
        if not blamed.isdisjoint(way.edges.tolist()) or _copied(run, way, tally):
            continue
        one = _fitting(run, way, trace, tally)
        if one is None:
            continue
        if not one.fault:
            yield one
            continue
        tally.aside.append(one)
        if one.seam >= 0:
            blamed.add(int(one.way.edges[one.seam]))
    tally.avoid.update(dict.fromkeys(blamed, _SPOILT_M))


def put_aside(run: Run, tally: Tally, most: int) -> Iterator[Made]:
    """Motions whose rehearsal went wrong: the judge may see nothing in it."""
    waiting, tally.aside = tally.aside, []
    for one in waiting:
        if run.watch.interrupted() is not None or tally.tries >= most:
            return
        yield one


def _copied(run: Run, way: Way, tally: Tally) -> bool:
    """Whether a way is a near copy of one the judge has refused, which it would refuse, too."""
    played, edges = way.played(run.sampler.graph), way.edges.tolist()
    return any(
        (jump < 0 or jump in edges) and len(np.intersect1d(played, other)) > _ALIKE * len(played)
        for other, jump in tally.refused
    )


def _fitting(run: Run, way: Way, trace: SampleTrace, tally: Tally) -> Made | None:
    """A way, or what it was before it was tightened, as a motion that touches nothing; ``None`` where both do."""
    run.watch.stage("unroll")
    fault = ""
    for one in (way, way.before):
        if one is None:
            continue
        result = made(run, one, trace)
        tally.measured += 1
        fault = touched(run.checker, result.motion) or _missed(run, result.motion)
        if not fault:
            return result
    tally.rejected.append(fault)
    return None


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
