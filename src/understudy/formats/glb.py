"""glTF 2.0 files (``.glb``, ``.gltf``, ``.vrm``, ``.vrma``): skinned characters with animations, and props."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from understudy.core.motion import Motion
from understudy.errors import FormatError
from understudy.formats.atomic import replacing
from understudy.formats.glb_read import read_motions
from understudy.formats.glb_write import write_scene
from understudy.formats.options import ReadOptions, WriteOptions
from understudy.formats.vrm import vrma_bytes

__all__ = ["read", "write"]


def read(path: Path, options: ReadOptions) -> list[Motion]:
    """The motion of every character in the file; see :func:`understudy.formats.glb_read.read_motions`."""
    return read_motions(path, options)


def write(motions: Sequence[Motion], path: Path, options: WriteOptions) -> None:
    """Write characters and props; the file appears whole or not at all. Unit and axis are fixed by the format.

    Raises:
        FormatError: A ``.vrma`` is to hold several characters, or a ``.vrm`` is to be made of nothing.
    """
    suffix = path.suffix.lower()
    if suffix == ".vrm":
        raise FormatError("a VRM is a character of its own: retarget onto one, or write .vrma or .glb", path=path)
    if suffix == ".vrma" and len(motions) > 1:
        raise FormatError(f"a VRM animation holds one motion, not {len(motions)}", path=path)
    with replacing(path) as temporary:
        if suffix == ".vrma":
            temporary.write_bytes(vrma_bytes(motions[0], path))
        else:
            write_scene(motions, path, options, temporary)
