"""What a project file may say, as models that refuse everything else."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

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


class StrikeTable(_Table):
    """A strike of a soccer mime."""

    part: str
    time_s: float


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
    strikes: list[StrikeTable] = []
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


class BallTable(_Table):
    """A ball and its way."""

    name: str
    radius_m: float = 0.035
    mass_kg: float = 0.13
    restitution: float = 0.7
    friction: float = 0.0
    hollow: bool = False
    length_m: float = 0.0
    color: Vector = [0.80, 0.16, 0.10]
    leg: list[LegTable] = []


class RhythmTable(_Table):
    """A cascade of three balls for each juggler."""

    hands: list[tuple[str, str]]
    first_s: float
    beat_s: float
    dwell_s: float
    throws: int
    pass_every: int = 0
    ball: BallTable = BallTable(name="ball")


class EditTable(_Table):
    """One edit."""

    do: Literal["settle", "drag", "pin", "unpin", "free", "places", "move", "reacquire"]
    ball: str | None = None
    part: str | None = None
    actor: str | None = None
    time_s: float | None = None
    leg: int | None = None
    release: bool = False
    apex: bool = False
    velocity: bool = False
    to: Vector | None = None
    by: Vector | None = None
    axes: str = "xyz"
    inner_m: float = 0.11
    outer_m: float = 0.27
    rise_m: float = 0.0


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
    edit: list[EditTable] = []
