"""FBX files, versions 6000 to 7700, binary and text: read as glTF documents, written as binary 7400."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from understudy.core.motion import Motion
from understudy.formats.atomic import replacing
from understudy.formats.fbx.write import scene_bytes
from understudy.formats.glb_read import read_motions
from understudy.formats.options import ReadOptions, WriteOptions

__all__ = ["read", "write"]


def read(path: Path, options: ReadOptions) -> list[Motion]:
    """The motion of every character in the file, from its longest take or the one that ``options`` names."""
    return read_motions(path, options)


def write(motions: Sequence[Motion], path: Path, options: WriteOptions) -> None:
    """Write characters and props in centimetres, Y up; the file appears whole or not at all."""
    content = scene_bytes(motions, options)
    with replacing(path) as temporary:
        temporary.write_bytes(content)
