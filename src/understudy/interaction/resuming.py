"""The state of a saved session, read back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from understudy.core.documents import json_values, table_of
from understudy.core.plain_values import ValueFaultError, made
from understudy.errors import FormatError, PlanningInputError
from understudy.formats.npz_archive import NpzArchive, opened
from understudy.interaction.actor import Actor, Blend
from understudy.interaction.balancing import BalanceGuard
from understudy.interaction.editing import Pin
from understudy.interaction.guard_rows import BallGuard, GapGuard, Guard, ReachGuard, TurnGuard
from understudy.interaction.handles import Apex, AxisAt, BallAt, ContactAt, Handle, PartAt
from understudy.interaction.outcome import Snapshot
from understudy.interaction.play import Play
from understudy.typing import FloatArray

#: Of the state file.
VERSION = 1
_WHAT = "state of a session"
_BLEND = re.compile(r"blend .* \d+ name")
#: [s] rounding of times at a play's end.
_LATE_S = 1e-6
_HANDLES: dict[str, type[Any]] = {kind.__name__: kind for kind in (Apex, AxisAt, BallAt, ContactAt, PartAt)}
_GUARDS: dict[str, type[Any]] = {
    kind.__name__: kind for kind in (BalanceGuard, BallGuard, GapGuard, ReachGuard, TurnGuard)
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Saved:
    """Everything of a session that its play does not say.

    Attributes:
        now: The state.
        past: States to go back to, oldest first.
        future: States to go forward to, nearest last.
        anchor: Unknowns before the edit that goes on.
        dragged: What is being dragged.
        guards: What is guarded.
    """

    now: Snapshot
    past: tuple[Snapshot, ...]
    future: tuple[Snapshot, ...]
    anchor: FloatArray
    dragged: Handle | None
    guards: tuple[Guard, ...]


class StateFile:
    """A state file, open as arrays.

    Raises:
        FormatError: It is missing or damaged.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            with opened(file) as archive:
                self._history = table_of(json_values(archive.words("history", count=1)[0], file, _WHAT), file, _WHAT)
                self._anchor = archive.array("anchor", kinds="fi", shape=(None,))
                self._unknowns = archive.array("unknowns", kinds="fi", shape=(None, len(self._anchor)))
                self._blends = {key: _blend(archive, key) for key in archive.keys if _BLEND.fullmatch(key)}
        except OSError as error:
            raise FormatError(f"cannot be read: {error.strerror or error}", path=file) from error
        version = self._history.get("version")
        if version != VERSION:
            raise FormatError(f"is of version {version!r:.20}; this Understudy reads {VERSION}", path=file)
        arrays = (
            self._anchor,
            self._unknowns,
            *(one for blend in self._blends.values() for one in (blend.root, blend.turns)),
        )
        if not all(np.isfinite(one).all() for one in arrays):
            raise FormatError("is damaged: not all of its numbers are finite", path=file)

    def with_blends(self, actor: Actor) -> Actor:
        """The actor with the clips that were mixed in.

        Raises:
            FormatError: One of them is another body's.
        """
        blends: list[Blend] = []
        while (key := f"blend {actor.name} {len(blends)} name") in self._blends:
            blends.append(self._blends[key])
            if blends[-1].turns.shape != (len(actor.motion), len(actor.motion.skeleton), 3):
                raise FormatError(f'holds a clip for "{actor.name}" that is another body\'s', path=self._file)
        return replace(actor, blends=tuple(blends)) if blends else actor

    def saved(self, play: Play, size: int) -> Saved:
        """The state of a play with so many unknowns.

        Raises:
            FormatError: It is damaged, or the state of another play.
        """
        if self._unknowns.shape[1] != size:
            shape = self._unknowns.shape
            raise FormatError(f"belongs to another play: it has {shape} unknowns, not {size}", path=self._file)
        try:
            history = made(_History, self._history, "its history")
            if len(history.pins) != len(self._unknowns) or not 0 <= history.past < len(history.pins):
                raise ValueFaultError("its states cannot be counted")
            states = [
                Snapshot(play, np.array(row, dtype=np.float64), tuple(_pin(one, play) for one in pins))
                for row, pins in zip(self._unknowns, history.pins, strict=True)
            ]
            dragged = None if history.dragged is None else _handle(history.dragged, play)
            guards = tuple(_guard(one, play) for one in history.guards)
        except (ValueFaultError, PlanningInputError) as error:
            raise FormatError(f"is damaged: {error}", path=self._file) from error
        return Saved(
            now=states[0],
            past=tuple(states[1 : 1 + history.past]),
            future=tuple(states[1 + history.past :]),
            anchor=np.array(self._anchor, dtype=np.float64),
            dragged=dragged,
            guards=guards,
        )


@dataclass(frozen=True, kw_only=True)
class _Pinned:
    """A pin as a file has it."""

    handle: Mapping[str, Any]
    target: tuple[float, float, float]
    axes: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class _History:
    """What a file says beside its arrays."""

    version: int
    pins: tuple[tuple[_Pinned, ...], ...]
    past: int
    dragged: Mapping[str, Any] | None
    guards: tuple[Mapping[str, Any], ...]


def _blend(archive: NpzArchive, key: str) -> Blend:
    prefix = key.removesuffix(" name")
    root = archive.array(f"{prefix} root", kinds="f", shape=(None, 3))
    return Blend(
        name=archive.words(key, count=1)[0],
        root=root,
        turns=archive.array(f"{prefix} turns", kinds="f", shape=(len(root), None, 3)),
        unwilling=float(archive.array(f"{prefix} unwilling", kinds="f", shape=(1,))[0]),
    )


def _made(kinds: dict[str, type[Any]], values: Mapping[str, Any], what: str) -> Any:
    kind = kinds.get(str(values.get("kind")))
    if kind is None:
        raise ValueFaultError(f"{what} is of no known kind")
    return made(kind, {key: value for key, value in values.items() if key != "kind"}, what)


def _pin(pinned: _Pinned, play: Play) -> Pin:
    if not set(pinned.axes) <= {0, 1, 2} or not np.isfinite(pinned.target).all():
        raise ValueFaultError("a pin is nowhere")
    return Pin(handle=_handle(pinned.handle, play), target=np.array(pinned.target), axes=pinned.axes)


def _handle(values: Mapping[str, Any], play: Play) -> Handle:
    """A handle of something that is in the play."""
    handle: Handle = _made(_HANDLES, values, "a handle")
    if isinstance(handle, PartAt):
        _number(play.surface_of(handle.part)[0], len(play.actors), "a handle's actor")
    else:
        way = play.way(handle.ball)
        if isinstance(handle, Apex | ContactAt):
            _number(handle.leg, len(way.legs), "a handle's leg")
    if not isinstance(handle, Apex | ContactAt):
        _moment(handle.time_s, play)
    return handle


def _guard(values: Mapping[str, Any], play: Play) -> Guard:
    """A guard of something that is in the play."""
    guard: Guard = _made(_GUARDS, values, "a guard")
    _moment(guard.time_s, play)
    if isinstance(guard, GapGuard):
        for name in (guard.first, guard.second):
            _named(name, play)
        return guard
    if isinstance(guard, BallGuard):
        play.way(guard.ball)
        if guard.thing:
            play.surface_of(guard.thing)
        if guard.thing or guard.actor < 0:
            _named(guard.other or guard.ball, play)
            return guard
    actor = play.actors[_number(guard.actor, len(play.actors), "a guard's actor")]
    if isinstance(guard, BallGuard):
        _number(guard.part, len(actor.fitted_body.capsule_names), "a guard's part")
    if isinstance(guard, TurnGuard):
        _number(guard.joint, len(actor.motion.skeleton), "a guard's joint")
    if isinstance(guard, ReachGuard) and f"{guard.side}UpperLeg" not in actor.motion.skeleton.humanoid:
        raise ValueFaultError(f"a guard's side is {guard.side!r:.20}")
    return guard


def _named(name: str, play: Play) -> None:
    if "." in name:
        _number(play.surface_of(name)[0], len(play.actors), "a guard's actor")
    else:
        play.way(name)


def _number(number: int, count: int, what: str) -> int:
    if not 0 <= number < count:
        raise ValueFaultError(f"{what} is {number}; there are {count}")
    return number


def _moment(time_s: float, play: Play) -> None:
    if not 0.0 <= time_s <= play.duration_s + _LATE_S:
        raise ValueFaultError(f"a time is {time_s:g} s; the play lasts from 0 to {play.duration_s:.2f} s")
