"""Crowds: many walkers at once, searched and played at the same time, out of each other's way.

Everybody plans in turn, against the plans of all others: where they will be and when, and that they may have to stand
for ever where a plan ends. So whoever finds nothing new can follow the old plan and stop there. Chunks are made in
another thread while what is known is played. Who makes the next chunk, and when others see it, is decided by steps,
never by the clock, so a crowd is the same every time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial

import numpy as np

from understudy.core.motion import Motion
from understudy.core.planning import Status
from understudy.errors import PlanningInputError, nearest_name
from understudy.floor import Floor
from understudy.floor.obstacle import Obstacle
from understudy.library import Library
from understudy.locomotion.backstage import Backstage
from understudy.locomotion.moving import ChainMover, TrackMover, standing
from understudy.locomotion.query import Spot, spot
from understudy.locomotion.stage import Stage
from understudy.locomotion.stream_options import StreamOptions
from understudy.locomotion.stream_search import QUICK, Searcher
from understudy.locomotion.streaming import Gate, WalkStream
from understudy.locomotion.walker import Walker
from understudy.locomotion.walking import Place
from understudy.typing import BoolArray, FloatArray

#: [m] room kept about somebody who has not begun to walk.
STANDING_M = 0.35
#: [m] nobody farther away can be met by a plan made now.
NEAR_M = 10.0
#: [m] room taken by somebody who has come to rest, on the floor that paths are made on.
RESTING_M = 0.2
#: Somebody who cannot set out tries again after so many steps.
RETRY_TICKS = 10
#: [s] how long before somebody runs out the next chunk is asked for, and steps before that it has to be there.
LEAD_S, READY_TICKS = 0.6, 2

#: Others are passed at arm's length, so everybody may leave the path farther than somebody who walks alone.
CROWD_OPTIONS = StreamOptions(patience_s=20.0, tries=3, deviation_m=0.9, first_m=4.0, keep_s=2.0, aside_m=0.3)


@dataclass(frozen=True, eq=False, kw_only=True)
class CrowdFrame:
    """Everybody at one moment.

    Attributes:
        time_s: When [s].
        names: Who, in the order of all arrays.
        root_positions: ``(people, 3)`` [m].
        rotations: ``(people, joints, 4)`` local, wxyz.
        arrived: ``(people,)`` who is at the goal.
    """

    time_s: float
    names: tuple[str, ...]
    root_positions: FloatArray
    rotations: FloatArray
    arrived: BoolArray


class _Member:
    """One of the crowd."""

    def __init__(self, begin: Callable[[float], WalkStream], start: Spot, time_s: float) -> None:
        self._begin, self.added_s = begin, time_s
        self.stream, self.start = begin(time_s), start
        self.known: ChainMover | None = None
        self.playing: list[Motion] = []
        self.begun = 0
        self.job: Future[None] | None = None
        self.until_s, self.status = time_s, self.stream.status

    def see(self) -> None:
        """Take notice of what has been made."""
        self.job = None
        self.until_s, self.status = self.stream.time_s, self.stream.status

    def set_out(self, time_s: float, patience_s: float) -> None:
        """Make the first chunk; somebody who finds no way out may try again for a while."""
        if self.stream.status is not None:
            if self.stream.status is not Status.EXHAUSTED or time_s - self.added_s > patience_s:
                return
            self.stream = self._begin(time_s)
        self.make()

    def make(self) -> None:
        """Make the next chunk, if there is any."""
        chunk = next(self.stream, None)
        if chunk is not None:
            self.playing.append(chunk)
        self.known = self.stream.mover()

    def place(self) -> FloatArray:
        """``(2,)`` where the last chunk ends (x, z) [m]."""
        return self.playing[-1].root_positions[-1, [0, 2]] if self.playing else self.start.point

    def pose(self, frame: int) -> tuple[FloatArray, FloatArray]:
        """Root and rotations at a frame of the walk; chunks that have been played are let go."""
        while len(self.playing) > 1 and frame - self.begun >= len(self.playing[0]):
            self.begun += len(self.playing.pop(0))
        chunk = self.playing[0]
        at = min(max(frame - self.begun, 0), len(chunk) - 1)
        return chunk.root_positions[at], chunk.rotations[at]


class Crowd:
    """Walkers that share a library and a stage.

    Args:
        walker: The clips and the body everybody walks with.
        stage: What is around.
        options: How everybody searches.
        fps: Steps per second.
        gate: Makes what checks somebody's pieces before they are settled, by name; ``None`` for no checks.
    """

    def __init__(
        self,
        walker: Walker,
        stage: Stage,
        *,
        options: StreamOptions | None = None,
        fps: float = 30.0,
        gate: Callable[[str], Gate] | None = None,
    ) -> None:
        if not (np.isfinite(fps) and 0.0 < fps <= 1000.0):
            raise PlanningInputError(f"fps is {fps}; it must be a positive number, at most 1000")
        self._walker, self.stage, self._gate = walker, stage, gate
        self._options = options or CROWD_OPTIONS
        self.fps = float(fps)
        self._members: dict[str, _Member] = {}
        self._backstage = Backstage()
        self._ticks = 0

    @property
    def library(self) -> Library:
        """The clips everybody walks with."""
        return self._walker.library

    def __len__(self) -> int:
        """How many there are."""
        return len(self._members)

    @property
    def time_s(self) -> float:
        """What the next step shows [s]."""
        return self._ticks / self.fps

    @property
    def streams(self) -> Mapping[str, WalkStream]:
        """Everybody's walk, as far as it is made."""
        self._backstage.finish()
        return {name: member.stream for name, member in self._members.items()}

    @property
    def done(self) -> bool:
        """Whether everybody has arrived or given up, and all of it has been shown."""
        return all(
            member.status is not None and member.until_s + 1.0 / self.fps <= self.time_s
            for member in self._members.values()
        )

    def add(self, name: str, *, start: Place, goal: Place, via: Sequence[FloatArray] = ()) -> None:
        """Somebody who begins to walk now.

        Raises:
            PlanningInputError: The name is taken, or a place is no place.
        """
        if name in self._members:
            raise PlanningInputError(f'two walkers are called "{name}"')
        begin = spot(start, "start")
        end, between = spot(goal, "goal"), list(via)

        def stream(time_s: float) -> WalkStream:
            gate = None if self._gate is None else self._gate(name)
            return WalkStream(self._searcher(name, begin, end, between, time_s), gate=gate, name=name)

        self._backstage.finish()
        self._members[name] = _Member(stream, begin, self.time_s)

    def _searcher(self, name: str, start: Spot, goal: Spot, via: list[FloatArray], time_s: float) -> Searcher:
        return Searcher(
            walker=self._walker,
            stage=self.stage,
            start=start,
            goal=goal,
            options=self._options,
            via=via.copy(),
            others=lambda: self._others(name),
            crowded=lambda: self._crowded(name),
            start_s=time_s,
            cautious=True,
            effort=QUICK,
            most=QUICK,
        )

    def redirect(self, name: str, goal: Place) -> None:
        """Send somebody elsewhere."""
        if name not in self._members:
            raise PlanningInputError(f'nobody is called "{name}"; {nearest_name(name, self._members)}')
        self._backstage.finish()
        self._members[name].stream.redirect(goal)

    def _others(self, name: str) -> list[ChainMover | TrackMover]:
        """Everybody but one, as far as their plans are known; who has none yet stands where it begins."""
        here = self._members[name].place()
        return [
            member.known or standing(other, member.start.point, STANDING_M)
            for other, member in self._members.items()
            if other != name and np.hypot(*(member.place() - here)) < NEAR_M
        ]

    def _crowded(self, name: str) -> Floor | None:
        """The floor with everybody in the way who stands about near somebody."""
        here, floor = self._members[name].place(), self.stage.floor
        for other, member in self._members.items():
            if other != name and member.stream.waits and np.hypot(*(member.place() - here)) < NEAR_M:
                floor = floor.with_obstacle(_resting(other, member.place()))
        return None if floor is self.stage.floor else floor

    def step(self) -> CrowdFrame:
        """Have the chunks made that are due, and show everybody at the next moment."""
        now = self.time_s
        for k, member in enumerate(self._members.values()):
            if not member.playing and (member.status is None or (self._ticks + k) % RETRY_TICKS == 0):
                self._backstage.give(partial(member.set_out, now, self._options.patience_s)).result()
                member.see()
        self._ask_for_due(now)
        self._ticks += 1
        return self._frame(now)

    def _ask_for_due(self, now: float) -> None:
        """Take notice of chunks that are needed soon, then ask for those that are due, most urgent first."""
        for member in self._members.values():
            if member.job is not None and member.until_s - now <= READY_TICKS / self.fps:
                member.job.result()
                member.see()
        due = [
            (member.until_s - now, k, member)
            for k, member in enumerate(self._members.values())
            if member.playing and member.job is None and member.status is None and member.until_s - now < LEAD_S
        ]
        for _, _, member in sorted(due, key=lambda one: one[:2]):
            member.job = self._backstage.give(partial(self._make, member))

    def _make(self, member: _Member) -> None:
        member.make()
        if member.stream.status is not None:
            self._stands(member)

    def _stands(self, member: _Member) -> None:
        """Somebody has come to rest: paths lead round it from now on."""
        at = member.playing[-1].root_positions[-1, [0, 2]]
        self.stage.floor = self.stage.floor.with_obstacle(_resting(member.stream.name, at))

    def _frame(self, now: float) -> CrowdFrame:
        shown = {name: member for name, member in self._members.items() if member.playing}
        fps = self._walker.library.fps
        poses = [member.pose(round((now - member.stream.start_s) * fps)) for member in shown.values()]
        joints = len(self._walker.library.skeleton)
        return CrowdFrame(
            time_s=now,
            names=tuple(shown),
            root_positions=np.array([root for root, _ in poses]).reshape(-1, 3),
            rotations=np.array([rotations for _, rotations in poses]).reshape(-1, joints, 4),
            arrived=np.array([member.status is Status.SOLVED for member in shown.values()], dtype=bool),
        )


def _resting(name: str, at: FloatArray) -> Obstacle:
    """The room somebody takes who stands."""
    angles = np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)
    ring = at + RESTING_M * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return Obstacle(name=f"{name} (standing)", rings=(ring,))
