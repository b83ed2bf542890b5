"""What a play under edit looks like: places, motions, tracks, the scene."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from understudy.core.motion import Motion
from understudy.errors import PlanningInputError
from understudy.interaction.actor import sampled
from understudy.interaction.clashes import Clash, clashes
from understudy.interaction.editing import Bench, EditOptions, Pin, check_start, errors
from understudy.interaction.guard_rows import Guard
from understudy.interaction.handles import Handle
from understudy.interaction.outcome import Snapshot
from understudy.interaction.play import Play
from understudy.interaction.reaction import ReactionOptions
from understudy.interaction.resuming import Saved
from understudy.interaction.rewriting import rewritten
from understudy.interaction.showing import shown
from understudy.interaction.staging import FlightTrack, flight_tracks, staged
from understudy.interaction.system import System
from understudy.interaction.tracks import ball_states
from understudy.scene.scene import Scene
from understudy.typing import FloatArray


class View:
    """A play on the workbench, to look at."""

    def __init__(self, play: Play, *, options: EditOptions | None = None, controls: FloatArray | None = None) -> None:
        self.options = options or EditOptions()
        self._bench = Bench.of(play, time_factor=self.options.time_factor)
        self._state = Snapshot(play, self._started(controls), ())
        check_start(self._bench, self._state.unknowns)
        self._past: list[Snapshot] = []
        self._future: list[Snapshot] = []
        self._anchor = self._state.unknowns
        self._dragged: Handle | None = None
        self._guards: tuple[Guard, ...] = ()

    def _started(self, controls: FloatArray | None) -> FloatArray:
        unknowns = self._bench.system.start()
        if controls is not None:
            if len(controls) != self._bench.system.control_count:
                raise PlanningInputError(
                    f"{len(controls)} controls were given for a play that has {self._bench.system.control_count}"
                )
            unknowns[: len(controls)] = controls
        return unknowns

    @property
    def play(self) -> Play:
        """The play with contacts where they are now."""
        return rewritten(self._state.play, self._loaded())

    @property
    def unknowns(self) -> FloatArray:
        """All controls and contacts as one vector."""
        return self._state.unknowns.copy()

    @property
    def pins(self) -> tuple[Pin, ...]:
        """What has to stay where."""
        return self._state.pins

    @property
    def guards(self) -> tuple[Guard, ...]:
        """What edits so far had to be kept from: joint limits, parts and balls in each other."""
        return self._guards

    def miss_m(self) -> float:
        """Largest miss of a contact [m]."""
        return errors(self._bench, self._state.unknowns).contacts_m

    def where(self, handle: Handle) -> FloatArray:
        """Place ``(3,)`` [m] (or velocity [m/s]) of a handle."""
        bench = Bench.of(self._state.play, (Pin(handle=handle, target=np.zeros(3)),), unknowns=self._state.unknowns)
        bench.system.load(self._state.unknowns)
        return bench.value(handle)

    def weights(self) -> dict[str, float]:
        """Blend weights by ``actor.clip``."""
        players = self._loaded().players
        return {
            f"{actor.name}.{blend.name}": float(player.weights[b])
            for actor, player in zip(self._state.play.actors, players, strict=True)
            for b, blend in enumerate(actor.blends)
        }

    def motions(
        self, *, fps: float | None = None, plant: bool = True, reaction: ReactionOptions | None = None
    ) -> dict[str, Motion]:
        """Every actor's motion by name.

        Args:
            fps: Frames per second; the source's own unless given.
            plant: Whether feet stand where the source's feet stand.
            reaction: How bodies yield to impacts; they do not unless given.
        """
        system = self._loaded()
        return {
            actor.name: shown(system, number, fps=fps, plant=plant, reaction=reaction)
            for number, actor in enumerate(self._state.play.actors)
        }

    def ball_track(self, ball: str, times_s: npt.ArrayLike) -> FloatArray:
        """Centres ``(n, 3)`` [m] of a ball at times ``(n,)`` [s]."""
        return ball_states(self._loaded(), ball, np.atleast_1d(np.asarray(times_s, dtype=np.float64)))[0]

    def scene(self, *, fps: float | None = None) -> Scene:
        """Everything on stage: motions, balls on their tracks, implements, and the contacts that are meant."""
        return staged(self._loaded(), self.motions(fps=fps))

    def poses_at(self, time_s: float) -> dict[str, tuple[FloatArray, FloatArray]]:
        """Root place ``(3,)`` [m] and local rotations ``(joints, 4)`` of everybody at a time, feet not planted."""
        at, found = np.array([time_s]), {}
        for actor, player in zip(self._state.play.actors, self._loaded().players, strict=True):
            roots, turns = sampled(player, actor.motion, np.minimum(at, actor.motion.duration_s))
            found[actor.name] = (roots[0], turns[0])
        return found

    def flights(self, *, points: int | None = None) -> list[FlightTrack]:
        """Every flight of every ball, sampled; finely enough for the judge unless a number of points is given."""
        return flight_tracks(self._loaded(), points=points)

    def system(self) -> System:
        """The equations with the present unknowns loaded; do not change them."""
        return self._loaded()

    def price(self) -> float:
        """What all displacements together cost: how far the motions are from their sources."""
        controls = self._state.unknowns.copy()
        controls[self._bench.system.control_count :] = 0.0
        return self._bench.costs.price(controls)

    def clashes(self) -> tuple[Clash, ...]:
        """Contacts that nobody asked for."""
        return clashes(self._loaded())

    @property
    def saved_play(self) -> Play:
        """The play as it was written, before contacts moved; what a saved project holds."""
        return self._state.play

    @property
    def saved_state(self) -> Saved:
        """Everything else that a saved project holds; undo and redo as far as the play is the same."""
        past, future = (_with_play(states, self._state.play) for states in (self._past, self._future))
        return Saved(
            now=self._state,
            past=past,
            future=future,
            anchor=self._anchor,
            dragged=self._dragged,
            guards=self._guards,
        )

    def _loaded(self) -> System:
        self._bench.system.load(self._state.unknowns)
        return self._bench.system


def _with_play(states: list[Snapshot], play: Play) -> tuple[Snapshot, ...]:
    """The last of some states, as far back as they have the same play."""
    other = [k for k, state in enumerate(states) if state.play is not play]
    return tuple(states[other[-1] + 1 :] if other else states)
