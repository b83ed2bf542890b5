"""Edits as a list: what a project file or a command line asks for, done one after the other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from understudy.core.planar import PlanarTransform
from understudy.errors import OptionError, PlanningInputError
from understudy.interaction.handles import Apex, BallAt, ContactAt, Handle, PartAt
from understudy.interaction.outcome import Outcome
from understudy.interaction.rhythm import cascade_places
from understudy.interaction.session import Session

#: [m] a character is moved in steps of at most this.
_MOVE_M = 0.1


@dataclass(frozen=True, kw_only=True)
class Edit:
    """One edit; which fields matter depends on ``do``.

    Attributes:
        do: ``settle``; ``drag``, ``pin`` or ``unpin`` a handle; ``free`` all pins; ``places`` pins a cascade's throws
            and catches; ``move`` an actor over the floor; ``reacquire`` a contact that cannot be kept.
        ball: The ball of a handle.
        part: The body part of a handle.
        actor: For ``places`` and ``move``.
        time_s: When the handle is taken [s].
        leg: Instead of a time, a contact of the ball.
        release: The contact's release rather than its catch.
        apex: The highest point after that leg.
        velocity: The handle's velocity rather than its place.
        to: Where to [m].
        by: By how much [m].
        axes: Which coordinates count.
        inner_m: For ``places``.
        outer_m: For ``places``.
        rise_m: For ``places``.
    """

    #: Where files and command lines name an edit's fields, unknown ones are mistakes.
    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    do: Literal["settle", "drag", "pin", "unpin", "free", "places", "move", "reacquire"]
    ball: str | None = None
    part: str | None = None
    actor: str | None = None
    time_s: float | None = None
    leg: int | None = None
    release: bool = False
    apex: bool = False
    velocity: bool = False
    to: tuple[float, float, float] | None = None
    by: tuple[float, float, float] | None = None
    axes: str = "xyz"
    inner_m: float = 0.11
    outer_m: float = 0.27
    rise_m: float = 0.0

    def handle(self) -> Handle:
        """What the edit takes hold of.

        Raises:
            PlanningInputError: It names nothing, or too much.
        """
        if self.part is not None and self.time_s is not None:
            return PartAt(part=self.part, time_s=self.time_s, velocity=self.velocity)
        if self.ball is not None and self.leg is not None:
            if self.apex:
                return Apex(ball=self.ball, leg=self.leg)
            return ContactAt(ball=self.ball, leg=self.leg, release=self.release)
        if self.ball is not None and self.time_s is not None:
            return BallAt(ball=self.ball, time_s=self.time_s, velocity=self.velocity)
        raise PlanningInputError(f"{self.do}: needs ball and time_s, ball and leg, or part and time_s")

    def __str__(self) -> str:
        """For messages."""
        what = "" if self.do in ("settle", "free", "places", "move") else f" {self.handle()}"
        return f"{self.do}{what}"


def done(session: Session, edit: Edit) -> Outcome | None:
    """Do one edit; ``None`` when it only lets go."""
    if edit.do == "settle":
        return session.settle()
    if edit.do == "free":
        session.unpin_all()
        return None
    if edit.do == "unpin":
        session.unpin(edit.handle())
        return None
    if edit.do == "places":
        actor = session.play.actors[session.play.actor_number(edit.actor or session.play.actors[0].name)]
        places = cascade_places(
            session.play.ways, actor, inner_m=edit.inner_m, outer_m=edit.outer_m, rise_m=edit.rise_m
        )
        return session.pin_all(places)
    if edit.do == "move":
        return moved(session, edit)
    if edit.do == "reacquire":
        from understudy.interaction.reacquiring import reacquire

        if edit.ball is None or edit.leg is None:
            raise PlanningInputError("reacquire: needs ball and leg")
        return reacquire(session, edit.ball, edit.leg)
    axes = tuple("xyz".index(letter) for letter in edit.axes if letter in "xyz")
    if edit.do == "pin":
        return session.pin(edit.handle(), edit.to, axes=axes)
    if edit.do != "drag":
        raise OptionError(f'no edit is called "{edit.do}"')
    handle = edit.handle()
    if (edit.to is None) == (edit.by is None):
        raise PlanningInputError(f"{edit}: say where with to, or how far with by")
    goal = session.where(handle) + np.array(edit.by) if edit.by is not None else np.array(edit.to)
    return session.drag(handle, goal, axes=axes)


def moved(session: Session, edit: Edit) -> Outcome:
    """Move an actor over the floor in safe steps; everyone else's contacts follow."""
    if edit.actor is None or edit.by is None:
        raise PlanningInputError("move: needs actor and by")
    way = np.array(edit.by, dtype=np.float64)
    steps = max(1, int(np.ceil(np.hypot(way[0], way[2]) / _MOVE_M)))
    outcome = None
    for _ in range(steps):
        play = session.play
        number = play.actor_number(edit.actor)
        old = play.actors[number]
        shift = PlanarTransform(x_m=float(way[0] / steps), z_m=float(way[2] / steps))
        actors = list(play.actors)
        actors[number] = replace(old, motion=old.motion.placed(shift))
        outcome = session.change(replace(play, actors=tuple(actors)))
        if not outcome:
            break
    assert outcome is not None
    return outcome
