"""Motion maps inside a library's file: arrays mapped from the disk, checked once when they are opened."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from understudy.errors import FormatError
from understudy.formats.npz_archive import Array, NpzArchive
from understudy.library.graph import Graph
from understudy.library.motion_maps import TYPES, MotionMaps, fault_in

VERSION = 1
#: Array of version, clips and fan; a file without it has no maps.
SETTINGS_KEY = "map_settings"


def map_arrays(maps: MotionMaps) -> Iterator[tuple[str, Array]]:
    """Names and arrays to write."""
    yield SETTINGS_KEY, np.array([VERSION, maps.clips, maps.fan], dtype="<i8")
    for name, (kind, _) in TYPES.items():
        yield f"map_{name}", getattr(maps, name).astype(kind, copy=False)


def read_maps(archive: NpzArchive, graph: Graph) -> MotionMaps | None:
    """The maps of a library's file; ``None`` when it has none.

    Raises:
        FormatError: They are cut off, contradict themselves or their graph, or were written by another version.
    """
    if SETTINGS_KEY not in archive:
        return None
    version, clips, fan = archive.array(SETTINGS_KEY, kinds="i", shape=(3,)).tolist()
    if version != VERSION:
        raise FormatError(
            f"its motion maps are of version {version}; this Understudy reads version {VERSION}. Build them again",
            path=archive.path,
        )
    ways = len(archive.array("map_cells", kinds="i", shape=(None,)))
    sizes: dict[str | int, int] = {"n": graph.nodes, "n+1": graph.nodes + 1, "w": ways}
    parts = {
        name: archive.array(
            f"map_{name}",
            kinds=np.dtype(kind).kind,
            shape=tuple(sizes.get(side, side) for side in shape),  # type: ignore[arg-type]
        )
        for name, (kind, shape) in TYPES.items()
    }
    maps = MotionMaps(clips=int(clips), fan=int(fan), **parts)
    fault = fault_in(maps, sources=graph.sources, targets=graph.targets)
    if fault:
        raise FormatError(f"its motion maps are damaged: {fault} cannot be", path=archive.path)
    return maps
