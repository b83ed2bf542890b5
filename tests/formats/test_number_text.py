"""The fast number reader against Python's ``float``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.errors import FormatError
from understudy.formats import number_text
from understudy.formats.number_text import line_of, parse_numbers

HERE = Path("numbers.txt")
FORMATS = ["%.4f", "%d", "%.8f", "%g", "%.6e", "%+.3f", "%.17g", "%.12f"]


@settings(max_examples=150)
@given(
    values=st.lists(st.tuples(st.floats(-1e6, 1e6), st.sampled_from(FORMATS)), max_size=60),
    gaps=st.lists(st.sampled_from([" ", "\t", "\n", "\r\n", "  ", "\r"]), min_size=1, max_size=5),
    chunk=st.integers(1, 64),
)
def test_equals_float(values: list[tuple[float, str]], gaps: list[str], chunk: int) -> None:
    tokens = [form % value for value, form in values]
    text = "".join(token + gaps[index % len(gaps)] for index, token in enumerate(tokens))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(number_text, "_CHUNK", chunk)
        block = parse_numbers(text.encode(), 0, path=HERE)
    np.testing.assert_array_equal(block.values, [float(token) for token in tokens])


def test_line_totals_count_numbers_at_line_ends() -> None:
    block = parse_numbers(b"1 2 3\r\n\r\n4\r5 6\n\n", 0, path=HERE)
    assert block.line_totals.tolist() == [3, 4, 6]


def test_start_and_trailing_nuls() -> None:
    assert parse_numbers(b"head 1 2\n\x00\x1a", 4, path=HERE).values.tolist() == [1.0, 2.0]
    assert len(parse_numbers(b"   ", 0, path=HERE).values) == 0


@pytest.mark.parametrize("token", ["", "1", "-.5", "5.", "+0.25", "1e5", ".5e-003", "00012", "-0"])
def test_unusual_numbers(token: str) -> None:
    assert parse_numbers(token.encode(), 0, path=HERE).values.tolist() == ([float(token)] if token else [])


@pytest.mark.parametrize("token", ["nan", "inf", "1-2", "1+", "-", ".", "1e", "0x1", "1_0", "1e99", "٣", "1.2.3"])
def test_refused_with_line(token: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_numbers(f"1 2\n3\r\n4 {token} 5\n".encode(), 0, path=HERE)
    assert caught.value.line == 3


def test_line_of() -> None:
    data = b"a\nb\r\nc\rd"
    assert [line_of(data, data.index(letter)) for letter in (b"a", b"b", b"c", b"d")] == [1, 2, 3, 4]


def test_monstrous_tokens_end_soon() -> None:
    for text in (b"1" * 1_000_000 + b"x", b"1." + b"2" * 1_000_000 + b"x", b"." + b"5" * 1_000_000 + b"e"):
        with pytest.raises(FormatError) as caught:
            parse_numbers(b"1 2\n" + text, 0, path=HERE)
        assert caught.value.line == 2 and len(str(caught.value)) < 120
    assert parse_numbers(b"0." + b"3" * 100_000, 0, path=HERE).values[0] == pytest.approx(1 / 3)
