"""The state of a saved session, read back."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from understudy.errors import FormatError, PlanningInputError
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
            with np.load(file, allow_pickle=False) as archive:
                self._arrays = {key: archive[key] for key in archive.files}
            self._history = json.loads(str(self._arrays["history"][0]))
            version = self._history["version"]
        except (OSError, KeyError, ValueError, IndexError, TypeError, EOFError, BadZipFile) as error:
            raise FormatError(f"is no state of a session: {error}", path=file) from error
        if version != VERSION:
            raise FormatError(f"is of version {version}; this Understudy reads {VERSION}", path=file)

    def with_blends(self, actor: Actor) -> Actor:
        """The actor with the clips that were mixed in."""
        blends: list[Blend] = []
        while f"blend {actor.name} {len(blends)} name" in self._arrays:
            prefix = f"blend {actor.name} {len(blends)}"
            name, unwilling = str(self._arrays[f"{prefix} name"][0]), float(self._arrays[f"{prefix} unwilling"][0])
            root, turns = self._arrays[f"{prefix} root"], self._arrays[f"{prefix} turns"]
            blends.append(Blend(name=name, root=root, turns=turns, unwilling=unwilling))
        return replace(actor, blends=tuple(blends)) if blends else actor

    def saved(self, play: Play, size: int) -> Saved:
        """The state of a play with so many unknowns.

        Raises:
            FormatError: It is the state of another play.
        """
        try:
            unknowns, history = self._arrays["unknowns"], self._history
            states = [
                Snapshot(play, np.array(row, dtype=np.float64), tuple(_pin(one) for one in pins))
                for row, pins in zip(unknowns, history["pins"], strict=True)
            ]
            dragged = None if history["dragged"] is None else _made(_HANDLES, history["dragged"])
            guards = tuple(_made(_GUARDS, one) for one in history["guards"])
            anchor, past = np.array(self._arrays["anchor"], dtype=np.float64), int(history["past"])
        except (KeyError, TypeError, ValueError, PlanningInputError) as error:
            raise FormatError(f"is damaged: {error}", path=self._file) from error
        if unknowns.ndim != 2 or unknowns.shape[1] != size or anchor.shape != (size,) or not 0 <= past < len(states):
            raise FormatError(f"belongs to another play: it has {unknowns.shape} unknowns, not {size}", path=self._file)
        if not (np.isfinite(unknowns).all() and np.isfinite(anchor).all()):
            raise FormatError("is damaged: not all of its numbers are finite", path=self._file)
        return Saved(
            now=states[0],
            past=tuple(states[1 : 1 + past]),
            future=tuple(states[1 + past :]),
            anchor=anchor,
            dragged=dragged,
            guards=guards,
        )


def _made(kinds: dict[str, type[Any]], values: dict[str, Any]) -> Any:
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    return kinds[values.pop("kind")](**values)


def _pin(values: dict[str, Any]) -> Pin:
    target = np.array(values["target"], dtype=np.float64)
    return Pin(handle=_made(_HANDLES, values["handle"]), target=target, axes=tuple(values["axes"]))
