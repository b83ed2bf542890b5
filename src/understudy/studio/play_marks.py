"""What happens in a play, as marks of the timeline: flights, throws, catches, touches, and what is held in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from understudy.interaction.handles import BallAt, PartAt
from understudy.interaction.session import Session
from understudy.studio.project import Icon, Mark

_ICONS: dict[str, Icon] = {"release": "throw", "catch": "catch"}
_SAID = {"throw": "leaves", "catch": "is caught by", "touch": "touches"}


def play_marks(session: Session, lines: Sequence[Mapping[str, Any]]) -> tuple[Mark, ...]:
    """Marks of a play.

    Args:
        session: The play.
        lines: Its flights, as the studio draws them.
    """
    flights = [
        Mark(
            track=str(line["name"]),
            kind="contact",
            start_s=float(line["start_s"]),
            end_s=float(line["end_s"]),
            text=f"{line['name']} flies",
        )
        for line in lines
    ]
    return (*flights, *_contacts(session), *_holds(session))


def _contacts(session: Session) -> list[Mark]:
    system, marks = session.system(), []
    for node, time in zip(system.layout.nodes, system.nodes.time, strict=False):
        way = system.play.ways[node.leg[0]]
        part = getattr(way.legs[node.leg[1]], "part", "") or getattr(way.legs[node.leg[1]], "other", "")
        icon = _ICONS.get(node.ends, "touch")
        text = f"{way.ball.name} {_SAID[icon]} {part or 'another ball'}"
        at = float(time)
        marks.append(Mark(track=way.ball.name, kind="contact", start_s=at, end_s=at, text=text, icon=icon))
    return marks


def _holds(session: Session) -> list[Mark]:
    marks = []
    for pin in session.pins:
        if not isinstance(pin.handle, BallAt | PartAt):
            continue
        name = pin.handle.ball if isinstance(pin.handle, BallAt) else pin.handle.part
        at = pin.handle.time_s
        marks.append(Mark(track=name, kind="constraint", start_s=at, end_s=at, text=f"{name} is held", icon="hold"))
    return marks
