"""The objects of an FBX file, their properties and connections; versions 6 and 7 look alike from here on.

Version 6 files know objects by their names, version 7 files by numbers. In version 6 a model holds its own geometry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from understudy import rotations as rot
from understudy.formats.fbx.binary import MAGIC, parse_binary
from understudy.formats.fbx.records import MalformedError, Record
from understudy.formats.fbx.text import parse_text
from understudy.typing import FloatArray

Properties = Mapping[str, tuple[Any, ...]]

#: Time mode -> frames per second, as numbered in the format; 0 is the default rate, 14 a rate of one's own.
_RATES = {
    **{0: 30.0, 1: 120.0, 2: 100.0, 3: 60.0, 4: 50.0, 5: 48.0, 6: 30.0, 7: 30.0, 8: 30000 / 1001, 9: 30000 / 1001},
    **{10: 25.0, 11: 24.0, 12: 1000.0, 13: 24000 / 1001, 15: 96.0, 16: 72.0, 17: 60000 / 1001, 18: 120000 / 1001},
}
#: Ticks per second; files may say that theirs are of the second kind.
_TICKS, _NEW_TICKS = 46_186_158_000, 141_120_000


@dataclass(eq=False, slots=True)
class FbxObject:
    """One object of the file.

    Attributes:
        key: What connections call it.
        kind: Its class, such as ``"Model"``.
        name: Without its class.
        type: Its subclass, such as ``"LimbNode"``.
        record: Where it stands in the file.
        properties: Property -> values, those of its template included.
    """

    key: Any
    kind: str
    name: str
    type: str
    record: Record
    properties: Properties

    def vector(self, name: str, default: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> FloatArray:
        """A property of three finite numbers."""
        values = self.properties.get(name, ())
        if len(values) < 3 or not all(isinstance(one, int | float) and abs(one) < 1e30 for one in values[:3]):
            return np.array(default)
        return np.array(values[:3], dtype=np.float64)

    def number(self, name: str, default: float = 0.0) -> float:
        """A property of one finite number."""
        value = next(iter(self.properties.get(name, ())), default)
        return float(value) if isinstance(value, int | float) and abs(value) < 1e30 else default


@dataclass(eq=False)
class FbxScene:
    """A whole file.

    Attributes:
        root: The records.
        version: Such as 7400.
        objects: Key -> object.
        below: Key -> ``(key of what is connected to it, property)``.
        above: Key -> ``(key of what it is connected to, property)``.
        settings: Global settings.
        ticks: Of time per second.
    """

    root: Record
    version: int
    objects: dict[Any, FbxObject] = field(default_factory=dict)
    below: dict[Any, list[tuple[Any, str]]] = field(default_factory=dict)
    above: dict[Any, list[tuple[Any, str]]] = field(default_factory=dict)
    settings: FbxObject = field(default_factory=lambda: FbxObject(None, "", "", "", Record(""), {}))
    ticks: int = _TICKS

    def of_kind(self, kind: str) -> list[FbxObject]:
        """Every object of a class, in file order."""
        return [one for one in self.objects.values() if one.kind == kind]

    def sources(self, key: Any, kind: str) -> list[FbxObject]:
        """Objects of a class that are connected to ``key``."""
        found = [self.objects[one] for one, _ in self.below.get(key, ()) if one in self.objects]
        return [one for one in found if one.kind == kind]

    @property
    def fps(self) -> float:
        """The frame rate that the file declares."""
        own = self.settings.number("CustomFrameRate", -1.0)
        mode = int(self.settings.number("TimeMode", -1.0))
        if mode < 0:
            said = self.root.child("Version5").child("Settings").child("FrameRate")
            own, mode = float(said.text()) if said.text().replace(".", "", 1).isdigit() else said.number(), 14
        rate = own if mode == 14 else _RATES.get(mode, 30.0)
        return rate if 0.1 <= rate <= 1000.0 else 30.0

    @property
    def unit_m(self) -> float:
        """Metres per unit."""
        unit = self.settings.number("UnitScaleFactor", 1.0)
        return 0.01 * unit if 1e-9 < unit < 1e9 else 0.01

    @property
    def turn(self) -> FloatArray:
        """Rotation from the file's axes to Y up, +Z forward."""
        rows = np.zeros((3, 3))
        for row, (name, usual) in enumerate((("Coord", 0), ("Up", 1), ("Front", 2))):
            axis = int(self.settings.number(f"{name}Axis", usual))
            rows[row, axis if 0 <= axis < 3 else usual] = (
                -1.0 if self.settings.number(f"{name}AxisSign", 1.0) < 0 else 1
            )
        rows[0] = np.cross(rows[1], rows[2])
        return rot.from_matrix(rows) if np.linalg.det(rows) > 0.5 else rot.identity()


def load_scene(data: bytes) -> FbxScene:
    """Read a file's objects.

    Raises:
        MalformedError: It is no FBX file, or a version that is not read.
    """
    version, root = parse_binary(data) if data.startswith(MAGIC) else parse_text(data)
    if not 6000 <= version < 8000:
        raise MalformedError(f"FBX version {version}; versions 6000 to 7700 are read")
    scene = FbxScene(root, version)
    header = root.child("FBXHeaderExtension")
    definition = header.child("OtherFlags").child("TCDefinition")
    if header.child("FBXHeaderVersion").number() >= 1004 and definition.values:
        scene.ticks = _TICKS if definition.number() == 127 else _NEW_TICKS
    templates = {
        entry.text(): _properties(entry.child("PropertyTemplate"))
        for entry in root.child("Definitions").all("ObjectType")
    }
    for record in [one for part in root.all("Objects") for one in part.children]:
        made = _object(record, version, templates)
        scene.objects.setdefault(made.key, made)
        if made.kind == "GlobalSettings":
            scene.settings = made
    for record in root.all("GlobalSettings"):
        scene.settings = FbxObject(None, "GlobalSettings", "", "", record, _properties(record))
    for part in root.all("Connections"):
        for record in part.children:
            if len(record.values) >= 3:
                _kind, source, target, *rest = record.values
                name = rest[0] if rest and isinstance(rest[0], str) else ""
                scene.below.setdefault(_hashed(target), []).append((_hashed(source), name))
                scene.above.setdefault(_hashed(source), []).append((_hashed(target), name))
    return scene


def _hashed(key: Any) -> Any:
    return key if isinstance(key, int | str) else repr(key)


def _object(record: Record, version: int, templates: Mapping[str, Properties]) -> FbxObject:
    texts = [one for one in record.values if isinstance(one, str)]
    label, kind_of = (texts[0] if texts else ""), (texts[1] if len(texts) > 1 else "")
    key = record.values[0] if version >= 7000 and record.values else label
    _, divider, name = label.partition("::")
    own = {**templates.get(record.name, {}), **_properties(record)}
    return FbxObject(_hashed(key), record.name, name if divider else label, kind_of, record, own)


def _properties(record: Record) -> Properties:
    found: dict[str, tuple[Any, ...]] = {}
    for listed, skipped in (("Properties60", 3), ("Properties70", 4)):
        for entry in record.child(listed).children:
            if len(entry.values) > skipped:
                found[entry.text()] = tuple(entry.values[skipped:])
    return found
