"""A glTF 2.0 document: its JSON with checked access, and its buffers.

Nothing in the file is trusted: every index, number and length is checked where it is used, external files are only
read from the document's own folder, and no data is copied before it is known to exist.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from understudy.core.documents import decoded, json_values
from understudy.errors import FormatError
from understudy.formats.options import ReadOptions
from understudy.typing import FloatArray

GLB_MAGIC = 0x46546C67
JSON_CHUNK = 0x4E4F534A
BIN_CHUNK = 0x004E4942

Object = dict[str, Any]


@dataclass(frozen=True, eq=False, kw_only=True)
class GltfDocument:
    """The JSON of one file and what its buffers hold.

    Attributes:
        path: The file.
        root: The parsed JSON.
        binary: The binary chunk of a ``.glb``; ``None`` in a ``.gltf``.
        other_chunks: Chunks of a ``.glb`` beyond the first two, as ``(type, bytes)``.
        format_name: The format it was read from.
        unit_m: Metres per unit of that file.
        up: Up axis of that file.
        remarks: What was guessed about it.
    """

    path: Path
    root: Object
    binary: bytes | None = None
    other_chunks: tuple[tuple[int, bytes], ...] = ()
    format_name: str = "glb"
    unit_m: float = 1.0
    up: str = "y"
    remarks: tuple[str, ...] = ()

    def fault(self, message: str) -> FormatError:
        """An error about this file."""
        return FormatError(message, path=self.path)

    def entries(self, kind: str) -> list[Object]:
        """One of the top-level arrays, such as ``nodes``."""
        return self.objects(self.root, kind, kind)

    def entry(self, kind: str, index: Any) -> Object:
        """One element of a top-level array."""
        found = self.entries(kind)
        return found[self.index(index, len(found), f"an index into {kind}")]

    def index(self, value: Any, count: int, what: str) -> int:
        """``value`` checked to be a whole number in ``[0, count)``."""
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < count:
            raise self.fault(f"{what} is {_shown(value)}; allowed: 0..{count - 1}")
        return value

    def whole(self, holder: Object, key: str, default: int | None, what: str) -> int:
        """A non-negative whole number; a missing one is ``default``, or a fault when that is ``None``."""
        value = holder.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**53:
            raise self.fault(f"{what}: {key} is {_shown(value)}; it must be a whole number, not negative")
        return value

    def text(self, holder: Object, key: str, default: str = "") -> str:
        """A string; anything else counts as missing."""
        value = holder.get(key)
        return value if isinstance(value, str) else default

    def object(self, holder: Object, key: str, what: str) -> Object:
        """A nested object that must be there."""
        value = holder.get(key)
        if not isinstance(value, dict):
            raise self.fault(f"{what}: {key} is {_shown(value)}; it must be an object")
        return value

    def objects(self, holder: Object, key: str, what: str) -> list[Object]:
        """A nested array of objects; empty when missing."""
        value = holder.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            raise self.fault(f"{what}: {key} must be an array of objects")
        return value

    def indices(self, holder: Object, key: str, count: int, what: str) -> list[int]:
        """A nested array of indices below ``count``; empty when missing."""
        value = holder.get(key, [])
        if not isinstance(value, list):
            raise self.fault(f"{what}: {key} must be an array of indices")
        return [self.index(entry, count, f"{what}: an entry of {key}") for entry in value]

    def numbers(self, holder: Object, key: str, default: Sequence[float], what: str) -> FloatArray:
        """A nested array of as many finite numbers as ``default`` has."""
        value = holder.get(key, default)
        if not isinstance(value, list | tuple) or len(value) != len(default):
            raise self.fault(f"{what}: {key} must hold {len(default)} numbers")
        if not all(isinstance(number, int | float) and abs(number) < 1e30 for number in value):
            raise self.fault(f"{what}: {key} holds something that is not a finite number")
        return np.array(value, dtype=np.float64)

    def buffer(self, index: int) -> bytes:
        """The bytes of a buffer: the binary chunk, a data URI, or a file beside the document."""
        cached: dict[int, bytes] = self.__dict__.setdefault("_buffers", {})
        if index not in cached:
            cached[index] = self._load_buffer(index)
        return cached[index]

    def _load_buffer(self, index: int) -> bytes:
        what = f"buffer {index}"
        entry = self.entry("buffers", index)
        length = self.whole(entry, "byteLength", None, what)
        uri = entry.get("uri")
        if uri is None:
            if index != 0 or self.binary is None:
                raise self.fault(f"{what} has no data: no uri, and no binary chunk belongs to it")
            content = self.binary
        else:
            content = self.resource(uri, what)
        if len(content) < length:
            raise self.fault(f"{what} should hold {length} bytes but has {len(content)}; the file is cut short")
        return content[:length]

    def resource(self, uri: Any, what: str) -> bytes:
        """The bytes behind a URI; only data URIs and files in or below the document's folder are opened."""
        if not isinstance(uri, str):
            raise self.fault(f"{what}: uri is {_shown(uri)}; it must be text")
        if uri.startswith("data:"):
            return self._data_uri(uri, what)
        name = unquote(uri)
        folder = self.path.parent.resolve()
        if ":" in name or "\\" in name or "\0" in name:
            raise self.fault(f"{what}: {_shown(uri)} is not a file name; only files beside the document are read")
        try:
            target = (folder / name).resolve()
            if not target.is_relative_to(folder):
                raise self.fault(f"{what}: {_shown(uri)} lies outside the document's folder")
            return target.read_bytes()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise self.fault(f"{what}: cannot read {_shown(uri)}: {reason}") from error

    def _data_uri(self, uri: str, what: str) -> bytes:
        head, comma, body = uri.partition(",")
        if not comma or not head.endswith(";base64"):
            raise self.fault(f"{what}: the data uri is not base64")
        try:
            return base64.b64decode(body, validate=True)
        except (binascii.Error, ValueError) as error:
            raise self.fault(f"{what}: the data uri is not valid base64") from error


def load_document(path: Path, options: ReadOptions | None = None) -> GltfDocument:
    """Read a ``.glb`` or ``.gltf`` (the content decides which it is), or an ``.fbx`` as if it were one.

    Args:
        path: The file.
        options: Unit and up axis that an FBX file shall not be asked for.

    Raises:
        FormatError: Not glTF 2.0, cut short, or not valid JSON.
    """
    if path.suffix.lower() == ".fbx":
        from understudy.formats.fbx.document import fbx_document

        return fbx_document(path, options or ReadOptions())
    data = path.read_bytes()
    if data[:4] == b"glTF":
        return _load_glb(path, data)
    if path.suffix.lower() == ".glb":
        raise FormatError('not a GLB file: it does not begin with "glTF"', path=path)
    return GltfDocument(path=path, root=_parsed(path, data))


def _load_glb(path: Path, data: bytes) -> GltfDocument:
    if len(data) < 20:
        raise FormatError("cut short: a GLB file has at least 20 bytes", path=path)
    _, version, length = struct.unpack_from("<III", data)
    if version != 2:
        raise FormatError(f"GLB version {version}; only version 2 can be read", path=path)
    if length > len(data):
        raise FormatError(f"cut short: should be {length} bytes, is {len(data)}", path=path)
    chunks = _chunks(path, data[:length])
    if not chunks or chunks[0][0] != JSON_CHUNK:
        raise FormatError("the first chunk of a GLB file must be JSON", path=path)
    binary = chunks[1][1] if len(chunks) > 1 and chunks[1][0] == BIN_CHUNK else None
    rest = chunks[1 if binary is None else 2 :]
    root = _parsed(path, chunks[0][1])
    return GltfDocument(path=path, root=root, binary=binary, other_chunks=tuple(rest))


def _chunks(path: Path, data: bytes) -> list[tuple[int, bytes]]:
    chunks, at = [], 12
    while at < len(data):
        if at + 8 > len(data):
            raise FormatError("cut short: a chunk header is incomplete", path=path)
        size, kind = struct.unpack_from("<II", data, at)
        if at + 8 + size > len(data):
            raise FormatError(f"cut short: a chunk of {size} bytes does not fit into the file", path=path)
        chunks.append((kind, data[at + 8 : at + 8 + size]))
        # Chunks start at multiples of 4; a last one without padding is tolerated.
        at += 8 + size + (-size) % 4
    return chunks


def _parsed(path: Path, data: bytes) -> Object:
    root = json_values(decoded(data, path).rstrip(" \0"), path, "glTF JSON", strict=True)
    asset = root.get("asset") if isinstance(root, dict) else None
    version = asset.get("version") if isinstance(asset, dict) else None
    if not isinstance(version, str) or not version.startswith("2."):
        raise FormatError(f"not a glTF 2.x file: asset.version is {_shown(version)}", path=path)
    return root


def packed_glb(root: Object, binary: bytes, other_chunks: Sequence[tuple[int, bytes]] = ()) -> bytes:
    """The bytes of a ``.glb``; ``root`` must already describe ``binary`` as its buffer 0."""
    text = json.dumps(root, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
    chunks = [(JSON_CHUNK, text + b" " * (-len(text) % 4))]
    if binary:
        chunks.append((BIN_CHUNK, binary + b"\0" * (-len(binary) % 4)))
    chunks += [(kind, data + b"\0" * (-len(data) % 4)) for kind, data in other_chunks]
    body = b"".join(struct.pack("<II", len(data), kind) + data for kind, data in chunks)
    return struct.pack("<III", GLB_MAGIC, 2, 12 + len(body)) + body


def _shown(value: Any) -> str:
    text = repr(value) if isinstance(value, str | int | float | bool | None) else f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."
