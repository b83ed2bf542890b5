"""Named arrays in a zip archive (``.npz``), read without trust and written so that they can be memory-mapped.

Nothing is ever unpickled. An array is only read when the bytes it claims are really in the file, so a forged
header cannot make the reader allocate more than the file can hold.
"""

from __future__ import annotations

import math
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from understudy.errors import FormatError

#: Deflate cannot shrink data more than about 1032 times.
_MOST_SHRINKING = 1040
#: Largest compressed array that is unpacked; larger ones have to be stored uncompressed.
_MOST_UNPACKED_BYTES = 1 << 31
#: Smaller arrays are cheaper to read than to map.
_LEAST_MAPPED_BYTES = 1 << 16
_CHUNK_BYTES = 1 << 22
_ALIGNMENT_BYTES = 64
_LOCAL_HEADER_BYTES = 30
_LAST_CHARACTER = 0x10FFFF
_SURROGATES = (0xD800, 0xDFFF)
#: Marks a zip extra field that only holds padding.
_PADDING_FIELD = 0xD935

#: What the standard library raises on damaged archives and array headers.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    OverflowError,
    SyntaxError,
    RecursionError,
    MemoryError,
    tokenize.TokenError,
    NotImplementedError,
    RuntimeError,
)

Array = npt.NDArray[Any]


@contextmanager
def _refusing_damage(path: Path) -> Iterator[None]:
    try:
        yield
    except _DAMAGE as error:
        raise FormatError(f"is damaged, or not an npz file: {error}", path=path) from error


@contextmanager
def opened(path: Path) -> Iterator[NpzArchive]:
    """Open an archive for reading.

    Raises:
        FormatError: The file is not a zip archive.
    """
    with path.open("rb") as stream:
        with _refusing_damage(path):
            archive = zipfile.ZipFile(stream)
        with archive:
            yield NpzArchive(path, stream, archive)


class NpzArchive:
    """The arrays of an open archive; see :func:`opened`."""

    def __init__(self, path: Path, stream: IO[bytes], archive: zipfile.ZipFile) -> None:
        self.path = path
        self._stream = stream
        self._archive = archive
        self._members = {
            info.filename.removesuffix(".npy"): info for info in archive.infolist() if info.filename.endswith(".npy")
        }

    @property
    def keys(self) -> tuple[str, ...]:
        """Names of the arrays."""
        return tuple(self._members)

    def __contains__(self, key: str) -> bool:
        """Whether there is an array of that name."""
        return key in self._members

    def array(self, key: str, *, kinds: str, shape: tuple[int | None, ...] | None) -> Array:
        """Read one array.

        Args:
            key: Its name.
            kinds: NumPy kind letters it may have, such as ``"fi"`` for numbers or ``"U"`` for text.
            shape: The shape it must have, with ``None`` for any length; ``None`` for any shape.

        Returns:
            A read-only array; large uncompressed ones are mapped from the file.

        Raises:
            FormatError: It is missing, damaged, of another kind or shape, or would need unpickling.
        """
        if key not in self._members:
            raise FormatError(f'array "{key}" is missing', path=self.path)
        with _refusing_damage(self.path):
            return self._read(key, self._members[key], kinds, shape)

    def number(self, key: str, *, kinds: str) -> float:
        """Read an array of one number."""
        return float(self.array(key, kinds=kinds, shape=()).item())

    def words(self, key: str, *, count: int | None = None) -> list[str]:
        """Read a flat array of text."""
        array = self.array(key, kinds="U", shape=(count,))
        # NumPy would make broken strings out of code points that do not exist.
        codes = np.frombuffer(array.tobytes(), dtype=np.dtype("u4").newbyteorder(array.dtype.byteorder))
        if ((codes > _LAST_CHARACTER) | ((codes >= _SURROGATES[0]) & (codes <= _SURROGATES[1]))).any():
            raise FormatError(f'array "{key}" holds characters that do not exist', path=self.path)
        return [str(word) for word in array.tolist()]

    def _read(self, key: str, info: zipfile.ZipInfo, kinds: str, shape: tuple[int | None, ...] | None) -> Array:
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or info.flag_bits & 1:
            raise FormatError(f'array "{key}" is encrypted, or compressed in an unsupported way', path=self.path)
        with self._archive.open(info) as member:
            declared, fortran_order, dtype = _read_header(member)
            self._check(key, declared, dtype, kinds, shape)
            size = math.prod(declared) * dtype.itemsize
            flat = self._payload(key, info, member, size).view(dtype)
        array = flat.reshape(declared, order="F" if fortran_order else "C")
        array.flags.writeable = False
        return array

    def _check(
        self,
        key: str,
        declared: tuple[int, ...],
        dtype: np.dtype[Any],
        kinds: str,
        shape: tuple[int | None, ...] | None,
    ) -> None:
        if dtype.hasobject:
            raise FormatError(
                f'array "{key}" holds pickled Python objects, which could run code and are never loaded; '
                "save it again as plain numbers or text",
                path=self.path,
            )
        if dtype.kind not in kinds or dtype.itemsize == 0:
            raise FormatError(f'array "{key}" is of type {dtype}, which is not allowed', path=self.path)
        shape = (None,) * len(declared) if shape is None else shape
        fits = len(declared) == len(shape) and all(w in (None, d) for d, w in zip(declared, shape, strict=True))
        if not fits or any(length < 0 for length in declared):
            wanted = ", ".join("any" if length is None else str(length) for length in shape)
            raise FormatError(f'array "{key}" has shape {declared}; expected ({wanted})', path=self.path)

    def _payload(self, key: str, info: zipfile.ZipInfo, member: IO[bytes], size: int) -> npt.NDArray[np.uint8]:
        """The bytes after the header, checked against the archive's checksum."""
        header = member.tell()
        stored = info.compress_type == zipfile.ZIP_STORED
        most = info.compress_size if stored else min(info.compress_size * _MOST_SHRINKING, _MOST_UNPACKED_BYTES)
        room = min(most, self._file_bytes() * (1 if stored else _MOST_SHRINKING))
        if header + size != info.file_size or size > room:
            raise FormatError(f'array "{key}" claims {size} bytes, more than the file holds', path=self.path)
        start = self._data_start(info) + header
        # Mapped numbers must lie aligned, or compiled code could not use them.
        if stored and size >= _LEAST_MAPPED_BYTES and start % _ALIGNMENT_BYTES == 0:
            mapped = np.memmap(self.path, dtype=np.uint8, mode="r", offset=start, shape=(size,))
            self._check_sum(key, info, mapped, start - header)
            return np.asarray(mapped)
        data = member.read(size)
        if len(data) != size or member.read(1):
            raise FormatError(f'array "{key}" is cut off', path=self.path)
        return np.frombuffer(data, dtype=np.uint8)

    def _file_bytes(self) -> int:
        return self.path.stat().st_size

    def _data_start(self, info: zipfile.ZipInfo) -> int:
        """Where a member's bytes begin in the file."""
        place = self._stream.tell()
        self._stream.seek(info.header_offset)
        name_bytes, extra_bytes = struct.unpack("<26x2H", self._stream.read(_LOCAL_HEADER_BYTES))
        self._stream.seek(place)
        return info.header_offset + _LOCAL_HEADER_BYTES + name_bytes + extra_bytes

    def _check_sum(self, key: str, info: zipfile.ZipInfo, mapped: npt.NDArray[np.uint8], member_start: int) -> None:
        place = self._stream.tell()
        self._stream.seek(member_start)
        total = zlib.crc32(self._stream.read(info.file_size - len(mapped)))
        self._stream.seek(place)
        for start in range(0, len(mapped), _CHUNK_BYTES):
            total = zlib.crc32(mapped[start : start + _CHUNK_BYTES].data, total)
        if total != info.CRC:
            raise FormatError(f'array "{key}" is damaged: its checksum does not match', path=self.path)


def write_arrays(path: Path, arrays: Iterable[tuple[str, Array]]) -> None:
    """Write named arrays uncompressed, each at an aligned place; the same arrays give the same bytes."""
    with path.open("wb") as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for key, array in arrays:
            info = zipfile.ZipInfo(f"{key}.npy")
            info.extra = _padding(stream.tell() + _LOCAL_HEADER_BYTES + len(info.filename.encode()))
            # Decides beforehand whether the member needs 64-bit sizes; the header is some hundred bytes.
            info.file_size = array.nbytes + 1024
            with archive.open(info, "w") as member:
                np.lib.format.write_array(member, array, allow_pickle=False)


def _padding(start: int) -> bytes:
    """An extra field after which the data, and so the array after its 64-byte-padded header, lies aligned."""
    length = -(start + 4) % _ALIGNMENT_BYTES
    return struct.pack("<2H", _PADDING_FIELD, length) + bytes(length)


def _read_header(member: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    version = np.lib.format.read_magic(member)
    if version == (1, 0):
        return np.lib.format.read_array_header_1_0(member)
    if version == (2, 0):
        return np.lib.format.read_array_header_2_0(member)
    raise ValueError(f"array header of version {version[0]}.{version[1]} is unknown")
