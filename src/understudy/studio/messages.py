"""What the server tells the page, as types. The page's own types are made from these by ``tools/message_types.py``."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from understudy.studio.project import Line, Mark, ModeName, Vec3, Verdict

Quaternion = tuple[float, float, float, float]
#: The plain values of a verdict, and of a mark.
PlainVerdict = Annotated[dict[str, Any], Verdict]
PlainMark = Annotated[dict[str, Any], Mark]


class Clip(TypedDict):
    """Frames of a motion: root positions and local rotations, in one asset."""

    asset: str
    frames: int
    fps: float
    joints: int


class Person(TypedDict):
    """A character. ``joints`` are numbers by humanoid role, or by name where a joint has no role."""

    name: str
    start_s: float
    skin: str | None
    clip: Clip | None
    ghost: Clip | None
    joints: dict[str, int]


class Keys(TypedDict):
    """Poses of an object at equal intervals: seven numbers each, in one asset."""

    asset: str
    keys: int
    fps: float


class Handle(TypedDict):
    """A handle of an object, in the object's frame [m]."""

    name: str
    at: Vec3


class Thing(TypedDict):
    """An object of the scene."""

    name: str
    mesh: str
    color: str
    position: Vec3
    rotation: Quaternion
    track: Keys | None
    handles: list[Handle]


class TaskView(TypedDict):
    """A task of the scene, with what was given for it."""

    do: str
    character: str
    name: str
    at_s: float | None
    given: dict[str, Any]


class View(TypedDict):
    """A project as the page sees it."""

    name: str
    mode: ModeName
    duration_s: float
    verdict: PlainVerdict
    people: list[Person]
    things: list[Thing]
    tasks: list[TaskView]
    marks: list[PlainMark]
    lines: list[Line]
    settings: dict[str, dict[str, Any]]


class Busy(TypedDict):
    """The job under way; ``share`` of it is done."""

    title: str
    share: float
    stage: str


class State(View):
    """Everything the page shows."""

    serial: int
    undo: str
    redo: str
    busy: Busy | None


class Live(TypedDict):
    """What is seen of a drag at one time; the whole state follows when the mouse rests.

    ``people`` are rows of a clip: root position and local rotations wxyz.
    """

    serial: int
    time_s: float
    text: str
    people: dict[str, list[float]]
    things: dict[str, list[float]]
    lines: list[Line]


class Message(TypedDict, total=False):
    """One message to the page: one of these, or an answer to an edit."""

    state: State
    busy: Busy
    live: Live
    warning: str
    answer: int | None
    error: str


class ExampleView(TypedDict):
    """An example on the start screen."""

    name: str
    title: str
    about: str
    mode: ModeName


class Posture(TypedDict):
    """A built-in posture."""

    name: str
    about: str


class KindOfTask(TypedDict):
    """A kind of task, and what the page has to ask for."""

    do: str
    about: str
    takes: list[str]
    needs: list[str]
