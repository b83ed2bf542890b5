"""Small FBX files for tests, spelled by hand: version 7 as records in binary or text, version 6 as text."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from understudy.formats.fbx.encode import encoded, record
from understudy.formats.fbx.records import Record

TICKS = 46_186_158_000
AXES = {"UpAxis": 1, "UpAxisSign": 1, "FrontAxis": 2, "FrontAxisSign": 1, "CoordAxis": 0, "CoordAxisSign": 1}


class FbxFile:
    """A version 7 file in the making; every method returns the new object's number."""

    def __init__(self, **settings: float) -> None:
        self.objects: list[Record] = []
        self.links: list[Record] = []
        self.settings: dict[str, float] = {**AXES, "UnitScaleFactor": 1.0, "TimeMode": 6, **settings}

    def add(self, kind: str, name: str, subclass: str = "", children: Sequence[Record] = ()) -> int:
        """Any object."""
        number = len(self.objects) + 1
        self.objects.append(record(kind, np.int64(number), f"{name}\0\x01{kind}", subclass, children=list(children)))
        return number

    def link(self, source: int, target: int, name: str = "") -> None:
        """A connection."""
        kind = ("OP",) if name else ("OO",)
        self.links.append(record("C", *kind, np.int64(source), np.int64(target), *([name] if name else [])))

    def model(self, name: str, subclass: str = "LimbNode", parent: int = 0, **properties: Any) -> int:
        """A model; underscores in names of properties are spaces."""
        number = self.add("Model", name, subclass, [given(properties)])
        self.link(number, parent)
        return number

    def layer(self, stack: int, **properties: Any) -> int:
        """A layer of a stack."""
        number = self.add("AnimationLayer", "layer", "", [given(properties)])
        self.link(number, stack)
        return number

    def stack(self, name: str, **properties: Any) -> int:
        """A take."""
        return self.add("AnimationStack", name, "", [given(properties)])

    def keys(self, layer: int, model: int, name: str, axis: str, times_s: Any, values: Any, **more: Any) -> None:
        """A curve of one axis of a property; ``more``: flags (one), data (four numbers)."""
        node = self.add("AnimationCurveNode", name, "", [given({f"d|{axis}": float(values[0])})])
        self.link(node, layer)
        self.link(node, model, name)
        children = [
            record("KeyTime", np.array(np.rint(np.array(times_s) * TICKS), dtype=np.int64)),
            record("KeyValueFloat", np.array(values, dtype="<f4")),
            record("KeyAttrFlags", np.array([more.get("flags", 0x4)], dtype="<i4")),
            record("KeyAttrDataFloat", np.array(more.get("data", (0.0, 0.0, 0.0, 0.0)), dtype="<f4")),
            record("KeyAttrRefCount", np.array([len(times_s)], dtype="<i4")),
            *more.get("children", ()),
        ]
        curve = self.add("AnimationCurve", "", "", children)
        self.link(curve, node, f"d|{axis}")

    def with_mesh(self, name: str, vertices: np.ndarray, faces: np.ndarray, **properties: Any) -> FbxFile:
        """The file with a model that has a mesh of triangles."""
        corners = faces.astype("<i4").copy()
        corners[:, 2] = ~corners[:, 2]
        shape = [
            record("Vertices", vertices.astype("<f8").reshape(-1)),
            record("PolygonVertexIndex", corners.reshape(-1)),
        ]
        self.link(self.add("Geometry", name, "Mesh", shape), self.model(name, "Mesh", **properties))
        return self

    def records(self) -> list[Record]:
        """The whole file."""
        head = [record("FBXHeaderVersion", 1003), record("FBXVersion", 7400)]
        return [
            record("FBXHeaderExtension", children=head),
            record("GlobalSettings", children=[given(self.settings)]),
            record("Objects", children=self.objects),
            record("Connections", children=self.links),
        ]

    def write(self, path: Path) -> Path:
        """Write it; ``.fbx`` binary."""
        path.write_bytes(encoded(self.records()))
        return path

    def write_text(self, path: Path) -> Path:
        """Write it as text."""
        path.write_text("; FBX 7.4.0 project file\n" + "".join(map(spelled, self.records())), encoding="utf-8")
        return path


def given(properties: dict[str, Any]) -> Record:
    """Properties; tuples are several values."""
    listed = []
    for name, value in properties.items():
        values = value if isinstance(value, tuple) else (value,)
        listed.append(record("P", name.replace("_", " "), "", "", "", *values))
    return record("Properties70", children=listed)


def spelled(one: Record, depth: int = 0) -> str:
    """A record as text."""
    indent = "\t" * depth
    if one.values and isinstance(one.values[0], np.ndarray):
        values = one.values[0]
        # Text files spell the bits of these numbers.
        shown = values.view("<i4") if one.name == "KeyAttrDataFloat" else values
        numbers = ",".join(repr(value) for value in shown.tolist())
        return f"{indent}{one.name}: *{len(shown)} {{\n{indent}\ta: {numbers}\n{indent}}}\n"
    words = []
    for value in one.values:
        if isinstance(value, str):
            name, divider, kind = value.partition("\0\x01")
            words.append('"' + (f"{kind}::{name}" if divider else name).replace('"', "&quot;") + '"')
        else:
            words.append(str(value))
    inner = "".join(spelled(child, depth + 1) for child in one.children)
    body = f" {{\n{inner}{indent}}}" if one.children else ""
    return f"{indent}{one.name}: {', '.join(words)}{body}\n"


def old_text(models: Sequence[tuple[str, str, str, dict[str, str]]], take: str) -> str:
    """A version 6 text file: models as name, subclass, parent, properties; and what its take holds."""
    objects = "".join(
        f'\tModel: "Model::{name}", "{subclass}" {{\n\t\tProperties60: {{\n'
        + "".join(f'\t\t\tProperty: "{key}", "", "A",{value}\n' for key, value in properties.items())
        + "\t\t}\n\t}\n"
        for name, subclass, _, properties in models
    )
    links = "".join(f'\tConnect: "OO", "Model::{name}", "Model::{parent}"\n' for name, _, parent, _ in models)
    return (
        "; FBX 6.1.0 project file\nFBXHeaderExtension: {\n\tFBXVersion: 6100\n}\n"
        f"Objects: {{\n{objects}}}\nConnections: {{\n{links}}}\n"
        f'Takes: {{\n\tTake: "one" {{\n{take}\n\t}}\n}}\nVersion5: {{\n\tSettings: {{\n\t\tFrameRate: "25"\n\t}}\n}}\n'
    )


def big_endian(path: Path, name: str, value: float) -> Path:
    """A big-endian file of one record with one number."""
    body = b"D" + struct.pack(">d", value)
    head = 27 + 13 + len(name) + len(body)
    content = struct.pack(">IIIB", head, 1, len(body), len(name)) + name.encode() + body
    path.write_bytes(b"Kaydara FBX Binary  \0\x1a\x01" + struct.pack(">I", 7400) + content + b"\0" * 13)
    return path
