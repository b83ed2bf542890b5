"""FBX files, versions 6000 to 7700, binary and text: read as glTF documents, written as binary 7400."""

from __future__ import annotations

from pathlib import Path

from understudy.core.motion import Motion
from understudy.formats.glb_read import read_motions
from understudy.formats.options import ReadOptions

__all__ = ["read"]


def read(path: Path, options: ReadOptions) -> list[Motion]:
    """The motion of every character in the file, from its longest take or the one that ``options`` names."""
    return read_motions(path, options)
