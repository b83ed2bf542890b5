"""Changes to valid files: bytes, numbers in text, values of documents, numbers of arrays, what is left out."""

from __future__ import annotations

import copy
import re
from typing import Any

import numpy as np

from understudy.formats.npz_archive import write_arrays

Rng = np.random.Generator

_NUMBERS = [0, -1, 1, 2, -0.0, 0.5, 1e-300, 1e9, -1e9, 1e200, 1e308, 2**31, 2**31 - 1, -(2**31), 2**63, 10**40]
_ODD: list[Any] = [
    *_NUMBERS,
    float("nan"),
    float("inf"),
    -float("inf"),
    None,
    True,
    False,
    "",
    "x",
    "../../../etc/passwd",
    "</SCRIPT><svg/onload=x>",
    "\0",
    "é" * 300,
    [],
    {},
    [[]],
    {"": {}},
    [1, "2", None],
]
_TEXT_NUMBERS = [
    b"0",
    b"-1",
    b"1e308",
    b"-1e308",
    b"1e-300",
    b"nan",
    b"inf",
    b"99999999999999999999",
    b"2147483648",
    b"",
]


def mutated_bytes(data: bytes, rng: Rng) -> bytes:
    """Bytes flipped, cut, doubled, moved, or numbers of a text replaced."""
    for _ in range(int(rng.integers(1, 4))):
        if not data:
            return data
        at, other = sorted(rng.integers(len(data) + 1, size=2).tolist())
        other = min(other, at + 64)
        match int(rng.integers(8)):
            case 0 | 1:
                flipped = bytearray(data)
                flipped[at - 1] ^= 1 << int(rng.integers(8))
                data = bytes(flipped)
            case 2:
                data = data[:at]
            case 3:
                data = data[:at] + data[other:]
            case 4:
                data = data[:other] + data[at:other] * int(rng.integers(1, 50)) + data[other:]
            case 5:
                data = data[:at] + rng.bytes(4) + data[at + 4 :]
            case 6:
                data = data[:at] + b"\xff\xff\xff\x7f" + data[at + 4 :]
            case _:
                data = with_number(data, rng)
    return data


def with_number(data: bytes, rng: Rng) -> bytes:
    """One number of a text replaced."""
    start = int(rng.integers(max(len(data) - 200, 1)))
    found = list(re.finditer(rb"-?\d+(\.\d+)?(e-?\d+)?", data[start : start + 200]))
    if not found:
        return data
    one = found[int(rng.integers(len(found)))]
    new = _TEXT_NUMBERS[int(rng.integers(len(_TEXT_NUMBERS)))]
    return data[: start + one.start()] + new + data[start + one.end() :]


def mutated_value(value: Any, rng: Rng) -> Any:
    """A document with one thing in it replaced, left out, doubled or nested."""
    if isinstance(value, dict | list) and value and rng.random() < 0.92:
        changed = copy.copy(value)
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = keys[int(rng.integers(len(keys)))]
        if rng.random() < 0.07:
            del changed[key]
        elif rng.random() < 0.05 and isinstance(changed, list):
            changed.insert(int(key), changed[key])
        else:
            changed[key] = mutated_value(value[key], rng)
        return changed
    if rng.random() < 0.02:
        for _ in range(int(rng.integers(1, 2000))):
            value = [value]
        return value
    if isinstance(value, int | float) and not isinstance(value, bool) and rng.random() < 0.5:
        number = _NUMBERS[int(rng.integers(len(_NUMBERS)))]
        return [value + 1, -value, value * 1e6, number][int(rng.integers(4))]
    return copy.deepcopy(_ODD[int(rng.integers(len(_ODD)))])


def mutated_arrays(arrays: dict[str, np.ndarray], rng: Rng) -> dict[str, np.ndarray]:
    """Arrays with one number changed, or one of them cut, doubled, left out or of another type."""
    arrays = dict(arrays)
    name = list(arrays)[int(rng.integers(len(arrays)))]
    array = arrays[name]
    kind = rng.random()
    if kind < 0.8 and array.size and array.dtype.kind in "biuf":
        arrays[name] = _with_one_number(array, rng)
    elif kind < 0.85 and array.ndim:
        arrays[name] = array[: int(rng.integers(len(array) + 1))]
    elif kind < 0.9 and array.ndim:
        arrays[name] = np.concatenate([array, array])
    elif kind < 0.95 and array.dtype.kind in "biuf":
        arrays[name] = array.astype(["<i4", "<f4", "<f8", "|u1", "|b1"][int(rng.integers(5))], copy=False)
    else:
        del arrays[name]
    return arrays


def _with_one_number(array: np.ndarray, rng: Rng) -> np.ndarray:
    changed = array.copy()
    at = tuple(int(rng.integers(side)) for side in array.shape)
    other = array[tuple(int(rng.integers(side)) for side in array.shape)]
    if array.dtype.kind == "b":
        changed[at] = not array[at]
        return changed
    if array.dtype.kind == "f":
        options: list[Any] = [0.0, -1.0, np.nan, np.inf, 1e9, -1e9, 1e30, -array[at], array[at] + 1.0, other, 1e-300]
        options += [array[at] * 1.01, array[at] * 100.0]
    else:
        kept = np.iinfo(array.dtype)
        options = [
            0,
            1,
            kept.max,
            kept.min,
            int(array[at]) + 1,
            int(array[at]) - 1,
            other,
            2**31 % (kept.max + 1),
            7,
            300,
        ]
    with np.errstate(all="ignore"):
        chosen = options[int(rng.integers(len(options)))]
        changed[at] = np.array(chosen).astype(array.dtype)
    return changed


def written_arrays(path: Any, arrays: dict[str, np.ndarray]) -> None:
    """Arrays in a whole archive, checksums and all."""
    write_arrays(path, iter(arrays.items()))
