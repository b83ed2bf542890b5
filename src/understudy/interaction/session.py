"""The session: a play that a person drags about while every contact stays exact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from understudy.core.planning import Status
from understudy.errors import PlanningInputError
from understudy.interaction.editing import Bench, Errors, Pin, why
from understudy.interaction.guards import needed_guards
from understudy.interaction.handles import Apex, AxisAt, BallAt, Handle, held_node, probe_of, strayed
from understudy.interaction.outcome import Outcome, Snapshot
from understudy.interaction.play import Play, vector
from understudy.interaction.solver import GUARD, StuckError, at_rest, drawn_back, stepped
from understudy.interaction.view import View
from understudy.typing import FloatArray

if TYPE_CHECKING:
    from understudy.interaction.project import Project

#: Steps that succeed may grow to this many times the first.
_LONGEST = 5.0


class Session(View):
    """A play under edit.

    Args:
        play: Actors, balls and what happens; crude is enough, :meth:`settle` makes it exact.
        options: How edits go.
        controls: Control points and blend weights to begin with; zero unless given.

    Raises:
        PlanningInputError: The play contradicts itself.
    """

    def settle(self) -> Outcome:
        """Bring all contacts and pins to rest with the least change; nothing changes when that fails."""
        self._remember()
        return self._finished(self._state.pins, 0)

    def pin(self, handle: Handle, at: npt.ArrayLike | None = None, *, axes: tuple[int, ...] = (0, 1, 2)) -> Outcome:
        """Keep a handle where it is, or at a place, through all further edits."""
        target = self.where(handle) if at is None else vector(at, str(handle))
        self._remember()
        kept = tuple(pin for pin in self._state.pins if pin.handle != handle)
        return self._finished((*kept, Pin(handle=handle, target=target, axes=axes)), 0)

    def pin_all(self, places: Mapping[Handle, npt.ArrayLike]) -> Outcome:
        """Bring many handles to their places at once and keep them there."""
        self._remember()
        kept = tuple(pin for pin in self._state.pins if pin.handle not in places)
        new = tuple(Pin(handle=handle, target=vector(place, str(handle))) for handle, place in places.items())
        return self._finished((*kept, *new), 0)

    def unpin_all(self) -> None:
        """Let all handles go."""
        self._remember()
        self._state = replace(self._state, pins=())

    def unpin(self, handle: Handle) -> None:
        """Let a handle go."""
        if all(pin.handle != handle for pin in self._state.pins):
            raise PlanningInputError(f"{handle} is not pinned")
        self._remember()
        kept = tuple(pin for pin in self._state.pins if pin.handle != handle)
        self._state = replace(self._state, pins=kept)

    def drag(self, handle: Handle, to: npt.ArrayLike, *, axes: tuple[int, ...] = (0, 1, 2), steps: int = 40) -> Outcome:
        """Take a handle somewhere, in steps that keep every contact, and come to rest there.

        Dragging the same handle again continues the same edit: back where it began, the motion is what it was.

        Args:
            handle: What.
            to: Where ``(3,)`` [m] (or how fast [m/s]).
            axes: Which coordinates count.
            steps: Most steps.

        Returns:
            ``EXHAUSTED`` with the nearest place reached when it cannot get there.
        """
        goal = vector(to, str(handle))
        axes = (1,) if isinstance(handle, Apex) else axes
        if handle != self._dragged:
            self._remember()
        self._dragged = handle
        cap, taken, reason = self.options.drag_m, 0, ""
        while taken < steps:
            far = self._distance(handle, goal, axes)
            if far < 1e-9:
                break
            taken += 1
            if self._step(handle, goal, axes, cap):
                cap = min(1.5 * cap, _LONGEST * self.options.drag_m)
                continue
            cap *= 0.5
            reason = self._trouble
            if cap < 1e-3:
                break
        before = self._state
        pins = (*self._state.pins, Pin(handle=handle, target=self._reached(handle, goal, axes), axes=axes))
        outcome = self._finished(pins, taken)
        self._state = replace(self._state, pins=before.pins)
        left = self._distance(handle, goal, axes)
        if left > 1e-6:
            at = np.array2string(self.where(handle), precision=3)
            why = f"; {reason}" if reason else ""
            reason = f"{handle} cannot get there: {left:.3f} m are left, the nearest reached is {at}{why}"
            return replace(outcome, status=Status.EXHAUSTED, left_m=left, reason=reason)
        return outcome

    def drag_step(self, handle: Handle, to: npt.ArrayLike, *, axes: tuple[int, ...] = (0, 1, 2)) -> Outcome:
        """One step of a drag, as a mouse makes them: at most ``drag_m`` far, contacts back on before it is shown."""
        goal = vector(to, str(handle))
        axes = (1,) if isinstance(handle, Apex) else axes
        if handle != self._dragged:
            self._remember()
        self._dragged = handle
        done = self._step(handle, goal, axes, self.options.drag_m)
        left = self._distance(handle, goal, axes)
        status = Status.SOLVED if done else Status.EXHAUSTED
        return Outcome(
            status=status, steps=1, contacts_m=self._last.contacts_m, left_m=left, reason="" if done else self._trouble
        )

    def undo(self) -> None:
        """Back to before the last edit."""
        if not self._past:
            raise PlanningInputError("there is nothing to undo")
        self._future.append(self._state)
        self._restore(self._past.pop())

    def redo(self) -> None:
        """Forward again to what was undone."""
        if not self._future:
            raise PlanningInputError("there is nothing to redo")
        self._past.append(self._state)
        self._restore(self._future.pop())

    def snapshot(self) -> Snapshot:
        """The present state, to come back to with :meth:`restore`; it never changes."""
        return self._state

    def restore(self, state: Snapshot) -> None:
        """Back to a state this session was in; for callers that keep their own history."""
        if state is not self._state:
            self._restore(state)

    def change(self, play: Play) -> Outcome:
        """Go on with a changed play (other legs, other balls) of the same actors, and settle it."""
        if [actor.name for actor in play.actors] != [actor.name for actor in self._state.play.actors]:
            raise PlanningInputError("a changed play needs the same actors")
        controls = self._state.unknowns[: self._bench.system.control_count]
        self._remember()
        before = self._state
        bench = Bench.of(play, time_factor=self.options.time_factor, guards=self._guards)
        unknowns = bench.system.start()
        unknowns[: len(controls)] = controls
        self._state, self._bench = Snapshot(play, unknowns, before.pins), bench
        self._anchor = unknowns
        outcome = self._finished(before.pins, 0)
        if not outcome:
            self._restore(before)
        return outcome

    @classmethod
    def resumed(cls, project: Project) -> Self:
        """The session of a project: as it was saved, or fresh."""
        session = cls(project.play, options=project.options, controls=project.controls)
        saved = project.saved
        if saved is not None:
            session._guards, session._past, session._future = saved.guards, list(saved.past), list(saved.future)
            session._restore(saved.now)
            session._anchor, session._dragged = saved.anchor, saved.dragged
        return session

    # Inside.

    _trouble: str = ""
    _last: Errors = Errors(contacts_m=0.0, pins_m=0.0, worst="")

    def _remember(self) -> None:
        self._past.append(self._state)
        self._future.clear()
        self._anchor = self._state.unknowns
        self._dragged = None

    def _restore(self, state: Snapshot) -> None:
        self._state, self._anchor, self._dragged = state, state.unknowns, None
        self._bench = Bench.of(
            state.play, unknowns=state.unknowns, time_factor=self.options.time_factor, guards=self._guards
        )

    def _bench_for(self, pins: tuple[Pin, ...]) -> Bench:
        """The workbench with these pins; laid out anew only when other handles are held or a ball changed hands."""
        now = [pin.handle for pin in self._bench.pins]
        if now == [pin.handle for pin in pins] and not self._stale(pins):
            self._bench.pins = pins
        else:
            factor = self.options.time_factor
            self._bench = Bench.of(
                self._state.play, pins, unknowns=self._state.unknowns, time_factor=factor, guards=self._guards
            )
        return self._bench

    def _stale(self, pins: tuple[Pin, ...]) -> bool:
        """Whether a ball is now in a hand that was in the air when the bench was made, or the other way round."""
        self._bench.system.load(self._state.unknowns)
        return any(
            (held_node(self._bench.system, pin.handle) is None) == (pin.handle in self._bench.watched)
            for pin in pins
            if isinstance(pin.handle, BallAt | AxisAt)
        )

    def _distance(self, handle: Handle, goal: FloatArray, axes: tuple[int, ...]) -> float:
        pins = (*self._state.pins, Pin(handle=handle, target=goal, axes=axes))
        bench = self._bench_for(pins)
        bench.system.load(self._state.unknowns)
        return float(np.linalg.norm((goal - bench.value(handle))[list(axes)]))

    def _reached(self, handle: Handle, goal: FloatArray, axes: tuple[int, ...]) -> FloatArray:
        """The goal where it was reached, else where the handle is."""
        return goal if self._distance(handle, goal, axes) < 1e-3 else self._bench.value(handle)

    def _step(self, handle: Handle, goal: FloatArray, axes: tuple[int, ...], cap: float) -> bool:
        """One capped step; ``False`` and no change when contacts could not follow."""
        pins = (*self._state.pins, Pin(handle=handle, target=goal, axes=axes))
        bench = self._bench_for(pins)
        bench.system.load(self._state.unknowns)
        value = bench.system.probed(probe_of(bench.system, handle, bench.watched))
        way = np.zeros(3)
        way[list(axes)] = (goal - value)[list(axes)]
        far = float(np.linalg.norm(way))
        target = value + way * min(1.0, cap / max(far, 1e-12))
        targets = [*(pin.target for pin in self._state.pins), target]
        try:
            moved, self._last = stepped(bench, self._state.unknowns, targets, self._anchor, self.options)
        except StuckError as trouble:
            self._trouble = str(trouble)
            return False
        self._state = replace(self._state, unknowns=moved)
        return True

    def _finished(self, pins: tuple[Pin, ...], taken: int) -> Outcome:
        """Newton's method to rest, drawn towards the anchor; the state stays as it was when it fails."""
        bench = self._bench_for(pins)
        at, best, steps = at_rest(bench, self._state.unknowns, self.options)
        taken += steps
        if best.largest_m < self.options.rest_m:
            at, best = drawn_back(bench, at, best, self._anchor, self.options)
            at, best = self._guarded(pins, at, best)
            bench = self._bench
        bench.system.load(at)
        broken = bench.rules.broken(at, slack=1e-4)
        broken += [
            f"{pin.handle}: it would not be in the air then"
            for pin in pins
            if strayed(bench.system, pin.handle, bench.watched)
        ]
        if best.largest_m > 1e-6 or broken:
            reason = why(bench, best, broken)
            left = best.pins_m
            return Outcome(status=Status.EXHAUSTED, steps=taken, contacts_m=best.contacts_m, left_m=left, reason=reason)
        self._state = replace(self._state, unknowns=at, pins=pins)
        self._last = best
        return Outcome(
            status=Status.SOLVED,
            steps=taken,
            contacts_m=best.contacts_m,
            left_m=best.pins_m,
            clashes=self.clashes(),
        )

    def _guarded(self, pins: tuple[Pin, ...], at: FloatArray, left: Errors) -> tuple[FloatArray, Errors]:
        """The same edit with joints within limits and parts apart, as far as that can be had."""
        for _ in range(self.options.guard_rounds):
            self._bench.system.load(at)
            new = needed_guards(self._bench.system)
            if not new:
                break
            # Guards of earlier rounds that do not hold and are not asked for any more were on the wrong side.
            guards = tuple(dict.fromkeys((*self._bench.rules.kept(GUARD), *new)))
            bench = Bench.of(self._state.play, pins, unknowns=at, time_factor=self.options.time_factor, guards=guards)
            moved, now, _ = at_rest(bench, at, self.options)
            if now.largest_m < self.options.rest_m:
                moved, now = drawn_back(bench, moved, now, self._anchor, self.options)
            if now.largest_m > 1e-6:
                break
            self._guards, self._bench, at, left = guards, bench, moved, now
        return at, left
