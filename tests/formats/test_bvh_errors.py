"""Bad BVH input: one clear FormatError with file and line, in bounded time and memory."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from bvh_files import PLAIN, POSITIONS, Joint, bvh_text, header_text, random_rows, small_tree, turning, written
from understudy.errors import FormatError
from understudy.formats import ReadOptions, load_motion


def text_of(frames: int = 3) -> str:
    joints = small_tree()
    return bvh_text(joints, random_rows(joints, frames))


def refused(folder: Path, text: str | bytes) -> str:
    path = written(folder, text)
    with pytest.raises(FormatError) as caught:
        load_motion(path)
    message = str(caught.value)
    assert message.startswith(f"{path}:") and "\n" not in message and len(message) < 400
    return message.removeprefix(str(path))


def line_in(message: str) -> int:
    match = re.match(r":(\d+):", message)
    assert match, message
    return int(match[1])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "empty"),
        (b" \n \r\n", "empty"),
        (b"\x00\x01\x02" * 100, "binary"),
        (bytes(range(1, 256)) * 20, "not a BVH file"),
        (b"\xff\xfeh", "neither text nor BVH"),
        (b"Kaydara FBX Binary  ", "not a BVH file"),
        (b"HIERARCHY\n", "no ROOT"),
        (b"HIERARCHY\nROOT a\n{\n", "missing"),
        (b"HIERARCHY\nROOT a", "missing"),
        (b"HIERARCHY\nROOT\n{\n}\n", "without a name"),
        (b"HIERARCHY\nJOINT a\n{\n}\n", "outside any ROOT"),
        (b"HIERARCHY\nROOT a\n{\nROOT b\n{\n}\n}\n", "inside another joint"),
        (b"HIERARCHY\nROOT a\nOFFSET 0 0 0\n", 'expected "{"'),
        (b"HIERARCHY\nROOT a\n{\n}\n}\n", "closes nothing"),
        (b"HIERARCHY\n{\n", "without a joint"),
        (b"HIERARCHY\nOFFSET 0 0 0\n", "outside a joint"),
        (b"HIERARCHY\nEnd Site\n{\n}\n", "outside a joint"),
        (b"HIERARCHY\nROOT a\n{\nEnd Site\n{\nJOINT b\n{\n}\n}\n}\n", "inside an End Site"),
        (b"HIERARCHY\nROOT a\n{\nEnd Site\n{\nCHANNELS 1 Xrotation\n}\n}\n", "cannot have channels"),
        (b"HIERARCHY\nROOT a\n{\nOFFSET 1 2\n}\n", "expected 3 offsets, got 2"),
        (b"HIERARCHY\nROOT a\n{\nOFFSET 1 2 nan\n}\n", "finite number"),
        (b"HIERARCHY\nROOT a\n{\nOFFSET 1 2 1e999\n}\n", "finite number"),
        (b"HIERARCHY\nROOT a\n{\nCHANNELS 999999999999 Xrotation\n}\n", "count from 0 to"),
        (b"HIERARCHY\nROOT a\n{\nCHANNELS -3 Xrotation\n}\n", "count from 0 to"),
        (b"HIERARCHY\nROOT a\n{\nCHANNELS\n}\n", "count from 0 to"),
        (b"HIERARCHY\nROOT a\n{\nCHANNELS 3 Xrotation Yrotation\n}\n", "3 channels declared, 2 named"),
        (b"HIERARCHY\nROOT a\n{\nCHANNELS 1 Xrotatoin\n}\n", 'did you mean "Xrotation"'),
        (b"HIERARCHY\nROOT a\n{\nCHANNELS 2 Xposition Xposition\n}\n", "twice"),
        (b"HIERARCHY\nROOT a\n{\nCHANNELS 1 Xrotation\nCHANNELS 1 Xrotation\n}\n", "two CHANNELS"),
        (b"HIERARCHY\nROOT a\n{\nOFSET 0 0 0\n}\n", 'did you mean "OFFSET"'),
        (b"HIERARCHY\nROOT a\n{\n}\nMOTION\n", "cut off"),
        (b"HIERARCHY\nROOT a\n{\n}\n", "no MOTION"),
        (b"HIERARCHY\nROOT a\n{\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n1\n2\n", "no channels"),
        (b"HIERARCHY\nROOT a\n{\n}\nMOTION\nFrames: -2\nFrame Time: 0.1\n", "whole number"),
        (b"HIERARCHY\nROOT a\n{\n}\nMOTION\nFrames: many\nFrame Time: 0.1\n", "finite number"),
    ],
)
def test_malformed(tmp_path: Path, text: bytes, said: str) -> None:
    assert said in refused(tmp_path, text)


def test_line_numbers_of_hierarchy_faults(tmp_path: Path) -> None:
    for ending in ("\n", "\r\n", "\r"):
        lines = text_of().split("\n")
        at = next(index for index, line in enumerate(lines) if "a2" in line) + 2
        lines[at] = "OFFSET 1 2"
        assert line_in(refused(tmp_path, ending.join(lines))) == at + 1


@pytest.mark.parametrize(
    "token", ["nan", "inf", "-1.#IND", "abc", "1_000", "1.2.3", "--1", "0x10", "1e999", "+", ".", "1e"]
)
def test_bad_number_names_its_line(tmp_path: Path, token: str) -> None:
    for ending in ("\n", "\r\n", "\r"):
        lines = text_of(5).split("\n")
        at = next(index for index, line in enumerate(lines) if line.startswith("Frame Time")) + 3
        words = lines[at].split()
        words[4] = token
        lines[at] = " ".join(words)
        message = refused(tmp_path, ending.join(lines))
        assert line_in(message) == at + 1 and token in message


def test_decimal_commas_are_refused(tmp_path: Path) -> None:
    text = text_of()
    head, body = text.split("Frame Time: 0.0083333\n")
    assert "decimal points" in refused(tmp_path, head + "Frame Time: 0.0083333\n" + body.replace(".", ","))


@pytest.mark.parametrize("rows", [0, 1, 4])
def test_rows_of_wrong_length_name_their_line(tmp_path: Path, rows: int) -> None:
    lines = text_of(5).rstrip("\n").split("\n")
    at = len(lines) - 5 + rows
    lines[at] = lines[at].rsplit(" ", 1)[0]
    assert line_in(refused(tmp_path, "\n".join(lines))) == at + 1


def test_rows_that_balance_are_still_refused(tmp_path: Path) -> None:
    lines = text_of(8).rstrip("\n").split("\n")
    first, second = lines[-4].split(), lines[-3].split()
    lines[-4], lines[-3] = " ".join(first[:-1]), " ".join([first[-1], *second])
    assert line_in(refused(tmp_path, "\n".join(lines))) == len(lines) - 3


def test_all_rows_too_long(tmp_path: Path) -> None:
    lines = text_of(5).rstrip("\n").split("\n")
    lines[-5:] = [line + " 0.5" for line in lines[-5:]]
    message = refused(tmp_path, "\n".join(lines))
    assert "25 numbers; the hierarchy has 24 channels" in message and line_in(message) == len(lines) - 4


def test_truncation_anywhere_is_an_error_or_whole_frames(tmp_path: Path) -> None:
    text = text_of(4)
    whole = load_motion(written(tmp_path, text), options=PLAIN)
    path = tmp_path / "cut.bvh"
    for length in range(0, len(text), 7):
        path.write_text(text[:length])
        try:
            motion = load_motion(path, options=PLAIN)
        except FormatError as error:
            assert error.path == path
        else:
            assert 1 <= len(motion) <= 4
            np.testing.assert_array_equal(motion.root_positions[:-1], whole.root_positions[: len(motion) - 1])


def test_a_million_declared_frames_and_no_data(tmp_path: Path) -> None:
    text = header_text(small_tree()) + "\nMOTION\nFrames: 1000000\nFrame Time: 0.01\n"
    assert "1000000 frames are declared but there are no rows" in refused(tmp_path, text)
    zero = text.replace("1000000", "0")
    assert "no rows" in refused(tmp_path, zero)


def test_ten_thousand_deep(tmp_path: Path) -> None:
    depth = 10_000
    joint = "JOINT j{}\n{{\nOFFSET 0 0.001 0\nCHANNELS 1 Xrotation\n"
    head = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n"
    text = head + "".join(joint.format(index) for index in range(depth)) + "}\n" * (depth + 1)
    text += "MOTION\nFrames: 2\nFrame Time: 0.01\n" + ("0 " * (depth + 1) + "\n") * 2
    motion = load_motion(written(tmp_path, text), options=PLAIN)
    assert len(motion.skeleton) == depth + 1
    assert "missing" in refused(tmp_path, text.replace("}\n", "", 1))


def test_endless_joints_are_refused(tmp_path: Path) -> None:
    block = "JOINT j\n{\n}\n"
    assert "more than" in refused(tmp_path, "HIERARCHY\nROOT r\n{\n" + block * 30_000 + "}\n")


def test_motion_larger_than_memory_is_refused(tmp_path: Path) -> None:
    idle = "".join(f"JOINT j{index}\n{{\n}}\n" for index in range(15_000))
    text = "HIERARCHY\nROOT r\n{\nCHANNELS 1 Xrotation\n" + idle + "}\nMOTION\nFrames: 9\nFrame Time: 0.01\n"
    assert "more than can be read" in refused(tmp_path, text + "1\n" * 10_000)


def test_huge_values_are_refused(tmp_path: Path) -> None:
    joints = [Joint("r", -1, (0.0, 0.0, 0.0), (*POSITIONS, *turning("ZXY"))), Joint("a", 0, (0.0, 1.0, 0.0), ())]
    for value in (1e300, -1e300, 1e13, 1e10):
        rows = random_rows(joints, 3)
        rows[1, 1] = value
        refused(tmp_path, bvh_text(joints, rows))


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no such file"):
        load_motion(tmp_path / "none.bvh", options=ReadOptions())
    (tmp_path / "dir.bvh").mkdir()
    with pytest.raises(FormatError, match="folder"):
        load_motion(tmp_path / "dir.bvh")


def test_endless_blanks_end_soon(tmp_path: Path) -> None:
    blank = " " * 1_000_000
    text = text_of().replace("Frame Time: ", f"Frame Time:{blank}x{blank}")
    assert "finite number" in refused(tmp_path, text)
    assert "not a BVH file" in refused(tmp_path, blank + "x")
    assert (
        len(load_motion(written(tmp_path, text_of().replace("Frames: 3", f"Frames:{blank}3{blank}")), options=PLAIN))
        == 3
    )
