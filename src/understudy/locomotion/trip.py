"""Requests and trips: who walks where, and somebody's whole walk from standing to standing."""

from __future__ import annotations

from dataclasses import dataclass, field

from understudy.core.motion import Motion
from understudy.core.planning import Result
from understudy.locomotion.chunks import held, strung
from understudy.locomotion.moving import TrackMover, performing, standing
from understudy.locomotion.plan import Plan
from understudy.locomotion.query import Spot
from understudy.locomotion.trace import WalkTrace
from understudy.locomotion.walker import Walker
from understudy.typing import FloatArray

#: [m] room kept about somebody whose motion is not known.
STANDING_M = 0.35


@dataclass(frozen=True, eq=False, kw_only=True)
class Request:
    """Who walks where.

    Attributes:
        name: Who.
        walker: Its clips and body.
        start: Where it begins.
        goal: Where it goes.
        via: Points (x, z) it passes [m].
        start_s: When it begins [s].
        begun: Clips that have begun already.
        shown: What has been played of its motion.
        kept: Its trip so far, gone on with where that still leads to the goal or no other is found.
    """

    name: str
    walker: Walker
    start: Spot
    goal: Spot
    via: tuple[FloatArray, ...] = ()
    start_s: float = 0.0
    begun: Plan = field(default_factory=Plan)
    shown: Motion | None = None
    kept: Trip | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Trip:
    """Somebody's whole walk.

    Attributes:
        request: Who walks where.
        result: How it went; its motion begins at ``start_s``.
        plan: Its clips.
    """

    request: Request
    result: Result[WalkTrace]
    plan: Plan = field(default_factory=Plan)

    @property
    def start_s(self) -> float:
        """When the motion begins, in the scene's time [s]."""
        if not len(self.plan):
            return self.request.start_s
        return float(self.plan.starts_s[0]) + self.request.start.frame / self.request.walker.library.fps

    @property
    def end_s(self) -> float:
        """When it ends [s]."""
        return self.start_s + (0.0 if self.result.motion is None else self.result.motion.duration_s)

    def pose(self, time_s: float) -> tuple[FloatArray, FloatArray]:
        """Root and rotations at a time [s]; before and after the motion it stands."""
        motion = self.result.motion
        assert motion is not None
        frame = min(max(round((time_s - self.start_s) * motion.fps), 0), len(motion) - 1)
        return motion.root_positions[frame], motion.rotations[frame]

    def mover(self) -> TrackMover:
        """Where it is when, for others."""
        motion, request = self.result.motion, self.request
        if motion is None:
            return standing(request.name, request.start.point, STANDING_M)
        return performing(request.name, motion, request.walker.body, start_s=self.start_s)


def held_until(trip: Trip, time_s: float) -> Motion:
    """Somebody's motion until a time [s], standing at its first or last frame before and after."""
    motion = trip.result.motion
    assert motion is not None
    frame = max(round((time_s - trip.start_s) * motion.fps), 0)
    shown = motion.frames(0, min(frame + 1, len(motion)))
    return shown if frame < len(motion) else strung([shown, held(motion, frame + 1 - len(motion))], motion.name)
