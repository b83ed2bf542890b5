"""Damaged glTF files: one clear error, never another exception, never much memory."""

from __future__ import annotations

import copy
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.gltf_tools import edited
from people import person, wander
from understudy.core import Skeleton
from understudy.errors import FormatError, UnderstudyError
from understudy.formats import load_motions, save_motion
from understudy.formats.glb_rig import load_rig, write_rig
from understudy.formats.gltf_document import load_document, packed_glb

Json = dict[str, Any]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    skeleton = Skeleton(names=("a", "b", "c"), parents=np.array([-1, 0, 1]), offsets=np.eye(3))
    return save_motion(wander(skeleton, frames=4), tmp_path_factory.mktemp("damage") / "small.glb")


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_motion(wander(person(), frames=4), tmp_path_factory.mktemp("damage") / "own.glb")


def read_or_refuse(path: Path) -> None:
    try:
        load_motions(path)
    except UnderstudyError as error:
        assert isinstance(error, FormatError), error
        assert "\n" not in str(error)
        assert str(path) in str(error)


CHANGES: dict[str, Any] = {
    "cycle": lambda r: r["nodes"][2].update(children=[0]),
    "own child": lambda r: r["nodes"][1].update(children=[1]),
    "two parents": lambda r: r["nodes"][0].update(children=[1, 2]),
    "huge count": lambda r: r["accessors"][r["animations"][0]["samplers"][0]["output"]].update(count=10**15),
    "huge zeros": lambda r: (
        r["accessors"][r["animations"][0]["samplers"][0]["input"]].pop("bufferView")
        and r["accessors"][r["animations"][0]["samplers"][0]["input"]].update(count=10**12)
    ),
    "missing node": lambda r: r["skins"][0]["joints"].append(99),
    "negative joint": lambda r: r["skins"][0]["joints"].append(-1),
    "joint twice": lambda r: r["skins"][0]["joints"].append(0),
    "no joints": lambda r: r["skins"][0].update(joints=[]),
    "missing accessor": lambda r: r["animations"][0]["samplers"][1].update(output=10**6),
    "wrong type": lambda r: r["animations"][0]["samplers"][1].update(
        output=r["animations"][0]["samplers"][0]["output"]
    ),
    "view past end": lambda r: [v.update(byteLength=10**9) for v in r["bufferViews"]],
    "buffer past end": lambda r: r["buffers"][0].update(byteLength=10**9) or r["buffers"][0].update(uri=None),
    "stride": lambda r: [v.update(byteStride=1) for v in r["bufferViews"]],
    "zero rotation": lambda r: r["nodes"][1].update(rotation=[0, 0, 0, 0]),
    "flat scale": lambda r: r["nodes"][1].update(scale=[1, 0, 1]),
    "mirror": lambda r: r["nodes"][1].update(matrix=np.diag([-1.0, 1, 1, 1]).ravel().tolist()),
    "text for numbers": lambda r: r["nodes"][1].update(translation=["x", "y", "z"]),
    "true for an index": lambda r: r["skins"][0].update(joints=[True, 0]),
    "interpolation": lambda r: r["animations"][0]["samplers"][0].update(interpolation="CURVY"),
    "old version": lambda r: r["asset"].update(version="1.0"),
    "nodes is a number": lambda r: r.update(nodes=3),
    "few binds": lambda r: r["accessors"][r["skins"][0]["inverseBindMatrices"]].update(count=1),
}


@pytest.mark.parametrize("fault", CHANGES)
def test_each_fault_is_named(small: Path, tmp_path: Path, fault: str) -> None:
    document = load_document(small)
    root = json.loads(json.dumps(document.root))
    CHANGES[fault](root)
    path = tmp_path / "bad.glb"
    path.write_bytes(packed_glb(root, document.binary or b""))
    with pytest.raises(FormatError) as caught:
        load_motions(path)
    assert str(path) in str(caught.value)
    assert len(str(caught.value)) < 300 + len(str(path))


def test_very_long_animation_is_refused(small: Path, tmp_path: Path) -> None:
    def change(root: Json, binary: bytearray) -> None:
        entry = root["accessors"][root["animations"][0]["samplers"][0]["input"]]
        at = root["bufferViews"][entry["bufferView"]]["byteOffset"]
        binary[at : at + 16] = struct.pack("<4f", 0.0, 0.001, 0.5, 900_000.0)
        root["skins"][0].pop("extras")

    with pytest.raises(FormatError, match="too long"):
        load_motions(edited(small, tmp_path / "long.glb", change))


def test_deep_json(tmp_path: Path) -> None:
    path = tmp_path / "deep.gltf"
    path.write_text('{"asset":' * 100_000)
    with pytest.raises(FormatError, match="JSON"):
        load_motions(path)


def test_every_truncation(small: Path, tmp_path: Path) -> None:
    data = small.read_bytes()
    path = tmp_path / "cut.glb"
    for length in [*range(0, 40), *range(40, len(data), 997), len(data) - 1]:
        path.write_bytes(data[:length])
        with pytest.raises(FormatError):
            load_motions(path)


@settings(max_examples=300)
@given(data=st.data())
def test_mutated_bytes(small: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    raw = bytearray(small.read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "mutated.glb"
    path.write_bytes(raw)
    read_or_refuse(path)


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 10),
    st.sampled_from([10**18, -(10**30), 1e300, "", "x", "data:,", [], {}]),
    st.lists(st.integers(-1, 5), max_size=4),
    st.floats(),
    st.just({"node": 0}),
    st.just([[]]),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        found += places(inner, (*path, key))
    return found


def refit_or_refuse(path: Path, target: Path) -> None:
    """The same promise for a rig that is read and written again."""
    try:
        rig = load_rig(path)
        write_rig(rig, wander(rig.skeleton, frames=2), target)
    except UnderstudyError:
        return
    load_motions(target)


@settings(max_examples=400)
@given(data=st.data())
def test_mutated_json(small: Path, own: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    document = load_document(data.draw(st.sampled_from([small, own])))
    root = json.loads(json.dumps(document.root))
    for _ in range(data.draw(st.integers(1, 3))):
        *above, last = data.draw(st.sampled_from(places(root)))
        holder = root
        for key in above:
            holder = holder[key]
        if isinstance(holder, dict) and data.draw(st.booleans()):
            del holder[last]
        else:
            holder[last] = copy.deepcopy(data.draw(ODD))
    path = tmp_path_factory.getbasetemp() / "mutated.gltf"
    binary = document.binary or b""
    raw = json.dumps(root).encode()
    body = struct.pack("<II", len(raw), 0x4E4F534A) + raw + b" " * (-len(raw) % 4)
    body += struct.pack("<II", len(binary), 0x004E4942) + binary
    path.write_bytes(struct.pack("<III", 0x46546C67, 2, 12 + len(body)) + body)
    read_or_refuse(path)
    refit_or_refuse(path, path.with_name("refitted.glb"))
