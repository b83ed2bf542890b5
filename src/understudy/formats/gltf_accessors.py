"""Typed arrays in and out of glTF buffers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy.formats.gltf_document import GltfDocument, Object

_COMPONENTS: dict[int, np.dtype[Any]] = {
    5120: np.dtype("<i1"),
    5121: np.dtype("<u1"),
    5122: np.dtype("<i2"),
    5123: np.dtype("<u2"),
    5125: np.dtype("<u4"),
    5126: np.dtype("<f4"),
}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
_CODES = {dtype: code for code, dtype in _COMPONENTS.items()}

#: Elements an accessor without data (all zeros) may claim; others are bounded by the bytes that exist.
_MOST_ZEROS = 1_000_000

ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER = 34962, 34963


def accessor_array(document: GltfDocument, index: Any, kind: str) -> npt.NDArray[np.float64]:
    """The elements of an accessor as ``(count, width)`` float64; normalised integers become fractions.

    Args:
        document: The file.
        index: Which accessor; anything that is not a valid index is a fault.
        kind: The element type it must have, such as ``"VEC4"``.

    Raises:
        FormatError: The accessor does not exist, has another type, or its data lies outside its buffer.
    """
    entry = document.entry("accessors", index)
    what = f"accessor {index}"
    if entry.get("type") != kind:
        raise document.fault(f"{what} has type {document.text(entry, 'type')!r}; expected {kind}")
    count = document.whole(entry, "count", None, what)
    dtype = _component(document, entry, what)
    if "bufferView" in entry:
        values = _strided(document, entry, dtype, count, _WIDTHS[kind], what)
    elif count <= _MOST_ZEROS:
        values = np.zeros((count, _WIDTHS[kind]), dtype=dtype)
    else:
        raise document.fault(f"{what} claims {count} elements without data")
    if "sparse" in entry:
        values = _with_sparse(document, document.object(entry, "sparse", what), values, what)
    result = values.astype(np.float64)
    if entry.get("normalized") is True and dtype.kind in "iu":
        result = np.maximum(result / np.iinfo(dtype).max, -1.0)
    if not np.isfinite(result).all():
        raise document.fault(f"{what} holds values that are not finite")
    return result


def _component(document: GltfDocument, entry: Object, what: str) -> np.dtype[Any]:
    code = entry.get("componentType")
    if not isinstance(code, int) or code not in _COMPONENTS:
        raise document.fault(f"{what}: unknown componentType {code!r:.40}")
    return _COMPONENTS[code]


def _strided(
    document: GltfDocument, entry: Object, dtype: np.dtype[Any], count: int, width: int, what: str
) -> npt.NDArray[Any]:
    view = document.entry("bufferViews", entry.get("bufferView"))
    data = document.buffer(document.index(view.get("buffer"), len(document.entries("buffers")), f"{what}: buffer"))
    start = document.whole(view, "byteOffset", 0, what)
    length = document.whole(view, "byteLength", None, what)
    if start + length > len(data):
        raise document.fault(f"{what}: its buffer view ends at byte {start + length} of {len(data)}")
    offset = document.whole(entry, "byteOffset", 0, what)
    size = dtype.itemsize * width
    stride = document.whole(view, "byteStride", size, what)
    if stride < size:
        raise document.fault(f"{what}: byteStride {stride} is smaller than one element ({size} bytes)")
    if count and offset + stride * (count - 1) + size > length:
        raise document.fault(f"{what}: {count} elements do not fit into its buffer view of {length} bytes")
    if count == 0:
        return np.zeros((0, width), dtype=dtype)
    return np.ndarray((count, width), dtype, data, start + offset, (stride, dtype.itemsize))


def _with_sparse(document: GltfDocument, sparse: Object, values: npt.NDArray[Any], what: str) -> npt.NDArray[Any]:
    count = document.whole(sparse, "count", None, f"{what}: sparse")
    where_entry = document.object(sparse, "indices", what)
    value_entry = document.object(sparse, "values", what)
    code = _component(document, where_entry, f"{what}: sparse indices")
    where = _strided(document, where_entry, code, count, 1, f"{what}: sparse indices")[:, 0]
    replacing = _strided(document, value_entry, values.dtype, count, values.shape[1], f"{what}: sparse values")
    if code.kind != "u" or (count and int(where.max()) >= len(values)):
        raise document.fault(f"{what}: sparse indices lie outside 0..{len(values) - 1}")
    filled = values.copy()
    filled[where] = replacing
    return filled


@dataclass
class BufferBuilder:
    """Collects arrays into one binary buffer with the views and accessors that describe it.

    Attributes:
        data: The bytes so far.
        views: ``bufferViews`` entries.
        accessors: ``accessors`` entries.
    """

    data: bytearray = field(default_factory=bytearray)
    views: list[Object] = field(default_factory=list)
    accessors: list[Object] = field(default_factory=list)

    def view(self, array: npt.NDArray[Any], *, target: int | None = None) -> int:
        """Append an array's bytes at a 4-byte boundary; the index of the new view."""
        self.data.extend(b"\0" * (-len(self.data) % 4))
        raw = np.ascontiguousarray(array).tobytes()
        entry: Object = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(raw)}
        if target is not None:
            entry["target"] = target
        self.data.extend(raw)
        self.views.append(entry)
        return len(self.views) - 1

    def accessor(
        self,
        array: npt.NDArray[Any],
        kind: str,
        *,
        view: int | None = None,
        offset: int = 0,
        target: int | None = None,
        bounds: bool = False,
    ) -> int:
        """Describe ``array`` ``(count, width)``, appending its bytes unless ``view`` already holds them.

        Args:
            array: Elements, already of the type to store.
            kind: glTF element type.
            view: A view whose bytes at ``offset`` are the array's.
            offset: [byte] within ``view``.
            target: What a new view is for.
            bounds: Whether to state minimum and maximum.
        """
        entry: Object = {
            "bufferView": self.view(array, target=target) if view is None else view,
            "componentType": _CODES[array.dtype.newbyteorder("<")],
            "count": len(array),
            "type": kind,
        }
        if offset:
            entry["byteOffset"] = offset
        if bounds:
            columns = array.reshape(len(array), -1)
            entry["min"] = [value.item() for value in columns.min(axis=0)]
            entry["max"] = [value.item() for value in columns.max(axis=0)]
        self.accessors.append(entry)
        return len(self.accessors) - 1
