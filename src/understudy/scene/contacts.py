"""Contacts a scene allows: what may touch what, and when. Nothing else may; nothing is guessed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from understudy.errors import SceneError
from understudy.scene.attachments import HANDS
from understudy.scene.body_parts import part_name
from understudy.scene.shapes import HalfSpace, Shape
from understudy.scene.tessellation import triangles_of

if TYPE_CHECKING:
    from understudy.scene.scene import Scene
    from understudy.scene.tasks import Task

#: The name of the ground, the plane y = 0, in rules and reports.
FLOOR = "floor"

#: [m] how deep a sole may sink into the floor before it counts as penetration.
SOLE_DEPTH_M = 0.03

#: [m] how deep a hand may sink into an object it holds or touches; how deep any other intended contact may be.
HAND_DEPTH_M, TOUCH_DEPTH_M = 0.005, 0.002

#: [m] how thick a hand is. It closes around what is no thicker, such as a shaft or a handle; that lies in the fist.
FIST_M = 0.05

#: [m] no contact may be claimed to be deeper.
DEEPEST_M = SOLE_DEPTH_M

#: Why a contact is allowed that a scene or a caller declares: what planners claim follows from something.
DECLARED = "declared"

_HAND_PARTS = ("left_hand", "right_hand")
_SOLES = ("left_foot", "left_toes", "right_foot", "right_toes")

#: Tasks in which a hand is meant to touch the object.
_HAND_TASKS = (
    "grab",
    "drop",
    "place",
    "put_back",
    "carry",
    "touch",
    "reach",
    "open_door",
    "displace",
    "action",
    "pour",
    "press",
)


@dataclass(frozen=True, kw_only=True)
class ContactRule:
    """``a`` and ``b`` may touch between two times.

    A name is an object, a character with all its parts (``"anna"``), a part of a character's body as bodies name
    their capsules (``"anna.right_hand"``), or the ``"floor"``.

    Attributes:
        a: One side.
        b: The other side; the order does not matter.
        start_s: From when [s].
        end_s: Until when [s].
        max_depth_m: How deep the two may overlap [m]; unless given, 5 mm where a hand takes part and 2 mm elsewhere.
        why: What the rule follows from, for reports.
    """

    a: str
    b: str
    start_s: float = -math.inf
    end_s: float = math.inf
    max_depth_m: float = math.nan
    why: str = DECLARED

    def __post_init__(self) -> None:
        """Check interval and depth; write body parts in one way."""
        what = f'contact of "{self.a}" and "{self.b}"'
        if not self.start_s <= self.end_s:
            raise SceneError(
                f"{what}: lasts from {self.start_s:g} s to {self.end_s:g} s; the end must not come before the start"
            )
        if math.isnan(self.max_depth_m):
            object.__setattr__(self, "max_depth_m", HAND_DEPTH_M if self.by_hand else TOUCH_DEPTH_M)
        if not self.max_depth_m >= 0:
            raise SceneError(f"{what}: depth is {self.max_depth_m:g} m; it must not be negative")
        object.__setattr__(self, "a", _canonical(self.a))
        object.__setattr__(self, "b", _canonical(self.b))

    @property
    def claimed(self) -> bool:
        """Whether somebody who made a motion says that the two touch; a caller only says that they may."""
        return self.why != DECLARED

    @property
    def by_hand(self) -> bool:
        """Whether a hand takes part."""
        return any(name.rpartition(".")[2] in _HAND_PARTS for name in (_canonical(self.a), _canonical(self.b)))

    def covers(self, a: str, b: str) -> bool:
        """Whether the rule speaks of these two, in either order."""
        a, b = _canonical(a), _canonical(b)
        return (_within(a, self.a) and _within(b, self.b)) or (_within(a, self.b) and _within(b, self.a))

    def allows(self, a: str, b: str, time_s: float) -> bool:
        """Whether ``a`` and ``b`` may touch at a time."""
        return self.start_s <= time_s <= self.end_s and self.covers(a, b)


def sole_rules(character: str, depth_m: float = SOLE_DEPTH_M) -> tuple[ContactRule, ...]:
    """The soles of a character on the floor; without a name, of whoever is there."""
    who = f"{character}." if character else ""
    return tuple(
        ContactRule(a=f"{who}{sole}", b=FLOOR, max_depth_m=depth_m, why="stands on the floor") for sole in _SOLES
    )


def contact_rules(scene: Scene, *, soles: bool = True) -> tuple[ContactRule, ...]:
    """Every contact a scene allows: declared, and implied by its floor, attachments and tasks.

    - The soles of every character on the floor, to a depth of 3 cm; not with ``soles=False``.
    - A held object and its holder while it is held: a shaft that is held from the beginning lies in the fist. What is
      fixed to another object from the beginning is a part of it.
    - The hand and the object of a task that touches it (either hand when the task leaves it open), from the
      task's ``at`` to its ``until`` where they are given and at all times where they are not: a planner that knows
      the times says so with attachments and declared rules of its own.
    - The object of ``place`` or ``displace`` and the object it is put on.
    """
    rules = list(scene.allowed_contacts)
    if scene.floor and soles:
        rules += [rule for person in scene.characters for rule in sole_rules(person.name)]
    for hold in scene.holds:
        owner, _, part = hold.to.partition(".")
        holders = [f"{owner}.{name}" for name in scene.character(owner).parts_on(part)] if part else [owner]
        # What is fixed to another object from the beginning is a part of it, and a hand has closed around a shaft. What
        # is taken or put somewhere later touches as other things do.
        given = (_fist_m(scene.object(hold.object).shape) if part else math.inf) if hold.start_s <= 0.0 else math.nan
        rules += [
            ContactRule(
                a=hold.object,
                b=holder,
                start_s=hold.start_s,
                end_s=hold.end_s,
                max_depth_m=given,
                why="is held" if part or hold.start_s > 0.0 else "is a part of it",
            )
            for holder in holders
        ]
    for task in scene.tasks:
        rules += _task_rules(task)
    return tuple(rules)


def _fist_m(shape: Shape) -> float:
    """How deep something may be in the hand that has closed around it [m]; no number where no hand can."""
    if isinstance(shape, HalfSpace):
        return math.nan
    thick_m = float(np.sort(np.ptp(triangles_of(shape)[0], axis=0))[1])
    return FIST_M if thick_m <= FIST_M + 1e-9 else math.nan


def _task_rules(task: Task) -> Iterator[ContactRule]:
    if task.do not in _HAND_TASKS and task.do != "sit" and task.do != "kick":
        return
    # A grabbed object stays in the hand: only a later task or an attachment says until when.
    start = -math.inf if task.at_s is None else task.at_s
    end = math.inf if task.until_s is None or task.at_s is None else task.until_s
    if task.do == "touch" and task.at_s is not None and task.until_s is None and task.hold_s is not None:
        end = task.at_s + task.hold_s
    touched = [name for name in (task.object, task.target) if isinstance(name, str) and name]
    if task.do in ("place", "displace") and len(touched) == 2:
        yield ContactRule(a=touched[0], b=touched[1], start_s=start, end_s=end, why=task.label)
        touched = touched[:1]
    if task.do == "pour":
        touched = touched[:1] if task.object else []
    for name in touched:
        for part in _parts(task):
            yield ContactRule(a=f"{task.character}.{part}", b=name, start_s=start, end_s=end, why=task.label)


def _parts(task: Task) -> tuple[str, ...]:
    if task.do == "kick":
        return _SOLES
    if task.do == "sit":
        return ("pelvis", "left_thigh", "right_thigh")
    return tuple(f"{side}_hand" for side in (HANDS if task.hand in (None, "both") else (task.hand,)))


@lru_cache(maxsize=4096)
def _canonical(name: str) -> str:
    owner, dot, part = name.partition(".")
    return f"{owner}{dot}{part_name(part)}"


def _within(name: str, of: str) -> bool:
    return name == of or name.startswith(f"{of}.")
