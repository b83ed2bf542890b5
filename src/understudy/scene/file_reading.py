"""From a scene file's values to the parts of a scene; every fault is kept, none stops the reading."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from understudy.core.motion import Motion
from understudy.errors import SceneError, UnderstudyError, nearest_name
from understudy.formats.options import ReadOptions
from understudy.formats.registry import load_motion
from understudy.scene import file_models as models
from understudy.scene.attachments import Attachment, Carry, Grip
from understudy.scene.characters import Character
from understudy.scene.checks import Fault, Parts, Where, faults_of
from understudy.scene.contacts import ContactRule
from understudy.scene.file_entry import Entry
from understudy.scene.file_faults import entry_faults, keys_of, salvaged
from understudy.scene.file_objects import MeshShelf, performed_clip, performed_motion, scene_object
from understudy.scene.file_version import version_fault
from understudy.scene.objects import SceneObject
from understudy.scene.shapes import HalfSpace
from understudy.scene.tasks import KINDS, Task
from understudy.scene.transforms import Transform

Made = TypeVar("Made")
_TABLES: dict[str, type[Entry]] = {
    "object": models.ObjectEntry,
    "character": models.CharacterEntry,
    "task": models.TaskEntry,
    "attachment": models.AttachmentEntry,
    "contact": models.ContactEntry,
}


class Reading:
    """One pass over a file's values.

    Attributes:
        faults: What is wrong, with its place in the file.
        parts: What could be read.
        name: The scene's name.
    """

    def __init__(self, values: dict[str, Any], folder: Path) -> None:
        self.faults: list[Fault] = []
        self._values = values
        self._shelf = MeshShelf(folder)
        self._folder = folder
        self._places: dict[str, list[int]] = {table: [] for table in _TABLES}
        self.name = self._plain("name", "", str)
        floor = self._plain("floor", True, bool)
        fault = version_fault(self._plain("version", 1, int))
        if fault:
            self.faults.append(Fault(fault, ("version",)))
        self._unknown_keys()
        objects = self._table("object", self._object)
        characters = self._table("character", self._character)
        attachments = self._table("attachment", _attachment)
        self.parts = Parts(
            objects=objects,
            characters=characters,
            attachments=attachments,
            tasks=self._table("task", _task),
            contacts=self._table("contact", _contact),
            floor=floor,
            also_known=self._known_names(),
        )
        self._check_placed()
        self.faults += [Fault(one.message, self._in_file(one.where)) for one in faults_of(self.parts)]

    def _plain(self, key: str, default: Made, kind: type[Made]) -> Made:
        value = self._values.get(key, default)
        if isinstance(value, kind):
            return value
        self.faults.append(Fault(f"{key} is {value!r:.60}; it must be a {kind.__name__}", (key,)))
        return default

    def _unknown_keys(self) -> None:
        known = keys_of(models.SceneFile)
        for key in self._values:
            if key not in known:
                self.faults.append(Fault(f'unknown key "{key}"; {nearest_name(key, known)}', (key,)))

    def _table(self, table: str, make: Callable[[Any, Where], Made | None]) -> list[Made]:
        entries = self._values.get(table, [])
        if not isinstance(entries, list):
            self.faults.append(Fault(f"{table} is an array of tables; write [[{table}]] once for each entry", (table,)))
            return []
        made: list[Made] = []
        for n, raw in enumerate(entries):
            before = len(self.faults)
            entry = self._checked(table, n, raw)
            if entry is None:
                continue
            faulty = len(self.faults) > before
            before = len(self.faults)
            try:
                thing = make(entry, (table, n))
            except SceneError as error:
                if faulty:
                    continue
                said = [error.faults[0] if error.faults else str(error)] if len(error.faults) < 2 else error.faults
                label = _label(table, n, raw)
                self.faults += [Fault(_told(label, message), (table, n)) for message in said]
                continue
            if thing is not None and len(self.faults) == before:
                made.append(thing)
                self._places[table].append(n)
        return made

    def _checked(self, table: str, n: int, raw: Any) -> Entry | None:
        label, where = _label(table, n, raw), (table, n)
        if not isinstance(raw, dict):
            self.faults.append(Fault(f"{label}: must be a table of keys", where))
            return None
        model = _TABLES[table]
        if table == "task":
            do = raw.get("do")
            if not isinstance(do, str) or do not in KINDS:
                hint = nearest_name(do if isinstance(do, str) else "", KINDS)
                said = 'needs "do"' if "do" not in raw else f"cannot do {do!r:.60}"
                self.faults.append(Fault(f"{label}: {said}; {hint}", (*where, "do") if "do" in raw else where))
                self._check_performer(raw, label, where)
                return None
            model = models.task_model(do)
        return self._validated(model, raw, label, where)

    def _check_performer(self, raw: dict[str, Any], label: str, where: Where) -> None:
        """A task that cannot be read any further still says whose it is."""
        who, people = raw.get("character"), [one.get("name") for one in self._raw("character")]
        if isinstance(who, str) and who not in people:
            names = [name for name in people if isinstance(name, str)]
            hint = nearest_name(who, names) or "the scene has no characters"
            self.faults.append(Fault(f'{label}: no character "{who}"; {hint}', (*where, "character")))

    def _validated(self, model: type[Entry], raw: Any, label: str, where: Where) -> Entry | None:
        try:
            return model.model_validate(raw)
        except ValidationError as error:
            self.faults += entry_faults(error, model, raw, label=label, where=where)
            rest = salvaged(error, raw) if where[0] in ("task", "character") else None
            return None if rest is None else _valid(model, rest)
        except (OverflowError, RecursionError, ValueError) as error:
            self.faults.append(Fault(f"{label}: {error}", where))
        return None

    def _raw(self, table: str) -> list[dict[str, Any]]:
        """A table's entries as the file has them; anything else counts as an empty entry."""
        entries = self._values.get(table, [])
        return [one if isinstance(one, dict) else {} for one in entries] if isinstance(entries, list) else []

    def _known_names(self) -> dict[str, list[str]]:
        """Names of faulty entries, so that what refers to them is not at fault as well."""
        names: dict[str, list[str]] = {"object": [], "character": [], "task": []}
        for table in names:
            for n, raw in enumerate(self._raw(table)):
                name = raw.get("name")
                if isinstance(name, str) and n not in self._places[table]:
                    names[table].append(name)
        return names

    def _in_file(self, where: Where) -> Where:
        """A place among the parts that could be read, as a place in the file."""
        table, n = where[0], where[1]
        return (table, self._places[str(table)][int(n)], *where[2:])

    def _object(self, entry: models.ObjectEntry, where: Where) -> SceneObject | None:
        thing, faults = scene_object(entry, self._shelf, where)
        self.faults += [Fault(_told(f'object "{entry.name}"', one.message), one.where) for one in faults]
        return thing

    def _character(self, entry: models.CharacterEntry, where: Where) -> Character | None:
        motion = self._motion(entry, where)
        library = ""
        if entry.library is not None:
            path = self._folder / entry.library
            library = _resolved(path)
            if not _is_file(path):
                self._no_file(entry, "library", path, where)
        return Character(
            name=entry.name,
            motion=motion,
            motion_file=_resolved(self._folder / entry.motion) if isinstance(entry.motion, str) else "",
            performed=performed_clip(entry.motion),
            library=library,
            start=entry.start,
            heading_rad=None if entry.heading_deg is None else math.radians(entry.heading_deg),
            start_s=entry.from_,
            carry=tuple(
                Carry(object=one.object, hand=one.hand, until_s=_time(one.until, math.inf), grip=_grip(one.grip))
                for one in entry.carry
            ),
        )

    def _motion(self, entry: models.CharacterEntry, where: Where) -> Motion | None:
        if entry.motion is None:
            return None
        wanted = performed_clip(entry.motion)
        if wanted is not None:
            try:
                return performed_motion(wanted)
            except UnderstudyError as error:
                self.faults.append(Fault(f'character "{entry.name}": {error}', (*where, "motion")))
                return None
        path = self._folder / str(entry.motion)
        if not _is_file(path):
            self._no_file(entry, "motion", path, where)
            return None
        try:
            # Its objects were measured with the heights in the file.
            return load_motion(path, options=ReadOptions(ground="keep"))
        except UnderstudyError as error:
            self.faults.append(Fault(f'character "{entry.name}": {error}', (*where, "motion")))
            return None

    def _no_file(self, entry: models.CharacterEntry, key: str, path: Path, where: Where) -> None:
        self.faults.append(Fault(f'character "{entry.name}": {key} "{path}": no such file', (*where, key)))

    def _check_placed(self) -> None:
        """An object must be somewhere: standing, moving, swinging, or put into a hand by a known grip."""
        # As the file has them: a fault elsewhere in the entry that holds an object is not the object's.
        people = [one.get("carry") for one in self._raw("character")]
        carries = [one for carry in people if isinstance(carry, list) for one in carry if isinstance(one, dict)]
        given = [one for one in self._raw("attachment") if "grip" in one]
        held = [one.get("object") for one in (*carries, *given) if one.get("grip") != "as_is"]
        for thing, n in zip(self.parts.objects, self._places["object"], strict=True):
            said = any(key in self._values["object"][n] for key in ("at", "track", "hinge"))
            if not said and thing.name not in held and not isinstance(thing.shape, HalfSpace):
                message = f'object "{thing.name}": is nowhere; give it "at", a track or a hinge, or let it be carried'
                self.faults.append(Fault(message, ("object", n)))


def _valid(model: type[Entry], raw: Any) -> Entry | None:
    try:
        return model.model_validate(raw)
    except ValidationError:
        return None


def _attachment(entry: models.AttachmentEntry, where: Where) -> Attachment:
    return Attachment(
        object=entry.object,
        to=entry.to,
        start_s=entry.from_,
        end_s=_time(entry.until, math.inf),
        grip=_grip(entry.grip),
        release=entry.release,
    )


def _contact(entry: models.ContactEntry, where: Where) -> ContactRule:
    return ContactRule(
        a=entry.a,
        b=entry.b,
        start_s=_time(entry.from_, -math.inf),
        end_s=_time(entry.until, math.inf),
        max_depth_m=_time(entry.depth, math.nan),
    )


def _task(entry: Any, where: Where) -> Task:
    given = {name: getattr(entry, key) for name, key in models.TASK_KEYS.items()}
    given |= {name: getattr(entry, name) for name in models.PARAMETERS if name in type(entry).model_fields}
    for name in ("heading_rad", "angle_rad"):
        if given.get(name) is not None:
            given[name] = math.radians(given[name])
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    named: dict[str, Any] = {name: value for name, value in values.items() if value is not None}
    return Task(character=entry.character, do=entry.do, **named)


def _grip(entry: models.GripEntry | str) -> Grip:
    if isinstance(entry, models.GripEntry):
        return Transform(position=entry.at, rotation=entry.rotation)
    return "in_hand" if entry == "in_hand" else "as_is"


def _time(value: float | None, otherwise: float) -> float:
    return otherwise if value is None else value


def _label(table: str, n: int, raw: Any) -> str:
    name = raw.get("name") if isinstance(raw, dict) else None
    return f'{table} "{name}"' if isinstance(name, str) and name else f"{table} {n + 1}"


def _told(label: str, message: str) -> str:
    return message if message.startswith((label, label.split(" ")[0])) else f"{label}: {message}"


def _resolved(path: Path) -> str:
    """A path as the system has it; names that no file can have stay as they are."""
    try:
        return str(path.resolve())
    except ValueError:
        return str(path)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long, or with a null character
        return False
