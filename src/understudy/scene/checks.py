"""Everything that can be wrong between the parts of a scene, all found at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from understudy.errors import SceneError, nearest_name
from understudy.scene.attachments import Attachment
from understudy.scene.body_parts import PARTS, joint_index, part_name
from understudy.scene.characters import Character
from understudy.scene.contacts import FLOOR, ContactRule
from understudy.scene.holds import Hold, all_holds
from understudy.scene.objects import SceneObject
from understudy.scene.placements import Hinge
from understudy.scene.tasks import Task

#: Where a fault lies: ``("task", 2, "object")`` is the object of the third task.
Where: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong, and where."""

    message: str
    where: Where


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The parts of a scene before they are known to fit together.

    Attributes:
        objects: In order.
        characters: In order.
        attachments: In order.
        tasks: In order.
        contacts: In order.
        floor: Whether the ground is there.
        also_known: Table -> names that exist although their entry is faulty, so that one fault does not cause others.
    """

    objects: Sequence[SceneObject] = ()
    characters: Sequence[Character] = ()
    attachments: Sequence[Attachment] = ()
    tasks: Sequence[Task] = ()
    contacts: Sequence[ContactRule] = ()
    floor: bool = True
    also_known: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def names(self, table: str) -> list[str]:
        """Every name of objects, characters or tasks, once, also of faulty entries."""
        own = {
            "object": [thing.name for thing in self.objects],
            "character": [person.name for person in self.characters],
            "task": [task.name for task in self.tasks if task.name],
        }[table]
        return list(dict.fromkeys([*own, *self.also_known.get(table, ())]))

    def object_named(self, name: str) -> SceneObject | None:
        """The object, when there is a faultless one of that name."""
        return next((thing for thing in self.objects if thing.name == name), None)

    def character_named(self, name: str) -> Character | None:
        """The character, when there is a faultless one of that name."""
        return next((person for person in self.characters if person.name == name), None)


def faults_of(parts: Parts) -> list[Fault]:
    """All faults, in no particular order."""
    found = [*_name_faults(parts), *_reference_faults(parts), *_task_faults(parts)]
    # Overlaps and cycles only make sense between things that exist.
    holds = [hold for hold in all_holds(parts.attachments, parts.characters) if not list(_hold_faults(parts, hold))]
    found += [*_overlaps(holds), *_cycles(holds), *_order_faults(parts)]
    return found


def _name_faults(parts: Parts) -> Iterator[Fault]:
    seen: dict[str, str] = {FLOOR: "the ground"} if parts.floor else {}
    tables = {"object": [thing.name for thing in parts.objects], "character": [one.name for one in parts.characters]}
    for table, names in tables.items():
        for n, name in enumerate(names):
            if name in seen:
                yield Fault(f'{table} "{name}": the name is already used by {seen[name]}', (table, n, "name"))
            seen.setdefault(name, f"another {table}")
    named: set[str] = set()
    for n, task in enumerate(parts.tasks):
        if task.name and task.name in named:
            yield Fault(f'task "{task.name}": the name is already used by another task', ("task", n, "name"))
        named.add(task.name)


def _reference_faults(parts: Parts) -> Iterator[Fault]:
    for hold in all_holds(parts.attachments, parts.characters):
        yield from _hold_faults(parts, hold)
    for n, rule in enumerate(parts.contacts):
        for side in ("a", "b"):
            message = _thing_fault(parts, getattr(rule, side))
            if message:
                yield Fault(f"contact: {message}", ("contact", n, side))


def _hold_faults(parts: Parts, hold: Hold) -> Iterator[Fault]:
    carried = "carry" in hold.source
    what = f'character "{hold.to.partition(".")[0]}": carry' if carried else "attachment"
    message = _object_fault(parts, hold.object)
    if message:
        yield Fault(f"{what}: {message}", (*hold.source, "object"))
    if hold.object == hold.to:
        yield Fault(f'{what}: "{hold.object}" cannot hold itself', (*hold.source, "to"))
    elif not carried:
        message = _thing_fault(parts, hold.to)
        if not message and hold.to in (FLOOR, *(person.name for person in parts.characters)):
            message = f'"{hold.to}" cannot hold anything; name a joint as "anna.right_hand", or an object'
        if message:
            yield Fault(f"{what}: {message}", (*hold.source, "to"))
        elif hold.grip == "in_hand" and "." not in hold.to:
            yield Fault(f'{what}: grip "in_hand" needs a hand; "{hold.to}" is an object', (*hold.source, "grip"))
    else:
        message = _thing_fault(parts, hold.to)
        if message:
            yield Fault(f"{what}: {message}", (*hold.source, "hand"))


def _object_fault(parts: Parts, name: str) -> str:
    names = parts.names("object")
    if name in names:
        return ""
    return f'no object "{name}"; {nearest_name(name, names) or "the scene has no objects"}'


def _thing_fault(parts: Parts, name: str) -> str:
    """What is wrong with a name of an object, a character, one of its parts, or the floor."""
    owner, dot, part = name.partition(".")
    people = parts.names("character")
    if not dot:
        known = [*parts.names("object"), *people, *([FLOOR] if parts.floor else [])]
        if name in known:
            return ""
        return f'nothing is called "{name}"; {nearest_name(name, known)}'
    if owner not in people:
        return f'no character "{owner}"; {nearest_name(owner, people) or "the scene has no characters"}'
    person = parts.character_named(owner)
    return _part_fault(person, part) if person is not None else ""


def _part_fault(person: Character, part: str) -> str:
    if person.library or (part_name(part) in PARTS and person.motion is None):
        return ""
    if person.motion is None:
        return f'"{person.name}" has no part "{part}"; {nearest_name(part, PARTS)}'
    if part in person.fitted_body.capsule_names or part_name(part) in person.fitted_body.capsule_names:
        return ""
    try:
        joint_index(person.motion.skeleton, part)
    except SceneError as error:
        return f'character "{person.name}": {error}'
    return ""


def _task_faults(parts: Parts) -> Iterator[Fault]:
    people, names = parts.names("character"), parts.names("task")
    for n, task in enumerate(parts.tasks):
        if task.character not in people:
            hint = nearest_name(task.character, people) or "the scene has no characters"
            yield Fault(f'{task.label}: no character "{task.character}"; {hint}', ("task", n, "character"))
        for key in ("object", "target"):
            name = getattr(task, key)
            if not isinstance(name, str) or not name:
                continue
            on_body = key == "target" and "." in name
            message = _thing_fault(parts, name) if on_body else _object_fault(parts, name)
            if message:
                yield Fault(f"{task.label}: {message}", ("task", n, key))
        if task.after and task.after not in names:
            hint = nearest_name(task.after, names) or "no task has a name"
            yield Fault(f'{task.label}: no task "{task.after}" to come after; {hint}', ("task", n, "after"))
        thing = parts.object_named(task.object) if task.object else None
        if thing is not None:
            yield from _object_task_faults(task, n, thing)


def _object_task_faults(task: Task, n: int, thing: SceneObject) -> Iterator[Fault]:
    if task.handle:
        try:
            thing.handle(task.handle)
        except SceneError as error:
            yield Fault(f"{task.label}: {error}", ("task", n, "handle"))
    if task.do != "open_door":
        return
    if not isinstance(thing.placement, Hinge):
        yield Fault(f'{task.label}: object "{thing.name}" has no hinge to open', ("task", n, "object"))
    elif task.angle_rad is not None:
        low, high = thing.placement.range_rad
        if not low - 1e-9 <= task.angle_rad <= high + 1e-9:
            yield Fault(f'{task.label}: the angle is outside the range of "{thing.name}"', ("task", n, "angle_deg"))


def _overlaps(holds: Sequence[Hold]) -> Iterator[Fault]:
    last: dict[str, Hold] = {}
    for hold in holds:
        before = last.get(hold.object)
        if before is not None and hold.start_s < before.end_s:
            yield Fault(
                f'"{hold.object}" is held by "{before.to}" and by "{hold.to}" at the same time '
                f"({max(hold.start_s, before.start_s):g} s)",
                hold.source,
            )
        if before is None or hold.end_s > before.end_s:
            last[hold.object] = hold


def _cycles(holds: Sequence[Hold]) -> Iterator[Fault]:
    """Rings of things that hold each other, looked for in every stretch of time between two changes."""
    found: set[frozenset[str]] = set()
    for now in {hold.start_s for hold in holds}:
        holder = {hold.object: hold for hold in holds if hold.start_s <= now < hold.end_s}
        for first in holder:
            ring: list[str] = []
            name = first
            while name in holder and name not in ring:
                ring.append(name)
                name = holder[name].to
            if name == first and frozenset(ring) not in found:
                found.add(frozenset(ring))
                chain = " -> ".join(f'"{link}"' for link in [*ring, first])
                yield Fault(f"attachments run in a circle: {chain}", holder[first].source)


def _order_faults(parts: Parts) -> Iterator[Fault]:
    """Tasks that wait for each other: after a later task of the same character, or in a ring."""
    index = {task.name: n for n, task in enumerate(parts.tasks) if task.name}
    previous: dict[str, int] = {}
    waits: list[list[int]] = []
    for n, task in enumerate(parts.tasks):
        before = [previous[task.character]] if task.character in previous else []
        waits.append(before + ([index[task.after]] if task.after in index else []))
        previous[task.character] = n
    done: set[int] = set()
    while ready := {n for n in range(len(waits)) if n not in done and done.issuperset(waits[n])}:
        done |= ready
    for n, task in enumerate(parts.tasks):
        if n not in done and task.after in index and index[task.after] not in done:
            yield Fault(
                f'{task.label}: can never begin: "after" and the order of tasks run in a circle', ("task", n, "after")
            )
