"""Understudy's own archive of motions: plain arrays, exact to the bit, mapped rather than copied.

``understudy_motion`` holds the version. Motion ``i`` is in the arrays ``m{i}_*``; lengths are in metres, Y up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from understudy.core.motion import Motion, Origin
from understudy.core.recognition import humanoid_from_mapping
from understudy.core.skeleton import Skeleton
from understudy.errors import FormatError, MotionError, SkeletonError
from understudy.formats.npz_archive import Array, NpzArchive
from understudy.formats.options import ReadOptions

VERSION = 1
VERSION_KEY = "understudy_motion"
COUNT_KEY = "motion_count"


def arrays_of(motions: Sequence[Motion], *, path: Path) -> Iterator[tuple[str, Array]]:
    """Named arrays of motions, for :func:`npz_archive.write_arrays`.

    Raises:
        FormatError: A name holds characters that arrays of text cannot.
    """
    yield VERSION_KEY, np.array(VERSION, dtype="<i8")
    yield COUNT_KEY, np.array(len(motions), dtype="<i8")
    for number, motion in enumerate(motions):
        skeleton = motion.skeleton
        arrays: dict[str, Array] = {
            "name": _text([motion.name], path),
            "fps": np.array(motion.fps, dtype="<f8"),
            "names": _text(skeleton.names, path),
            "parents": skeleton.parents.astype("<i8"),
            "offsets": skeleton.offsets.astype("<f8"),
            "rest_rotations": skeleton.rest_rotations.astype("<f8"),
            "tip_joints": skeleton.tip_joints.astype("<i8"),
            "tip_offsets": skeleton.tip_offsets.astype("<f8"),
            "roles": _text(tuple(skeleton.humanoid), path),
            "role_joints": np.array(list(skeleton.humanoid.values()), dtype="<i8"),
            "root_positions": motion.root_positions.astype("<f8", copy=False),
            "rotations": motion.rotations.astype("<f8", copy=False),
        }
        yield from ((f"m{number}_{key}", array) for key, array in arrays.items())


def motions_of(archive: NpzArchive, options: ReadOptions) -> list[Motion]:
    """Motions of an open archive.

    Args:
        archive: An archive with ``understudy_motion``.
        options: ``fps``, ``mapping`` and ``take`` are honoured; unit and axes are fixed.

    Raises:
        FormatError: Of another version, incomplete or damaged.
    """
    version = int(archive.number(VERSION_KEY, kinds="iu"))
    if version != VERSION:
        raise FormatError(
            f"was written by another Understudy (version {version} of its npz files; this one reads {VERSION})",
            path=archive.path,
        )
    count = int(archive.number(COUNT_KEY, kinds="iu"))
    if not 1 <= count <= len(archive.keys):
        raise FormatError(f"says that it holds {count} motions, which cannot be", path=archive.path)
    try:
        return [_motion(archive, f"m{number}_", options) for number in range(count)]
    except (MotionError, SkeletonError) as error:
        raise FormatError(str(error), path=archive.path) from error


def _motion(archive: NpzArchive, prefix: str, options: ReadOptions) -> Motion:
    rotations = archive.array(f"{prefix}rotations", kinds="f", shape=(None, None, 4))
    fps = archive.number(f"{prefix}fps", kinds="f")
    motion = Motion(
        skeleton=_skeleton(archive, prefix, rotations.shape[1]),
        fps=fps if options.fps is None else options.fps,
        root_positions=archive.array(f"{prefix}root_positions", kinds="f", shape=(len(rotations), 3)),
        rotations=rotations,
        name=archive.words(f"{prefix}name", count=1)[0],
        origin=Origin(path=archive.path, format="npz"),
    )
    if options.mapping is None:
        return motion
    roles = humanoid_from_mapping(options.mapping, motion.skeleton.names)
    return replace(motion, skeleton=motion.skeleton.with_humanoid(roles))


def _skeleton(archive: NpzArchive, prefix: str, joints: int) -> Skeleton:
    tip_joints = archive.array(f"{prefix}tip_joints", kinds="i", shape=(None,))
    roles = archive.words(f"{prefix}roles")
    role_joints = archive.array(f"{prefix}role_joints", kinds="i", shape=(len(roles),)).tolist()
    return Skeleton(
        names=tuple(archive.words(f"{prefix}names", count=joints)),
        parents=archive.array(f"{prefix}parents", kinds="i", shape=(joints,)),
        offsets=archive.array(f"{prefix}offsets", kinds="f", shape=(joints, 3)),
        rest_rotations=archive.array(f"{prefix}rest_rotations", kinds="f", shape=(joints, 4)),
        tip_joints=tip_joints,
        tip_offsets=archive.array(f"{prefix}tip_offsets", kinds="f", shape=(len(tip_joints), 3)),
        humanoid=dict(zip(roles, role_joints, strict=True)),
    )


def _text(words: Sequence[str], path: Path) -> Array:
    """Text as an array; NumPy pads with NUL, so a word that ends in one would not come back."""
    for word in words:
        if word.endswith("\0") or any("\ud800" <= sign <= "\udfff" for sign in word):
            raise FormatError(f"the name {word!r} ends in NUL or is not text; npz files cannot hold it", path=path)
    return np.array(words, dtype=f"<U{max([1, *map(len, words)])}")
