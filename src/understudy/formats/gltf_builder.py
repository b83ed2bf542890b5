"""A glTF document while it is made: entries by kind, the buffer they refer to, tracks on their way into animations."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from understudy.errors import FormatError
from understudy.formats.gltf_accessors import BufferBuilder
from understudy.formats.gltf_document import Object
from understudy.typing import FloatArray


class GltfBuilder:
    """Collects the parts of a document.

    Attributes:
        path: Named in errors.
        buffer: Binary data, with its views and accessors.
        parts: Entries by kind, such as ``nodes``.
        roots: Nodes that stand in the scene itself.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.buffer = BufferBuilder()
        self.parts: dict[str, list[Object]] = {}
        self.roots: list[int] = []
        self._channels: list[Object] = []
        self._samplers: list[Object] = []

    def add(self, kind: str, entry: Object) -> int:
        """Add an entry; its index among those of its kind."""
        listed = self.parts.setdefault(kind, [])
        listed.append(entry)
        return len(listed) - 1

    def key_times(self, times_s: FloatArray, what: str) -> int:
        """Add key times; the index of their accessor.

        Raises:
            FormatError: Times lie before 0, or coincide in 32 bits.
        """
        keys = times_s.astype("<f4")
        if keys[0] < 0 or not (np.diff(keys) > 0).all():
            said = f"{what}: key times must start at 0 or later and differ in 32-bit precision"
            raise FormatError(said, path=self.path)
        return self.buffer.accessor(keys[:, None], "SCALAR", bounds=True)

    def animate(self, node: int, times: int, path: str, values: FloatArray) -> None:
        """Add a track of a node: translations or scales ``(keys, 3)``, or rotations ``(keys, 4)`` wxyz."""
        is_turn = path == "rotation"
        stored = (values[:, [1, 2, 3, 0]] if is_turn else values).astype("<f4")
        output = self.buffer.accessor(stored, "VEC4" if is_turn else "VEC3")
        self._channels.append({"sampler": len(self._samplers), "target": {"node": node, "path": path}})
        self._samplers.append({"input": times, "interpolation": "LINEAR", "output": output})

    def end_animation(self, name: str) -> None:
        """Make one animation of all tracks added since the last; nothing where there are none."""
        if self._channels:
            self.add("animations", {"name": name, "channels": self._channels, "samplers": self._samplers})
        self._channels, self._samplers = [], []

    def root(self) -> Object:
        """The document's JSON."""
        return {
            "asset": {"version": "2.0", "generator": "understudy"},
            "scene": 0,
            "scenes": [{"nodes": self.roots}],
            **self.parts,
            "accessors": self.buffer.accessors,
            "bufferViews": self.buffer.views,
            "buffers": [{"byteLength": len(self.buffer.data)}],
        }
