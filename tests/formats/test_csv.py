from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy import rotations as rot
from understudy.core.motion import Motion
from understudy.core.skeleton import Skeleton
from understudy.errors import FormatError
from understudy.formats import WriteOptions, load_motion, save_motion


def motion_with(names: list[str], frames: int = 4, seed: int = 0) -> Motion:
    rng = np.random.default_rng(seed)
    count = len(names)
    skeleton = Skeleton(
        names=tuple(names),
        parents=np.array([-1, *(rng.integers(0, i) for i in range(1, count))]),
        offsets=rng.normal(size=(count, 3)),
    )
    return Motion(
        skeleton=skeleton,
        fps=30.0,
        root_positions=rng.normal(size=(frames, 3)),
        rotations=rot.exp(rng.normal(size=(frames, count, 3))),
    )


def table_of(path: Path) -> tuple[list[str], np.ndarray]:
    with path.open(encoding="utf-8", newline="") as stream:
        header, *rows = csv.reader(stream)
    return header, np.array(rows, dtype=float)


@given(
    names=st.lists(
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8), min_size=1, max_size=6, unique=True
    ),
    frames=st.integers(1, 6),
    seed=st.integers(0, 100),
)
@settings(max_examples=40)
def test_any_names_come_back_and_positions_are_those_of_the_poses(
    tmp_path_factory, names: list[str], frames: int, seed: int
) -> None:
    motion = motion_with(names, frames, seed)
    header, table = table_of(save_motion(motion, tmp_path_factory.getbasetemp() / "table.csv"))
    assert header == ["frame", "time_s", *(f"{name}.{axis}" for name in names for axis in "xyz")]
    assert np.array_equal(table[:, 0], np.arange(frames))
    assert np.array_equal(table[:, 1], motion.times_s)
    for frame in range(frames):
        points, _ = motion.skeleton.placed_joints(motion.root_positions[frame], motion.rotations[frame])
        assert np.allclose(table[frame, 2:].reshape(-1, 3), points, atol=1e-12)


def test_unit_and_axes(tmp_path: Path) -> None:
    motion = motion_with(["Hips", "Spine"])
    _, plain = table_of(save_motion(motion, tmp_path / "a.csv"))
    _, turned = table_of(save_motion(motion, tmp_path / "b.csv", options=WriteOptions(unit_m=0.01, up="z")))
    x, y, z = np.moveaxis(plain[:, 2:].reshape(4, 2, 3), -1, 0) * 100
    assert np.allclose(turned[:, 2:].reshape(4, 2, 3), np.stack([x, -z, y], axis=-1))


def test_long_motions_are_written_in_one_piece(tmp_path: Path) -> None:
    motion = motion_with(["a", 'b, "quoted"'], frames=9001)
    header, table = table_of(save_motion(motion, tmp_path / "long.csv"))
    assert header[5] == 'b, "quoted".x' and len(table) == 9001
    assert np.array_equal(table[:, 2:5], motion.root_positions)


def test_what_a_table_cannot_be(tmp_path: Path) -> None:
    motion = motion_with(["a", "b"])
    with pytest.raises(FormatError, match="one character; got 2"):
        save_motion([motion, motion], tmp_path / "a.csv")
    with pytest.raises(FormatError, match="cannot be written as text"):
        save_motion(motion_with(["\ud800"]), tmp_path / "a.csv")
    with pytest.raises(FormatError, match="cannot write here"):
        save_motion(motion, tmp_path / "none" / "a.csv")
    assert list(tmp_path.iterdir()) == []
    save_motion(motion, tmp_path / "a.csv")
    with pytest.raises(FormatError, match="not read"):
        load_motion(tmp_path / "a.csv")
