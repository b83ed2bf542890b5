from __future__ import annotations

import json
import zipfile
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from understudy.errors import FormatError
from understudy.formats.npz_archive import opened, write_arrays
from understudy.library import Library, load_library, save_library, unroll
from understudy.library.graph import Graph


@pytest.fixture(scope="module")
def saved(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_library(library, tmp_path_factory.mktemp("library") / "walk.usl")


def arrays_in(path: Path) -> dict[str, np.ndarray]:
    with zipfile.ZipFile(path) as archive:
        names = [name.removesuffix(".npy") for name in archive.namelist()]
    with np.load(path) as arrays:
        return {name: arrays[name] for name in names}


def test_everything_comes_back(library: Library, saved: Path) -> None:
    back = load_library(saved)
    for item in fields(Graph):
        assert np.array_equal(getattr(back.graph, item.name), getattr(library.graph, item.name))
    assert np.array_equal(back.footage.rotations, library.footage.rotations)
    assert np.array_equal(back.footage.root_positions, library.footage.root_positions)
    assert np.array_equal(back.footage.planted, library.footage.planted)
    assert back.footage.takes == library.footage.takes
    for key in ("labels", "kind", "threshold_m", "half_window", "segments", "notes", "fps"):
        assert getattr(back, key) == getattr(library, key)
    assert back.skeleton.names == library.skeleton.names
    assert dict(back.skeleton.humanoid) == dict(library.skeleton.humanoid)
    assert np.array_equal(back.skeleton.offsets, library.skeleton.offsets)


def test_a_loaded_library_plays_the_same_motion(library: Library, saved: Path) -> None:
    nodes = [0, int(library.graph.successors(0)[-1])]
    one, two = (unroll(source, nodes).motion for source in (library, load_library(saved)))
    assert np.array_equal(one.rotations, two.rotations) and np.array_equal(one.root_positions, two.root_positions)


def test_the_same_library_gives_the_same_bytes(library: Library, saved: Path, tmp_path: Path) -> None:
    assert save_library(load_library(saved), tmp_path / "again.usl").read_bytes() == saved.read_bytes()


def test_frames_are_mapped_and_not_copied(saved: Path) -> None:
    rotations = load_library(saved).footage.rotations
    base = rotations
    while base.base is not None and not isinstance(base, np.memmap):
        base = base.base
    assert isinstance(base, np.memmap)
    assert not rotations.flags.writeable


def test_nothing_is_pickled(saved: Path) -> None:
    assert all(not array.dtype.hasobject for array in arrays_in(saved).values())


def test_arrays_of_maps_are_passed_over(saved: Path, tmp_path: Path) -> None:
    path = tmp_path / "with_maps.usl"
    write_arrays(path, [*arrays_in(saved).items(), ("map_cells", np.arange(10))])
    assert load_library(path).graph.nodes > 0


def test_wrong_endings_folders_and_absent_files_are_named(library: Library, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"\.usl"):
        save_library(library, tmp_path / "walk.npz")
    assert not list(tmp_path.iterdir())
    with pytest.raises(FormatError, match="no such file"):
        load_library(tmp_path / "absent.usl")
    with pytest.raises(FormatError, match="folder"):
        load_library(tmp_path)
    with pytest.raises(FormatError, match="cannot write"):
        save_library(library, tmp_path / "absent" / "walk.usl")


def test_other_versions_and_other_archives_are_refused(saved: Path, tmp_path: Path) -> None:
    arrays = arrays_in(saved)
    newer = tmp_path / "newer.usl"
    write_arrays(newer, {**arrays, "understudy_library": np.array(99)}.items())
    with pytest.raises(FormatError, match="version 99"):
        load_library(newer)
    other = tmp_path / "other.usl"
    write_arrays(other, [("x", np.arange(3))])
    with pytest.raises(FormatError, match="no library"):
        load_library(other)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_bytes_give_format_errors_only(saved: Path, tmp_path: Path, data: st.DataObject) -> None:
    content = bytearray(saved.read_bytes())
    path = tmp_path / "damaged.usl"
    if data.draw(st.booleans(), label="cut"):
        content = content[: data.draw(st.integers(0, len(content) - 1))]
    else:
        for _ in range(data.draw(st.integers(1, 8))):
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(bytes(content))
    try:
        library = load_library(path)
    except FormatError:
        return
    # What loads in spite of it must be usable: padding and dates may differ.
    unroll(library, [0, int(library.graph.successors(0)[0])])


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("graph_targets", lambda a: a + 1000),
        ("graph_first", lambda a: a - 10_000),
        ("graph_last", lambda a: a + 10_000),
        ("graph_last", lambda a: a * 0),
        ("graph_edge_starts", lambda a: a[::-1].copy()),
        ("graph_labels", lambda a: a + 5),
        ("graph_carriers", lambda a: a + 9),
        ("graph_transforms", lambda a: a * np.nan),
        ("graph_costs", lambda a: a[:-1].copy()),
        ("graph_ranges", lambda a: a.astype(np.int64)),
        ("rotations", lambda a: a * 3),
        ("rotations", lambda a: a[:, :-1].copy()),
        ("root_positions", lambda a: a * np.inf),
        ("planted", lambda a: a[:-1].copy()),
        ("take_starts", lambda a: a + 1),
        ("skeleton_parents", lambda a: a + 3),
        ("header", lambda a: a[:-4].copy()),
        ("header", lambda a: np.frombuffer(b"[1, 2]", dtype=np.uint8)),
    ],
)
def test_arrays_that_contradict_each_other_are_refused(saved: Path, tmp_path: Path, key: str, change) -> None:
    arrays = arrays_in(saved)
    with np.errstate(invalid="ignore"):
        arrays[key] = change(arrays[key])
    path = tmp_path / "wrong.usl"
    write_arrays(path, arrays.items())
    with pytest.raises(FormatError):
        load_library(path)


@pytest.mark.parametrize(
    "change",
    [
        {"fps": "fast"},
        {"fps": 0},
        {"kind": "magic"},
        {"half_window": 10**9},
        {"takes": []},
        {"joints": ["hips"]},
        {"humanoid": {"hips": 0}},
        {"labels": []},
        {"notes": 3},
        {"takes": None},
    ],
)
def test_headers_that_make_no_sense_are_refused(saved: Path, tmp_path: Path, change: dict) -> None:
    arrays = arrays_in(saved)
    header = {**json.loads(arrays["header"].tobytes()), **change}
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    path = tmp_path / "wrong.usl"
    write_arrays(path, arrays.items())
    with pytest.raises(FormatError):
        load_library(path)


def test_a_failed_save_leaves_the_old_file(library: Library, saved: Path, tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "walk.usl"
    path.write_bytes(saved.read_bytes())
    broken = replace(library, notes=(float("nan"),))  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        save_library(broken, path)
    assert path.read_bytes() == saved.read_bytes()
    assert [item.name for item in tmp_path.iterdir()] == ["walk.usl"]
    with opened(path) as archive:
        assert "header" in archive
