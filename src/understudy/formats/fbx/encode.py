"""Bytes of a binary FBX file, version 7400, from its records."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np

from understudy.formats.fbx.records import Record

VERSION = 7400
_HEADER = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", VERSION)
#: The file's mark, a time, and the mark at its end must fit each other; these are known to.
FILE_ID = b"\x28\xb3\x2a\xeb\xb6\x24\xcc\xc2\xbf\xc8\xb0\x2a\xa9\x2b\xfc\xf1"
TIME_ID = "1970-01-01 10:00:00:000"
_FOOT_ID = b"\xfa\xbc\xab\x09\xd0\xc8\xd4\x66\xb1\x76\xfb\x83\x1c\xf7\x26\x7e"
_LAST = b"\xf8\x5a\x8c\x6a\xde\xf5\xd9\x7e\xec\xe9\x0c\xe3\x75\x8f\x29\x0b"
_NOTHING = b"\0" * 13
#: Records that end with an empty one even without children.
_ALWAYS_LISTS = ("AnimationStack", "AnimationLayer")
_KINDS = {"i4": "i", "i8": "l", "f4": "f", "f8": "d"}
#: [byte] arrays from this size on are compressed.
_WORTH_PACKING = 128


def record(name: str, *values: Any, children: list[Record] | None = None) -> Record:
    """A record; whole numbers are 32-bit unless they are ``np.int64``."""
    return Record(name, list(values), children or [])


def encoded(records: list[Record]) -> bytes:
    """The whole file."""
    data = bytearray(_HEADER)
    for one in records:
        _append(data, one)
    data += _NOTHING + _FOOT_ID + b"\0" * 4
    data += b"\0" * (16 - len(data) % 16)
    return bytes(data + struct.pack("<I", VERSION) + b"\0" * 120 + _LAST)


def _append(data: bytearray, one: Record) -> None:
    start = len(data)
    name, values = one.name.encode(), b"".join(_value(value) for value in one.values)
    data += b"\0" * 12 + struct.pack("B", len(name)) + name + values
    for child in one.children:
        _append(data, child)
    if one.children or one.name in _ALWAYS_LISTS:
        data += _NOTHING
    struct.pack_into("<III", data, start, len(data), len(one.values), len(values))


def _value(value: Any) -> bytes:
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, bool):
        return b"C" + struct.pack("<B", value)
    if isinstance(value, np.int64):
        return b"L" + struct.pack("<q", value)
    if isinstance(value, int):
        return b"I" + struct.pack("<i", value)
    if isinstance(value, float):
        return b"D" + struct.pack("<d", value)
    content = value.encode() if isinstance(value, str) else value
    return (b"S" if isinstance(value, str) else b"R") + struct.pack("<I", len(content)) + content


def _array(values: np.ndarray[Any, Any]) -> bytes:
    kind = _KINDS[values.dtype.newbyteorder("<").str[1:]]
    content = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<")).tobytes()
    packed = len(content) >= _WORTH_PACKING
    stored = zlib.compress(content, 1) if packed else content
    return kind.encode() + struct.pack("<III", values.size, packed, len(stored)) + stored
