"""A session of people and balls behind the studio: one at a time, shared by edits and by the judge."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from understudy.api.interaction import Interaction
from understudy.errors import OptionError
from understudy.interaction.edits import done
from understudy.interaction.handles import BallAt, Handle, PartAt
from understudy.interaction.outcome import Outcome, Snapshot
from understudy.interaction.project import load_project
from understudy.interaction.saving import save_project
from understudy.scene.placements import Track
from understudy.scene.scene import Scene
from understudy.studio.jobs import Job
from understudy.studio.play_marks import play_marks
from understudy.studio.project import Line, Mark
from understudy.verify.report import Report

#: Frames and keys per second during a drag; the state at rest has the clips' own rate.
_LIVE_FPS = 30.0
#: Points of a flight's curve.
_FLIGHT_POINTS = 17


@dataclass(frozen=True, eq=False)
class Shown:
    """A play as it can be put on the stage.

    Attributes:
        state: To come back to.
        scene: People and balls.
        lines: Flights as curves.
        marks: Flights, contacts and what is held, for the timeline.
    """

    state: Snapshot
    scene: Scene
    lines: tuple[Line, ...]
    marks: tuple[Mark, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Glimpse:
    """The visible state of a play at one time during a drag.

    Attributes:
        time_s: When [s].
        people: By name: root position [m] and local rotations wxyz in one row, as a clip has them.
        things: By name: where flying balls are [m].
        lines: Flights as curves.
    """

    time_s: float
    people: dict[str, list[float]]
    things: dict[str, list[float]]
    lines: tuple[Line, ...]


class Playing:
    """A session that several threads may use in turn.

    Args:
        file: The project file.

    Attributes:
        newest: The state after the last step of a drag.
        moved_at: When that was (``time.monotonic``).
        follower: The job that shows the whole play when a drag rests.

    Raises:
        UnderstudyError: The project cannot be read, or its own edits fail.
    """

    def __init__(self, file: Path) -> None:
        read = load_project(file)
        self.name = read.name
        self.parts = tuple(f"{actor.name}.{part}" for actor in read.play.actors for part in ("left_hand", "right_hand"))
        self._session = Interaction(read.play, options=read.options, controls=read.controls)
        self._lock = threading.Lock()
        self._resting: Shown | None = None
        self.newest: Snapshot | None = None
        self.moved_at = 0.0
        self.follower: Job | None = None
        for one in read.edits:
            done(self._session, one)

    def resting(self) -> Shown:
        """The present state in full: planted feet, all contacts that are meant."""
        with self._lock:
            return self._shown()

    def followed(
        self, state: Snapshot, handle: BallAt | PartAt, to: Sequence[float]
    ) -> tuple[Snapshot, Glimpse, Outcome]:
        """One step of a drag from a state, and its visible state at the handle's time."""
        with self._lock:
            self._session.restore(state)
            outcome = self._session.drag_step(handle, np.asarray(to, dtype=np.float64))
            self.newest, self.moved_at = self._session.snapshot(), time.monotonic()
            return self.newest, self._glimpsed(handle.time_s), outcome

    def sketched(self, state: Snapshot) -> Shown:
        """A state between two steps of a drag, at all times but without planted feet."""
        with self._lock:
            self._session.restore(state)
            return self._sketched()

    def dragged(self, state: Snapshot, handle: Handle, to: Sequence[float]) -> tuple[Shown, Outcome]:
        """A drag to its end."""
        with self._lock:
            self._session.restore(state)
            outcome = self._session.drag(handle, np.asarray(to, dtype=np.float64))
            return self._shown(), outcome

    def held(self, state: Snapshot, handle: BallAt | PartAt) -> tuple[Shown, Outcome]:
        """Keep a handle where it is through all further edits."""
        with self._lock:
            self._session.restore(state)
            outcome = self._session.pin(handle)
            return self._shown(), outcome

    def let_go(self, state: Snapshot, number: int) -> Shown:
        """Let the handle go that was held as the ``number``-th."""
        with self._lock:
            self._session.restore(state)
            pins = self._session.pins
            if not 0 <= number < len(pins):
                raise OptionError(f"hold {number} does not exist; there are {len(pins)}")
            self._session.unpin(pins[number].handle)
            return self._shown()

    def judged(self, state: Snapshot, *, folder: Path | None) -> Report:
        """The judge's report on a state, which is also saved when there is a folder."""
        with self._lock:
            self._session.restore(state)
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
                save_project(self._session, folder / "play.toml", name=self.name)
            return self._session.report()

    def _shown(self) -> Shown:
        scene = replace(self._session.scene(), name=self.name)
        self._resting = self._put_on(scene)
        return self._resting

    def _put_on(self, scene: Scene) -> Shown:
        lines = self._flights()
        return Shown(self._session.snapshot(), scene, lines, play_marks(self._session, lines))

    def _glimpsed(self, time_s: float) -> Glimpse:
        people = {
            name: np.round(np.concatenate([root, turns.ravel()]), 5).tolist()
            for name, (root, turns) in self._session.poses_at(time_s).items()
        }
        flying = [way.ball.name for way in self._session.saved_play.ways]
        things = {name: np.round(self._session.ball_track(name, [time_s])[0], 5).tolist() for name in flying}
        return Glimpse(time_s=time_s, people=people, things=things, lines=self._flights())

    def _sketched(self) -> Shown:
        """People without their feet planted and balls, at few frames, in the scene as it was at rest."""
        scene = (self._resting or self._shown()).scene
        motions = self._session.motions(fps=_LIVE_FPS, plant=False)
        # Bodies are kept and contacts left out: both cost more than the drag, and nothing is judged before it ends.
        people = tuple(
            replace(one.performing(motions[one.name], start_s=one.start_s), body=one.fitted_body)
            for one in scene.characters
        )
        times = np.arange(int(scene.duration_s * _LIVE_FPS) + 2) / _LIVE_FPS
        flying = {way.ball.name for way in self._session.saved_play.ways}
        things = []
        for thing in scene.objects:
            if thing.name in flying and isinstance(thing.placement, Track):
                track = Track(times_s=times, positions=self._session.ball_track(thing.name, times))
                thing = replace(thing, placement=track)
            things.append(thing)
        sketch = replace(scene, characters=people, objects=tuple(things), allowed_contacts=())
        return self._put_on(sketch)

    def _flights(self) -> tuple[Line, ...]:
        return tuple(
            {
                "kind": "flight",
                "name": one.ball,
                "start_s": float(one.times_s[0]),
                "end_s": float(one.times_s[-1]),
                "points": np.round(one.positions, 4).tolist(),
            }
            for one in self._session.flights(points=_FLIGHT_POINTS)
        )
