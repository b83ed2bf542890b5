"""Records of a binary FBX file, versions 6000 to 7700, little- or big-endian."""

from __future__ import annotations

import struct
from typing import Any

from understudy.formats.fbx.records import DEEPEST, MOST_BYTES, MOST_RECORDS, MalformedError, PackedArray, Record

MAGIC = b"Kaydara FBX Binary"
_FIRST_RECORD = 27
_PLAIN = {"Y": "h", "Z": "h", "C": "B", "B": "B", "I": "i", "F": "f", "D": "d", "L": "q"}


def parse_binary(data: bytes) -> tuple[int, Record]:
    """The file's version and a record that holds all others.

    Raises:
        MalformedError: It is cut short, nested too deeply, or holds unknown values.
    """
    return _Reader(data).records()


class _Reader:
    def __init__(self, data: bytes) -> None:
        if len(data) < _FIRST_RECORD:
            raise MalformedError("cut short: not even the header is complete")
        self._data = data
        self._order = ">" if data[22] == 1 else "<"
        self._version = self._unpack("I", 23)
        wide = self._version >= 7500
        self._head = struct.Struct(self._order + ("QQQB" if wide else "IIIB"))
        self._plain = {kind: struct.Struct(self._order + code) for kind, code in _PLAIN.items()}
        self._bytes = 0

    def _unpack(self, code: str, at: int) -> Any:
        if at + struct.calcsize(code) > len(self._data):
            raise MalformedError("cut short in the middle of a value")
        return struct.unpack_from(self._order + code, self._data, at)[0]

    def records(self) -> tuple[int, Record]:
        root = Record("")
        open_records, ends = [root], [len(self._data)]
        at, count = _FIRST_RECORD, 0
        while open_records:
            if at >= ends[-1] and len(open_records) > 1:
                at = ends.pop()
                open_records.pop()
                continue
            if at + self._head.size > len(self._data):
                raise MalformedError("cut short: the list of records has no end")
            end, values, length, name_length = self._head.unpack_from(self._data, at)
            at += self._head.size
            if end == 0:
                at = ends.pop()
                open_records.pop()
                continue
            first = at + name_length
            if not first + length <= end <= ends[-1]:
                raise MalformedError(f"cut short or damaged: a record at byte {at} ends at {end} of {ends[-1]}")
            count += 1
            if count > MOST_RECORDS or len(open_records) > DEEPEST:
                raise MalformedError(f"more than {MOST_RECORDS} records, or nested deeper than {DEEPEST}")
            record = Record(self._data[at:first].decode("utf-8", "replace"))
            record.values = self._values(first, values, first + length)
            open_records[-1].children.append(record)
            open_records.append(record)
            ends.append(end)
            at = first + length
        return self._version, root

    def _values(self, at: int, count: int, end: int) -> list[Any]:
        if count > end - at:
            raise MalformedError(f"a record claims {count} values in {end - at} bytes")
        values: list[Any] = []
        data, plain = self._data, self._plain
        for _ in range(count):
            kind = chr(data[at]) if at < end else ""
            at += 1
            if kind in plain:
                if at + plain[kind].size > end:
                    raise MalformedError("a value is cut short")
                values.append(plain[kind].unpack_from(data, at)[0])
                at += plain[kind].size
            elif kind in ("S", "R"):
                length = self._unpack("I", at)
                content = data[at + 4 : min(at + 4 + length, end)]
                if len(content) < length:
                    raise MalformedError("a text is cut short")
                values.append(_text(content) if kind == "S" else content)
                at += 4 + length
            elif kind and kind in "fdilbc":
                values.append(self._array(kind, at, end))
                at += 12 + len(values[-1].data)
            else:
                raise MalformedError(f"unknown type of value {kind!r}")
        return values

    def _array(self, kind: str, at: int, end: int) -> PackedArray:
        count, packed, length = (self._unpack("I", at + 4 * k) for k in range(3))
        found = PackedArray(kind, count, packed == 1, b"", self._order)
        stored = length if packed else found.size
        if at + 12 + stored > end or packed > 1:
            raise MalformedError("an array is cut short, or packed in an unknown way")
        self._bytes += found.size
        if self._bytes > MOST_BYTES:
            raise MalformedError(f"its arrays claim to hold more than {MOST_BYTES >> 20} MB")
        return PackedArray(kind, count, packed == 1, self._data[at + 12 : at + 12 + stored], self._order)


def _text(content: bytes) -> str:
    """Text; the name and class of an object, divided by two odd bytes, become ``Class::name`` as in text files."""
    name, divider, kind = content.decode("utf-8", "replace").partition("\0\x01")
    return f"{kind}::{name}" if divider else name
