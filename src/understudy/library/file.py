"""The library file ``.usl``: versioned, no pickle, arrays mapped from the disk rather than copied.

It is a zip archive of plain arrays (``formats/npz_archive``). Arrays whose name begins with ``map_`` are motion maps,
where they were computed; those with ``jump_`` are jumps between frames.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from understudy.core.skeleton import Skeleton
from understudy.errors import FormatError, SkeletonError
from understudy.formats.atomic import replacing
from understudy.formats.npz_archive import Array, NpzArchive, opened, write_arrays
from understudy.library import jump_table, motion_maps
from understudy.library.array_tables import Types, arrays_in, arrays_of, beyond, settings_array, settings_in, undamaged
from understudy.library.footage import Footage, Take
from understudy.library.graph import Graph
from understudy.library.jump_table import JumpTable
from understudy.library.motion_library import Library
from understudy.library.motion_maps import MotionMaps
from understudy.library.options import GRAPHS
from understudy.timing import timed
from understudy.typing import PathLike

VERSION = 1
VERSION_KEY = "understudy_library"
SUFFIX = ".usl"

#: Versions of what is worked out from a library and saved with it.
_MAPS_VERSION, _JUMPS_VERSION = 1, 1
#: Arrays of the graph, with "n" for nodes and "e" for edges.
_GRAPH: Types = {
    "first": ("<i8", ("n",)),
    "last": ("<i8", ("n",)),
    "labels": ("<i8", ("n",)),
    "frames": ("<f8", ("n", 3)),
    "moves": ("<f8", ("n", 3)),
    "edge_starts": ("<i8", ("n+1",)),
    "targets": ("<i8", ("e",)),
    "transforms": ("<f8", ("e", 3)),
    "pivots": ("<f8", ("e", 2)),
    "ranges": ("<f8", ("e", 2)),
    "costs": ("<f8", ("e",)),
    "carriers": ("<i8", ("e",)),
}


def save_library(library: Library, path: PathLike) -> Path:
    """Write a library; the file appears whole or not at all, and the same library gives the same bytes.

    Raises:
        FormatError: The ending is not ``.usl``, or the folder cannot be written to.
    """
    target = Path(path)
    if target.suffix.lower() != SUFFIX:
        raise FormatError(f'a library\'s file ends in "{SUFFIX}", not "{target.suffix}"', path=target)
    with replacing(target) as temporary:
        write_arrays(temporary, _arrays(library))
    return target


@timed("load")
def load_library(path: PathLike) -> Library:
    """Read a library; frames stay in the file until they are used.

    Raises:
        FormatError: It is missing, damaged, contradicts itself, or was written by another version.
    """
    source = Path(path)
    if source.is_dir():
        raise FormatError("is a folder, not a library", path=source)
    try:
        with opened(source) as archive:
            return _library(archive)
    except FileNotFoundError as error:
        raise FormatError("no such file", path=source) from error
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=source) from error
    except SkeletonError as error:
        raise FormatError(str(error), path=source) from error


def _arrays(library: Library) -> Iterator[tuple[str, Array]]:
    footage, skeleton = library.footage, library.skeleton
    yield VERSION_KEY, np.array(VERSION, dtype="<i8")
    yield "header", _bytes(_header(library))
    for key in ("parents", "offsets", "rest_rotations", "tip_joints", "tip_offsets"):
        yield f"skeleton_{key}", getattr(skeleton, key)
    yield "take_starts", footage.starts.astype("<i8")
    yield "root_positions", footage.root_positions.astype("<f4", copy=False)
    yield "rotations", footage.rotations.astype("<f4", copy=False)
    yield "planted", footage.planted.astype("|b1", copy=False)
    yield from arrays_of(library.graph, "graph", _GRAPH)
    if library.maps is not None:
        yield settings_array("map", _MAPS_VERSION, library.maps.clips, library.maps.fan)
        yield from arrays_of(library.maps, "map", motion_maps.TYPES)
    if library.jumps is not None:
        yield settings_array("jump", _JUMPS_VERSION, library.jumps.least)
        yield from arrays_of(library.jumps, "jump", jump_table.TYPES)


def _header(library: Library) -> dict[str, Any]:
    footage = library.footage
    return {
        "fps": footage.fps,
        "joints": list(library.skeleton.names),
        "humanoid": dict(library.skeleton.humanoid),
        "takes": [
            {
                "name": take.name,
                "source": take.source,
                "kind": take.kind,
                "mirrored": take.mirrored,
                "bend_radps": take.bend_radps,
            }
            for take in footage.takes
        ],
        "labels": list(library.labels),
        "kind": library.kind,
        "threshold_m": library.threshold_m,
        "half_window": library.half_window,
        "segments": library.segments,
        "notes": list(library.notes),
    }


def _bytes(document: dict[str, Any]) -> Array:
    return np.frombuffer(json.dumps(document, ensure_ascii=True, allow_nan=False).encode(), dtype=np.uint8)


def _library(archive: NpzArchive) -> Library:
    version = int(archive.number(VERSION_KEY, kinds="iu")) if VERSION_KEY in archive else None
    if version != VERSION:
        what = "no library" if version is None else f"version {version} of its files"
        raise FormatError(f"is {what}; this Understudy reads version {VERSION}", path=archive.path)
    try:
        header = json.loads(archive.array("header", kinds="u", shape=(None,)).tobytes())
        return _assembled(archive, header)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise FormatError(f"its header is damaged: {error}", path=archive.path) from error


def _assembled(archive: NpzArchive, header: dict[str, Any]) -> Library:
    footage = _footage(archive, header)
    graph = Graph(**arrays_in(archive, "graph", _GRAPH))
    labels = tuple(str(label) for label in header["labels"])
    library = Library(
        footage=footage,
        graph=graph,
        labels=labels,
        kind=str(header["kind"]),
        threshold_m=float(header["threshold_m"]),
        half_window=int(header["half_window"]),
        segments=int(header["segments"]),
        notes=tuple(str(note) for note in header["notes"]),
    )
    _check(library, archive.path)
    return replace(library, maps=_maps(archive, graph), jumps=_jumps(archive, footage))


def _footage(archive: NpzArchive, header: dict[str, Any]) -> Footage:
    joints = len(header["joints"])
    rotations = archive.array("rotations", kinds="f", shape=(None, joints, 4))
    frames = len(rotations)
    takes = tuple(
        Take(
            name=str(take["name"]),
            source=int(take["source"]),
            kind=str(take.get("kind", "recorded")),
            mirrored=bool(take["mirrored"]),
            bend_radps=float(take["bend_radps"]),
        )
        for take in header["takes"]
    )
    return Footage(
        skeleton=_skeleton(archive, header, joints),
        fps=float(header["fps"]),
        takes=takes,
        starts=archive.array("take_starts", kinds="i", shape=(len(takes) + 1,)),
        root_positions=archive.array("root_positions", kinds="f", shape=(frames, 3)),
        rotations=rotations,
        planted=archive.array("planted", kinds="b", shape=(frames, 2)),
    )


def _skeleton(archive: NpzArchive, header: dict[str, Any], joints: int) -> Skeleton:
    tips = archive.array("skeleton_tip_joints", kinds="i", shape=(None,))
    return Skeleton(
        names=tuple(str(name) for name in header["joints"]),
        parents=archive.array("skeleton_parents", kinds="i", shape=(joints,)),
        offsets=archive.array("skeleton_offsets", kinds="f", shape=(joints, 3)),
        rest_rotations=archive.array("skeleton_rest_rotations", kinds="f", shape=(joints, 4)),
        tip_joints=tips,
        tip_offsets=archive.array("skeleton_tip_offsets", kinds="f", shape=(len(tips), 3)),
        humanoid={str(role): int(joint) for role, joint in header["humanoid"].items()},
    )


def _maps(archive: NpzArchive, graph: Graph) -> MotionMaps | None:
    settings = settings_in(archive, "map", _MAPS_VERSION, 2, "motion maps")
    if settings is None:
        return None
    maps = MotionMaps(clips=settings[0], fan=settings[1], **arrays_in(archive, "map", motion_maps.TYPES, n=graph.nodes))
    fault = motion_maps.fault_in(maps, sources=graph.sources, targets=graph.targets)
    return undamaged(maps, fault, "motion maps", archive)


def _jumps(archive: NpzArchive, footage: Footage) -> JumpTable | None:
    settings = settings_in(archive, "jump", _JUMPS_VERSION, 1, "jumps")
    if settings is None:
        return None
    table = JumpTable(least=settings[0], **arrays_in(archive, "jump", jump_table.TYPES, f=len(footage)))
    return undamaged(table, jump_table.fault_in(table, len(footage), footage.starts), "jumps", archive)


def _check(library: Library, path: Path) -> None:
    """Everything a walk through the graph relies on."""
    footage, graph = library.footage, library.graph
    frames = len(footage)
    library.skeleton.require_humanoid()
    numbers: list[Array] = [
        footage.root_positions,
        graph.frames,
        graph.moves,
        graph.transforms,
        graph.pivots,
        graph.ranges,
        graph.costs,
    ]
    faults = {
        "its frame rate": not (np.isfinite(footage.fps) and 0 < footage.fps <= 1e6),
        "its kind": library.kind not in GRAPHS,
        "its window": not 1 <= library.half_window <= max(frames, 1),
        "its takes": frames == 0
        or footage.starts[0] != 0
        or footage.starts[-1] != frames
        or bool((np.diff(footage.starts) <= 0).any()),
        "its clips": graph.nodes == 0
        or bool((graph.first < 0).any())
        or bool((graph.last >= frames).any())
        or bool((graph.last <= graph.first).any()),
        "its labels": graph.nodes > 0 and not 0 <= graph.labels.min() <= graph.labels.max() < len(library.labels),
        "its transitions": graph.edge_starts[0] != 0
        or graph.edge_starts[-1] != graph.edges
        or bool((np.diff(graph.edge_starts) < 0).any())
        or (graph.edges > 0 and not 0 <= graph.targets.min() <= graph.targets.max() < graph.nodes),
        "its carriers": bool(((graph.carriers < 0) | (graph.carriers > 3)).any()),
        "its numbers": any(beyond(values) for values in numbers)
        or bool((graph.costs < 0.0).any())
        or not np.isfinite(library.threshold_m)
        or not (np.abs(np.linalg.norm(footage.rotations, axis=-1) - 1.0) < 1e-3).all(),
        "its windows": _windows_leave(library),
    }
    for what, wrong in faults.items():
        if wrong:
            raise FormatError(f"is damaged: {what} cannot be", path=path)


def _windows_leave(library: Library) -> bool:
    """Whether a clip, or the frames blended beside it, leave its take."""
    graph, starts = library.graph, library.footage.starts
    if graph.nodes == 0 or graph.first.min() < 0 or graph.last.max() >= len(library.footage):
        return True
    takes = library.footage.take_of(graph.first)
    half = np.minimum(library.half_window, (graph.last - graph.first) // 2)
    return bool(((graph.first - half < starts[takes]) | (graph.last + half >= starts[takes + 1])).any())
