"""From rows of channel values to rotations, a root path and constant offsets.

A position channel replaces its part of the OFFSET (as MotionBuilder and Blender do), except when all of a joint's
position channels stay at zero while its OFFSET does not: then the file means displacements, and they add.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from understudy import rotations as rot
from understudy.formats.bvh_hierarchy import BvhJoint
from understudy.formats.raw_clip import RawClip
from understudy.formats.root_folding import fold_root
from understudy.formats.unique_names import unique_names
from understudy.typing import FloatArray

#: Of the skeleton's size: offsets that vary less are constant (rounding, export noise).
_CONSTANT = 1e-3
_LETTERS = "XYZ"


def clip_of_root(joints: Sequence[BvhJoint], columns: Sequence[int], values: FloatArray, *, fps: float) -> RawClip:
    """The motion of one ROOT.

    Args:
        joints: Its joints, parents first, parents counted within this list.
        columns: First channel column of each joint.
        values: ``(frames, channels)`` of the whole file; degrees and file units.
        fps: Frames per second.
    """
    names, notes = _told_apart([joint.name for joint in joints])
    parents = np.array([joint.parent for joint in joints], dtype=np.int64)
    tips = [(index, tip) for index, joint in enumerate(joints) for tip in joint.tips]
    if any(kind == "s" for joint in joints for kind, _ in joint.channels):
        notes = (*notes, "scale channels are ignored")
    tracks = _position_tracks(joints, columns, values)
    offsets, varying = _settled_offsets(np.array([joint.offset for joint in joints]), tracks)
    root = tracks.get(0)
    clip = RawClip(
        names=names,
        parents=parents,
        offsets=offsets,
        tip_joints=np.array([index for index, _ in tips], dtype=np.int64),
        tip_offsets=np.array([tip for _, tip in tips], dtype=np.float64).reshape(-1, 3),
        root_positions=np.tile(offsets[0], (len(values), 1)) if root is None else root,
        rotations=local_rotations(joints, columns, values),
        fps=fps,
        notes=notes,
    )
    movable = frozenset(np.flatnonzero([any(kind == "p" for kind, _ in joint.channels) for joint in joints]).tolist())
    clip, varying = fold_root(clip, varying, movable)
    return replace(clip, stretches={clip.names[joint]: _spread(track) for joint, track in varying.items()})


def _told_apart(names: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names made unique as ``Name``, ``Name#2``, ..., and the note about it."""
    told = unique_names(names, "#")
    renamed = [f'"{new}"' for old, new in zip(names, told, strict=True) if new != old]
    shown = ", ".join(renamed[:4]) + (", ..." if len(renamed) > 4 else "")
    return told, (f"joint names occur more than once; renamed {len(renamed)}: {shown}",) if renamed else ()


def local_rotations(joints: Sequence[BvhJoint], columns: Sequence[int], values: FloatArray) -> FloatArray:
    """``(frames, joints, 4)`` local rotations; a joint's rotation channels multiply in file order."""
    groups: dict[str, list[int]] = defaultdict(list)
    for index, joint in enumerate(joints):
        groups["".join(_LETTERS[axis] for kind, axis in joint.channels if kind == "r")].append(index)
    result = rot.identity((len(values), len(joints)))
    for letters, members in groups.items():
        if not letters:
            continue
        wanted = np.array([_columns_of(joints[index], columns[index], "r") for index in members], dtype=np.int64)
        result[:, members] = rot.from_turns(np.deg2rad(values[:, wanted]), letters)
    return result


def _columns_of(joint: BvhJoint, first: int, wanted: str) -> list[int]:
    return [first + place for place, (kind, _) in enumerate(joint.channels) if kind == wanted]


def _position_tracks(joints: Sequence[BvhJoint], columns: Sequence[int], values: FloatArray) -> dict[int, FloatArray]:
    """Joint -> ``(frames, 3)`` translation in its parent's frame, for joints with position channels."""
    tracks = {}
    for index, joint in enumerate(joints):
        at = _columns_of(joint, columns[index], "p")
        if not at:
            continue
        axes = [axis for kind, axis in joint.channels if kind == "p"]
        offset = np.array(joint.offset)
        written = values[:, at]
        if np.abs(written).max() <= 1e-6 * np.abs(offset).max():
            written = written + offset[axes]
        track = np.tile(offset, (len(values), 1))
        track[:, axes] = written
        tracks[index] = track
    return tracks


def _settled_offsets(offsets: FloatArray, tracks: dict[int, FloatArray]) -> tuple[FloatArray, dict[int, FloatArray]]:
    """Constant offsets of all joints, and the tracks of joints other than the root that truly vary."""
    settled = offsets.copy()
    for joint, track in tracks.items():
        if joint:
            settled[joint] = track.mean(axis=0)
    # The sum of bone lengths is a size that no rest pose can hide.
    size = float(np.linalg.norm(settled[1:], axis=1).sum()) / max(1.0, np.sqrt(len(settled)))
    varying = {joint: track for joint, track in tracks.items() if joint and _spread(track) > _CONSTANT * size}
    return settled, varying


def _spread(track: FloatArray) -> float:
    return float(np.ptp(track, axis=0).max())


def split_roots(joints: Sequence[BvhJoint]) -> list[tuple[list[BvhJoint], list[int]]]:
    """Each ROOT's joints, renumbered from 0, with their first channel columns in the file's rows."""
    starts = np.cumsum([0, *(len(joint.channels) for joint in joints)])
    roots = [index for index, joint in enumerate(joints) if joint.parent < 0]
    result = []
    for begin, end in zip(roots, [*roots[1:], len(joints)], strict=True):
        own = [replace(joint, parent=max(joint.parent - begin, -1)) for joint in joints[begin:end]]
        result.append((own, [int(column) for column in starts[begin:end]]))
    return result
