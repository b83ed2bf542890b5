"""glTF 2.0 files (``.glb``, ``.gltf``): skinned characters with animations, and props."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from understudy.core.motion import Motion
from understudy.formats.atomic import replacing
from understudy.formats.glb_read import read_motions
from understudy.formats.glb_write import write_scene
from understudy.formats.options import ReadOptions, WriteOptions

__all__ = ["read", "write"]


def read(path: Path, options: ReadOptions) -> list[Motion]:
    """The motion of every character in the file; see :func:`understudy.formats.glb_read.read_motions`."""
    return read_motions(path, options)


def write(motions: Sequence[Motion], path: Path, options: WriteOptions) -> None:
    """Write characters and props; the file appears whole or not at all. Unit and axis are fixed by the format."""
    with replacing(path) as temporary:
        write_scene(motions, path, options, temporary)
