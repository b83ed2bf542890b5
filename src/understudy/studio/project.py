"""What a person works on in the studio: one immutable document, so that every step can be undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NotRequired, Self, get_args

from typing_extensions import TypedDict

from understudy.core.motion import Motion
from understudy.formats.glb_skin import OwnSkin
from understudy.scene.scene import Scene

Vec3 = tuple[float, float, float]
Icon = Literal["", "throw", "catch", "touch", "hold"]
ModeName = Literal["walk", "limbs", "postures", "interaction", "tasks"]
#: Working modes, in the order the page shows them.
MODES: tuple[ModeName, ...] = get_args(ModeName)


class Check(TypedDict):
    """A row of the judge's table."""

    name: str
    value: str
    bar: str
    where: str
    ok: bool


class Line(TypedDict):
    """A curve in the viewport. ``each`` cuts its points into polygons of so many corners."""

    kind: str
    points: list[Vec3]
    closed: NotRequired[bool]
    each: NotRequired[int]
    name: NotRequired[str]
    start_s: NotRequired[float]
    end_s: NotRequired[float]


class Worst(TypedDict):
    """The deepest overlap: when, and what is in what."""

    time_s: float
    a: str
    b: str


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What became of the last piece of planning.

    Attributes:
        status: What became of it.
        text: One line for people.
        seconds: What the planning took [s].
        checks: Rows of the judge's table.
        worst: The worst fault, for the page to jump to; ``None`` without one.
    """

    status: Literal["idle", "planning", "judging", "verified", "rejected", "failed"] = "idle"
    text: str = ""
    seconds: float = 0.0
    checks: tuple[Check, ...] = ()
    worst: Worst | None = None


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A stretch of time on a track of the timeline.

    Attributes:
        track: Which one, such as ``"anna"``, ``"anna.right_arm"`` or ``"ball"``.
        kind: What it marks; it fixes the colour.
        start_s: From [s].
        end_s: To [s].
        text: Shown when pointed at.
        icon: For what happens at one time; empty for a bar.
    """

    track: str
    kind: Literal["contact", "collision", "constraint", "task", "planned"]
    start_s: float
    end_s: float
    text: str = ""
    icon: Icon = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class Project:
    """The document.

    Attributes:
        scene: Objects and people; whoever has been planned for carries the motion.
        mode: The working mode the page is in.
        ghosts: Motions to show faintly beside the present ones, by character: the ones they were made from.
        verdict: What became of the last planning.
        marks: For the timeline.
        lines: Curves for the viewport.
        settings: What each mode keeps, by mode; plain values that can be written as JSON.
        play: The state of the session of people and balls that is shown; ``None`` without one. It is saved as a
            project of its own.
        skins: Meshes that people brought along, by character; shown on motions of the joints they are bound to.
        before: The scene before its tasks were performed; ``None`` while they were not.
    """

    scene: Scene = field(default_factory=Scene)
    mode: ModeName = "walk"
    ghosts: Mapping[str, Motion] = field(default_factory=dict)
    verdict: Verdict = Verdict()
    marks: tuple[Mark, ...] = ()
    lines: tuple[Line, ...] = ()
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    play: object | None = None
    skins: Mapping[str, OwnSkin] = field(default_factory=dict)
    before: Scene | None = None

    def setting(self, mode: str) -> dict[str, Any]:
        """A mode's settings, to be changed and given to :meth:`with_setting`."""
        return dict(self.settings.get(mode, {}))

    def with_setting(self, mode: str, values: Mapping[str, Any]) -> Self:
        """The project with a mode's settings replaced."""
        return replace(self, settings={**self.settings, mode: dict(values)})

    def with_verdict(self, **changes: Any) -> Self:
        """The project with another verdict."""
        return replace(self, verdict=Verdict(**changes))
