"""BVH files: every dialect in, one clean dialect out.

Reading: any channel order, any number of channels per joint, constant and varying joint positions, wrapped rows,
any line ending, wrong frame counts. A file with several ROOTs gives several motions. What was guessed, dropped or
repaired stands in ``Motion.origin.notes``.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from understudy.core.motion import Motion
from understudy.errors import FormatError
from understudy.formats.assembly import assembled, file_frame
from understudy.formats.atomic import replacing
from understudy.formats.bvh_channels import clip_of_root, split_roots
from understudy.formats.bvh_frames import MotionHeader, find_motion, parse_motion_header, parse_rows
from understudy.formats.bvh_hierarchy import parse_hierarchy
from understudy.formats.bvh_write import bvh_text
from understudy.formats.guessing import snapped_fps
from understudy.formats.options import ReadOptions, WriteOptions

#: Joints times frames of the largest motion read; its rotations take 3.2 GB.
_MOST_ROTATIONS = 100_000_000
_FPS_RANGE = (0.01, 100_000.0)


def read(path: Path, options: ReadOptions) -> list[Motion]:
    """Motions of a BVH file, one per ROOT.

    Raises:
        FormatError: The file is no BVH or is damaged; names file and line.
    """
    data = _as_utf8(path.read_bytes(), path)
    motion_at = find_motion(data)
    joints = parse_hierarchy(_decoded(data[: motion_at[0]] if motion_at else data), path=path)
    if motion_at is None:
        raise FormatError("there is no MOTION part; the file seems cut off", path=path)
    header = parse_motion_header(data, motion_at[1], path=path)
    fps, notes = _frame_rate(header, options, path)
    values = parse_rows(data, header, sum(len(joint.channels) for joint in joints), path=path)
    if len(values) * len(joints) > _MOST_ROTATIONS:
        raise FormatError(f"{len(values)} frames of {len(joints)} joints are more than can be read", path=path)
    if header.declared_frames not in (None, len(values)):
        notes.append(f"{header.declared_frames} frames declared, {len(values)} found; all found were read")
    clips = [clip_of_root(own, columns, values, fps=fps).noting(*notes) for own, columns in split_roots(joints)]
    # A prop beside a person must not decide how large the person is.
    frame = file_frame(max(clips, key=lambda clip: len(clip.names)), options)
    motions = [assembled(clip, frame, options, path=path, format_name="bvh") for clip in clips]
    if len(motions) == 1:
        return motions
    return [replace(motion, name=f"{path.stem} {motion.skeleton.names[0]}") for motion in motions]


def write(motions: Sequence[Motion], path: Path, options: WriteOptions) -> None:
    """Write one motion as BVH.

    Raises:
        FormatError: There are several motions, or the file cannot be written.
    """
    if len(motions) != 1:
        raise FormatError(f"a BVH file holds one character; got {len(motions)}", path=path)
    text = bvh_text(motions[0], options)
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def _frame_rate(header: MotionHeader, options: ReadOptions, path: Path) -> tuple[float, list[str]]:
    declared = header.frame_time_s
    if options.fps is not None:
        return float(options.fps), []
    if declared is None or declared <= 0 or not _FPS_RANGE[0] <= 1.0 / declared <= _FPS_RANGE[1]:
        said = "there is no Frame Time" if declared is None else f"Frame Time {declared:g} s makes no sense"
        raise FormatError(f"{said}; give the frame rate (fps)", path=path, line=header.time_line)
    return snapped_fps(1.0 / declared), []


def _as_utf8(data: bytes, path: Path) -> bytes:
    """The bytes without byte order mark; UTF-16 files recoded."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16").encode("utf-8")
        except UnicodeError as error:
            raise FormatError("is neither text nor BVH", path=path, line=1) from error
    data = data.removeprefix(codecs.BOM_UTF8)
    if not data.strip():
        raise FormatError("the file is empty", path=path, line=1)
    if b"\x00" in data[:4096]:
        raise FormatError("is a binary file, not a BVH file", path=path, line=1)
    return data


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")
