"""Damaged and hostile FBX files: one clear error, never another exception, never much memory."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.fbx_files import FbxFile
from formats.test_fbx_read import chain, moved, skinned
from people import person, wander
from understudy.errors import FormatError, UnderstudyError
from understudy.formats import load_motions, save_motion
from understudy.formats.fbx.encode import encoded, record
from understudy.formats.glb_rig import load_rig


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return skinned(tmp_path_factory.mktemp("fbx"))


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = FbxFile()
    moved(file, chain(file)[0])
    return file.write_text(tmp_path_factory.mktemp("fbx") / "text.fbx")


def read_or_refuse(path: Path) -> None:
    for read in (load_motions, load_rig):
        try:
            read(path)
        except UnderstudyError as error:
            assert isinstance(error, FormatError), error
            assert "\n" not in str(error)
            assert str(path) in str(error)


def refused(path: Path, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        load_motions(path)


@settings(max_examples=60, deadline=None)
@given(share=st.floats(0.0, 0.999))
def test_cut_short(small: Path, tmp_path_factory: pytest.TempPathFactory, share: float) -> None:
    data = small.read_bytes()
    path = tmp_path_factory.getbasetemp() / "cut.fbx"
    # What comes after the records is not read.
    path.write_bytes(data[: int(share * (len(data) - 190))])
    read_or_refuse(path)
    with pytest.raises(FormatError):
        load_motions(path)


@settings(max_examples=150, deadline=None)
@given(
    changes=st.lists(st.tuples(st.floats(0.0, 1.0), st.integers(0, 255)), min_size=1, max_size=6), kind=st.booleans()
)
def test_changed_bytes(
    small: Path,
    text: Path,
    tmp_path_factory: pytest.TempPathFactory,
    changes: list[tuple[float, int]],
    kind: bool,
) -> None:
    data = bytearray((small if kind else text).read_bytes())
    for share, value in changes:
        data[int(share * (len(data) - 1))] = value
    path = tmp_path_factory.getbasetemp() / "changed.fbx"
    path.write_bytes(data)
    read_or_refuse(path)


def test_not_fbx_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.fbx"
    for content in (b"", b"\0" * 100, b"hello", b"Kaydara FBX Binary", "ä".encode("latin-1") * 50):
        path.write_bytes(content)
        refused(path, "not an FBX file|cut short")


@pytest.mark.parametrize("version", [2000, 5800, 8000, 2**31 - 1])
def test_other_versions(tmp_path: Path, version: int) -> None:
    data = bytearray(encoded([record("Objects")]))
    data[23:27] = struct.pack("<I", version)
    path = tmp_path / "a.fbx"
    path.write_bytes(data)
    refused(path, "version|cut short")


def test_connected_in_a_circle(tmp_path: Path) -> None:
    file = FbxFile()
    limbs = chain(file)
    file.links[0] = record("C", "OO", np.int64(limbs[0]), np.int64(limbs[2]))
    refused(file.write(tmp_path / "a.fbx"), "circle")


def test_an_array_that_unpacks_to_more_than_it_says(tmp_path: Path) -> None:
    bomb = zlib.compress(b"\0" * (64 << 20), 9)
    data = encoded([record("Objects", children=[record("Geometry", b"here")])])
    for count, message in ((16, "no character"), (2**31 - 1, "claim to hold")):
        array = b"d" + struct.pack("<III", count, 1, len(bomb)) + bomb
        changed = data.replace(b"R" + struct.pack("<I", 4) + b"here", array)
        grown = len(array) - 9
        at = changed.index(b"Objects") - 13
        changed = bytearray(changed)
        for head, extra in ((at, 0), (at + 13 + 7, len(array) - 9)):
            end, count_of, length, _ = struct.unpack_from("<IIIB", changed, head)
            struct.pack_into("<III", changed, head, end + grown, count_of, length + extra)
        path = tmp_path / "a.fbx"
        path.write_bytes(changed)
        refused(path, message)


def test_deeply_nested(tmp_path: Path) -> None:
    inner = record("A")
    for _ in range(100):
        inner = record("A", children=[inner])
    path = tmp_path / "a.fbx"
    path.write_bytes(encoded([inner]))
    refused(path, "deeper")
    path.write_text("FBXVersion: 7400\n" + "A: {" * 100_000)
    refused(path, "deeper")


def test_a_take_of_years(tmp_path: Path) -> None:
    file = FbxFile()
    limbs = chain(file)
    file.keys(file.layer(file.stack("long")), limbs[0], "Lcl Rotation", "X", [0.0, 0.01, 9e5], [0.0, 1.0, 2.0])
    refused(file.write(tmp_path / "a.fbx"), "frames")


def test_a_skin_that_flattens_space(tmp_path: Path, small: Path) -> None:
    data = small.read_bytes()
    one = struct.pack("<d", 1.0)
    at = data.index(b"TransformLink")
    flat = data[:at] + data[at:].replace(one, struct.pack("<d", 0.0))
    path = tmp_path / "a.fbx"
    path.write_bytes(flat)
    read_or_refuse(path)


def test_nothing_is_left_of_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(FormatError):
        save_motion(wander(person(), frames=2), tmp_path / "missing" / "a.fbx")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_files_of_strangers() -> None:
    """Every ``.fbx`` below the folder that ``UNDERSTUDY_FBX_CORPUS`` names is read or refused."""
    folder = os.environ.get("UNDERSTUDY_FBX_CORPUS")
    if not folder:
        pytest.skip("UNDERSTUDY_FBX_CORPUS names no folder with FBX files")
    for path in sorted(Path(folder).rglob("*")):
        if path.suffix.lower() == ".fbx":
            read_or_refuse(path)
