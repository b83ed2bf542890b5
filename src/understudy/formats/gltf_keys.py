"""Animation keys on their way into a glTF buffer."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from understudy.errors import FormatError
from understudy.formats.gltf_accessors import BufferBuilder
from understudy.formats.gltf_document import Object
from understudy.typing import FloatArray


def key_times(buffer: BufferBuilder, times_s: FloatArray, what: str, path: Path) -> int:
    """Append key times; the index of their accessor.

    Raises:
        FormatError: Times lie before 0, or coincide in 32 bits.
    """
    keys = times_s.astype("<f4")
    if keys[0] < 0 or not (np.diff(keys) > 0).all():
        raise FormatError(f"{what}: key times must start at 0 or later and differ in 32-bit precision", path=path)
    return buffer.accessor(keys[:, None], "SCALAR", bounds=True)


def linear_sampler(buffer: BufferBuilder, times: int, path: str, values: FloatArray) -> Object:
    """An animation sampler of translations ``(keys, 3)`` or rotations ``(keys, 4)`` wxyz."""
    is_turn = path == "rotation"
    stored = (values[:, [1, 2, 3, 0]] if is_turn else values).astype("<f4")
    output = buffer.accessor(stored, "VEC4" if is_turn else "VEC3")
    return {"input": times, "interpolation": "LINEAR", "output": output}
