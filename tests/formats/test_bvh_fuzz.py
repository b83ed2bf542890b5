"""Damaged BVH and Acclaim files: nothing but an UnderstudyError may come out."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acclaim_files import AMC, ASF
from bvh_files import POSITIONS, bvh_text, random_rows, small_tree, turning
from understudy.errors import UnderstudyError
from understudy.formats import load_motion

FUZZ = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])


def _samples() -> list[bytes]:
    plain = small_tree("ZYX")
    rich = small_tree("XYZ")
    rich[2].channels = (*POSITIONS, *turning("YXZ"))
    rich[0].name, rich[1].name = "Hips", "Left Leg"
    texts = [bvh_text(joints, random_rows(joints, 5)) for joints in (plain, rich)]
    return [texts[0].encode(), texts[1].replace("\n", "\r\n").encode()]


SAMPLES = _samples()
WORDS = [
    b"{",
    b"}",
    b"ROOT",
    b"JOINT",
    b"End Site",
    b"OFFSET",
    b"CHANNELS 3",
    b"MOTION",
    b"Frames: 9",
    b"nan",
    b"1e308",
]
WORDS += [
    b"-1e11",
    b"\x00",
    b"\xff",
    b"",
    b"0",
    b"\r",
    b"99999999999999999999",
    b"Frame Time: 0",
    b"begin",
    b"end",
    b":root",
]


@st.composite
def damaged(draw: st.DrawFn, sources: list[bytes]) -> bytes:
    data = draw(st.sampled_from(sources))
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["flip", "cut", "drop", "double", "swap", "word"]))
        at = draw(st.integers(0, max(len(data) - 1, 0)))
        if kind == "flip":
            data = data[:at] + bytes([draw(st.integers(0, 255))]) + data[at + 1 :]
        elif kind == "cut":
            data = data[:at]
        else:
            parts = data.split(b"\n") if kind in ("drop", "double") else data.split(b" ")
            i, j = (draw(st.integers(0, len(parts) - 1)) for _ in range(2))
            if kind == "drop":
                del parts[i]
            elif kind == "double":
                parts.insert(j, parts[i])
            elif kind == "swap":
                parts[i], parts[j] = parts[j], parts[i]
            else:
                parts[i] = draw(st.sampled_from(WORDS))
            data = (b"\n" if kind in ("drop", "double") else b" ").join(parts)
    return data


def _survives(path: Path) -> None:
    with contextlib.suppress(UnderstudyError), np.errstate(all="raise", under="ignore"):
        motion = load_motion(path)
        assert len(motion) >= 1


@FUZZ
@given(data=damaged(SAMPLES))
def test_damaged_bvh(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "damaged.bvh"
    path.write_bytes(data)
    _survives(path)


@FUZZ
@given(data=st.binary(max_size=300))
def test_arbitrary_bytes_after_a_good_header(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "noise.bvh"
    path.write_bytes(SAMPLES[0].split(b"Frame Time")[0] + b"Frame Time: 0.01\n" + data)
    _survives(path)


@FUZZ
@given(asf=damaged([ASF.encode()]), amc=damaged([AMC.encode()]), broken=st.sampled_from(["asf", "amc", "both"]))
def test_damaged_acclaim(tmp_path: Path, asf: bytes, amc: bytes, broken: str) -> None:
    (tmp_path / "x.asf").write_bytes(ASF.encode() if broken == "amc" else asf)
    path = tmp_path / "x_01.amc"
    path.write_bytes(AMC.encode() if broken == "asf" else amc)
    _survives(path)


def test_the_undamaged_samples_load(tmp_path: Path) -> None:
    for index, data in enumerate(SAMPLES):
        (tmp_path / f"{index}.bvh").write_bytes(data)
        assert len(load_motion(tmp_path / f"{index}.bvh")) == 5
    (tmp_path / "x.asf").write_text(ASF)
    (tmp_path / "x_01.amc").write_text(AMC)
    assert len(load_motion(tmp_path / "x_01.amc")) == 2
