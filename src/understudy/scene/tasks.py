"""The task language: what characters are asked to do, in one vocabulary for all planners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from understudy.errors import SceneError, nearest_name
from understudy.scene.attachments import HANDS, Side
from understudy.scene.objects import checked_name
from understudy.scene.transforms import direction, finite, vector

#: An object by name, or a point (x, y, z) in the world [m].
Target: TypeAlias = str | tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class TaskKind:
    """What a kind of task needs and may have, beside character, name and times.

    Attributes:
        about: One line for people.
        needs: Parameters that must be given.
        one_of: Parameters of which exactly one must be given.
        may: Parameters that may be given.
    """

    about: str
    needs: tuple[str, ...] = ()
    one_of: tuple[str, ...] = ()
    may: tuple[str, ...] = ()

    @property
    def allowed(self) -> tuple[str, ...]:
        """Every parameter of this kind."""
        return (*self.needs, *self.one_of, *self.may)


def _action(about: str) -> TaskKind:
    return TaskKind(about=about, may=("object", "hand", "target", "style", "hold_s"))


_KINDS: dict[str, TaskKind] = {
    "walk_to": TaskKind(
        about="walk to a floor point or up to an object",
        one_of=("goal", "object"),
        may=("heading_rad", "via", "style"),
    ),
    "follow": TaskKind(about="walk along a path of floor points", needs=("path",), may=("style",)),
    "grab": TaskKind(
        about="take hold of an object", needs=("object",), may=("hand", "handle", "fingers", "palm", "style")
    ),
    "drop": TaskKind(about="let go of the held object", may=("object", "hand")),
    "place": TaskKind(about="put a held object down", needs=("object", "target"), may=("hand", "heading_rad", "style")),
    "put_back": TaskKind(
        about="put a held object down where it stood before it was taken", needs=("object",), may=("hand", "style")
    ),
    "carry": TaskKind(
        about="bring a held object somewhere without letting go",
        needs=("object", "target"),
        may=("hand", "heading_rad", "hold_s", "style"),
    ),
    "touch": TaskKind(
        about="touch an object, a point or a body part of another character",
        one_of=("object", "target"),
        may=("hand", "handle", "fingers", "palm", "hold_s", "style"),
    ),
    "reach": TaskKind(
        about="bring a hand to an object, a point or a body part of another character",
        one_of=("object", "target"),
        may=("hand", "handle", "fingers", "palm", "hold_s", "style"),
    ),
    "open_door": TaskKind(
        about="swing a hinged object to an angle", needs=("object",), may=("hand", "handle", "angle_rad", "style")
    ),
    "displace": TaskKind(
        about="slide an object to another place",
        needs=("object", "target"),
        may=("hand", "handle", "style"),
    ),
    "between": TaskKind(
        about="go from one posture to another", needs=("to_pose",), may=("from_pose", "pin", "falloff_m")
    ),
    "correct": TaskKind(about="free limbs from collisions", may=("limbs", "style")),
    "action": TaskKind(
        about="play a recorded action towards a target",
        needs=("style",),
        may=("object", "hand", "target", "hold_s"),
    ),
    "pour": _action("pour from the held object into the target"),
    "point": _action("point at the target"),
    "kick": _action("kick the object"),
    "press": _action("press the object, such as a switch"),
    "sit": _action("sit down on the object"),
    "stand": _action("stand up"),
}
#: The kinds that come with the package, as in the published schema.
BUILT_IN: tuple[str, ...] = tuple(_KINDS)
#: Kind of task -> what it needs and may have; with those that were added.
KINDS: Mapping[str, TaskKind] = MappingProxyType(_KINDS)


def add_kind(name: str, kind: TaskKind) -> None:
    """Make a kind of task known, for a skill of one's own.

    Raises:
        SceneError: The name is taken by another kind.
    """
    if _KINDS.setdefault(name, kind) != kind:
        raise SceneError(f'the kind of task "{name}" exists already: {_KINDS[name].about}')


#: Fields every task has.
ALWAYS: tuple[str, ...] = ("character", "do", "name", "at_s", "by_s", "until_s", "after")


@dataclass(frozen=True, kw_only=True)
class Task:
    """One thing one character is asked to do; a character's tasks run in order.

    Attributes:
        character: Who does it.
        do: One of :data:`KINDS`.
        name: For ``after`` of other tasks, and for reports.
        at_s: The moment it happens (a hand arrives, a walk begins) [s].
        by_s: The latest moment it is done [s].
        until_s: Time until which it lasts [s].
        after: Name of a task, of any character, that must be done first.
        goal: Floor point (x, z) [m].
        heading_rad: Where to face at the end.
        via: Floor points to pass on the way.
        path: Floor points to walk along.
        object: The object concerned.
        handle: Which of its handles.
        hand: Which hand, or ``"both"``; the planner chooses unless given.
        fingers: Direction (x, y, z) in the world the fingers point in.
        palm: Direction (x, y, z) in the world the palm faces; with ``fingers`` the hand is turned as wholly given.
        target: An object by name, another character's body part (``"bob.head"``) or a point (x, y, z) [m];
            an object that is put down stands there with its base.
        angle_rad: How far to open; as far as needed unless given.
        hold_s: How long to stay in contact [s].
        style: Name of a clip or manner.
        from_pose: A pose: ``file.bvh@frame``, a pose file or a built-in name; the current one unless given.
        to_pose: A pose.
        pin: Joints that stay where they are.
        falloff_m: How far the posture energy reaches [m].
        limbs: Limbs to free; all unless given.
    """

    character: str
    do: str
    name: str = ""
    at_s: float | None = None
    by_s: float | None = None
    until_s: float | None = None
    after: str = ""
    goal: tuple[float, float] | None = None
    heading_rad: float | None = None
    via: tuple[tuple[float, float], ...] = ()
    path: tuple[tuple[float, float], ...] = ()
    object: str = ""
    handle: str = ""
    hand: Side | Literal["both"] | None = None
    fingers: tuple[float, float, float] | None = None
    palm: tuple[float, float, float] | None = None
    target: Target | None = None
    angle_rad: float | None = None
    hold_s: float | None = None
    style: str = ""
    from_pose: str = ""
    to_pose: str = ""
    pin: tuple[str, ...] = ()
    falloff_m: float | None = None
    limbs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check kind, parameters and values; all faults at once."""
        faults = _parameter_faults(self) or _value_faults(self)
        if faults:
            raise SceneError(
                f"{self.label}: {faults[0]}" if len(faults) == 1 else self.label, faults=faults[1:] and faults
            )

    @property
    def label(self) -> str:
        """What to call this task in a message."""
        return f'task "{self.name}"' if self.name else f'task "{self.do}" of "{self.character}"'

    @property
    def kind(self) -> TaskKind:
        """What this kind of task needs and may have."""
        return KINDS[self.do]

    def given(self) -> dict[str, Any]:
        """The parameters that are set, without character, name and times."""
        values = {item.name: getattr(self, item.name) for item in fields(self) if item.name not in ALWAYS}
        return {name: value for name, value in values.items() if is_set(value)}


def is_set(value: object) -> bool:
    """Whether a field of a task says something; zero does, no text and no entries do not."""
    return value is not None and not (isinstance(value, str | tuple) and not value)


def _parameter_faults(task: Task) -> list[str]:
    if task.do not in KINDS:
        return [f'cannot do "{task.do}"; {nearest_name(task.do, KINDS)}']
    given, kind = task.given(), task.kind
    faults = [
        f'{task.do} does not take "{name}"; {nearest_name(name, kind.allowed)}'
        for name in given
        if name not in kind.allowed
    ]
    faults += [f'{task.do} needs "{name}"' for name in kind.needs if name not in given]
    chosen = [name for name in kind.one_of if name in given]
    if kind.one_of and len(chosen) != 1:
        faults.append(f"{task.do} needs exactly one of {' and '.join(kind.one_of)}; {len(chosen)} are given")
    return faults


def _value_faults(task: Task) -> list[str]:
    faults: list[str] = []

    def check(make: object, *arguments: object) -> None:
        try:
            make(*arguments)  # type: ignore[operator]
        except SceneError as error:
            faults.append(str(error))

    for name in ("at_s", "by_s", "until_s", "heading_rad", "angle_rad", "hold_s", "falloff_m"):
        value = getattr(task, name)
        if value is not None:
            check(finite, value, name)
    for name in ("goal", "via", "path"):
        points = getattr(task, name)
        for point in (points,) if name == "goal" and points is not None else points or ():
            check(_floor_point, point, name)
    if task.target is not None and not isinstance(task.target, str):
        check(vector, task.target, "target")
    for name in ("fingers", "palm"):
        if getattr(task, name) is not None:
            check(direction, getattr(task, name), name)
    if task.hand is not None and task.hand not in (*HANDS, "both"):
        faults.append(f"hand is {task.hand!r}; it must be left or right or both")
    if task.name:
        check(checked_name, task.name, "task")
    faults += _time_faults(task)
    return faults


def _time_faults(task: Task) -> list[str]:
    faults = []
    if task.at_s is not None and task.by_s is not None and task.by_s < task.at_s:
        faults.append(f"happens at {task.at_s:g} s but must be done by {task.by_s:g} s")
    if task.at_s is not None and task.until_s is not None and task.until_s <= task.at_s:
        faults.append(f"begins at {task.at_s:g} s but ends at {task.until_s:g} s")
    return faults


def _floor_point(point: tuple[float, ...], what: str) -> None:
    if len(point) != 2:
        raise SceneError(f"{what} is {point!r}; floor points are two numbers (x, z)")
    for value in point:
        finite(value, what)
