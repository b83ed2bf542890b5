"""What a project file may say, as models that refuse everything else.

Balls, strikes, rhythms and edits are spelled in files as in Python: their own classes are the models.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from understudy.interaction.balls import Ball
from understudy.interaction.edits import Edit
from understudy.interaction.mimes import Strike
from understudy.interaction.rhythm import Rhythm

#: Of the file's format; a file that does not say is of version 1.
PROJECT_VERSION = 1

Vector = Annotated[list[float], Field(min_length=3, max_length=3)]


class _Table(BaseModel):
    """A table of the file: unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid")


class PerformerTable(_Table):
    """A clip of the built-in performer."""

    action: str
    seed: int = 0
    number: int = 0
    target: Vector | None = None


class CirclesTable(_Table):
    """Hands that go round in circles over the clip."""

    span_s: tuple[float, float]
    period_s: float
    radius_m: float = 0.09


class BlendTable(_Table):
    """A clip to blend in."""

    name: str
    file: str | None = None
    performer: PerformerTable | None = None
    marks: list[tuple[float, float]] = []
    span_s: tuple[float, float]
    fade_s: float = 0.35
    groups: list[str] = []


class ImplementTable(_Table):
    """A bat or the like."""

    name: str
    joint: str
    start: Vector
    end: Vector
    radius_m: float
    second: str = ""
    second_deg: float = 0.0


class ActorTable(_Table):
    """A character: exactly one of ``file``, ``performer`` and ``strikes`` says what it does."""

    name: str
    file: str | None = None
    recorded_fps: float | None = None
    clean: bool = False
    performer: PerformerTable | None = None
    strikes: list[Strike] = []
    duration_s: float | None = None
    slice_s: tuple[float, float] | None = None
    fps: float | None = None
    delay_s: float = 0.0
    circles: CirclesTable | None = None
    start: tuple[float, float] | None = None
    heading_deg: float | None = None
    groups: list[str] = ["arms", "trunk", "root"]
    scale: dict[str, float] = {}
    spacing_s: float = 0.1
    cutoff_hz: float = 8.0
    implement: list[ImplementTable] = []
    blend: list[BlendTable] = []
    references: list[PerformerTable] = []
    references_in_file: bool = False


class LegTable(_Table):
    """One leg of a ball's way: exactly one of ``start``, ``hold``, ``touch``, ``knock`` and ``end``."""

    start: Vector | None = None
    hold: str | None = None
    touch: str | None = None
    knock: str | None = None
    end: Vector | None = None
    time_s: float | None = None
    catch_s: float | None = None
    release_s: float | None = None
    velocity: Vector | None = None
    spin: Vector = [0.0, 0.0, 0.0]
    point: Vector | None = None
    axis: Vector | None = None
    restitution: float | None = None
    free: bool = False
    fixed: bool = False
    loose: bool = False
    tune: bool = False


@dataclass(frozen=True, kw_only=True)
class BallTable(Ball):
    """A ball and its way."""

    leg: list[LegTable] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class RhythmTable(Rhythm):
    """A cascade of three balls for each juggler."""

    hands: list[tuple[str, str]]
    ball: BallTable = field(default_factory=lambda: BallTable(name="ball"))


class ProjectTable(_Table):
    """The whole file."""

    version: int = PROJECT_VERSION
    name: str = ""
    scene: str | None = None
    controls: str | None = None
    state: str | None = None
    time_factor: float = 1.0
    drag_m: float = 0.1
    actor: list[ActorTable]
    ball: list[BallTable] = []
    rhythm: list[RhythmTable] = []
    throws_of: list[str] = []
    edit: list[Edit] = []
