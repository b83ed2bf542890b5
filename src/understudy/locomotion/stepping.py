"""Walks made of footsteps: for who stands here and wants to stand there, whatever clips somebody has.

Ways come from the floor, roomy ones first. Along each of them the gait model sets off, walks, turns and stops, and arms
are drawn in where they would touch something. The judge looks at every proposal; one that it refuses for the body
touching something teaches that the way is too narrow, any other that the steps were unlucky.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy.core.body import Body
from understudy.core.motion import Motion
from understudy.core.planning import Result, Status, Watch
from understudy.core.violations import Violation, described
from understudy.floor import Floor
from understudy.locomotion.footsteps.arm_room import ArmRoom
from understudy.locomotion.footsteps.footing import Footing
from understudy.locomotion.footsteps.moving import Going, Mover
from understudy.locomotion.footsteps.narrowest import no_way
from understudy.locomotion.footsteps.pathing import first_heading
from understudy.locomotion.footsteps.shuffling import standing
from understudy.locomotion.footsteps.ways import Way, half_width_m, ways
from understudy.locomotion.options import WalkOptions
from understudy.locomotion.query import Spot
from understudy.locomotion.trace import WalkTrace
from understudy.performer.style import Style
from understudy.scene.scene import Scene
from understudy.typing import FloatArray

#: [m] by which hips sway beside their way.
_SWAY_M = 0.03
#: Different steps that are tried along one way.
_TAKES = 3

Judge = Callable[[Motion, WalkTrace], Sequence[Violation] | str]


@dataclass(frozen=True, eq=False, kw_only=True)
class Stepper:
    """Who walks by footsteps.

    Attributes:
        body: The body.
        style: The manner.
        fps: Frames per second.
    """

    body: Body
    style: Style
    fps: float

    @property
    def least_m(self) -> float:
        """Room beside a way that the body needs [m]."""
        return half_width_m(self.body.skeleton) + _SWAY_M

    def footing(self, spot: Spot, toward: FloatArray) -> Footing:
        """Standing at ease at a spot, facing a first stretch ``(n, 2)`` of a way unless the spot says where."""
        heading = first_heading(toward) if spot.heading_rad is None else spot.heading_rad
        return standing(self.body.skeleton, spot.point, heading, self.style)

    def walked(self, start: Spot, goal: Spot, way: Way, seed: int) -> Motion:
        """Standing at the start, walking a way, standing at the goal."""
        toward = np.concatenate([start.point[None], way.points])
        mover = Mover(skeleton=self.body.skeleton, style=self.style, fps=self.fps, seed=seed)
        going = Going(route=way.points, end_rad=goal.heading_rad, stand_s=0.0, rounded_m=way.rounded_m, stand=way.stand)
        return mover.go(self.footing(start, toward), going)[0]


def step_walk(
    stepper: Stepper,
    scene: Scene | None,
    floor: Floor,
    *,
    start: Spot,
    goal: Spot,
    via: Sequence[FloatArray] = (),
    judge: Judge,
    options: WalkOptions,
    watch: Watch,
) -> Result[WalkTrace]:
    """Walk from one stand to another, by footsteps alone.

    Args:
        stepper: Who walks.
        scene: What stands around, for arms; ``None`` for nothing.
        floor: The same, as a floor.
        start: Where to stand first, facing the way unless it says where.
        goal: Where to stand in the end.
        via: Points to pass.
        judge: Says what is wrong with a motion.
        options: How to search.
        watch: Keeps the deadline.
    """
    trace = WalkTrace(floor=floor, start=start, goal=goal)
    arms = ArmRoom(body=stepper.body, scene=scene or Scene())
    rejected: list[str] = []
    best: tuple[Motion | None, WalkTrace] = (None, trace)
    takes = _Takes(ways(floor, start.point, goal.point, goal.heading_rad, via=via, **_rooms(stepper, options)))
    watch.stage("steps")
    for way, seed in takes:
        if watch.interrupted() is not None or len(rejected) >= options.tries:
            break
        motion = arms.cleared(stepper.walked(start, goal, way, options.seed + 101 * seed))
        now = _traced(trace, motion)
        watch.stage("judge")
        violations = judge(motion, now)
        watch.report((len(rejected) + 1) / options.tries)
        if not violations:
            stats = watch.stats(tries=len(rejected) + 1, synthesised_s=motion.duration_s, synthesised_share=1.0)
            return Result(
                status=Status.SOLVED, motion=motion, trace=replace(now, rejected=tuple(rejected)), stats=stats
            )
        takes.refused(violations)
        rejected.append(violations if isinstance(violations, str) else described(violations))
        best = (motion, now) if best[0] is None else best
        watch.stage("steps")
    return _failed(stepper, best, rejected, via, watch)


def _rooms(stepper: Stepper, options: WalkOptions) -> dict[str, float]:
    return {"preferred_m": max(options.clearance_m, stepper.least_m), "least_m": stepper.least_m}


class _Takes:
    """Ways and steps along them in turn: another way where the body touches something, other steps where it does not.

    Args:
        found: Ways, the best first.
    """

    def __init__(self, found: Iterator[Way]) -> None:
        self._found, self._touched = found, True

    def refused(self, violations: Sequence[Violation] | str) -> None:
        """Learn from what the judge says."""
        self._touched = isinstance(violations, str) or any(one.kind == "penetration" for one in violations)

    def __iter__(self) -> Iterator[tuple[Way, int]]:
        for way in self._found:
            for seed in range(_TAKES):
                yield way, seed
                if self._touched:
                    break


def _traced(trace: WalkTrace, motion: Motion) -> WalkTrace:
    roots = motion.root_positions[:, [0, 2]]
    step = max(1, round(motion.fps / 15.0))
    kept = np.concatenate([roots[:-1:step], roots[-1:]])
    return replace(
        trace,
        length_m=float(np.linalg.norm(np.diff(kept, axis=0), axis=1).sum()),
        goal_error_m=0.0,
        synthesised=((0.0, motion.duration_s),),
    )


def _failed(
    stepper: Stepper,
    best: tuple[Motion | None, WalkTrace],
    rejected: list[str],
    via: Sequence[FloatArray],
    watch: Watch,
) -> Result[WalkTrace]:
    motion, trace = best
    stopped = watch.interrupted()
    stats = watch.stats(tries=len(rejected))
    if stopped is not None:
        reason = "the deadline passed" if stopped is Status.TIMED_OUT else "it was cancelled"
        return Result(status=stopped, motion=motion, trace=trace, stats=stats, reason=reason)
    found = no_way(trace.floor, [trace.start.point, *via, trace.goal.point], stepper.least_m)
    tried = f"{len(rejected)} walks were made and none passed the judge; the first: {rejected[0]}" if rejected else ""
    reason = "; ".join(part for part in (found.reason, tried) if part)
    trace = replace(trace, nearest_free=found.nearest_free, obstacle=found.obstacle, rejected=tuple(rejected))
    return Result(status=found.status, motion=motion, trace=trace, stats=stats, reason=reason)
