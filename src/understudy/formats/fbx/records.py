"""The tree of records that every FBX file is, binary or text, and checked access to it."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

#: Bytes that all arrays of one file may unpack to, records it may hold, and how deep they may nest.
MOST_BYTES = 1 << 29
MOST_RECORDS = 2_000_000
DEEPEST = 64

_TYPES = {"f": "f4", "d": "f8", "i": "i4", "l": "i8", "b": "u1", "c": "u1"}


class MalformedError(ValueError):
    """What is wrong with a file; whoever knows its name makes a ``FormatError`` of it."""


@dataclass(frozen=True, slots=True)
class PackedArray:
    """Numbers as they lie in a binary file.

    Attributes:
        kind: Letter of the element type.
        count: Elements.
        packed: Whether ``data`` is zlib-compressed.
        data: The bytes.
        order: ``"<"`` or ``">"``.
    """

    kind: str
    count: int
    packed: bool
    data: bytes
    order: str

    @property
    def size(self) -> int:
        """Bytes it unpacks to."""
        return self.count * np.dtype(_TYPES[self.kind]).itemsize

    def unpacked(self) -> npt.NDArray[Any]:
        """The elements; never more bytes than were declared are inflated."""
        data = self.data
        if self.packed:
            try:
                data = zlib.decompressobj().decompress(data, self.size + 1)
            except zlib.error as error:
                raise MalformedError(f"a compressed array is damaged: {error}") from error
        if len(data) < self.size:
            raise MalformedError(f"an array of {self.count} elements is cut short")
        return np.frombuffer(data, self.order + _TYPES[self.kind], self.count)


@dataclass(slots=True)
class Record:
    """One node of the file: ``Name: value, value { children }``."""

    name: str
    values: list[Any] = field(default_factory=list)
    children: list[Record] = field(default_factory=list)

    def child(self, name: str) -> Record:
        """The first child of that name; an empty record when there is none."""
        return next((one for one in self.children if one.name == name), Record(name))

    def all(self, name: str) -> list[Record]:
        """Every child of that name."""
        return [one for one in self.children if one.name == name]

    def text(self, index: int = 0) -> str:
        """A value as text; empty when it is missing or a number."""
        value = self.values[index] if index < len(self.values) else ""
        return value if isinstance(value, str) else ""

    def number(self, index: int = 0, default: float = 0.0) -> float:
        """A value as a finite number."""
        value = self.values[index] if index < len(self.values) else default
        return float(value) if isinstance(value, int | float) and abs(value) < 1e30 else default

    def numbers(self) -> npt.NDArray[Any]:
        """Its array: one packed value, a text file's child ``a``, or all its values."""
        if self.values and isinstance(self.values[0], PackedArray):
            return self.values[0].unpacked()
        if self.children:
            return self.child("a").numbers()
        if len(self.values) == 1 and isinstance(self.values[0], np.ndarray):
            return self.values[0]
        try:
            return np.array(self.values, dtype=np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            raise MalformedError(f'"{self.name}" must hold numbers') from error

    def integers(self) -> npt.NDArray[np.int64]:
        """Its array as whole numbers."""
        values = self.numbers()
        if values.dtype.kind == "f":
            if not (np.abs(values) < 2**62).all():
                raise MalformedError(f'"{self.name}" must hold whole numbers')
            values = np.rint(values)
        return values.astype(np.int64)

    def reals(self, width: int = 1) -> npt.NDArray[np.float64]:
        """Its array as finite numbers ``(n, width)``, or ``(n,)``."""
        values = self.numbers().astype(np.float64)
        if not np.isfinite(values).all() or np.abs(values).max(initial=0.0) > 1e30:
            raise MalformedError(f'"{self.name}" holds numbers that are not finite')
        if width == 1:
            return values
        return values[: len(values) // width * width].reshape(-1, width)
