"""What became of a scene's tasks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from understudy.api.evidence import Evidence
from understudy.api.performing_judges import performance_claim
from understudy.api.task_goals import task_goals
from understudy.api.verdict import marked
from understudy.core.motion import Motion
from understudy.core.planning import Stats, Status, Watch
from understudy.limbs.handling import Play
from understudy.scene.scene import Scene
from understudy.scene.tasks import Task
from understudy.skills.engine import Done, Outcome
from understudy.verify.bars import Bars
from understudy.verify.claim import Claim
from understudy.verify.judge import verify
from understudy.verify.report import Report


@dataclass(frozen=True, eq=False, kw_only=True)
class PerformResult:
    """What became of a scene's tasks.

    Attributes:
        status: ``SOLVED`` only when every task is done and the judge has passed the whole performance.
        scene: The scene with everybody's motion and every hold; without tasks.
        tasks: One entry per task, in the scene's order.
        reason: Which task failed and why.
        stats: What it cost.
        play: Everything, for planners on top.
        claim: What the performance claims; ``None`` when not everything was done.
        report: The judge's report on it.
    """

    status: Status
    scene: Scene
    tasks: tuple[Done, ...]
    play: Play
    reason: str = ""
    stats: Stats = field(default_factory=Stats)
    claim: Claim | None = None
    report: Report | None = None

    @property
    def motions(self) -> dict[str, Motion]:
        """Everybody's motion; after a failure, with what could be done."""
        return {one.name: one.world_motion for one in self.scene.characters if one.motion is not None}


def concluded(
    outcome: Outcome,
    evidence: Evidence,
    bars: Bars | None,
    watch: Watch,
    *,
    tasks: Sequence[Task],
    standing: Collection[str] = (),
) -> PerformResult:
    """What became of tasks, with the whole performance judged: where that is refused nothing is solved."""
    watch.stage("judge")
    play, status, reason = outcome.play, outcome.status, outcome.reason
    claim: Claim | None = None
    report: Report | None = None
    if status:
        goals = task_goals(tasks, outcome.done, play.scene, standing=standing)
        claim = performance_claim(play, evidence, goals=goals, bars=bars)
        report = verify(claim)
        status, reason = (Status.SOLVED, "") if report.ok else (Status.EXHAUSTED, report.reason)
    if claim is not None and status:
        claim = marked(claim)
        for name, motion in claim.motions:
            play = _with_motion(play, name, motion)
    watch.report(1.0)
    stats = watch.stats(backtracks=outcome.backtracks, orders=outcome.orders, ways=sum(d.tried for d in outcome.done))
    return PerformResult(
        status=status,
        scene=kept(play),
        tasks=outcome.done,
        play=play,
        reason=reason,
        stats=stats,
        claim=claim,
        report=report,
    )


def _with_motion(play: Play, name: str, motion: Motion) -> Play:
    start_s = play.scene.character(name).start_s
    return replace(play, scene=play.scene.with_motion(name, motion, start_s=start_s))


def kept(play: Play) -> Scene:
    """The scene with every contact that was meant written into it, so that anybody can judge it."""
    return replace(play.scene, allowed_contacts=(*play.scene.allowed_contacts, *play.allow))
