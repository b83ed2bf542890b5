"""Walks made of footsteps: for who stands here and wants to stand there, whatever clips somebody has.

Ways come from the floor, cheap ones first. Along each of them the gait model sets off, walks, turns and stops, and arms
are drawn in where they would touch something. The judge looks at every proposal. A place where it refuses one becomes
dearer: the next way leads elsewhere where it can. Along a way that is known other steps are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

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
from understudy.locomotion.footsteps.ways import Way, Ways, body_room_m, thin_room_m
from understudy.locomotion.options import WalkOptions
from understudy.locomotion.query import Spot
from understudy.locomotion.trace import WalkTrace
from understudy.performer.style import Style
from understudy.scene.scene import Scene
from understudy.typing import FloatArray

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
        return body_room_m(self.body.skeleton)

    def ways(
        self, floor: Floor, start: Spot, goal: Spot, via: Sequence[FloatArray] = (), *, preferred_m: float
    ) -> Ways:
        """Ways over a floor that this body fits through, with as much room as one would like where there is."""
        return Ways(
            floor=floor,
            stops=[start.point, *via, goal.point],
            heading_rad=goal.heading_rad,
            facing_rad=start.heading_rad,
            preferred_m=max(preferred_m, self.least_m),
            least_m=self.least_m,
        )

    def footing(self, spot: Spot, toward: FloatArray) -> Footing:
        """Standing at ease at a spot, facing a first stretch ``(n, 2)`` of a way unless the spot says where."""
        heading = first_heading(toward) if spot.heading_rad is None else spot.heading_rad
        return standing(self.body.skeleton, spot.point, heading, self.style)

    def walked(self, start: Spot, goal: Spot, way: Way, seed: int) -> Motion:
        """Standing at the start, walking a way, standing at the goal."""
        toward = np.concatenate([start.point[None], way.points])
        mover = Mover(skeleton=self.body.skeleton, style=self.style, fps=self.fps, seed=seed)
        going = Going(way=way, end_rad=goal.heading_rad, stand_s=0.0)
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
    takes = _Takes(stepper.ways(floor, start, goal, via, preferred_m=options.clearance_m))
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
        takes.refused(motion, violations)
        rejected.append(violations if isinstance(violations, str) else described(violations))
        best = (motion, now) if best[0] is None else best
        watch.stage("steps")
    return _failed(stepper, best, rejected, via, watch)


class _Takes:
    """Ways and steps along them in turn, each after what the judge has said of the ones before.

    Where somebody touched something the next way leads elsewhere, if it can. Where steps went wrong they are slower.

    Args:
        ways: Ways, the cheapest first.
    """

    def __init__(self, ways: Ways) -> None:
        self._ways, self._slow, self._touched = ways, list[FloatArray](), False

    def refused(self, motion: Motion, violations: Sequence[Violation] | str) -> None:
        """Learn from what the judge says of a motion."""
        self._touched = False
        for one in () if isinstance(violations, str) else violations:
            if one.time_s is None:
                continue
            place = motion.root_positions[min(round(one.time_s * motion.fps), len(motion) - 1), [0, 2]]
            self._slow.append(place)
            if one.kind == "penetration" and one.other.partition(".")[0] != one.part.partition(".")[0]:
                self._ways.avoid(place)
                self._touched = True

    def __iter__(self) -> Iterator[tuple[Way, int]]:
        found = iter(self._ways)
        way = next(found, None)
        for seed in count():
            if way is None:
                return
            yield replace(way, slow=np.array(self._slow).reshape(-1, 2)), seed
            way = next(found, way.turned_over()) if self._touched else way


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
    found = no_way(trace.floor, [trace.start.point, *via, trace.goal.point], thin_room_m(stepper.body.skeleton))
    tried = f"{len(rejected)} walks were made and none passed the judge; the first: {rejected[0]}" if rejected else ""
    reason = "; ".join(part for part in (found.reason, tried) if part)
    trace = replace(trace, nearest_free=found.nearest_free, obstacle=found.obstacle, rejected=tuple(rejected))
    return Result(status=found.status, motion=motion, trace=trace, stats=stats, reason=reason)
